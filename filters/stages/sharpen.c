/* sharpen: what distinguishes a pixel from its four neighbours is added to it. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct sharpen {
    double amount;
};

static void lower(gf_lowering *l, const void *params)
{
    const double a = ((const struct sharpen *)params)->amount;
    const double values[9] = {0, -a, 0, -a, 1 + 4 * a, -a, 0, -a, 0};
    const struct gf_conv_kernel kernel = {3, 3, values, 1};
    const struct gf_conv_end end = {0, GF_NEGATIVE_KEEP, true};
    gf_lower_output(l, gf_lowering_conv(l, gf_lower_input(l), &kernel, &end));
}

GF_PARAMS({GF_ROW_IN(NUMBER, sharpen, amount, "1", -100, 100), .help = "how much; below 0 it blurs",
           .positional = 1});

GF_EXAMPLES({"sharpen", "sharpens the finest details"}, {"sharpen:0.25", "the same, but gently"});

const gf_stage_type gf_stage_sharpen = {
    GF_STAGE_OF(sharpen),
    .group = "window",
    .summary = "sharpens the finest details: 3 x 3 pixels",
    .use = "For a quick crispness after scaling down. unsharp has a radius and leaves noise alone.",
    .source =
        "The picture less its Laplacian; amount 1 is the kernel [0 -1 0; -1 5 -1; 0 -1 0] of many editors.",
    .formula =
        "conv with [0 -a 0; -a (1 + 4 a) -a; 0 -a 0], a the amount: v + a (4 v - its four neighbours).",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
};
