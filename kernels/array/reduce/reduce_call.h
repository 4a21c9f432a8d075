/* Reduction as its variants see it. */
#ifndef GF_ARRAY_REDUCE_CALL_H
#define GF_ARRAY_REDUCE_CALL_H

#include "array/common/variant.h"
#include "gpufilter/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_reduce_call {
    struct gf_array_call array;
    gf_reduce_op op;
};

static inline const struct gf_reduce_call *gf_reduce_call_of(const struct gf_array_call *call)
{
    return (const struct gf_reduce_call *)call; /* its first member */
}

gf_status gf_reduce_sequential(const struct gf_array_call *call, gf_error *error);

size_t gf_reduce_cpu_scratch(const struct gf_array_call *call);
gf_status gf_reduce_cpu(const struct gf_array_call *call, gf_error *error);

size_t gf_reduce_cuda_scratch(const struct gf_array_call *call);
gf_status gf_reduce_cuda(const struct gf_array_call *call, gf_error *error);

size_t gf_reduce_basic_scratch(const struct gf_array_call *call);
size_t gf_reduce_two_scratch(const struct gf_array_call *call);
size_t gf_reduce_shuffle_scratch(const struct gf_array_call *call);
gf_status gf_reduce_basic_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_reduce_two_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_reduce_shuffle_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
