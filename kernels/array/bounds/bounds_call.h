/* Places to find: what gf_bounds checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/bounds.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_bounds_call {
    struct gf_array_call array; /* n: of the keys; in: the keys; out: int64_t places */
    const void *sorted;
    int64_t elements; /* of the sorted array */
    gf_bounds_side side;
    int32_t descending;
};

GF_ARRAY_CALL_OF(gf_bounds_call)

gf_array_run_fn gf_bounds_sequential, gf_bounds_cpu, gf_bounds_cuda, gf_bounds_naive_cuda;

#ifdef __cplusplus
}
#endif
