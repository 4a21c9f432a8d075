/* A small array sorted by one block: read once, all passes in shared memory, written once. */
#include "array/sort/sort_cuda.h"
#include "array/sort/sort_key_cuda.cuh"
#include "array/sort/sort_rank_cuda.cuh"
#include "base/device_scope_cuda.h"

struct gf_sort_block_args {
    const void *keys, *values;
    void *keys_out, *values_out;
    uint32_t n;
    uint64_t flip;
    uint64_t ignored;
};

/* Elements as warps hold them: 32 neighbours at a time, each warp a stretch of its own. */
template <int ITEMS> GF_DEVICE_FN uint32_t gf_sort_block_place(int i)
{
    return gf_warp() * (ITEMS * GF_WARP) + i * GF_WARP + gf_lane();
}

/* The bits in which the ranks of the block's keys are not all the same. slot: one word of shared memory. */
template <class T, int ITEMS>
GF_DEVICE_FN uint64_t gf_sort_block_differing(const typename gf_sort_key<T>::bits (&key)[ITEMS], uint32_t n,
                                              typename gf_sort_key<T>::bits first,
                                              typename gf_sort_key<T>::bits flip, uint32_t *slot)
{
    const auto rank = gf_sort_key<T>::rank(first, flip);
    uint64_t bits = 0;
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        if (gf_sort_block_place<ITEMS>(i) < n) {
            bits |= static_cast<uint64_t>(gf_sort_key<T>::rank(key[i], flip) ^ rank);
        }
    }
    const uint32_t low = gf_reduce_or(static_cast<uint32_t>(bits));
    const uint32_t high = gf_reduce_or(static_cast<uint32_t>(bits >> 32));
    if (gf_thread() < 2) {
        slot[gf_thread()] = 0;
    }
    __syncthreads();
    if (gf_lane() == 0) {
        gf_atomic_or(&slot[0], low);
        gf_atomic_or(&slot[1], high);
    }
    __syncthreads();
    return uint64_t(slot[1]) << 32 | slot[0];
}

/* Brings elements through shared memory into the order of `place`, which each has. There are barriers before
 * and after the reading, so that the memory is free again. */
template <int ITEMS, class E>
GF_DEVICE_FN void gf_sort_block_exchange(E (&item)[ITEMS], const uint32_t (&place)[ITEMS], E *shared)
{
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        shared[place[i]] = item[i];
    }
    __syncthreads();
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        item[i] = shared[gf_sort_block_place<ITEMS>(i)];
    }
    __syncthreads();
}

template <class T, int VALUE, int THREADS, int ITEMS>
__global__ void __launch_bounds__(THREADS) gf_sort_block(gf_sort_block_args a)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    constexpr int WARPS = THREADS / GF_WARP;
    GF_SHARED(uint32_t, sums, GF_DIGITS / GF_WARP);
    GF_SHARED(uint32_t, slot, 2);
    GF_SHARED_DYN(uint32_t, counts); /* and behind them the elements in order */
    uint32_t *const shared = counts + WARPS * GF_DIGITS;
    const K *keys = static_cast<const K *>(a.keys), flip = static_cast<K>(a.flip);
    uint32_t *const row = counts + gf_warp() * GF_DIGITS;
    K key[ITEMS];
    V value[VALUE ? ITEMS : 1];
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t at = gf_sort_block_place<ITEMS>(i);
        key[i] = at < a.n ? keys[at] : gf_sort_key<T>::last(flip);
        if (VALUE) {
            value[VALUE ? i : 0] = at < a.n ? static_cast<const V *>(a.values)[at] : V(0);
        }
    }
    const uint64_t differing = gf_sort_block_differing<T>(key, a.n, keys[0], flip, slot);
    for (int shift = 0; shift < static_cast<int>(8 * sizeof(K)); shift += 8) {
        if (((differing & ~a.ignored) >> shift & 255u) == 0) {
            continue;
        }
        const gf_sort_digit<T> digit = gf_sort_digit_at<T>(flip, a.ignored, shift);
        uint32_t place[ITEMS];
        gf_digits_clear(row);
        GF_UNROLL
        for (int i = 0; i < ITEMS; i++) {
            gf_atomic_add(row + gf_digit_of(digit, key[i]), 1u);
        }
        __syncthreads();
        gf_digits_place<WARPS>(gf_digits_add<WARPS>(counts), counts, sums);
        GF_UNROLL
        for (int i = 0; i < ITEMS; i++) {
            place[i] = gf_digit_rank(row, gf_digit_of(digit, key[i]));
        }
        gf_sort_block_exchange(key, place, reinterpret_cast<K *>(shared));
        if constexpr (VALUE != 0) {
            gf_sort_block_exchange(value, place, reinterpret_cast<V *>(shared));
        }
    }
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t at = gf_sort_block_place<ITEMS>(i);
        if (at < a.n) {
            static_cast<K *>(a.keys_out)[at] = key[i];
            if (VALUE) {
                static_cast<V *>(a.values_out)[at] = value[VALUE ? i : 0];
            }
        }
    }
}

/* ---- Host ----------------------------------------------------------------------------------- */

template <class T, int VALUE, int THREADS, int ITEMS>
static gf_status launch(const gf_sort_block_args &a, cudaStream_t stream, gf_error *error)
{
    gf_launch c = gf_launch_on(stream, 1, THREADS);
    c.shared = gf_digits_shared(THREADS, ITEMS, sizeof(T) > VALUE ? sizeof(T) : VALUE);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_sort_block<T, VALUE, THREADS, ITEMS>), c, a));
    return GF_OK;
}

template <int VALUE>
static gf_status launch_sized(const gf_sort_block_args &a, gf_depth type, cudaStream_t stream,
                              gf_error *error)
{
    return gf_dispatch_key(type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return a.n <= 1024   ? launch<T, VALUE, 256, 4>(a, stream, error)
               : a.n <= 2048 ? launch<T, VALUE, 512, 4>(a, stream, error)
                             : launch<T, VALUE, 1024, 8>(a, stream, error);
    });
}

bool gf_sort_fits_block(const struct gf_sort_call *call)
{
    return call->array.n <= 8192;
}

gf_status gf_sort_block_cuda(const struct gf_sort_call *call, gf_error *error)
{
    const gf_depth type = call->array.options.type;
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    const gf_sort_block_args a = {call->array.in,
                                  call->values,
                                  call->array.out,
                                  call->values_out,
                                  static_cast<uint32_t>(call->array.n),
                                  gf_sort_flip(type, call->descending),
                                  call->ignored};
    return call->value_size == 8   ? launch_sized<8>(a, type, stream, error)
           : call->value_size == 4 ? launch_sized<4>(a, type, stream, error)
                                   : launch_sized<0>(a, type, stream, error);
}
