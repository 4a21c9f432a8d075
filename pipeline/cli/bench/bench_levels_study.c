/* What the levels of a breadth-first search took: tables, figures and verdicts. */
#include "bench/bench_levels.h"

#include "bench/chart/svg_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 8 };

int bench_depths(int32_t last, int most, int32_t *depths)
{
    const int n = last < most ? (int)last : most;
    for (int i = 0; i < n; i++) {
        depths[i] = n > 1 ? (int32_t)(1 + (int64_t)i * (last - 1) / (n - 1)) : last;
    }
    return n;
}

bool bench_level_span(const struct bench_result *result, int line, int index, struct bench_span *us)
{
    const struct bench_row *row = bench_row_at(result, line, index),
                           *before = index > 0 ? bench_row_at(result, line, index - 1) : NULL;
    if (!row || (index > 0 && !before)) {
        return false;
    }
    *us = before ? (struct bench_span){row->q1_us - before->q3_us, row->time_us - before->time_us,
                                       row->q3_us - before->q1_us}
                 : (struct bench_span){row->q1_us, row->time_us, row->q3_us};
    return true;
}

/* Levels of a row. */
static double levels_of(const struct bench_row *row)
{
    return row->level.to - row->level.from + 1;
}

/* The first line of a panel with rows; -1: none has. */
static int line_with_rows(const struct bench_result *result, int panel)
{
    for (int i = 0; i < result->n_rows; i++) {
        if (result->rows[i].panel == panel) {
            return result->rows[i].series;
        }
    }
    return -1;
}

/* ---- Tables -------------------------------------------------------------------------------------------- */

static void add_csv_row(const struct bench_row *row, bool timed, struct bench_span us, struct buffer *csv)
{
    buffer_printf(csv, "%s,%s,%s,%d,%d,%" PRId64 ",%" PRId64, row->parameters, row->algo, row->device,
                  (int)row->level.from, (int)row->level.to, row->level.vertices, row->level.edges);
    if (timed) {
        buffer_printf(csv, ",%.6g,%.6g,%.6g", us.middle, us.low, us.high);
        buffer_printf(csv, us.middle > 0 ? ",%.6g\n" : ",\n", (double)row->level.edges / us.middle);
    } else {
        buffer_add(csv, ",,,,\n");
    }
}

static gf_status write_table(const struct bench_result *result, struct bench_files *files)
{
    struct buffer csv = {0};
    buffer_add(&csv, "parameters,algo,device,level_from,level_to,vertices,edges,time_us,low_us,high_us,"
                     "edges_per_us\n");
    for (int l = 0; l < result->n_lines; l++) {
        for (int i = 0, timed = 0; i < result->n_rows; i++) {
            const struct bench_row *row = &result->rows[i];
            struct bench_span us = {0, 0, 0};
            if (row->series == l) {
                const bool has_time = row->timed && bench_level_span(result, l, timed, &us);
                add_csv_row(row, has_time, us, &csv);
                timed += row->timed;
            }
        }
    }
    gf_status status = bench_file(files, "levels", "csv", &csv);
    buffer_free(&csv);
    return status;
}

/* Where the difference of times is lost in noise, a level takes no time, or less. */
static void add_cell(const struct bench_row *row, struct bench_span us, struct buffer *text)
{
    if (us.middle > 0) {
        buffer_printf(text, " %17.4g %11.4g", us.middle / levels_of(row),
                      (double)row->level.edges / us.middle);
    } else {
        buffer_printf(text, " %17s %11s", "-", "-");
    }
}

/* A row is a depth; behind what is looked at, each series' time a level, and edges in a microsecond. */
static void add_panel(const struct bench_result *result, int p, struct buffer *text)
{
    const int first = line_with_rows(result, p);
    if (first < 0) {
        return;
    }
    buffer_printf(text, "    %s: a level on average\n    %11s %10s %10s", result->experiment->panels[p].name,
                  "levels", "vertices", "edges");
    for (int l = 0; l < result->n_lines; l++) {
        if (result->lines[l].panel == p && bench_row_at(result, l, 0)) {
            buffer_printf(text, " %14s us (edges/us)", result->lines[l].label);
        }
    }
    buffer_add(text, "\n");
    for (int i = 0, n = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        struct bench_span us;
        if (row->series != first) {
            continue;
        }
        buffer_printf(text, "    %5d %5d %10.0f %10.0f", (int)row->level.from, (int)row->level.to,
                      (double)row->level.vertices / levels_of(row),
                      (double)row->level.edges / levels_of(row));
        for (int l = 0; l < result->n_lines; l++) {
            if (result->lines[l].panel == p && bench_level_span(result, l, n, &us)) {
                add_cell(row, us, text);
            }
        }
        buffer_add(text, "\n");
        n++;
    }
}

