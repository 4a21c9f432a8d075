/* The kernel "shift": how far a picture lies from another one, and the picture moved so. WHOLE:
 *   in[0] f32 picture, one channel: pixel (x, y), round its edges, says how much speaks for that shift
 *   in[1] its stats
 *   in[2] any picture of samples, where it is to be moved
 *   out[0] f64, one row: x and y, so far right and down; score
 *   out[1] in[2] moved so, as "warp" does it, unless nobody wants it
 *
 * The greatest pixel, and along each axis the top of the Gaussian through it and its two neighbours
 * (docs/exactness.md). Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_math.h"
#include "pixel/map/warp/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_shift_args {
    struct gf_warp_args warp; /* of in[2], not lanczos; m is not looked at */
};

enum { GF_SHIFT_NUMBERS = 3 };

/* What the pixels are of which the shift is told: rows `pitch` bytes apart. */
struct gf_shift_votes {
    const char *data;
    int64_t pitch, width, height;
};

GF_HD float gf_shift_vote(const struct gf_shift_votes *v, int64_t x, int64_t y)
{
    x = x < 0 ? x + v->width : x >= v->width ? x - v->width : x;
    y = y < 0 ? y + v->height : y >= v->height ? y - v->height : y;
    return ((const float *)(const void *)(v->data + y * v->pitch))[x];
}

/* How far behind a pixel the top of the Gaussian through it and its neighbours lies, -1/2 to 1/2: 0 where
 * there is none. Neighbours count as at least 2^-20 of the pixel. */
GF_HD double gf_shift_top(float before, float at, float behind)
{
    const float least = at * 0x1p-20F;
    const double a = gf_log2_magnitude(before > least ? before : least), b = gf_log2_magnitude(at),
                 c = gf_log2_magnitude(behind > least ? behind : least), bend = b - a + (b - c);
    return bend > 0.0 ? 0.5 * ((c - a) / bend) : 0.0;
}

/* The shift of the votes whose greatest is pixel `at`, or -1 where there is none. */
GF_HD void gf_shift_find(const struct gf_shift_votes *v, int64_t at, double *found)
{
    const int64_t x = at < 0 ? 0 : at % v->width, y = at < 0 ? 0 : at / v->width;
    const float most = gf_shift_vote(v, x, y);
    found[0] = found[1] = found[2] = 0.0;
    if (at >= 0 && most > 0x1p-100F && most < gf_bits_float(GF_INFINITY_BITS)) {
        found[0] = (double)(2 * x > v->width ? x - v->width : x) +
                   gf_shift_top(gf_shift_vote(v, x - 1, y), most, gf_shift_vote(v, x + 1, y));
        found[1] = (double)(2 * y > v->height ? y - v->height : y) +
                   gf_shift_top(gf_shift_vote(v, x, y - 1), most, gf_shift_vote(v, x, y + 1));
        found[2] = (double)most;
    }
}

#ifdef __cplusplus
}
#endif
