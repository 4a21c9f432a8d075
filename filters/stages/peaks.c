/* peaks: local maxima of signals: of each row of a picture by itself; it passes unchanged. */
#include "base/status.h"
#include "lower/points_stage.h"
#include "result_builder.h"
#include "signal/measure.h"
#include "stages/peaks_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct peaks {
    double prominence, min, width;
    int64_t distance;
};

/* Less than any sample: of all peaks. */
#define NO_MINIMUM (-1e6)

struct list {
    struct place {
        struct gf_peak peak; /* its place: in the picture, or the signal */
        uint32_t row;        /* or channel */
    } * places;
    int64_t n, room;
};

/* Adds the peaks of the first n samples of the room, which begin at place `first`. */
static bool add_all(struct list *list, struct gf_peaks_room *room, int64_t n,
                    const struct gf_peaks_rules *rules, uint32_t row, int64_t first)
{
    int64_t count;
    const struct gf_peak *peaks = gf_peaks_find(room, n, rules, &count);
    if (list->n + count > list->room) {
        list->room = 2 * (list->n + count);
        struct place *places = realloc(list->places, (size_t)list->room * sizeof *places);
        if (!places) {
            return false;
        }
        list->places = places;
    }
    for (int64_t i = 0; i < count; i++) {
        list->places[list->n] = (struct place){peaks[i], row};
        list->places[list->n++].peak.at += first;
    }
    return true;
}

/* A row of the region, from sample `next` of the table on; returns the first one behind it. */
static size_t take_row(const gf_measured *m, int64_t y, size_t next, float *signal)
{
    const uint64_t *counts = m->blocks[0];
    const uint32_t *places = m->blocks[1];
    const float *values = m->blocks[2];
    for (int64_t x = 0; x < m->roi.w; x++) {
        signal[x] = NAN; /* which is no point */
    }
    for (; next < counts[0] && places[2 * next + 1] == y; next++) {
        signal[places[2 * next] - m->roi.x] = values[next];
    }
    return next;
}

static struct gf_peaks_rules rules_of(const struct peaks *p, double white, double least_width)
{
    return (struct gf_peaks_rules){.least = p->min > NO_MINIMUM ? (double)(float)(p->min * white)
                                                                : (double)-INFINITY,
                                   .distance = p->distance,
                                   .prominence = (double)(float)(p->prominence * white),
                                   .width = p->width > 0 ? p->width : least_width};
}

static bool find_all(const gf_measured *m, struct gf_peaks_room *room, struct list *list)
{
    const struct peaks *p = m->params;
    const struct gf_peaks_rules rules = rules_of(p, gf_depth_white(m->shape.depth), -1);
    size_t next = 0;
    for (int64_t y = m->roi.y; y < m->roi.y + m->roi.h; y++) {
        next = take_row(m, y, next, gf_peaks_signal(room));
        if (!add_all(list, room, m->roi.w, &rules, (uint32_t)y, m->roi.x)) {
            return false;
        }
    }
    return true;
}

static void fill(const struct list *list, gf_result_builder *builder)
{
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    gf_result_begin_table(builder, "peaks", (int64_t)list->n);
    uint32_t *x = gf_result_column(builder, "x", NULL, GF_U32);
    uint32_t *y = gf_result_column(builder, "y", NULL, GF_U32);
    float *value = gf_result_column(builder, "value", NULL, GF_F32);
    double *prominence = gf_result_column(builder, "prominence", NULL, GF_F64);
    if (!count || !x || !y || !value || !prominence) {
        return;
    }
    *count = (uint64_t)list->n;
    for (int64_t i = 0; i < list->n; i++) {
        x[i] = (uint32_t)list->places[i].peak.at;
        y[i] = list->places[i].row;
        value[i] = list->places[i].peak.value;
        prominence[i] = list->places[i].peak.prominence;
    }
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    struct list list = {NULL, 0, 0};
    struct gf_peaks_room *room = gf_peaks_room_create(m->roi.w);
    if (room && find_all(m, room, &list)) {
        fill(&list, builder);
    } else {
        builder->status = GF_ERROR_MEMORY;
    }
    gf_peaks_room_destroy(room);
    free(list.places);
}

static void lower(gf_lowering *l, const void *params)
{
    const gf_value_id v = gf_lower_input(l);
    struct gf_points_args args = {.first = 0};
    struct gf_points_found found;
    (void)params;
    if (!gf_lowering_samples(l, v)) {
        return;
    }
    const gf_shape shape = gf_lower_shape(l, v);
    const uint32_t measured = gf_lowering_mask(l, shape.channels);
    if (measured & (measured - 1)) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "it looks at one channel, not at %d: put gray before it, or name one, as channels=g",
                      __builtin_popcount(measured));
        return;
    }
    for (int32_t c = 0; c < GF_PICTURE_CHANNELS; c++) { /* all that are no NaN */
        args.lo[c] = shape.depth == GF_F32 ? -INFINITY : 0;
        args.hi[c] = shape.depth == GF_F32 ? INFINITY : (float)gf_lower_white(l, v);
    }
    gf_lowering_points(l, v, &args, 0, finish, &found);
}

/* ---- of a signal, which is held ---- */

static bool find_in(const struct gf_signal_held *held, const struct peaks *p, uint32_t channel,
                    struct list *list)
{
    const struct gf_peaks_rules rules = rules_of(p, 1, 0);
    struct gf_peaks_room *room = gf_peaks_room_create(held->n);
    if (room) {
        memcpy(gf_peaks_signal(room), held->data, (size_t)held->n * sizeof *held->data);
    }
    const bool good = room && add_all(list, room, held->n, &rules, channel, 0);
    gf_peaks_room_destroy(room);
    return good;
}

