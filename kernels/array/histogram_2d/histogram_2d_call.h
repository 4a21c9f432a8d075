/* Tables to fill: what gf_histogram_2d checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "array/histogram/histogram_bin.h"
#include "gpufilter/histogram_2d.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_histogram_2d_call {
    struct gf_array_call array; /* in: x; out: the table */
    const void *y, *weights;    /* NULL: there are none */
    gf_depth type[2];           /* of x, of y */
    gf_depth weight;
    struct gf_histogram_bins bins[2];
    int64_t columns, rows; /* of the table; rows is 1 without y */
};

GF_ARRAY_CALL_OF(gf_histogram_2d_call)

gf_array_run_fn gf_histogram_2d_sequential, gf_histogram_2d_cpu, gf_histogram_2d_cuda,
    gf_histogram_2d_naive_cuda;
gf_array_scratch_fn gf_histogram_2d_cpu_scratch;

#ifdef __cplusplus
}
#endif
