/* The factors of Fourier transforms, which every backend reads and none makes. */
#pragma once

#include "gpufilter/fft.h"

#include "base/status.h"

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
    int64_t at; /* of its factors in a device's copy, as all that are named so */
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
    int64_t chirp_at, b_at;
    float *memory; /* all of the tables */
};

struct gf_fft_plan {
    gf_fft_shape shape;         /* strides are not 0 */
    float scale;                /* of the inverse: one through how many samples a result is of */
    int64_t half;               /* complex numbers of a row of the spectrum */
    struct gf_fft_line row;     /* of columns, or of columns / 2 real pairs */
    struct gf_fft_line column;  /* with two dimensions */
    struct gf_fft_table joined; /* v_0 to v_h of even rows of real samples; NULL: others */
    int64_t joined_at;
    struct gf_fft_sent *sent;
};

/* Tells whether rows are made as half as many pairs. */
static inline int gf_fft_pairs(const struct gf_fft_plan *plan)
{
    return plan->shape.real && plan->shape.columns % 2 == 0;
}

/* The copies of a plan's factors in the memory of CUDA devices, and what goes with them; both for the plan
 * alone. */
gf_status gf_fft_sent_make(struct gf_fft_plan *plan, gf_error *error);
void gf_fft_sent_free(struct gf_fft_plan *plan);

/* Bytes of a plan's factors: in the host's memory, padding aside, and of each copy. */
uint64_t gf_fft_factor_bytes(const struct gf_fft_plan *plan);

/* The copy of a device: complex numbers, re and im side by side, each table behind the others. The first call
 * makes it, and waits; any number of threads may call. */
gf_status gf_fft_factors_on(const struct gf_fft_plan *plan, gf_device device, const float **factors,
                            gf_error *error);

/* cos and sin of 2 pi t / r in f32, of r = 3, 5 and 7, in row (r - 3) / 2. */
#define GF_FFT_COSINES                                                                                       \
    {                                                                                                        \
        {1.0F, -0.5F, -0.5F}, {1.0F, 0.309017003F, -0.809017003F, -0.809017003F, 0.309017003F},              \
        {                                                                                                    \
            1.0F, 0.623489797F, -0.222520933F, -0.90096885F, -0.90096885F, -0.222520933F, 0.623489797F       \
        }                                                                                                    \
    }
#define GF_FFT_SINES                                                                                         \
    {                                                                                                        \
        {0.0F, 0.866025388F, -0.866025388F}, {0.0F, 0.95105654F, 0.587785244F, -0.587785244F, -0.95105654F}, \
        {                                                                                                    \
            0.0F, 0.781831503F, 0.974927902F, 0.433883727F, -0.433883727F, -0.974927902F, -0.781831503F      \
        }                                                                                                    \
    }
extern const float gf_fft_cosines[3][GF_FFT_RADIX], gf_fft_sines[3][GF_FFT_RADIX];

#ifdef __cplusplus
}
#endif
