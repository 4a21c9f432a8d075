/* What is known of a part of an array, how two neighbours join, and the result of the whole. One source for
 * the CPU and for CUDA: the order of joins is the contract of gpufilter/reduce.h, the arithmetic is here. */
#pragma once

#include "base/gf_order.h"
#include "gpufilter/reduce.h"

enum {
    GF_REDUCE_LEAF = 4096, /* elements */
    GF_REDUCE_LANES = 128  /* accumulators of a leaf: element i goes to i mod 128 */
};

__extension__ typedef __int128 gf_int128;
__extension__ typedef unsigned __int128 gf_uint128;

/* ---- Exact sums ---------------------------------------------------------------------------- */

/* high * 2^64 + low, to the nearest f64, ties to even: the low word only decides ties. */
GF_HD double gf_round_words(uint64_t high, uint64_t low)
{
    int shift = 0;
    if (high == 0) {
        return (double)low;
    }
    while ((high >> 63) == 0) {
        high = high << 1 | low >> 63;
        low <<= 1;
        shift++;
    }
    return (double)(high | (low != 0)) * gf_bits_double((uint64_t)(1023 + 64 - shift) << 52);
}

GF_HD double gf_round_int128(gf_int128 v)
{
    gf_uint128 size = v < 0 ? -(gf_uint128)v : (gf_uint128)v;
    double rounded = gf_round_words((uint64_t)(size >> 64), (uint64_t)size);
    return v < 0 ? -rounded : rounded;
}

/* Population variance of n integers of up to 32 bits from the sums of x and x^2: the numerator n * squares -
 * sum * sum, up to 2^145, is exact and rounded once. */
GF_HD double gf_exact_variance(uint64_t n, gf_int128 sum, gf_uint128 squares)
{
    /* Numbers shifted by q = floor(sum / n) have the same variance, and 0 <= rest < n. */
    gf_int128 q = sum / (gf_int128)n - (sum < 0 && sum % (gf_int128)n != 0);
    uint64_t rest = (uint64_t)(sum - q * (gf_int128)n);
    gf_uint128 shifted = squares - (gf_uint128)q * (gf_uint128)(2 * sum - q * (gf_int128)n);
    /* n * shifted - rest^2 in words of 64 bits. */
    gf_uint128 low = (gf_uint128)n * (uint64_t)shifted;
    gf_uint128 high = (gf_uint128)n * (uint64_t)(shifted >> 64) + (uint64_t)(low >> 64);
    gf_uint128 square = (gf_uint128)rest * rest;
    gf_uint128 bottom = (gf_uint128)(uint64_t)high << 64 | (uint64_t)low;
    uint64_t top = (uint64_t)(high >> 64) - (bottom < square);
    bottom -= square;
    uint64_t sticky = top != 0 && (uint64_t)bottom != 0;
    double numerator = top == 0 ? gf_round_words((uint64_t)(bottom >> 64), (uint64_t)bottom)
                                : gf_round_words(top, (uint64_t)(bottom >> 64) | sticky) * 0x1p64;
    return numerator / (double)n / (double)n;
}

/* ---- Moments ------------------------------------------------------------------------------- */

/* Number, mean and sum of squared distances from it. */
struct gf_moments {
    double n, mean, m2;
};

/* Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances"
 * (1979). */
GF_HD struct gf_moments gf_moments_join(struct gf_moments a, struct gf_moments b)
{
    struct gf_moments both;
    double step = b.mean - a.mean;
    both.n = a.n + b.n;
    both.mean = a.mean + step * (b.n / both.n);
    both.m2 = (a.m2 + b.m2) + (step * step) * (a.n * (b.n / both.n));
    return both;
}

/* ---- Least and greatest ----------------------------------------------------------------------
 * Ranks turn all four operations into "least rank, lowest index". Among floats NaN has the greatest. */

