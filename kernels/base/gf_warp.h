/* Warp operations: always all 32 lanes, in converged code. Part of gf_cuda.h.
 * T is a type of 4 or 8 bytes. Blocks that use them have a multiple of 32 threads. */
#pragma once

/* Lane 0 to 31, and number of the warp in its block, by the linear index of the thread. */
GF_DEVICE_FN unsigned gf_thread()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
GF_DEVICE_FN unsigned gf_lane()
{
    return gf_thread() % GF_WARP;
}
GF_DEVICE_FN unsigned gf_warp()
{
    return gf_thread() / GF_WARP;
}

GF_DEVICE_FN void gf_syncwarp(GF_AT("gf_syncwarp"))
{
    __syncwarp(GF_FULL_MASK GF_HERE);
}

/* The value of lane `lane`; lane - delta, lane + delta (own value past the end); lane ^ bits.
 * 64-bit integers go through `long long`, CUDA's overloads. */
template <class T> struct gf_shuffle_type {
    using wide = typename std::conditional<std::is_floating_point<T>::value, double, long long>::type;
    using narrow = typename std::conditional<std::is_floating_point<T>::value, float, int>::type;
    using type = typename std::conditional<sizeof(T) == 8, wide, narrow>::type;
    static_assert(std::is_arithmetic<T>::value && sizeof(T) <= 8, "a number of at most 8 bytes");
};

#define GF_SHUFFLE(name, cuda)                                                                               \
    template <class T> GF_DEVICE_FN T name(T value, unsigned lane GF_AND_AT(#name))                          \
    {                                                                                                        \
        using word = typename gf_shuffle_type<T>::type;                                                      \
        return static_cast<T>(cuda(GF_FULL_MASK, static_cast<word>(value), lane, GF_WARP GF_HERE));          \
    }
GF_SHUFFLE(gf_shfl, __shfl_sync)
GF_SHUFFLE(gf_shfl_up, __shfl_up_sync)
GF_SHUFFLE(gf_shfl_down, __shfl_down_sync)
GF_SHUFFLE(gf_shfl_xor, __shfl_xor_sync)
#undef GF_SHUFFLE

GF_DEVICE_FN uint32_t gf_ballot(bool predicate GF_AND_AT("gf_ballot"))
{
    return __ballot_sync(GF_FULL_MASK, predicate GF_HERE);
}
GF_DEVICE_FN bool gf_any(bool predicate GF_AND_AT("gf_any"))
{
    return __any_sync(GF_FULL_MASK, predicate GF_HERE) != 0;
}
GF_DEVICE_FN bool gf_all(bool predicate GF_AND_AT("gf_all"))
{
    return __all_sync(GF_FULL_MASK, predicate GF_HERE) != 0;
}

/* Mask of the lanes that hold the same value. */
GF_DEVICE_FN uint32_t gf_match_any(uint32_t value GF_AND_AT("gf_match_any"))
{
    return __match_any_sync(GF_FULL_MASK, value GF_HERE);
}

/* Reduces over the 32 lanes, with the result in all of them: a butterfly of distances 16 to 1, so that the
 * order of a float sum is fixed. 32-bit integers take one instruction from sm_80. */
#define GF_REDUCE_STEPS(type, expression)                                                                    \
    do {                                                                                                     \
        for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {                                             \
            const type b = gf_shfl_xor(a, step GF_HERE);                                                     \
            a = static_cast<type>(expression);                                                               \
        }                                                                                                    \
        return a;                                                                                            \
    } while (0)
#if defined(GF_EMU) || GF_PTX_ARCH >= 800
#define GF_REDUCE_WORD(type, cuda, expression) return cuda(GF_FULL_MASK, a GF_HERE)
#else
#define GF_REDUCE_WORD(type, cuda, expression) GF_REDUCE_STEPS(type, expression)
#endif

#define GF_REDUCE_ANY(name, expression)                                                                      \
    template <class T> GF_DEVICE_FN T name(T a GF_AND_AT(#name))                                             \
    {                                                                                                        \
        GF_REDUCE_STEPS(T, expression);                                                                      \
    }
#define GF_REDUCE(name, type, cuda, expression)                                                              \
    GF_DEVICE_FN type name(type a GF_AND_AT(#name))                                                          \
    {                                                                                                        \
        GF_REDUCE_WORD(type, cuda, expression);                                                              \
    }
GF_REDUCE_ANY(gf_reduce_add, a + b)
GF_REDUCE_ANY(gf_reduce_min, b < a ? b : a)
GF_REDUCE_ANY(gf_reduce_max, a < b ? b : a)
GF_REDUCE(gf_reduce_add, uint32_t, __reduce_add_sync, a + b)
GF_REDUCE(gf_reduce_add, int32_t, __reduce_add_sync, a + b)
GF_REDUCE(gf_reduce_min, uint32_t, __reduce_min_sync, b < a ? b : a)
GF_REDUCE(gf_reduce_min, int32_t, __reduce_min_sync, b < a ? b : a)
GF_REDUCE(gf_reduce_max, uint32_t, __reduce_max_sync, a < b ? b : a)
GF_REDUCE(gf_reduce_max, int32_t, __reduce_max_sync, a < b ? b : a)
GF_REDUCE(gf_reduce_and, uint32_t, __reduce_and_sync, a &b)
GF_REDUCE(gf_reduce_or, uint32_t, __reduce_or_sync, a | b)
GF_REDUCE(gf_reduce_xor, uint32_t, __reduce_xor_sync, a ^ b)
#undef GF_REDUCE_STEPS
#undef GF_REDUCE_WORD
#undef GF_REDUCE_ANY
#undef GF_REDUCE
