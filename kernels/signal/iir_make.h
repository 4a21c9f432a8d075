/* What a cascade of sections is as one linear system s' = A s + B x, with the states s1, s2 of the first
 * section, then of the second, ...: sums over blocks of 128 frames, and powers of A over groups of blocks. */
#pragma once

#include "gpufilter/types.h"
#include "signal/signal_args.h"
#include "signal/signal_dd.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_IIR_BITS   7
#define GF_IIR_BLOCK  (1 << GF_IIR_BITS)
#define GF_IIR_LEVELS (48 - GF_IIR_BITS) /* groups of 2^k blocks; of 2^48 frames */
#define GF_IIR_STATES (2 * GF_SIGNAL_SECTIONS)

/* One piece of memory of `bytes`, without pointers, so that a device can have a copy. Behind the struct lie
 * sums[128][states] of f64, A^(127 - i) B for frame i of a block, and powers[41][states][states] of struct
 * gf_dd, A^(128 2^k) by k, row and column. */
struct gf_signal_iir_made {
    int32_t sections; /* 1, 2, 4, 8 or 16: those of the filter, then y = x */
    int32_t states;   /* twice as many */
    size_t bytes;
    struct gf_section section[GF_SIGNAL_SECTIONS];
};

GF_HD const double *gf_iir_sums(const struct gf_signal_iir_made *made)
{
    return (const double *)(const void *)(made + 1);
}

GF_HD const struct gf_dd *gf_iir_power(const struct gf_signal_iir_made *made, int k)
{
    const int64_t n = made->states;
    return (const struct gf_dd *)(const void *)(gf_iir_sums(made) + GF_IIR_BLOCK * n) + n * n * k;
}

/* to = A^(128 2^k) left + right; `to` may be one of them. */
GF_HD void gf_iir_join(const struct gf_signal_iir_made *made, int k, const struct gf_dd *left,
                       const struct gf_dd *right, struct gf_dd *to)
{
    struct gf_dd sum[GF_IIR_STATES];
    for (int row = 0; row < made->states; row++) {
        sum[row] = gf_dd_row(gf_iir_power(made, k) + row * made->states, left, right[row], row);
    }
    memcpy(to, sum, (size_t)made->states * sizeof *to);
}

/* count: 1 to 16. Free `*made` with free(). GF_ERROR_MEMORY. Powers of A are squared in double-double, which
 * doubles their relative error each time: the last one, A^(2^47), is good to about 2^-56, those of a signal
 * of n frames to n 2^-103 (each times the condition of A's eigenvectors). */
gf_status gf_signal_iir_make(int32_t count, const struct gf_section *section,
                             struct gf_signal_iir_made **made, gf_error *error);

#ifdef __cplusplus
}
#endif
