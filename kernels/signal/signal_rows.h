/* fir, resample, gain and rank on the CPU, once per SIMD level: signal_rows.c is compiled several times. All
 * levels give the same bits. */
#pragma once

#include "signal/signal.h"

/* struct gf_signal_resample, with fir's border; fir is that of 1 to 1. */
struct gf_sum {
    int64_t up, down;
    int32_t taps, centre, border;
    const float *tap; /* `up` rows of `taps` */
};

enum {
    GF_RANK_TOGETHER = 64, /* outputs */
    GF_RANK_SMALL = 55     /* frames of a window that is selected from anew for each output */
};

struct gf_signal_rows {
    /* Frames [first, first + count) of one channel; `in` is of that channel, frames as run_cpu has them. */
    void (*sums)(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t first,
                 int64_t count, float *y);
    void (*gain)(float gain, float offset, const float *x, int64_t count, float *y);
    /* Of key[j] to key[j + size - 1] the one of rank `rank`, for j from 0 to GF_RANK_TOGETHER - 1; size: at
     * most GF_RANK_SMALL. */
    void (*select)(const uint32_t *key, int size, int rank, uint32_t *out);
    /* The least of key[j] to key[j + size - 1] to key[j], for j below count; what lies behind is used up. */
    void (*least)(uint32_t *key, int64_t count, int64_t size);
    /* sum[j]: of v[j] to v[j + size - 1], for j below count, as window_along.c says; v is used up. */
    void (*window_sums)(double *v, int64_t count, int64_t size, double *sum);
};

extern const struct gf_signal_rows gf_signal_rows_baseline, gf_signal_rows_avx2, gf_signal_rows_avx512;
