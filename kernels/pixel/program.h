/* What the instructions of a program do, for C11, C++17 and CUDA: one sample, one pixel.
 *
 * The executors vectorise; whatever they do must give the bits of these functions. The planner runs
 * gf_insn_sample to collapse instructions into a table. Everything here is pure. */
#ifndef GF_PIXEL_PROGRAM_H
#define GF_PIXEL_PROGRAM_H

#include "base/gf_math.h"
#include "pixel/op.h"
#include "pixel/solve.h"

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

/* The entry of a row of `table` for v over [lo, hi]: gf_bin with gf_range_scale, ends clamped, NaN stays. */
GF_HD float gf_table_range_sample(const struct gf_block_view *table, const struct gf_block_view *range,
                                  int32_t channel, float v)
{
    int32_t bins = (int32_t)table->width;
    float lo = gf_block_element(range, channel, 0);
    float hi = gf_block_element(range, channel, 1);
    int32_t bin = gf_bin(v, lo, gf_range_scale(lo, hi, bins), bins);
    if (bin == GF_BIN_NAN) {
        return v;
    }
    bin = bin == GF_BIN_BELOW ? 0 : bin == GF_BIN_ABOVE ? bins - 1 : bin;
    return gf_block_element(table, channel, bin);
}

/* Does the instruction claim one of these (enum gf_insn_property)? */
GF_HD int gf_insn_is(int code, uint32_t properties_wanted)
{
#define GF_INSN(name, word, properties, channels)                                                            \
    | (((properties)&properties_wanted) != 0 ? (uint64_t)1 << GF_INSN_##name : 0)
    const uint64_t claims = 0
#include "pixel/instructions.def"
        ;
#undef GF_INSN
    return code < GF_INSN_CODES && (claims >> code & 1) != 0;
}

/* Channels after an instruction that saw `channels`. */
GF_HD int32_t gf_insn_channels(int code, int32_t channels)
{
    switch (code) {
#define GF_INSN(name, word, properties, after)                                                               \
    case GF_INSN_##name:                                                                                     \
        return after;
#include "pixel/instructions.def"
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
    case GF_INSN_GREATER:
        return v > insn->k[0] ? insn->k[1] : 0.0F;
    case GF_INSN_GREATER_BLOCK:
        return v > gf_block_element(block, channel, 0) ? insn->k[1] : 0.0F;
    case GF_INSN_TABLE:
        return gf_block_element(block, channel, (int64_t)v);
    case GF_INSN_TABLE_RANGE:
        return gf_table_range_sample(block, block2, channel, v);
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
        channels = gf_insn_channels(program->insn[i].code, channels);
        most = channels > most ? channels : most;
    }
    return most;
}

GF_HD float gf_sharpen(float v, float o, float amount, float threshold)
{
    float lost = o - v;
    return (lost < 0.0F ? -lost : lost) < threshold ? o : gf_fma(amount, lost, o);
}

/* One sample through an instruction that READS_OPERAND and is not BY_PIXEL, where its mask and roi name it;
 * o: the operand's sample. */
GF_HD float gf_insn_combine(const struct gf_insn *insn, float v, float o)
{
    return insn->code == GF_INSN_SHARPEN ? gf_sharpen(v, o, insn->k[0], insn->k[1]) : v;
}

GF_HD float gf_magnitude(float x, float y, float scale)
{
    return gf_sqrt(gf_fma(x, x, y * y) * scale);
}

GF_HD float gf_unpremultiply(float colour, float alpha)
{
    return alpha > 0.0F ? gf_div(colour, alpha) : 0.0F;
}

/* One pixel through an instruction BY_PIXEL, in place; returns its channels afterwards. */
GF_HD int32_t gf_insn_pixel(const struct gf_insn *insn, float v[GF_MAX_CHANNELS], int32_t channels)
{
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
    case GF_INSN_PREMULTIPLY:
        for (int32_t c = 0; c < last; c++) {
            v[c] = v[c] * v[last];
        }
        break;
    case GF_INSN_UNPREMULTIPLY:
        for (int32_t c = 0; c < last; c++) {
            v[c] = gf_unpremultiply(v[c], v[last]);
        }
        break;
    default:
        break;
    }
    return gf_insn_channels(insn->code, channels);
}

/* Is pixel (x, y) inside? w = 0: the whole picture. */
GF_HD int gf_rect_has(struct gf_rect r, int64_t x, int64_t y)
{
    return r.w == 0 || (x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h);
}

#endif
