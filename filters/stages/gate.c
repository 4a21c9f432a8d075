/* gate: silence where it is quiet. */
#include "design/design_math.h"
#include "signal/signal_lowering.h"

struct gate {
    double level, window;
    int64_t frames;
    double range;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct gate *p = params;
    const int64_t frames = gf_signal_lower_duration(l, "window", p->window, p->frames, GF_SIGNAL_WINDOW);
    const double down = p->range == GF_AUTO ? 0 : gf_exp_double(-p->range * (GF_LN10 / 20));
    gf_signal_lower_rms(l, frames,
                        &(struct gf_signal_rms){.gate = 1,
                                                .level = (float)gf_exp_double(p->level * (GF_LN10 / 20)),
                                                .down = (float)down});
}

GF_PARAMS({GF_ROW_IN(NUMBER, gate, level, "-40", -300, 300), .unit = "dB",
           .help = "of the rms, below which it is quiet; 0 dB is 1", .positional = 1},
          {GF_ROW_IN(NUMBER, gate, window, "50ms", 0, 1e9), .unit = "s", .help = "of the rms"},
          GF_SIGNAL_FRAMES_ROW(gate, GF_SIGNAL_WINDOW),
          {GF_ROW_IN(NUMBER, gate, range, "all", 0, 300), .unit = "dB", .auto_word = "all",
           .help = "how far down quiet frames go; all: to 0"});

GF_EXAMPLES({"gate:-40dB", "silence between words"},
            {"gate:-50dB:window=20ms:range=12dB", "softer between them, not silent"});

const gf_stage_type gf_stage_gate = {
    GF_STAGE_OF(gate),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "silence where it is quiet",
    .use = "Against the noise between words and notes. It looks ahead by half the window, so that beginnings "
           "stay.",
    .source = "A noise gate without attack and release.",
    .formula =
        "y = x where the rms of rms:window is at least 10^(level / 20), else 10^(-range / 20) x, or 0. "
        "It opens and\ncloses from one frame to the next.",
    .signal = signal,
};
