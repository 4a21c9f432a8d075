/* differentiate: the slope at each frame. */
#include "signal/signal_lowering.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    float *tap = gf_signal_lower_fir(l, 3, 1, 1);
    (void)params;
    if (tap) {
        tap[0] = 0.5F;
        tap[2] = -0.5F;
    }
    if (gf_signal_lower_known_rate(l) > 0) {
        gf_signal_lower_gain(l, gf_signal_lower_known_rate(l));
    }
}

GF_EXAMPLES({"differentiate", "speeds of places"},
            {"lowpass:100Hz,differentiate", "the same where there is noise, which it would raise"});

const gf_stage_type gf_stage_differentiate = {
    GF_STAGE_NAMED(differentiate),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "the slope at each frame",
    .use = "For speeds from places and accelerations from speeds. Of noisy curves savgol:derivative=1 is "
           "smoother.",
    .source = "Central differences, as numpy.gradient but at both ends.",
    .formula =
        "y(n) = (x(n + 1) - x(n - 1)) / 2, then times the rate where it is known: per second, else per "
        "frame. Times\nare kept; outside it is the frame at the edge, so that the first and the last "
        "slope are halved.",
    .signal = signal,
};
