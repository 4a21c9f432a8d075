/* WINDOW builders: a neighbourhood, then whatever channels= and roi= leave untouched. */
#include "lower/lowering_private.h"

#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/ir/gaussian.h"
#include "pixel/ir/kernel_table.h"

#include <string.h>

/* ---- alpha, channels and roi around a window ---- */

gf_value_id gf_lowering_widen(gf_lowering *l, gf_value_id v)
{
    int32_t out;
    int32_t channels = gf_lower_shape(l, v).channels;
    struct gf_op *op = gf_lowering_point_all(l, v, GF_F32, channels, &out);
    if (!op) {
        return 0;
    }
    if (gf_lowering_weighs(l, channels)) {
        gf_point_push(op, GF_INSN_PREMULTIPLY, 0, 0, 0);
    }
    return gf_to_id(out);
}

gf_value_id gf_lowering_window_source(gf_lowering *l, gf_value_id v)
{
    return gf_lowering_samples(l, v) && gf_lowering_weighs(l, gf_lower_shape(l, v).channels)
               ? gf_lowering_widen(l, v)
               : v;
}

gf_value_id gf_lowering_window_end(gf_lowering *l, gf_value_id v, const struct gf_window_end *end)
{
    const gf_depth depth = end->depth;
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    int32_t channels = picture->channels;
    uint8_t all = (uint8_t)((1u << channels) - 1);
    bool premultiplied = end->weighed && gf_lowering_weighs(l, channels);
    uint8_t mask = premultiplied ? all : gf_lowering_mask(l, channels);
    bool keeps = mask != all || l->node->common.roi.rect.w;
    if (picture->depth == depth && !premultiplied && !keeps) {
        return v;
    }
    bool rounds = picture->depth != depth;
    int32_t out;
    struct gf_op *op = gf_lowering_point(l, v, depth, channels, &out);
    if (!op) {
        return 0;
    }
    l->weighed = l->weighed || premultiplied;
    if (premultiplied && !GF_FAULT(alpha_left_in)) {
        gf_point_push(op, GF_INSN_UNPREMULTIPLY, 0, 0, 0);
    }
    if (keeps) { /* what was weighed has lost the colours that nobody sees */
        const bool by_centre = end->centre && !premultiplied;
        const enum gf_operand from = by_centre ? GF_OPERAND_CENTRE : GF_OPERAND_SECOND;
        op->operand[from] = (by_centre ? end->centre : end->second) - 1;
        gf_point_push(op, GF_INSN_KEEP, mask, 0, 0)->operand = (uint8_t)from;
    }
    if (rounds) {
        gf_point_push(op, GF_INSN_QUANTISE, all, 0, 0)->roi = GF_NONE;
    }
    return gf_to_id(out);
}

/* The same of a window over `source`, which is `picture` or was made of it. */
static gf_value_id finish(gf_lowering *l, gf_value_id v, gf_value_id source, gf_value_id picture)
{
    const struct gf_window_end end = {source, picture, gf_lower_shape(l, picture).depth, true};
    return gf_lowering_window_end(l, v, &end);
}

/* ---- the ops ---- */

static void set_fill(gf_lowering *l, struct gf_window *window, gf_value_id picture, bool premultiplied)
{
    double white = gf_lower_white(l, picture);
    double fill = l->node->common.value * white;
    float rounded = gf_lower_shape(l, picture).depth == GF_F32 ? (float)fill : (float)(int32_t)(fill + 0.5);
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        window->fill[c] = rounded;
    }
    if (premultiplied) { /* outside is opaque, or, where value is 0, transparent */
        int32_t alpha = window->channels_in - 1;
        for (int32_t c = 0; c < alpha; c++) {
            window->fill[c] = rounded * (float)white;
        }
        window->fill[alpha] = rounded > 0 ? (float)white : 0.0F;
    }
}

