/* What each kernel of signals is told. */
#ifndef GF_SIGNAL_ARGS_H
#define GF_SIGNAL_ARGS_H

#include "signal/section.h"

#include <stdint.h>

/* y = fma(gain, x, offset) in f32. */
struct gf_signal_gain {
    float gain, offset;
};

/* A cascade of sections, the first one first; at most GF_SIGNAL_SECTIONS. `made` is what gf_signal_iir_make
 * makes of the sections: sums over blocks and powers of the system (iir_along.c). */
#define GF_SIGNAL_SECTIONS 16
struct gf_signal_iir {
    int32_t count;
    struct gf_section section[GF_SIGNAL_SECTIONS];
    const struct gf_signal_iir_made *made;
};

/* y[n] = sum of tap[k] x[n + centre - k], k from 0 to taps - 1; 0 <= centre < taps; outside the signal x is
 * as `border` says: zero, or the first or last frame. centre 0 is a causal filter, (taps - 1) / 2 one that
 * keeps times. */
struct gf_signal_fir {
    int32_t taps, centre;
    int32_t border; /* 0: zeros, 1: the frame at the edge */
    const float *tap;
};

/* y[n] = sum over k of phase[(n M) mod L][k] x[floor(n M / L) + centre - k], zeros outside: L frames of the
 * output for M of the input, both below 2^31. The output has ceil(frames L / M); 0 <= centre < taps. */
struct gf_signal_resample {
    int64_t up, down; /* L and M, without a common divisor */
    int32_t taps, centre;
    const float *phase; /* L rows of `taps` */
};

/* The frame of rank `rank` (0: the least) of the `size` frames around n, size odd, at the edges the frame at
 * the edge again. NaN is greater than all numbers, as everywhere (gf_order.h). */
struct gf_signal_rank {
    int32_t size, rank;
};

#endif
