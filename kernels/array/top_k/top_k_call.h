/* A selection to run: what gf_top_k checked and hands to a variant. */
#pragma once

#include "array/sort/sort_call.h"
#include "gpufilter/top_k.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_top_k_call {
    struct gf_array_call array;
    int64_t k;           /* of array.n */
    void *places;        /* NULL: not wanted */
    int32_t descending;  /* 1: the greatest, as gf_sort_flip takes it */
    int32_t places_size; /* bytes of a place: 4 or 8 */
};

GF_ARRAY_CALL_OF(gf_top_k_call)

gf_array_run_fn gf_top_k_sequential, gf_top_k_cpu, gf_top_k_cuda_check, gf_top_k_cuda;
gf_array_scratch_fn gf_top_k_sequential_scratch, gf_top_k_cpu_scratch, gf_top_k_cuda_scratch;

#ifdef __cplusplus
}
#endif
