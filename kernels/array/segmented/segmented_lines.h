/* Inner loops of segmented reduction on the CPU, once a SIMD level: segmented_lines.c is compiled several
 * times, as pixel/cpu/cpu_rows.c is, and makes one constant table each. All levels give the same bits. */
#pragma once

#include "gpufilter/reduce.h"

/* Segments of one type and operation, from the one on that begins at offsets[0] of `in`: the i-th goes to
 * out[i]. Stops at `count`, or before the first segment of more than GF_REDUCE_LEAF elements. How many were
 * done. */
typedef int64_t (*gf_segmented_line)(const void *in, const int64_t *offsets, int64_t count, void *out);

/* Indexed by depth and operation; NULL where there is no such operation. */
extern const gf_segmented_line gf_segmented_lines_baseline[GF_S64 + 1][GF_REDUCE_OR + 1];
extern const gf_segmented_line gf_segmented_lines_avx2[GF_S64 + 1][GF_REDUCE_OR + 1];
extern const gf_segmented_line gf_segmented_lines_avx512[GF_S64 + 1][GF_REDUCE_OR + 1];
