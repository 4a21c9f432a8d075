/* Builders of gradients and of correlations. */
#include "lower/lowering_private.h"

#include "base/planted_fault.h"
#include "pixel/window/conv/conv.h"

#include <math.h>

/* ---- results that have a sign ---- */

void gf_point_signed(struct gf_op *op, enum gf_negative negative, double gain, double white)
{
    const bool moved = negative == GF_NEGATIVE_OFFSET;
    const float k0 = (float)(moved ? gain / 2 : gain), k1 = moved ? (float)(white / 2) : 0.0F;
    if (k0 != 1.0F || k1 != 0.0F) {
        gf_point_push(op, GF_INSN_AFFINE, 0xff, k0, k1)->roi = GF_NONE;
    }
    if (negative == GF_NEGATIVE_ABSOLUTE) {
        gf_point_push(op, GF_INSN_ABSOLUTE, 0xff, 0, 0)->roi = GF_NONE;
    }
}

/* ---- gradients ---- */

gf_value_id gf_lowering_gradient(gf_lowering *l, gf_value_id v, enum gf_gradient_operator name,
                                 enum gf_gradient_part part, enum gf_negative negative)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const gf_depth depth = picture->depth;
    const int32_t channels = picture->channels;
    const struct gf_gradient_args args = gf_gradient_make(name);
    const double white = gf_lower_white(l, v), unit = depth == GF_U8 ? args.unit : 1;
    int32_t gradient, out;
    struct gf_op *window = gf_lowering_window_op(l, v, v, &gf_kernel_gradient,
                                                 depth == GF_U8 ? GF_S16 : GF_F32, 2 * channels, &gradient);
    if (!window) {
        return 0;
    }
    window->u.window.args.own = gf_args_of(&args, sizeof args);
    struct gf_op *op = gf_lowering_point(l, gf_to_id(gradient), GF_F32, channels, &out);
    if (!op) {
        return 0;
    }
    if (part == GF_GRADIENT_MAGNITUDE) {
        gf_point_push(op, GF_INSN_MAGNITUDE, 0, (float)(1 / (2 * unit * unit)), 0);
    } else if (part == GF_GRADIENT_ANGLE) {
        gf_point_push(op, GF_INSN_ANGLE, 0, (float)white, 0);
    } else {
        gf_point_push(op, GF_INSN_SLOPE, 0, 0, 0)->arg = part == GF_GRADIENT_Y;
        gf_point_signed(op, negative, 1 / unit, white);
    }
    const struct gf_window_end end = {.centre = v, .depth = depth, .weighed = false};
    return gf_lowering_window_end(l, gf_to_id(out), &end);
}

gf_value_id gf_lower_sobel(gf_lowering *l, gf_value_id v)
{
    return gf_lowering_gradient(l, v, GF_GRADIENT_SOBEL, GF_GRADIENT_MAGNITUDE, GF_NEGATIVE_KEEP);
}

/* ---- correlations ---- */

/* Are both sides odd, and is each number, in doubles, exactly the product of one of `down` and one of
 * `across`? The factors: a row of the kernel that has its largest number, and each row's share of that. */
static bool factors(const struct gf_conv_kernel *k, double *down, double *across)
{
    int32_t row = 0, column = 0;
    if (k->rows % 2 == 0 || k->columns % 2 == 0) {
        return false;
    }
    for (int32_t i = 0; i < k->rows * k->columns; i++) {
        if (fabs(k->values[i]) > fabs(k->values[row * k->columns + column])) {
            row = i / k->columns;
            column = i % k->columns;
        }
    }
    const double *largest = k->values + (size_t)row * (size_t)k->columns;
    for (int32_t y = 0; y < k->rows; y++) {
        down[y] = largest[column] == 0 ? 0 : k->values[y * k->columns + column] / largest[column];
        for (int32_t x = 0; x < k->columns; x++) {
            across[x] = largest[x];
            if (down[y] * across[x] != k->values[y * k->columns + x]) {
                return false;
            }
        }
    }
    return true;
}

/* f32 weights as a constant block; GF_NONE after a failure. */
static int32_t weights_block(gf_lowering *l, const double *values, int32_t n, double scale)
{
    int32_t value;
    float *content = gf_lowering_constant(l, GF_F32, 1, n, &value);
    for (int32_t i = 0; content && i < n; i++) {
        content[i] = (float)(values[i] * scale);
    }
    return content ? value : GF_NONE;
}

