/* Row functions of what reads two pictures. Part of cpu_rows.c. */
#pragma once

#include "pixel/cpu/cpu_rows.h"

#include "base/cpu_stream.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_simd.h"
#include "pixel/ir/program.h"

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
    case GF_INSN_QUOTIENT:
        combine_as(insn, v, o, n, GF_INSN_QUOTIENT, 0);
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
    case GF_BLEND_DIVIDE:
        combine_as(insn, v, o, n, GF_INSN_BLEND, GF_BLEND_DIVIDE);
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

/* The same past the caches. */
static inline __attribute__((always_inline)) void
u8_blend_past(int32_t mode, const uint8_t *v, const uint8_t *o, uint8_t *restrict out, int64_t n)
{
    int64_t i = 0;
#ifdef GF_STREAM_STEP
    i = (int64_t)gf_cpu_stream_head(out, (size_t)n);
    u8_blend_as(mode, v, o, out, i);
    for (; i + GF_STREAM_STEP <= n; i += GF_STREAM_STEP) {
        uint8_t made[GF_STREAM_STEP];
        u8_blend_as(mode, v + i, o + i, made, GF_STREAM_STEP);
        gf_cpu_stream_step(out + i, made);
    }
#endif
    u8_blend_as(mode, v + i, o + i, out + i, n - i);
}

static inline __attribute__((always_inline)) void
u8_blend_to(int32_t mode, const uint8_t *v, const uint8_t *o, uint8_t *restrict out, int64_t n, bool past)
{
    if (past) {
        u8_blend_past(mode, v, o, out, n);
    } else {
        u8_blend_as(mode, v, o, out, n);
    }
}

/* Two streams from memory come faster by 32 bytes than by 64 on processors whose caches take these in halves.
 */
#if defined(__AVX512F__) && !defined(__clang__)
__attribute__((target("prefer-vector-width=256")))
#endif
static void
u8_blend(int32_t mode, const uint8_t *v, const uint8_t *o, uint8_t *restrict out, int64_t n, bool past)
{
    switch (mode) {
    case GF_BLEND_ADD:
        u8_blend_to(GF_BLEND_ADD, v, o, out, n, past);
        break;
    case GF_BLEND_SUBTRACT:
        u8_blend_to(GF_BLEND_SUBTRACT, v, o, out, n, past);
        break;
    case GF_BLEND_MIN:
        u8_blend_to(GF_BLEND_MIN, v, o, out, n, past);
        break;
    case GF_BLEND_MAX:
        u8_blend_to(GF_BLEND_MAX, v, o, out, n, past);
        break;
    default:
        u8_blend_to(GF_BLEND_DIFFERENCE, v, o, out, n, past);
    }
}
