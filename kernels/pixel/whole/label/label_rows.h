/* Inner loops of label on the CPU, once per SIMD level. A pixel is inside where its sample is less or greater
 * than 0; samples are those of channel 0. */
#pragma once

#include "gpufilter/types.h"

/* How many pixels are inside, and the sums of their columns and of their samples (u8 and u16); extremes as in
 * struct gf_region. */
struct gf_label_sums {
    uint64_t count, x, v;
    uint32_t least, greatest;
};

struct gf_label_rows {
    /* flags[i] = 1 where pixel i is inside, else 0. */
    void (*flags)(const void *pixels, gf_depth depth, int32_t channels, int64_t n, uint8_t *flags);

    /* Counts the bits from `first` to end - 1 that are set, and sums their places. */
    void (*count)(const uint64_t *bits, int64_t first, int64_t end, struct gf_label_sums *sums);

    /* to[i] = number where pixel i is inside, else 0. */
    void (*numbers)(const void *pixels, gf_depth depth, int32_t channels, int64_t n, uint32_t number,
                    uint32_t *to);

    /* Sum and extremes of the samples that are inside; at least one is. */
    void (*measure)(const void *pixels, gf_depth depth, int32_t channels, int64_t n,
                    struct gf_label_sums *sums);
};

extern const struct gf_label_rows gf_label_rows_baseline, gf_label_rows_avx2, gf_label_rows_avx512;
