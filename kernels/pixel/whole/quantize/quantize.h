/* quantize: few colours. WHOLE:
 *   in[0] picture of u8; in[1] a palette that is given, u32 [1][257], or GF_NONE
 *   out[0] picture like in[0]; out[1] the palette, u32 [1][257]
 *
 * A palette is how many colours it has, and then the colours, channel c in bits 8 c and on. What is computed
 * is defined in docs/exactness.md, all of it in integers, so that neither threads nor bands nor devices
 * change it. Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_quantize_dither { GF_QUANTIZE_FLOYD, GF_QUANTIZE_ORDERED, GF_QUANTIZE_NONE };

enum {
    GF_QUANTIZE_CHANNELS = 4,
    GF_QUANTIZE_MOST = 256,
    GF_QUANTIZE_ROUNDS = 8,
    GF_QUANTIZE_PALETTE = 1 + GF_QUANTIZE_MOST
};

struct gf_quantize_args {
    int32_t colours, dither, spread; /* 2 to GF_QUANTIZE_MOST; enum gf_quantize_dither; 0 to 255 */
};

/* Channels that errors and offsets go to: alpha is none of them. */
GF_HD int32_t gf_quantize_colour_channels(int32_t channels)
{
    return channels > 2 ? 3 : 1;
}

/* Bits of a channel that tell cells apart: 8 of gray, 5 of a colour, 3 of alpha. */
GF_HD int32_t gf_quantize_bits(int32_t channels, int32_t c)
{
    return c >= gf_quantize_colour_channels(channels) ? 3 : channels > 2 ? 5 : 8;
}

GF_HD int32_t gf_quantize_cells(int32_t channels)
{
    int32_t bits = 0;
    for (int32_t c = 0; c < channels; c++) {
        bits += gf_quantize_bits(channels, c);
    }
    return 1 << bits;
}

/* Channel 0 is in the lowest bits. */
GF_HD int32_t gf_quantize_cell(const uint8_t *pixel, int32_t channels)
{
    int32_t cell = 0, at = 0;
    for (int32_t c = 0; c < channels; c++) {
        const int32_t bits = gf_quantize_bits(channels, c);
        cell |= pixel[c] >> (8 - bits) << at;
        at += bits;
    }
    return cell;
}

/* Where a cell lies along channel c. */
GF_HD int32_t gf_quantize_place(int32_t cell, int32_t channels, int32_t c)
{
    for (int32_t i = 0; i < c; i++) {
        cell >>= gf_quantize_bits(channels, i);
    }
    return cell & ((1 << gf_quantize_bits(channels, c)) - 1);
}

/* The mean of n > 0 samples, halves up. */
GF_HD uint32_t gf_quantize_mean(uint64_t sum, uint64_t n)
{
    return (uint32_t)((2 * sum + n) / (2 * n));
}

/* How much a box of n pixels asks to be cut along a channel in which its places differ by `side`. */
GF_HD uint64_t gf_quantize_score(uint64_t n, int32_t side, int32_t bits)
{
    const uint64_t wide = (uint64_t)side << (8 - bits);
    return n * wide * wide;
}

/* What is added to a sample at (x, y) before the nearest colour is taken: Bayer's matrix of 8 x 8. */
GF_HD int32_t gf_quantize_offset(int64_t x, int64_t y, int32_t spread)
{
    const uint32_t u = (uint32_t)y & 7, w = ((uint32_t)x ^ (uint32_t)y) & 7;
    const uint32_t rank = (w & 1) << 5 | (u & 1) << 4 | (w & 2) << 2 | (u & 2) << 1 | (w & 4) >> 1 | u >> 2;
    return (2 * (int32_t)rank - 63) * spread >> 7;
}

/* The sample with the errors of the pixels at its left, above at its left, above, and above at its right. */
GF_HD int32_t gf_quantize_spread(int32_t v, int32_t left, int32_t above_left, int32_t above,
                                 int32_t above_right)
{
    v += (7 * left + above_left + 5 * above + 3 * above_right + 8) >> 4;
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* Bytes that are kept from band to band: quantize_cpu.c has the arrays. */
static inline uint64_t gf_quantize_gathered(const gf_shape *shape)
{
    const uint64_t cells = (uint64_t)gf_quantize_cells(shape->channels);
    const uint64_t lines = (uint64_t)(shape->width + 2 + shape->height) * sizeof(int16_t);
    return cells * ((uint64_t)(1 + shape->channels) * sizeof(uint64_t) + sizeof(int32_t)) +
           lines * (uint64_t)gf_quantize_colour_channels(shape->channels);
}

size_t gf_quantize_cuda_scratch(const struct gf_apply_run *run);

#ifdef __cplusplus
}
#endif
