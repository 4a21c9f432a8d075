/* delay: the same, later. */
#include "signal/signal_lowering.h"

struct delay {
    double time;
    int64_t frames;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct delay *p = params;
    const int64_t frames = gf_signal_lower_duration(l, "time", p->time, p->frames, GF_SIGNAL_DELAY);
    if (frames > 0) {
        gf_signal_lower_comb(l, &(struct gf_signal_comb){.delay = (int32_t)frames, .earlier = 1});
    }
}

GF_PARAMS({GF_ROW_IN(NUMBER, delay, time, "", 0, 1e9), .unit = "s", .help = "as 20ms; to the nearest frame",
           .positional = 1},
          GF_SIGNAL_FRAMES_ROW(delay, GF_SIGNAL_DELAY));

GF_EXAMPLES({"delay:20ms", "20 ms later"}, {"delay:frames=64", "64 frames later"});

const gf_stage_type gf_stage_delay = {
    GF_STAGE_OF(delay),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "the same, later, for as long as it was",
    .use = "To bring one recording in step with another. The signal keeps its length: what would lie behind "
           "its end goes.",
    .source = "A line of delay.",
    .formula = "y(n) = x(n - d), 0 before; d is floor(time rate + 1/2), a whole number of frames.",
    .signal = signal,
};