/* ---- Figures ------------------------------------------------------------------------------------------- */

enum figure { VERTICES, EDGES, TIME, RATE };

/* The points of a line; how many. */
static int collect(const struct bench_result *result, int line, enum figure what, struct svg_point *points)
{
    int n = 0;
    for (int i = 0, timed = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        struct bench_span us = {0, 0, 0};
        if (row->series != line) {
            continue;
        }
        const double levels = levels_of(row), edges = (double)row->level.edges;
        const bool has_time = row->timed && bench_level_span(result, line, timed, &us) && us.middle > 0;
        timed += row->timed;
        if (what == VERTICES || what == EDGES) {
            points[n++] = (struct svg_point){
                row->x, (what == EDGES ? edges : (double)row->level.vertices) / levels, 0, 0};
        } else if (has_time && what == TIME) {
            points[n++] = (struct svg_point){row->x, us.middle / levels, us.low / levels, us.high / levels};
        } else if (has_time && edges > 0) {
            points[n++] = (struct svg_point){row->x, edges / us.middle, edges / us.high,
                                             us.low > 0 ? edges / us.low : 0};
        }
    }
    return n;
}

static gf_status write_figure(const struct bench_result *result, struct bench_files *files, int p,
                              enum figure what)
{
    static const char *const names[] = {"", "frontier", "time", "rate"};
    static const char *const labels[] = {"", "vertices, edges", "microseconds a level",
                                         "edges in a microsecond"};
    struct svg_point *points = calloc((size_t)result->n_rows * 2 + 1, sizeof *points);
    struct svg_line lines[MOST_LINES];
    struct buffer title = {0};
    char name[64];
    int n = 0, used = 0;
    const int first = line_with_rows(result, p);
    for (int l = 0; points && l < result->n_lines && n + 1 < MOST_LINES; l++) {
        for (int k = what == EDGES ? VERTICES : what;
             k <= (int)what && (what == EDGES ? l == first : result->lines[l].panel == p); k++) {
            lines[n] = (struct svg_line){.label = k == VERTICES ? "vertices"
                                                  : k == EDGES  ? "edges that leave them"
                                                                : result->lines[l].label,
                                         .points = points + used};
            lines[n].count = collect(result, l, (enum figure)k, points + used);
            used += lines[n++].count;
        }
    }
    bench_title_add(result, p, &title);
    snprintf(name, sizeof name, "%s-%s", result->experiment->panels[p].name, names[what]);
    struct svg_chart chart = {.title = title.data,
                              .x_label = "the level that is found, or the last of several",
                              .y_label = labels[what],
                              .log_y = true,
                              .lines = lines,
                              .n_lines = n};
    gf_status status = bench_chart(files, result, p, name,
                                   what == EDGES ? "what is looked at to find a level"
                                                 : "differences of medians of searches that stop at a level",
                                   &chart);
    buffer_free(&title);
    free(points);
    return status;
}

static gf_status conclude(const struct bench_result *result, struct bench_files *files, struct buffer *text)
{
    gf_status status = write_table(result, files);
    for (int p = 0; status == GF_OK && result->experiment->panels[p].title; p++) {
        add_panel(result, p, text);
        for (int what = EDGES; status == GF_OK && what <= RATE; what++) {
            status = write_figure(result, files, p, (enum figure)what);
        }
    }
    return status;
}

/* ---- Verdicts ------------------------------------------------------------------------------------------ */

