/* The condition of a compaction on the GPU. */
#ifndef GF_ARRAY_COMPACT_KEEP_CUDA_CUH
#define GF_ARRAY_COMPACT_KEEP_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/compact/compact_call.h"
#include "base/gf_cuda.h"
#include "base/gf_order.h"

/* Returns what struct gf_keep_test compares: the bits, or a float's key. */
template <class T> GF_DEVICE_FN T gf_keep_key(T v)
{
    static_assert(std::is_unsigned<T>::value, "integers by their bits");
    return v;
}
GF_DEVICE_FN uint32_t gf_keep_key(float v)
{
    return gf_key_f32(v);
}
GF_DEVICE_FN uint64_t gf_keep_key(double v)
{
    return gf_key_f64(v);
}

template <class T> GF_DEVICE_FN bool gf_is_kept(const gf_keep_test &test, T v)
{
    using key = decltype(gf_keep_key(T()));
    return (static_cast<key>(gf_keep_key(v) - static_cast<key>(test.least)) <= static_cast<key>(test.span)) !=
           test.outside;
}

/* Calls f with the tag of what is tested: unsigned integers as wide as the elements, u8 for flags, or floats.
 */
template <class F> static gf_status gf_keep_dispatch(const struct gf_compact_call *call, F &&f)
{
    const gf_depth type = call->keep == GF_KEEP_FLAGS ? GF_U8 : call->array.options.type;
    if (type == GF_F32) {
        return f(gf_tag<float>());
    }
    if (type == GF_F64) {
        return f(gf_tag<double>());
    }
    switch (gf_depth_size(type)) {
    case 1:
        return f(gf_tag<uint8_t>());
    case 2:
        return f(gf_tag<uint16_t>());
    case 4:
        return f(gf_tag<uint32_t>());
    default:
        return f(gf_tag<uint64_t>());
    }
}

/* Tests the elements of a lane: bit e is 1 where element e stays. */
template <class T> struct gf_keep_lane {
    using in = T;
    using key = decltype(gf_keep_key(T()));
    static const int LANE = 16 / static_cast<int>(sizeof(T));
    key least, span;
    uint32_t outside;

    __device__ explicit gf_keep_lane(const gf_keep_test &test)
        : least(static_cast<key>(test.least)), span(static_cast<key>(test.span)),
          outside(test.outside ? (1u << LANE) - 1 : 0)
    {
    }

    template <class RAW> __device__ __forceinline__ uint32_t bits(const RAW &lane) const
    {
        uint32_t kept = 0;
        T x[LANE];
        memcpy(x, &lane, sizeof x);
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            const key k = gf_keep_key(x[e]);
            kept |= static_cast<key>(k - least) <= span ? 1u << e : 0;
        }
        return kept ^ outside;
    }
};

/* Bytes, two in a word: v + (0x8000 - least) and 0x8000 + greatest - v both have the top bit of their half
 * where v is between, and no half reaches into the other. */
template <> struct gf_keep_lane<uint8_t> {
    using in = uint8_t;
    static const int LANE = 16;
    uint32_t low, high, outside;

    __device__ explicit gf_keep_lane(const gf_keep_test &test)
    {
        const uint32_t least = test.least & 0xffu, span = test.span & 0xffu;
        low = (0x8000u - least) * 0x00010001u;
        high = (0x8000u + least + span) * 0x00010001u; /* the spans of bytes do not wrap */
        outside = test.outside ? 0xffffu : 0;
    }

    /* Tested as words: the compiler takes bytes apart and puts them together again. */
    __device__ __forceinline__ uint32_t bits(const uint4 &lane) const
    {
        const uint32_t words[4] = {lane.x, lane.y, lane.z, lane.w};
        uint32_t kept = 0;
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            const uint32_t even = gf_byte_perm(words[i], 0, 0x4240), odd = gf_byte_perm(words[i], 0, 0x4341);
            const uint32_t even_in = (even + low) & (high - even), odd_in = (odd + low) & (high - odd);
            const uint32_t tops =
                ((even_in & 0x80008000u) >> 1) | (odd_in & 0x80008000u); /* bits 14, 15, 30, 31 */
            kept |= ((tops >> (14 - 4 * i)) | (tops >> (28 - 4 * i))) & (0xfu << (4 * i));
        }
        return kept ^ outside;
    }
};

#endif
