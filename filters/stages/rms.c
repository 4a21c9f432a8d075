/* rms: how strong the signal is around each frame. */
#include "signal/signal_lowering.h"

struct rms {
    double window;
    int64_t frames;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct rms *p = params;
    const int64_t frames = gf_signal_lower_duration(l, "window", p->window, p->frames, GF_SIGNAL_WINDOW);
    gf_signal_lower_rms(l, frames, &(struct gf_signal_rms){0});
}

GF_PARAMS({GF_ROW_IN(NUMBER, rms, window, "50ms", 0, 1e9), .unit = "s", .help = "how long the mean is over",
           .positional = 1},
          GF_SIGNAL_FRAMES_ROW(rms, GF_SIGNAL_WINDOW));

GF_EXAMPLES({"rms:50ms", "the level of speech from syllable to syllable"},
            {"highpass:1kHz,rms:10ms,decimate:100", "how strongly a bearing rattles, a few times a second"});

const gf_stage_type gf_stage_rms = {
    GF_STAGE_OF(rms),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "how strong the signal is around each frame: root of the mean of squares",
    .use = "For levels over time, muscles and machines. envelope follows a tone itself, within its waves.",
    .source = "scipy.ndimage.uniform_filter1d of squares, but at the ends.",
    .formula =
        "The root of the mean of x^2 over the 2 floor(window rate / 2) + 1 frames around each, at the "
        "ends over those\nthat there are; sums in f64 by powers of two (docs/exactness.md), rounded to f32 "
        "once.",
    .signal = signal,
};
