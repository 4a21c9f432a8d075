/* What the instructions that read an operand do with one sample of it, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_math.h"
#include "base/planted_fault.h"
#include "pixel/ir/op.h"

GF_HD float gf_sharpen(float v, float o, float amount, float threshold)
{
    float lost = o - v;
    return (lost < 0.0F ? -lost : lost) < threshold ? o : gf_fma(amount, lost, o);
}

/* White where o lies above the level v, less an offset. */
GF_HD float gf_exceeds(float v, float o, float offset, float white)
{
    return o > v - offset ? white : 0.0F;
}

/* share of a, the rest of b; exactly one of them where share is 1 or 0 and both are finite. */
GF_HD float gf_mix(float share, float a, float b)
{
    return gf_fma(share, a, gf_fma(-share, b, b));
}

/* Returns what a blend makes of v and o, in fractions of white (enum gf_blend). */
GF_HD float gf_blend_of(int mode, float v, float o)
{
    switch (mode) {
    case GF_BLEND_ADD:
        return v + o;
    case GF_BLEND_SUBTRACT:
        return v - o;
    case GF_BLEND_MULTIPLY:
        return v * o;
    case GF_BLEND_SCREEN:
        return gf_fma(-v, o, v + o);
    case GF_BLEND_DIFFERENCE:
        return v < o ? o - v : v - o;
    case GF_BLEND_MIN:
        return o < v ? o : v;
    case GF_BLEND_MAX:
        return o > v ? o : v;
    case GF_BLEND_DIVIDE:
        return o != 0.0F ? gf_div(v, o) : 0.0F;
    default:
        return o;
    }
}

/* Returns how much of an operand counts; alpha: its last sample. */
GF_HD float gf_operand_share(const struct gf_insn *insn, float alpha)
{
    return insn->arg & GF_OPERAND_ALPHA
               ? (GF_FAULT(blend_amount) ? 1.0F : insn->k[0]) * gf_div(alpha, insn->k[1])
               : insn->k[0];
}

/* The channel of an operand that channel c reads. */
GF_HD int32_t gf_operand_channel(const struct gf_insn *insn, int32_t c)
{
    return insn->arg & GF_OPERAND_FIRST ? 0 : c;
}

/* One sample through an instruction that READS_OPERAND and is not BY_PIXEL, where its mask and roi name it;
 * o: the operand's sample, alpha: the last of its pixel. */
GF_HD float gf_insn_combine(const struct gf_insn *insn, float v, float o, float alpha)
{
    switch (insn->code) {
    case GF_INSN_SHARPEN:
        return gf_sharpen(v, o, insn->k[0], insn->k[1]);
    case GF_INSN_EXCEEDS:
        return gf_exceeds(v, o, insn->k[0], insn->k[1]);
    case GF_INSN_QUOTIENT:
        return gf_div(o, v < insn->k[0] ? insn->k[0] : v);
    case GF_INSN_SUM:
        return gf_fma(insn->k[0], o, insn->k[1] * v);
    case GF_INSN_BLEND:
        return gf_mix(gf_operand_share(insn, alpha),
                      gf_blend_of(insn->arg & (GF_OPERAND_FIRST - 1), v, gf_div(o, insn->k[1])), v);
    case GF_INSN_MASK:
        return gf_mix(gf_div(o, insn->k[1]), v, insn->k[0]);
    default:
        return v;
    }
}

/* What COMPLEX makes of numbers v and o. */
enum gf_complex_kind {
    GF_COMPLEX_CROSS, /* v times the conjugate of o, divided by its magnitude; 0 where that is 0 or no number
                       */
    GF_COMPLEX_PRODUCT, /* v o */
    GF_COMPLEX_RESTORE  /* the conjugate of v, divided by |v|^2 + k0 |o|^2; 0 where that is 0 */
};

/* COMPLEX: re and im of v, which it changes, and of o. */
GF_HD void gf_complex_of(const struct gf_insn *insn, float *v, const float *o)
{
    float re = v[0], im = -v[1], by = gf_fma(re, re, im * im);
    if (insn->arg == GF_COMPLEX_PRODUCT) {
        v[0] = gf_fma(re, o[0], im * o[1]);
        v[1] = gf_fma(re, o[1], -(im * o[0]));
        return;
    }
    if (insn->arg == GF_COMPLEX_CROSS) {
        re = gf_fma(v[0], o[0], v[1] * o[1]);
        im = gf_fma(v[1], o[0], -(v[0] * o[1]));
    }
    by = insn->arg == GF_COMPLEX_CROSS ? gf_sqrt(gf_fma(re, re, im * im))
                                       : gf_fma(insn->k[0], gf_fma(o[0], o[0], o[1] * o[1]), by);
    const int counts = by > 0.0F && by < gf_bits_float(GF_INFINITY_BITS);
    v[0] = counts ? gf_div(re, by) : 0.0F;
    v[1] = counts ? gf_div(im, by) : 0.0F;
}

/* A sample of weight `weight` over o (REGION). */
GF_HD float gf_region_mix(float weight, float v, float o)
{
    return weight >= 1.0F ? v : weight <= 0.0F ? o : gf_mix(weight, v, o);
}
