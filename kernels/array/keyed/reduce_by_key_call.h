/* A reduction of runs: what gf_reduce_by_key checked and hands to a variant. */
#pragma once

#include "array/keyed/run_length_call.h"
#include "array/segmented/segmented_reduce_call.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_reduce_by_key_call {
    struct gf_array_call array; /* in: values; out: what they come to in each run */
    gf_reduce_op op;            /* no mean, no var */
    gf_depth key;
    const void *keys;
    void *unique; /* or NULL */
    int64_t capacity;
    uint64_t *runs;
};

GF_ARRAY_CALL_OF(gf_reduce_by_key_call)

gf_array_run_fn gf_reduce_by_key_sequential, gf_reduce_by_key_cpu, gf_reduce_by_key_cuda;
gf_array_scratch_fn gf_reduce_by_key_cpu_scratch, gf_reduce_by_key_cuda_scratch;

#ifdef __cplusplus
}
#endif
