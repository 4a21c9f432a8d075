/* One SIMD level of the inner loops: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine
 * options of that level. Plain loops that compilers vectorise; W is wide enough for STEP elements before its
 * sum goes into 64 bits. */
#include "array/reduce/reduce_lines.h"

#include "base/cpu_level.h"

#define SUMS(name, T, W, STEP)                                                                               \
    static uint64_t sum_##name(const void *in, int64_t n)                                                    \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        uint64_t sum = 0;                                                                                    \
        for (int64_t i = 0; i < n; i += (STEP)) {                                                            \
            W part = 0;                                                                                      \
            int64_t end = n - i < (STEP) ? n - i : (STEP);                                                   \
            for (int64_t k = 0; k < end; k++) {                                                              \
                part = (W)(part + (W)p[i + k]);                                                              \
            }                                                                                                \
            sum += (uint64_t)part;                                                                           \
        }                                                                                                    \
        return sum;                                                                                          \
    }

#define BITS(name, T)                                                                                        \
    static uint64_t product_##name(const void *in, int64_t n)                                                \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        uint64_t product = 1;                                                                                \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            product *= (uint64_t)p[i];                                                                       \
        }                                                                                                    \
        return product;                                                                                      \
    }                                                                                                        \
    static uint64_t all_##name(const void *in, int64_t n)                                                    \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        T bits = (T) ~(T)0;                                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            bits = (T)(bits & p[i]);                                                                         \
        }                                                                                                    \
        return (uint64_t)bits;                                                                               \
    }                                                                                                        \
    static uint64_t any_##name(const void *in, int64_t n)                                                    \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        T bits = 0;                                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            bits = (T)(bits | p[i]);                                                                         \
        }                                                                                                    \
        return (uint64_t)bits;                                                                               \
    }                                                                                                        \
    static uint64_t odd_##name(const void *in, int64_t n)                                                    \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        T bits = 0;                                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            bits = (T)(bits ^ p[i]);                                                                         \
        }                                                                                                    \
        return (uint64_t)bits;                                                                               \
    }

/* A count of at most GF_REDUCE_LEAF, in a number about as wide as an element. */
#define ZEROS(name, T, K)                                                                                    \
    static int64_t zeros_##name(const void *in, int64_t n)                                                   \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        K zeros = 0;                                                                                         \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            zeros = (K)(zeros + (p[i] == 0));                                                                \
        }                                                                                                    \
        return zeros;                                                                                        \
    }

/* Squares of at most GF_REDUCE_LEAF elements: for bytes in 32 bits; else `high` is the sum of upper halves,
 * and what it leaves out, the sum of lower ones, is below 2^44, so that the sum modulo 2^64 tells it. W, of
 * T's sign, holds a square. */
static void squares_u8(const void *in, int64_t n, uint64_t words[2])
{
    const uint8_t *p = in;
    int32_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int16_t v = p[i];
        sum += v * v;
    }
    words[0] = (uint64_t)sum;
    words[1] = 0;
}

#define SQUARES(name, T, W)                                                                                  \
    static void squares_##name(const void *in, int64_t n, uint64_t words[2])                                 \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        uint64_t all = 0, high = 0;                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            uint64_t square = (uint64_t)((W)p[i] * (W)p[i]);                                                 \
            all += square;                                                                                   \
            high += square >> 32;                                                                            \
        }                                                                                                    \
        words[0] = all;                                                                                      \
        words[1] = (high >> 32) + (all < high << 32);                                                        \
    }

/* The ranks of gf_rank_..., without a branch for NaN: is_nan is 1 where v is one. */
#define RANKS(name, T, K, is_nan)                                                                            \
    static uint64_t rank_##name(const void *in, int64_t n, int greatest)                                     \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        K least = (K) ~(K)0, flip = greatest ? least : (K)0;                                                 \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            T v = p[i];                                                                                      \
            K rank = (K)((gf_key_##name(v) ^ flip) | (K)(0 - (K)(is_nan)));                                  \
            least = rank < least ? rank : least;                                                             \
        }                                                                                                    \
        return least;                                                                                        \
    }                                                                                                        \
    static int64_t find_##name(const void *in, int64_t n, uint64_t rank, int greatest)                       \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        int64_t i = 0;                                                                                       \
        while (i < n && gf_rank_##name(p[i], greatest) != rank) {                                            \
            i++;                                                                                             \
        }                                                                                                    \
        return i;                                                                                            \
    }

/* The 128 accumulators of a leaf and their fold: the order is contract. */
static double fold(double lane[GF_REDUCE_LANES], int product)
{
    for (int step = GF_REDUCE_LANES / 2; step > 0; step /= 2) {
        for (int j = 0; j < step; j++) {
            lane[j] = product ? lane[j] * lane[j + step] : lane[j] + lane[j + step];
        }
    }
    return lane[0];
}

