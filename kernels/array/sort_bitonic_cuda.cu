/* The published bitonic sort (K. E. Batcher, 1968), corrected: a kernel a step of the network, a thread an
 * element.
 *
 * Any n: the first step of a stage compares mirror images instead of turning half of the comparisons round,
 * so that every comparison puts the smaller element first. Elements that are missing up to the next power of
 * two then count as the greatest, already lie last, and no comparison with one of them does anything. Stable:
 * places are compared where keys are equal. */
#include "array/sort_cuda.h"
#include "array/sort_key_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

struct gf_bitonic_args {
    const void *keys_in, *values_in;
    void *keys, *values;
    uint32_t *places; /* where the keys were in the input */
    int64_t n;
    uint64_t flip;
};

template <class K> __global__ void gf_bitonic_begin(gf_bitonic_args a)
{
    const int64_t i = gf_thread_index();
    if (i < a.n) {
        static_cast<K *>(a.keys)[i] = static_cast<const K *>(a.keys_in)[i];
        a.places[i] = static_cast<uint32_t>(i);
    }
}

/* mask: the bits in which an element's number differs from its partner's. */
template <class T> __global__ void gf_bitonic_step(gf_bitonic_args a, int64_t mask)
{
    using K = typename gf_sort_key<T>::bits;
    K *keys = static_cast<K *>(a.keys);
    const int64_t i = gf_thread_index(), partner = i ^ mask;
    if (partner < i || partner >= a.n) {
        return; /* the partner does it, or there is none */
    }
    const K x = keys[i], y = keys[partner];
    const uint32_t p = a.places[i], q = a.places[partner];
    const K flip = static_cast<K>(a.flip), first = gf_sort_key<T>::rank(x, flip),
            second = gf_sort_key<T>::rank(y, flip);
    if (second < first || (second == first && (GF_FAULT(cuda_sort_unstable) ? p < q : q < p))) {
        keys[i] = y;
        keys[partner] = x;
        a.places[i] = q;
        a.places[partner] = p;
    }
}

template <class V> __global__ void gf_bitonic_values(gf_bitonic_args a)
{
    const int64_t i = gf_thread_index();
    if (i < a.n) {
        static_cast<V *>(a.values)[i] = static_cast<const V *>(a.values_in)[a.places[i]];
    }
}

template <class T> static gf_status sort_typed(const gf_bitonic_args &a, const gf_launch &c, gf_error *error)
{
    GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_begin<typename gf_sort_key<T>::bits>), c, a));
    for (int64_t stage = 2; stage / 2 < a.n; stage *= 2) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_step<T>), c, a, stage - 1));
        for (int64_t distance = stage / 4; distance > 0; distance /= 2) {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_step<T>), c, a, distance));
        }
    }
    return GF_OK;
}

/* Values that are sorted where they lie are read from a copy. */
static size_t lay_out(const struct gf_sort_call *call, char *memory, uint32_t **places, void **copy)
{
    const size_t n = static_cast<size_t>(call->array.n);
    size_t used = 0;
    *places = static_cast<uint32_t *>(gf_scratch_take(memory, &used, n * sizeof(uint32_t)));
    *copy = gf_scratch_take(memory, &used, n * static_cast<size_t>(call->value_size));
    return used;
}

size_t gf_sort_bitonic_cuda_scratch(const struct gf_array_call *array)
{
    uint32_t *places;
    void *copy;
    return lay_out(gf_sort_call_of(array), nullptr, &places, &copy);
}

gf_status gf_sort_bitonic_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    gf_bitonic_args a = {array->in,
                         call->values,
                         array->out,
                         call->values_out,
                         nullptr,
                         array->n,
                         gf_sort_flip(array->options.type, call->descending)};
    gf_launch c = {};
    void *copy;
    lay_out(call, static_cast<char *>(array->scratch), &a.places, &copy);
    c.grid = dim3(gf_blocks(array->n, block));
    c.block = dim3(block);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_dispatch_key(array->options.type, error,
                           [&](auto tag) { return sort_typed<typename decltype(tag)::type>(a, c, error); }));
    if (call->value_size > 0 && array->n > 0) {
        if (call->values == call->values_out) {
            const size_t bytes = static_cast<size_t>(array->n * call->value_size);
            GF_CUDA_TRY(error,
                        cudaMemcpyAsync(copy, call->values, bytes, cudaMemcpyDeviceToDevice, c.stream));
            a.values_in = copy;
        }
        if (call->value_size == 8) {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_values<uint64_t>), c, a));
        } else {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_values<uint32_t>), c, a));
        }
    }
    return GF_OK;
}
