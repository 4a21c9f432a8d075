/* gamma: power law. */
#include "gpufilter/stage.h"

struct gamma {
    double value;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct gamma *p = params;
    gf_lower_output(l, gf_lower_power(l, gf_lower_input(l), 1 / p->value));
}

GF_PARAMS({GF_ROW_IN(NUMBER, gamma, value, "1", 0.01, 100),
           .help = "above 1 lightens the middle, below 1 darkens it", .positional = 1});

GF_EXAMPLES({"gamma:1.8", "lightens the shadows and leaves black and white as they are"},
            {"gamma:0.8:channels=b", "darkens the middle of blue, which makes the picture warmer"});

const gf_stage_type gf_stage_gamma = {
    GF_STAGE_OF(gamma),
    .group = "point",
    .summary = "power law: lighten or darken the middle, keep black and white",
    .use = "To lighten or darken the middle tones, or to go between linear light and what is stored.",
    .formula = "v -> white (v / white)^(1 / value); f32 below 0 keeps its sign.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
