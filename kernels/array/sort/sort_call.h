/* The call structs of the primitives "sort", "segmented_sort" and "merge", and their variants. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* array.in and array.out are the keys; values and values_out are NULL where value_size is 0. An output may be
 * its input. */
struct gf_sort_call {
    struct gf_array_call array;
    const void *values;
    void *values_out;
    int32_t descending; /* 0 or 1 */
    int32_t value_size; /* 0, 4 or 8 */
    uint64_t ignored;   /* bits of ranks (sort_order.h) that do not count; those of a whole key: 0 */
};

/* array.n = a_count + b_count; array.in is not used. The values are NULL where value_size is 0. */
struct gf_merge_call {
    struct gf_array_call array;
    const void *a, *b, *a_values, *b_values;
    void *values_out;
    int64_t a_count, b_count;
    int32_t descending; /* 0 or 1 */
    int32_t value_size; /* 0, 4 or 8 */
};

/* A sort whose array.n elements come in segments. */
struct gf_segmented_sort_call {
    struct gf_sort_call sort;
    const int64_t *offsets; /* segments + 1, ascending from 0 to n; memory of the queue */
    int64_t segments;
};

GF_ARRAY_CALL_OF(gf_sort_call)
GF_ARRAY_CALL_OF(gf_merge_call)

GF_ARRAY_CALL_OF(gf_segmented_sort_call)

/* Tells whether an output is its own input, and whether one is not: keys and values may differ in that. */
static inline int gf_sort_in_place(const struct gf_sort_call *call)
{
    return call->array.in == call->array.out || (call->value_size > 0 && call->values == call->values_out);
}
static inline int gf_sort_apart(const struct gf_sort_call *call)
{
    return call->array.in != call->array.out || (call->value_size > 0 && call->values != call->values_out);
}

/* The call of these options, but for pointers; `name`: the primitive's, for messages. */
gf_status gf_sort_describe(const char *name, gf_queue queue, const gf_sort_options *options, int64_t n,
                           struct gf_sort_call *call, gf_error *error);

/* gf_array_variant.run and .scratch; sort_sequential.c and so on. */
gf_array_run_fn gf_sort_whole_keys, gf_sort_sequential, gf_sort_cpu, gf_sort_cpu_loop, gf_sort_cuda_check,
    gf_sort_cuda, gf_sort_bitonic_cuda, gf_sort_split_cuda, gf_sort_split_lookback_cuda, gf_sort_merge_cuda;
gf_array_scratch_fn gf_sort_sequential_scratch, gf_sort_cpu_scratch, gf_sort_cpu_loop_scratch,
    gf_sort_cuda_scratch, gf_sort_bitonic_cuda_scratch, gf_sort_split_cuda_scratch,
    gf_sort_split_lookback_cuda_scratch, gf_sort_merge_cuda_scratch;

gf_array_run_fn gf_merge_sequential, gf_merge_cpu, gf_merge_cuda, gf_merge_rank_cuda;
gf_array_run_fn gf_merge_pairs_cpu; /* of gf_merge_cpu: with values */
gf_array_scratch_fn gf_merge_cuda_scratch;

gf_array_run_fn gf_segmented_sort_sequential, gf_segmented_sort_cpu, gf_segmented_sort_cuda;
gf_array_scratch_fn gf_segmented_sort_sequential_scratch, gf_segmented_sort_cpu_scratch,
    gf_segmented_sort_cuda_scratch;

#ifdef __cplusplus
}
#endif
