/* gf_math.h: pow, exp, exp2, log and log2 of f32, the same bits in C11, C++17 and CUDA.
 *
 * No libm: arguments go to double, a core of separate multiplications and additions (no fma, no table, no
 * branch) works there, and one conversion rounds the result to f32. The cores are off by
 * less than 2^-34 of the result, so every f32 result lies within 0.501 units in the last place of the true
 * value, subnormal results included, and a result that f32 holds exactly is exact (pow(x, 1) is x).
 * Cost in f64 additions and multiplications: exp 19; log 17 and a division; pow 35 and a division. Loops
 * vectorise with clang, and with gcc 12 except gf_pow of one y for all elements. */
#pragma once

#include "base/gf_num.h"

#define GF_INFINITY_BITS 0x7f800000U

/* 2^t in double for any t: 2^round(t) from exponent bits, times a polynomial in the rest r, |r| <= 1/2: the
 * minimax fit of degree 7 in relative error (Remez exchange), error 4.1e-11. t is clamped to [-256, 256],
 * which f32 rounds to 0 and infinity. NaN stays NaN. */
GF_HD double gf_exp2_core(double t)
{
    const double shifter = 6755399441055744.0; /* 1.5 * 2^52: the sum's low bits are the rounded integer */
    t = t < -256.0 ? -256.0 : t;
    t = t > 256.0 ? 256.0 : t;
    double shifted = t + shifter;
    double r = t - (shifted - shifter);
    double p = 1.5201923034329668e-05;
    p = p * r + 1.5469291398546734e-04;
    p = p * r + 1.3333922559069602e-03;
    p = p * r + 9.6180272528720110e-03;
    p = p * r + 5.5504103534510664e-02;
    p = p * r + 2.4022651198163583e-01;
    p = p * r + 6.9314718072844720e-01;
    p = p * r + 9.9999999996168120e-01;
    return p * gf_bits_double((gf_double_bits(shifted) + 1023U) << 52); /* for NaN any factor will do */
}

/* log2(x) in double for a finite x > 0 that is a normal double: x = 2^k m with m in [sqrt(1/2), sqrt(2)),
 * log2(m) = s P(s^2) with s = (m - 1) / (m + 1): minimax fit of degree 5 in s^2, error 2.7e-14 relative, also
 * near x = 1, where k is 0. */
GF_HD double gf_log2_core(double x)
{
    const uint64_t one = 0x3ff0000000000000U;
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcdU;
    uint64_t moved = gf_double_bits(x) + (one - sqrt_half); /* exponent k + 1023 */
    double m = gf_bits_double((moved & 0xfffffffffffffU) + sqrt_half);
    double k = gf_bits_double((moved >> 52) | 0x4330000000000000U) - 4503599627371519.0; /* 2^52 + 1023 */
    double s = (m - 1.0) / (m + 1.0);
    double z = s * s;
    double p = 2.8289949768150574e-01;
    p = p * z + 3.1990574078258110e-01;
    p = p * z + 4.1220925138149560e-01;
    p = p * z + 5.7707794237378330e-01;
    p = p * z + 9.6179669411331610e-01;
    p = p * z + 2.8853900817778500e+00;
    return p * s + k;
}

/* log2(|v|) in double for any v: -inf for 0, inf for inf, NaN for NaN. */
GF_HD double gf_log2_magnitude(float v)
{
    double magnitude = (double)gf_bits_float(gf_float_bits(v) & 0x7fffffffU);
    double infinity = (double)gf_bits_float(GF_INFINITY_BITS);
    double finite = gf_log2_core(magnitude); /* defined, but unused, for 0, inf and NaN */
    double special = magnitude == 0.0 ? -infinity : magnitude;
    return ((magnitude > 0.0) & (magnitude < infinity)) ? finite : special;
}

/* 1 for whole numbers and infinities, else (NaN too) 0. Adding 2^23 leaves no bit for a fraction. */
GF_HD int32_t gf_is_integer(float v)
{
    float magnitude = gf_bits_float(gf_float_bits(v) & 0x7fffffffU);
    return (magnitude >= 8388608.0F) | ((magnitude + 8388608.0F) - 8388608.0F == magnitude);
}

/* These four are no stage's yet: they are for bilateral filters and expressions.
 *
 * 2^x; 0 for -inf, inf for inf, NaN for NaN. */
