/* One SIMD level of the inner loops: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine
 * options of that level. Short segments are reduced where they are read; those of more elements by the lines
 * of gf_reduce. */
#include "array/segmented/segmented_lines.h"

#include "array/reduce/reduce_lines.h"
#include "base/cpu_level.h"

enum { SHORT = 32 };
#define LINES(depth) GF_LEVEL_NAME(gf_reduce_lines)[depth]

/* One function a type and operation: `one` is the result, of type R, for n elements at p. */
#define RUN(name, T, R, one)                                                                                 \
    static int64_t name(const void *in, const int64_t *offsets, int64_t count, void *out)                    \
    {                                                                                                        \
        for (int64_t i = 0; i < count; i++) {                                                                \
            const T *p = (const T *)in + offsets[i];                                                         \
            int64_t n = offsets[i + 1] - offsets[i];                                                         \
            if (n > GF_REDUCE_LEAF) {                                                                        \
                return i;                                                                                    \
            }                                                                                                \
            ((R *)out)[i] = one(p, n);                                                                       \
        }                                                                                                    \
        return count;                                                                                        \
    }

/* ---- Integers ------------------------------------------------------------------------------------------ */

#define INTEGERS(name, T, depth)                                                                             \
    static inline uint64_t sum_of_##name(const T *p, int64_t n)                                              \
    {                                                                                                        \
        uint64_t sum = 0;                                                                                    \
        if (n > SHORT) {                                                                                     \
            return LINES(depth).sum(p, n);                                                                   \
        }                                                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            sum += (uint64_t)p[k];                                                                           \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
    static inline T all_of_##name(const T *p, int64_t n)                                                     \
    {                                                                                                        \
        T bits = (T) ~(T)0;                                                                                  \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            bits = (T)(bits & p[k]);                                                                         \
        }                                                                                                    \
        return bits;                                                                                         \
    }                                                                                                        \
    static inline T any_of_##name(const T *p, int64_t n)                                                     \
    {                                                                                                        \
        T bits = 0;                                                                                          \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            bits = (T)(bits | p[k]);                                                                         \
        }                                                                                                    \
        return bits;                                                                                         \
    }                                                                                                        \
    static inline uint64_t product_of_##name(const T *p, int64_t n)                                          \
    {                                                                                                        \
        uint64_t product = 1;                                                                                \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            product *= (uint64_t)p[k];                                                                       \
        }                                                                                                    \
        return product;                                                                                      \
    }                                                                                                        \
    RUN(sum_##name, T, uint64_t, sum_of_##name)                                                              \
    RUN(product_##name, T, uint64_t, product_of_##name)                                                      \
    RUN(all_##name, T, T, all_of_##name)                                                                     \
    RUN(any_##name, T, T, any_of_##name)

/* ---- Sums and products of floats --------------------------------------------------------------------------
 * What is left of the contract's fold of a leaf in which at most W accumulators got an element. */

#define FOLD(W, initial, start, join)                                                                        \
    do {                                                                                                     \
        double v[W];                                                                                         \
        for (int j = 0; j < (W); j++) {                                                                      \
            double e = j < n ? (double)p[j] : (initial);                                                     \
            v[j] = (start);                                                                                  \
        }                                                                                                    \
        for (int step = (W) / 2; step > 0; step /= 2) {                                                      \
            for (int j = 0; j < step; j++) {                                                                 \
                v[j] = v[j] join v[j + step];                                                                \
            }                                                                                                \
        }                                                                                                    \
        return gf_canonical_double(v[0]);                                                                    \
    } while (0)

/* The few of most segments, in the same order, are kept apart from loops. */
#define NUMBER(function, T, line, initial, start, join)                                                      \
    static __attribute__((noinline)) double function##_many(const T *p, int64_t n)                           \
    {                                                                                                        \
        if (n > SHORT) {                                                                                     \
            return gf_canonical_double(line(p, n));                                                          \
        }                                                                                                    \
        if (n > 8) {                                                                                         \
            FOLD(32, initial, start, join);                                                                  \
        }                                                                                                    \
        FOLD(8, initial, start, join);                                                                       \
    }                                                                                                        \
    static inline double function(const T *p, int64_t n)                                                     \
    {                                                                                                        \
        if (n > 4) {                                                                                         \
            return function##_many(p, n);                                                                    \
        }                                                                                                    \
        double e = n > 0 ? (double)p[0] : (initial);                                                         \
        if (n > 2) {                                                                                         \
            e = e join(double) p[2];                                                                         \
        }                                                                                                    \
        if (n > 1) {                                                                                         \
            double odd = (double)p[1];                                                                       \
            if (n > 3) {                                                                                     \
                odd = odd join(double) p[3];                                                                 \
            }                                                                                                \
            e = e join odd;                                                                                  \
        }                                                                                                    \
        return gf_canonical_double(start); /* +0 where it is -0 */                                           \
    }

#define NUMBERS(name, T, depth)                                                                              \
    NUMBER(sum_of_##name, T, LINES(depth).number, 0.0, 0.0 + e, +)                                           \
    NUMBER(product_of_##name, T, LINES(depth).number_product, 1.0, e, *)                                     \
    RUN(sum_##name, T, double, sum_of_##name)                                                                \
    RUN(product_##name, T, double, product_of_##name)

/* ---- Least and greatest ------------------------------------------------------------------------------------
 * nothing: what no elements give; nan: the rank that does not count. */

#define RANK_OF(name, T, K, depth, is_nan)                                                                   \
    static inline K rank_of_##name(const T *p, int64_t n, int greatest)                                      \
    {                                                                                                        \
        K least = (K) ~(K)0, flip = greatest ? least : (K)0;                                                 \
        if (n > SHORT) {                                                                                     \
            return (K)LINES(depth).rank(p, n, greatest);                                                     \
        }                                                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            T v = p[k];                                                                                      \
            K rank = (K)((gf_key_##name(v) ^ flip) | (K)(0 - (K)(is_nan)));                                  \
            least = rank < least ? rank : least;                                                             \
        }                                                                                                    \
        return least;                                                                                        \
    }

#define EXTREME(function, name, T, K, greatest, nothing)                                                     \
    static inline T function##_of_##name(const T *p, int64_t n)                                              \
    {                                                                                                        \
        return n == 0 ? (T)(nothing) : gf_unrank_##name(rank_of_##name(p, n, greatest), greatest);           \
    }                                                                                                        \
    RUN(function##_##name, T, T, function##_of_##name)

#define PLACE(function, name, T, K, greatest, is_float)                                                      \
    static inline int64_t function##_of_##name(const T *p, int64_t n)                                        \
    {                                                                                                        \
        K least = rank_of_##name(p, n, greatest);                                                            \
        int64_t k = 0;                                                                                       \
        if (n == 0 || ((is_float) && least == (K) ~(K)0)) {                                                  \
            return -1;                                                                                       \
        }                                                                                                    \
        while (gf_rank_##name(p[k], greatest) != least) {                                                    \
            k++;                                                                                             \
        }                                                                                                    \
        return k;                                                                                            \
    }                                                                                                        \
    RUN(function##_##name, T, int64_t, function##_of_##name)

#define RANKS(name, T, K, depth, is_float, is_nan, most, least)                                              \
    RANK_OF(name, T, K, depth, is_nan)                                                                       \
    EXTREME(min, name, T, K, 0, most)                                                                        \
    EXTREME(max, name, T, K, 1, least)                                                                       \
    PLACE(argmin, name, T, K, 0, is_float)                                                                   \
    PLACE(argmax, name, T, K, 1, is_float)

RANKS(u8, uint8_t, uint8_t, GF_U8, 0, 0, UINT8_MAX, 0)
RANKS(u16, uint16_t, uint16_t, GF_U16, 0, 0, UINT16_MAX, 0)
RANKS(u32, uint32_t, uint32_t, GF_U32, 0, 0, UINT32_MAX, 0)
RANKS(u64, uint64_t, uint64_t, GF_U64, 0, 0, UINT64_MAX, 0)
RANKS(s16, int16_t, uint16_t, GF_S16, 0, 0, INT16_MAX, INT16_MIN)
RANKS(s32, int32_t, uint32_t, GF_S32, 0, 0, INT32_MAX, INT32_MIN)
RANKS(s64, int64_t, uint64_t, GF_S64, 0, 0, INT64_MAX, INT64_MIN)
RANKS(f32, float, uint32_t, GF_F32, 1, v != v, gf_bits_float(0x7f800000U), gf_bits_float(0xff800000U))
RANKS(f64, double, uint64_t, GF_F64, 1, v != v, gf_bits_double(0x7ff0000000000000U),
      gf_bits_double(0xfff0000000000000U))
INTEGERS(u8, uint8_t, GF_U8)
INTEGERS(u16, uint16_t, GF_U16)
INTEGERS(u32, uint32_t, GF_U32)
INTEGERS(u64, uint64_t, GF_U64)
INTEGERS(s16, int16_t, GF_S16)
INTEGERS(s32, int32_t, GF_S32)
INTEGERS(s64, int64_t, GF_S64)
NUMBERS(f32, float, GF_F32)
NUMBERS(f64, double, GF_F64)

#define OF_ALL(name)     sum_##name, product_##name, min_##name, max_##name, argmin_##name, argmax_##name
#define OF_INTEGER(name) OF_ALL(name), all_##name, any_##name
const gf_segmented_line GF_LEVEL_NAME(gf_segmented_lines)[GF_S64 + 1][GF_REDUCE_OR + 1] = {
    [GF_U8] = {OF_INTEGER(u8)},   [GF_U16] = {OF_INTEGER(u16)}, [GF_U32] = {OF_INTEGER(u32)},
    [GF_U64] = {OF_INTEGER(u64)}, [GF_S16] = {OF_INTEGER(s16)}, [GF_S32] = {OF_INTEGER(s32)},
    [GF_S64] = {OF_INTEGER(s64)}, [GF_F32] = {OF_ALL(f32)},     [GF_F64] = {OF_ALL(f64)},
};
