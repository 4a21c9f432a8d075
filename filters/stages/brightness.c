/* brightness: add a constant. */
#include "gpufilter/stage.h"

struct brightness {
    double amount;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct brightness *p = params;
    gf_value_id v = gf_lower_input(l);
    gf_lower_output(l, gf_lower_affine(l, v, 1, p->amount * gf_lower_white(l, v)));
}

GF_PARAMS({GF_ROW_IN(INTENSITY, brightness, amount, "0", -1, 1),
           .help = "what is added, as a fraction of full scale", .positional = 1});

GF_EXAMPLES({"brightness:0.1", "makes the picture lighter by a tenth of full scale"},
            {"brightness:-25u8", "makes it darker by 25 of 255"});

const gf_stage_type gf_stage_brightness = {
    GF_STAGE_OF(brightness),
    .group = "point",
    .summary = "lighter or darker by a constant",
    .use = "To shift all values alike; to lighten shadows and keep black and white, gamma is better.",
    .formula = "v -> v + amount * white; u8 and u16 are clamped.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
