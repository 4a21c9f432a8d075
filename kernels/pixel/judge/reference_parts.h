/* Private to the judge: what reference.c (the list of ops) and reference_*.c (kinds of
 * op) share. */
#pragma once

#include "base/gf_border.h"
#include "base/gf_num.h"
#include "base/status.h"
#include "pixel/ir/op.h"

#include <math.h>

/* A run: every value of the list as one packed array of its depth, data[v]. Pictures are rows of
 * interleaved channels without gaps, blocks one row a channel. */
struct gf_judge {
    const struct gf_op_list *list;
    void **data;
};

/* Sample `index` of an array as f32; exact for u8, u16 and s16. Other depths hold no samples. */
static inline float gf_judge_sample(const void *data, gf_depth depth, int64_t index)
{
    switch (depth) {
    case GF_U8:
        return ((const uint8_t *)data)[index];
    case GF_U16:
        return ((const uint16_t *)data)[index];
    case GF_S16:
        return ((const int16_t *)data)[index];
    default:
        return ((const float *)data)[index];
    }
}

/* Is the pixel in the rectangle? w = 0: the whole picture. */
static inline bool gf_judge_inside(struct gf_rect r, int64_t x, int64_t y)
{
    return r.w == 0 || (x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h);
}

/* v as a value of an integer depth; f32 as it is. */
static inline float gf_judge_quantise(gf_depth depth, float v)
{
    return depth == GF_U8 ? gf_quantise_u8(v) : depth == GF_U16 ? gf_quantise_u16(v) : v;
}

/* Returns what the `width` numbers of a row of a FORMULA's block make of the pixel v, in channel `own`. */
float gf_judge_formula(const float *steps, int64_t width, const float *v, int32_t own);

/* reference_region.c: how much of a stage counts at a pixel of a roi of that form (region.h). */
float gf_judge_weight(struct gf_rect roi, uint8_t form, float feather, int64_t x, int64_t y);

/* reference_colour.c: the arithmetic of colours once more. Between sRGB and light; three channels to L*a*b*
 * and back; through a cube of n colours a side; with another luma; whether a pixel is another colour. */
float gf_judge_light(float v);
float gf_judge_srgb(float v);
void gf_judge_lab(float *v);
void gf_judge_from_lab(float *v);
void gf_judge_cube(const float *cube, int32_t n, float *v);
void gf_judge_luma(float *v, float luma, gf_depth depth);
bool gf_judge_apart(const float *v, int32_t channels, const float *colour, int64_t width,
                    const struct gf_insn *insn);
/* COMPLEX of v and c + d i: a product; the cross spectrum of which only the phase is left; a number by which
 * another one is restored. */
void gf_judge_complex(float *v, float c, float d, const struct gf_insn *insn);

/* What a window reads: one channel of its input picture, extended beyond its edges. */
struct gf_judge_plane {
    const struct gf_window *window;
    const void *data;
    struct gf_value value;
    int32_t channel;
};

static inline struct gf_judge_plane gf_judge_input(const struct gf_judge *judge, const struct gf_op *op)
{
    const struct gf_judge_plane plane = {&op->u.window, judge->data[op->in], judge->list->values[op->in], 0};
    return plane;
}

static inline float gf_judge_extended(const struct gf_judge_plane *p, int64_t x, int64_t y)
{
    int64_t column = gf_border_index(x, p->value.width, p->window->border);
    int64_t row = gf_border_index(y, p->value.height, p->window->border);

    if (column < 0 || row < 0) {
        return gf_judge_quantise(p->value.depth, p->window->fill[p->channel]);
    }
    return gf_judge_sample(p->data, p->value.depth,
                           (row * p->value.width + column) * p->value.channels + p->channel);
}

/* Writes v as sample `index`; false if v is no value of an integer depth (a broken program). */
static inline bool gf_judge_store(void *data, gf_depth depth, int64_t index, float v)
{
    float lo = depth == GF_S16 ? -32768.0F : 0.0F;
    float hi = depth == GF_U8 ? 255.0F : depth == GF_U16 ? 65535.0F : 32767.0F;

    if (depth == GF_F32) {
        ((float *)data)[index] = gf_canonical(v);
        return true;
    }
    if (!(v >= lo && v <= hi && v == rintf(v))) {
        return false;
    }
    if (depth == GF_U8) {
        ((uint8_t *)data)[index] = (uint8_t)v;
    } else if (depth == GF_U16) {
        ((uint16_t *)data)[index] = (uint16_t)v;
    } else {
        ((int16_t *)data)[index] = (int16_t)v;
    }
    return true;
}

/* The bin of v over a measured range, GF_BIN_ as of gf_bin. One too narrow for the arithmetic of f32 is made
 * wider, one too wide narrower; in one that has no width every finite value is in bin 0. */
static inline int32_t gf_judge_bin(float v, float lo, float hi, int32_t bins)
{
    const float wider = hi - lo > FLT_MAX ? 0.5F : hi - lo < 0x1p-103F ? 0x1p100F : 1.0F;
    if (!(lo < hi)) {
        return gf_bin(v, lo, 0.0F, bins);
    }
    return gf_bin(v * wider, lo * wider, gf_bin_scale(lo * wider, hi * wider, bins), bins);
}

/* A bin's count of a row of counts; what lies below and above all bins counts in the first and the last. */
static inline uint64_t gf_judge_count(const uint64_t *row, int32_t bin, int32_t bins)
{
    uint64_t n = row[bin];
    n += bin == 0 ? row[bins] : 0;
    return n + (bin + 1 == bins ? row[bins + 1] : 0);
}

/* Computes the value that the op makes, data[out], which holds zeros beforehand. */
gf_status gf_judge_point(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);
