/* linear: light of sRGB samples. */
#include "stages/transfer_stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_transfer(l, gf_lower_input(l), 0));
}

GF_EXAMPLES({"convert:f32,linear,blur:4,srgb,convert:u8",
             "a blur as a lens makes it: of light, not of what is stored"},
            {"linear", "how much light each sample stands for"});

const gf_stage_type gf_stage_linear = {
    GF_STAGE_NAMED(linear),
    .group = "point",
    .summary = "from sRGB to linear light",
    .use = "Before blurring, resizing or adding pictures as light would; u8 has too few levels for the way "
           "back.",
    .source = GF_TRANSFER_SOURCE,
    .formula = "With x = v / white: x / 12.92 up to 0.04045, above ((x + 0.055) / 1.055)^2.4, times "
               "white.\n" GF_TRANSFER_BELOW,
    .params = gf_transfer_params,
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
