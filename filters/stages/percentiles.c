/* percentiles: samples by their place in order; the picture passes unchanged. */
#include "base/status.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"
#include "pixel/solve/percentile.h"
#include "signal/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct percentiles {
    gf_list at;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct percentiles *p = m->params;
    const int32_t measured = __builtin_popcount(m->channels);
    const int64_t n = p->at.columns;
    double *at = gf_result_f64(builder, "at", measured, n);
    double *value = gf_result_f64(builder, "value", measured, n);
    for (int32_t c = 0; at && value && c < m->shape.channels; c++) {
        for (int64_t i = 0; i < n && m->channels >> c & 1; i++) {
            *at++ = p->at.values[i];
            *value++ = (double)((const float *)m->blocks[0])[c * n + i];
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct percentiles *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_value_id levels = gf_lowering_percentiles(l, v, p->at.values, (int32_t)p->at.columns, false);
    if (levels) {
        gf_lower_result(l, v, &levels, 1, finish);
    }
}

/* ---- of a signal, which is looked at once a digit (digit.h) ---- */

static const int32_t shifts[] = {GF_DIGIT_FIRST, GF_DIGIT_SECOND, GF_DIGIT_LAST};
enum { LOOKS = sizeof shifts / sizeof *shifts };

struct looked {
    struct gf_pick
        *picks;    /* one a percentile, and behind them the counts, as many rows; NULL: no frame came */
    uint64_t n;    /* frames that are numbers */
    int32_t looks; /* that are done */
};

static uint64_t *counts_of(const struct looked *s, int32_t n)
{
    return (uint64_t *)(s->picks + n);
}

/* The row of counts of frames with that key. The first digit has one row; n: none. */
static int32_t row_of(const struct looked *s, uint32_t key, int32_t n)
{
    return s->looks == 0 ? 0 : gf_digit_slot(key, s->picks, n, shifts[s->looks]);
}

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    struct looked *s = state;
    const int32_t n = ((const struct percentiles *)args)->at.columns;
    if (!s->picks && !(s->picks = calloc((size_t)n, sizeof *s->picks + GF_DIGIT_BINS * sizeof(uint64_t)))) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    uint64_t *counts = counts_of(s, n);
    for (int64_t i = 0; i < count; i++) {
        const uint32_t key = gf_float_key(data[i]);
        const int32_t row = data[i] == data[i] ? row_of(s, key, n) : n;
        if (row < n) {
            counts[(size_t)row * GF_DIGIT_BINS + (size_t)gf_digit(key, shifts[s->looks])]++;
            s->n += s->looks == 0;
        }
    }
    return GF_OK;
}

static bool again(const void *args, void *state)
{
    static const struct gf_percentile_args first = {.shift = GF_DIGIT_FIRST};
    struct looked *s = state;
    const gf_list *at = &((const struct percentiles *)args)->at;
    for (int32_t i = 0; s->picks && i < at->columns; i++) {
        struct gf_pick *pick = &s->picks[i];
        const int32_t of = row_of(s, (uint32_t)pick->key, at->columns);
        const uint64_t *row = counts_of(s, at->columns) + (size_t)of * GF_DIGIT_BINS;
        *pick = s->looks == 0 ? gf_percentile_first(&first, row, at->values[i], s->n) : *pick;
        int32_t k = 0;
        for (; k < GF_DIGIT_BINS && pick->rest >= row[k]; k++) { /* of nothing but NaN it ends nowhere */
            pick->rest -= row[k];
        }
        pick->key |= k < GF_DIGIT_BINS ? (uint32_t)k << shifts[s->looks] : 0;
    }
    if (s->picks) {
        memset(counts_of(s, at->columns), 0, (size_t)at->columns * GF_DIGIT_BINS * sizeof(uint64_t));
    }
    return ++s->looks < LOOKS;
}

static void release(void *state)
{
    free(((struct looked *)state)->picks);
}

static void finish_signal(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    const gf_list *list = &((const struct percentiles *)m->args)->at;
    double *at = gf_result_f64(builder, "at", m->channels, list->columns);
    double *value = gf_result_f64(builder, "value", m->channels, list->columns);
    for (int32_t c = 0; at && value && c < m->channels; c++) {
        const struct gf_pick *picks = ((const struct looked *)m->states)[c].picks;
        for (int32_t i = 0; i < list->columns; i++) {
            *at++ = list->values[i];
            *value++ = picks ? (double)gf_key_float((uint32_t)picks[i].key) : NAN;
        }
    }
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct looked), observe, finish_signal, release,
                                                     again};
    gf_signal_lower_measure(l, &measure, params, sizeof(struct percentiles), NULL);
}

GF_PARAMS({GF_ROW_IN(LIST, percentiles, at, "[0 1 5 25 50 75 95 99 100]", 0, 100), .choices = "1x*",
           .help = "which ones: 50 is the median, 0 the least, 100 the greatest", .positional = 1});

GF_FIELDS({"at", GF_F64, 0, "percent", "which percentiles there are"},
          {"value", GF_F64, 0, "sample units", "the sample at each of them; NaN where nothing was counted"});

GF_EXAMPLES({"gray,percentiles", "says how dark the dark parts are, and how light the light ones"},
            {"percentiles:50:channels=g", "the median of green"});

const gf_stage_type gf_stage_percentiles = {
    GF_STAGE_OF(percentiles),
    .aliases = "quantiles",
    .group = "measure",
    .summary = "samples by their place in order, as the median; the picture passes unchanged",
    .use = "To see where most samples lie whatever the few do, and to choose levels for the stages after it.",
    .source = "As numpy.percentile(v, p, method='nearest'), halves going up.",
    .formula = "The sample of index floor(p (n - 1) / 100 + 1/2) of n in ascending order, counted from 0, "
               "exactly, in\n"
               "every depth. NaN is left out; infinite samples count, and -0 is less than 0. Alpha is not "
               "measured.\n"
               "A signal waits for its end, as for phase=zero, and is looked at three times.",
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .signal = signal,
    .fields = fields,
};
