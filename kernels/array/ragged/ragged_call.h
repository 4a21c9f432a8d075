/* A loop in a loop to run: what gf_ragged checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "array/reduce/reduce_part.h"
#include "gpufilter/ragged.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* array.n is nx, array.in the counts, array.out the output. */
struct gf_ragged_call {
    struct gf_array_call array;
    gf_ragged_options options; /* with the defaults in place of zeros, but for the thresholds */
    const void *values;
    uint32_t *iy_out;
    int64_t items;
    int64_t *total;
    int32_t places;       /* offsets are wanted */
    gf_ragged_loop *loop; /* not NULL: no body is run, but a loop got ready */
};

GF_ARRAY_CALL_OF(gf_ragged_call)

/* gf_ragged_threshold_of for a device of this compute capability (90: 9.0), which may have a table that was
 * measured on it. */
int64_t gf_ragged_threshold_on(const gf_ragged_options *options, int32_t compute, int64_t nx);

/* Tells whether the body makes one number of each segment. Segments are cut into leaves, as gf_reduce cuts
 * arrays; the leaves' numbers of a segment that has several lie in slots until they are joined. */
static inline bool gf_ragged_is_fold(gf_ragged_body body)
{
    return body <= GF_RAGGED_SEGMENT_MAX;
}

static inline bool gf_ragged_is_segment(gf_ragged_body body)
{
    return body >= GF_RAGGED_SEGMENT_SUM && body <= GF_RAGGED_SEGMENT_MAX;
}

static inline gf_reduce_op gf_ragged_op(gf_ragged_body body)
{
    return body == GF_RAGGED_SEGMENT_MIN   ? GF_REDUCE_MIN
           : body == GF_RAGGED_SEGMENT_MAX ? GF_REDUCE_MAX
                                           : GF_REDUCE_SUM;
}

/* The slot of the first leaf of a segment of more than one leaf, whose first item is `offset`. A segment of n
 * > 4096 items has (n + 4095) / 4096 leaves, which is at most n / 2048, so that no two share a slot. */
GF_HD int64_t gf_ragged_slot(int64_t offset)
{
    return offset / (GF_REDUCE_LEAF / 2);
}

static inline int64_t gf_ragged_slots(int64_t items)
{
    return items / (GF_REDUCE_LEAF / 2) + 1;
}

/* The number of items with this place or a later one that there are, of n. */
GF_HD int64_t gf_ragged_there(int64_t items, int64_t place, int64_t n)
{
    const int64_t left = items > place ? items - place : 0;
    return n < left ? n : left;
}

gf_array_run_fn gf_ragged_sequential, gf_ragged_cpu, gf_ragged_cuda, gf_ragged_simple_cuda,
    gf_ragged_frame_cuda, gf_ragged_combined_cuda, gf_ragged_smart_cuda;
gf_array_scratch_fn gf_ragged_cpu_scratch, gf_ragged_cuda_scratch, gf_ragged_simple_cuda_scratch,
    gf_ragged_frame_cuda_scratch, gf_ragged_combined_cuda_scratch, gf_ragged_smart_cuda_scratch;

#ifdef __cplusplus
}
#endif
