/* spectrum: how the power of a signal is spread over frequencies. */
#include "base/status.h"
#include "result_builder.h"
#include "signal/measure.h"
#include "signal/stft_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct spectrum {
    struct gf_stft_stage segment;
    double overlap;
    int32_t detrend, scaling, db;
};

enum { CONSTANT, NONE };
enum { DENSITY, POWER };

struct args {
    struct spectrum of;
    struct gf_stft *stft;
    double rate;
    char parts[GF_SIGNAL_CHANNELS * 5]; /* "1|2|3": names of the channels */
};

/* A channel: the frames of the segments that are not complete, and the sums of those that were. */
struct summed {
    float *x; /* n frames, `room` at most; behind them sums, and memory to work in */
    double *sum;
    void *work;
    int64_t n, segments;
};

/* Frames of as many segments as are transformed together. */
static int64_t room_of(const struct gf_stft *stft)
{
    return stft->size + (int64_t)(stft->batch - 1) * stft->hop;
}

static bool make_room(const struct gf_stft *stft, struct summed *s)
{
    const size_t floats = ((size_t)room_of(stft) + 3) / 4 * 4, sums = (size_t)stft->bins * sizeof *s->sum;
    const size_t work = gf_stft_work_bytes(stft);
    char *memory = calloc(1, work + floats * sizeof *s->x + sums);
    s->work = memory;
    s->x = memory ? (float *)(void *)(memory + work) : NULL;
    s->sum = memory ? (double *)(void *)(memory + work + floats * sizeof *s->x) : NULL;
    return memory != NULL;
}

static void add(const struct gf_stft *stft, struct summed *s, const float *x, int32_t count)
{
    const float *spectra = gf_stft_run(stft, x, count, s->work);
    for (int32_t i = 0; i < count; i++) {
        gf_stft_add_powers(spectra + (int64_t)i * 2 * stft->bins, stft->bins, s->sum);
    }
    s->segments += count;
}

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    const struct gf_stft *stft = ((const struct args *)args)->stft;
    const int64_t room = room_of(stft), gone = (int64_t)stft->batch * stft->hop;
    struct summed *s = state;
    GF_TRY(gf_need_memory(s->work || make_room(stft, s), error));
    while (count > 0) {
        const int64_t some = count < room - s->n ? count : room - s->n;
        memcpy(s->x + s->n, data, (size_t)some * sizeof *data);
        s->n += some;
        data += some;
        count -= some;
        if (s->n == room) {
            add(stft, s, s->x, stft->batch);
            s->n -= gone;
            memmove(s->x, s->x + gone, (size_t)s->n * sizeof *s->x);
        }
    }
    return GF_OK;
}

static void release(void *state)
{
    free(((struct summed *)state)->work);
}

/* The segments that are left, fewer than a batch. */
static void add_rest(const struct gf_stft *stft, struct summed *s)
{
    if (s->n >= stft->size) {
        add(stft, s, s->x, (int32_t)((s->n - stft->size) / stft->hop + 1));
    }
    s->n = 0;
}

/* A signal that is shorter than a segment is one by itself, shorter: all channels are. */
static struct gf_stft *make_short(const struct args *args, struct summed *states, int32_t channels)
{
    const int32_t n = (int32_t)states[0].n;
    struct gf_stft *stft = gf_make_segments(&args->of.segment, n, n, args->of.detrend == CONSTANT);
    for (int32_t c = 0; stft && c < channels; c++) {
        struct summed made = {0};
        if (!make_room(stft, &made)) {
            gf_stft_destroy(stft);
            return NULL;
        }
        memcpy(made.x, states[c].x, (size_t)n * sizeof *made.x);
        made.n = n;
        release(&states[c]);
        states[c] = made;
    }
    return stft;
}

static void fill(const struct gf_signal_measured *m, const struct gf_stft *stft, gf_result_builder *builder)
{
    const struct args *args = m->args;
    const struct summed *states = m->states;
    const int32_t bins = states[0].segments > 0 ? stft->bins : 0;
    uint64_t *segments = gf_result_u64(builder, "segments", 1, 1);
    gf_result_begin_table(builder, "spectrum", bins);
    double *frequency = gf_result_column(builder, "frequency_hz", NULL, GF_F64);
    double *power = gf_result_column(builder, "power", m->channels > 1 ? args->parts : NULL, GF_F64);
    const double factor =
        args->of.scaling == DENSITY ? 1 / (args->rate * stft->squares) : 1 / (stft->sum * stft->sum);
    for (int32_t k = 0; builder->status == GF_OK && k < bins; k++) {
        frequency[k] = (double)k * args->rate / (double)stft->size;
        for (int32_t c = 0; c < m->channels; c++) {
            const double mean = states[c].sum[k] / (double)states[c].segments;
            const double value = mean * (factor * gf_stft_sides(stft->size, k));
            *power++ = args->of.db ? gf_signal_decibels(value) : value;
        }
    }
    if (segments) {
        *segments = (uint64_t)states[0].segments;
    }
}

