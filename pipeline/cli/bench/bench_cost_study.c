/* N8: the constants of the text's cost formulas, fitted to what was measured, and what they then predict. */
#include "bench/bench_ragged_judge.h"
#include "bench/chart/svg_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const labels[] = {"simple", "frame"};

/* ---- Tables ---------------------------------------------------------------------------------------------- */

static void add_constants(const struct bench_cost *cost, bool is_frame, struct buffer *text)
{
    static const char *const names[2][3] = {{"C0", "C1 / cores", "C2 / cores"},
                                            {"C3, at once", "C3, for each ix", "C4 / cores"}};
    for (int k = 0; k < 3; k++) {
        const double scale = k > 0 ? 1e6 : 1;
        buffer_printf(text, "    %-16s %10.4g %s, standard error %.2g\n", names[is_frame][k],
                      cost->c[k] * scale, k > 0 ? "ps" : "us", cost->error[k] * scale);
    }
}

/* How far predictions are off: the median factor and the greatest. */
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Adds the rows of a line, and its points; how many. */
static int add_line(const struct bench_result *result, const char *label, const struct bench_cost *cost,
                    const struct bench_cost *simple, struct svg_point *points, double *off,
                    struct buffer *csv)
{
    const int line = bench_line_of(result, 0, label);
    const struct bench_row *row;
    int n = 0;
    for (; (row = bench_row_at(result, line, n)) != NULL; n++) {
        const double predicted = bench_cost_of(cost, label, row);
        points[n] = (struct svg_point){row->time_us, predicted, 0, 0};
        off[n] = predicted > 0 ? fmax(predicted / row->time_us, row->time_us / predicted) : INFINITY;
        buffer_printf(csv, "%s,%" PRId64 ",%" PRId64 ",%g,%" PRId64 ",%" PRId64 ",%.6g,%.6g,%.4g,%.6g\n",
                      label, row->n, row->loop.ny_max, row->loop.skew, row->loop.calls, row->loop.most,
                      row->time_us, predicted, predicted / row->time_us,
                      simple->c[2] * (double)row->loop.calls);
    }
    qsort(off, (size_t)n, sizeof *off, compare);
    return n;
}

/* ---- The study ------------------------------------------------------------------------------------------- */

static gf_status write_figure(const struct bench_result *result, struct bench_files *files,
                              struct svg_line lines[3])
{
    struct svg_point exact[2] = {{INFINITY, 0, 0, 0}, {0, 0, 0, 0}};
    for (int k = 1; k < 3; k++) {
        for (int i = 0; i < lines[k].count; i++) {
            exact[0].x = fmin(exact[0].x, lines[k].points[i].x);
            exact[1].x = fmax(exact[1].x, lines[k].points[i].x);
        }
    }
    exact[0].y = exact[0].x;
    exact[1].y = exact[1].x;
    lines[0] = (struct svg_line){
        .label = "as measured", .points = exact, .count = lines[1].count > 0 ? 2 : 0, .colour = "#777777"};
    struct svg_chart chart = {.title = "The text's cost formulas, fitted",
                              .x_label = "measured microseconds",
                              .y_label = "predicted microseconds",
                              .log_x = true,
                              .log_y = true,
                              .decades_x = true,
                              .lines = lines,
                              .n_lines = 3};
    return bench_chart(files, result, 0, NULL, "least squares of the relative errors over the sampled grid",
                       &chart);
}

static gf_status conclude(const struct bench_result *result, struct bench_files *files, struct buffer *text)
{
    struct svg_point *points = calloc(2 * (size_t)result->n_rows + 1, sizeof *points);
    double *off = calloc((size_t)result->n_rows + 1, sizeof *off);
    struct svg_line lines[3] = {{0}};
    struct bench_cost cost[2];
    struct buffer csv = {0};
    gf_status status = GF_OK;
    const bool fits = points && off && bench_cost_fit(result, labels[0], &cost[0]) &&
                      bench_cost_fit(result, labels[1], &cost[1]);
    buffer_add(&csv, "algo,nx,ny_max,k,calls,most,measured_us,predicted_us,ratio,ideal_us\n");
    for (int k = 0, used = 0; fits && k < 2; k++) {
        const int n = add_line(result, labels[k], &cost[k], &cost[0], points + used, off, &csv);
        lines[k + 1] =
            (struct svg_line){.label = labels[k], .points = points + used, .count = n, .shape = SVG_POINTS};
        used += n;
        add_constants(&cost[k], k == 1, text);
        buffer_printf(text,
                      "    %s: predicted within a factor of %.2f at half of %d loops, of %.2f at 9 of 10\n",
                      labels[k], off[n / 2], n, off[n * 9 / 10]);
    }
    status = fits ? bench_file(files, "predicted", "csv", &csv) : GF_OK;
    status = status == GF_OK ? write_figure(result, files, lines) : status;
    buffer_free(&csv);
    free(points);
    free(off);
    return status;
}

/* ---- Verdicts -------------------------------------------------------------------------------------------- */

/* C4 > C2, each within two standard errors. */
static enum bench_verdict judge_order(const struct bench_cost *simple, const struct bench_cost *frame,
                                      char *why, size_t size)
{
    const struct bench_cost *costs[2] = {simple, frame};
    struct bench_span c[2];
    for (int k = 0; k < 2; k++) {
        c[k] = (struct bench_span){costs[k]->c[2] - 2 * costs[k]->error[2], costs[k]->c[2],
                                   costs[k]->c[2] + 2 * costs[k]->error[2]};
    }
    snprintf(why, size, "C4 / cores is %.4g ps (%.4g to %.4g), C2 / cores %.4g ps (%.4g to %.4g)",
             c[1].middle * 1e6, c[1].low * 1e6, c[1].high * 1e6, c[0].middle * 1e6, c[0].low * 1e6,
             c[0].high * 1e6);
    const enum bench_order order = bench_compare(c[0], c[1]);
    return order == BENCH_LESS ? BENCH_HOLDS : order == BENCH_MORE ? BENCH_FAILS : BENCH_CLOSE;
}

/* Predicted within a factor of two at the share `high` of the loops. */
static enum bench_verdict judge_fit(const struct bench_result *result, const struct bench_claim *claim,
                                    const struct bench_cost *cost, char *why, size_t size)
{
    const int line = bench_line_of(result, 0, claim->a);
    const struct bench_row *row;
    int n = 0, near = 0;
    for (; (row = bench_row_at(result, line, n)) != NULL; n++) {
        const double ratio = bench_cost_of(cost, claim->a, row) / row->time_us;
        near += ratio >= 0.5 && ratio <= 2;
    }
    snprintf(why, size, "at %d of %d loops", near, n);
    return bench_share(near, 0, n, claim->high);
}

static enum bench_verdict judge(const struct bench_result *result, const struct bench_claim *claim, char *why,
                                size_t size)
{
    struct bench_cost simple, frame;
    if (!bench_cost_fit(result, labels[0], &simple) || !bench_cost_fit(result, labels[1], &frame)) {
        return BENCH_NOT_JUDGED;
    }
    return claim->a ? judge_fit(result, claim, !strcmp(claim->a, labels[0]) ? &simple : &frame, why, size)
                    : judge_order(&simple, &frame, why, size);
}

const struct bench_study bench_cost_study = {conclude, judge};
