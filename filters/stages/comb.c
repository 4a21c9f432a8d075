/* comb: adds what was a while ago. */
#include "signal/signal_lowering.h"

#include <math.h>

struct comb {
    double delay;
    int64_t frames;
    double gain;
    int32_t feedback;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct comb *p = params;
    const float gain = (float)p->gain;
    const int64_t frames = gf_signal_lower_duration(l, "delay", p->delay, p->frames, GF_SIGNAL_DELAY);
    if (frames == 0) {
        gf_signal_lower_fail(l, "delay", "delay is less than half a frame, must be at least one frame");
    }
    if (p->feedback && fabs((double)gain) >= 1) {
        gf_signal_lower_fail(l, "gain", "gain is %.10g, must be above -1 and below 1 with feedback=on",
                             p->gain);
    }
    gf_signal_lower_comb(l, &(struct gf_signal_comb){.delay = (int32_t)frames,
                                                     .own = 1,
                                                     .earlier = p->feedback ? 0 : gain,
                                                     .back = p->feedback ? gain : 0});
}

GF_PARAMS({GF_ROW_IN(NUMBER, comb, delay, "", 0, 1e9), .unit = "s",
           .help = "how long ago, as 10ms; to the nearest frame", .positional = 1},
          GF_SIGNAL_FRAMES_ROW(comb, GF_SIGNAL_DELAY),
          {GF_ROW_IN(NUMBER, comb, gain, "0.5", -1, 1), .help = "how much of that; below 0 it is taken away"},
          {GF_ROW(BOOL, comb, feedback, "off"),
           .help = "adds what came out then, not what came in: an echo of echoes"});

GF_EXAMPLES({"comb:20ms:gain=-1", "takes 50 Hz and all its multiples away, and what does not change"},
            {"comb:300ms:gain=0.4:feedback=on", "echoes"});

const gf_stage_type gf_stage_comb = {
    GF_STAGE_OF(comb),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "adds what was a while ago: echoes, and filters like combs",
    .use = "For echoes, and against a tone with all its harmonics; notch:harmonics=8 takes narrower bands.",
    .source = "J. O. Smith, Physical Audio Signal Processing: feedforward and feedback comb filters.",
    .formula = "y(n) = x(n) + gain x(n - d), with feedback y(n) = x(n) + gain y(n - d), by fma in f32, zeros "
               "before the\nfirst frame; d is floor(delay rate + 1/2).",
    .signal = signal,
};
