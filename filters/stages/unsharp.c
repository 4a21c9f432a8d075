/* unsharp: what a blur loses is added again. */
#include "gpufilter/stage.h"

struct unsharp {
    double sigma, amount, threshold;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct unsharp *p = params;
    gf_value_id v = gf_lower_input(l);
    gf_lower_output(l, gf_lower_unsharp(l, v, p->sigma, p->amount, p->threshold * gf_lower_white(l, v)));
}

GF_PARAMS({GF_ROW_IN(NUMBER, unsharp, sigma, "1", 0.05, 10000), .unit = "px",
           .help = "standard deviation of the blur: how wide the details are", .positional = 1},
          {GF_ROW_IN(NUMBER, unsharp, amount, "1", -1, 100), .help = "how much is added; -1 leaves the blur"},
          {GF_ROW_IN(INTENSITY, unsharp, threshold, "0", 0, 1),
           .help = "where picture and blur differ by less, the picture stays as it is"});

GF_EXAMPLES({"unsharp:1.5", "sharpens the picture"},
            {"unsharp:2:amount=0.8:threshold=3%", "the same, but leaves fine noise as it is"},
            {"unsharp:40:amount=0.3", "more contrast between neighbouring areas"});

const gf_stage_type gf_stage_unsharp = {
    GF_STAGE_OF(unsharp),
    .group = "window",
    .summary = "sharpens: adds what a blur loses",
    .use = "To sharpen after scaling down, or with a large sigma and a small amount, for local contrast.",
    .formula = "v + amount (v - blur(v)), rounded to the depth; v where |v - blur(v)| < threshold.\n"
               "blur is the Gaussian of the stage blur in f32, for every depth, and not rounded in between.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
};
