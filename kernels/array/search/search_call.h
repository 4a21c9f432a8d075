/* A search to run: what gf_search checked and hands to a variant. */
#pragma once

#include "array/compact/compact_call.h"
#include "gpufilter/search.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_search_call {
    struct gf_array_call array;
    gf_search_mode mode;
    uint64_t value, to;       /* bits of the elements that bound what is looked for */
    bool is_range;            /* else `to` is not used */
    struct gf_keep_test test; /* what is looked for as a span of bits or keys; an empty one has outside set */
    int64_t *found;
    void *indices;
    int64_t capacity;
};

GF_ARRAY_CALL_OF(gf_search_call)

/* The search for all as the compaction of indices that it is. */
struct gf_compact_call gf_search_as_compact(const struct gf_search_call *call);

gf_array_run_fn gf_search_sequential, gf_search_cpu, gf_search_cpu_loop, gf_search_sort, gf_search_cuda,
    gf_search_strided_cuda, gf_search_coalesced_cuda, gf_search_unrolled_cuda, gf_search_full_cuda;
gf_array_scratch_fn gf_search_sort_scratch, gf_search_cuda_scratch;

#ifdef __cplusplus
}
#endif
