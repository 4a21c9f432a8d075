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

static const gf_param params[] = {
    {GF_ROW_IN(NUMBER, contrast, factor, "1", 0, 1000), .help = "above 1 more contrast, below 1 less",
     .positional = 1},
    {0},
};

static const gf_example examples[] = {
    {"contrast:1.5", "draws light and dark apart"},
    {"contrast:0.6,brightness:0.1", "makes a pale background for text"},
    {0},
};

const gf_stage_type gf_stage_contrast = {
    .struct_size = sizeof(gf_stage_type),
    .name = "contrast",
    .group = "point",
    .summary = "more or less contrast about middle gray",
    .use = "To pull values away from middle gray, or towards it.",
    .formula = "v -> 0.5 white + factor (v - 0.5 white); u8 and u16 are clamped.",
    .params = params,
    .params_size = sizeof(struct contrast),
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .examples = examples,
};
