/* wide_conv: correlation of integers with integer weights, exact until it is rounded, once. MAP:
 *   in[0] picture of u8 or u16 of W + across - 1 x H + down - 1
 *   in[1] f64 block, across * down weights, row by row, that are integers; sides up to 2048, and 2^18 in all
 *   out[0] picture of W x H and as many channels, of the same depth, half to even and clamped, or of f32
 *
 * out(x, y) is unit times the sum over j < down, i < across of weight[j][i] v(x + i, y + j), which is below
 * 2^51. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_WIDE_CONV_PARTS = 3, GF_WIDE_CONV_DIGITS = 5 };

/* Weights are a sum of `parts` parts, part p times 2^(bits p), so that transforms in f64 of squares of up to
 * `side` sum exactly (lower_wide_conv.c); and one of `digits` signed bytes, digit d times 256^d. */
struct gf_wide_conv_args {
    double unit, sum; /* sum: of all weights */
    int32_t across, down, parts, bits, side, digits;
};

size_t gf_wide_conv_cuda_scratch(const struct gf_apply_run *run);

/* Sums of products on tensor cores instead of transforms (wide_products_cuda.cu). Memory is `scratch`. */
size_t gf_wide_products_scratch(const struct gf_wide_conv_args *args);
gf_status gf_wide_products_cuda(const struct gf_apply_run *run, gf_error *error);

/* ---- inner loops of the CPU, once a SIMD level ---- */

struct gf_wide_conv_rows {
    /* Rounds n sums to samples that lie `step` samples apart. */
    void (*put)(const uint64_t *sums, double unit, gf_depth depth, int64_t n, int64_t step, void *out);
};

extern const struct gf_wide_conv_rows gf_wide_conv_rows_baseline;
extern const struct gf_wide_conv_rows gf_wide_conv_rows_avx2;   /* x86-64 builds only */
extern const struct gf_wide_conv_rows gf_wide_conv_rows_avx512; /* x86-64 builds only */

/* ---- shared by the CPU and CUDA ---- */

/* The integer next to v, half to even, |v| < 2^51. */
GF_HD double gf_wide_conv_whole(double v)
{
    return (v + 6755399441055744.0) - 6755399441055744.0; /* 1.5 2^52 */
}

/* Part p of a weight. */
GF_HD double gf_wide_conv_part(double weight, int32_t p, int32_t parts, int32_t bits)
{
    const double step = (double)((int64_t)1 << bits);
    for (; p > 0; p--, parts--) {
        weight = gf_wide_conv_whole(weight / step);
    }
    return parts > 1 ? weight - gf_wide_conv_whole(weight / step) * step : weight;
}

/* Digit d of a weight. */
GF_HD int32_t gf_wide_conv_digit(int64_t weight, int32_t d)
{
    int32_t digit = (int32_t)((weight + 128) & 255) - 128;
    for (; d > 0; d--) {
        weight = (weight - digit) / 256;
        digit = (int32_t)((weight + 128) & 255) - 128;
    }
    return digit;
}

/* Clamps and rounds a sum to an integer depth. */
GF_HD uint32_t gf_wide_conv_level(double sum, double unit, double white)
{
    double v = sum * unit;
    v = v > 0 ? v : 0;
    v = v < white ? v : white;
    return (uint32_t)gf_double_bits(v + 6755399441055744.0);
}

/* ---- squares ---- */

static inline int64_t gf_wide_conv_pieces(int64_t n, int64_t piece)
{
    return (n + piece - 1) / piece;
}

/* Returns the side, `least` at least, of the squares that take the least time on so many threads: for the
 * whole picture, so that no band needs more memory than another. Nanoseconds as measured on one thread of the
 * CPU. */
static inline int32_t gf_wide_conv_side(const struct gf_wide_conv_args *args, const struct gf_value *in,
                                        const struct gf_value *out, int32_t least, int32_t threads,
                                        double *nanoseconds)
{
    int32_t best = 0;
    *nanoseconds = 0;
    for (int32_t side = least; side <= args->side; side *= 2) {
        if (args->across > side / 2 || args->down > side / 2) {
            continue;
        }
        const int64_t tiles = gf_wide_conv_pieces(out->width, side - args->across + 1);
        const int64_t deep = (side - args->down + 1) * (in->depth == GF_U16 ? 1 : 2);
        const int64_t units = tiles * gf_wide_conv_pieces(out->height, deep) * out->channels;
        const double turns = (double)gf_wide_conv_pieces(units, threads) * (1 + args->parts) + args->parts;
        const double cost = turns * (1.3 + side / 320.0) * side * side;
        if (best == 0 || cost < *nanoseconds) {
            *nanoseconds = cost;
            best = side;
        }
    }
    return best;
}

/* ---- products on tensor cores ---- */

enum {
    GF_WIDE_CONV_SHARED = 64 << 10, /* bytes of samples of a CUDA block: all that a T4 has */
    GF_WIDE_CONV_LEAST = 256        /* the least side of squares on CUDA */
};

/* Rows of places of a CUDA block, and bytes from row to row of the samples that it sees. Sums of digits take
 * registers, so that where there are several a block has fewer rows. */
static inline int32_t gf_wide_conv_rows_seen(const struct gf_wide_conv_args *args, int32_t bytes)
{
    return (args->digits + bytes == 2 ? 128 : 64) + (args->down + 1) / 2 * 2 - 1;
}
static inline int32_t gf_wide_conv_pitch_seen(const struct gf_wide_conv_args *args)
{
    return (32 + (args->across + 46) / 16 * 16) | 16; /* eight rows lie in different banks */
}

/* Returns how many products tensor cores would make, those with 0 among them, or 0 where transforms take less
 * time, or tensor cores cannot. */
static inline double gf_wide_conv_products(const struct gf_wide_conv_args *args, const struct gf_value *in,
                                           const struct gf_value *out)
{
    const int32_t bytes = in->depth == GF_U16 ? 2 : 1;
    const double taken = (double)((args->across + 26) / 16 * 16) * ((args->down + 1) / 2 * 2);
    const double products =
        (double)out->width * (double)out->height * out->channels * taken * args->digits * bytes;
    double cost;
    const int32_t side = gf_wide_conv_side(args, in, out, GF_WIDE_CONV_LEAST, 1, &cost);
    const bool fits =
        args->digits < GF_WIDE_CONV_DIGITS &&
        gf_wide_conv_rows_seen(args, bytes) * gf_wide_conv_pitch_seen(args) * bytes <= GF_WIDE_CONV_SHARED;
    /* Nanoseconds as measured on an H200: of products, and of numbers in squares. */
    const double direct = products / 285e3 + 0.006 * (double)out->width * (double)out->height * out->channels;
    const double numbers = cost / (1.3 + side / 320.0) * 0.024;
    return fits && direct < numbers ? products : 0;
}

#ifdef __cplusplus
}
#endif
