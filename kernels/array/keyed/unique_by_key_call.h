/* Runs of which one value each is kept: what gf_unique_by_key checked and hands to a variant. */
#pragma once

#include "array/keyed/run_length_call.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_unique_by_key_call {
    struct gf_array_call array; /* in: keys; out: the first of each run, or NULL */
    const void *values;
    void *values_out;
    int32_t value_size; /* 1, 2, 4 or 8 */
    int64_t capacity;
    uint64_t *runs;
};

GF_ARRAY_CALL_OF(gf_unique_by_key_call)

gf_array_run_fn gf_unique_by_key_sequential, gf_unique_by_key_cpu, gf_unique_by_key_cuda;
gf_array_scratch_fn gf_unique_by_key_cuda_scratch;

#ifdef __cplusplus
}
#endif
