/* invert: the negative. */
#include "gpufilter/stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    gf_lower_output(l, gf_lower_affine(l, v, -1, gf_lower_white(l, v)));
}

GF_EXAMPLES({"invert", "makes a negative, or a picture of a scanned one"},
            {"invert:channels=a", "swaps what is opaque and what is transparent"});

const gf_stage_type gf_stage_invert = {
    GF_STAGE_NAMED(invert),
    .aliases = "negate",
    .group = "point",
    .summary = "the negative: white becomes black",
    .use = "Where what matters is dark on light and the next stage looks for light on dark.",
    .formula = "v -> white - v; white is 255, 65535 or 1.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
