/* WINDOW builder of functions of the embedder. */
#include "lower/lowering_private.h"

#include "base/sized.h"
#include "pixel/ir/own_window.h"

#include <string.h>

/* Takes what was given; false, and a failure, where that is no window. */
static bool take(gf_lowering *l, const gf_window_function *given, gf_window_function *window)
{
    static const struct gf_sized sized = GF_SIZED(gf_window_function, args_size);
    gf_error why = GF_ERROR_INIT;
    if (gf_struct_in(&sized, given, window, &why) != GF_OK) {
        gf_lower_fail(l, why.code, "%s", why.message);
        return false;
    }
    if (!window->host) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "the host function of a gf_window_function is NULL");
        return false;
    }
    if (window->channels < 0 || window->channels > 4) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "a window makes %d channels, must be 1 to 4, or 0 for as many as come in",
                      (int)window->channels);
        return false;
    }
    if (window->args_size > 0 && !window->args) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "args of a gf_window_function is NULL, and args_size %zu",
                      window->args_size);
        return false;
    }
    const int64_t reach[] = {window->left, window->right, window->up, window->down};
    static const char *const sides[] = {"left", "right", "up", "down"};
    for (int i = 0; i < 4; i++) {
        if (reach[i] < 0 || reach[i] > GF_WINDOW_FAR) {
            gf_lower_fail(l, GF_ERROR_ARGUMENT, "a window reads %lld pixels %s, must be 0 to %d",
                          (long long)reach[i], sides[i], GF_WINDOW_FAR);
            return false;
        }
    }
    return true;
}

/* The window alone over `source`; `original` is the stage's picture. */
static gf_value_id window_over(gf_lowering *l, gf_value_id source, gf_value_id original,
                               const gf_window_function *window, int32_t channels)
{
    const struct gf_own_window_args args = {.host = window->host,
                                            .args = window->args,
                                            .name = window->name,
                                            .stage = l->node->type->name,
                                            .number = l->stage,
                                            .left = (int32_t)window->left,
                                            .right = (int32_t)window->right,
                                            .up = (int32_t)window->up,
                                            .down = (int32_t)window->down};
    _Static_assert(sizeof args <= GF_ARGS_BYTES, "they travel in the op");
    int32_t block = GF_NONE, out;
    if (window->args_size > 0) {
        void *copy = gf_lowering_constant(l, GF_U8, 1, (int64_t)window->args_size, &block);
        if (!copy) {
            return 0;
        }
        memcpy(copy, window->args, window->args_size);
    }
    struct gf_op *op = gf_lowering_window_op(l, source, original, &gf_kernel_own_window,
                                             gf_lower_shape(l, source).depth, channels, &out);
    if (!op) {
        return 0;
    }
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    op->blocks[0] = block;
    op->u.window.blocks[0] = block == GF_NONE ? GF_NONE : 0;
    return gf_to_id(out);
}

/* v, of another number of channels than the stage's picture, in that depth. */
static gf_value_id round_to(gf_lowering *l, gf_value_id v, gf_depth depth)
{
    const gf_shape shape = gf_lower_shape(l, v);
    int32_t out;
    if (shape.depth == depth) {
        return v;
    }
    struct gf_op *op = gf_lowering_point_all(l, v, depth, shape.channels, &out);
    if (!op) {
        return 0;
    }
    gf_point_push(op, GF_INSN_QUANTISE, (uint8_t)((1u << shape.channels) - 1), 0, 0)->roi = GF_NONE;
    return gf_to_id(out);
}

/* The picture that the window reads, as it is stored or in f32. */
static gf_value_id source_of(gf_lowering *l, gf_value_id v, const gf_window_function *window)
{
    const gf_value_id source = gf_lowering_window_source(l, v);
    const bool ready = source != v || window->as_stored || gf_lower_shape(l, v).depth == GF_F32;
    return ready ? source : gf_lowering_widen(l, v);
}

/* A window that makes so many other channels of v, whose alpha weighs nothing. */
static gf_value_id channels_of(gf_lowering *l, gf_value_id v, const gf_window_function *window)
{
    const gf_shape shape = gf_lower_shape(l, v);
    if (l->node->common.roi.rect.w || l->node->common.channels) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "it makes %d channels of %d, so that roi= and channels= have nothing to keep",
                      (int)window->channels, (int)shape.channels);
        return 0;
    }
    const gf_alpha alpha = l->alpha;
    l->alpha = GF_ALPHA_STRAIGHT;
    const gf_value_id source = source_of(l, v, window);
    const gf_value_id made = source ? window_over(l, source, v, window, window->channels) : 0;
    l->alpha = alpha;
    return made ? round_to(l, made, shape.depth) : 0;
}

gf_value_id gf_lower_window(gf_lowering *l, gf_value_id v, const gf_window_function *given)
{
    gf_window_function window = GF_WINDOW_FUNCTION_INIT;
    if (!gf_lowering_samples(l, v) || !take(l, given, &window)) {
        return 0;
    }
    const gf_shape shape = gf_lower_shape(l, v);
    if (window.channels != 0 && window.channels != shape.channels) {
        return channels_of(l, v, &window);
    }
    const gf_value_id source = source_of(l, v, &window);
    const gf_value_id made = source ? window_over(l, source, v, &window, shape.channels) : 0;
    const struct gf_window_end end = {source, v, shape.depth, true};
    return made ? gf_lowering_window_end(l, made, &end) : 0;
}
