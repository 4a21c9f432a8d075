/* fade: louder from silence, and back into it. */
#include "signal/signal_lowering.h"

struct fade {
    double in, out;
    int32_t shape;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct fade *p = params;
    const struct gf_signal_fade fade = {.in = gf_signal_lower_frames(l, "in", p->in),
                                        .out = gf_signal_lower_frames(l, "out", p->out),
                                        .smooth = p->shape};
    gf_signal_lower_node(l, &gf_signal_fade, &fade, sizeof fade, NULL);
}

GF_PARAMS({GF_ROW_IN(NUMBER, fade, in, "10ms", 0, 1e9), .unit = "s",
           .help = "how long it takes from 0 to all", .positional = 1},
          {GF_ROW_IN(NUMBER, fade, out, "10ms", 0, 1e9), .unit = "s",
           .help = "how long at the end back to 0"},
          {GF_ROW(CHOICE, fade, shape, "linear"), .choices = "linear|smooth",
           .help = "linear: in equal steps; smooth: begins and ends slowly"});

GF_EXAMPLES({"fade", "no click at either end"},
            {"fade:2s:out=5s:shape=smooth", "in over two seconds, out over five"},
            {"crop:1s-3s,fade:0:out=50ms", "a part, with a soft end"});

const gf_stage_type gf_stage_fade = {
    GF_STAGE_OF(fade),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "from silence at the beginning, into it at the end",
    .use = "Where a part is cut out, and would begin or end with a click.",
    .formula =
        "Frame n below in is times n / in, the m-th from the end, from 0, times m / out where that is less "
        "than out; smooth: t t (3 - 2 t) of these.",
    .signal = signal,
};
