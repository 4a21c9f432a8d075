/* The kernel "shift": how far a picture lies from another one, and the picture moved so. WHOLE:
 *   in[0] f32 picture, one channel: pixel (x, y), round its edges, says how much speaks for that shift
 *   in[1] its stats
 *   in[2] a picture of samples
 *   out[0] f64, one row: x and y, so far right and down; score
 *   out[1] in[2] moved so, as "warp" does it, unless nobody wants it
 * Arguments: gf_warp_args, not lanczos, whose m is not looked at.
 *
 * The greatest pixel, and along each axis the top of the Gaussian through it and its two neighbours
 * (docs/exactness.md). Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_math.h"
#include "pixel/map/warp/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_SHIFT_NUMBERS = 3 };

/* How far behind a pixel the top of the Gaussian through it and its neighbours lies, -1/2 to 1/2: 0 where
 * there is none. Neighbours count as at least 2^-20 of the pixel. */
GF_HD double gf_shift_top(float before, float at, float behind)
{
    const float least = at * 0x1p-20F;
    const double a = gf_log2_magnitude(before > least ? before : least), b = gf_log2_magnitude(at),
                 c = gf_log2_magnitude(behind > least ? behind : least), bend = b - a + (b - c);
    return bend > 0.0 ? 0.5 * ((c - a) / bend) : 0.0;
}

/* The shift that the picture votes for, whose greatest pixel is `first`, or -1 where there is none. */
GF_HD void gf_shift_find(const struct gf_plane *votes, const struct gf_value *v, int64_t first, double *found)
{
    const int64_t w = v->width, h = v->height, at = first < 0 ? 0 : first, y = at / w, x = at % w;
    const char *data = (const char *)votes->data;
    const float *row = (const float *)(const void *)(data + y * votes->pitch);
    const float *above = (const float *)(const void *)(data + (y + h - 1) % h * votes->pitch);
    const float *below = (const float *)(const void *)(data + (y + 1) % h * votes->pitch);
    const int counts = first >= 0 && row[x] > 0x1p-100F && row[x] < gf_bits_float(GF_INFINITY_BITS);
    const double across = gf_shift_top(row[(x + w - 1) % w], row[x], row[(x + 1) % w]);
    found[0] = counts ? (double)(2 * x > w ? x - w : x) + across : 0.0;
    found[1] = counts ? (double)(2 * y > h ? y - h : y) + gf_shift_top(above[x], row[x], below[x]) : 0.0;
    found[2] = counts ? (double)row[x] : 0.0;
}

#ifdef __cplusplus
}
#endif