static void finish(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    const struct args *args = m->args;
    struct summed *states = m->states;
    struct gf_stft *made = NULL;
    if (states[0].segments == 0 && states[0].n > 0 && states[0].n < args->stft->size &&
        !(made = make_short(args, states, m->channels))) {
        builder->status = GF_ERROR_MEMORY;
        return;
    }
    const struct gf_stft *stft = made ? made : args->stft;
    for (int32_t c = 0; c < m->channels; c++) {
        add_rest(stft, &states[c]);
    }
    fill(m, stft, builder);
    gf_stft_destroy(made);
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct summed), observe, finish, release, NULL};
    const struct spectrum *p = params;
    struct args args = {.of = *p, .rate = gf_signal_lower_rate(l)};
    const int32_t size = gf_signal_lower_segment(l, &p->segment);
    if (size == 0) {
        return;
    }
    for (int32_t c = 0, at = 0; c < gf_signal_lower_channels(l); c++) {
        at += snprintf(args.parts + at, sizeof args.parts - (size_t)at, "%s%d", c ? "|" : "", c + 1);
    }
    const int32_t hop = size - (int32_t)((double)size * p->overlap);
    args.stft = gf_make_segments(&p->segment, size, hop > 0 ? hop : 1, p->detrend == CONSTANT);
    gf_signal_lower_stft(l, &gf_signal_pass, &measure, &args, sizeof args, args.stft);
}

static const gf_param params[] = {
    GF_STFT_ROWS,
    {GF_ROW_IN(NUMBER, spectrum, overlap, "0.5", 0, 0.99),
     .help = "which part of its frames a segment has in common with the next one"},
    {GF_ROW(CHOICE, spectrum, detrend, "constant"), .choices = "constant|none",
     .help = "what each segment loses: its mean, or nothing"},
    {GF_ROW(CHOICE, spectrum, scaling, "density"), .choices = "density|power",
     .help = "power per Hz, for noise, or the power of a tone"},
    {GF_ROW(BOOL, spectrum, db, "off"), .help = "10 log10 of it"},
    {0},
};

static const gf_stage_field fields[] = {
    {"segments", GF_U64, 1, "segments", "how many are averaged; one value"},
    {0},
};

static const gf_stage_field columns[] = {
    {"frequency_hz", GF_F64, 1, "Hz", "from 0 to half the rate"},
    {"power", GF_F64, 0, "sample units^2 / Hz", "of each channel; with scaling=power sample units^2, with db dB"},
    {0},
};

static const gf_stage_table tables[] = {{"spectrum", "a row a frequency, ascending", columns}, {0}};

static const gf_example examples[] = {
    {"spectrum:4096:db=on", "tones in noise, in dB; --plot draws it"},
    {"spectrum:time=2s:scaling=power", "how strong the lines of an EEG or a motor are"},
    {0},
};

const gf_stage_type gf_stage_spectrum = {
    .struct_size = sizeof(gf_stage_type),
    .name = "spectrum",
    .aliases = "welch|psd",
    .group = "signal",
    .summary = "how the power of the signal is spread over frequencies; it passes unchanged",
    .use = "To see which tones and which noise there are, and whether a filter did what it should. What "
           "changes with time\nis in a spectrogram.",
    .source = "scipy.signal.welch, whose nperseg is 256.",
    .formula =
        "Welch's method: segments of so many frames, of which neighbours share a part, less their mean, times\n"
        "the window, transformed in f32; squares of sizes are averaged in f64, each frequency but 0 and half the\n"
        "rate twice, over rate times the sum of the window's squares (density) or over the square of its sum\n"
        "(power). Frames behind the last segment do not count; a signal that is shorter than a segment is one.\n"
        "What is not finite makes its channel NaN.",
    .params = params,
    .params_size = sizeof(struct spectrum),
    .signal = signal,
    .fields = fields,
    .tables = tables,
    .examples = examples,
};
