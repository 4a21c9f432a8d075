/* Search by Thrust: find_if, in the order of the array, and count_if. Both wait for the host. */
#include "array/compact/compact_keep_cuda.cuh"
#include "array/search/search_call.h"
#include "vendor/vendor_cuda.cuh"

#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/find.h>

template <class T> struct is_wanted {
    struct gf_keep_test test;
    __device__ bool operator()(T v) const { return gf_is_kept(test, v); }
};

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    if (gf_search_call_of(call)->mode == GF_SEARCH_ALL) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "search, variant thrust, finds the first place or counts");
    }
    return GF_OK;
}

template <class T>
static int64_t search(const struct gf_search_call *c, const struct gf_vendor_memory &memory)
{
    const auto policy = thrust::cuda::par(memory).on(gf_vendor_stream(&c->array));
    const T *in = static_cast<const T *>(c->array.in), *end = in + c->array.n;
    const is_wanted<T> predicate = {c->test};
    if (c->mode == GF_SEARCH_COUNT) {
        return thrust::count_if(policy, in, end, predicate);
    }
    const T *const at = thrust::find_if(policy, in, end, predicate);
    return at == end ? -1 : at - in;
}

/* Thrust does not say what it needs: little, a result for each of its blocks. */
static gf_status work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_search_call *c = gf_search_call_of(call);
    if (!storage) {
        *bytes = size_t(1) << 20;
        return GF_OK;
    }
    size_t used = 0;
    const struct gf_vendor_memory memory = {static_cast<char *>(storage), *bytes, &used};
    struct gf_compact_call typed = {};
    typed.array = c->array;
    return gf_keep_dispatch(&typed, [&](auto tag) {
        const int64_t found = search<typename decltype(tag)::type>(c, memory);
        GF_CUDA_TRY(error, cudaMemcpyAsync(c->found, &found, sizeof found, cudaMemcpyHostToDevice,
                                           gf_vendor_stream(call)));
        return GF_OK;
    });
}

extern "C" const struct gf_array_variant gf_vendor_search[] = {
    {{"thrust", "thrust::find_if and count_if", "", 0, GF_TYPES_ALL, 1, 1, 1, 0, 1},
     check,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
