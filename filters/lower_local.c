/* Samples against a level that their neighbours make. Every channel is compared by itself, so that alpha
 * weighs nothing. */
#include "lowering_private.h"

#include "base/planted_fault.h"

#include <math.h>

/* level: a window's output over `source`, the stage's picture v in the format of the window. */
static gf_value_id exceeding(gf_lowering *l, gf_value_id level, gf_value_id source, gf_value_id v,
                             double offset)
{
    const struct gf_shape shape = gf_lower_shape(l, level);
    int32_t out;
    struct gf_op *op = gf_lowering_point(l, level, shape.depth, shape.channels, &out);
    if (!op) {
        return 0;
    }
    op->roi = (gf_rect){0}; /* the window's end gives back what is outside */
    op->operand[GF_OPERAND_CENTRE] = source - 1;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_EXCEEDS, (uint8_t)((1u << shape.channels) - 1),
                                         (float)offset, (float)gf_lower_white(l, v));
    insn->operand = GF_OPERAND_CENTRE;
    const struct gf_window_end end = {.centre = source, .depth = gf_lower_shape(l, v).depth};
    return gf_lowering_window_end(l, gf_to_id(out), &end);
}

gf_value_id gf_lowering_threshold_mean(gf_lowering *l, gf_value_id v, int64_t radius, double offset)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    /* Of integers v > mean - offset is v > floor(mean) - offset. */
    const bool integers = gf_lower_shape(l, v).depth != GF_F32;
    const gf_value_id mean = gf_lowering_box(l, v, v, radius, !GF_FAULT(local_mean_rounded));
    return mean ? exceeding(l, mean, v, v, integers ? rint(offset) : offset) : 0;
}

gf_value_id gf_lowering_threshold_gaussian(gf_lowering *l, gf_value_id v, double sigma, int64_t radius,
                                           double offset)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    const gf_alpha alpha = l->alpha;
    l->alpha = GF_ALPHA_STRAIGHT;
    const gf_value_id source = gf_lower_shape(l, v).depth != GF_F32 ? gf_lowering_widen(l, v) : v;
    const gf_value_id blurred = gf_lowering_blur(l, source, v, sigma, radius);
    const gf_value_id out = blurred ? exceeding(l, blurred, source, v, offset) : 0;
    l->alpha = alpha;
    return out;
}