/* At least `high` of the time of the whole search goes into the level of the most edges. */
static enum bench_verdict judge_one(const struct bench_result *result, const struct bench_claim *claim,
                                    int line, char *why, size_t size)
{
    const int n = bench_row_count(result, line);
    struct bench_span us = {0, 0, 0}, all, part;
    int most = 0;
    for (int i = 0; i < n; i++) {
        most = bench_row_at(result, line, i)->level.edges > bench_row_at(result, line, most)->level.edges
                   ? i
                   : most;
    }
    if (n < 2 || !bench_level_span(result, line, most, &us)) {
        return BENCH_NOT_JUDGED;
    }
    const struct bench_row *last = bench_row_at(result, line, n - 1);
    all = (struct bench_span){last->q1_us, last->time_us, last->q3_us};
    part = bench_quotient(us, all);
    snprintf(why, size, "level %s, of %" PRId64 " edges: %.2f of the time, by the quartiles %.2f to %.2f",
             bench_row_at(result, line, most)->x_word, bench_row_at(result, line, most)->level.edges,
             part.middle, part.low, part.high);
    return bench_within(part, claim->high, INFINITY);
}

/* The slowest levels take at most `high` times as long as the quickest; the first, which begins, and the last
 * do not count. */
static enum bench_verdict judge_even(const struct bench_result *result, const struct bench_claim *claim,
                                     int line, char *why, size_t size)
{
    const int n = bench_row_count(result, line);
    struct bench_span least = {0, 0, 0}, most = {0, 0, 0};
    int64_t narrow = 0, wide = 0;
    if (n < 4) {
        return BENCH_NOT_JUDGED;
    }
    for (int i = 1; i + 1 < n; i++) {
        const struct bench_row *row = bench_row_at(result, line, i);
        const int64_t edges = (int64_t)((double)row->level.edges / levels_of(row));
        struct bench_span us;
        (void)bench_level_span(result, line, i, &us);
        us = (struct bench_span){us.low / levels_of(row), us.middle / levels_of(row),
                                 us.high / levels_of(row)};
        least = i == 1 || us.middle < least.middle ? us : least;
        most = i == 1 || us.middle > most.middle ? us : most;
        narrow = i == 1 || edges < narrow ? edges : narrow;
        wide = edges > wide ? edges : wide;
    }
    const struct bench_span ratio = bench_quotient(most, least);
    snprintf(why, size, "%.3g to %.3g us a level, of %" PRId64 " to %" PRId64 " edges", least.middle,
             most.middle, narrow, wide);
    return least.low > 0 ? bench_within(ratio, 0, claim->high) : BENCH_CLOSE;
}

/* Edges in a microsecond of the whole search, in the claim's panel at least `high` times that of the next
 * panel. */
static enum bench_verdict judge_rate(const struct bench_result *result, const struct bench_claim *claim,
                                     char *why, size_t size)
{
    struct bench_span rate[2];
    for (int k = 0; k < 2; k++) {
        const int line = bench_line_of(result, claim->panel + k, claim->a);
        const int n = line < 0 ? 0 : bench_row_count(result, line);
        double edges = 0;
        if (n == 0) {
            return BENCH_NOT_JUDGED;
        }
        for (int i = 0; i < n; i++) {
            edges += (double)bench_row_at(result, line, i)->level.edges;
        }
        const struct bench_row *last = bench_row_at(result, line, n - 1);
        rate[k] = (struct bench_span){edges / last->q3_us, edges / last->time_us, edges / last->q1_us};
    }
    snprintf(why, size, "%.4g and %.4g edges in a microsecond", rate[0].middle, rate[1].middle);
    return bench_within(bench_quotient(rate[0], rate[1]), claim->high, INFINITY);
}

static enum bench_verdict judge(const struct bench_result *result, const struct bench_claim *claim, char *why,
                                size_t size)
{
    const int line = bench_line_of(result, claim->panel, claim->a);
    if (line < 0) {
        return BENCH_NOT_JUDGED;
    }
    return claim->low == LEVELS_ONE    ? judge_one(result, claim, line, why, size)
           : claim->low == LEVELS_EVEN ? judge_even(result, claim, line, why, size)
                                       : judge_rate(result, claim, why, size);
}

const struct bench_study bench_levels = {conclude, judge};
