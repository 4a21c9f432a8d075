/* decimate: every n-th frame, behind a lowpass. */
#include "signal/rate_change.h"

struct decimate {
    int64_t factor;
    int32_t quality;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct decimate *p = params;
    gf_signal_lower_rate_change(l, 1, p->factor, p->quality);
}

GF_PARAMS({GF_ROW_IN(INT, decimate, factor, "2", 1, 10000), .help = "of so many frames one stays",
           .positional = 1},
          GF_RATE_CHANGE_QUALITY(decimate));

GF_EXAMPLES({"decimate:8", "an eighth of the rate"});

const gf_stage_type gf_stage_decimate = {
    GF_STAGE_OF(decimate),
    .group = "signal",
    .summary = "one frame of several, behind a filter",
    .use = "For signals that are sampled faster than they change, whatever their rate.",
    .source = "As resample.",
    .formula = GF_RATE_CHANGE_FORMULA,
    .signal = signal,
};
