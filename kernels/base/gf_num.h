/* gf_num.h: the arithmetic that every backend shares. One source for C11, C++17 and CUDA, the same bits
 * in each; docs/exactness.md states what users may rely on.
 *
 * Holds for IEEE 754 arithmetic, round to nearest, subnormals kept, and compilers that contract nothing:
 * gcc and clang with -ffp-contract=off, nvcc with -fmad=false. Every function is pure and safe in any
 * thread. Which NaN an operation yields is open everywhere: gf_canonical makes it one before a store.
 * See gf_math.h for pow, exp and log, gf_border.h for borders, gf_divider.h for box sums. */
#pragma once

#include <float.h>
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "gf_num.h needs IEEE arithmetic: compile without -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2)
#error "gf_num.h needs float expressions evaluated as float: compile for SSE2, not x87"
#endif

/* Marks a function that host and device share. */
#ifdef __CUDACC__
#define GF_HD static __host__ __device__ __forceinline__
#else
#define GF_HD static inline
#endif

/* ---- bits ---- */

GF_HD uint32_t gf_float_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

GF_HD float gf_bits_float(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

GF_HD uint64_t gf_double_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

GF_HD double gf_bits_double(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* ---- fma, sqrt, division: one correct rounding each ---- */

/* a * b + c rounded once, without a hardware fma and without a branch, so that loops vectorise on SSE2.
 * The product is exact in double (48 bits). The sum is rounded to odd: the error of the addition (Knuth's
 * two-sum) says whether and to which side it was inexact, and then an even last bit steps to the odd
 * neighbour on that side. With 53 >= 24 + 2 bits the second rounding then cannot go wrong (Boldo and
 * Melquiond, "Emulation of FMA and correctly rounded sums", 2008), subnormal results included. For an
 * infinite or NaN sum the error is NaN and nothing is stepped. */
GF_HD float gf_fma_exact(float a, float b, float c)
{
    double product = (double)a * (double)b;
    double addend = (double)c;
    double sum = product + addend;
    double part = sum - product;
    double error = (product - (sum - part)) + (addend - part);
    uint64_t bits = gf_double_bits(sum);
    uint64_t away = (gf_double_bits(error) ^ bits) >> 63; /* 1: the exact sum is nearer to zero */
    uint64_t size = gf_double_bits(error) & 0x7fffffffffffffffU;
    uint64_t not_zero = (size + 0x7fffffffffffffffU) >> 63;
    uint64_t is_nan = (0x7ff0000000000000U - size) >> 63;
    uint64_t step = not_zero & ~is_nan & ~bits & 1U;
    bits += (step ^ (0U - away)) + away; /* +step or -step */
    return (float)gf_bits_double(bits);
}

/* a * b + c rounded once: the hardware's instruction where the file is compiled for one. */
GF_HD float gf_fma(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#elif defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(a, b, c);
#else
    return gf_fma_exact(a, b, c);
#endif
}

/* Correctly rounded; NaN below zero, -0 for -0. */
GF_HD float gf_sqrt(float v)
{
#ifdef __CUDA_ARCH__
    return __fsqrt_rn(v);
#else
    return __builtin_sqrtf(v);
#endif
}

/* The same in f64. */
GF_HD double gf_sqrt_double(double v)
{
#ifdef __CUDA_ARCH__
    return __dsqrt_rn(v);
#else
    return __builtin_sqrt(v);
#endif
}

/* a / b correctly rounded; IEEE results for zero, infinity and NaN. */
GF_HD float gf_div(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fdiv_rn(a, b);
#else
    return a / b;
#endif
}

/* ---- to integers ---- */

/* Clamps v to [lo, hi], -2^22 <= lo <= 0 <= hi <= 2^22, then rounds half to even; NaN gives 0. Adding
 * 1.5 * 2^23 leaves the rounded integer in the low bits of the sum. */
GF_HD int32_t gf_quantise(float v, float lo, float hi)
{
    v = v == v ? v : 0.0F;
    v = v > lo ? v : lo;
    v = v < hi ? v : hi;
    return (int32_t)gf_float_bits(v + 12582912.0F) - 0x4b400000;
}

/* f32 in sample units to an integer format: NaN to 0, clamped, half to even. */
GF_HD uint8_t gf_quantise_u8(float v)
{
    v = v > 0.0F ? v : 0.0F; /* NaN too */
    v = v < 255.0F ? v : 255.0F;
    return (uint8_t)gf_float_bits(v + 12582912.0F);
}

GF_HD uint16_t gf_quantise_u16(float v)
{
    v = v > 0.0F ? v : 0.0F; /* NaN too */
    v = v < 65535.0F ? v : 65535.0F;
    return (uint16_t)gf_float_bits(v + 12582912.0F);
}

GF_HD int16_t gf_quantise_s16(float v)
{
    return (int16_t)gf_quantise(v, -32768.0F, 32767.0F);
}

GF_HD uint8_t gf_clamp_u8(int32_t x)
{
    x = x > 0 ? x : 0;
    return (uint8_t)(x < 255 ? x : 255);
}

/* Bytes of colour times alpha, rounded; and back, rounded down: the quotient is whole where it seems to be.
 */
GF_HD uint32_t gf_times_alpha_u8(uint32_t colour, uint32_t alpha)
{
    const uint32_t product = colour * alpha + 128;
    return (product + (product >> 8)) >> 8;
}

GF_HD float gf_by_alpha_u8(float colour, float alpha)
{
    const float quotient = gf_div(255.0F * colour, alpha);
    const float whole = (float)(int32_t)(quotient < 255.0F ? quotient : 255.0F);
    return alpha > 0.0F ? whole : colour;
}

/* ---- NaN, order, minimum and maximum ---- */

#define GF_CANONICAL_NAN 0x7fc00000U

/* v, and for any NaN the one with bits 0x7fc00000. The f32 store of every pass goes through this. */
GF_HD float gf_canonical(float v)
{
    return v == v ? v : gf_bits_float(GF_CANONICAL_NAN);
}

/* The same of f64. */
GF_HD double gf_canonical_double(double v)
{
    return v == v ? v : gf_bits_double(0x7ff8000000000000U);
}

/* A key whose unsigned order is a total order of f32: -inf < numbers < +inf < NaN, -0 < +0. Every NaN has
 * the same key, 0xffc00000; 0xffffffff is no value's key. */
GF_HD uint32_t gf_float_key(float v)
{
    uint32_t bits = gf_float_bits(gf_canonical(v));
    return bits ^ ((0U - (bits >> 31)) | 0x80000000U);
}

/* The value of a key; the canonical NaN for NaN's. */
GF_HD float gf_key_float(uint32_t key)
{
    return gf_bits_float(key ^ (((key >> 31) - 1U) | 0x80000000U));
}

/* Minimum and maximum in the order of the keys: commutative and associative, so any tree gives the same
 * bits. Minimum skips NaN, maximum yields it (canonical); -0 is below +0. */
GF_HD float gf_min_ordered(float a, float b)
{
    uint32_t p = gf_float_key(a);
    uint32_t q = gf_float_key(b);
    return gf_key_float(p < q ? p : q);
}

GF_HD float gf_max_ordered(float a, float b)
{
    uint32_t p = gf_float_key(a);
    uint32_t q = gf_float_key(b);
    return gf_key_float(p > q ? p : q);
}

/* ---- histogram bins ---- */

enum { GF_BIN_NAN = -1, GF_BIN_BELOW = -2, GF_BIN_ABOVE = -3 };

/* The scale of gf_bin for `bins` equal bins over [lo, hi]: the largest f32 near bins / (hi - lo) that still
 * puts hi itself into the last bin. lo < hi, both finite, 1 <= bins <= 2^24, and hi - lo in
 * [2^-103, FLT_MAX]; the caller checks. */
GF_HD float gf_bin_scale(float lo, float hi, int32_t bins)
{
    float scale = gf_div((float)bins, hi - lo);
    float down = gf_bits_float(gf_float_bits(scale) - 1U);
    return (hi - lo) * scale > (float)bins ? down : scale;
}

/* The bin of v: t = (v - lo) * scale, each operation rounded to f32; floor(t) for 0 <= t < bins, the last
 * bin is closed (t = bins belongs to it); GF_BIN_BELOW for t < 0, exactly v < lo; GF_BIN_ABOVE for t > bins;
 * GF_BIN_NAN for NaN. numpy.histogram has the same intervals; a v within rounding of an inner edge, or of
 * hi from above, may fall on the other side of it here. */
GF_HD int32_t gf_bin(float v, float lo, float scale, int32_t bins)
{
    float t = (v - lo) * scale;
    int32_t inside = t >= 0.0F && t <= (float)bins;
    int32_t at = (int32_t)(inside ? t : 0.0F);
    int32_t outside = v != v ? GF_BIN_NAN : v < lo ? GF_BIN_BELOW : GF_BIN_ABOVE;
    at = at < bins ? at : bins - 1;
    return inside ? at : outside;
}

/* ---- colour to gray ---- */

/* BT.601 luma, 0.299 r + 0.587 g + 0.114 b. For integers the weights in 15 bits; their sum is 32768, so white
 * stays white. They are up to 1.7e-5 off: right for u8, more than one level for u16, which takes f32. */
#define GF_GRAY_R 9798
#define GF_GRAY_G 19235
#define GF_GRAY_B 3735

/* The weighted sum rounded half up. No overflow below 2^17. */
GF_HD uint32_t gf_gray_u(uint32_t r, uint32_t g, uint32_t b)
{
    return (GF_GRAY_R * r + GF_GRAY_G * g + GF_GRAY_B * b + 16384U) >> 15;
}

/* One chain r, g, b with the decimal weights rounded to f32; 1 for white. */
GF_HD float gf_gray_f32(float r, float g, float b)
{
    return gf_fma(0.114F, b, gf_fma(0.587F, g, 0.299F * r));
}

/* ---- whole numbers ------------------------------------------------------------------------ */

GF_HD int64_t gf_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

GF_HD int64_t gf_greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* a / b, rounded up; neither is negative. */
GF_HD int64_t gf_divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}