#define GF_REDUCE_RANK(name, T, K, is_float)                                                                 \
    GF_HD K gf_rank_##name(T v, int greatest)                                                                \
    {                                                                                                        \
        K key = gf_key_##name(v);                                                                            \
        K nan = (K) ~(K)0;                                                                                   \
        return !greatest ? key : (is_float) && key == nan ? nan : (K)~key;                                   \
    }                                                                                                        \
    GF_HD T gf_unrank_##name(K rank, int greatest)                                                           \
    {                                                                                                        \
        K nan = (K) ~(K)0;                                                                                   \
        return gf_unkey_##name(!greatest || ((is_float) && rank == nan) ? rank : (K)~rank);                  \
    }
GF_REDUCE_RANK(u8, uint8_t, uint8_t, 0)
GF_REDUCE_RANK(u16, uint16_t, uint16_t, 0)
GF_REDUCE_RANK(u32, uint32_t, uint32_t, 0)
GF_REDUCE_RANK(u64, uint64_t, uint64_t, 0)
GF_REDUCE_RANK(s16, int16_t, uint16_t, 0)
GF_REDUCE_RANK(s32, int32_t, uint32_t, 0)
GF_REDUCE_RANK(s64, int64_t, uint64_t, 0)
GF_REDUCE_RANK(f32, float, uint32_t, 1)
GF_REDUCE_RANK(f64, double, uint64_t, 1)
#undef GF_REDUCE_RANK

/* ---- Any part -------------------------------------------------------------------------------- */

/* Only the fields of the operation mean something. */
struct gf_reduce_part {
    uint64_t n;
    uint64_t bits;             /* sum and product of integers modulo 2^64, and, or, xor; any, all: 0 or 1 */
    uint64_t rank;             /* least */
    int64_t index;             /* of it; -1: nothing that counts yet */
    gf_int128 sum;             /* mean and var of integers */
    gf_uint128 squares;        /* var of integers of up to 32 bits */
    double number;             /* sum and product of floats */
    struct gf_moments moments; /* var of the others */
};

GF_HD int gf_reduce_is_float(gf_depth type)
{
    return type == GF_F32 || type == GF_F64;
}

/* Tells whether the order of joins shows in the result. */
GF_HD int gf_reduce_is_ordered(gf_reduce_op op, gf_depth type)
{
    int sums = op == GF_REDUCE_SUM || op == GF_REDUCE_PRODUCT || op == GF_REDUCE_MEAN;
    return sums ? gf_reduce_is_float(type)
                : op == GF_REDUCE_VAR && (gf_reduce_is_float(type) || type == GF_U64 || type == GF_S64);
}

GF_HD struct gf_reduce_part gf_reduce_empty(gf_reduce_op op)
{
    struct gf_reduce_part part;
    part.n = 0;
    part.bits = op == GF_REDUCE_AND ? ~(uint64_t)0 : op == GF_REDUCE_PRODUCT || op == GF_REDUCE_ALL;
    part.rank = ~(uint64_t)0;
    part.index = -1;
    part.sum = 0;
    part.squares = 0;
    part.number = op == GF_REDUCE_PRODUCT ? 1.0 : 0.0;
    part.moments.n = part.moments.mean = part.moments.m2 = 0.0;
    return part;
}

/* a stands in front of b. */
GF_HD struct gf_reduce_part gf_reduce_join(gf_reduce_op op, struct gf_reduce_part a, struct gf_reduce_part b)
{
    if (a.n == 0 || b.n == 0) {
        return a.n == 0 ? b : a;
    }
    a.bits = op == GF_REDUCE_PRODUCT                      ? a.bits * b.bits
             : op == GF_REDUCE_AND || op == GF_REDUCE_ALL ? a.bits & b.bits
             : op == GF_REDUCE_OR || op == GF_REDUCE_ANY  ? a.bits | b.bits
             : op == GF_REDUCE_XOR                        ? a.bits ^ b.bits
                                                          : a.bits + b.bits;
    if (b.index >= 0 && (a.index < 0 || b.rank < a.rank)) {
        a.rank = b.rank;
        a.index = b.index;
    }
    a.sum += b.sum;
    a.squares += b.squares;
    a.number = op == GF_REDUCE_PRODUCT ? a.number * b.number : a.number + b.number;
    if (a.moments.n > 0.0 && b.moments.n > 0.0) {
        a.moments = gf_moments_join(a.moments, b.moments);
    }
    a.n += b.n;
    return a;
}
