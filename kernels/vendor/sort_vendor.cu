/* Sorts by CUB: cub::DeviceRadixSort and cub::DeviceMergeSort. */
#include "array/sort/sort_call.h"
#include "array/sort/sort_key_cuda.cuh"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

/* CUB's radix sort must not write where it reads: an input that is its own output is copied first, to the
 * front of the storage. Without storage it only adds up. */
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
static gf_status radix_pairs(const struct gf_sort_call *c, const void *keys, const void *values, void *rest,
                             size_t *left, gf_error *error)
{
    const T *k = static_cast<const T *>(keys);
    const V *v = static_cast<const V *>(values);
    T *keys_out = static_cast<T *>(c->array.out);
    V *values_out = static_cast<V *>(c->values_out);
    const cudaStream_t stream = gf_vendor_stream(&c->array);
    const int bits = 8 * static_cast<int>(sizeof(T));
    GF_CUDA_TRY(error, c->descending
                           ? cub::DeviceRadixSort::SortPairsDescending(
                                 rest, *left, k, keys_out, v, values_out, c->array.n, 0, bits, stream)
                           : cub::DeviceRadixSort::SortPairs(rest, *left, k, keys_out, v, values_out,
                                                             c->array.n, 0, bits, stream));
    return GF_OK;
}

template <class T>
static gf_status radix_keys(const struct gf_sort_call *c, const void *keys, void *rest, size_t *left,
                            gf_error *error)
{
    const T *k = static_cast<const T *>(keys);
    T *out = static_cast<T *>(c->array.out);
    const cudaStream_t stream = gf_vendor_stream(&c->array);
    const int bits = 8 * static_cast<int>(sizeof(T));
    GF_CUDA_TRY(error, c->descending ? cub::DeviceRadixSort::SortKeysDescending(rest, *left, k, out,
                                                                                c->array.n, 0, bits, stream)
                                     : cub::DeviceRadixSort::SortKeys(rest, *left, k, out, c->array.n, 0,
                                                                      bits, stream));
    return GF_OK;
}

template <class T>
static gf_status radix_typed(const struct gf_sort_call *c, char *storage, size_t *bytes, gf_error *error)
{
    const cudaStream_t stream = gf_vendor_stream(&c->array);
    const size_t n = static_cast<size_t>(c->array.n), value = static_cast<size_t>(c->value_size);
    const void *keys = c->array.in, *values = c->values;
    size_t used = 0;
    GF_TRY(copy_in_place(&keys, c->array.out, n * sizeof(T), storage, &used, stream, error));
    GF_TRY(copy_in_place(&values, c->values_out, n * value, storage, &used, stream, error));
    void *rest = storage ? storage + used : nullptr;
    size_t left = *bytes - used;
    GF_TRY(value == 8   ? (radix_pairs<T, uint64_t>(c, keys, values, rest, &left, error))
           : value == 4 ? (radix_pairs<T, uint32_t>(c, keys, values, rest, &left, error))
                        : radix_keys<T>(c, keys, rest, &left, error));
    *bytes = used + left;
    return GF_OK;
}

static gf_status radix(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    return gf_dispatch_type<GF_TYPES_ALL>(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return radix_typed<T>(gf_sort_call_of(call), static_cast<char *>(storage), bytes, error);
    });
}

/* The order asked for: CUB's merge sort with operator < reads outside its arrays when there is a NaN among
 * the keys. */
template <class T> struct before {
    typename gf_sort_key<T>::bits flip;
    __device__ bool operator()(typename gf_sort_key<T>::bits a, typename gf_sort_key<T>::bits b) const
    {
        return gf_sort_key<T>::rank(a, flip) < gf_sort_key<T>::rank(b, flip);
    }
};

template <class K, class V, class F>
static gf_status merge_pairs(const struct gf_sort_call *c, void *storage, size_t *bytes, F order,
                             gf_error *error)
{
    const cudaStream_t stream = gf_vendor_stream(&c->array);
    const size_t n = static_cast<size_t>(c->array.n);
    if (storage && c->array.in != c->array.out) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(c->array.out, c->array.in, n * sizeof(K), cudaMemcpyDeviceToDevice,
                                           stream));
    }
    if (storage && c->values != c->values_out) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(c->values_out, c->values, n * sizeof(V), cudaMemcpyDeviceToDevice,
                                           stream));
    }
    GF_CUDA_TRY(error, cub::DeviceMergeSort::StableSortPairs(storage, *bytes, static_cast<K *>(c->array.out),
                                                             static_cast<V *>(c->values_out), c->array.n,
                                                             order, stream));
    return GF_OK;
}

template <class K, class F>
static gf_status merge_keys(const struct gf_sort_call *c, void *storage, size_t *bytes, F order,
                            gf_error *error)
{
    const cudaStream_t stream = gf_vendor_stream(&c->array);
    K *out = static_cast<K *>(c->array.out);
    GF_CUDA_TRY(error,
                c->array.in == c->array.out
                    ? cub::DeviceMergeSort::StableSortKeys(storage, *bytes, out, c->array.n, order, stream)
                    : cub::DeviceMergeSort::StableSortKeysCopy(storage, *bytes,
                                                               static_cast<const K *>(c->array.in), out,
                                                               c->array.n, order, stream));
    return GF_OK;
}

static gf_status merge(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_sort_call *c = gf_sort_call_of(call);
    return gf_dispatch_key(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using K = typename gf_sort_key<T>::bits;
        const before<T> order = {static_cast<K>(gf_sort_flip(call->options.type, c->descending))};
        return c->value_size == 8   ? merge_pairs<K, uint64_t>(c, storage, bytes, order, error)
               : c->value_size == 4 ? merge_pairs<K, uint32_t>(c, storage, bytes, order, error)
                                    : merge_keys<K>(c, storage, bytes, order, error);
    });
}

static gf_status whole_keys(const struct gf_array_call *call, gf_error *error)
{
    return gf_sort_call_of(call)->ignored == 0
               ? GF_OK
               : gf_fail(error, GF_ERROR_UNSUPPORTED, "sort: variants of CUB compare whole keys here");
}

extern "C" const struct gf_array_variant gf_vendor_sort[] = {
    {{"cub", "cub::DeviceRadixSort; -0 is equal to +0, and a NaN lies by its bits", "", 0, GF_TYPES_ALL, 1, 1,
      1, 0, 0},
     whole_keys,
     gf_vendor_scratch<radix>,
     gf_vendor_run<radix>},
    {{"cub-merge", "cub::DeviceMergeSort with an order that is safe for NaN", "", 0, GF_TYPES_ALL, 1, 1, 1, 0,
      0},
     whole_keys,
     gf_vendor_scratch<merge>,
     gf_vendor_run<merge>},
    {},
};
