/* integral: sums of all that is above and to the left. */
#include "pixel/whole/integral/integral.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    if (!gf_lowering_samples(l, v)) {
        return;
    }
    gf_shape shape = gf_lower_shape(l, v);
    gf_depth depth = shape.depth == GF_F32 ? GF_F64 : GF_U64;
    int32_t picture = gf_lowering_picture(l, shape.width, shape.height, shape.channels, depth);
    const struct gf_lowering_operands in = {{v - 1}, 1}, out = {{picture}, 1};
    const char none = 0;
    if (gf_lowering_apply(l, &gf_kernel_integral, in, out, &none, sizeof none)) {
        gf_lower_output(l, gf_to_id(picture));
    }
}

GF_EXAMPLES({"gray,integral", "a table of sums, u64: four of its numbers make the sum of any rectangle"},
            {"convert:f32,integral", "the same of fractions of white, f64"});

const gf_stage_type gf_stage_integral = {
    GF_STAGE_NAMED(integral),
    .aliases = "sat",
    .group = "whole",
    .summary = "sums of all samples above and to the left: a summed-area table, u64 or f64",
    .use = "To have sums over many rectangles of a picture at once: of any one in four look-ups.",
    .formula =
        "out(x, y) = sum of v(i, j), i <= x, j <= y, of each channel, alpha too. Of u8 and u16 u64, exact; "
        "of\n"
        "f32 f64, added in a fixed order. As NumPy's cumsum along both axes; OpenCV's integral has a row\n"
        "and a column of 0 in front. NaN makes NaN of all to the right of and below it.",
    .lower = lower,
};
