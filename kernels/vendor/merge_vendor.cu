/* The merge by CUB: cub::DeviceMerge. */
#include "array/sort/sort_call.h"
#include "array/sort/sort_key_cuda.cuh"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_merge.cuh>

template <class T> struct before {
    typename gf_sort_key<T>::bits flip;
    __device__ bool operator()(typename gf_sort_key<T>::bits a, typename gf_sort_key<T>::bits b) const
    {
        return gf_sort_key<T>::rank(a, flip) < gf_sort_key<T>::rank(b, flip);
    }
};

template <class T>
static gf_status merge_keys(const struct gf_merge_call *c, void *storage, size_t *bytes, gf_error *error)
{
    using K = typename gf_sort_key<T>::bits;
    const before<T> order = {static_cast<K>(gf_sort_flip(c->array.options.type, c->descending))};
    GF_CUB_TRY(error, cub::DeviceMerge::MergeKeys, storage, bytes, static_cast<const K *>(c->a), c->a_count,
               static_cast<const K *>(c->b), c->b_count, static_cast<K *>(c->array.out), order,
               gf_vendor_stream(&c->array));
    return GF_OK;
}

template <class T, class V>
static gf_status merge_pairs(const struct gf_merge_call *c, void *storage, size_t *bytes, gf_error *error)
{
    using K = typename gf_sort_key<T>::bits;
    const before<T> order = {static_cast<K>(gf_sort_flip(c->array.options.type, c->descending))};
    GF_CUB_TRY(error, cub::DeviceMerge::MergePairs, storage, bytes, static_cast<const K *>(c->a),
               static_cast<const V *>(c->a_values), c->a_count, static_cast<const K *>(c->b),
               static_cast<const V *>(c->b_values), c->b_count, static_cast<K *>(c->array.out),
               static_cast<V *>(c->values_out), order, gf_vendor_stream(&c->array));
    return GF_OK;
}

static gf_status merge(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_merge_call *c = gf_merge_call_of(call);
    return gf_dispatch_key(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return c->value_size == 8   ? merge_pairs<T, uint64_t>(c, storage, bytes, error)
               : c->value_size == 4 ? merge_pairs<T, uint32_t>(c, storage, bytes, error)
                                    : merge_keys<T>(c, storage, bytes, error);
    });
}

extern "C" const struct gf_array_variant gf_vendor_merge[] = {
    {{"cub", "cub::DeviceMerge with an order that is safe for NaN", "", 0, GF_TYPES_ALL, 1, 1, 1, 0, 0},
     nullptr,
     gf_vendor_scratch<merge>,
     gf_vendor_run<merge>},
    {},
};
