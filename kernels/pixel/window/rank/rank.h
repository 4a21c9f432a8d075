/* The sample of a given place in the sorted neighbourhood of each pixel: median and any other rank. */
#pragma once

#include "pixel/ir/kernel_table.h"

/* The window of gf_kernel_rank: columns x - radius_x to x + radius_x of rows y - radius_y to y + radius_y,
 * the picture extended by its border. Keeps depth (u8, u16 or f32) and channels, each of which is a picture
 * of its own. Samples are ordered as gf_float_key orders them: -0 before +0, NaN behind all numbers. */
struct gf_rank_args {
    int32_t radius_x, radius_y; /* >= 0; in pictures both the same, in signals radius_y is 0 */
    int64_t index;              /* of the sample in ascending order, 0 <= index < n */
    int64_t n;                  /* samples of the window: (2 radius_x + 1) (2 radius_y + 1), which is odd */
};

/* The greatest radius: for pictures, whose windows then have fewer than 2^28 samples, and for signals, which
 * are looked at along x only. */
enum { GF_RANK_MOST = 8191, GF_RANK_MOST_SIGNAL = 1000000 };

/* The window's own sample of rank floor(percentile / 100 (n - 1) + 1/2), in f64; percentile 0 to 100. */
static inline struct gf_rank_args gf_rank_make(int32_t radius_x, int32_t radius_y, double percentile)
{
    const int64_t n = (2 * (int64_t)radius_x + 1) * (2 * (int64_t)radius_y + 1);
    const double index = percentile * (double)(n - 1) / 100 + 0.5;
    const struct gf_rank_args args = {radius_x, radius_y, (int64_t)index < n ? (int64_t)index : n - 1, n};
    return args;
}

GF_WINDOW_ARGS_OF(gf_rank_args)

/* Is it the median? The networks of rank_networks.def find that alone. */
static inline bool gf_rank_is_median(const struct gf_rank_args *args)
{
    return 2 * args->index == args->n - 1;
}
