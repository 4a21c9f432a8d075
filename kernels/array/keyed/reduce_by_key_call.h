/* A reduction of runs: what gf_reduce_by_key checked and hands to a variant. */
#ifndef GF_ARRAY_REDUCE_BY_KEY_CALL_H
#define GF_ARRAY_REDUCE_BY_KEY_CALL_H

#include "array/keyed/run_length_call.h"
#include "array/segmented/segmented_reduce_call.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_reduce_by_key_call {
    struct gf_array_call array; /* in: values; out: of each run what they come to */
    gf_reduce_op op;            /* no mean, no var */
    gf_depth key;
    const void *keys;
    void *unique; /* or NULL */
    int64_t capacity;
    uint64_t *runs;
};

static inline const struct gf_reduce_by_key_call *gf_reduce_by_key_call_of(const struct gf_array_call *call)
{
    return (const struct gf_reduce_by_key_call *)(const void *)call; /* its first member */
}

gf_status gf_reduce_by_key_sequential(const struct gf_array_call *call, gf_error *error);

size_t gf_reduce_by_key_cpu_scratch(const struct gf_array_call *call);
gf_status gf_reduce_by_key_cpu(const struct gf_array_call *call, gf_error *error);

size_t gf_reduce_by_key_cuda_scratch(const struct gf_array_call *call);
gf_status gf_reduce_by_key_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
