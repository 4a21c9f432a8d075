/* Takes an element type known at run time to one known at compile time, and its order to unsigned keys. */
#ifndef GF_ARRAY_DISPATCH_CUDA_CUH
#define GF_ARRAY_DISPATCH_CUDA_CUH

#include "array/common/variant.h"
#include "base/cuda_status.h"
#include "base/gf_cuda.h"
#include "base/gf_order.h"

/* A type handed to a generic lambda: [&](auto tag) { using T = typename decltype(tag)::type; ... } */
template <class T> struct gf_tag {
    using type = T;
};

/* Calls f with the tag of `type`, which must be of the mask TYPES (others are compiled out:
 * GF_ERROR_INTERNAL). */
template <uint32_t TYPES, class F> gf_status gf_dispatch_type(gf_depth type, gf_error *error, F &&f)
{
#define GF_DISPATCH(depth, T)                                                                                \
    if constexpr ((TYPES & GF_TYPE_BIT(depth)) != 0) {                                                       \
        if (type == (depth)) {                                                                               \
            return f(gf_tag<T>());                                                                           \
        }                                                                                                    \
    }
    GF_DISPATCH(GF_U8, uint8_t)
    GF_DISPATCH(GF_U16, uint16_t)
    GF_DISPATCH(GF_U32, uint32_t)
    GF_DISPATCH(GF_U64, uint64_t)
    GF_DISPATCH(GF_S16, int16_t)
    GF_DISPATCH(GF_S32, int32_t)
    GF_DISPATCH(GF_S64, int64_t)
    GF_DISPATCH(GF_F32, float)
    GF_DISPATCH(GF_F64, double)
#undef GF_DISPATCH
    return gf_fail(error, GF_ERROR_INTERNAL, "no code for elements of type %s", gf_depth_name(type));
}

/* The unsigned type of as many bits, of which whatever treats signed elements alike has code alone. */
static inline gf_depth gf_unsigned_of(gf_depth type)
{
    return type == GF_S16 ? GF_U16 : type == GF_S32 ? GF_U32 : type == GF_S64 ? GF_U64 : type;
}

/* Calls f with the tag of that type, or of a float. */
template <class F> gf_status gf_dispatch_key(gf_depth type, gf_error *error, F &&f)
{
    return gf_dispatch_type<GF_TYPES_UNSIGNED | GF_TYPES_FLOAT>(gf_unsigned_of(type), error,
                                                                static_cast<F &&>(f));
}

/* gf_order.h by C++ type. */
template <class T> struct gf_order;
#define GF_ORDER(T, name, K)                                                                                 \
    template <> struct gf_order<T> {                                                                         \
        using key = K;                                                                                       \
        GF_HD key to(T v) { return gf_key_##name(v); }                                                       \
        GF_HD T from(key k) { return gf_unkey_##name(k); }                                                   \
    };
GF_ORDER(uint8_t, u8, uint8_t)
GF_ORDER(uint16_t, u16, uint16_t)
GF_ORDER(uint32_t, u32, uint32_t)
GF_ORDER(uint64_t, u64, uint64_t)
GF_ORDER(int16_t, s16, uint16_t)
GF_ORDER(int32_t, s32, uint32_t)
GF_ORDER(int64_t, s64, uint64_t)
GF_ORDER(float, f32, uint32_t)
GF_ORDER(double, f64, uint64_t)
#undef GF_ORDER

#endif
