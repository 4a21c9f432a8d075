/* The factors of Fourier transforms, which every backend reads and none makes. */
#pragma once

#include "gpufilter/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GF_FFT_STAGES = 28, /* at most: threes of 2^28 */
    GF_FFT_RADIX = 7,   /* at most */
    GF_FFT_PADDING = 16 /* floats behind a table, for vectors that begin in it */
};
#define GF_FFT_MOST (INT64_C(1) << 26) /* numbers a side */

/* Joins `radix` transforms of `span` numbers. Number k of the q-th is multiplied by (re, im)[(q - 1) * span +
 * k], but for q = 0 and span = 1. */
struct gf_fft_stage {
    int32_t radix;
    int64_t span;
    const float *re, *im;
};

/* Complex numbers one after the other, planar. */
struct gf_fft_table {
    float *re, *im;
};

/* The transform of n complex numbers: stages, or for other primes Bluestein's sum, which has none. */
struct gf_fft_line {
    int64_t n;
    int32_t stages;
    struct gf_fft_stage stage[GF_FFT_STAGES];
    struct gf_fft_line *sum;      /* the transform of m >= 2 n - 1 numbers; NULL: n has stages */
    struct gf_fft_table chirp, b; /* n and m factors, as docs/exactness.md names them */
    float *memory;                /* all of the tables */
};

struct gf_fft_plan {
    gf_fft_shape shape;         /* strides are not 0 */
    float scale;                /* of the inverse: one through how many samples a result is of */
    int64_t half;               /* complex numbers of a row of the spectrum */
    struct gf_fft_line row;     /* of columns, or of columns / 2 real pairs */
    struct gf_fft_line column;  /* with two dimensions */
    struct gf_fft_table joined; /* v_0 to v_h of even rows of real samples; NULL: others */
};

/* Tells whether rows are made as half as many pairs. */
static inline int gf_fft_pairs(const struct gf_fft_plan *plan)
{
    return plan->shape.real && plan->shape.columns % 2 == 0;
}

/* cos and sin of 2 pi k / n, 0 <= k < n, in f64. */
void gf_fft_unit(int64_t k, int64_t n, double *cosine, double *sine);

/* cos and sin of 2 pi t / r in f32, of r = 3, 5 and 7, in row (r - 3) / 2. */
extern const float gf_fft_cosines[3][GF_FFT_RADIX], gf_fft_sines[3][GF_FFT_RADIX];

#ifdef __cplusplus
}
#endif