struct gf_op *gf_lowering_window_op(gf_lowering *l, gf_value_id v, gf_value_id original,
                                    const struct gf_kernel *kernel, gf_depth depth_out, int32_t channels_out,
                                    int32_t *out)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return NULL;
    }
    struct gf_value in = *picture;
    *out = gf_lowering_picture(l, in.width, in.height, channels_out, depth_out);
    struct gf_op *op = *out == GF_NONE ? NULL : gf_lowering_op(l, GF_OP_WINDOW, v - 1, *out);
    if (!op) {
        return NULL;
    }
    op->roi = (gf_rect){0};
    struct gf_window *window = &op->u.window;
    window->kernel = kernel;
    window->border = (gf_border)l->node->common.border;
    window->blocks[0] = window->blocks[1] = GF_NONE;
    window->depth_in = in.depth;
    window->depth_out = depth_out;
    window->channels_in = in.channels;
    window->channels_out = channels_out;
    set_fill(l, window, original, v != original && gf_lowering_weighs(l, in.channels));
    return op;
}

/* ---- radii beyond the picture ---- */

/* Up to this radius floats are added as they are, however small the picture: the cost is bounded anyway. */
enum { NEAR_RADIUS = 64 };

static bool lies_beyond(int64_t radius, int64_t extent)
{
    return radius > extent && radius > NEAR_RADIUS;
}

/* A box along an axis of `extent` pixels: a radius that covers the picture from each of them, and turns.
 * exact: integers, whose sums do not depend on how they are added. */
static void leave_turns(int64_t radius, int64_t extent, int border, bool exact, int32_t *near, int32_t *turns)
{
    int64_t period = gf_border_period(extent, border);
    bool beyond = exact ? radius > extent : lies_beyond(radius, extent);
    *turns = beyond ? (int32_t)((radius - extent) / period) : 0;
    *near = (int32_t)(radius - *turns * period);
}

/* The taps of a Gaussian along an axis; those beyond `reach` do not count. */
static struct gf_gaussian_taps taps_along(double sigma, int64_t radius, int64_t reach, int64_t extent,
                                          int border)
{
    struct gf_gaussian_taps taps = {sigma, radius, reach, reach, 0};
    if (lies_beyond(reach, extent)) {
        bool repeats = border != GF_BORDER_REPLICATE && border != GF_BORDER_CONSTANT;
        taps.period = repeats ? gf_border_period(extent, border) : 0;
        taps.kept = repeats ? taps.period / 2 : extent;
    }
    return taps;
}

/* f32 weights of one axis as a constant block; GF_NONE after a failure. */
static int32_t weights(gf_lowering *l, const struct gf_gaussian_taps *taps)
{
    int32_t value;
    float *content = gf_lowering_constant(l, GF_F32, 1, 2 * taps->kept + 1, &value);
    if (content) {
        gf_gaussian_taps_weights(taps, content);
    }
    return value;
}

/* Fixed point weights for u8, with their shift; GF_NONE where 16 bits are too few for this sigma. */
static int32_t fixed_weights(gf_lowering *l, double sigma, int64_t radius, int64_t reach, int32_t max_shift,
                             int32_t *shift)
{
    int32_t value;
    int16_t *content = gf_lowering_constant(l, GF_S16, 1, 2 * reach + 1, &value);
    *shift = content ? gf_gaussian_fixed(sigma, radius, max_shift, reach, content) : -1;
    return *shift < 0 ? GF_NONE : value;
}

/* A blur of `source`, f32, by a Gaussian that is sampled down. */
static gf_value_id multirate(gf_lowering *l, gf_value_id source, gf_value_id original, double sigma)
{
    const struct gf_multirate m = gf_multirate_make(sigma);
    const struct gf_shape shape = gf_lower_shape(l, source);
    int32_t out, block;
    float *content = gf_lowering_constant(l, GF_F32, 1, gf_multirate_size(&m), &block);
    if (!content) {
        return 0;
    }
    gf_multirate_weights(&m, content);
    struct gf_op *op =
        gf_lowering_window_op(l, source, original, &gf_kernel_multirate, GF_F32, shape.channels, &out);
    if (!op) {
        return 0;
    }
    op->blocks[0] = block;
    op->u.window.blocks[0] = 0;
    op->u.window.args.multirate = (struct gf_multirate_args){m.step, m.radius, shape.height > 1};
    return gf_to_id(out);
}

