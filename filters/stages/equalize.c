/* equalize: histogram equalisation. */
#include "gpufilter/stage.h"

enum { F32_BINS = 65536 };

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    gf_value_id range = gf_lower_range(l, v);
    gf_value_id counts = gf_lower_histogram(l, v, F32_BINS, 0, 1, range);
    gf_lower_output(l, gf_lower_table(l, v, gf_lower_equalize(l, counts, range), range));
}

GF_EXAMPLES({"gray,equalize", "spreads a dull picture over the whole scale"},
            {"equalize", "does so with each channel by itself, which shifts colours"});

const gf_stage_type gf_stage_equalize = {
    GF_STAGE_NAMED(equalize),
    .aliases = "histeq|equalise",
    .group = "histogram",
    .summary = "spread the values evenly over the scale, per channel",
    .use = "To see what lies in dark and bright areas at once; for measuring it is not made.",
    .source = "R. Gonzalez, R. Woods, Digital Image Processing; u8 as OpenCV's equalizeHist has it but\n"
              "for ties, which go up.",
    .formula =
        "v -> round((cdf(v) - cdf_min) white / (N - cdf_min)), cdf the number of samples <= v, cdf_min\n"
        "that of the least value, N all of them. f32: 65536 bins over [min, max], far outliers\n"
        "counting in the last ones, not rounded; NaN stays. A picture of one value stays as it is.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
