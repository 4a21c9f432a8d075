/* Keys of the sorts on CUDA: bits of a width, and how they rank. Signed integers are sorted as unsigned ones,
 * with another flip (sort_order.h), so there are six types of key. */
#ifndef GF_ARRAY_SORT_KEY_CUDA_CUH
#define GF_ARRAY_SORT_KEY_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/sort/sort_order.h"

/* T is uint8_t ... uint64_t, float or double; its keys are held as `bits`. Ranks and codes: sort_order.h. */
template <class T> struct gf_sort_key;
#define GF_SORT_KEY(T, width)                                                                                \
    template <> struct gf_sort_key<T> {                                                                      \
        using bits = T;                                                                                      \
        GF_HD T rank(T key, T flip) { return gf_rank_##width(key, flip); }                                   \
        GF_HD T last(T flip) { return static_cast<T>(~flip); } /* a key that no other comes after */         \
        GF_HD T code(T key, T flip) { return gf_rank_##width(key, flip); }                                   \
        GF_HD T uncode(T code, T flip) { return gf_rank_##width(code, flip); }                               \
        GF_HD T order(T code) { return code; }                                                               \
    };
GF_SORT_KEY(uint8_t, 8)
GF_SORT_KEY(uint16_t, 16)
GF_SORT_KEY(uint32_t, 32)
GF_SORT_KEY(uint64_t, 64)
#undef GF_SORT_KEY
#define GF_SORT_KEY(T, K, name)                                                                              \
    template <> struct gf_sort_key<T> {                                                                      \
        using bits = K;                                                                                      \
        GF_HD K rank(K key, K flip) { return gf_rank_##name(key, flip); }                                    \
        GF_HD K last(K) { return static_cast<K>(~K(0) >> 1); } /* a NaN */                                   \
        GF_HD K code(K key, K flip) { return gf_code_##name(key, flip); }                                    \
        GF_HD K uncode(K code, K flip) { return gf_uncode_##name(code, flip); }                              \
        GF_HD K order(K code) { return gf_code_order_##name(code); }                                         \
    };
GF_SORT_KEY(float, uint32_t, f32)
GF_SORT_KEY(double, uint64_t, f64)
#undef GF_SORT_KEY

/* One digit of keys: of the 8 bits of the rank from `shift` those that count. */
template <class T> struct gf_sort_digit {
    typename gf_sort_key<T>::bits flip;
    int32_t shift;
    uint32_t bits; /* 255: all */
};

/* The digit at `shift` of keys whose ranks have bits that do not count. */
template <class T>
GF_HD gf_sort_digit<T> gf_sort_digit_at(typename gf_sort_key<T>::bits flip, uint64_t ignored, int32_t shift)
{
    return {flip, shift, static_cast<uint32_t>(~ignored >> shift) & 255u};
}

template <class T>
GF_DEVICE_FN uint32_t gf_digit_of(const gf_sort_digit<T> &digit, typename gf_sort_key<T>::bits key)
{
    if constexpr (std::is_floating_point<T>::value) {
        return static_cast<uint32_t>(gf_sort_key<T>::rank(key, digit.flip) >> digit.shift) & digit.bits;
    } else { /* shifted first: the flip's part is the same for all keys */
        return static_cast<uint32_t>((key >> digit.shift) ^ (digit.flip >> digit.shift)) & digit.bits;
    }
}

/* What travels with a key: VALUE bytes. */
template <int VALUE> struct gf_sort_value {
    using type = typename std::conditional<VALUE == 8, uint64_t, uint32_t>::type;
};

#endif
