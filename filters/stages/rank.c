/* rank: the sample of any place in the sorted neighbourhood. */
#include "signal/signal_lowering.h"

#include <math.h>

struct rank {
    int64_t radius;
    double percentile;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct rank *p = params;
    gf_lower_output(l, gf_lower_rank(l, gf_lower_input(l), p->radius, p->percentile));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct rank *p = params;
    if (!gf_signal_lower_border(l)) {
        gf_signal_lower_fail(l, "border", "the rank of a signal has border=replicate");
    }
    gf_signal_lower_rank(l, 2 * p->radius + 1,
                         (int64_t)floor(p->percentile / 100 * (double)(2 * p->radius) + 0.5));
}

GF_PARAMS(
    {GF_ROW_IN(INT, rank, radius, "1", 0, 1000000), .unit = "px",
     .help = "the window is 2 radius + 1 wide and high; at most the longer side of the picture, or 64, and "
             "8191 (signals: 1000000)",
     .positional = 1},
    {GF_ROW_IN(NUMBER, rank, percentile, "50", 0, 100), .unit = "%",
     .help = "which sample, from 0, the least, over 50, the median, to 100, the greatest"});

GF_EXAMPLES({"rank:2:percentile=25%",
             "darker than the median, but no speck decides alone, as one does with erode"},
            {"rank:15:percentile=90%", "how bright it is around, lamps and reflections left out"});

const gf_stage_type gf_stage_rank = {
    GF_STAGE_OF(rank),
    .group = "window",
    .summary = "sample of any rank of those around, from the least to the greatest",
    .formula =
        "The sample of index floor(percentile / 100 (n - 1) + 1/2) of the n = (2 radius + 1)^2, sorted.\n"
        "-0 is less than +0, and NaN is greater than all numbers. Each channel by itself. A signal\n"
        "(height 1) is looked at along x only, and a file of signals along time, with border=replicate.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .signal = signal,
    .use = "Where median takes the middle, but more than half of the samples may be wrong, or all on one "
           "side; and for a\n"
           "robust estimate of local darkness or brightness. For 0% and 100% erode and dilate are faster.",
    .source = "Heygster, Rank Filters in Digital Image Processing, 1982; algorithms as of median.",
};
