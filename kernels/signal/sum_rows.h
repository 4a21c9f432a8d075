/* fir, resample and gain on the CPU, once per SIMD level: sum_rows.c is compiled several times. All levels
 * give the same bits. */
#ifndef GF_SIGNAL_SUM_ROWS_H
#define GF_SIGNAL_SUM_ROWS_H

#include "signal/signal.h"

/* struct gf_signal_resample, with fir's border; fir is that of 1 to 1. */
struct gf_sum {
    int64_t up, down;
    int32_t taps, centre, border;
    const float *tap; /* `up` rows of `taps` */
};

struct gf_sum_rows {
    /* Frames [first, first + count) of one channel; `in` is of that channel, frames as run_cpu has them. */
    void (*sums)(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t first,
                 int64_t count, float *y);
    void (*gain)(float gain, float offset, const float *x, int64_t count, float *y);
};

extern const struct gf_sum_rows gf_sum_rows_baseline, gf_sum_rows_avx2, gf_sum_rows_avx512;

#endif
