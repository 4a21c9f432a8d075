/* The score of match, N / sqrt(A B) rounded once to f32. One source for the CPU and for CUDA. */
#pragma once

#include "base/gf_num.h"
#include "base/planted_fault.h"

__extension__ typedef __int128 gf_match_int;
__extension__ typedef unsigned __int128 gf_match_wide;

/* n I - s t and the like: below 2^92, as sums are below 2^63 and n below 2^29. */
GF_HD gf_match_int gf_match_difference(uint64_t n, uint64_t sum, gf_match_wide squares)
{
    return (gf_match_int)((gf_match_wide)n * sum - squares);
}

/* Off by at most two roundings. */
GF_HD double gf_match_double(gf_match_wide v)
{
    return (double)(uint64_t)(v >> 64) * 18446744073709551616.0 + (double)(uint64_t)v;
}

/* a b, as its two halves. */
GF_HD void gf_match_product(gf_match_wide a, gf_match_wide b, gf_match_wide *high, gf_match_wide *low)
{
    const gf_match_wide mask = UINT64_MAX;
    const gf_match_wide ll = (a & mask) * (b & mask), lh = (a & mask) * (b >> 64);
    const gf_match_wide hl = (a >> 64) * (b & mask), hh = (a >> 64) * (b >> 64);
    const gf_match_wide middle = (ll >> 64) + (lh & mask) + (hl & mask);
    *low = (ll & mask) | middle << 64;
    *high = hh + (lh >> 64) + (hl >> 64) + (middle >> 64);
}

/* 1, 0 or -1: whether size / sqrt(a b) is greater than, equal to or less than m 2^-s, m of 25 bits. All four
 * products are below 2^118, as the two are nearly equal and a and b are below 2^92. */
GF_HD int gf_match_order(gf_match_wide size, gf_match_wide a, gf_match_wide b, uint64_t m, int s)
{
    gf_match_wide high[2], low[2];
    gf_match_product(size << s, size << s, &high[0], &low[0]);
    gf_match_product(a * m, b * m, &high[1], &low[1]);
    if (high[0] != high[1]) {
        return high[0] > high[1] ? 1 : -1;
    }
    return (low[0] > low[1]) - (low[0] < low[1]);
}

/* Of a quotient in f64, its low 29 bits, which f32 has not; half of an ulp of f32 is GF_MATCH_HALF. Within
 * GF_MATCH_DOUBT of that the quotient does not tell to which side it is to be rounded: |N|, A and B are off
 * by 2 roundings, so that A B is off by 5, its root by 3.5, and the quotient by 6.5 of at most 2^-53 each,
 * which is less than 7 units of its last place. */
#define GF_MATCH_LOW   UINT64_C(0x1fffffff)
#define GF_MATCH_HALF  UINT64_C(0x10000000)
#define GF_MATCH_DOUBT UINT64_C(16)

GF_HD int gf_match_in_doubt(double quotient)
{
    return (gf_double_bits(quotient) & GF_MATCH_LOW) - (GF_MATCH_HALF - GF_MATCH_DOUBT) <=
               2 * GF_MATCH_DOUBT &&
           !GF_FAULT(match_twice);
}

/* The f32 nearest to size / sqrt(a b), ties to even, to which `quotient` is near. */
GF_HD float gf_match_round(double quotient, gf_match_wide size, gf_match_wide a, gf_match_wide b)
{
    float score = (float)quotient;
    if (gf_match_in_doubt(quotient)) {
        const uint64_t bits = gf_double_bits(quotient), m = (bits >> 28 & 0xffffff) | 0x1000001;
        const int s = 24 + 1023 - (int)(bits >> 52);
        const float below = (float)gf_bits_double(bits & ~GF_MATCH_LOW);
        const int order = gf_match_order(size, a, b, m, s);
        const uint32_t up = order > 0 || (order == 0 && (gf_float_bits(below) & 1));
        score = gf_bits_float(gf_float_bits(below) + up);
    }
    return score;
}

/* The f32 nearest to n / sqrt(a b), ties to even. Its size is at most 1, by Cauchy and Schwarz, and at least
 * 2^-92 or 0, so that no result is subnormal. */
GF_HD float gf_match_score(gf_match_int n, gf_match_wide a, gf_match_wide b)
{
    if (a == 0 || b == 0 || n == 0) {
        return 0;
    }
    const gf_match_wide size = n < 0 ? -(gf_match_wide)n : (gf_match_wide)n;
    const double quotient = gf_match_double(size) / gf_sqrt_double(gf_match_double(a) * gf_match_double(b));
    const float score = gf_match_round(quotient, size, a, b);
    return n < 0 ? -score : score;
}
