/* The numbers that a ragged loop makes of segments: what an item is, how two join, and the result. */
#ifndef GF_ARRAY_RAGGED_SEGMENT_CUDA_CUH
#define GF_ARRAY_RAGGED_SEGMENT_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/ragged/ragged_call.h"
#include "array/reduce/reduce_result.h"

#define GF_RAGGED_TYPES                                                                                      \
    (GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_S64) | GF_TYPE_BIT(GF_U64) | GF_TYPES_FLOAT)

/* iy * value. */
struct gf_ragged_products {
    using number = uint64_t;
    static const bool SLOTS = false; /* leaves are added to the output */
    static const bool RANKS = false;
    uint64_t value;
    uint64_t *out;

    __device__ number none() const { return 0; }
    __device__ number item(int64_t iy, int64_t) const { return uint64_t(static_cast<uint32_t>(iy)) * value; }
    __device__ number join(number a, number b) const { return a + b; }
    __device__ void join_at(int64_t ix, number leaf) const { gf_atomic_add(out + ix, leaf); }
    __device__ void finish(int64_t ix, number all, int64_t) const { out[ix] = all; }
};

template <class T> struct gf_ragged_sums {
    using number = typename std::conditional<std::is_floating_point<T>::value, double, uint64_t>::type;
    static const bool SLOTS = true;
    static const bool RANKS = false;
    const T *values;
    number *out;

    __device__ number none() const { return 0; }
    __device__ number item(int64_t, int64_t k) const { return static_cast<number>(values[k]); }
    __device__ number join(number a, number b) const { return a + b; }
    __device__ void join_at(int64_t ix, number item) const
    {
        if constexpr (std::is_floating_point<T>::value) {
            atomicAdd(out + ix, item);
        } else {
            gf_atomic_add(out + ix, item);
        }
    }
    __device__ void finish(int64_t ix, number all, int64_t) const
    {
        if constexpr (std::is_floating_point<T>::value) {
            out[ix] = gf_canonical_double(all);
        } else {
            out[ix] = all;
        }
    }
};

/* The least rank, for minima and maxima. */
template <class T> struct gf_ragged_least {
    using number = typename gf_order<T>::key;
    static const bool SLOTS = true;
    static const bool RANKS = true;
    const T *values;
    T *out;
    uint64_t *ranks; /* of join_at: a word each, all ones at first */
    int32_t greatest;

    __device__ number none() const { return static_cast<number>(~number(0)); }
    __device__ number item(int64_t, int64_t k) const
    {
        const number key = gf_order<T>::to(values[k]);
        const bool is_nan = std::is_floating_point<T>::value && key == none();
        return greatest && !is_nan ? static_cast<number>(~key) : key;
    }
    __device__ number join(number a, number b) const { return b < a ? b : a; }
    __device__ void join_at(int64_t ix, number item) const
    {
        gf_atomic_min(ranks + ix, static_cast<uint64_t>(item));
    }
    __device__ void finish(int64_t ix, number all, int64_t n) const
    {
        const bool is_nan = std::is_floating_point<T>::value && n > 0 && all == none();
        const T least = gf_order<T>::from(greatest && !is_nan ? static_cast<number>(~all) : all);
        out[ix] = n > 0 || !std::is_floating_point<T>::value
                      ? least
                      : static_cast<T>(gf_bits_float(greatest ? 0xff800000u : 0x7f800000u));
    }
};

/* Calls f with the struct for the call's body. */
template <class F>
static gf_status gf_ragged_dispatch(const struct gf_ragged_call *call, gf_error *error, F &&f)
{
    if (call->options.body == GF_RAGGED_SUM) {
        return f(gf_ragged_products{static_cast<uint64_t>(call->options.value),
                                    static_cast<uint64_t *>(call->array.out)});
    }
    return gf_dispatch_type<GF_RAGGED_TYPES>(call->array.options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using sums = gf_ragged_sums<T>;
        const T *const values = static_cast<const T *>(call->values);
        if (call->options.body == GF_RAGGED_SEGMENT_SUM) {
            return f(sums{values, static_cast<typename sums::number *>(call->array.out)});
        }
        return f(gf_ragged_least<T>{values, static_cast<T *>(call->array.out), nullptr,
                                    call->options.body == GF_RAGGED_SEGMENT_MAX});
    });
}

#endif
