#include "io/png/png_palette.h"

#include <stdlib.h>
#include <string.h>

bool gf_png_palette_holds(const gf_shape *shape)
{
    return shape->depth == GF_U8 && shape->channels != 2;
}

struct gf_png_palette *gf_png_palette_make(const gf_shape *shape)
{
    struct gf_png_palette *p = calloc(1, sizeof *p);
    size_t size;
    if (p == NULL) {
        return NULL;
    }
    p->shape = *shape;
    p->row = malloc((size_t)shape->width * (size_t)shape->channels);
    if (!__builtin_mul_overflow((size_t)shape->width, (size_t)shape->height, &size)) {
        p->numbers = malloc(size);
    }
    if (p->row == NULL || p->numbers == NULL) {
        gf_png_palette_free(p);
        return NULL;
    }
    return p;
}

void gf_png_palette_free(struct gf_png_palette *palette)
{
    if (palette != NULL) {
        free(palette->numbers);
        free(palette->row);
        free(palette);
    }
}

/* Returns the number of a colour, a new one if need be; GF_PNG_COLOURS: there is none left. */
static int32_t number_of(struct gf_png_palette *p, uint32_t colour)
{
    uint32_t slot = (colour * UINT32_C(2654435761)) >> 22;
    for (; p->slots[slot] != 0; slot = (slot + 1) % (4 * GF_PNG_COLOURS)) {
        if (p->colours[p->slots[slot] - 1] == colour) {
            return p->slots[slot] - 1;
        }
    }
    if (p->count < GF_PNG_COLOURS) {
        p->colours[p->count] = colour;
        p->slots[slot] = (uint16_t)++p->count;
        return p->count - 1;
    }
    return GF_PNG_COLOURS;
}

static bool take_row(struct gf_png_palette *p, const uint8_t *samples, uint8_t *numbers)
{
    uint32_t last = 0;
    int32_t number = GF_PNG_COLOURS; /* of `last`, if it has one */
    for (int64_t x = 0; x < p->shape.width; x++) {
        uint32_t colour = 0;
        for (int32_t c = 0; c < p->shape.channels; c++) {
            colour |= (uint32_t)*samples++ << 8 * c;
        }
        if (number == GF_PNG_COLOURS || colour != last) {
            last = colour;
            number = number_of(p, colour);
        }
        if (number == GF_PNG_COLOURS) {
            return false;
        }
        numbers[x] = (uint8_t)number;
    }
    return true;
}

int64_t gf_png_palette_rows(struct gf_png_palette *p, const uint8_t *data, int64_t pitch, int64_t count)
{
    int64_t taken = 0;
    while (taken < count && take_row(p, data + taken * pitch, p->numbers + p->rows * p->shape.width)) {
        taken++;
        p->rows++;
    }
    return taken;
}

const uint8_t *gf_png_palette_row(struct gf_png_palette *p, int64_t y)
{
    uint8_t *to = p->row;
    for (int64_t x = 0; x < p->shape.width; x++) {
        const uint32_t colour = p->colours[p->numbers[y * p->shape.width + x]];
        for (int32_t c = 0; c < p->shape.channels; c++) {
            *to++ = (uint8_t)(colour >> 8 * c);
        }
    }
    return p->row;
}

/* Gray of b bits stands for multiples of 255 / (2^b - 1). */
static int32_t order_gray(const struct gf_png_palette *p, uint8_t order[GF_PNG_COLOURS])
{
    int32_t bits = 1;
    for (int32_t i = 0; i < p->count; i++) {
        while (p->colours[i] % (255u / ((1u << bits) - 1)) != 0) {
            bits *= 2;
        }
    }
    for (int32_t i = 0; i < p->count; i++) {
        order[i] = (uint8_t)(p->colours[i] / (255u / ((1u << bits) - 1)));
    }
    return bits;
}

/* RGBA keeps its alpha, be it of one colour that is opaque, as the reader goes by tRNS. */
static int32_t order_colours(const struct gf_png_palette *p, uint8_t order[GF_PNG_COLOURS],
                             struct gf_png_packed *packed)
{
    const bool has_alpha = p->shape.channels == 4;
    int32_t n = 0;
    for (int opaque = has_alpha ? 0 : 1; opaque < 2; opaque++) {
        for (int32_t i = 0; i < p->count; i++) {
            const uint32_t colour = p->colours[i], alpha = has_alpha ? colour >> 24 : 255;
            if ((alpha == 255) == opaque) {
                for (int c = 0; c < 3; c++) {
                    packed->colours[3 * n + c] = (uint8_t)(colour >> 8 * c);
                }
                packed->alphas[n] = (uint8_t)alpha;
                order[i] = (uint8_t)n++;
            }
        }
        packed->trns = opaque == 0 ? (size_t)(n > 0 ? n : 1) : packed->trns;
    }
    packed->plte = 3 * (size_t)n;
    return n > 16 ? 8 : n > 4 ? 4 : n > 2 ? 2 : 1;
}

void gf_png_palette_pack(struct gf_png_palette *p, struct gf_png_packed *packed)
{
    uint8_t order[GF_PNG_COLOURS];
    const size_t width = (size_t)p->shape.width;
    packed->plte = packed->trns = 0;
    packed->bits = p->shape.channels == 1 ? order_gray(p, order) : order_colours(p, order, packed);
    const size_t in_byte = 8 / (size_t)packed->bits;
    packed->row = (width + in_byte - 1) / in_byte;
    uint8_t *to = p->numbers; /* never ahead of what is read */
    for (int64_t y = 0; y < p->shape.height; y++) {
        const uint8_t *from = p->numbers + (size_t)y * width;
        for (size_t x = 0; x < width;) {
            uint32_t byte = 0;
            for (size_t i = 0; i < in_byte; i++, x++) {
                byte = byte << packed->bits | (x < width ? order[from[x]] : 0u);
            }
            *to++ = (uint8_t)byte;
        }
    }
}
