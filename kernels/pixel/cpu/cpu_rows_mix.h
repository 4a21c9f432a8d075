/* Row functions that mix the three channels of pixels of bytes by a matrix. Part of cpu_rows.c. */
#pragma once

#include "pixel/cpu/cpu_rows.h"

#include "base/planted_fault.h"
#include "pixel/cpu/cpu_simd.h"

#if defined(__AVX512BW__) || (defined(__AVX2__) && defined(__FMA__))

enum { MIX_PARTS = 16 / GF_SIMD_FLOAT }; /* vectors of f32 that 16 samples make */

/* Shuffles that take the samples of channel c from vector k of 16 pixels of RGB (apart), and put them there.
 */
static inline void mix_orders(__m128i apart[3][3], __m128i together[3][3])
{
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            unsigned char takes[16], puts[16];
            for (int i = 0; i < 16; i++) {
                const int from = 3 * i + (GF_FAULT(mix_order) ? 2 : c) - 16 * k, to = 16 * k + i;
                takes[i] = (unsigned char)(from >= 0 && from < 16 ? from : 0x80);
                puts[i] = (unsigned char)(to % 3 == c ? to / 3 : 0x80);
            }
            apart[c][k] = _mm_loadu_si128((const __m128i *)(const void *)takes);
            together[c][k] = _mm_loadu_si128((const __m128i *)(const void *)puts);
        }
    }
}

static inline __m128i shuffled(const __m128i v[3], __m128i a, __m128i b, __m128i c)
{
    return _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(v[0], a), _mm_shuffle_epi8(v[1], b)),
                        _mm_shuffle_epi8(v[2], c));
}

#if defined(__AVX512BW__)

static inline void widened(__m128i samples, gf_vf f[MIX_PARTS])
{
    f[0] = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(samples));
}

/* gf_quantise_u8: 0 for NaN; what is too large for an integer becomes 2^31, and that 255. */
static inline __m128i narrowed(const gf_vf sum[MIX_PARTS])
{
    return _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(_mm512_max_ps(sum[0], _mm512_setzero_ps())));
}

/* 64 pixels of RGB are 192 bytes in three vectors. These are the places of a channel's samples in the first
 * two of them, then in those and the third; and of the samples of two channels in a vector of pixels, then of
 * the third. */
#define TAKES_TWO(c, i)   ((3 * (i) + (c)) & 127)
#define TAKES_THIRD(c, i) (3 * (i) + (c) < 128 ? (i) : 3 * (i) + (c)-64)
#define PUTS_TWO(c, i)    ((64 * (c) + (i)) / 3 + ((64 * (c) + (i)) % 3 == 1 ? 64 : 0))
#define PUTS_THIRD(c, i)  ((64 * (c) + (i)) % 3 == 2 ? 64 + (64 * (c) + (i)) / 3 : (i))
#define FOUR(f, c, i)     f(c, i), f(c, (i) + 1), f(c, (i) + 2), f(c, (i) + 3)
#define SIXTEEN(f, c, i)  FOUR(f, c, i), FOUR(f, c, (i) + 4), FOUR(f, c, (i) + 8), FOUR(f, c, (i) + 12)
#define ALL(f, c)                                                                                            \
    {                                                                                                        \
        SIXTEEN(f, c, 0), SIXTEEN(f, c, 16), SIXTEEN(f, c, 32), SIXTEEN(f, c, 48)                            \
    }

static const uint8_t mix_takes[3][2][64] = {{ALL(TAKES_TWO, 0), ALL(TAKES_THIRD, 0)},
                                            {ALL(TAKES_TWO, 1), ALL(TAKES_THIRD, 1)},
                                            {ALL(TAKES_TWO, 2), ALL(TAKES_THIRD, 2)}};
static const uint8_t mix_puts[3][2][64] = {{ALL(PUTS_TWO, 0), ALL(PUTS_THIRD, 0)},
                                           {ALL(PUTS_TWO, 1), ALL(PUTS_THIRD, 1)},
                                           {ALL(PUTS_TWO, 2), ALL(PUTS_THIRD, 2)}};

#define VBMI __attribute__((target("avx512vbmi")))

VBMI static inline __m512i two_places(const uint8_t (*places)[64], __m512i a, __m512i b, __m512i c)
{
    const __m512i both = _mm512_permutex2var_epi8(a, _mm512_loadu_si512(places[0]), b);
    return _mm512_permutex2var_epi8(both, _mm512_loadu_si512(places[1]), c);
}

