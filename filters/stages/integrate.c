/* integrate: the sum over time so far. */
#include "signal/signal_lowering.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    const double rate = gf_signal_lower_known_rate(l), half = 0.5 / (rate > 0 ? rate : 1);
    const struct gf_section section = {half, half, 0, -1, 0};
    (void)params;
    gf_signal_lower_iir(l, &section, 1, NULL, 0);
}

GF_EXAMPLES({"integrate", "places of speeds"},
            {"dcblock:0.1Hz,integrate", "the same without the drift of an offset"});

const gf_stage_type gf_stage_integrate = {
    GF_STAGE_NAMED(integrate),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "the sum over time so far",
    .use =
        "For speeds from accelerations and places from speeds. An offset becomes a ramp: dcblock before it "
        "takes one away.",
    .source = "The trapezoidal rule, as scipy.integrate.cumulative_trapezoid.",
    .formula =
        "y(n) = y(n - 1) + (x(n) + x(n - 1)) / (2 rate), per second where the rate is known, else with "
        "1 for it; x(-1)\nis 0, so that it begins with half of the first frame. A section with its pole "
        "at 1, in f64; rounded to f32\nonce.",
    .signal = signal,
};
