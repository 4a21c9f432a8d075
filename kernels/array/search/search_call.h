/* A search to run: what gf_search checked and hands to a variant. */
#ifndef GF_ARRAY_SEARCH_CALL_H
#define GF_ARRAY_SEARCH_CALL_H

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

static inline const struct gf_search_call *gf_search_call_of(const struct gf_array_call *call)
{
    return (const struct gf_search_call *)(const void *)call; /* its first member */
}

/* The search for all as the compaction of indices that it is. */
struct gf_compact_call gf_search_as_compact(const struct gf_search_call *call);

gf_status gf_search_sequential(const struct gf_array_call *call, gf_error *error);
gf_status gf_search_cpu(const struct gf_array_call *call, gf_error *error);
gf_status gf_search_cpu_loop(const struct gf_array_call *call, gf_error *error);
size_t gf_search_sort_scratch(const struct gf_array_call *call);
gf_status gf_search_sort(const struct gf_array_call *call, gf_error *error);

size_t gf_search_cuda_scratch(const struct gf_array_call *call);
gf_status gf_search_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_search_strided_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_search_coalesced_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_search_unrolled_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_search_full_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
