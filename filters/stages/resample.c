/* resample: another rate. */
#include "signal/rate_change.h"

#include <math.h>

struct resample {
    double rate;
    int32_t quality;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct resample *p = params;
    const double rate = gf_signal_lower_rate(l);
    if (rate == 0) {
        return;
    }
    if (!(p->rate > 0) || p->rate != floor(p->rate)) {
        gf_signal_lower_fail(l, "rate", "rate is %.10g Hz, must be a whole number above 0", p->rate);
    } else if (rate != floor(rate) || rate > 1e9) {
        gf_signal_lower_fail(l, NULL, "the rate of the signal is %.10g Hz, must be a whole number up to 10^9",
                             rate);
    } else {
        gf_signal_lower_rate_change(l, (int64_t)p->rate, (int64_t)rate, p->quality);
    }
}

GF_PARAMS({GF_ROW_IN(NUMBER, resample, rate, "", 0, 1e9), .unit = "Hz", .help = "the new rate, as 48kHz",
           .positional = 1},
          GF_RATE_CHANGE_QUALITY(resample));

GF_EXAMPLES({"resample:48kHz", "the rate of films, from any other"},
            {"resample:16kHz:quality=fast", "for a recogniser of speech"});

const gf_stage_type gf_stage_resample = {
    GF_STAGE_OF(resample),
    .group = "signal",
    .summary = "another rate, with times kept",
    .use = "To bring signals to one rate. What the new rate has no room for is filtered out.",
    .source = "J. O. Smith, Digital Audio Resampling; tapers of J. F. Kaiser.",
    .formula = GF_RATE_CHANGE_FORMULA,
    .signal = signal,
};
