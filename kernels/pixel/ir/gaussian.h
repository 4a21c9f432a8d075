/* Weights of the Gaussian, computed on the host, once a plan, for every backend.
 *
 * g(i) = exp(-i^2 / (2 sigma^2)) for -radius <= i <= radius, divided by the sum of all. Computed in double
 * with additions, multiplications and divisions only, no libm: the same bits on every machine. All functions
 * are pure and allocate nothing. weights[i + radius] belongs to offset i and is symmetric, not negative.
 * sigma: pixels, 0 (identity) or more and finite; radius: 0 to GF_GAUSSIAN_RADIUS_MAX. The caller checks. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_GAUSSIAN_RADIUS_MAX 1000000

/* Largest shifts of the fixed point weights of the two passes over u8 pictures. They keep every sum below
 * 2^31: 255 * 2^22 + 2^14 across, 32640 * 2^16 + 2^22 down. */
#define GF_GAUSSIAN_SHIFT_X 22
#define GF_GAUSSIAN_SHIFT_Y 16

/* The default radius, floor(4 sigma + 1/2), at most GF_GAUSSIAN_RADIUS_MAX. */
int64_t gf_gaussian_radius(double sigma);

/* f32 weights, 2 radius + 1 of them. Each is the quotient rounded once, but for the centre, which is one
 * minus the sum of the others, rounded: so the sum of the weights differs from 1 by at most half a unit in
 * the last place of the centre, and a flat picture stays flat. */
void gf_gaussian_weights(double sigma, int64_t radius, float *weights);

/* A Gaussian whose taps are not all computed one by one: those of its 2 radius + 1 taps beyond `reach` do not
 * count, and the window has the radius `kept`, at most reach. Weights of offsets that read the same sample,
 * wherever the window lies, are added (in double, the small ones first) before they are divided and rounded:
 * with a period those of offsets that many apart, and where two taps, -kept and kept, read one sample, each
 * has half; without one (0) those from kept on, on each side. */
struct gf_gaussian_taps {
    double sigma;
    int64_t radius, reach, kept, period;
};
void gf_gaussian_taps_weights(const struct gf_gaussian_taps *taps, float *weights); /* 2 kept + 1 */

/* The largest offset up to radius whose weight is not below `least`; 0 if none is. Weights below
 * GF_GAUSSIAN_LEAST are 0 in f32, those below GF_GAUSSIAN_LEAST_FIXED in fixed point. */
int64_t gf_gaussian_reach(double sigma, int64_t radius, double least);
#define GF_GAUSSIAN_LEAST       0x1p-151
#define GF_GAUSSIAN_LEAST_FIXED 0x1p-24

/* Fixed point weights for u8 pictures: rounded half up to multiples of 2^-k, the centre set so that their
 * sum is exactly 2^k, each in [0, 32767]. Returns k, the largest in [8, max_shift] that allows this, or -1
 * where the weights so rounded could move a result by more than GF_GAUSSIAN_FIXED_ERROR levels (sigma above
 * about 50 with 16 bits): blur in f32 then. *weights is undefined in that case. max_shift: 14 to 22. Only the
 * 2 reach + 1 in the middle are written; reach: gf_gaussian_reach or more, at most radius. */
int32_t gf_gaussian_fixed(double sigma, int64_t radius, int32_t max_shift, int64_t reach, int16_t *weights);

/* Levels of 255 that one pass may lose to rounded weights, for the worst picture: 255 / 2 times the sum over
 * all taps of |weight / 2^k - g(i) / sum|, since both sets of weights sum to 1. With the two roundings of a
 * u8 blur (1/2 + 1/256) a result then stays within 1 of the real value. */
#define GF_GAUSSIAN_FIXED_ERROR 0.24

/* ---- large sigma: multirate ---- */

/* From this sigma on a Gaussian without a radius of its own is made on a coarse grid. */
#define GF_MULTIRATE_SIGMA 8

/* Coarse samples that interpolation reads before and after the one at or left of a pixel. */
enum { GF_MULTIRATE_BEFORE = 4, GF_MULTIRATE_AFTER = 5, GF_MULTIRATE_TAPS = 10 };

/* The steps of docs/exactness.md for a sigma of at least GF_MULTIRATE_SIGMA and at most 2^20. */
struct gf_multirate {
    int32_t step;   /* pixels between coarse samples: the largest power of two <= sigma / 2 */
    int32_t radius; /* of the blur between them, in steps: 8 to 19 */
    double inner;   /* its sigma, in steps */
};
struct gf_multirate gf_multirate_make(double sigma);

/* The block of weights, whose layout is in multirate.h: gf_multirate_size of them. */
int64_t gf_multirate_size(const struct gf_multirate *m);
void gf_multirate_weights(const struct gf_multirate *m, float *weights);

#ifdef __cplusplus
}
#endif