static gf_value_id f32_copy(gf_lowering *l, gf_value_id v)
{
    int32_t out;
    struct gf_op *op = gf_lowering_point_all(l, v, GF_F32, gf_lower_shape(l, v).channels, &out);
    if (!op) {
        return 0;
    }
    return gf_to_id(out);
}

static gf_value_id two_factors(gf_lowering *l, gf_value_id source, gf_value_id original,
                               const struct gf_conv_kernel *k, const double *down, const double *across)
{
    const struct gf_separable_args args = {.radius_x = k->columns / 2, .radius_y = k->rows / 2};
    const int32_t wx = weights_block(l, across, k->columns, k->scale);
    const int32_t wy = weights_block(l, down, k->rows, GF_FAULT(conv_scaled_twice) ? k->scale : 1);
    return gf_lowering_separable(l, source, original, args, wx, wy);
}

static gf_value_id direct(gf_lowering *l, gf_value_id source, gf_value_id original,
                          const struct gf_conv_kernel *k, gf_depth depth)
{
    const struct gf_conv_args args = gf_conv_make(k->rows, k->columns);
    const int32_t block = weights_block(l, k->values, k->rows * k->columns, k->scale);
    int32_t out;
    struct gf_op *op = gf_lowering_window_op(l, source, original, &gf_kernel_conv, depth,
                                             gf_lower_shape(l, source).channels, &out);
    if (!op) {
        return 0;
    }
    op->blocks[0] = block;
    op->u.window.blocks[0] = 0;
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    return gf_to_id(out);
}

/* How sums are made: of so many weights that others take less time than the chain, on CUDA a tenth and less,
 * those of integers are exact, and those of f32 by Fourier transforms. */
enum sums { SUMS_FACTORS, SUMS_CHAIN, SUMS_EXACT, SUMS_FOURIER };

static enum sums sums_of(const struct gf_conv_kernel *k, bool splits, gf_depth depth, bool premultiplied)
{
    if (splits || k->rows * k->columns < GF_CONV_LARGE) {
        return splits ? SUMS_FACTORS : SUMS_CHAIN;
    }
    if (depth == GF_U8 || (depth == GF_U16 && !premultiplied)) {
        return SUMS_EXACT;
    }
    return gf_lowering_fourier_conv_fits(k) ? SUMS_FOURIER : SUMS_CHAIN;
}

gf_value_id gf_lowering_conv(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k,
                             const struct gf_conv_end *end)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    const struct gf_shape shape = gf_lower_shape(l, v);
    const bool premultiplied = end->weighed && gf_lowering_weighs(l, shape.channels);
    const bool follows = end->negative != GF_NEGATIVE_KEEP || end->offset != 0;
    double down[GF_CONV_SIDE], across[GF_CONV_SIDE];
    const enum sums sums = sums_of(k, factors(k, down, across), shape.depth, premultiplied);
    const bool exact = sums == SUMS_EXACT;
    gf_value_id source = premultiplied && !exact ? gf_lowering_widen(l, v) : v;
    if (sums == SUMS_FACTORS && gf_lower_shape(l, source).depth != GF_F32) {
        source = f32_copy(l, v); /* sums are rounded once, when all is done */
    }
    const gf_depth depth = follows || (exact && premultiplied) ? GF_F32 : gf_lower_shape(l, source).depth;
    gf_value_id made = sums == SUMS_FACTORS   ? two_factors(l, source, v, k, down, across)
                       : exact                ? gf_lowering_wide_conv(l, v, k, premultiplied, depth)
                       : sums == SUMS_FOURIER ? gf_lowering_fourier_conv(l, source, k)
                                              : direct(l, source, v, k, depth);
    if (follows && made) {
        int32_t out;
        struct gf_op *op = gf_lowering_point_all(l, made, GF_F32, shape.channels, &out);
        if (!op) {
            return 0;
        }
        gf_point_signed(op, end->negative, 1, gf_lower_white(l, v));
        if (end->offset != 0) {
            gf_point_push(op, GF_INSN_AFFINE, 0xff, 1, (float)end->offset)->roi = GF_NONE;
        }
        made = gf_to_id(out);
    }
    const struct gf_window_end last = {exact || sums == SUMS_FOURIER ? 0 : source, v, shape.depth,
                                       end->weighed};
    return gf_lowering_window_end(l, made, &last);
}
