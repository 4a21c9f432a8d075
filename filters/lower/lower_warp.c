/* The MAP builder of a picture seen through a matrix. */
#include "lower/lowering_private.h"

#include "base/planted_fault.h"
#include "param/sine_pi.h"
#include "pixel/map/warp/shift.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The matrix that undoes `m`, its last element 1 where that can be; false: none does. */
static bool invert(const double m[9], double out[9])
{
    const double cofactors[9] = {
        m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
        m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
        m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    const double determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6];
    const double by =
        cofactors[8] != 0 ? cofactors[8] : determinant; /* places have three numbers of any length */
    for (int i = 0; i < 9; i++) {
        out[i] = cofactors[i] / by;
        if (!isfinite(out[i])) {
            return false;
        }
    }
    return determinant != 0 && isfinite(determinant);
}

static double lanczos(double x)
{
    return x == 0 ? 1 : x > -3 && x < 3 ? 3 * gf_sine_pi(x) * gf_sine_pi(x / 3) / (PI * PI * x * x) : 0;
}

/* Weights of lanczos for each place between two samples, with the sum 1; GF_NONE on failure. */
static int32_t lanczos_table(gf_lowering *l)
{
    int32_t block = GF_NONE;
    float *to = gf_lowering_constant(l, GF_F32, 1, GF_WARP_ROWS * GF_WARP_TAPS, &block);
    for (int phase = 0; to && phase < GF_WARP_ROWS; phase++, to += GF_WARP_TAPS) {
        double w[GF_WARP_TAPS], sum = 0;
        for (int i = 0; i < GF_WARP_TAPS; i++) {
            w[i] = lanczos(i - 2 - (double)(phase + GF_FAULT(warp_phase)) / GF_WARP_PHASES);
            sum += w[i];
        }
        for (int i = 0; i < GF_WARP_TAPS; i++) {
            to[i] = (float)(w[i] / sum);
        }
    }
    return block;
}

/* Returns what a constant border reads, in sample units: integers half up. */
static float fill_of(gf_depth depth, double value)
{
    const double white = gf_depth_white(depth);
    return (float)(depth == GF_F32 ? value : floor(value * white + 0.5));
}

/* Colour times alpha, in f32, or back to a depth. */
static gf_value_id weigh(gf_lowering *l, gf_value_id v, gf_depth depth, bool back)
{
    int32_t out;
    const int32_t channels = gf_lower_shape(l, v).channels;
    struct gf_op *op = gf_lowering_point_all(l, v, depth, channels, &out);
    if (!op) {
        return 0;
    }
    gf_point_push(op, back ? GF_INSN_UNPREMULTIPLY : GF_INSN_PREMULTIPLY, 0, 0, 0);
    if (depth != GF_F32) {
        gf_point_push(op, GF_INSN_QUANTISE, (uint8_t)((1U << channels) - 1), 0, 0);
    }
    return gf_to_id(out);
}

static bool check(gf_lowering *l, gf_value_id v, const gf_warp *warp)
{
    if (!gf_lowering_samples(l, v)) {
        return false;
    }
    if (!warp || (int)warp->filter < 0 || warp->filter > GF_INTERPOLATE_LANCZOS) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a warp is needed, of one of the four filters");
        return false;
    }
    return gf_lowering_size(l, v, (double)warp->width, (double)warp->height);
}

/* Sets what of the arguments is not a matrix. Returns whether colour is to be weighed by alpha. */
static bool set_outside(const gf_lowering *l, gf_shape shape, const gf_warp *warp, struct gf_warp_args *args)
{
    const bool alpha = l->alpha != GF_ALPHA_NONE && (shape.channels == 2 || shape.channels == 4);
    args->filter = (int32_t)warp->filter;
    args->border = (int32_t)warp->border;
    const bool weighed = gf_lowering_weighs(l, shape.channels) && warp->filter != GF_INTERPOLATE_NEAREST;
    const float last = fill_of(shape.depth, gf_lowering_outside_alpha(l, warp->value, warp->alpha));
    for (int32_t c = 0; c < shape.channels; c++) {
        const float colour = fill_of(shape.depth, warp->colour.n && c < 3 ? warp->colour.v[c] : warp->value);
        args->fill[c] = alpha && c == shape.channels - 1 ? last : weighed ? colour * last : colour;
    }
    return weighed;
}

gf_value_id gf_lowering_shift(gf_lowering *l, gf_value_id v, gf_value_id votes, const gf_warp *warp,
                              gf_value_id *found)
{
    const gf_shape shape = gf_lower_shape(l, v);
    struct gf_warp_args args = {.filter = 0};
    const bool weighed = set_outside(l, shape, warp, &args);
    const gf_value_id stats = gf_lower_stats(l, votes), from = weighed ? weigh(l, v, GF_F32, false) : v;
    const int32_t block = gf_lowering_block(l, GF_F64, 1, GF_SHIFT_NUMBERS);
    const int32_t out =
        gf_lowering_picture(l, shape.width, shape.height, shape.channels, weighed ? GF_F32 : shape.depth);
    const struct gf_lowering_operands in = {{votes - 1, stats - 1, from - 1}, 3}, to = {{block, out}, 2};
    *found = gf_to_id(block);
    if (l->status != GF_OK || !gf_lowering_apply(l, &gf_kernel_shift, in, to, &args, sizeof args)) {
        return 0;
    }
    return weighed ? weigh(l, gf_to_id(out), shape.depth, true) : gf_to_id(out);
}

gf_value_id gf_lower_warp(gf_lowering *l, gf_value_id v, const gf_warp *warp)
{
    const gf_shape shape = gf_lower_shape(l, v);
    struct gf_warp_args args = {.filter = 0};
    if (!check(l, v, warp)) {
        return 0;
    }
    if (!invert(warp->m, args.m)) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "the matrix cannot be undone: its determinant is 0 or not finite, or its inverse is not");
        return 0;
    }
    const bool weighed = set_outside(l, shape, warp, &args);
    v = weighed ? weigh(l, v, GF_F32, false) : v;
    const int32_t table = warp->filter == GF_INTERPOLATE_LANCZOS ? lanczos_table(l) : GF_NONE;
    const int32_t out =
        gf_lowering_picture(l, warp->width, warp->height, shape.channels, weighed ? GF_F32 : shape.depth);
    const struct gf_lowering_operands in = {{v - 1, table}, table == GF_NONE ? 1 : 2};
    const struct gf_lowering_operands made = {{out}, 1};
    if (l->status != GF_OK || !gf_lowering_apply(l, &gf_kernel_warp, in, made, &args, sizeof args)) {
        return 0;
    }
    return weighed ? weigh(l, gf_to_id(out), shape.depth, true) : gf_to_id(out);
}
