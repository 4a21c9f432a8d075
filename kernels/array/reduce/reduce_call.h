/* Reduction as its variants see it. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_reduce_call {
    struct gf_array_call array;
    gf_reduce_op op;
};

GF_ARRAY_CALL_OF(gf_reduce_call)

/* What all reductions check; `name` is the primitive's. Their options, whose op goes up to `last`; and that
 * bits are of integers. */
gf_status gf_reduce_take(const char *name, gf_reduce_op last, const gf_reduce_options *options,
                         gf_reduce_options *taken, gf_error *error);
gf_status gf_reduce_check_bits(const char *name, gf_reduce_op op, gf_depth type, gf_error *error);

/* Elements of the published ones: the text reduces float, and names logical operations. */
#define GF_REDUCE_TEXT_TYPES (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_U32))

/* Elements of the published ones: the text adds floats up, and names operations of integers. */
#define GF_REDUCE_TEXT_TYPES (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_U32))

gf_array_run_fn gf_reduce_sequential, gf_reduce_cpu, gf_reduce_cuda, gf_reduce_basic_cuda, gf_reduce_two_cuda,
    gf_reduce_shuffle_cuda;
gf_array_scratch_fn gf_reduce_cpu_scratch, gf_reduce_cuda_scratch, gf_reduce_basic_scratch,
    gf_reduce_two_scratch, gf_reduce_shuffle_scratch;

#ifdef __cplusplus
}
#endif
