/* posterize: few levels. */
#include "gpufilter/stage.h"

struct posterize {
    int64_t levels;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct posterize *p = params;
    gf_lower_output(l, gf_lower_posterize(l, gf_lower_input(l), (int32_t)p->levels));
}

GF_PARAMS({GF_ROW_IN(INT, posterize, levels, "4", 2, 65536),
           .help = "how many there are, black and white among them", .positional = 1});

GF_EXAMPLES({"posterize:4", "four levels a channel, as on a poster"},
            {"median:3,posterize:6", "the same with smoother edges"});

const gf_stage_type gf_stage_posterize = {
    GF_STAGE_OF(posterize),
    .group = "point",
    .summary = "the nearest of a few levels",
    .use = "For the look of a poster, or to see a picture as a display of few levels shows it.",
    .formula =
        "v -> white round(v / white (levels - 1)) / (levels - 1), halves to even. f32 below 0, and NaN,\n"
        "become 0.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
