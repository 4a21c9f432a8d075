/* The published radix sort by 1-bit splits, corrected: for every bit of the rank, the lowest first, flags of
 * the elements whose bit is 0, their exclusive scan, and a scatter.
 *
 * The scan says how many zeros lie before an element. That is the place of a zero; a one goes behind all
 * zeros, as far as there are ones before it. A split keeps the order of zeros among themselves and of ones,
 * so the sort is stable, and a value that moves with each key ends where its key does. Bits are even in
 * number, so that elements that go forth and back between scratch memory and the output end there.
 *
 * `radix-1bit` scans as the text does, by the "efficient" scan, a launch a level of a tree in global memory.
 * `radix-1bit-lookback` scans flags of a byte in one pass. */
#include "array/common/grid_cuda.cuh"
#include "array/scan/scan_call.h"
#include "array/sort/sort_call.h"
#include "array/sort/sort_key_cuda.cuh"
#include "base/device_scope_cuda.h"

struct gf_split {
    int64_t n;
    void *flags;  /* 1 where the bit is 0: uint8_t, or as wide as places */
    void *places; /* zeros before an element: uint32_t, or uint64_t from 2^32 elements on */
};

/* F: of a flag. */
template <class T, class F>
__global__ void gf_split_flags(const gf_split s, const void *keys, uint64_t flip, int32_t bit)
{
    using K = typename gf_sort_key<T>::bits;
    const int64_t i = gf_thread_index();
    if (i < s.n) {
        const K rank = gf_sort_key<T>::rank(static_cast<const K *>(keys)[i], static_cast<K>(flip));
        static_cast<F *>(s.flags)[i] = static_cast<F>(~(rank >> bit) & 1);
    }
}

/* Moves elements as wide as E, keys or values. P: of a place. */
template <class E, class F, class P>
__global__ void gf_split_move(const gf_split s, const void *from, void *to)
{
    const F *flags = static_cast<const F *>(s.flags);
    const P *places = static_cast<const P *>(s.places);
    const int64_t i = gf_thread_index();
    if (i < s.n) {
        const int64_t before = places[i], zeros = int64_t(places[s.n - 1]) + int64_t(flags[s.n - 1]);
        static_cast<E *>(to)[flags[i] ? before : zeros + (i - before)] = static_cast<const E *>(from)[i];
    }
}

/* ---- Host ------------------------------------------------------------------------------------------- */

struct split_sort {
    struct gf_split split;
    struct gf_scan_call scan;        /* from flags to places */
    bool look_back;                  /* which scan */
    void *keys[2], *values[2];       /* scratch memory, the output */
    const void *keys_in, *values_in; /* what the first split reads */
    gf_launch launch;
    int32_t bits, key_size, value_size;
    uint64_t flip;
};

static size_t lay_out(const struct gf_sort_call *call, bool look_back, split_sort *s)
{
    const struct gf_array_call *a = &call->array;
    const unsigned block = a->options.block > 0 ? static_cast<unsigned>(a->options.block) : 128;
    const bool wide = a->n > int64_t(UINT32_MAX);
    const size_t n = static_cast<size_t>(a->n), place = wide ? 8 : 4;
    size_t used = 0;
    *s = {};
    s->look_back = look_back;
    s->key_size = static_cast<int32_t>(gf_depth_size(a->options.type));
    s->value_size = call->value_size;
    s->bits = 8 * s->key_size;
    s->flip = gf_sort_flip(a->options.type, call->descending);
    s->split.n = a->n;
    s->split.flags = gf_scratch_take(a->scratch, &used, n * (look_back ? 1 : place));
    s->split.places = gf_scratch_take(a->scratch, &used, n * place);
    s->keys[0] = gf_scratch_take(a->scratch, &used, n * static_cast<size_t>(s->key_size));
    s->values[0] = gf_scratch_take(a->scratch, &used, n * static_cast<size_t>(s->value_size));
    s->keys[1] = a->out;
    s->values[1] = call->values_out;
    s->keys_in = a->in;
    s->values_in = call->values;
    s->scan = {*a, GF_SCAN_SUM, false, wide ? GF_U64 : GF_U32};
    s->scan.array.options.type = look_back ? GF_U8 : s->scan.out;
    s->scan.array.in = s->split.flags;
    s->scan.array.out = s->split.places;
    s->scan.array.scratch_bytes =
        look_back ? gf_scan_cuda_scratch(&s->scan.array) : gf_scan_efficient_scratch(&s->scan.array);
    s->scan.array.scratch = gf_scratch_take(a->scratch, &used, s->scan.array.scratch_bytes);
    s->launch.grid = dim3(gf_blocks(a->n, block));
    s->launch.block = dim3(block);
    s->launch.stream = static_cast<cudaStream_t>(a->queue.stream);
    return used;
}

