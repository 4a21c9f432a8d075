/* crop: a part of the picture, or of a signal. */
#include "signal/signal_lowering.h"

struct crop {
    gf_rect area;
    gf_span time, frames;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct crop *p = params;
    if (p->area.w == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "the part that stays is missing: WIDTHxHEIGHT+X+Y, as crop:160x120+10+20");
        return;
    }
    if (p->time.high > 0 || p->frames.high > 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "time= and frames= are for signals, and this is a picture");
        return;
    }
    gf_lower_output(l, gf_lower_crop(l, gf_lower_input(l), p->area));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct crop *p = params;
    const bool by_time = p->time.high > 0;
    if (p->area.w || by_time == (p->frames.high > 0)) {
        gf_signal_lower_fail(l, NULL, "of a signal it keeps a time, as crop:1.5s-4s, or frames=0-1000");
        return;
    }
    const struct gf_signal_shift shift = {
        .start = by_time ? gf_signal_lower_frames(l, "time", p->time.low) : (int64_t)p->frames.low,
        .stop = by_time ? gf_signal_lower_frames(l, "time", p->time.high) : (int64_t)p->frames.high};
    if (shift.start == shift.stop) {
        gf_signal_lower_fail(l, by_time ? "time" : "frames", "between these two lies no frame");
    }
    gf_signal_lower_node(l, &gf_signal_shift, &shift, sizeof shift, NULL);
}

GF_PARAMS({GF_ROW(RECT, crop, area, ""),
           .help = "the part that stays; X and Y are of its upper left pixel, from 0; must be given",
           .positional = 1},
          {GF_ROW_IN(SPAN, crop, time, "", 0, 1e12), .unit = "s",
           .help = "of a signal, from when to when, as 1.5s-4s; an end behind its end is that",
           .positional = 1},
          {GF_ROW_IN(SPAN, crop, frames, "", 0, 1e14), .unit = "frames",
           .help = "of a signal, from which frame up to, not with, which, as 0-1000"});

GF_EXAMPLES({"crop:160x120+10+20", "keeps 160 x 120 pixels, from column 10 and row 20 on"},
            {"blur:3,crop:100x100+50+50", "blurs with the true neighbours of what it then cuts out"});

const gf_stage_type gf_stage_crop = {
    GF_STAGE_OF(crop),
    .group = "geometry",
    .summary = "a part of the picture, crop:160x120+10+20, or of a signal, crop:1.5s-4s",
    .use = "To work on a part, which then is all that is read, where the file can be read by rows.",
    .formula =
        "out(x, y) = in(x + X, y + Y), for 0 <= x < WIDTH and 0 <= y < HEIGHT. The part lies inside the\n"
        "picture. No bit of a sample changes, in any depth. Of a signal the frames from the one nearest to\n"
        "the first time up to, not with, that nearest to the second, as far as there are any.",
    .lower = lower,
    .signal = signal,
};