gf_value_id gf_lowering_separable(gf_lowering *l, gf_value_id source, gf_value_id original,
                                  struct gf_separable_args args, int32_t wx, int32_t wy)
{
    const struct gf_shape shape = gf_lower_shape(l, source);
    int32_t out;
    struct gf_op *op =
        gf_lowering_window_op(l, source, original, &gf_kernel_separable, shape.depth, shape.channels, &out);
    if (!op) {
        return 0;
    }
    op->blocks[0] = wx;
    op->blocks[1] = wy;
    op->u.window.blocks[0] = 0;
    op->u.window.blocks[1] = 1;
    op->u.window.args.separable = args;
    return gf_to_id(out);
}

/* A blur of `source`, u16 or f32, in f32 chains. depth: of the picture that the samples come from. */
static gf_value_id chains(gf_lowering *l, gf_value_id source, gf_value_id original, double sigma,
                          int64_t radius, gf_depth depth)
{
    const struct gf_shape shape = gf_lower_shape(l, source);
    const int border = (int)l->node->common.border;
    /* A weight of 0 changes nothing but NaN, infinity and the sign of 0, which integers do not have. */
    int64_t reach = depth == GF_F32 ? radius : gf_gaussian_reach(sigma, radius, GF_GAUSSIAN_LEAST);
    const struct gf_gaussian_taps none = {sigma, 0, 0, 0, 0};
    const struct gf_gaussian_taps x = taps_along(sigma, radius, reach, shape.width, border);
    const struct gf_gaussian_taps y =
        shape.height > 1 ? taps_along(sigma, radius, reach, shape.height, border) : none;
    int32_t wx = weights(l, &x), wy = weights(l, &y);
    const struct gf_separable_args args = {.radius_x = (int32_t)x.kept, .radius_y = (int32_t)y.kept};
    return gf_lowering_separable(l, source, original, args, wx, wy);
}

/* A blur of a u8 picture in fixed point; 0 where 16 bits are too few for this sigma. */
static gf_value_id fixed(gf_lowering *l, gf_value_id v, double sigma, int64_t radius)
{
    const bool down = gf_lower_shape(l, v).height > 1; /* a signal has one dimension */
    int64_t reach = gf_gaussian_reach(sigma, radius, GF_GAUSSIAN_LEAST_FIXED);
    struct gf_separable_args args = {.radius_x = (int32_t)reach, .radius_y = down ? (int32_t)reach : 0};
    int32_t wx = fixed_weights(l, sigma, radius, reach, GF_GAUSSIAN_SHIFT_X, &args.shift_x);
    int32_t wy = wx == GF_NONE ? GF_NONE
                               : fixed_weights(l, sigma, down ? radius : 0, args.radius_y,
                                               GF_GAUSSIAN_SHIFT_Y, &args.shift_y);
    return wy == GF_NONE ? 0 : gf_lowering_separable(l, v, v, args, wx, wy);
}

static bool is_multirate(double sigma, int64_t radius)
{
    return radius == GF_AUTO && sigma >= GF_MULTIRATE_SIGMA;
}

gf_value_id gf_lowering_blur(gf_lowering *l, gf_value_id source, gf_value_id original, double sigma,
                             int64_t radius)
{
    if (is_multirate(sigma, radius)) {
        return multirate(l, source, original, sigma);
    }
    return chains(l, source, original, sigma, radius == GF_AUTO ? gf_gaussian_radius(sigma) : radius,
                  gf_lower_shape(l, original).depth);
}

gf_value_id gf_lower_gaussian(gf_lowering *l, gf_value_id v, double sigma, int64_t radius)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const struct gf_shape shape = gf_lower_shape(l, v);
    const bool premultiplied = gf_lowering_weighs(l, shape.channels), sampled = is_multirate(sigma, radius);
    gf_value_id source = premultiplied || (sampled && shape.depth != GF_F32) ? gf_lowering_widen(l, v) : v;
    gf_value_id blurred = 0;
    radius = radius == GF_AUTO ? gf_gaussian_radius(sigma) : radius;
    if (sampled) {
        blurred = multirate(l, source, v, sigma);
    } else if (shape.depth == GF_U8 && !premultiplied) {
        blurred = fixed(l, v, sigma, radius);
    }
    if (!blurred) {
        source = shape.depth == GF_U8 && source == v ? gf_lowering_widen(l, v) : source;
        blurred = chains(l, source, v, sigma, radius, shape.depth);
    }
    return finish(l, blurred, source, v);
}

