/* The builder of correlations whose weights are rounded to a grid, so that sums of integers are exact. */
#include "lower/lowering_private.h"

#include "pixel/map/wide_conv/wide_conv.h"

#include <math.h>

/* Sizes of all weights together are about 2 to that, at most 4/3 of it, in steps of the grid: sums fit 2^51.
 */
static int32_t bits_of(gf_depth depth)
{
    return depth == GF_U8 ? 26 : 34;
}

/* All numbers are multiples of 2^-grid. Where their sum is 1 but for rounding that is the same. */
static int32_t grid_of(const struct gf_conv_kernel *k, int32_t bits)
{
    enum { LESS = 20 }; /* so that no sum is infinite */
    double sum = 0;
    int exponent = 0;
    for (int32_t i = 0; i < k->rows * k->columns; i++) {
        sum += ldexp(fabs(k->values[i]), -LESS);
    }
    frexp(0.75 * sum, &exponent);
    exponent += LESS;
    return bits - exponent < 1000 ? bits - exponent : 1000;
}

/* Makes integers of the numbers, without the factors of 2 that all of them have; returns the grid. */
static int32_t make_weights(const struct gf_conv_kernel *k, int32_t bits, double *weights)
{
    const int32_t n = k->rows * k->columns;
    int32_t grid = grid_of(k, bits);
    int64_t all = 0; /* bits that any of them has */
    for (int32_t i = 0; i < n; i++) {
        weights[i] = rint(ldexp(k->values[i], grid));
        all |= (int64_t)weights[i];
    }
    for (; all != 0 && all % 2 == 0; all /= 2, grid--) {
        for (int32_t i = 0; i < n; i++) {
            weights[i] /= 2;
        }
    }
    return grid;
}

/* Fills sum and digits. */
static void find_digits(const double *weights, struct gf_wide_conv_args *args)
{
    args->digits = 1;
    for (int32_t i = 0; i < args->across * args->down; i++) {
        int64_t least = -128, most = 127; /* of so many digits */
        for (int32_t d = 1; d < args->digits; d++) {
            least = least * 256 - 128;
            most = most * 256 + 127;
        }
        args->sum += weights[i];
        for (; (int64_t)weights[i] < least || (int64_t)weights[i] > most; args->digits++) {
            least = least * 256 - 128;
            most = most * 256 + 127;
        }
    }
}

/* Fills parts, bits and side for weights that are integers below 2^most in size. */
static void find_parts(const double *weights, int32_t most, struct gf_wide_conv_args *args)
{
    const int32_t longer = args->across > args->down ? args->across : args->down;
    bool exact = false;
    int32_t log = 9;
    while (log < 12 && 1 << log < 4 * longer) {
        log++;
    }
    args->side = 1 << log;
    for (args->parts = 0; !exact && args->parts < GF_WIDE_CONV_PARTS;) {
        args->parts++;
        args->bits = (most + args->parts) / args->parts;
        exact = true;
        for (int32_t p = 0; p < args->parts; p++) {
            double squares = 0;
            for (int32_t i = 0; i < args->across * args->down; i++) {
                const double part = gf_wide_conv_part(weights[i], p, args->parts, args->bits);
                squares += part * part;
            }
            /* What squares.h says of bytes, in one channel. */
            exact = exact && 3 * (2 * log) * 8 * 0x1p-53 * 255 * args->side * sqrt(2 * squares) < 0.25;
        }
    }
}

gf_value_id gf_lowering_conv_extended(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k)
{
    const double value = l->node->common.value;
    const gf_padding padding = {.left = (k->columns - 1) / 2,
                                .right = k->columns / 2,
                                .top = (k->rows - 1) / 2,
                                .bottom = k->rows / 2,
                                .border = l->node->common.border,
                                .value = value,
                                .alpha = value > 0 ? 1 : 0}; /* as for all windows */
    return gf_lower_pad(l, v, &padding);
}

/* Colour times alpha, integers of u16. */
static gf_value_id weighed(gf_lowering *l, gf_value_id v)
{
    int32_t out;
    struct gf_op *op = gf_lowering_point_all(l, v, GF_U16, gf_lower_shape(l, v).channels, &out);
    if (!op) {
        return 0;
    }
    gf_point_push(op, GF_INSN_PREMULTIPLY, 0, 0, 0);
    return gf_to_id(out);
}

gf_value_id gf_lowering_wide_conv(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k,
                                  bool premultiplied, gf_depth depth)
{
    const gf_shape shape = gf_lower_shape(l, v);
    gf_value_id source = gf_lowering_conv_extended(l, v, k);
    source = premultiplied ? weighed(l, source) : source;
    const int32_t n = k->rows * k->columns, bits = bits_of(gf_lower_shape(l, source).depth);
    struct gf_wide_conv_args args = {.across = k->columns, .down = k->rows};
    int32_t block;
    double *weights = gf_lowering_constant(l, GF_F64, 1, n, &block);
    if (!weights) {
        return 0;
    }
    args.unit = ldexp(k->scale, -make_weights(k, bits, weights));
    find_parts(weights, bits, &args);
    find_digits(weights, &args);
    const int32_t out = gf_lowering_picture(l, shape.width, shape.height, shape.channels, depth);
    const struct gf_lowering_operands in = {{source - 1, block}, 2}, to = {{out}, 1};
    return gf_lowering_apply(l, &gf_kernel_wide_conv, in, to, &args, sizeof args) ? gf_to_id(out) : 0;
}
