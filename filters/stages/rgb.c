/* rgb: gray to colour. */
#include "gpufilter/stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_rgb(l, gf_lower_input(l)));
}

GF_EXAMPLES({"gray,rgb", "a gray picture for a program that wants colour"},
            {"gray,rgb,brightness:0.2:channels=r", "a gray picture with a tint"});

const gf_stage_type gf_stage_rgb = {
    GF_STAGE_NAMED(rgb),
    .group = "point",
    .summary = "gray to colour: 1 channel becomes 3, 2 become 4 (alpha stays)",
    .use = "After gray stages, where what follows or reads the file wants three channels.",
    .formula = "red = green = blue = gray, exactly. Colour pictures pass unchanged.",
    .lower = lower,
};
