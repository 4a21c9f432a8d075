/* distance: of each pixel that is not 0 to the nearest one that is, a site. NaN is one, as it is outside of
 * every region of label. WHOLE:
 *   in[0] picture of u8, u16 or f32, of which channel 0 counts
 *   out[0] picture of one channel. Distances: f32, infinite without a site; squared: u64, GF_DISTANCE_NONE
 *     without one. Nearest sites: u32, y * width + x of the first in raster order among the nearest,
 *     UINT32_MAX without one; at most 2^32 - 1 pixels.
 *
 * How: down the columns first, in bands of GF_DISTANCE_BAND rows, then along the rows (A. Meijster, J.
 * Roerdink, W. Hesselink, A General Algorithm for Computing Distance Transforms in Linear Time, 2000). Among
 * those of a column the upper, and of columns the left one wins a tie: so nearest sites, whose ties go the
 * other way, come from the transposed picture. "Line" and "column" here are of whichever it is. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_distance_metric { GF_DISTANCE_L2, GF_DISTANCE_SQUARED, GF_DISTANCE_L1, GF_DISTANCE_CHESSBOARD };

struct gf_distance_args {
    int32_t metric;  /* enum gf_distance_metric */
    int32_t nearest; /* not 0: sites, not distances */
};

enum { GF_DISTANCE_BAND = 64 };
#define GF_DISTANCE_NONE UINT64_MAX

size_t gf_distance_cuda_scratch(const struct gf_apply_run *run);

#ifdef __cplusplus
}
#endif

/* The correctly rounded root of n < 2^63. Below 2^24 n is an f32. Below 2^50 the root in f64 is so near to no
 * middle of two f32 that rounding it again could go wrong: n differs from the square of such a middle by
 * 2^-50 of itself at least. Beyond, the root has 26 bits before the point: the last of them says whether more
 * follow. */
GF_HD float gf_distance_root(uint64_t n)
{
    if (n < UINT64_C(1) << 24) {
        return gf_sqrt((float)n);
    }
    double root = gf_sqrt_double((double)n);
    if (n < UINT64_C(1) << 50) {
        return (float)root;
    }
    uint64_t floor = (uint64_t)root;
    floor -= floor * floor > n;
    floor += (floor + 1) * (floor + 1) <= n;
    return (float)(floor | (floor * floor != n));
}
