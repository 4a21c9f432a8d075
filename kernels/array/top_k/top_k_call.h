/* A selection to run: what gf_top_k checked and hands to a variant. */
#ifndef GF_ARRAY_TOP_K_CALL_H
#define GF_ARRAY_TOP_K_CALL_H

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

static inline const struct gf_top_k_call *gf_top_k_call_of(const struct gf_array_call *call)
{
    return (const struct gf_top_k_call *)(const void *)call;
}

gf_status gf_top_k_sequential(const struct gf_array_call *call, gf_error *error);
size_t gf_top_k_sequential_scratch(const struct gf_array_call *call);
gf_status gf_top_k_cpu(const struct gf_array_call *call, gf_error *error);
size_t gf_top_k_cpu_scratch(const struct gf_array_call *call);
gf_status gf_top_k_cuda_check(const struct gf_array_call *call, gf_error *error);
gf_status gf_top_k_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_top_k_cuda_scratch(const struct gf_array_call *call);

#ifdef __cplusplus
}
#endif
#endif
