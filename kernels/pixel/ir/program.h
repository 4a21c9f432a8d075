/* What the instructions of a program do, for C11, C++17 and CUDA: one sample, one pixel.
 *
 * The executors vectorise; whatever they do must give the bits of these functions. The planner runs
 * gf_insn_sample to collapse instructions into a table. Everything here is pure. */
#pragma once

#include "base/gf_math.h"
#include "base/planted_fault.h"
#include "pixel/ir/colour.h"
#include "pixel/ir/combine.h"
#include "pixel/ir/formula.h"
#include "pixel/ir/op.h"
#include "pixel/ir/region.h"
#include "pixel/ir/solve.h"

/* A block as an instruction reads it: rows of `width` elements, one a channel. */
struct gf_block_view {
    const void *data; /* readable where the function runs */
    int64_t width;
    gf_depth depth; /* u8, u16 or f32 */
};

GF_HD float gf_block_element(const struct gf_block_view *block, int32_t channel, int64_t i)
{
    int64_t at = channel * block->width + i;
    if (block->depth == GF_U8) {
        return (float)((const uint8_t *)block->data)[at];
    }
    if (block->depth == GF_U16) {
        return (float)((const uint16_t *)block->data)[at];
    }
    return ((const float *)block->data)[at];
}

/* Returns what row `row` of a block of formulas makes of the pixel v, in channel `own`; that itself where
 * there is no formula. */
GF_HD float gf_formula_run(const struct gf_block_view *block, int32_t row, const float *v, int32_t own)
{
    float stack[GF_FORMULA_DEPTH + 2] = {0.0F}; /* two more, so that a step may look at three */
    int32_t n = 0;
    for (int64_t i = 0; i + 1 < block->width; i += 2) {
        const int code = (int)gf_block_element(block, row, i);
        const float k = gf_block_element(block, row, i + 1);
        if (code == GF_FORMULA_END) {
            break;
        }
        if (code < GF_FORMULA_NEGATE) {
            stack[n++] = code == GF_FORMULA_NUMBER ? k : code == GF_FORMULA_OWN ? v[own] : v[(int32_t)k];
        } else {
            n -= gf_formula_takes(code);
            const int32_t first = n++;
            stack[first] = gf_formula_step(code, stack[first], stack[first + 1], stack[first + 2]);
        }
    }
    return n > 0 ? stack[0] : v[own];
}

/* The pixel (x, y) of at most four channels through the formulas of a block, which find its place in the
 * rectangle behind its channels: v has room for two more. */
GF_HD void gf_formula_run_placed(const struct gf_block_view *block, struct gf_rect whole, int64_t x,
                                 int64_t y, float *v, int32_t channels)
{
    float made[4] = {0.0F, 0.0F, 0.0F, 0.0F};
    v[channels] = (float)(x - whole.x);
    v[channels + 1] = (float)(y - whole.y);
    for (int32_t c = 0; c < channels && c < 4; c++) {
        made[c] = gf_formula_run(block, c, v, c);
    }
    for (int32_t c = 0; c < channels && c < 4; c++) {
        v[c] = made[c];
    }
}

/* A curve through the entries of a row of the block, at v * scale; NaN stays. */
GF_HD float gf_curve(const struct gf_block_view *block, int32_t channel, float v, float scale)
{
    const float at = v * scale, last = (float)(block->width - 1);
    if (!(at > 0.0F)) {
        return at == at ? gf_block_element(block, channel, 0) : v;
    }
    if (at >= last - (float)GF_FAULT(curve_end)) {
        return gf_block_element(block, channel, block->width - 1);
    }
    const int64_t i = (int64_t)at;
    const float a = gf_block_element(block, channel, i), b = gf_block_element(block, channel, i + 1);
    return gf_fma(at - (float)i, b - a, a);
}

