#include "job/job_plot.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "bench/chart/svg_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4, MOST_GROUPS = 1024 };

/* What is drawn of a stage: a field of many values between two others, or over another, or columns of a
 * table. */
static const struct form {
    const char *table; /* NULL: fields */
    const char *x, *y; /* columns or fields */
    const char *x_to;  /* fields: x is the lower end of what the values of y lie between, this the upper */
    const char *x_of, *y_of; /* what the axes say */
} forms[] = {
    {NULL, "lo", "counts", "hi", "value, sample units", "samples"},
    {NULL, "at", "value", NULL, "percent of the samples", "value, sample units"},
    {"profile", "at", "mean", NULL, "place on the axis, pixels", "mean, sample units"},
    {"spectrum", "hz", "power", NULL, "frequency, Hz", "power, with db=on dB"},
};
enum { FORMS = sizeof forms / sizeof *forms };

static bool names(const gf_stage_field *field, const char *name)
{
    for (; field && field->name; field++) {
        if (!strcmp(field->name, name)) {
            return true;
        }
    }
    return false;
}

bool job_plot_is_of(const gf_stage_type *type)
{
    for (int i = 0; i < FORMS; i++) {
        const gf_stage_table *table = gf_stage_result_table(type, 0);
        const gf_stage_field *fields = forms[i].table ? NULL : gf_stage_result(type, 0);
        if ((fields && names(fields, forms[i].x) && names(fields, forms[i].y)) ||
            (forms[i].table && table && !strcmp(table->name, forms[i].table))) {
            return true;
        }
    }
    return false;
}

static const struct form *form_of(const gf_result *result)
{
    for (int i = 0; i < FORMS; i++) {
        if (forms[i].table ? gf_result_table(result, forms[i].table) != NULL
                           : gf_result_field(result, forms[i].x) && gf_result_field(result, forms[i].y)) {
            return &forms[i];
        }
    }
    return NULL;
}

bool job_plot_has(const gf_result *result)
{
    return form_of(result) != NULL;
}

/* ---- points ---- */

/* Where the values of one line come from. */
struct series {
    const gf_field *x_field, *field;
    const gf_column *x_column, *y_column;
    double from, step; /* without x_field: where the first value lies, and how far the others are apart */
    int64_t count;
    int32_t number; /* of the measured channels */
};

static double number_in(const gf_column *column, int64_t i)
{
    return column->depth == GF_U32   ? (double)((const uint32_t *)column->values)[i]
           : column->depth == GF_U64 ? (double)((const uint64_t *)column->values)[i]
           : column->depth == GF_F32 ? (double)((const float *)column->values)[i]
                                     : ((const double *)column->values)[i];
}

static double value_in(const gf_field *field, int32_t number, int64_t i)
{
    int64_t at = number * field->count + i;
    return field->depth == GF_U64 ? (double)((const uint64_t *)field->values)[at]
                                  : ((const double *)field->values)[at];
}

static struct svg_point point_of(const struct series *s, int64_t i)
{
    if (s->field) {
        double x = s->x_field ? value_in(s->x_field, s->number, i) : s->from + (double)i * s->step;
        return (struct svg_point){.x = x, .y = value_in(s->field, s->number, i)};
    }
    return (struct svg_point){.x = number_in(s->x_column, i),
                              .y = number_in(s->y_column, i * s->y_column->count + s->number)};
}

/* Thins out more values than a chart has pixels: each group's least and greatest stay, in their order. */
static int thin(const struct series *s, struct svg_point *points)
{
    int n = 0;
    for (int64_t group = 0; group < MOST_GROUPS; group++) {
        int64_t end = s->count * (group + 1) / MOST_GROUPS, least = -1, greatest = -1;
        for (int64_t i = s->count * group / MOST_GROUPS; i < end; i++) {
            double y = point_of(s, i).y;
            least = isfinite(y) && (least < 0 || y < point_of(s, least).y) ? i : least;
            greatest = isfinite(y) && (greatest < 0 || y > point_of(s, greatest).y) ? i : greatest;
        }
        if (least >= 0) {
            points[n++] = point_of(s, least < greatest ? least : greatest);
        }
        if (least >= 0 && least != greatest) {
            points[n++] = point_of(s, least < greatest ? greatest : least);
        }
    }
    return n;
}

