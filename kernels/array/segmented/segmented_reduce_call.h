/* A reduction of segments to run: what gf_segmented_reduce checked and hands to a variant. */
#pragma once

#include "array/reduce/reduce_call.h"
#include "base/gf_num.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_segmented_reduce_call {
    struct gf_array_call array;
    gf_reduce_op op; /* no mean, no var */
    const int64_t *offsets;
    int64_t segments;
};

GF_ARRAY_CALL_OF(gf_segmented_reduce_call)

/* Each leaf of a long segment (4096 elements, gpufilter/reduce.h) has a slot for its part. At most two leaves
 * of long segments begin among 4096 neighbouring elements: the last of one segment and the first of another.
 * `element`: the leaf's first, in the array. */
GF_HD int64_t gf_segment_slot(int64_t element, int is_first)
{
    return 2 * (element / 4096) + (is_first != 0);
}
GF_HD int64_t gf_segment_slots(int64_t n)
{
    return n > 4096 ? 2 * (n / 4096 + 1) : 0;
}

gf_array_run_fn gf_segmented_reduce_sequential, gf_segmented_reduce_cpu, gf_segmented_reduce_cuda;
gf_array_scratch_fn gf_segmented_reduce_cpu_scratch, gf_segmented_reduce_cuda_scratch;

#ifdef __cplusplus
}
#endif