/* copysign(pow(|v|, exponent), v). */
GF_HD float gf_power_signed(float v, float exponent)
{
    uint32_t sign = gf_float_bits(v) & 0x80000000U;
    float magnitude = gf_pow(gf_bits_float(gf_float_bits(v) ^ sign), exponent);
    return gf_bits_float((gf_float_bits(magnitude) & 0x7fffffffU) | sign);
}

/* v in sample units, an integer of `depth` afterwards; v itself where depth is not u8 or u16. */
GF_HD float gf_quantise_to(float v, int depth)
{
    return depth == GF_U8 ? (float)gf_quantise_u8(v) : depth == GF_U16 ? (float)gf_quantise_u16(v) : v;
}

/* The entry of a row of `table` for v over [lo, hi]: gf_range_bin, ends clamped, NaN stays. */
GF_HD float gf_table_range_sample(const struct gf_block_view *table, const struct gf_block_view *range,
                                  int32_t channel, float v)
{
    int32_t bins = (int32_t)table->width;
    float lo = gf_block_element(range, channel, 0);
    float hi = gf_block_element(range, channel, 1);
    int32_t bin = gf_range_bin(v, lo, gf_range_scale(lo, hi, bins), bins);
    if (bin == GF_BIN_NAN) {
        return v;
    }
    bin = bin == GF_BIN_BELOW ? 0 : bin == GF_BIN_ABOVE ? bins - 1 : bin;
    return gf_block_element(table, channel, bin);
}

/* v by which lo becomes 0 and hi white, each operation rounded; what lies outside is cut off. */
GF_HD float gf_stretch(float v, float lo, float hi, float white)
{
    const float part = hi - lo > FLT_MAX ? 0.5F : 1.0F; /* of what f32 holds */
    const float width = hi * part - lo * part;
    if (!(width > 0.0F && width <= FLT_MAX)) {
        return v;
    }
    const float t = gf_div((v * part - lo * part) * white, width);
    return t <= 0.0F ? 0.0F : t > white ? white : t;
}

