/* The figures of an experiment. */
#include "bench/bench.h"

#include "bench/chart/svg_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_x(const void *a, const void *b)
{
    const struct svg_point *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

static struct svg_point point_of(const struct bench_row *row, enum bench_shows shows)
{
    const double moved = row->gbps * row->time_us; /* bandwidths are one by the times of the same bytes */
    switch (shows) {
    case BENCH_GBPS:
        return (struct svg_point){row->x, row->gbps, moved / row->q3_us, moved / row->q1_us};
    case BENCH_FOUND:
        return (struct svg_point){row->x, row->found, 0, 0};
    default:
        return (struct svg_point){row->x, row->time_us, row->q1_us, row->q3_us};
    }
}

/* The points of one line into `points`; how many. */
static int collect(const struct bench_result *result, int line, enum bench_shows shows,
                   struct svg_point *points)
{
    int n = 0;
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->series == line && (row->timed || shows == BENCH_FOUND)) {
            points[n++] = point_of(row, shows);
        }
    }
    qsort(points, (size_t)n, sizeof *points, compare_x);
    return n;
}

/* Adds what is the same in all rows of a panel: "n = 500000", where something else is swept. */
static void add_size(const struct bench_result *result, int p, struct buffer *text)
{
    const char *sweep = result->experiment->panels[p].sweep;
    int64_t n = -1;
    if (!strcmp(sweep, "n") || !strcmp(sweep, "size") || !strcmp(sweep, "shape") || !strcmp(sweep, "graph")) {
        return;
    }
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        n = row->panel != p ? n : n < 0 || n == row->n ? row->n : -2;
    }
    if (n >= 0) {
        buffer_printf(text, "n = %" PRId64 "; ", n);
    }
}

/* Adds what the panel's rows were measured on. */
static void add_machines(const struct bench_result *result, int p, struct buffer *text)
{
    bool used[2] = {false, false};
    for (int i = 0; i < result->n_rows; i++) {
        if (result->rows[i].panel == p) {
            used[strcmp(result->rows[i].device, "cpu") != 0] = true;
        }
    }
    for (int i = 1; i >= 0; i--) {
        if (used[i] && *result->machine[i]) {
            buffer_printf(text, "%s%s", text->length ? "; " : "", result->machine[i]);
        }
    }
}

void bench_subtitles_add(const struct bench_result *result, int panel, const char *what, struct buffer *first,
                         struct buffer *second)
{
    buffer_printf(first, "%s%s%s", result->experiment->id, what ? "; " : "", what ? what : "");
    add_machines(result, panel, second);
}

/* Adds what was measured, and on what: two lines. */
static void add_subtitles(const struct bench_result *result, int p, struct buffer *first,
                          struct buffer *second)
{
    const struct bench_panel *panel = &result->experiment->panels[p];
    buffer_printf(first, "%s; ", result->experiment->id);
    add_size(result, p, first);
    buffer_add(first, panel->shows == BENCH_FOUND    ? "what each variant found"
                      : !strcmp(panel->sweep, "run") ? "single runs"
                                                     : "medians, and quartiles as bars");
    if (panel->shows != BENCH_FOUND) {
        buffer_add(first, "; data in the device's memory, not in its cache, unless said");
    }
    add_machines(result, p, second);
}

/* How a swept option is shown: its name on the axis, and on which axes logarithms are. */
struct axis {
    const char *sweep, *label;
    bool log_x, log_y;
};

static struct svg_chart chart_of(const struct bench_panel *panel)
{
    static const struct axis axes[] = {{"n", "elements", true, true},
                                       {"k", "elements a thread", true, false},
                                       {"size", "pixels", true, false},
                                       {"shape", "rows", true, true},
                                       {"graph", "vertices", true, true},
                                       {"nx", "nx", true, true},
                                       {"ny-max", "ny-max", true, true},
                                       {"skew", "k", false, true},
                                       {"block-xy", "threads of a block along ix", true, false},
                                       {"frame-area", "iterations of a frame", true, false},
                                       {"ny-th", "threshold", true, false},
                                       {NULL, NULL, false, false}};
    const struct axis *axis = axes;
    while (axis->sweep && strcmp(axis->sweep, panel->sweep) != 0) {
        axis++;
    }
    const bool is_count = !strcmp(panel->sweep, "nx") || !strncmp(panel->sweep, "ny-", 3);
    return (struct svg_chart){.x_label = axis->label ? axis->label : panel->sweep,
                              .y_label = panel->shows == BENCH_GBPS    ? "GB/s"
                                         : panel->shows == BENCH_FOUND ? "index"
                                                                       : "microseconds",
                              .log_x = axis->log_x,
                              .log_y = axis->log_y,
                              .decades_x = is_count,
                              .tight_x = !strcmp(panel->sweep, "alpha")};
}

bool bench_figure_add(const struct bench_result *result, int panel, struct buffer *text)
{
    struct svg_point *points = calloc((size_t)result->n_rows + 1, sizeof *points);
    struct svg_line *lines = calloc((size_t)result->n_lines + 1, sizeof *lines);
    struct buffer title = {0}, first = {0}, second = {0};
    int n_lines = 0, used = 0;
    for (int l = 0; points && lines && l < result->n_lines; l++) {
        if (result->lines[l].panel == panel) {
            struct svg_line *line = &lines[n_lines++];
            *line = (struct svg_line){.label = result->lines[l].label, .points = points + used};
            line->count = collect(result, l, result->experiment->panels[panel].shows, points + used);
            used += line->count;
        }
    }
    if (used > 0) {
        struct svg_chart chart = chart_of(&result->experiment->panels[panel]);
        bench_title_add(result, panel, &title);
        add_subtitles(result, panel, &first, &second);
        chart.title = title.data;
        chart.subtitle = first.data;
        chart.subtitle2 = second.data;
        chart.lines = lines;
        chart.n_lines = n_lines;
        svg_chart_add(text, &chart);
    }
    text->failed = text->failed || !points || !lines || title.failed || first.failed || second.failed;
    buffer_free(&title);
    buffer_free(&first);
    buffer_free(&second);
    free(points);
    free(lines);
    return used > 0 || text->failed;
}
