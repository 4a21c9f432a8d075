/* trim: borders of one colour cut off; of a signal, silence at its ends. */
#include "stages/trim.h"
#include "design/design_math.h"
#include "signal/signal_lowering.h"

struct trim {
    struct gf_bounds bounds;
    int64_t margin;
    gf_rect area;       /* w = 0: not found yet */
    double level, keep; /* of a signal: dB, below 0; seconds */
};

static int32_t waits(const void *params)
{
    return ((const struct trim *)params)->area.w == 0;
}

static int64_t number(const gf_result *result, int32_t field)
{
    return (int64_t)((const uint64_t *)result->fields[field].values)[0];
}

/* What stays around the box that bounds found; where all is border, everything. */
static void store(void *params, const gf_result *found)
{
    struct trim *p = params;
    const int64_t x = number(found, 0), y = number(found, 1), w = number(found, 2), h = number(found, 3);
    const int64_t m = p->margin, width = found->shape.width, height = found->shape.height;
    if (w == 0) {
        p->area = (gf_rect){0, 0, width, height};
        return;
    }
    const int64_t left = x > m ? x - m : 0, top = y > m ? y - m : 0;
    const int64_t right = width - x - w, bottom = height - y - h;
    p->area = (gf_rect){.x = left,
                        .y = top,
                        .w = x + w + (right < m ? right : m) - left,
                        .h = y + h + (bottom < m ? bottom : m) - top};
}

static void lower(gf_lowering *l, const void *params)
{
    const struct trim *p = params;
    if (p->level < 0 || p->keep > 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "level= and keep= are for signals: a picture has tolerance= and margin=");
        return;
    }
    if (p->area.w == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "what stays is not known before pixels are looked at: gf_pipeline_settle finds it, or "
                      "area=WIDTHxHEIGHT+X+Y says it");
        return;
    }
    gf_lower_output(l, gf_lower_crop(l, gf_lower_input(l), p->area));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct trim *p = params;
    if (p->bounds.tolerance > 0 || p->bounds.colour.rows > 0 || p->margin > 0 || p->area.w > 0) {
        gf_signal_lower_fail(
            l, NULL,
            "tolerance=, colour=, margin= and area= are for pictures: a signal has level= and "
            "keep=, as trim:-50dB:keep=100ms");
    } else if (!(p->level < 0)) {
        gf_signal_lower_fail(l, "level",
                             "level= is not given, must be what counts as silence, as trim:-50dB");
    }
    const double rate = p->keep > 0 ? gf_signal_lower_rate(l) : 0, frames = p->keep * rate + 0.5;
    const struct gf_signal_trim args = {(float)gf_exp_double(p->level * (GF_LN10 / 20)),
                                        frames < 0x1p48 ? (int64_t)frames : (int64_t)1 << 48};
    gf_signal_lower_barrier(l, &gf_signal_trim, &args, sizeof args);
}

GF_PARAMS(GF_BOUNDS_PARAMS(offsetof(struct trim, bounds)),
          {GF_ROW_IN(INT, trim, margin, "0", 0, 1000000), .unit = "px",
           .help = "so much of the border stays on each side, where there is as much"},
          {GF_ROW(RECT, trim, area, ""),
           .help = "what stays, found before by bounds or by trim itself; then no pixel is looked at"},
          {GF_ROW_IN(NUMBER, trim, level, "0", -200, 0), .unit = "dB",
           .help = "of a signal: what counts as silence, below full scale", .positional = 1},
          {GF_ROW_IN(NUMBER, trim, keep, "0", 0, 1e6), .unit = "s",
           .help = "of a signal: so much of the silence stays at each end, as 100ms"});

GF_EXAMPLES({"gray,threshold:0.7,trim", "cuts to the box of all that is bright"},
            {"pad:9:border=constant:value=1,trim:3%:margin=4",
             "of a border that is not quite even 4 pixels stay"},
            {"trim:area=300x180+10+40", "what trim is once it has looked: see --print-pipeline"});

extern const gf_stage_type gf_stage_bounds;
static const gf_stage_settle settle = {
    .parameter = "area",
    .waits = waits,
    .measure = &gf_stage_bounds,
    .offset = offsetof(struct trim, bounds),
    .store = store,
};

const gf_stage_type gf_stage_trim = {
    GF_STAGE_OF(trim),
    .aliases = "autocrop",
    .group = "geometry",
    .summary = "borders of one colour cut off",
    .use =
        "For scans, drawings and plots; trim:3% where the border is not quite even, as of a JPEG. Before "
        "anything\n"
        "else runs, the stages before it run once to find the box, so that IN is read twice. Of a signal,\n"
        "trim:-50dB:keep=100ms: it begins a tenth of a second before it is heard.",
    .formula =
        "crop to the box of the stage bounds, with margin pixels around it, as far as the picture goes. A "
        "picture\n"
        "that is border all over stays as it is. No bit of a sample changes. The program, and\n"
        "gf_pipeline_settle, look for the box; a plan has one shape, so that it wants area=.\n"
        "Of a signal what lies between the first frame and the last one that is louder than level in any "
        "channel\n"
        "stays, and keep around it; a signal that is silent throughout stays as it is. It waits for the "
        "whole\n"
        "signal.",
    .lower = lower,
    .signal = signal,
    .settle = &settle,
};
