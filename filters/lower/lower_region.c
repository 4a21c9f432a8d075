/* The form of a roi: an ellipse, a soft edge. Stages know rectangles; what they have made is mixed with what
 * they got by the weight of each pixel, so that nothing else has to know it. */
#include "base/planted_fault.h"
#include "lower/lowering_private.h"
#include "pixel/ir/region.h"

/* The sides of the rectangle behind which the picture goes on, as REGION has them. An ellipse leaves each
 * side at once, so that what counts is only whether there is such an axis. */
static uint8_t soft_sides(const gf_roi *roi, gf_shape shape)
{
    const gf_rect r = roi->rect;
    if (roi->ellipse) {
        return (uint8_t)(GF_REGION_ELLIPSE | (shape.width > 1 ? GF_REGION_LEFT | GF_REGION_RIGHT : 0) |
                         (shape.height > 1 ? GF_REGION_TOP | GF_REGION_BOTTOM : 0));
    }
    return (uint8_t)((r.x > 0 ? GF_REGION_LEFT : 0) | (r.x + r.w < shape.width ? GF_REGION_RIGHT : 0) |
                     (r.y > 0 ? GF_REGION_TOP : 0) | (r.y + r.h < shape.height ? GF_REGION_BOTTOM : 0));
}

/* Of both by the weight of each pixel in the form, in the channels that the stage changes. */
static gf_value_id mixed(gf_lowering *l, gf_value_id v, gf_value_id made, float feather, uint8_t form)
{
    uint8_t mask;
    int32_t out;
    struct gf_op *op = gf_lowering_in_place(l, made, &mask, &out);
    if (!op) {
        return 0;
    }
    op->operand[GF_OPERAND_SECOND] = v - 1;
    mask = l->weighed ? (uint8_t)((1U << op->u.point->channels_out) - 1) : mask;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_REGION, mask, feather, 0);
    insn->operand = GF_OPERAND_SECOND;
    insn->arg = form;
    return gf_point_rounded(op, out);
}

/* The same where alpha weighs colour, at a soft edge, too; what lies outside the form stays as it is. */
static gf_value_id mixed_weighed(gf_lowering *l, gf_value_id v, gf_value_id made, float feather, uint8_t form)
{
    const gf_value_id wide = gf_lowering_widen(l, made);
    const gf_value_id both = mixed(l, gf_lowering_widen(l, v), wide, feather, form);
    const struct gf_window_end end = {0, v, gf_lower_shape(l, v).depth, true};
    const gf_value_id soft = gf_lowering_window_end(l, both, &end);
    return soft && form & GF_REGION_ELLIPSE ? mixed(l, v, soft, 0, form) : soft;
}

gf_value_id gf_lowering_within(gf_lowering *l, gf_value_id v, gf_value_id made)
{
    const gf_roi *roi = &l->node->common.roi;
    const float feather = (float)l->node->common.feather;
    if (!roi->rect.w || (!roi->ellipse && !(feather > 0.0F))) {
        return made;
    }
    const gf_shape from = gf_lower_shape(l, v), to = gf_lower_shape(l, made);
    if (from.width != to.width || from.height != to.height || from.channels != to.channels ||
        from.depth != to.depth) {
        gf_lower_fail(
            l, GF_ERROR_UNSUPPORTED,
            "it makes a picture of %lld x %lld pixels, %d channels and %s of one of %lld x %lld, %d "
            "and %s: roi=ellipse@ and feather= are of stages that keep all of these",
            (long long)to.width, (long long)to.height, to.channels, gf_depth_name(to.depth),
            (long long)from.width, (long long)from.height, from.channels, gf_depth_name(from.depth));
        return 0;
    }
    const uint8_t form = GF_FAULT(region_sides)
                             ? soft_sides(roi, (gf_shape){.width = INT32_MAX, .height = INT32_MAX})
                             : soft_sides(roi, from);
    if (!(form & ~GF_REGION_ELLIPSE)) { /* the one pixel that there is, or all of the picture: no edge */
        return made;
    }
    return l->weighed && feather > 0.0F ? mixed_weighed(l, v, made, feather, form)
                                        : mixed(l, v, made, feather, form);
}
