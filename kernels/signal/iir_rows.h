/* Recursive filters on the CPU, once per SIMD level: iir_rows.c is compiled several times. All levels give
 * the same bits. */
#pragma once

#include "signal/iir_make.h"

/* What a channel remembers, by a filter's number of states n: the states before the next frame and the begun
 * block's sum, both n f64 and of no meaning at the beginning of a block; and of the groups of blocks that the
 * bits of the block's number stand for how they end, 42 n struct gf_dd. */
#define GF_IIR_STATE_BYTES(n) ((size_t)(n) * (2 * sizeof(double) + GF_IIR_LEVELS * sizeof(struct gf_dd)))

struct gf_iir_rows {
    /* Frames [first, first + count) of a channel, from x to y, which may be x. */
    void (*channel)(const struct gf_signal_iir_made *made, void *state, int64_t first, int64_t count,
                    const float *x, float *y);
};

extern const struct gf_iir_rows gf_iir_rows_baseline, gf_iir_rows_avx2, gf_iir_rows_avx512;
