/* median: the middle one of the samples around each pixel. */
#include "signal/signal_lowering.h"

struct median {
    int64_t radius;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct median *p = params;
    gf_lower_output(l, gf_lower_rank(l, gf_lower_input(l), p->radius, 50));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct median *p = params;
    if (!gf_signal_lower_border(l)) {
        gf_signal_lower_fail(l, "border", "the median of a signal has border=replicate");
    }
    gf_signal_lower_rank(l, 2 * p->radius + 1, p->radius);
}

GF_PARAMS(
    {GF_ROW_IN(INT, median, radius, "1", 0, 1000000), .unit = "px",
     .help = "the window is 2 radius + 1 wide and high; at most the longer side of the picture, or 64, and "
             "8191 (signals: 1000000)",
     .positional = 1});

GF_EXAMPLES({"median", "removes single wrong pixels (salt and pepper noise)"},
            {"median:3:channels=g", "the same of specks up to four pixels wide, in green alone"},
            {"convert:f32,median:20", "the background below what is smaller than some 20 pixels"});

const gf_stage_type gf_stage_median = {
    GF_STAGE_OF(median),
    .group = "window",
    .summary = "middle one of the samples around: noise goes, edges stay",
    .formula =
        "The sample of index (n - 1) / 2 of the n = (2 radius + 1)^2, sorted. -0 is less than +0, and\n"
        "NaN is greater than all numbers. Each channel by itself. A signal (height 1) is looked at along\n"
        "x only, and so is a file of signals along time, with border=replicate.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .signal = signal,
    .use = "Against specks, dead pixels and lines thinner than the radius, where a blur would smear them and "
           "soften\n"
           "edges. Against the fine noise of every pixel a blur or bilateral does more.",
    .source =
        "Tukey, Exploratory Data Analysis, 1977. Small radii by sorting networks; large ones of u8 in\n"
        "constant time by histograms of columns: Perreault and Hebert, Median Filtering in Constant Time,\n"
        "2007.",
};