/* 64 samples of a channel, 16 at a time. Unpacking and packing within 128 bits keeps their order. */
VBMI static inline void apart_f32(__m512i samples, __m512 f[4])
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i low = _mm512_unpacklo_epi8(samples, zero), high = _mm512_unpackhi_epi8(samples, zero);
    f[0] = _mm512_cvtepi32_ps(_mm512_unpacklo_epi16(low, zero));
    f[1] = _mm512_cvtepi32_ps(_mm512_unpackhi_epi16(low, zero));
    f[2] = _mm512_cvtepi32_ps(_mm512_unpacklo_epi16(high, zero));
    f[3] = _mm512_cvtepi32_ps(_mm512_unpackhi_epi16(high, zero));
}

/* gf_quantise_u8: what is too large becomes 255; NaN, which is kept, the least integer, and that 0. */
VBMI static inline __m512i quantised(__m512 sum)
{
    return _mm512_cvtps_epi32(_mm512_min_ps(_mm512_set1_ps(255.0F), sum));
}

VBMI static int64_t mix_vectors(const uint8_t *in, uint8_t *restrict out, int64_t pixels, const float (*m)[5])
{
    int64_t p = 0;
    for (; p + 64 <= pixels; p += 64) {
        __m512i v[3], made[3];
        __m512 f[3][4];
        for (int k = 0; k < 3; k++) {
            v[k] = _mm512_loadu_si512(in + 3 * p + 64 * k);
        }
        for (int c = 0; c < 3; c++) {
            apart_f32(two_places(mix_takes[GF_FAULT(mix_order) ? 2 : c], v[0], v[1], v[2]), f[c]);
        }
        for (int r = 0; r < 3; r++) {
            __m512i whole[4];
            for (int i = 0; i < 4; i++) {
                __m512 sum = _mm512_set1_ps(m[r][3]);
                for (int c = 0; c < 3; c++) {
                    sum = _mm512_fmadd_ps(_mm512_set1_ps(m[r][c]), f[c][i], sum);
                }
                whole[i] = quantised(sum);
            }
            made[r] = _mm512_packus_epi16(_mm512_packs_epi32(whole[0], whole[1]),
                                          _mm512_packs_epi32(whole[2], whole[3]));
        }
        for (int k = 0; k < 3; k++) {
            _mm512_storeu_si512(out + 3 * p + 64 * k, two_places(mix_puts[k], made[0], made[1], made[2]));
        }
    }
    return p;
}

#else

static inline void widened(__m128i samples, gf_vf f[MIX_PARTS])
{
    f[0] = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(samples));
    f[1] = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_unpackhi_epi64(samples, samples)));
}

/* gf_quantise_u8: what is too large becomes 255; NaN, which is kept, the least integer, and that 0. */
static inline __m128i narrowed(const gf_vf sum[MIX_PARTS])
{
    const gf_vi low = _mm256_cvtps_epi32(_mm256_min_ps(_mm256_set1_ps(255.0F), sum[0]));
    const gf_vi high = _mm256_cvtps_epi32(_mm256_min_ps(_mm256_set1_ps(255.0F), sum[1]));
    const gf_vi words = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);
    return _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

#endif

static void u8_mix(const uint8_t *in, uint8_t *restrict out, int64_t pixels, const float (*m)[5])
{
    __m128i apart[3][3], together[3][3];
    int64_t p = 0;
#if defined(__AVX512BW__)
    p = __builtin_cpu_supports("avx512vbmi") ? mix_vectors(in, out, pixels, m) : 0;
#endif
    if (p + 16 <= pixels) {
        mix_orders(apart, together);
    }
    for (; p + 16 <= pixels; p += 16) {
        __m128i v[3], made[3];
        gf_vf f[3][MIX_PARTS];
        for (int k = 0; k < 3; k++) {
            v[k] = _mm_loadu_si128((const __m128i *)(const void *)(in + 3 * p + 16 * k));
        }
        for (int c = 0; c < 3; c++) {
            widened(shuffled(v, apart[c][0], apart[c][1], apart[c][2]), f[c]);
        }
        for (int r = 0; r < 3; r++) {
            gf_vf sum[MIX_PARTS];
            for (int i = 0; i < MIX_PARTS; i++) {
                sum[i] = vf_set(m[r][3]);
                for (int c = 0; c < 3; c++) {
                    sum[i] = vf_fma(vf_set(m[r][c]), f[c][i], sum[i]);
                }
            }
            made[r] = narrowed(sum);
        }
        for (int k = 0; k < 3; k++) {
            const __m128i all = shuffled(made, together[0][k], together[1][k], together[2][k]);
            _mm_storeu_si128((__m128i *)(void *)(out + 3 * p + 16 * k), all);
        }
    }
    for (; p < pixels; p++) {
        for (int r = 0; r < 3; r++) {
            float sum = m[r][3];
            for (int c = 0; c < 3; c++) {
                sum = gf_fma(m[r][c], (float)in[3 * p + c], sum);
            }
            out[3 * p + r] = gf_quantise_u8(sum);
        }
    }
}

#define U8_MIX u8_mix
#else
#define U8_MIX NULL
#endif
