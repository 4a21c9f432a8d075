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
    int32_t detrend, scaling, db;
};

enum { CONSTANT };
enum { DENSITY };

struct args {
    const struct gf_stft *stft;
    struct spectrum of;
    double rate;
    char parts[GF_SIGNAL_CHANNELS * 5]; /* "1|2|3": names of the channels */
};

/* A channel: the last frames, and the sums of powers of the segments before them. */
struct summed {
    char *memory; /* to work in, and what follows */
    float *x;     /* n frames, up to as many as segments that are transformed together have */
    double *sum;  /* of each bin */
    int64_t n, segments;
};

static bool make_room(const struct gf_stft *stft, struct summed *s)
{
    const size_t sums = (size_t)stft->bins * sizeof *s->sum, work = gf_stft_work_bytes(stft);
    const size_t frames = (size_t)stft->size + (size_t)(stft->batch - 1) * (size_t)stft->hop;
    s->memory = calloc(1, work + sums + frames * sizeof *s->x);
    s->sum = s->memory ? (double *)(void *)(s->memory + work) : NULL;
    s->x = s->memory ? (float *)(void *)(s->memory + work + sums) : NULL;
    return s->memory != NULL;
}

/* Adds segments, in their order. */
static gf_status add(const struct gf_stft *stft, struct summed *s, int64_t count, gf_error *error)
{
    float *v;
    GF_TRY(gf_stft_run(stft, s->x, (int32_t)count, 0, s->memory, &v, error));
    for (int64_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < stft->bins; k++, v += 2) {
            s->sum[k] += (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1];
        }
    }
    s->segments += count;
    s->n -= count * stft->hop;
    memmove(s->x, s->x + count * stft->hop, (size_t)s->n * sizeof *s->x);
    return GF_OK;
}

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    const struct gf_stft *stft = ((const struct args *)args)->stft;
    const int64_t room = stft->size + (int64_t)(stft->batch - 1) * stft->hop;
    struct summed *s = state;
    GF_TRY(gf_need_memory(s->memory || make_room(stft, s), error));
    while (count > 0) {
        const int64_t some = count < room - s->n ? count : room - s->n;
        memcpy(s->x + s->n, data, (size_t)some * sizeof *data);
        s->n += some;
        data += some;
        count -= some;
        if (s->n == room) {
            GF_TRY(add(stft, s, stft->batch, error));
        }
    }
    return GF_OK;
}

static void release(void *state)
{
    free(((struct summed *)state)->memory);
}

static void finish(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    const struct args *args = m->args;
    const struct gf_stft *stft = args->stft;
    struct summed *states = m->states;
    for (int32_t c = 0; c < m->channels && states[c].n >= stft->size; c++) { /* fewer than a batch */
        builder->status = add(stft, &states[c], (states[c].n - stft->size) / stft->hop + 1, NULL);
        if (builder->status != GF_OK) {
            return;
        }
    }
    const int32_t bins = states[0].segments > 0 ? stft->bins : 0;
    uint64_t *segments = gf_result_u64(builder, "segments", 1, 1);
    gf_result_begin_table(builder, "spectrum", bins);
    double *frequency = gf_result_column(builder, "hz", NULL, GF_F64);
    double *power = gf_result_column(builder, "power", m->channels > 1 ? args->parts : NULL, GF_F64);
    const double scale = args->of.scaling == DENSITY ? args->rate * stft->squares : stft->sum * stft->sum;
    for (int32_t k = 0; builder->status == GF_OK && k < bins; k++) {
        frequency[k] = (double)k * args->rate / (double)stft->size;
        for (int32_t c = 0; c < m->channels; c++) {
            const double mean = states[c].sum[k] / (double)states[c].segments;
            const double value = mean * gf_stft_sides(stft, k) / scale;
            *power++ = args->of.db ? gf_signal_decibels(value) : value;
        }
    }
    if (segments) {
        *segments = (uint64_t)states[0].segments;
    }
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct summed), observe, finish, release, NULL};
    const struct spectrum *p = params;
    struct args args = {.of = *p, .rate = gf_signal_lower_rate(l)};
    for (int32_t c = 0, at = 0; c < gf_signal_lower_channels(l); c++) {
        at += snprintf(args.parts + at, sizeof args.parts - (size_t)at, "%s%d", c ? "|" : "", c + 1);
    }
    gf_signal_lower_stft(l, &p->segment, p->detrend == CONSTANT, &gf_signal_pass, &measure, &args,
                         sizeof args);
}

GF_PARAMS(GF_STFT_ROWS("0.5"),
          {GF_ROW(CHOICE, spectrum, detrend, "constant"), .choices = "constant|none",
           .help = "what each segment loses: its mean, or nothing"},
          {GF_ROW(CHOICE, spectrum, scaling, "density"), .choices = "density|power",
           .help = "power per Hz, for noise, or the power of a tone"},
          {GF_ROW(BOOL, spectrum, db, "off"), .help = "10 log10 of it"});

GF_FIELDS({"segments", GF_U64, 1, "segments", "how many are averaged; one value"});

static const gf_stage_field columns[] = {
    {"hz", GF_F64, 1, "Hz", "from 0 to half the rate"},
    {"power", GF_F64, 0, "sample units^2 / Hz",
     "of each channel; with scaling=power sample units^2, with db dB"},
    {0},
};

static const gf_stage_table tables[] = {{"spectrum", "a row a frequency, ascending", columns}, {0}};

GF_EXAMPLES({"spectrum:4096:db=on", "tones in noise, in dB; --plot draws it"},
            {"spectrum:time=2s:scaling=power", "how strong the lines of an EEG or a motor are"});

const gf_stage_type gf_stage_spectrum = {
    GF_STAGE_OF(spectrum),
    .aliases = "welch|psd",
    .group = "signal",
    .summary = "how the power of the signal is spread over frequencies; it passes unchanged",
    .use = "To see which tones and which noise there are, and whether a filter did what it should. What "
           "changes with time\nis in a spectrogram.",
    .source = "scipy.signal.welch, whose nperseg is 256.",
    .formula = "Welch's method: segments of so many frames, of which neighbours share a part, less their "
               "mean, times\n"
               "the window, transformed in f32; squares of sizes are averaged in f64, each frequency but 0 "
               "and half the\n"
               "rate twice, over rate times the sum of the window's squares (density) or over the square of "
               "its sum\n"
               "(power). Frames behind the last segment do not count, and a shorter signal has no rows.\n"
               "A frame that is not finite makes none of its channel's finite.",
    .signal = signal,
    .fields = fields,
    .tables = tables,
};