static int collect(const struct series *s, struct svg_point *points)
{
    if (s->count > 2 * MOST_GROUPS) {
        return thin(s, points);
    }
    for (int64_t i = 0; i < s->count; i++) {
        points[i] = point_of(s, i);
    }
    return (int)s->count;
}

/* ---- lines ---- */

/* Values of a field lie at those of another, or in the middles of bins; false: so many channels were not
 * measured. */
static bool find_series(const gf_result *result, const struct form *form, int32_t number, struct series *s)
{
    *s = (struct series){.number = number};
    if (!form->table) {
        s->field = gf_result_field(result, form->y);
        s->count = s->field->count;
        s->x_field = form->x_to ? NULL : gf_result_field(result, form->x);
        if (number < s->field->channels && form->x_to) {
            double lo = value_in(gf_result_field(result, form->x), number, 0);
            double hi = value_in(gf_result_field(result, form->x_to), number, 0);
            s->step = (hi - lo) / (double)s->count;
            s->from = lo + s->step / 2;
        }
        return number < s->field->channels;
    }
    const gf_table *table = gf_result_table(result, form->table);
    s->x_column = gf_table_column(table, form->x);
    s->y_column = gf_table_column(table, form->y);
    s->count = table->rows;
    return number < s->y_column->count;
}

/* Names the channel that is the number-th of those measured. */
static void name_line(const gf_result *result, int32_t number, struct svg_line *line)
{
    static const char *const names_of[4][4] = {
        {"gray"}, {"gray", "alpha"}, {"r", "g", "b"}, {"r", "g", "b", "alpha"}};
    static const char *const colours[] = {"#cc3311", "#228833", "#4477aa", "#777777"};
    static const char *const numbers[MOST_LINES] = {"channel 1", "channel 2", "channel 3", "channel 4"};
    int32_t channels = result->shape.channels, left = number;
    if (result->shape.height == 0) { /* a signal */
        line->label = channels > 1 ? numbers[number] : "";
    }
    for (int32_t c = 0; c < channels && channels <= 4; c++) {
        if (result->channels >> c & 1 && left-- == 0) {
            line->label = names_of[channels - 1][c];
            line->colour = channels > 2 ? colours[c] : NULL;
        }
    }
}

static void add_subtitle(struct buffer *text, const gf_result *result, const char *file)
{
    const gf_shape *shape = &result->shape;
    if (shape->height == 0) {
        buffer_printf(text, "%s: %lld frames of %d channel%s", file, (long long)shape->width, shape->channels,
                      shape->channels == 1 ? "" : "s");
        return;
    }
    buffer_printf(text, "%s: %lld x %lld %s %s", file, (long long)shape->width, (long long)shape->height,
                  channels_word(shape->channels), gf_depth_name(shape->depth));
}

gf_status job_plot_add(struct buffer *text, const gf_result *result, const char *file)
{
    const struct form *form = form_of(result);
    struct svg_line lines[MOST_LINES] = {{0}};
    struct svg_point *points = malloc(sizeof *points * MOST_LINES * 2 * MOST_GROUPS);
    struct buffer subtitle = {0};
    struct series s;
    int n = 0;
    for (; points && n < MOST_LINES && find_series(result, form, n, &s); n++) {
        struct svg_point *own = points + 2 * MOST_GROUPS * n;
        lines[n] = (struct svg_line){.label = "", .points = own, .count = collect(&s, own)};
        name_line(result, n, &lines[n]);
    }
    if (n == MOST_LINES && find_series(result, form, n, &s)) {
        cli_note("note: --plot draws the first %d channels; --table has all of them", n);
    }
    add_subtitle(&subtitle, result, file);
    const struct svg_chart chart = {.title = *result->name ? result->name : result->stage,
                                    .subtitle = subtitle.data,
                                    .x_label = form->x_of,
                                    .y_label = form->y_of,
                                    .tight_x = true,
                                    .lines = lines,
                                    .n_lines = n};
    if (points) {
        svg_chart_add(text, &chart);
    }
    bool good = points && !subtitle.failed && !text->failed;
    buffer_free(&subtitle);
    free(points);
    return cli_need_memory(good);
}
