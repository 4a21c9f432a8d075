/* Vectors of f32 of the SIMD level that the includer is compiled for: W lanes, loads, fused products and
 * shuffles by lists of lanes. */
#pragma once

#include "base/gf_num.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define W 16
#elif defined(__AVX2__)
#define W 8
#else
#define W 4
#endif

#define INLINE static inline __attribute__((always_inline))

typedef float vec __attribute__((vector_size(4 * W)));
typedef float vec_anywhere __attribute__((vector_size(4 * W), aligned(4), may_alias));

static inline vec load(const float *at)
{
    return *(const vec_anywhere *)(const void *)at;
}

static inline void store(float *at, vec v)
{
    *(vec_anywhere *)(void *)at = v;
}

static inline vec set(float v)
{
    return v - (vec){0}; /* all lanes; -0 stays -0 */
}

/* v, with the canonical NaN for any. */
static inline vec one_nan(vec v)
{
    typedef int32_t bits __attribute__((vector_size(4 * W)));
    const bits number = v == v, other = (bits){0} + (int32_t)GF_CANONICAL_NAN;
    return (vec)(((bits)v & number) | (other & ~number));
}

/* a b + c, and a b - c, rounded once. Without the instruction it is long, so it stands once. */
#if defined(__AVX2__) || defined(__aarch64__)
#define FUSED static inline
#else
#define FUSED __attribute__((noinline)) static
#endif
FUSED vec fused(vec a, vec b, vec c)
{
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, c);
#elif defined(__AVX2__)
    return _mm256_fmadd_ps(a, b, c);
#else
    vec sum;
    for (int i = 0; i < W; i++) {
        sum[i] = gf_fma(a[i], b[i], c[i]);
    }
    return sum;
#endif
}

static inline vec fused_minus(vec a, vec b, vec c)
{
#if defined(__AVX512F__)
    return _mm512_fmsub_ps(a, b, c);
#elif defined(__AVX2__)
    return _mm256_fmsub_ps(a, b, c);
#else
    return fused(a, b, -c);
#endif
}

/* SHUFFLE(a, b, LANE, d): lane l is that of number LANE(l, d) of those of a, then b. */
#define LANES_4(f, d, l) f(l, d), f((l) + 1, d), f((l) + 2, d), f((l) + 3, d)
#define LANES_8(f, d, l) LANES_4(f, d, l), LANES_4(f, d, (l) + 4)
#if W == 16
#define LANES(f, d) LANES_8(f, d, 0), LANES_8(f, d, 8)
#elif W == 8
#define LANES(f, d) LANES_8(f, d, 0)
#else
#define LANES(f, d) LANES_4(f, d, 0)
#endif
#define SHUFFLE(a, b, f, d) __builtin_shufflevector(a, b, LANES(f, d))
#define EVEN(l, d)          (2 * (l))
#define ODD(l, d)           (2 * (l) + 1)
#define REVERSE(l, d)       (W - 1 - (l))
#define EVEN_BACK(l, d)     (2 * (W - 1 - (l)))
#define ODD_BACK(l, d)      (2 * (W - 1 - (l)) + 1)
#define ZIP_LOW(l, d)       ((l) / 2 + (l) % 2 * W)
#define ZIP_HIGH(l, d)      ((l) / 2 + (l) % 2 * W + W / 2)
#define EXCHANGE_LOW(l, d)  ((l) & (d) ? W + (l) - (d) : (l))
#define EXCHANGE_HIGH(l, d) ((l) & (d) ? W + (l) : (l) + (d))

/* Turns W vectors of W lanes round: what was number i of lane l becomes number l of lane i. */
#define TURN(d)                                                                                              \
    for (int i = 0; i < W; i++) {                                                                            \
        if ((i & (d)) == 0) {                                                                                \
            const vec a = v[i], b = v[i + (d)];                                                              \
            v[i] = SHUFFLE(a, b, EXCHANGE_LOW, d);                                                           \
            v[i + (d)] = SHUFFLE(a, b, EXCHANGE_HIGH, d);                                                    \
        }                                                                                                    \
    }
INLINE void turn_round(vec *v)
{
    TURN(1)
    TURN(2)
#if W > 4
    TURN(4)
#endif
#if W > 8
    TURN(8)
#endif
}