GF_HD float gf_exp2(float x)
{
    return (float)gf_exp2_core((double)x);
}

/* e^x; 0 for -inf, inf for inf, NaN for NaN. */
GF_HD float gf_exp(float x)
{
    return (float)gf_exp2_core((double)x * 1.4426950408889634);
}

/* Base 2 logarithm: -inf for both zeros, inf for inf, NaN for NaN and below zero. */
GF_HD float gf_log2(float x)
{
    return x < 0.0F ? gf_bits_float(GF_CANONICAL_NAN) : (float)gf_log2_magnitude(x);
}

/* Natural logarithm; special cases as gf_log2. */
GF_HD float gf_log(float x)
{
    return x < 0.0F ? gf_bits_float(GF_CANONICAL_NAN) : (float)(gf_log2_magnitude(x) * 0.6931471805599453);
}

/* The angle of (x, y) against the x axis in turns, from 0 to 1, towards y: 1/4 is straight along y. 0 for (0,
 * 0) and for y = -0 where x is positive; NaN where either is NaN or both are infinite. Off by less
 * than 1.2e-7 of a turn: a quotient, then the minimax polynomial of atan(q) / (2 pi q) in q^2 (degree 8,
 * Remez exchange, relative error 1.6e-8) by fma, then exact steps to the octant but for one rounding each. */
GF_HD float gf_turns(float y, float x)
{
    float size_x = gf_bits_float(gf_float_bits(x) & 0x7fffffffU);
    float size_y = gf_bits_float(gf_float_bits(y) & 0x7fffffffU);
    int32_t steep = size_y > size_x;
    float large = steep ? size_y : size_x, small = steep ? size_x : size_y;
    float q = gf_div(small, large == 0.0F ? 1.0F : large);
    float z = q * q;
    float p = 4.5357399e-04F;
    p = gf_fma(p, z, -2.5574016e-03F);
    p = gf_fma(p, z, 6.7945661e-03F);
    p = gf_fma(p, z, -1.1943456e-02F);
    p = gf_fma(p, z, 1.6935572e-02F);
    p = gf_fma(p, z, -2.2605803e-02F);
    p = gf_fma(p, z, 3.1819242e-02F);
    p = gf_fma(p, z, -5.3051234e-02F);
    p = gf_fma(p, z, 1.5915494e-01F);
    float t = p * q;
    t = steep ? 0.25F - t : t;
    t = x < 0.0F ? 0.5F - t : t;
    return y < 0.0F ? 1.0F - t : t;
}

/* x^y with the special cases of C99 (annex F.9.4.4):
 *   1 for y = 0 and for x = 1, whatever the other operand, NaN too; 1 for x = -1 and y infinite;
 *   NaN for finite x < 0 and finite y that is no integer, and for any other NaN operand;
 *   |x| < 1: y = -inf gives inf, y = inf gives 0; |x| > 1: the other way round;
 *   x = 0 and x infinite: 0 or infinite by the sign of y;
 *   the result has x's sign (that of -0 and -inf too) where y is an odd integer, else it is not negative.
 * No flag or errno is promised. */
GF_HD float gf_pow(float x, float y)
{
    double log2_x = gf_log2_magnitude(x);
    double y_wide = (double)y;
    double at_one = y_wide == y_wide ? 0.0 : y_wide; /* for |x| = 1, instead of 0 * infinity */
    double t = log2_x == 0.0 ? at_one : log2_x * y_wide;
    float power = (float)gf_exp2_core(t);

    int32_t is_integer = gf_is_integer(y);
    uint32_t odd_sign = (is_integer & !gf_is_integer(0.5F * y)) ? 0x80000000U : 0U;
    uint32_t not_real = is_integer ? 0U : GF_CANONICAL_NAN;
    uint32_t below_zero = gf_float_bits(x) - 0x80000001U < 0x7f7fffffU; /* finite, and no -0 */
    uint32_t bits = gf_float_bits(power) ^ (gf_float_bits(x) & odd_sign);
    power = gf_bits_float(bits | ((0U - below_zero) & not_real)); /* NaN where both hold */
    power = x == 1.0F ? 1.0F : power;
    return y == 0.0F ? 1.0F : power;
}
