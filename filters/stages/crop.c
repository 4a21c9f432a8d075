/* crop: a part of the picture, or of a signal. */
#include "signal/signal_lowering.h"
#include "stages/gravity.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { MOST = 2147483647 }; /* pixels a side */

struct crop {
    gf_rect area;
    gf_span time, frames;
    char size[GF_PARAM_TEXT_SIZE];
    int32_t gravity;
};

/* Reads 200 or 50%, up to the end of the text or an x; nothing is all of n. *at goes behind it. */
static bool read_side(const char *text, size_t *at, int64_t n, int64_t *side)
{
    double value;
    const size_t length = strlen(text), digits = gf_number_read(text + *at, length - *at, &value);
    *side = n;
    if (digits > 0) {
        *at += digits;
        const bool percent = text[*at] == '%';
        *at += percent;
        const double exact = percent ? fmax(1, floor((double)n * value / 100 + 0.5)) : value;
        if (!(value > 0 && exact <= MOST) || exact != floor(exact)) {
            return false;
        }
        *side = (int64_t)exact;
    }
    return true;
}

/* 200x100, 50%x50%, 200x, x100, or 50% of both; false: it is none. */
static bool read_size(const char *text, gf_shape shape, int64_t *width, int64_t *height)
{
    size_t at = 0;
    if (!read_side(text, &at, shape.width, width)) {
        return false;
    }
    if (text[at] == '\0') {
        return text[at - (at > 0)] == '%' && read_side(text, &(size_t){0}, shape.height, height);
    }
    return text[at++] == 'x' && text[1] != '\0' && read_side(text, &at, shape.height, height) &&
           text[at] == '\0';
}

/* The part of that size, where gravity says; w = 0 after a failure. */
static gf_rect sized(gf_lowering *l, const struct crop *p)
{
    const gf_shape shape = gf_lower_shape(l, gf_lower_input(l));
    int64_t width, height;
    if (p->area.w) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "area and size say the same; give only one");
    } else if (!read_size(p->size, shape, &width, &height)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "size is '%s', must be as 160x120+10+20, or as 200x100, 50%%x50%%, 200x or 50%%",
                      p->size);
    } else if (width > shape.width || height > shape.height) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "%lld x %lld pixels do not lie in the picture of %lld x %lld; pad makes it larger",
                      (long long)width, (long long)height, (long long)shape.width, (long long)shape.height);
    } else {
        return gf_gravity_part(shape.width, shape.height, width, height, p->gravity);
    }
    return (gf_rect){0};
}

static void lower(gf_lowering *l, const void *params)
{
    const struct crop *p = params;
    if (p->area.w == 0 && !p->size[0]) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "the part that stays is missing: WIDTHxHEIGHT+X+Y, as crop:160x120+10+20, or a size, "
                      "as crop:50%%");
        return;
    }
    if (p->time.high > 0 || p->frames.high > 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "time= and frames= are for signals, and this is a picture");
        return;
    }
    const gf_rect area = p->size[0] ? sized(l, p) : p->area;
    gf_lower_output(l, area.w ? gf_lower_crop(l, gf_lower_input(l), area) : gf_lower_input(l));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct crop *p = params;
    const bool by_time = p->time.high > 0;
    if (p->area.w || p->size[0] || by_time == (p->frames.high > 0)) {
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
           .help = "the part that stays; X and Y are of its upper left pixel, from 0", .positional = 1},
          {GF_ROW_IN(SPAN, crop, time, "", 0, 1e12), .unit = "s",
           .help = "of a signal, from when to when, as 1.5s-4s; an end behind its end is that",
           .positional = 1},
          {GF_ROW_IN(SPAN, crop, frames, "", 0, 1e14), .unit = "frames",
           .help = "of a signal, from which frame up to, not with, which, as 0-1000"},
          {GF_ROW(TEXT, crop, size, ""), .help = "instead of area: 200x100, 50%x50%, 200x, or 50% of both",
           .positional = 1},
          GF_GRAVITY_ROW(crop, "where in the picture a part of that size lies, top being north"));

GF_EXAMPLES({"crop:160x120+10+20", "keeps 160 x 120 pixels, from column 10 and row 20 on"},
            {"crop:50%", "the middle of the picture, half as wide and high"},
            {"crop:size=50%x40%:gravity=southeast", "the lower right corner"},
            {"blur:3,crop:100x100+50+50", "blurs with the true neighbours of what it then cuts out"});

const gf_stage_type gf_stage_crop = {
    GF_STAGE_OF(crop),
    .group = "geometry",
    .summary = "a part of the picture, crop:160x120+10+20, or of a signal, crop:1.5s-4s",
    .use = "To work on a part, which then is all that is read, where the file can be read by rows.",
    .formula =
        "out(x, y) = in(x + X, y + Y), for 0 <= x < WIDTH and 0 <= y < HEIGHT. The part lies inside the\n"
        "picture. Of a size a percentage is rounded to the nearest pixel, halves up, and is at least one; "
        "what\n"
        "goes off on two sides is halved, rounded down in front. No bit of a sample changes, in any depth. "
        "Of a signal the frames from the one nearest to\n"
        "the first time up to, not with, that nearest to the second, as far as there are any.",
    .lower = lower,
    .signal = signal,
};
