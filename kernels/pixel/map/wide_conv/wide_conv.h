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

enum { GF_WIDE_CONV_PARTS = 3 };

/* Weights are a sum of `parts` parts, part p times 2^(bits p), so that transforms in f64 of squares of up to
 * `side` sum exactly (lower_wide_conv.c). */
struct gf_wide_conv_args {
    double unit; /* a power of two */
    int32_t across, down, parts, bits, side;
};

size_t gf_wide_conv_cuda_scratch(const struct gf_apply_run *run);

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

/* Clamps and rounds a sum to an integer depth. */
GF_HD uint32_t gf_wide_conv_level(int64_t sum, double unit, double white)
{
    double v = (double)sum * unit;
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

#ifdef __cplusplus
}
#endif
