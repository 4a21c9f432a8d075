/* Builders of whole colours: L*a*b*, cubes, luma, colours apart, gains that are measured. */
#include "lower/lowering_private.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/solve/balance.h"

#include <string.h>

/* A POINT op over three colours, with or without alpha, of the whole picture; NULL on failure. */
static struct gf_op *on_colours(gf_lowering *l, gf_value_id v, const char *what, int32_t *out)
{
    const struct gf_value *in = gf_lowering_samples(l, v);
    if (!in) {
        return NULL;
    }
    if (in->channels < 3) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "%s is of colour pictures; this one is gray: rgb comes before",
                      what);
        return NULL;
    }
    return gf_lowering_point(l, v, in->depth, in->channels, out);
}

gf_value_id gf_lower_lab(gf_lowering *l, gf_value_id v, int back)
{
    int32_t out;
    struct gf_op *op = on_colours(l, v, "L*a*b*", &out);
    if (!op) {
        return 0;
    }
    const float white = (float)gf_lower_white(l, v);
    if (white != 1) {
        gf_point_push(op, GF_INSN_DIVIDE, 7, white, 0);
    }
    gf_point_push(op, back ? GF_INSN_FROM_LAB : GF_INSN_LAB, 7, 0, 0);
    if (white != 1) {
        gf_point_push(op, GF_INSN_AFFINE, 7, white, 0);
    }
    return gf_point_rounded(op, out);
}

/* Gives back the channels and pixels that a stage with channels= or roi= must not touch: those of v. */
static void push_keep(gf_lowering *l, gf_value_id v, struct gf_op *op)
{
    const uint8_t mask = gf_lowering_mask(l, op->u.point->channels_out);
    if (l->node->common.roi.rect.w || l->node->common.channels) {
        op->operand[GF_OPERAND_SECOND] = v - 1;
        gf_point_push(op, GF_INSN_KEEP, mask, 0, 0)->operand = GF_OPERAND_SECOND;
    }
}

gf_value_id gf_lower_cube(gf_lowering *l, gf_value_id v, const double *colours, int32_t n,
                          const double *domain, double scale)
{
    static const double all[6] = {0, 0, 0, 1, 1, 1};
    int32_t out, block;
    domain = domain ? domain : all;
    if (!colours || n < 2 || n > 256) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a cube of %d colours a side, must have 2 to 256", n);
        return 0;
    }
    for (int c = 0; c < 3; c++) {
        if (!(domain[c] < domain[3 + c])) {
            gf_lower_fail(l, GF_ERROR_ARGUMENT, "the cube's domain is from %g to %g: the first must be less",
                          domain[c], domain[3 + c]);
            return 0;
        }
    }
    const int64_t numbers = 3 * (int64_t)n * n * n;
    struct gf_op *op = on_colours(l, v, "a cube of colours", &out);
    float *content = op ? gf_lowering_constant(l, GF_F32, 1, numbers + 6, &block) : NULL;
    if (!content) {
        return 0;
    }
    const double white = gf_lower_white(l, v);
    for (int64_t i = 0; i < numbers; i++) {
        content[i] = (float)(colours[i] / scale * white);
    }
    for (int c = 0; c < 3; c++) {
        const double steps = (n - 1) / (domain[3 + c] - domain[c]);
        content[numbers + c] = (float)(steps / white);
        content[numbers + 3 + c] = domain[c] == 0 ? 0.0F : (float)(-domain[c] * steps);
    }
    op->blocks[0] = block;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_CUBE, 7, 0, 0);
    insn->block = 0;
    insn->arg = (uint8_t)(n - 1);
    push_keep(l, v, op);
    return gf_point_rounded(op, out);
}

/* ---- luma ---- */

gf_value_id gf_lowering_with_luma(gf_lowering *l, gf_value_id v, gf_value_id luma)
{
    int32_t out;
    const struct gf_shape shape = gf_lower_shape(l, v), made = gf_lower_shape(l, luma);
    struct gf_op *op = on_colours(l, v, "channels=luma", &out);
    if (!op) {
        return 0;
    }
    if (made.width != shape.width || made.height != shape.height || made.depth != shape.depth) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "channels=luma is of stages that keep size and depth of the picture");
        return 0;
    }
    op->roi = (gf_rect){0}; /* outside it the luma is as it was */
    op->operand[GF_OPERAND_SECOND] = luma - 1;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_LUMA, 7, 0, 0);
    insn->operand = GF_OPERAND_SECOND;
    insn->depth = (uint8_t)shape.depth;
    return gf_point_rounded(op, out);
}

