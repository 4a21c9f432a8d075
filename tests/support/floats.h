/* floats.h: seeded numbers for the tests of arithmetic, the same on host and device. f32 values come from all
 * bit patterns, the awkward ones more often than chance would bring them. */
#ifndef TESTS_FLOATS_H
#define TESTS_FLOATS_H

#include "base/gf_num.h"

/* The n-th number of stream `stream`: splitmix64, so any element costs the same. */
GF_HD uint64_t random_at(uint64_t stream, uint64_t n)
{
    uint64_t z = (stream * 0x2545f4914f6cdd1dU) + (n + 1U) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* An f32 from 64 random bits. By the low 3 bits: 0 to 2 any pattern; 3 a special value; 4 subnormal or near;
 * 5 in [-2, 2) with few bits; 6 a half integer below 2^17; 7 in [0, 1]. */
GF_HD float float_from(uint64_t random)
{
    uint32_t bits = (uint32_t)(random >> 32);
    uint32_t sign = bits & 0x80000000U;
    switch (random & 7U) {
    case 3: {
        /* 0, least subnormal, greatest subnormal, least normal, 1, greatest finite, inf, NaN */
        uint32_t which = (bits >> 8) & 7U;
        uint32_t special = which == 0   ? 0U
                           : which == 1 ? 1U
                           : which == 2 ? 0x7fffffU
                           : which == 3 ? 0x800000U
                           : which == 4 ? 0x3f800000U
                           : which == 5 ? 0x7f7fffffU
                           : which == 6 ? 0x7f800000U
                                        : 0x7f800001U + (bits & 0x3fffffU);
        return gf_bits_float(sign | special);
    }
    case 4:
        return gf_bits_float(sign | (bits & 0x03ffffffU));
    case 5:
        return (float)((int32_t)(bits >> 20) - 2048) / 1024.0F;
    case 6:
        return (float)((int32_t)(bits >> 13) - 262144) * 0.5F;
    case 7:
        return (float)(bits >> 8) / 16777215.0F;
    default:
        return gf_bits_float(bits);
    }
}

/* A third operand for a * b + c from 64 random bits: often near -a * b, near a tie of the sum, or so small
 * that it only breaks a tie. */
GF_HD float addend_for(float a, float b, uint64_t random)
{
    uint32_t bits = (uint32_t)(random >> 32);
    float product = gf_canonical(a * b); /* its bits make numbers below: no machine's own NaN */
    switch (random & 3U) {
    case 0:
        return float_from(random >> 2);
    case 1: /* cancels but for a few units in the last place */
        return gf_bits_float((gf_float_bits(product) ^ 0x80000000U) + (bits & 7U) - 3U);
    case 2: /* 2^20 to 2^28 times smaller or larger, either sign */
        return gf_bits_float(gf_float_bits(product) +
                             ((((bits & 15U) + 13U) << 23) * (bits & 16U ? 1U : ~0U)) + (bits & 0x80000000U));
    default: /* a power of two: ties are exact */
        return gf_bits_float(bits & 0xff800000U);
    }
}

/* The same value: equal bits, or both NaN. */
GF_HD int32_t same_float(float p, float q)
{
    return gf_float_bits(gf_canonical(p)) == gf_float_bits(gf_canonical(q));
}

#endif
