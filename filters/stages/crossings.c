/* crossings: when a signal crosses a level. */
#include "base/status.h"
#include "result_builder.h"
#include "signal/measure.h"

#include <math.h>
#include <stdlib.h>

enum { RISING, FALLING, BOTH, MOST = 1 << 24 };

struct crossings {
    double level, hysteresis;
    int32_t edge;
};

struct watched {
    struct crossing {
        double frame;
        bool rises;
    } * found;
    int64_t n, room, frames;
    double at, before; /* where the level was last met; the last frame */
    int side; /* 1: since it was below level - hysteresis it has been above level + hysteresis; -1; 0 */
};

static gf_status find(struct watched *s, bool rises, gf_error *error)
{
    if (s->n == MOST) {
        return gf_fail(
            error, GF_ERROR_LIMIT,
            "a channel crosses the level more than %d times: a greater hysteresis= leaves out noise", MOST);
    }
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        struct crossing *more = realloc(s->found, (size_t)s->room * sizeof *more);
        if (!more) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
        }
        s->found = more;
    }
    s->found[s->n++] = (struct crossing){s->at, rises};
    return GF_OK;
}

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    const struct crossings *p = args;
    struct watched *s = state;
    for (int64_t i = 0; i < count; i++, s->frames++) {
        const double v = (double)data[i], was = s->before;
        const bool rises = v >= p->level + p->hysteresis, falls = v < p->level - p->hysteresis;
        if (s->side && (was < p->level) != (v < p->level)) {
            const double part = (p->level - was) / (v - was);
            s->at = (double)(s->frames - 1) + (part == part ? part : 1); /* NaN: from an infinity */
        }
        if ((rises && s->side < 0 && p->edge != FALLING) || (falls && s->side > 0 && p->edge != RISING)) {
            GF_TRY(find(s, rises, error));
        }
        s->side = rises ? 1 : falls ? -1 : v == v ? s->side : 0;
        s->before = v;
    }
    return GF_OK;
}

static void release(void *state)
{
    free(((struct watched *)state)->found);
}

static void finish(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    const struct crossings *p = m->args;
    const struct watched *states = m->states;
    uint64_t *count = gf_result_u64(builder, "count", m->channels, 1);
    double *frequency = gf_result_f64(builder, "frequency", m->channels, 1);
    int64_t rows = 0, row = 0;
    for (int32_t c = 0; c < m->channels; c++) {
        rows += states[c].n;
    }
    gf_result_begin_table(builder, "crossings", rows);
    uint32_t *channel = gf_result_column(builder, "channel", NULL, GF_U32);
    double *seconds = gf_result_column(builder, "time_s", NULL, GF_F64);
    double *frame = gf_result_column(builder, "frame", NULL, GF_F64);
    uint32_t *rises = gf_result_column(builder, "rises", NULL, GF_U32);
    for (int32_t c = 0; builder->status == GF_OK && c < m->channels; c++) {
        count[c] = (uint64_t)states[c].n;
        for (int64_t i = 0; i < states[c].n; i++, row++) {
            channel[row] = (uint32_t)c + 1;
            frame[row] = states[c].found[i].frame;
            seconds[row] = gf_signal_seconds(frame[row], m->rate);
            rises[row] = states[c].found[i].rises;
        }
        const double periods = (double)(states[c].n - 1) / (p->edge == BOTH ? 2 : 1);
        const double span = periods > 0 ? seconds[row - 1] - seconds[row - states[c].n] : 0;
        frequency[c] = span > 0 ? periods / span : NAN; /* edges of both kinds may be at one time */
    }
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct watched), observe, finish, release, NULL};
    gf_signal_lower_measure(l, &measure, params, sizeof(struct crossings), NULL);
}

GF_PARAMS({GF_ROW_IN(NUMBER, crossings, level, "0", -1e30, 1e30), .help = "which level", .positional = 1},
          {GF_ROW_IN(NUMBER, crossings, hysteresis, "0", 0, 1e30),
           .help = "how far it must have been on either side, so that noise about the level is one crossing"},
          {GF_ROW(CHOICE, crossings, edge, "rising"), .choices = "rising|falling|both",
           .help = "which ones"});

GF_FIELDS({"count", GF_U64, 1, "crossings", "how many there are"},
          {"frequency", GF_F64, 1, "Hz",
           "how many periods lie between the first and the last, over that time; or NaN"});

static const gf_stage_field columns[] = {
    {"channel", GF_U32, 1, "channels", "from 1"},
    {"time_s", GF_F64, 1, "s", "when; NaN without a rate"},
    {"frame", GF_F64, 1, "frames", "the same in frames, from 0"},
    {"rises", GF_U32, 1, "", "1: upwards, 0: downwards"},
    {0},
};

static const gf_stage_table tables[] = {{"crossings", "a row a crossing, channel by channel", columns}, {0}};

GF_EXAMPLES({"crossings", "the frequency of a hum, and when each period begins"},
            {"crossings:0.5:hysteresis=0.1:edge=both", "when a switch goes on and off"});

const gf_stage_type gf_stage_crossings = {
    GF_STAGE_OF(crossings),
    .group = "signal",
    .summary = "when the signal crosses a level, and how often; it passes unchanged",
    .use = "To count turns and pulses, to find out a frequency, to see when something begins.",
    .formula =
        "A rising crossing: after a frame below level - hysteresis the first one that is at least level +\n"
        "hysteresis; its time is where the line between two frames met the level last before that, in f64.\n"
        "Falling ones likewise, from at least level + hysteresis to below level - hysteresis. NaN is on no\n"
        "side, and nothing is crossed over it.",
    .signal = signal,
    .fields = fields,
    .tables = tables,
};
