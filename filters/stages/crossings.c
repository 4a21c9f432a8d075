/* crossings: when a signal crosses a level. */
#include "base/status.h"
#include "result_builder.h"
#include "signal/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { RISING, FALLING, BOTH };
#define MOST ((int64_t)1 << 26)

struct crossings {
    double level, hysteresis;
    int32_t edge;
};

struct crossing {
    double frame;
    bool rises;
};

struct watched {
    struct crossing *found;
    int64_t n, room, frames;
    double up, down; /* where the level was last crossed */
    float before;
    int8_t side; /* 1: it has been above level + hysteresis since it was below level - hysteresis, -1; 0 */
};

static gf_status found(struct watched *s, double frame, bool rises, gf_error *error)
{
    if (s->n == MOST) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "the signal crosses the level more than %" PRId64 " times: a hysteresis= leaves out noise",
                       MOST);
    }
    if (s->n == s->room) {
        const int64_t room = s->room ? 2 * s->room : 64;
        struct crossing *more = realloc(s->found, (size_t)room * sizeof *more);
        if (!more) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
        }
        s->found = more;
        s->room = room;
    }
    s->found[s->n++] = (struct crossing){frame, rises};
    return GF_OK;
}

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    const struct crossings *p = args;
    struct watched *s = state;
    const double level = p->level, high = level + p->hysteresis, low = level - p->hysteresis;
    for (int64_t i = 0; i < count; i++, s->frames++) {
        const double v = (double)data[i], was = (double)s->before;
        s->before = data[i];
        const double at = (double)(s->frames - 1) + (level - was) / (v - was);
        const bool follows = s->frames > 0;
        s->up = follows && was < level && v >= level ? at : s->up;
        s->down = follows && was >= level && v < level ? at : s->down;
        if (!(v >= high) && !(v < low)) {
            continue;
        }
        const bool rises = v >= high;
        const int8_t side = rises ? 1 : -1;
        if (s->side == -side && p->edge != (rises ? FALLING : RISING)) {
            const gf_status status = found(s, rises ? s->up : s->down, rises, error);
            if (status != GF_OK) {
                return status;
            }
        }
        s->side = side;
    }
    return GF_OK;
}

static void release(void *state)
{
    free(((struct watched *)state)->found);
}

/* Of crossings in one direction, that of the first: their number less one over the time between the ends. */
static double frequency_of(const struct watched *s, double rate)
{
    int64_t n = 0;
    double last = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->found[i].rises == s->found[0].rises) {
            n++;
            last = s->found[i].frame;
        }
    }
    return n > 1 && rate > 0 ? (double)(n - 1) * rate / (last - s->found[0].frame) : NAN;
}

static void finish(const struct gf_signal_measured *m, gf_result_builder *builder)
{
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
        frequency[c] = frequency_of(&states[c], m->rate);
        for (int64_t i = 0; i < states[c].n; i++, row++) {
            channel[row] = (uint32_t)c + 1;
            frame[row] = states[c].found[i].frame;
            seconds[row] = gf_signal_seconds(frame[row], m->rate);
            rises[row] = states[c].found[i].rises;
        }
    }
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct watched), observe, finish, release};
    gf_signal_lower_measure(l, &measure, params, sizeof(struct crossings), NULL);
}

static const gf_param params[] = {
    {GF_ROW_IN(NUMBER, crossings, level, "0", -1e30, 1e30), .help = "which level", .positional = 1},
    {GF_ROW_IN(NUMBER, crossings, hysteresis, "0", 0, 1e30),
     .help = "how far it must have been on either side, so that noise about the level is one crossing"},
    {GF_ROW(CHOICE, crossings, edge, "rising"), .choices = "rising|falling|both", .help = "which ones"},
    {0},
};

static const gf_stage_field fields[] = {
    {"count", GF_U64, 1, "crossings", "how many there are"},
    {"frequency", GF_F64, 1, "Hz", "their mean frequency, in one direction; NaN of fewer than two"},
    {0},
};

static const gf_stage_field columns[] = {
    {"channel", GF_U32, 1, "channels", "from 1"},
    {"time_s", GF_F64, 1, "s", "when; NaN without a rate"},
    {"frame", GF_F64, 1, "frames", "the same in frames, from 0"},
    {"rises", GF_U32, 1, "", "1: upwards, 0: downwards"},
    {0},
};

static const gf_stage_table tables[] = {
    {"crossings", "a row a crossing, channel by channel", columns},
    {0},
};

static const gf_example examples[] = {
    {"crossings", "the frequency of a hum, and when each period begins"},
    {"crossings:0.5:hysteresis=0.1:edge=both", "when a switch goes on and off"},
    {0},
};

const gf_stage_type gf_stage_crossings = {
    .struct_size = sizeof(gf_stage_type),
    .name = "crossings",
    .group = "signal",
    .summary = "when the signal crosses a level, and how often; it passes unchanged",
    .use = "To count turns and pulses, to find out a frequency, to see when something begins.",
    .formula =
        "A rising crossing: after a frame below level - hysteresis the first one that is at least level +\n"
        "hysteresis; its time is where the line between two frames met the level last before that. Falling\n"
        "ones likewise, from at least level + hysteresis to below level - hysteresis. NaN is on no side.",
    .params = params,
    .params_size = sizeof(struct crossings),
    .signal = signal,
    .fields = fields,
    .tables = tables,
    .examples = examples,
};
