/* The frame of a rank along time on the CPU: the inner loop, once per SIMD level (rank_along_rows.c). */
#ifndef GF_SIGNAL_RANK_ALONG_H
#define GF_SIGNAL_RANK_ALONG_H

#include <stdint.h>

enum {
    GF_RANK_TOGETHER = 64, /* outputs */
    GF_RANK_SMALL = 31     /* frames of a window that is selected from anew for each output */
};

struct gf_rank_along_rows {
    /* Of windows key[j] to key[j + size - 1] the one of rank `rank` by gf_float_key's order, for j from 0 to
     * GF_RANK_TOGETHER - 1; size: at most GF_RANK_SMALL. */
    void (*select)(const uint32_t *key, int size, int rank, uint32_t *out);
    /* The keys of frames. */
    void (*keys)(const float *x, int64_t count, uint32_t *key);
};

extern const struct gf_rank_along_rows gf_rank_along_rows_baseline, gf_rank_along_rows_avx2,
    gf_rank_along_rows_avx512;

#endif
