/* The segmented sort by CUB: cub::DeviceSegmentedSort. Each type and direction takes the compiler a minute,
 * so there are those that are compared with. */
#include "array/sort/sort_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_segmented_sort.cuh>

/* CUB's sort must not write where it reads: an input that is its own output is copied first, to the front of
 * the storage. Without storage it only adds up. */
static gf_status copy_in_place(const void **in, const void *out, size_t bytes, char *storage, size_t *used,
                               cudaStream_t stream, gf_error *error)
{
    void *copy = gf_scratch_take(storage, used, bytes);
    if (storage && *in == out && bytes > 0) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(copy, *in, bytes, cudaMemcpyDeviceToDevice, stream));
        *in = copy;
    }
    return GF_OK;
}

template <class T, class V>
static gf_status sort_pairs(const struct gf_segmented_sort_call *c, const void *keys, const void *values,
                            void *rest, size_t *left, gf_error *error)
{
    GF_CUDA_TRY(error,
                cub::DeviceSegmentedSort::StableSortPairs(
                    rest, *left, static_cast<const T *>(keys), static_cast<T *>(c->sort.array.out),
                    static_cast<const V *>(values), static_cast<V *>(c->sort.values_out), c->sort.array.n,
                    c->segments, c->offsets, c->offsets + 1, gf_vendor_stream(&c->sort.array)));
    return GF_OK;
}

template <class T>
static gf_status sort_keys(const struct gf_segmented_sort_call *c, const void *keys, void *rest, size_t *left,
                           gf_error *error)
{
    GF_CUDA_TRY(error, cub::DeviceSegmentedSort::StableSortKeys(
                           rest, *left, static_cast<const T *>(keys), static_cast<T *>(c->sort.array.out),
                           c->sort.array.n, c->segments, c->offsets, c->offsets + 1,
                           gf_vendor_stream(&c->sort.array)));
    return GF_OK;
}

template <class T>
static gf_status sort_typed(const struct gf_segmented_sort_call *c, char *storage, size_t *bytes,
                            gf_error *error)
{
    const cudaStream_t stream = gf_vendor_stream(&c->sort.array);
    const size_t n = static_cast<size_t>(c->sort.array.n), value = static_cast<size_t>(c->sort.value_size);
    const void *keys = c->sort.array.in, *values = c->sort.values;
    size_t used = 0;
    GF_TRY(copy_in_place(&keys, c->sort.array.out, n * sizeof(T), storage, &used, stream, error));
    GF_TRY(copy_in_place(&values, c->sort.values_out, n * value, storage, &used, stream, error));
    void *rest = storage ? storage + used : nullptr;
    size_t left = *bytes - used;
    GF_TRY(value == 8   ? (sort_pairs<T, uint64_t>(c, keys, values, rest, &left, error))
           : value == 4 ? (sort_pairs<T, uint32_t>(c, keys, values, rest, &left, error))
                        : sort_keys<T>(c, keys, rest, &left, error));
    *bytes = used + left;
    return GF_OK;
}

enum : uint32_t { TYPES = GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_U64) | GF_TYPE_BIT(GF_F32) };

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    return gf_segmented_sort_call_of(call)->sort.descending
               ? gf_fail(error, GF_ERROR_UNSUPPORTED,
                         "segmented_sort, variant cub, takes ascending order only")
               : GF_OK;
}

static gf_status work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    return gf_dispatch_type<TYPES>(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return sort_typed<T>(gf_segmented_sort_call_of(call), static_cast<char *>(storage), bytes, error);
    });
}

extern "C" const struct gf_array_variant gf_vendor_segmented_sort[] = {
    {{"cub", "cub::DeviceSegmentedSort, ascending; -0 is equal to +0, and a NaN lies by its bits", "", 0,
      TYPES, 1, 1, 1, 0, 0},
     check,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
