/* detrend: takes the line away that a signal drifts along. */
#include "signal/signal_lowering.h"

struct detrend {
    int32_t type;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct gf_signal_detrend args = {((const struct detrend *)params)->type == 0};
    gf_signal_lower_barrier(l, &gf_signal_detrend, &args, sizeof args);
}

GF_PARAMS({GF_ROW(CHOICE, detrend, type, "linear"), .choices = "linear|constant",
           .help = "what goes: the nearest line, or the mean", .positional = 1});

GF_EXAMPLES({"detrend", "the drift of a sensor away"}, {"detrend:constant", "the mean away"});

const gf_stage_type gf_stage_detrend = {
    GF_STAGE_OF(detrend),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "takes the line away that a signal drifts along, or its mean",
    .use = "Before spectra and statistics of what was measured. dcblock does it while a signal goes on.",
    .source = "scipy.signal.detrend.",
    .formula = "Each channel less the line nearest to it in least squares over the whole signal, which it "
               "waits for, or\n"
               "less its mean: sums in twice the digits of f64, the difference in f64, rounded to f32 once. "
               "A frame that\n"
               "is not finite makes its channel NaN.",
    .signal = signal,
};
