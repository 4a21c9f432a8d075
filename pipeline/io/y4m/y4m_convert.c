#include "io/y4m/y4m_form.h"

#include <stddef.h>

#define UNIT ((int64_t)1 << 20)

/* A quotient of whole numbers above 0, rounded half up. */
static int64_t ratio(int64_t a, int64_t b)
{
    return (2 * a + b) / (2 * b);
}

void gf_y4m_form_choose(struct gf_y4m_form *form, int64_t width, int64_t height, gf_chroma chroma, int bits,
                        int full_range, int reads)
{
    const int is_hd = width >= GF_Y4M_HD_WIDTH || height >= GF_Y4M_HD_HEIGHT;
    const int64_t red = is_hd ? 2126 : 2990, blue = is_hd ? 722 : 1140, whole = 10000,
                  green = whole - red - blue;
    const int64_t scale = (int64_t)1 << (bits - 8), most = ((int64_t)1 << bits) - 1;
    const int64_t luma = full_range ? most : 219 * scale, colour = full_range ? most : 224 * scale;
    const int64_t full = bits == 8 ? 255 : 65535;
    const int is_mono = chroma == GF_CHROMA_MONO, is_420 = chroma != GF_CHROMA_444 && chroma != GF_CHROMA_422;
    *form = (struct gf_y4m_form){.width = width,
                                 .height = height,
                                 .shift_x = chroma != GF_CHROMA_444,
                                 .shift_y = is_420,
                                 .bits = bits,
                                 .sample = bits > 8 ? 2 : 1,
                                 .black = full_range ? 0 : 16 * scale,
                                 .grey = 128 * scale,
                                 .most = most};
    form->across = is_mono ? 0 : (width + form->shift_x) >> form->shift_x;
    form->down = is_mono ? 0 : (height + form->shift_y) >> form->shift_y;
    int64_t *w = form->weight;
    if (reads) { /* of luma; of Cr in red, of Cb in green, of Cr in green, of Cb in blue */
        w[0] = ratio(UNIT * full, luma);
        w[1] = ratio(UNIT * full * 2 * (whole - red), whole * colour);
        w[2] = -ratio(UNIT * full * 2 * blue * (whole - blue), green * whole * colour);
        w[3] = -ratio(UNIT * full * 2 * red * (whole - red), green * whole * colour);
        w[4] = ratio(UNIT * full * 2 * (whole - blue), whole * colour);
        return;
    }
    w[0] = ratio(UNIT * luma * red, full * whole);
    w[2] = ratio(UNIT * luma * blue, full * whole);
    w[1] = ratio(UNIT * luma, full) - w[0] - w[2];
    w[3] = -ratio(UNIT * colour * red, full * 2 * (whole - blue));
    w[5] = ratio(UNIT * colour, full * 2);
    w[4] = -w[3] - w[5];
    w[6] = w[5];
    w[8] = -ratio(UNIT * colour * blue, full * 2 * (whole - red));
    w[7] = -w[6] - w[8];
}

uint64_t gf_y4m_frame_bytes(const struct gf_y4m_form *form)
{
    if (form->width > INT64_MAX / 8 / form->height) {
        return UINT64_MAX; /* beyond any memory */
    }
    return (uint64_t)form->sample * ((uint64_t)form->width * (uint64_t)form->height +
                                     2 * (uint64_t)form->across * (uint64_t)form->down);
}

/* ---- to RGB ---- */

/* A sum of weights in units of 2^-20, rounded half up and cut. */
static inline int64_t cut(int64_t sum, int64_t most)
{
    const int64_t value = (sum + UNIT / 2) >> 20;
    return value < 0 ? 0 : value > most ? most : value;
}

/* Samples of two bytes are little-endian, as they lie in no particular place. */
static inline int64_t sample_of(const uint8_t *plane, int64_t x, int size)
{
    return size == 1 ? plane[x] : plane[2 * x] | plane[2 * x + 1] << 8;
}

static inline void put(void *row, int64_t i, int64_t value, int size)
{
    if (size == 1) {
        ((uint8_t *)row)[i] = (uint8_t)value;
    } else {
        ((uint16_t *)row)[i] = (uint16_t)value;
    }
}

/* Always inlined with a constant size. */
static inline __attribute__((always_inline)) void to_rgb(const struct gf_y4m_form *form, const uint8_t *frame,
                                                         int64_t y, void *row, int size)
{
    const int64_t *w = form->weight, full = size == 1 ? 255 : 65535;
    const uint8_t *luma = frame + y * form->width * size;
    const uint8_t *cb = frame + (form->width * form->height + (y >> form->shift_y) * form->across) * size;
    const uint8_t *cr = cb + form->across * form->down * size;
    for (int64_t x = 0; x < form->width; x++) {
        const int64_t light = w[0] * (sample_of(luma, x, size) - form->black);
        if (form->across == 0) {
            put(row, x, cut(light, full), size);
            continue;
        }
        const int64_t b = sample_of(cb, x >> form->shift_x, size) - form->grey;
        const int64_t r = sample_of(cr, x >> form->shift_x, size) - form->grey;
        put(row, 3 * x, cut(light + w[1] * r, full), size);
        put(row, 3 * x + 1, cut(light + w[2] * b + w[3] * r, full), size);
        put(row, 3 * x + 2, cut(light + w[4] * b, full), size);
    }
}

void gf_y4m_to_rgb(const struct gf_y4m_form *form, const uint8_t *frame, int64_t y, void *row)
{
    if (form->sample == 1) {
        to_rgb(form, frame, y, row, 1);
    } else {
        to_rgb(form, frame, y, row, 2);
    }
}

/* ---- from RGB ---- */

static inline int64_t channel(const void *row, int64_t i, gf_depth depth)
{
    return depth == GF_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

/* What plane `plane` holds of a pixel: the sum of its weights. */
static inline int64_t weigh(const int64_t *w, const void *row, int64_t x, const gf_shape *shape, int plane)
{
    if (shape->channels == 1) { /* luma alone is asked for; or gray as RGB, whose chroma is none */
        return plane == 0 ? (w[0] + w[1] + w[2]) * channel(row, x, shape->depth) : 0;
    }
    const int64_t *of = w + (ptrdiff_t)3 * plane;
    return of[0] * channel(row, 3 * x, shape->depth) + of[1] * channel(row, 3 * x + 1, shape->depth) +
           of[2] * channel(row, 3 * x + 2, shape->depth);
}

void gf_y4m_from_rgb(const struct gf_y4m_form *form, const gf_shape *shape, int plane,
                     const void *const row[2], int rows, uint8_t *to)
{
    const int64_t count = plane == 0 ? form->width : form->across, step = plane == 0 ? 1 : 1 + form->shift_x;
    const int64_t offset = plane == 0 ? form->black : form->grey;
    for (int64_t i = 0; i < count; i++) {
        const int64_t first = i * step, end = first + step < form->width ? first + step : form->width;
        int64_t sum = 0, pixels = 0;
        for (int y = 0; y < rows; y++) {
            for (int64_t x = first; x < end; x++, pixels++) {
                sum += weigh(form->weight, row[y], x, shape, plane);
            }
        }
        const int shift = pixels == 4 ? 22 : pixels == 2 ? 21 : 20;
        int64_t value = ((sum + (offset << shift)) + ((int64_t)1 << (shift - 1))) >> shift;
        value = value < 0 ? 0 : value > form->most ? form->most : value;
        to[i * form->sample] = (uint8_t)value;
        if (form->sample == 2) {
            to[2 * i + 1] = (uint8_t)(value >> 8);
        }
    }
}
