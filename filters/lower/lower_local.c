/* Samples against a level that their neighbours make. Every channel is compared by itself, so that alpha
 * weighs nothing. */
#include "lower/lowering_private.h"
#include "pixel/window/sauvola/sauvola.h"

#include "base/planted_fault.h"

#include <math.h>

/* Radii of any picture, however small. */
enum { SMALL_RADIUS = 64 };

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
    /* For integers, v > mean - offset is v > floor(mean) - offset. */
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

gf_value_id gf_lowering_threshold_sauvola(gf_lowering *l, gf_value_id v, int64_t radius, double k,
                                          double range)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const int64_t longer = picture->width > picture->height ? picture->width : picture->height;
    const int64_t sensible = longer < SMALL_RADIUS ? SMALL_RADIUS : longer;
    const int64_t most = sensible < GF_SAUVOLA_MOST ? sensible : GF_SAUVOLA_MOST;
    if (radius > most) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "radius is %lld px, must be from 0 to %lld with method=sauvola%s",
                      (long long)radius, (long long)most,
                      longer == most ? ", the longer side of the picture" : "");
        return 0;
    }
    if (!(range > 0)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "range is %g, must be above 0", range);
        return 0;
    }
    const struct gf_sauvola_args args = {.radius_x = (int32_t)radius,
                                         .radius_y = picture->height == 1 ? 0 : (int32_t)radius,
                                         .k = k,
                                         .range = range * gf_lower_white(l, v)};
    const gf_value_id level =
        gf_lowering_bare_window(l, v, v, &gf_kernel_sauvola, &args, sizeof args, GF_NONE);
    return level ? exceeding(l, level, v, v, 0) : 0;
}
