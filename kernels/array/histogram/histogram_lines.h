/* Slots of many elements on the CPU, once a SIMD level: histogram_lines.c is compiled several times and makes
 * one constant table each. All levels give the same slots. Functions are pure. */
#pragma once

#include "array/histogram/histogram_bin.h"
#include "gpufilter/types.h"

/* slot[i] of in[i], i < n. By gf_bins_kind; NULL where a type does not have the kind. */
struct gf_histogram_lines {
    void (*slots[GF_BINS_KINDS])(const void *in, int64_t n, const struct gf_histogram_bins *bins,
                                 uint32_t *slot);
};

/* Indexed by depth. */
extern const struct gf_histogram_lines gf_histogram_lines_baseline[GF_S64 + 1];
extern const struct gf_histogram_lines gf_histogram_lines_avx2[GF_S64 + 1];
extern const struct gf_histogram_lines gf_histogram_lines_avx512[GF_S64 + 1];
