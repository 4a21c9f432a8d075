/* Row functions of what reads two pictures. Part of cpu_rows.c. */
#ifndef GF_PIXEL_CPU_ROWS_BLEND_H
#define GF_PIXEL_CPU_ROWS_BLEND_H

#include "pixel/cpu_rows.h"

#include "base/planted_fault.h"
#include "pixel/cpu_simd.h"
#include "pixel/program.h"

static inline __attribute__((always_inline)) void combine_as(const struct gf_insn *insn, float *restrict v,
                                                             const float *restrict o, int64_t n, uint8_t code,
                                                             uint8_t arg)
{
    const struct gf_insn what = {.code = code, .arg = arg, .k = {insn->k[0], insn->k[1]}};
    for (int64_t i = 0; i < n; i++) {
        v[i] = gf_insn_combine(&what, v[i], o[i], 0.0F);
    }
}

/* Each loop is one instruction in one mode, so that it vectorises. */
static void combine(const struct gf_insn *insn, float *restrict v, const float *restrict o,
                    const float *restrict alpha, int64_t n)
{
    if (alpha) {
        const struct gf_insn what = *insn;
        for (int64_t i = 0; i < n; i++) {
            v[i] = gf_insn_combine(&what, v[i], o[i], alpha[i]);
        }
        return;
    }
    switch (insn->code) {
    case GF_INSN_SHARPEN:
        combine_as(insn, v, o, n, GF_INSN_SHARPEN, 0);
        return;
    case GF_INSN_EXCEEDS:
        combine_as(insn, v, o, n, GF_INSN_EXCEEDS, 0);
        return;
    case GF_INSN_SUM:
        combine_as(insn, v, o, n, GF_INSN_SUM, 0);
        return;
    case GF_INSN_MASK:
        combine_as(insn, v, o, n, GF_INSN_MASK, 0);
        return;
    default:
        break;
    }
    switch (insn->arg & (GF_OPERAND_FIRST - 1)) {
    case GF_BLEND_OVER:
        combine_as(insn, v, o, n, GF_INSN_BLEND, GF_BLEND_OVER);
        break;
    case GF_BLEND_ADD:
        combine_as(insn, v, o, n, GF_INSN_BLEND, GF_BLEND_ADD);
        break;
    case GF_BLEND_MULTIPLY:
        combine_as(insn, v, o, n, GF_INSN_BLEND, GF_BLEND_MULTIPLY);
        break;
    case GF_BLEND_DIFFERENCE:
        combine_as(insn, v, o, n, GF_INSN_BLEND, GF_BLEND_DIFFERENCE);
        break;
    default:
        combine_as(insn, v, o, n, insn->code, insn->arg & (GF_OPERAND_FIRST - 1));
    }
}

static inline __attribute__((always_inline)) void
u8_blend_as(int32_t mode, const uint8_t *v, const uint8_t *o, uint8_t *restrict out, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint8_t a = v[GF_FAULT(pair_bytes) ? n - 1 - i : i], b = o[i];
        const uint8_t most = a > b ? a : b, least = a > b ? b : a, left = (uint8_t)(255 - a);
        out[i] = mode == GF_BLEND_ADD        ? (uint8_t)(a + (left < b ? left : b))
                 : mode == GF_BLEND_SUBTRACT ? (uint8_t)(most - b)
                 : mode == GF_BLEND_MIN      ? least
                 : mode == GF_BLEND_MAX      ? most
                                             : (uint8_t)(most - least);
    }
}

static void u8_blend(int32_t mode, const uint8_t *v, const uint8_t *o, uint8_t *restrict out, int64_t n)
{
    switch (mode) {
    case GF_BLEND_ADD:
        u8_blend_as(GF_BLEND_ADD, v, o, out, n);
        break;
    case GF_BLEND_SUBTRACT:
        u8_blend_as(GF_BLEND_SUBTRACT, v, o, out, n);
        break;
    case GF_BLEND_MIN:
        u8_blend_as(GF_BLEND_MIN, v, o, out, n);
        break;
    case GF_BLEND_MAX:
        u8_blend_as(GF_BLEND_MAX, v, o, out, n);
        break;
    default:
        u8_blend_as(GF_BLEND_DIFFERENCE, v, o, out, n);
    }
}

#if defined(__AVX512BW__)

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

static void u8_mix(const uint8_t *in, uint8_t *restrict out, int64_t pixels, const float (*m)[5])
{
    __m128i apart[3][3], together[3][3];
    int64_t p = 0;
    mix_orders(apart, together);
    for (; p + 16 <= pixels; p += 16) {
        __m128i v[3], made[3];
        __m512 f[3];
        for (int k = 0; k < 3; k++) {
            v[k] = _mm_loadu_si128((const __m128i *)(const void *)(in + 3 * p + 16 * k));
        }
        for (int c = 0; c < 3; c++) {
            const __m128i samples = shuffled(v, apart[c][0], apart[c][1], apart[c][2]);
            f[c] = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(samples));
        }
        for (int r = 0; r < 3; r++) {
            __m512 sum = _mm512_set1_ps(m[r][3]);
            for (int c = 0; c < 3; c++) {
                sum = _mm512_fmadd_ps(_mm512_set1_ps(m[r][c]), f[c], sum);
            }
            /* gf_quantise_u8: 0 for NaN; what is too large for an integer becomes 2^31, and that 255 */
            const __m512i rounded = _mm512_cvtps_epi32(_mm512_max_ps(sum, _mm512_setzero_ps()));
            made[r] = _mm512_cvtusepi32_epi8(rounded);
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

#endif