static void fill_signal(const struct list *list, double rate, gf_result_builder *builder)
{
    gf_result_begin_table(builder, "peaks", (int64_t)list->n);
    uint32_t *channel = gf_result_column(builder, "channel", NULL, GF_U32);
    double *seconds = gf_result_column(builder, "time_s", NULL, GF_F64);
    uint64_t *frame = gf_result_column(builder, "frame", NULL, GF_U64);
    float *value = gf_result_column(builder, "value", NULL, GF_F32);
    double *prominence = gf_result_column(builder, "prominence", NULL, GF_F64);
    double *width = gf_result_column(builder, "width_s", NULL, GF_F64);
    for (int64_t i = 0; i < list->n && builder->status == GF_OK; i++) {
        const struct gf_peak *peak = &list->places[i].peak;
        channel[i] = list->places[i].row + 1;
        seconds[i] = gf_signal_seconds((double)peak->at, rate);
        frame[i] = (uint64_t)peak->at;
        value[i] = peak->value;
        prominence[i] = peak->prominence;
        width[i] = gf_signal_seconds(peak->width, rate);
    }
}

static void finish_signal(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    struct list list = {NULL, 0, 0};
    uint64_t *count = gf_result_u64(builder, "count", m->channels, 1);
    for (int32_t c = 0; c < m->channels && builder->status == GF_OK; c++) {
        const struct gf_signal_held *held = (const struct gf_signal_held *)m->states + c;
        const int64_t before = list.n;
        if (held->n > 2 && !find_in(held, m->args, (uint32_t)c, &list)) {
            builder->status = GF_ERROR_MEMORY;
        }
        count[c] = (uint64_t)(list.n - before);
    }
    fill_signal(&list, m->rate, builder);
    free(list.places);
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct gf_signal_held), gf_signal_held_observe,
                                                     finish_signal, gf_signal_held_release, NULL};
    gf_signal_lower_measure(l, &measure, params, sizeof(struct peaks), NULL);
}

GF_PARAMS(
    {GF_ROW_IN(INTENSITY, peaks, prominence, "0", 0, 1e6),
     .help = "how far a peak is above the higher of the two lowest samples between it and the next greater "
             "one on either side, at least",
     .positional = 1},
    {GF_ROW_IN(INTENSITY, peaks, min, "-1000000", NO_MINIMUM, 1e6),
     .help = "the least value of a peak; -1000000: any"},
    {GF_ROW_IN(INT, peaks, distance, "1", 1, 2147483647), .unit = "px",
     .help = "of peaks that are nearer to each other the greatest stays, of equal ones the last"},
    {GF_ROW_IN(NUMBER, peaks, width, "0", 0, 2147483647), .unit = "px",
     .help = "how wide a peak is where half of its prominence is left, at least; of a signal in frames"});

GF_FIELDS({"count", GF_U64, 1, "peaks", "how many there are; one value, of a signal one a channel"});

static const gf_stage_field columns[] = {
    {"x", GF_U32, 1, "pixels", "column, from 0"},
    {"y", GF_U32, 1, "pixels", "row, from 0"},
    {"value", GF_F32, 1, "sample units", "the sample there, exact"},
    {"prominence", GF_F64, 1, "sample units", "how far it is above what is around it"},
    {0},
};

static const gf_stage_field signal_columns[] = {
    {"channel", GF_U32, 1, "channels", "from 1"},
    {"time_s", GF_F64, 1, "s", "when; NaN without a rate"},
    {"frame", GF_U64, 1, "frames", "which, from 0"},
    {"value", GF_F32, 1, "sample units", "the sample there, exact"},
    {"prominence", GF_F64, 1, "sample units", "how far it is above what is around it"},
    {"width_s", GF_F64, 1, "s", "between the places where the signal is half of the prominence lower"},
    {0},
};

static const gf_stage_table tables[] = {
    {"peaks", "a row a peak, row by row from the top left", columns},
    {"peaks", GF_OF_SIGNALS "a row a peak, channel by channel", signal_columns},
    {0},
};

GF_EXAMPLES({"gray,peaks:prominence=0.4:distance=20",
             "what stands out in each row, at most once in 20 pixels"},
            {"peaks:30u8:channels=g", "maxima of green that are 30 above what is around them"});

const gf_stage_type gf_stage_peaks = {
    GF_STAGE_OF(peaks),
    .aliases = "maxima",
    .group = "measure",
    .summary = "local maxima of a signal, or of each row, by prominence; the picture passes unchanged",
    .use =
        "To find beats, lines of a spectrum or stripes in noise: prominence leaves out ripples on a slope,\n"
        "which a threshold cannot.",
    .source =
        "As scipy.signal.find_peaks with height, distance, prominence and width, which leaves open which one "
        "stays of\n"
        "equal peaks that are too near.",
    .formula =
        "Each row is a signal. A peak is a sample that is greater than both neighbours, of equal samples "
        "the\n"
        "middle one, rounded down; the first and the last are none. Then min, distance, prominence and "
        "width\n"
        "are asked for, in this order. Prominence is a difference of two samples, in f64. NaN ends a signal: "
        "no\n"
        "peak is beside it, and nothing behind it counts. Alpha is not measured. It takes 24 bytes a pixel.\n"
        "A file of a signal is held, 4 bytes a frame and 40 more of one channel at the end, up to 2^26\n"
        "frames of a channel; widths are those of scipy.signal.peak_widths.",
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .signal = signal,
    .fields = fields,
    .tables = tables,
};