/* ---- colours apart ---- */

/* A block of the colour of the upper left pixel of the stage's part of v: its first number in each row. */
static gf_value_id corner_colour(gf_lowering *l, gf_value_id v)
{
    const gf_rect roi = l->node->common.roi.rect;
    const gf_value_id pixel =
        gf_lower_crop(l, v, (gf_rect){.x = roi.w ? roi.x : 0, .y = roi.w ? roi.y : 0, .w = 1, .h = 1});
    const gf_shape shape = gf_lower_shape(l, pixel);
    int32_t wide;
    struct gf_op *op = pixel ? gf_lowering_point(l, pixel, GF_F32, shape.channels, &wide) : NULL;
    if (!op) {
        return 0;
    }
    op->roi = (gf_rect){0};
    gf_point_push(op, GF_INSN_AFFINE, (uint8_t)((1u << shape.channels) - 1), 1, 0);
    return gf_lowering_range_of_all(l, gf_to_id(wide));
}

/* A block of that colour, n numbers in fractions of white; alpha is white. */
static gf_value_id given_colour(gf_lowering *l, gf_value_id v, const double *colour, int32_t n)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const double white = gf_lower_white(l, v);
    const int32_t colours = shape.channels - (shape.channels == 2 || shape.channels == 4);
    int32_t block;
    if (n != 1 && n != colours) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "colour has %d numbers for a picture of %d channel%s: must have 1, or %d, one for each "
                      "colour",
                      n, shape.channels, shape.channels == 1 ? "" : "s", colours);
        return 0;
    }
    float *content = gf_lowering_constant(l, GF_F32, shape.channels, 2, &block);
    for (int32_t c = 0; content && c < shape.channels; c++) {
        const double own = c < colours ? colour[n == 1 ? 0 : c] * white : white;
        content[2 * c] = shape.depth == GF_F32 ? (float)own : (float)(int64_t)(own + 0.5);
    }
    return content ? gf_to_id(block) : 0;
}

gf_value_id gf_lowering_apart(gf_lowering *l, gf_value_id v, const double *colour, int32_t n,
                              double tolerance)
{
    const struct gf_value *in = gf_lowering_samples(l, v);
    int32_t out;
    if (!in) {
        return 0;
    }
    const int32_t channels = in->channels;
    const bool has_alpha = l->alpha != GF_ALPHA_NONE && (channels == 2 || channels == 4);
    const uint8_t all = (uint8_t)((1u << channels) - 1);
    const uint8_t mask = l->node->common.channels ? gf_lowering_mask(l, channels) : all;
    const double white = gf_lower_white(l, v);
    const gf_value_id block = n ? given_colour(l, v, colour, n) : corner_colour(l, v);
    struct gf_op *op = block ? gf_lowering_point(l, v, GF_U8, 1, &out) : NULL;
    if (!op) {
        return 0;
    }
    op->roi = (gf_rect){0};
    op->blocks[0] = block - 1;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_APART, mask, (float)(tolerance * white), 255);
    insn->block = 0;
    insn->arg = has_alpha && mask == all;
    return gf_to_id(out);
}

/* ---- gains that are measured ---- */

gf_value_id gf_lowering_balance(gf_lowering *l, gf_value_id v, bool by_gray, double percent)
{
    const gf_value_id measured =
        by_gray ? gf_lower_stats(l, v) : gf_lowering_percentiles(l, v, &percent, 1, true);
    const struct gf_value *block = gf_lowering_value(l, measured, true);
    if (!block) {
        return 0;
    }
    const int32_t channels = block->channels;
    const struct gf_balance_args args = {
        .by_gray = by_gray, .mask = gf_lowering_mask(l, channels), .white = gf_lower_white(l, v)};
    const int32_t factors = gf_lowering_block(l, GF_F32, channels, 1);
    const struct gf_lowering_operands in = {{measured - 1}, 1}, out = {{factors}, 1};
    return gf_lowering_apply(l, &gf_kernel_balance, in, out, &args, sizeof args) ? gf_to_id(factors) : 0;
}

gf_value_id gf_lowering_gain_block(gf_lowering *l, gf_value_id v, gf_value_id factors)
{
    uint8_t mask;
    int32_t out;
    struct gf_op *op = gf_lowering_value(l, factors, true) ? gf_lowering_in_place(l, v, &mask, &out) : NULL;
    if (!op) {
        return 0;
    }
    op->blocks[0] = factors - 1;
    gf_point_push(op, GF_INSN_GAIN, mask, 0, 0)->block = 0;
    return gf_point_rounded(op, out);
}