/* Does the instruction claim one of these (enum gf_insn_property)? */
GF_HD int gf_insn_is(int code, uint32_t properties_wanted)
{
#define GF_INSN(name, word, properties, channels)                                                            \
    | (((properties)&properties_wanted) != 0 ? (uint64_t)1 << GF_INSN_##name : 0)
    const uint64_t claims = 0
#include "pixel/ir/instructions.def"
        ;
#undef GF_INSN
    return code < GF_INSN_CODES && (claims >> code & 1) != 0;
}

/* Channels after an instruction that saw `channels`. */
GF_HD int32_t gf_insn_channels(const struct gf_insn *insn, int32_t channels)
{
    const int32_t arg = insn->arg;
    switch (insn->code) {
#define GF_INSN(name, word, properties, after)                                                               \
    case GF_INSN_##name:                                                                                     \
        return after;
#include "pixel/ir/instructions.def"
#undef GF_INSN
    default:
        return channels;
    }
}

/* One sample of one channel through an instruction BY_SAMPLE. The caller has looked at mask and roi. block
 * and block2 are those the instruction names, or NULL. */
GF_HD float gf_insn_sample(const struct gf_insn *insn, float v, int32_t channel,
                           const struct gf_block_view *block, const struct gf_block_view *block2)
{
    switch (insn->code) {
    case GF_INSN_AFFINE:
        return gf_fma(v, insn->k[0], insn->k[1]);
    case GF_INSN_DIVIDE:
        return gf_div(v, insn->k[0]);
    case GF_INSN_POWER:
        return gf_power_signed(v, insn->k[0]);
    case GF_INSN_LINEAR:
        return gf_srgb_to_light(v);
    case GF_INSN_SRGB:
        return gf_light_to_srgb(v);
    case GF_INSN_FORMULA_SAMPLE:
        return gf_formula_run(block, channel, &v, 0);
    case GF_INSN_CURVE:
        return gf_curve(block, channel, v, insn->k[0]);
    case GF_INSN_ABSOLUTE:
        return gf_bits_float(gf_float_bits(v) & 0x7fffffffU);
    case GF_INSN_GREATER:
        return v > insn->k[0] ? insn->k[1] : 0.0F;
    case GF_INSN_GREATER_BLOCK:
        return v > gf_block_element(block, channel, 0) ? insn->k[1] : 0.0F;
    case GF_INSN_GAIN:
        return v * gf_block_element(block, channel, 0);
    case GF_INSN_TABLE:
        return gf_block_element(block, channel, (int64_t)v);
    case GF_INSN_TABLE_RANGE:
        return gf_table_range_sample(block, block2, channel, v);
    case GF_INSN_STRETCH:
        return gf_stretch(v, gf_block_element(block, channel, 0), gf_block_element(block, channel, 1),
                          insn->k[1]);
    case GF_INSN_QUANTISE:
        return gf_quantise_to(v, insn->depth);
    default:
        return v;
    }
}

/* The most channels that a pixel has on its way through a program. */
GF_HD int32_t gf_program_most(const struct gf_program *program)
{
    int32_t channels = program->channels_in, most = channels;
    for (int32_t i = 0; i < program->n; i++) {
        channels = gf_insn_channels(&program->insn[i], channels);
        most = channels > most ? channels : most;
    }
    return most;
}

/* What an instruction BY_PIXEL may read beside the pixel: its block, its operand's samples; or NULL. */
struct gf_pixel_reads {
    const struct gf_block_view *block;
    const float *operand;
    int32_t channels; /* of the operand */
};

/* A pixel that ends with alpha, under an operand. */
GF_HD void gf_over(const struct gf_insn *insn, float *v, int32_t last, const struct gf_pixel_reads *reads)
{
    float share = gf_operand_share(insn, reads->operand[reads->channels - 1]);
    float rest = v[last] * (1.0F - share);
    float whole = share + rest;
    for (int32_t c = 0; c < last; c++) {
        float o = gf_div(reads->operand[gf_operand_channel(insn, c)], insn->k[1]);
        v[c] = whole > 0.0F || GF_FAULT(over_nothing) ? gf_div(gf_fma(o, share, v[c] * rest), whole) : 0.0F;
    }
    v[last] = whole;
}

GF_HD float gf_magnitude(float x, float y, float scale)
{
    return gf_sqrt(gf_fma(x, x, y * y) * scale);
}

/* PREMULTIPLY and UNPREMULTIPLY of a sample. */
GF_HD float gf_premultiply(const struct gf_insn *insn, float colour, float alpha)
{
    return insn->arg ? (float)(int32_t)gf_times_alpha_u8((uint32_t)(int32_t)colour, (uint32_t)(int32_t)alpha)
                     : colour * alpha;
}

GF_HD float gf_unpremultiply(const struct gf_insn *insn, float colour, float alpha)
{
    if (insn->arg) {
        return gf_by_alpha_u8(colour, alpha);
    }
    return alpha > 0.0F ? gf_div(colour, alpha) : 0.0F;
}

/* Row r of a MATRIX. */
GF_HD float gf_matrix_row(const struct gf_block_view *block, int32_t r, const float *v, int32_t channels)
{
    float sum = gf_block_element(block, r, channels);
    for (int32_t c = 0; c < channels; c++) {
        sum = gf_fma(gf_block_element(block, r, c), v[c], sum);
    }
    return sum;
}

/* The instructions of colour.h. */
GF_HD void gf_insn_colour(const struct gf_insn *insn, float *v, int32_t channels,
                          const struct gf_pixel_reads *reads)
{
    const struct gf_block_view *block = reads->block;
    switch (insn->code) {
    case GF_INSN_LAB:
        gf_lab_of(v);
        break;
    case GF_INSN_FROM_LAB:
        gf_lab_from(v);
        break;
    case GF_INSN_CUBE:
        gf_cube_sample((const float *)block->data, insn->arg + 1, v);
        break;
    case GF_INSN_LUMA:
        gf_change_luma(v, reads->operand[0], insn->depth);
        break;
    case GF_INSN_APART:
        v[0] = gf_colours_differ(v, channels, insn->mask, (const float *)block->data, block->width,
                                 insn->k[0], insn->arg)
                   ? insn->k[1]
                   : 0.0F;
        break;
    default:
        break;
    }
}

/* One pixel through an instruction BY_PIXEL, in place; returns its channels afterwards. block: the one that
 * the instruction names, or NULL. */
GF_HD int32_t gf_insn_pixel(const struct gf_insn *insn, float v[GF_MAX_CHANNELS], int32_t channels,
                            const struct gf_pixel_reads *reads)
{
    float made[4] = {0.0F, 0.0F, 0.0F, 0.0F};
    int32_t last = channels - 1;
    int32_t half = channels / 2;
    switch (insn->code) {
    case GF_INSN_GRAY_INT:
        v[0] = (float)gf_gray_u((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
        v[1] = v[3];
        break;
    case GF_INSN_GRAY_F32:
        v[0] = gf_gray_f32(v[0], v[1], v[2]);
        v[1] = v[3];
        break;
    case GF_INSN_MAGNITUDE:
        for (int32_t c = 0; c < half; c++) {
            v[c] = gf_magnitude(v[c], v[half + c], insn->k[0]);
        }
        break;
    case GF_INSN_SLOPE:
        for (int32_t c = 0; c < half; c++) {
            v[c] = v[(insn->arg ? half : 0) + c];
        }
        break;
    case GF_INSN_ANGLE:
        for (int32_t c = 0; c < half; c++) {
            v[c] = gf_turns(v[half + c], v[c]) * insn->k[0];
        }
        break;
    case GF_INSN_COMPLEX:
        gf_complex_of(insn, v, reads->operand);
        break;
    case GF_INSN_PREMULTIPLY:
        for (int32_t c = 0; c < last; c++) {
            v[c] = gf_premultiply(insn, v[c], v[last]);
        }
        break;
    case GF_INSN_UNPREMULTIPLY:
        for (int32_t c = 0; c < last; c++) {
            v[c] = gf_unpremultiply(insn, v[c], v[last]);
        }
        break;
    case GF_INSN_SPREAD:
        v[3] = v[last];
        v[1] = v[2] = v[0];
        break;
    case GF_INSN_ADD_ALPHA:
        v[channels] = insn->k[0];
        break;
    case GF_INSN_FLATTEN:
        made[0] = gf_div(v[last], insn->k[1]);
        for (int32_t c = 0; c < last; c++) {
            v[c] = insn->mask >> c & 1 ? gf_mix(made[0], v[c], insn->k[0]) : v[c];
        }
        break;
    case GF_INSN_OVER:
        gf_over(insn, v, last, reads);
        break;
    case GF_INSN_FORMULA:
        for (int32_t c = 0; c < channels && c < 4; c++) {
            made[c] = gf_formula_run(reads->block, c, v, c);
        }
        for (int32_t c = 0; c < channels && c < 4; c++) {
            v[c] = made[c];
        }
        break;
    case GF_INSN_MATRIX:
        for (int32_t r = 0; r < insn->arg; r++) {
            made[r] = gf_matrix_row(reads->block, r, v, channels);
        }
        for (int32_t r = 0; r < insn->arg; r++) {
            v[r] = made[r];
        }
        break;
    default:
        gf_insn_colour(insn, v, channels, reads);
        break;
    }
    return gf_insn_channels(insn, channels);
}

/* Is pixel (x, y) inside? w = 0: the whole picture. */
GF_HD int gf_rect_has(struct gf_rect r, int64_t x, int64_t y)
{
    return r.w == 0 || (x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h);
}
