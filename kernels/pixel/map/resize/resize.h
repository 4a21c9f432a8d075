/* The kernel "resize": along one axis of a picture each sample of the output is a weighted sum of neighbours
 * in the input. Both axes are two of them, across first. */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* u8 to u8: s32 weights in units of 2^-22, the sum rounded half up and clamped. u16 and f32 to either: f32
 * weights, one ascending chain. */
enum { GF_RESIZE_SHIFT = 22 };

/* The weights of u8 once more, for instructions that add four products of bytes: w = d[0] + 256 d[1] + 65536
 * d[2], each from -128 to 127. A quad is a word of d[0] of four samples, one of d[1], one of d[2]. Along
 * columns the quads of an output begin with its first sample, along rows with a multiple of 4; where there is
 * no sample, weights are 0. */
enum { GF_RESIZE_DIGITS = 3 };

static inline int32_t gf_resize_quads(int32_t taps, int32_t down)
{
    return (taps + (down ? 3 : 6)) / 4;
}

/* `quads` quads of an output of `count` samples from `first` on. */
static inline void gf_resize_cut(const int32_t *weights, int64_t first, int64_t count, int32_t down,
                                 int32_t quads, int32_t *words)
{
    const int64_t lead = down ? 0 : first % 4;
    for (int32_t q = 0; q < quads; q++) {
        uint32_t word[GF_RESIZE_DIGITS] = {0};
        for (int32_t i = 0; i < 4; i++) {
            const int64_t k = 4 * (int64_t)q + i - lead;
            int32_t rest = k >= 0 && k < count ? weights[k] : 0;
            for (int32_t d = 0; d < GF_RESIZE_DIGITS; d++) {
                const int32_t digit = (int8_t)(rest & 255);
                word[d] |= ((uint32_t)digit & 255) << (8 * i);
                rest = (rest - digit) / 256;
            }
        }
        for (int32_t d = 0; d < GF_RESIZE_DIGITS; d++) {
            words[q * GF_RESIZE_DIGITS + d] = (int32_t)word[d];
        }
    }
}

/* in[0], out[0]: pictures; in[1]: block of s32, where the samples of each output begin, then how many they
 * are; in[2]: block of `taps` weights for each output, so many of which count; in[3], for u8 alone: block of
 * s32, their quads, gf_resize_quads for each output. */
struct gf_resize_args {
    double support; /* of the filter, in samples of the coarser of the two pictures */
    double length;  /* of the axis, in samples: mostly all; less where its last one is only partly picture,
                     * more  where the last output reaches past them */
    int64_t n_in;   /* samples that there are */
    int32_t taps;
    int32_t down;    /* 1: along columns; 0: along rows */
    int32_t weighed; /* 1: along rows, of 2 or 4 channels: each sample but the last of its pixel counts times
                      * that one, the product rounded to f32, or of u8 as gf_times_alpha_u8 makes it */
};

/* The samples that output i of n is made of: `*count` from `*first` on. Both ends rise with i. A last sample
 * less than half of which is picture does not count. */
static inline void gf_resize_samples(const struct gf_resize_args *args, int64_t n, int64_t i, int64_t *first,
                                     int64_t *count)
{
    const double scale = args->length / (double)n;
    const double reach = args->support * (scale < 1 ? 1 : scale);
    const double centre = ((double)i + 0.5) * scale;
    const int64_t begin = (int64_t)(centre - reach + 0.5), end = (int64_t)(centre + reach + 0.5);
    const int64_t most = (int64_t)(args->length + 0.5), n_in = most < args->n_in ? most : args->n_in;
    *first = begin < 0 ? 0 : begin < n_in ? begin : n_in - 1;
    *count = (end > *first && end < n_in ? end : n_in) - *first;
}

/* ---- rows on the CPU, once a SIMD level (resize_rows.c) ---- */

/* An output's samples and weights. */
struct gf_resize_axis {
    const int32_t *first, *count;
    const void *weights;
    const int32_t *digits; /* the quads, for u8 */
    int32_t taps, quads;
};

enum { GF_RESIZE_ROWS = 4 }; /* at a time: chains wait for themselves, not for each other */

struct gf_resize_rows {
    /* GF_RESIZE_ROWS rows of n pixels, each from the row of the input beside it. */
    void (*across)(const struct gf_resize_axis *axis, const void *const *in, gf_depth depth, void *const *out,
                   gf_depth out_depth, int64_t n, int32_t channels);
    /* n pixels, u8 or else in f32, each sample but the last times the last. */
    void (*weigh)(const void *in, gf_depth depth, int32_t channels, void *out, int64_t n);
    /* A row of n samples from rows of the input from `in` on: output y of the axis. */
    void (*down)(const struct gf_resize_axis *axis, int64_t y, const void *in, int64_t pitch, gf_depth depth,
                 void *out, gf_depth out_depth, int64_t n);
};

extern const struct gf_resize_rows gf_resize_rows_baseline, gf_resize_rows_avx2, gf_resize_rows_avx512;

/* For u8, where vectors are wide (resize_u8_rows.c): as above, but 16 rows at a time. NULL, or false and
 * nothing done: not for this level, or this picture. */
enum { GF_RESIZE_U8_ROWS = 16 };
struct gf_resize_u8_rows {
    bool (*across)(const struct gf_resize_axis *axis, const void *const *in, void *const *out, int64_t n_in,
                   int64_t n, int32_t channels);
    bool (*down)(const struct gf_resize_axis *axis, int64_t y, const void *in, int64_t pitch, void *out,
                 int64_t n);
};

extern const struct gf_resize_u8_rows gf_resize_u8_rows_baseline, gf_resize_u8_rows_avx2,
    gf_resize_u8_rows_avx512;
extern const struct gf_resize_u8_rows gf_resize_u8_rows_vnni;

#ifdef __cplusplus
}
#endif