#define LEAF(function, T, arguments, initial, expression, product)                                           \
    static double function arguments                                                                         \
    {                                                                                                        \
        const T *p = in;                                                                                     \
        double lane[GF_REDUCE_LANES];                                                                        \
        int64_t whole = n / GF_REDUCE_LANES * GF_REDUCE_LANES;                                               \
        for (int j = 0; j < GF_REDUCE_LANES; j++) {                                                          \
            lane[j] = (initial);                                                                             \
        }                                                                                                    \
        for (int64_t i = 0; i < whole; i += GF_REDUCE_LANES) {                                               \
            for (int j = 0; j < GF_REDUCE_LANES; j++) {                                                      \
                double v = (double)p[i + j];                                                                 \
                lane[j] = (expression);                                                                      \
            }                                                                                                \
        }                                                                                                    \
        for (int j = 0; j < n - whole; j++) {                                                                \
            double v = (double)p[whole + j];                                                                 \
            lane[j] = (expression);                                                                          \
        }                                                                                                    \
        return fold(lane, product);                                                                          \
    }
#define LEAVES(name, T)                                                                                      \
    LEAF(number_##name, T, (const void *in, int64_t n), 0.0, lane[j] + v, 0)                                 \
    LEAF(distance_##name, T, (const void *in, int64_t n, double mean), 0.0,                                  \
         lane[j] + (v - mean) * (v - mean), 0)

#define INTEGER(name, T, K, W, STEP) SUMS(name, T, W, STEP) BITS(name, T) RANKS(name, T, K, 0)
INTEGER(u8, uint8_t, uint8_t, uint32_t, 4096)
INTEGER(u16, uint16_t, uint16_t, uint32_t, 4096)
INTEGER(u32, uint32_t, uint32_t, uint64_t, 4096)
INTEGER(u64, uint64_t, uint64_t, uint64_t, 4096)
INTEGER(s16, int16_t, uint16_t, int32_t, 4096)
INTEGER(s32, int32_t, uint32_t, int64_t, 4096)
INTEGER(s64, int64_t, uint64_t, uint64_t, 4096)
RANKS(f32, float, uint32_t, v != v)
RANKS(f64, double, uint64_t, v != v)
ZEROS(u8, uint8_t, uint16_t)
ZEROS(u16, uint16_t, uint16_t)
ZEROS(u32, uint32_t, uint32_t)
ZEROS(u64, uint64_t, int64_t)
ZEROS(s16, int16_t, uint16_t)
ZEROS(s32, int32_t, uint32_t)
ZEROS(s64, int64_t, int64_t)
ZEROS(f32, float, uint32_t)
ZEROS(f64, double, int64_t)
SQUARES(u16, uint16_t, uint64_t)
SQUARES(s16, int16_t, int64_t)
SQUARES(s32, int32_t, int64_t)
SQUARES(u32, uint32_t, uint64_t)
LEAVES(u64, uint64_t)
LEAVES(s64, int64_t)
LEAVES(f32, float)
LEAVES(f64, double)
LEAF(product_f32, float, (const void *in, int64_t n), 1.0, lane[j] * v, 1)
LEAF(product_f64, double, (const void *in, int64_t n), 1.0, lane[j] * v, 1)

#define INTEGER_LINES(name)                                                                                  \
    .sum = sum_##name, .product = product_##name, .all = all_##name, .any = any_##name, .odd = odd_##name,   \
    .zeros = zeros_##name, .rank = rank_##name, .find = find_##name
#define FLOAT_LINES(name)                                                                                    \
    .number = number_##name, .distance = distance_##name, .number_product = product_##name,                  \
    .zeros = zeros_##name, .rank = rank_##name, .find = find_##name
const struct gf_reduce_lines GF_LEVEL_NAME(gf_reduce_lines)[GF_S64 + 1] = {
    [GF_U8] = {INTEGER_LINES(u8), .squares = squares_u8},
    [GF_U16] = {INTEGER_LINES(u16), .squares = squares_u16},
    [GF_U32] = {INTEGER_LINES(u32), .squares = squares_u32},
    [GF_U64] = {INTEGER_LINES(u64), .number = number_u64, .distance = distance_u64},
    [GF_S16] = {INTEGER_LINES(s16), .squares = squares_s16},
    [GF_S32] = {INTEGER_LINES(s32), .squares = squares_s32},
    [GF_S64] = {INTEGER_LINES(s64), .number = number_s64, .distance = distance_s64},
    [GF_F32] = {FLOAT_LINES(f32)},
    [GF_F64] = {FLOAT_LINES(f64)},
};
