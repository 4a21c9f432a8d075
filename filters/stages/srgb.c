/* srgb: sRGB samples of light. */
#include "stages/transfer_stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_transfer(l, gf_lower_input(l), 1));
}

GF_EXAMPLES({"convert:u16,linear,gain:2,srgb,convert:u8", "twice the light"},
            {"srgb", "makes a picture that holds light fit for a display"});

const gf_stage_type gf_stage_srgb = {
    GF_STAGE_NAMED(srgb),
    .group = "point",
    .summary = "from linear light to sRGB",
    .use = "After linear, or for pictures that were computed as light, before they are shown or stored.",
    .source = GF_TRANSFER_SOURCE,
    .formula = "With x = v / white: 12.92 x up to 0.0031308, above 1.055 x^(1 / 2.4) - 0.055, times "
               "white.\n" GF_TRANSFER_BELOW,
    .params = gf_transfer_params,
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
