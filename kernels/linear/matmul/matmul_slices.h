/* The arithmetic of products with slices (GF_MATMUL_F32X), the same for every backend. K. Ozaki, T. Ogita,
 * S. Oishi, S. Rump, "Error-free transformations of matrix multiplication by using fast routines of matrix
 * multiplication and its applications" (2012) cut matrices into slices whose products are exact; H. Ootomo,
 * K. Ozaki, R. Yokota, "DGEMM on Integer Matrix Multiplication Unit" (2023) made them of integers.
 *
 * A row of A, or a column of B ("side"), has a scale p: its element v becomes the integer q = v * 2^p,
 * rounded half to even, and q the digits d, -128 to 127, q = d[0] * 256^(S-1) + ... + d[S-1]. An element of C
 * is
 *
 *     V = sum over i + j < S of 256^(S-1-i-j) * (sum over l of d[i] of A(row, l) * d[j] of B(l, column))
 *
 * exactly, times 2^(8 (S-1) - p of the row - p of the column). No order of sums matters. */
#pragma once

#include "base/gf_num.h"

enum {
    GF_SLICES_LEAST = 3,
    GF_SLICES_MOST = 4,
    GF_SLICES_DEEPEST = 1 << 24,      /* k: 2^24 products of 2^38 are less than 2^63 */
    GF_SLICES_PLAIN = -0x7fffffff - 1 /* instead of a scale: the side's elements of C are chains */
};

/* What is to be known of a side: the bits of its largest magnitude, how many of its elements are not 0, and
 * the sum of the exponent fields of these. */
struct gf_slices_side {
    uint32_t most, count, exponents;
};

GF_HD void gf_slices_look(struct gf_slices_side *side, float v)
{
    const uint32_t size = gf_float_bits(v) & 0x7fffffffU;
    side->most = side->most > size ? side->most : size;
    side->count += size != 0;
    side->exponents += size >> 23;
}

/* The scale: the largest with which no digit of the side overflows. GF_SLICES_PLAIN where an element is not
 * finite, or where the elements lie on average more than 5 powers of two below the largest (with four slices
 * 13): such an element keeps 18 bits. */
GF_HD int32_t gf_slices_scale(struct gf_slices_side side, int32_t slices)
{
    const uint32_t field = side.most >> 23, allowed = slices == GF_SLICES_LEAST ? 5U : 13U;
    const uint64_t below = (uint64_t)field * side.count - side.exponents;
    const int32_t exponent = field > 0 ? (int32_t)field : 1;
    const int32_t high = (side.most & 0x7fffffU) > 0x7efefeU; /* beyond 127 * (256^S - 1) / 255 */
    return field == 255 || below > (uint64_t)allowed * side.count ? GF_SLICES_PLAIN
                                                                  : 125 + 8 * slices - exponent - high;
}

/* 2^p for -126 <= p <= 127. A scale may be larger: half of it first. 0 for both of a side that is plain. */
GF_HD float gf_slices_power(int32_t p)
{
    return gf_bits_float((uint32_t)(p + 127) << 23);
}
GF_HD float gf_slices_first(int32_t scale)
{
    return scale == GF_SLICES_PLAIN ? 0.0F : gf_slices_power(scale / 2);
}
GF_HD float gf_slices_second(int32_t scale)
{
    return scale == GF_SLICES_PLAIN ? 0.0F : gf_slices_power(scale - scale / 2);
}

/* The digits of v as the bytes of a word, d[S-1] the lowest. Products by powers of two are exact, or so small
 * that they become 0. Whatever v is, a side that is plain has zeros. */
GF_HD uint32_t gf_slices_digits(float v, float first, float second, int32_t slices)
{
    const float scaled = v * first * second;
    const uint32_t half = slices == GF_SLICES_LEAST ? 0x8080U : 0x808080U;
#ifdef __CUDA_ARCH__
    const uint32_t q = (uint32_t)__float2int_rn(scaled);
#else
    const uint32_t q = (uint32_t)gf_double_bits((double)scaled + 6755399441055744.0); /* 1.5 * 2^52 */
#endif
    return first != 0.0F ? (q + half) ^ half : 0;
}

/* d[slice] of a word. */
GF_HD int32_t gf_slices_digit(uint32_t word, int32_t slice, int32_t slices)
{
    return (int8_t)(uint8_t)(word >> 8 * (slices - 1 - slice));
}

/* The element of C from V. */
GF_HD float gf_slices_finish(int64_t sum, int32_t row, int32_t column, int32_t slices)
{
    return (float)((double)sum * gf_bits_double((uint64_t)(1023 + 8 * (slices - 1) - row - column) << 52));
}