template <class E, class F, class P>
static cudaError_t launch_move(const split_sort *s, const void *from, void *to)
{
    return GF_LAUNCH((gf_split_move<E, F, P>), s->launch, s->split, from, to);
}

template <class E> static gf_status move(const split_sort *s, const void *from, void *to, gf_error *error)
{
    const bool wide = s->scan.out == GF_U64;
    GF_CUDA_TRY(error, s->look_back ? wide ? launch_move<E, uint8_t, uint64_t>(s, from, to)
                                           : launch_move<E, uint8_t, uint32_t>(s, from, to)
                       : wide ? launch_move<E, uint64_t, uint64_t>(s, from, to)
                                    : launch_move<E, uint32_t, uint32_t>(s, from, to));
    return GF_OK;
}

/* Flags of one bit, and their scan. */
template <class T> static gf_status rank(const split_sort *s, const void *keys, int32_t bit, gf_error *error)
{
    if (s->look_back) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_split_flags<T, uint8_t>), s->launch, s->split, keys, s->flip, bit));
        return gf_scan_cuda(&s->scan.array, error);
    }
    GF_CUDA_TRY(error,
                s->scan.out == GF_U64
                    ? GF_LAUNCH((gf_split_flags<T, uint64_t>), s->launch, s->split, keys, s->flip, bit)
                    : GF_LAUNCH((gf_split_flags<T, uint32_t>), s->launch, s->split, keys, s->flip, bit));
    return gf_scan_efficient_cuda(&s->scan.array, error);
}

static gf_status move_sized(const split_sort *s, int32_t size, const void *from, void *to, gf_error *error)
{
    switch (size) {
    case 0: /* there are no values */
        return GF_OK;
    case 1:
        return move<uint8_t>(s, from, to, error);
    case 2:
        return move<uint16_t>(s, from, to, error);
    case 4:
        return move<uint32_t>(s, from, to, error);
    default:
        return move<uint64_t>(s, from, to, error);
    }
}

template <class T> static gf_status sort_typed(const split_sort *s, gf_error *error)
{
    for (int32_t bit = 0; bit < s->bits; bit++) {
        const int to = bit % 2;
        const void *keys = bit == 0 ? s->keys_in : s->keys[1 - to];
        const void *values = bit == 0 ? s->values_in : s->values[1 - to];
        GF_TRY(rank<T>(s, keys, bit, error));
        GF_TRY(move_sized(s, s->key_size, keys, s->keys[to], error));
        GF_TRY(move_sized(s, s->value_size, values, s->values[to], error));
    }
    return GF_OK;
}

static gf_status sort(const struct gf_array_call *array, bool look_back, gf_error *error)
{
    split_sort s;
    if (array->n == 0) {
        return GF_OK;
    }
    lay_out(gf_sort_call_of(array), look_back, &s);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_key(array->options.type, error,
                           [&](auto tag) { return sort_typed<typename decltype(tag)::type>(&s, error); });
}

size_t gf_sort_split_cuda_scratch(const struct gf_array_call *array)
{
    split_sort s;
    return lay_out(gf_sort_call_of(array), false, &s);
}

gf_status gf_sort_split_cuda(const struct gf_array_call *array, gf_error *error)
{
    return sort(array, false, error);
}

size_t gf_sort_split_lookback_cuda_scratch(const struct gf_array_call *array)
{
    split_sort s;
    return lay_out(gf_sort_call_of(array), true, &s);
}

gf_status gf_sort_split_lookback_cuda(const struct gf_array_call *array, gf_error *error)
{
    return sort(array, true, error);
}
