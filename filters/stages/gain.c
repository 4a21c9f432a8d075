/* gain: each channel times a number. */
#include "signal/signal_lowering.h"

struct gain {
    gf_list gains;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct gain *p = params;
    if (p->gains.rows == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "gains= is not given, must be a list as [1.2 1 0.9], or [1.5] for all");
        return;
    }
    gf_lower_output(l, gf_lower_gain(l, gf_lower_input(l), p->gains.values, p->gains.columns));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct gain *p = params;
    if (p->gains.rows * p->gains.columns != 1) {
        gf_signal_lower_fail(l, "gains", "gains= of a signal is one number, as 0.5 or -6dB");
        return;
    }
    gf_signal_lower_gain(l, p->gains.values[0]);
}

GF_PARAMS({GF_ROW(LIST, gain, gains, ""), .choices = "1x1|1x3", .unit = "dB",
           .help = "a number for each colour channel, or one for all", .positional = 1});

GF_EXAMPLES({"gain:[1.15 1 0.85]", "warmer: more red, less blue"}, {"gain:1.5", "half as bright again"},
            {"gain:-6dB", "half, of a picture or a signal"});

const gf_stage_type gf_stage_gain = {
    GF_STAGE_OF(gain),
    .group = "point",
    .summary = "each channel times a number",
    .use = "To balance colours by known factors, those of a camera say, or to expose a picture again.",
    .formula =
        "v -> gain v, in f32, rounded half to even; u8 and u16 are clamped. A file of a signal has one gain.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .signal = signal,
};
