/* What lies outside: the colour around a picture, and the rest of it around a roi. */
#include "lower/lowering_private.h"
#include "lower/outside.h"

bool gf_lowering_outside(gf_lowering *l, gf_value_id v, const gf_list *colour, struct gf_outside *outside)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const bool has_alpha = shape.channels == 2 || shape.channels == 4;
    const double *c = colour->values;
    const int32_t n = colour->columns;
    if (n == 0) {
        return true;
    }
    if (outside->border != GF_BORDER_REPLICATE && outside->border != GF_BORDER_CONSTANT) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "colour= is for border=constant, and another border is given");
        return false;
    }
    if (n > 1 && shape.channels < 3 && (c[0] != c[1] || c[1] != c[2])) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "colour= is no gray, and the picture is gray: give one number, or the stage rgb before");
        return false;
    }
    if (n == 4 && !has_alpha) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "colour= has alpha, and the picture has none: give three numbers, or alpha:add before");
        return false;
    }
    outside->border = GF_BORDER_CONSTANT;
    outside->value = c[0];
    outside->alpha = n == 4 ? c[3] : outside->alpha >= 0 ? outside->alpha : 1;
    if (n > 1 && shape.channels > 2) {
        outside->colour = (gf_colour3){{c[0], c[1], c[2]}, 3};
    }
    return true;
}

gf_value_id gf_lowering_kept(gf_lowering *l, gf_value_id v, gf_value_id made)
{
    uint8_t mask;
    int32_t out;
    struct gf_op *op = gf_lowering_in_place(l, made, &mask, &out);
    if (!op) {
        return 0;
    }
    mask = l->weighed ? (uint8_t)((1U << op->u.point->channels_out) - 1) : mask;
    op->operand[GF_OPERAND_SECOND] = v - 1;
    gf_point_push(op, GF_INSN_KEEP, mask, 0, 0)->operand = GF_OPERAND_SECOND;
    return gf_to_id(out);
}
