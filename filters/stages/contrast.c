/* contrast: stretch about the middle. */
#include "gpufilter/stage.h"

struct contrast {
    double factor;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct contrast *p = params;
    gf_value_id v = gf_lower_input(l);
    gf_lower_output(l, gf_lower_affine(l, v, p->factor, 0.5 * (1 - p->factor) * gf_lower_white(l, v)));
}

GF_PARAMS({GF_ROW_IN(NUMBER, contrast, factor, "1", 0, 1000), .help = "above 1 more contrast, below 1 less",
           .positional = 1});

GF_EXAMPLES({"contrast:1.5", "draws light and dark apart"},
            {"contrast:0.6,brightness:0.1", "makes a pale background for text"});

const gf_stage_type gf_stage_contrast = {
    GF_STAGE_OF(contrast),
    .group = "point",
    .summary = "more or less contrast about middle gray",
    .use = "To pull values away from middle gray, or towards it.",
    .formula = "v -> 0.5 white + factor (v - 0.5 white); u8 and u16 are clamped.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
