/* The merge by CUB: cub::DeviceMerge. */
#include "array/sort_call.h"
#include "array/sort_key_cuda.cuh"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_merge.cuh>

template <class T> struct before {
    typename gf_sort_key<T>::bits flip;
    __device__ bool operator()(typename gf_sort_key<T>::bits a, typename gf_sort_key<T>::bits b) const
    {
        return gf_sort_key<T>::rank(a, flip) < gf_sort_key<T>::rank(b, flip);
    }
};

static gf_status merge(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_merge_call *c = gf_merge_call_of(call);
    return gf_dispatch_key(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using K = typename gf_sort_key<T>::bits;
        const before<T> order = {static_cast<K>(gf_sort_flip(call->options.type, c->descending))};
        GF_CUDA_TRY(error,
                    cub::DeviceMerge::MergeKeys(storage, *bytes, static_cast<const K *>(c->a), c->a_count,
                                                static_cast<const K *>(c->b), c->b_count,
                                                static_cast<K *>(call->out), order, gf_vendor_stream(call)));
        return GF_OK;
    });
}

extern "C" const struct gf_array_variant gf_vendor_merge[] = {
    {{"cub", "cub::DeviceMerge with an order that is safe for NaN", "", 0, GF_TYPES_ALL, 1, 1, 1, 0, 0},
     nullptr,
     gf_vendor_scratch<merge>,
     gf_vendor_run<merge>},
    {},
};
