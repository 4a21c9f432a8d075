/* dcblock: takes an offset away. */
#include "design/equaliser.h"
#include "signal/signal_lowering.h"

struct dcblock {
    double frequency;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct dcblock *p = params;
    struct gf_section section;
    gf_error why = GF_ERROR_INIT;
    const double rate = gf_signal_lower_rate_for(l, "frequency", p->frequency);
    if (rate > 0) {
        const gf_status status = gf_design_dc_block(p->frequency / rate, &section, &why);
        gf_signal_lower_design(l, status, &why, &section, 1, &p->frequency, 1);
    }
}

GF_PARAMS({GF_ROW_IN(NUMBER, dcblock, frequency, "10", 0, 1e12), .unit = "Hz",
           .help = "where the gain is -3 dB; at most a tenth of the rate", .positional = 1});

GF_EXAMPLES({"dcblock", "takes an offset away"}, {"dcblock:0.05Hz", "the same for slow signals"});

const gf_stage_type gf_stage_dcblock = {
    GF_STAGE_OF(dcblock),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "takes an offset away",
    .use = "Before gain, and where a converter adds a constant to every frame. highpass is steeper.",
    .source = "J. O. Smith, Introduction to Digital Filters: the DC blocker.",
    .formula = "y = x - x[-1] + r y[-1] in f64 from zeros before the first frame, rounded to f32 once, with "
               "the r by\n"
               "which the gain at the frequency is -3 dB.",
    .signal = signal,
};
