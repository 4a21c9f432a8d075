/* Rows of a sparse matrix on the CPU, once a SIMD level, as array/search/search_lines.h. All levels give the
 * same bits. */
#pragma once

#include "linear/spmv/spmv_call.h"

struct gf_spmv_lines {
    /* y[i] for the rows from `row` on and before `end` that have at most `longest` entries. */
    void (*f32)(const struct gf_spmv_call *call, int64_t row, int64_t end, int64_t longest);
    void (*f64)(const struct gf_spmv_call *call, int64_t row, int64_t end, int64_t longest);
    /* The folded sum of the chains from entry e on, at most a group. */
    double (*part_f32)(const struct gf_spmv_call *call, int64_t e, int64_t stop);
    double (*part_f64)(const struct gf_spmv_call *call, int64_t e, int64_t stop);
};

extern const struct gf_spmv_lines gf_spmv_lines_baseline, gf_spmv_lines_avx2, gf_spmv_lines_avx512;
