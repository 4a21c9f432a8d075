/* Inner loops over runs of keys on the CPU, once a SIMD level, as segmented_lines.h. */
#pragma once

#include "gpufilter/types.h"

/* flags[i] = 1 where keys[first + i] is not equal to the key before it, or is the first of all; else 0. How
 * many are 1. */
typedef int32_t (*gf_runs_line)(const void *keys, int64_t first, int32_t n, uint8_t *flags);

/* Indexed by depth. */
extern const gf_runs_line gf_runs_lines_baseline[GF_S64 + 1];
extern const gf_runs_line gf_runs_lines_avx2[GF_S64 + 1];
extern const gf_runs_line gf_runs_lines_avx512[GF_S64 + 1];
