/* Blocks in the lanes of vectors of one SIMD level, for iir_rows.c. Without vectors there is only BLOCK. */
#pragma once

#include "signal/iir_make.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#if defined(__AVX512F__)
#include "signal/turn_rows.h"
enum { LANES = 8, LOG2_LANES = 3 };
typedef __m512d wide; /* f64 of all lanes */
typedef __m256 thin;  /* f32 of all lanes */
#define THIN(name) _mm256_##name
#define WIDE(name) _mm512_##name
#define NARROW(v)  _mm512_cvtpd_ps(v)
#define LOAD4(p, stride)                                                                                     \
    _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps((p) + 4 * (stride)), 1)
#define STORE4(p, stride, v)                                                                                 \
    (_mm_storeu_ps(p, _mm256_castps256_ps128(v)),                                                            \
     _mm_storeu_ps((p) + 4 * (stride), _mm256_extractf128_ps(v, 1)))
#elif defined(__AVX2__) && defined(__FMA__)
#include "signal/turn_rows.h"
enum { LANES = 4, LOG2_LANES = 2 };
typedef __m256d wide;
typedef __m128 thin;
#define THIN(name)           _mm_##name
#define WIDE(name)           _mm256_##name
#define NARROW(v)            _mm256_cvtpd_ps(v)
#define LOAD4(p, stride)     _mm_loadu_ps(p)
#define STORE4(p, stride, v) _mm_storeu_ps(p, v)
#endif

enum { BLOCK = GF_IIR_BLOCK };

#if defined(WIDE)
#define FMA(a, b, c) WIDE(fmadd_pd)(a, b, c)
#define SET(x)       WIDE(set1_pd)(x)
#define INLINE       static inline __attribute__((always_inline))

enum { TILE = LANES * BLOCK /* frames: neighbouring blocks, one a lane */ };

GF_DEFINE_TURN(thin, THIN)

/* Four frames of each lane. */
INLINE void load(const float *x, wide to[4])
{
    thin v[4];
    for (int l = 0; l < 4; l++) {
        v[l] = LOAD4(x + l * BLOCK, BLOCK);
    }
    turn(v);
    for (int l = 0; l < 4; l++) {
        to[l] = WIDE(cvtps_pd)(THIN(fmadd_ps)(v[l], THIN(setzero_ps)(), v[l]));
    }
}

INLINE void store(const wide from[4], float *y)
{
    thin v[4];
    for (int l = 0; l < 4; l++) {
        v[l] = NARROW(from[l]);
    }
    turn(v);
    for (int l = 0; l < 4; l++) {
        STORE4(y + l * BLOCK, BLOCK, v[l]);
    }
}

/* Those lanes of a and b that come first, third, ... and second, fourth, ...; and back. */
INLINE void part(wide a, wide b, wide *left, wide *right)
{
#if defined(__AVX512F__)
    *left = _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), b);
    *right = _mm512_permutex2var_pd(a, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), b);
#else
    const wide low = _mm256_permute2f128_pd(a, b, 0x20), high = _mm256_permute2f128_pd(a, b, 0x31);
    *left = _mm256_unpacklo_pd(low, high);
    *right = _mm256_unpackhi_pd(low, high);
#endif
}

INLINE void weave(wide left, wide right, wide *a, wide *b)
{
#if defined(__AVX512F__)
    *a = _mm512_permutex2var_pd(left, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), right);
    *b = _mm512_permutex2var_pd(left, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), right);
#else
    const wide low = _mm256_unpacklo_pd(left, right), high = _mm256_unpackhi_pd(left, right);
    *a = _mm256_permute2f128_pd(low, high, 0x20);
    *b = _mm256_permute2f128_pd(low, high, 0x31);
#endif
}

/* How `count` states end after blocks of two tiles from 0, those of the next tile `n` behind; sums[i * n] are
 * the factors of frame i. One tile alone would have the processor wait. */
INLINE void add_states(int count, const double *sums, int n, const float *x, wide *end)
{
    wide sum[2][8];
    for (int j = 0; j < 2 * count; j++) {
        sum[j / count][j % count] = SET(0.0);
    }
    for (int i = 0; i < BLOCK; i += 4) {
        wide v[2][4];
        load(x + i, v[0]);
        load(x + TILE + i, v[1]);
#pragma GCC unroll 4
        for (int l = 0; l < 4; l++) {
#pragma GCC unroll 8
            for (int j = 0; j < count; j++) {
                const wide factor = SET(sums[(i + l) * n + j]);
                sum[0][j] = FMA(factor, v[0][l], sum[0][j]);
                sum[1][j] = FMA(factor, v[1][l], sum[1][j]);
            }
        }
    }
    for (int j = 0; j < count; j++) {
        end[j] = sum[0][j];
        end[n + j] = sum[1][j];
    }
}

/* One section or two over blocks of two tiles, from x where they are the `first` of all, else from `tile`; to
 * y, or where that is NULL, to `tile`; from states s, those of the next tile `next` behind. plain: sections
 * but the first one of all have b0 = b2 = 1, so that there is nothing to multiply. next_y: where later tiles
 * go. */
INLINE void run_sections(int count, bool first, bool plain, const struct gf_section *c, const wide *s,
                         int next, const float *x, wide (*tile)[BLOCK], float *y, const float *next_y)
{
    wide b0[2], b1[2], b2[2], a1[2], a2[2], s1[2][2], s2[2][2];
#pragma GCC unroll 2
    for (int k = 0; k < count; k++) {
        b0[k] = SET(c[k].b0);
        b1[k] = SET(c[k].b1);
        b2[k] = SET(c[k].b2);
        a1[k] = SET(-c[k].a1);
        a2[k] = SET(-c[k].a2);
#pragma GCC unroll 2
        for (int t = 0; t < 2; t++) {
            s1[t][k] = s[t * next + 2 * k];
            s2[t][k] = s[t * next + 2 * k + 1];
        }
    }
    for (int i = 0; i < BLOCK; i += 4) {
        wide v[2][4];
#pragma GCC unroll 2
        for (int t = 0; t < 2; t++) {
            if (first) {
                load(x + t * TILE + i, v[t]);
                for (int line = 0; line < LANES * 4; line += 16) {
                    __builtin_prefetch(next_y + t * TILE + i * LANES + line, 1);
                }
            } else {
                memcpy(v[t], tile[t] + i, sizeof v[t]);
            }
        }
#pragma GCC unroll 8
        for (int l = 0; l < 8; l++) { /* frame l / 2 of tile l % 2 */
#pragma GCC unroll 2
            for (int k = 0; k < count; k++) {
                const bool one = plain && !(first && k == 0);
                wide *s1k = &s1[l % 2][k], *s2k = &s2[l % 2][k], *at = &v[l % 2][l / 2], in = *at;
                *at = one ? (wide)(in + *s1k) : FMA(b0[k], in, *s1k);
                *s1k = FMA(a1[k], *at, FMA(b1[k], in, *s2k));
                *s2k = FMA(a2[k], *at, one ? in : (wide)(b2[k] * in));
            }
        }
#pragma GCC unroll 2
        for (int t = 0; t < 2; t++) {
            if (y) {
                store(v[t], y + t * TILE + i);
            } else {
                memcpy(tile[t] + i, v[t], sizeof v[t]);
            }
        }
    }
    for (int l = 0; l < 2 * LANES && y; l++) {
        const double last = s1[l / LANES][count - 1][l % LANES]; /* NaN where any frame is */
        for (int i = 0; i < BLOCK && isnan(last); i++) {
            y[l * BLOCK + i] = gf_canonical(y[l * BLOCK + i]);
        }
    }
}

#endif
