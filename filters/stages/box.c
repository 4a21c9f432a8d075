/* box: mean of a square. */
#include "signal/signal_lowering.h"

struct box {
    int64_t radius;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct box *p = params;
    gf_lower_output(l, gf_lower_box(l, gf_lower_input(l), p->radius));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct box *p = params;
    const int64_t n = 2 * p->radius + 1;
    float *tap = gf_signal_lower_fir(l, n, p->radius, gf_signal_lower_border(l));
    for (int64_t i = 0; tap && i < n; i++) {
        tap[i] = (float)(1.0 / (double)n);
    }
}

GF_PARAMS({GF_ROW_IN(INT, box, radius, "1", 0, 1000000), .unit = "px",
           .help = "the window is 2 radius + 1 wide and high", .positional = 1});

GF_EXAMPLES({"box:3", "replaces each sample by the mean of the 7 x 7 samples around it"},
            {"box:15:border=reflect101", "smooths strongly, with the picture mirrored at its edges"});

const gf_stage_type gf_stage_box = {
    GF_STAGE_OF(box),
    .aliases = "mean|boxblur",
    .group = "window",
    .summary = "mean of a square window",
    .use = "Where a local mean is wanted and cost must not grow with the radius; edges show as squares.",
    .source = "f32: blocks of M. van Herk, Pattern Recognition Letters 13, 1992, with sums for extremes.",
    .formula = "The sum of (2 radius + 1)^2 samples divided by their number.\n"
               "u8, u16: exact, rounded half up. A signal (height 1) is averaged along x only. A file of "
               "signals has a\n"
               "sum of products with 1 / (2 radius + 1) in f32 along time, with border=replicate or zeros.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .signal = signal,
};
