/* levels: stretch a part of the scale over all of it. */
#include "gpufilter/stage.h"

struct levels {
    double low, high, gamma;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct levels *p = params;
    gf_value_id v = gf_lower_input(l);
    double white = gf_lower_white(l, v);
    if (!(p->low < p->high)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "low must be less than high");
        return;
    }
    double gain = 1 / (p->high - p->low);
    v = gf_lower_affine(l, v, gain, -p->low * gain * white);
    gf_lower_output(l, p->gamma == 1 ? v : gf_lower_power(l, v, 1 / p->gamma));
}

GF_PARAMS({GF_ROW_IN(INTENSITY, levels, low, "0", 0, 1), .help = "what becomes black", .positional = 1},
          {GF_ROW_IN(INTENSITY, levels, high, "1", 0, 1), .help = "what becomes white"},
          {GF_ROW_IN(NUMBER, levels, gamma, "1", 0.01, 100),
           .help = "above 1 lightens the middle, below 1 darkens it"});

GF_EXAMPLES({"levels:10%:high=90%",
             "makes the darkest tenth of the scale black and the lightest tenth white"},
            {"levels:20u8:high=230u8:gamma=1.2", "does so with sample values, and lightens the middle"});

const gf_stage_type gf_stage_levels = {
    GF_STAGE_OF(levels),
    .group = "point",
    .summary = "stretch [low, high] over the whole scale",
    .use = "Where black and white of a scan or a camera do not reach the ends of the scale.",
    .formula =
        "v -> white ((v - low) / (high - low))^(1 / gamma). u8 and u16 are clamped, and rounded before\n"
        "the power; f32 is not clamped, and keeps its sign.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
