/* Memory that several threads or blocks share: ordered loads and stores, atomics, tickets.
 * Part of gf_cuda.h. T is a 32- or 64-bit integer. Loads, stores and atomics marked relaxed
 * order nothing else; scope is the whole GPU. */
#pragma once

template <class T> struct gf_word {
    static_assert(std::is_integral<T>::value && (sizeof(T) == 4 || sizeof(T) == 8), "32- or 64-bit integers");
    using bits = typename std::conditional<sizeof(T) == 4, uint32_t, uint64_t>::type;
};

template <class T> GF_DEVICE_FN T gf_load_acquire(const T *p)
{
    using bits = typename gf_word<T>::bits;
    return static_cast<T>(gf_ptx_load_acquire(reinterpret_cast<const bits *>(p)));
}

template <class T> GF_DEVICE_FN T gf_load_relaxed(const T *p)
{
    using bits = typename gf_word<T>::bits;
    return static_cast<T>(gf_ptx_load_relaxed(reinterpret_cast<const bits *>(p)));
}

template <class T> GF_DEVICE_FN void gf_store_release(T *p, T value)
{
    using bits = typename gf_word<T>::bits;
    gf_ptx_store_release(reinterpret_cast<bits *>(p), static_cast<bits>(value));
}

template <class T> GF_DEVICE_FN void gf_store_relaxed(T *p, T value)
{
    using bits = typename gf_word<T>::bits;
    gf_ptx_store_relaxed(reinterpret_cast<bits *>(p), static_cast<bits>(value));
}

/* Atomics: relaxed, shared or global memory, old value returned. Written on CUDA's own overloads; 64-bit ones
 * take `long long`. */
template <class T> struct gf_atomic_type {
    using narrow = typename std::conditional<std::is_signed<T>::value, int, unsigned>::type;
    using wide = typename std::conditional<std::is_signed<T>::value, long long, unsigned long long>::type;
    using type = typename std::conditional<sizeof(typename gf_word<T>::bits) == 4, narrow, wide>::type;
    using bits = typename std::conditional<sizeof(T) == 4, unsigned, unsigned long long>::type;
};

/* Unsigned arithmetic under any T (wraps); min and max compare as T does. */
#define GF_ATOMIC(name, cuda, as)                                                                            \
    template <class T> GF_DEVICE_FN T name(T *p, T value)                                                    \
    {                                                                                                        \
        using word = typename gf_atomic_type<T>::as;                                                         \
        return static_cast<T>(cuda(reinterpret_cast<word *>(p), static_cast<word>(value)));                  \
    }
GF_ATOMIC(gf_atomic_add, atomicAdd, bits)
GF_ATOMIC(gf_atomic_min, atomicMin, type)
GF_ATOMIC(gf_atomic_max, atomicMax, type)
GF_ATOMIC(gf_atomic_and, atomicAnd, bits)
GF_ATOMIC(gf_atomic_or, atomicOr, bits)
GF_ATOMIC(gf_atomic_xor, atomicXor, bits)
GF_ATOMIC(gf_atomic_exchange, atomicExch, bits)
#undef GF_ATOMIC

template <class T> GF_DEVICE_FN T gf_atomic_cas(T *p, T expected, T value)
{
    using word = typename gf_atomic_type<T>::bits;
    return static_cast<T>(
        atomicCAS(reinterpret_cast<word *>(p), static_cast<word>(expected), static_cast<word>(value)));
}

/* Adds with acquire and release: everything this thread did, or saw done through a barrier,
 * is seen by whoever adds to *p later. */
GF_DEVICE_FN uint32_t gf_atomic_add_acq_rel(uint32_t *p, uint32_t value)
{
    return gf_ptx_add_acq_rel(p, value);
}

/* The next number of *counter for this block (0, 1, ... when it was zeroed before the
 * launch), the same in all threads. Blocks with lower numbers have started, so they may be
 * waited for; nothing of the kind holds for blockIdx. slot: one element of GF_SHARED.
 * Called by all threads of the block. */
GF_DEVICE_FN uint32_t gf_ticket(uint32_t *counter, uint32_t *slot)
{
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        *slot = gf_atomic_add(counter, 1u);
    }
    __syncthreads();
    const uint32_t ticket = *slot;
    __syncthreads(); /* so that slot may be used again at once */
    return ticket;
}

/* True in the block that calls it last of `blocks`: it then sees everything the others wrote
 * before their calls. *counter is zero before the first call and after the last. */
GF_DEVICE_FN bool gf_last_block(uint32_t *counter, uint32_t blocks, uint32_t *slot)
{
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        const bool last = gf_atomic_add_acq_rel(counter, 1u) == blocks - 1;
        if (last) {
            gf_store_relaxed(counter, 0u);
        }
        *slot = last;
    }
    __syncthreads();
    const bool last = *slot != 0;
    __syncthreads();
    return last;
}

/* Waits for all blocks of a cooperative launch; *count was zeroed before it. At most 2^31
 * arrivals a launch. */
GF_DEVICE_FN void gf_grid_barrier(uint32_t *count)
{
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        const uint32_t blocks = gridDim.x * gridDim.y * gridDim.z;
        const uint32_t goal = (gf_atomic_add_acq_rel(count, 1u) / blocks + 1) * blocks;
        while (gf_load_acquire(count) < goal) {
            gf_poll();
        }
    }
    __syncthreads();
}
