/* The published bitonic sort (K. E. Batcher, 1968), corrected: a kernel a step of the network, a thread an
 * element.
 *
 * Any n: the first step of a stage compares mirror images instead of turning half of the comparisons round,
 * so that every comparison puts the smaller element first. Elements that are missing up to the next power of
 * two then count as the greatest, already lie last, and no comparison with one of them does anything.
 *
 * Stable: places travel with the keys, and are compared where keys are equal. Without values equal integers
 * are the same bits, so nobody can tell and keys travel alone, as published. So do floats, among which only
 * NaN are equal and differ: places are looked at if there is one. */
#include "array/sort/sort_cuda.h"
#include "array/sort/sort_key_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

struct gf_bitonic_args {
    const void *keys_in, *values_in;
    void *keys, *values;
    uint32_t *places; /* where the keys were in the input; NULL: nobody asks */
    uint32_t *nan;    /* of floats without values: whether there is one. NULL: places matter anyhow */
    int64_t n;
    uint64_t flip;
};

template <class T> __global__ void gf_bitonic_begin(gf_bitonic_args a)
{
    using K = typename gf_sort_key<T>::bits;
    const int64_t i = gf_thread_index();
    if (i < a.n) {
        const K key = static_cast<const K *>(a.keys_in)[i];
        static_cast<K *>(a.keys)[i] = key;
        if (a.places) {
            a.places[i] = static_cast<uint32_t>(i);
        }
        if (a.nan && gf_sort_key<T>::rank(key, static_cast<K>(a.flip)) == static_cast<K>(~K(0))) {
            gf_store_relaxed(a.nan, 1u);
        }
    }
}

/* mask: the bits in which an element's number differs from its partner's. PLACES: there are some. */
template <class T, bool PLACES> __global__ void gf_bitonic_step(gf_bitonic_args a, int64_t mask)
{
    using K = typename gf_sort_key<T>::bits;
    K *keys = static_cast<K *>(a.keys);
    const int64_t i = gf_thread_index(), partner = i ^ mask;
    if (partner < i || partner >= a.n) {
        return; /* the partner does it, or there is none */
    }
    const bool matter = PLACES && (!a.nan || *a.nan != 0);
    const K x = keys[i], y = keys[partner];
    const uint32_t p = matter ? a.places[i] : 0, q = matter ? a.places[partner] : 0;
    const K flip = static_cast<K>(a.flip), first = gf_sort_key<T>::rank(x, flip),
            second = gf_sort_key<T>::rank(y, flip);
    if (second < first || (second == first && (GF_FAULT(cuda_sort_unstable) ? p < q : q < p))) {
        keys[i] = y;
        keys[partner] = x;
        if (matter) {
            a.places[i] = q;
            a.places[partner] = p;
        }
    }
}

template <class V> __global__ void gf_bitonic_values(gf_bitonic_args a)
{
    const int64_t i = gf_thread_index();
    if (i < a.n) {
        static_cast<V *>(a.values)[i] = static_cast<const V *>(a.values_in)[a.places[i]];
    }
}

template <class T, bool PLACES>
static gf_status run_steps(const gf_bitonic_args &a, const gf_launch &c, gf_error *error)
{
    for (int64_t stage = 2; stage / 2 < a.n; stage *= 2) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_step<T, PLACES>), c, a, stage - 1));
        for (int64_t distance = stage / 4; distance > 0; distance /= 2) {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_step<T, PLACES>), c, a, distance));
        }
    }
    return GF_OK;
}

template <class T> static gf_status sort_typed(const gf_bitonic_args &a, const gf_launch &c, gf_error *error)
{
    if (a.nan) {
        GF_CUDA_TRY(error, cudaMemsetAsync(a.nan, 0, sizeof *a.nan, c.stream));
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_bitonic_begin<T>), c, a));
    return a.places ? run_steps<T, true>(a, c, error) : run_steps<T, false>(a, c, error);
}

/* Values that are sorted where they lie are read from a copy. */
static size_t lay_out(const struct gf_sort_call *call, char *memory, gf_bitonic_args *a, void **copy)
{
    const size_t n = static_cast<size_t>(call->array.n);
    const bool is_float = (GF_TYPES_FLOAT & GF_TYPE_BIT(call->array.options.type)) != 0;
    size_t used = 0;
    a->places = nullptr;
    a->nan = nullptr;
    *copy = nullptr;
    if (call->value_size > 0 || is_float) {
        a->places = static_cast<uint32_t *>(gf_scratch_take(memory, &used, n * sizeof(uint32_t)));
    }
    if (call->value_size > 0) {
        *copy = gf_scratch_take(memory, &used, n * static_cast<size_t>(call->value_size));
    } else if (is_float && n > 0) {
        a->nan = static_cast<uint32_t *>(gf_scratch_take(memory, &used, sizeof *a->nan));
    }
    return used;
}

size_t gf_sort_bitonic_cuda_scratch(const struct gf_array_call *array)
{
    gf_bitonic_args a;
    void *copy;
    return lay_out(gf_sort_call_of(array), nullptr, &a, &copy);
}

static gf_status move_values(const struct gf_sort_call *call, gf_bitonic_args a, const gf_launch &c,
                             void *copy, gf_error *error)
{
    if (call->values == call->values_out) {
        const size_t bytes = static_cast<size_t>(a.n * call->value_size);
        GF_CUDA_TRY(error, cudaMemcpyAsync(copy, call->values, bytes, cudaMemcpyDeviceToDevice, c.stream));
        a.values_in = copy;
    }
    GF_CUDA_TRY(error, call->value_size == 8 ? GF_LAUNCH((gf_bitonic_values<uint64_t>), c, a)
                                             : GF_LAUNCH((gf_bitonic_values<uint32_t>), c, a));
    return GF_OK;
}

gf_status gf_sort_bitonic_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    gf_bitonic_args a = {
        array->in, call->values, array->out, call->values_out,
        nullptr,   nullptr,      array->n,   gf_sort_flip(array->options.type, call->descending)};
    void *copy;
    if (array->n == 0) {
        return GF_OK;
    }
    lay_out(call, static_cast<char *>(array->scratch), &a, &copy);
    gf_launch c = gf_launch_on(array->queue.stream, gf_blocks(array->n, block), block);
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_dispatch_key(array->options.type, error,
                           [&](auto tag) { return sort_typed<typename decltype(tag)::type>(a, c, error); }));
    return call->value_size > 0 ? move_values(call, a, c, copy, error) : GF_OK;
}
