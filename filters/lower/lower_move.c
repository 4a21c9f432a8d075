/* MAP builders that only move pixels. */
#include "lower/lowering_private.h"

#include "base/gf_num.h"
#include "pixel/ir/move.h"

bool gf_lowering_size(gf_lowering *l, gf_value_id v, double width, double height)
{
    if (!gf_lowering_value(l, v, false)) {
        return false;
    }
    if (width >= 1 && height >= 1 && width <= INT32_MAX && height <= INT32_MAX &&
        width * height <= (double)GF_MOST_PIXELS) {
        return true;
    }
    const gf_shape shape = gf_lower_shape(l, v);
    gf_lower_fail(
        l, GF_ERROR_ARGUMENT,
        "from %lld x %lld pixels it would make %.0f x %.0f; a picture has 1 to %d pixels a side and "
        "at most %lld in all",
        (long long)shape.width, (long long)shape.height, width, height, INT32_MAX, (long long)GF_MOST_PIXELS);
    return false;
}

/* A picture of that size from places of v. */
static gf_value_id move(gf_lowering *l, gf_value_id v, int64_t width, int64_t height,
                        const struct gf_move_args *args)
{
    const struct gf_value *picture = gf_lowering_value(l, v, false);
    if (!picture) {
        return 0;
    }
    const struct gf_value from = *picture;
    const int32_t out = gf_lowering_picture(l, width, height, from.channels, from.depth);
    const struct gf_lowering_operands in = {{v - 1}, 1};
    const struct gf_lowering_operands made = {{out}, 1};
    return gf_lowering_apply(l, &gf_kernel_move, in, made, args, sizeof *args) ? gf_to_id(out) : 0;
}

gf_value_id gf_lower_crop(gf_lowering *l, gf_value_id v, gf_rect area)
{
    const gf_shape shape = gf_lower_shape(l, v);
    if (!gf_lowering_value(l, v, false)) {
        return 0;
    }
    if (area.w < 1 || area.h < 1 || area.x < 0 || area.y < 0 || area.x > shape.width - area.w ||
        area.y > shape.height - area.h) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "%lldx%lld+%lld+%lld reaches outside the picture of %lld x %lld pixels",
                      (long long)area.w, (long long)area.h, (long long)area.x, (long long)area.y,
                      (long long)shape.width, (long long)shape.height);
        return 0;
    }
    const struct gf_move_args args = {.x0 = area.x, .y0 = area.y, .step_x = 1, .step_y = 1};
    return move(l, v, area.w, area.h, &args);
}

/* A sample of that depth from a fraction of full scale; integers half up and inside it, NaN as 0. Numbers of
 * a result have no full scale, and get 0. */
static void set_sample(unsigned char *to, gf_depth depth, double value)
{
    const float real = (float)value;
    if (depth == GF_F32) {
        memcpy(to, &real, sizeof real);
        return;
    }
    const double white = gf_depth_white(depth);
    if (!(white > 0)) {
        memset(to, 0, gf_depth_size(depth));
        return;
    }
    const uint16_t whole = (uint16_t)(value > 0 ? (value < 1 ? value * white + 0.5 : white) : 0);
    const uint8_t byte = (uint8_t)whole;
    memcpy(to, depth == GF_U8 ? (const void *)&byte : &whole, gf_depth_size(depth));
}

gf_value_id gf_lower_pad(gf_lowering *l, gf_value_id v, const gf_padding *p)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const bool has_alpha = l->alpha != GF_ALPHA_NONE && (shape.channels == 2 || shape.channels == 4);
    if (!p || p->left < 0 || p->right < 0 || p->top < 0 || p->bottom < 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a padding is needed, none of whose sides is negative");
        return 0;
    }
    if (p->value != 0 && !(gf_depth_white(shape.depth) > 0) && gf_lowering_value(l, v, false)) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "value is a fraction of full scale, which %s has not: only 0 is",
                      gf_depth_name(shape.depth));
        return 0;
    }
    const double width = (double)shape.width + (double)p->left + (double)p->right;
    const double height = (double)shape.height + (double)p->top + (double)p->bottom;
    if (!gf_lowering_size(l, v, width, height)) {
        return 0;
    }
    struct gf_move_args args = {
        .x0 = -p->left, .y0 = -p->top, .step_x = 1, .step_y = 1, .border = (int32_t)p->border};
    for (int32_t c = 0; c < shape.channels; c++) {
        const bool alpha = has_alpha && c == shape.channels - 1;
        set_sample(args.fill + (size_t)c * gf_depth_size(shape.depth), shape.depth,
                   alpha                  ? gf_lowering_outside_alpha(l, p->value, p->alpha)
                   : p->colour.n && c < 3 ? p->colour.v[c]
                                          : p->value);
    }
    return move(l, v, (int64_t)width, (int64_t)height, &args);
}

gf_value_id gf_lowering_canvas(gf_lowering *l, gf_value_id v, gf_rect place, const double fill[4])
{
    const gf_shape shape = gf_lower_shape(l, v);
    struct gf_move_args args = {
        .x0 = -place.x, .y0 = -place.y, .step_x = 1, .step_y = 1, .border = GF_BORDER_CONSTANT};
    if (!gf_lowering_size(l, v, (double)place.w, (double)place.h)) {
        return 0;
    }
    for (int32_t c = 0; c < shape.channels; c++) {
        set_sample(args.fill + (size_t)c * gf_depth_size(shape.depth), shape.depth, fill[c]);
    }
    return move(l, v, place.w, place.h, &args);
}

gf_value_id gf_lowering_rolled(gf_lowering *l, gf_value_id v, int64_t x, int64_t y)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const struct gf_move_args args = {.x0 = x, .y0 = y, .step_x = 1, .step_y = 1, .border = GF_BORDER_WRAP};
    return gf_lowering_value(l, v, false) ? move(l, v, shape.width, shape.height, &args) : 0;
}

/* Axes swapped first, then mirrored along the input's x, or y, or both. */
static gf_value_id turn(gf_lowering *l, gf_value_id v, bool swapped, bool mirror_x, bool mirror_y)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const struct gf_move_args args = {.x0 = mirror_x ? shape.width - 1 : 0,
                                      .y0 = mirror_y ? shape.height - 1 : 0,
                                      .swapped = swapped,
                                      .step_x = mirror_x ? -1 : 1,
                                      .step_y = mirror_y ? -1 : 1};
    return move(l, v, swapped ? shape.height : shape.width, swapped ? shape.width : shape.height, &args);
}

gf_value_id gf_lower_flip(gf_lowering *l, gf_value_id v, int across, int down)
{
    return turn(l, v, false, across != 0, down != 0);
}

/* A quarter clockwise: the left column, from below upwards, becomes the first row. */
gf_value_id gf_lower_rotate(gf_lowering *l, gf_value_id v, int64_t quarters)
{
    const int64_t q = quarters & 3;
    return q == 0 ? v : turn(l, v, q != 2, q == 2 || q == 3, q == 1 || q == 2);
}

gf_value_id gf_lower_transpose(gf_lowering *l, gf_value_id v)
{
    return turn(l, v, true, false, false);
}