gf_value_id gf_lower_unsharp(gf_lowering *l, gf_value_id v, double sigma, double amount, double threshold)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    const struct gf_shape shape = gf_lower_shape(l, v);
    const bool premultiplied = gf_lowering_weighs(l, shape.channels);
    const double white = gf_lower_white(l, v);
    gf_value_id source = shape.depth != GF_F32 || premultiplied ? gf_lowering_widen(l, v) : v;
    gf_value_id blurred = gf_lowering_blur(l, source, v, sigma, GF_AUTO);
    int32_t out;
    struct gf_op *op = gf_lowering_point(l, blurred, GF_F32, shape.channels, &out);
    if (!op) {
        return 0;
    }
    op->roi = (gf_rect){0}; /* finish gives back what is outside */
    op->operand[GF_OPERAND_CENTRE] = source - 1;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_SHARPEN, (uint8_t)((1u << shape.channels) - 1),
                                         (float)amount, (float)(threshold * (premultiplied ? white : 1)));
    insn->operand = GF_OPERAND_CENTRE;
    return finish(l, gf_to_id(out), source, v);
}

gf_value_id gf_lowering_box(gf_lowering *l, gf_value_id source, gf_value_id original, int64_t radius,
                            bool floors)
{
    const struct gf_shape shape = gf_lower_shape(l, source);
    const int border = (int)l->node->common.border;
    int32_t out;
    struct gf_op *op =
        gf_lowering_window_op(l, source, original, &gf_kernel_box, shape.depth, shape.channels, &out);
    if (!op) {
        return 0;
    }
    struct gf_box_args *args = &op->u.window.args.box;
    const bool exact = op->u.window.depth_in != GF_F32;
    const int64_t radius_y = shape.height == 1 ? 0 : radius;
    leave_turns(radius, shape.width, border, exact, &args->radius_x, &args->turns_x);
    leave_turns(radius_y, shape.height, border, exact, &args->radius_y, &args->turns_y);
    args->floors = floors;
    return gf_to_id(out);
}

gf_value_id gf_lower_box(gf_lowering *l, gf_value_id v, int64_t radius)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    const gf_value_id source = gf_lowering_window_source(l, v);
    const gf_value_id mean = gf_lowering_box(l, source, v, radius, false);
    return mean ? finish(l, mean, source, v) : 0;
}

gf_value_id gf_lowering_bare_window(gf_lowering *l, gf_value_id v, gf_value_id original,
                                    const struct gf_kernel *kernel, const void *args, size_t size,
                                    int32_t block)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    const struct gf_shape shape = gf_lower_shape(l, v);
    int32_t out;
    struct gf_op *op = gf_lowering_window_op(l, v, original, kernel, shape.depth, shape.channels, &out);
    if (!op) {
        return 0;
    }
    op->u.window.args.own = gf_args_of(args, size);
    op->blocks[0] = block;
    op->u.window.blocks[0] = block == GF_NONE ? GF_NONE : 0;
    return gf_to_id(out);
}

gf_value_id gf_lowering_window(gf_lowering *l, gf_value_id v, const struct gf_kernel *kernel,
                               const void *args, size_t size)
{
    const gf_value_id source = gf_lowering_window_source(l, v);
    const gf_value_id made = gf_lowering_bare_window(l, source, v, kernel, args, size, GF_NONE);
    return made ? finish(l, made, source, v) : 0;
}

gf_value_id gf_lowering_window_to(gf_lowering *l, gf_value_id v, const struct gf_kernel *kernel,
                                  gf_depth depth, int32_t channels, const void *args, size_t size)
{
    int32_t out;
    struct gf_op *op = gf_lowering_window_op(l, v, v, kernel, depth, channels, &out);
    if (!op) {
        return 0;
    }
    op->u.window.args.own = gf_args_of(args, size);
    return gf_to_id(out);
}
