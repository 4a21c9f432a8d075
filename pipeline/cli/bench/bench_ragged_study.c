/* Tables and figures of the sampled grid of nested loops: N3, N4, N5. */
#include "bench/bench_ragged_judge.h"
#include "bench/chart/svg_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SWEPT = 24, MOST_NY = 13 };

/* ---- N3: tau -------------------------------------------------------------------------------------------- */

/* A figure and rows of the table: the lines "combined, NAME VALUE". */
static gf_status write_tau(const struct bench_result *result, struct bench_files *files, const char *name,
                           struct buffer *csv, struct buffer *text)
{
    struct svg_point points[MOST_SWEPT];
    const bool is_area = !strcmp(name, "area");
    char begin[32], title[96];
    int n = 0;
    snprintf(begin, sizeof begin, "combined, %s ", name);
    snprintf(title, sizeof title, "tau against %s", is_area ? "the area of a frame" : "alpha");
    for (int l = 0; l < result->n_lines && n < MOST_SWEPT; l++) {
        struct bench_span tau;
        const char *label = result->lines[l].label;
        const int nodes = bench_tau(result, l, &tau);
        if (nodes > 0 && !strncmp(label, begin, strlen(begin))) {
            const double value = strtod(label + strlen(begin), NULL);
            points[n++] = (struct svg_point){value, tau.middle, tau.low, tau.high};
            buffer_printf(csv, "%s,%.10g,%d,%.6g,%.6g,%.6g\n", name, value, nodes, tau.middle, tau.low,
                          tau.high);
            buffer_printf(text, "    %s %-10.10g tau %.3f, by the quartiles %.3f to %.3f, over %d loops\n",
                          name, value, tau.middle, tau.low, tau.high, nodes);
        }
    }
    const struct svg_line line = {.label = "combined", .points = points, .count = n};
    struct svg_chart chart = {.title = title,
                              .x_label = is_area ? "iterations of a frame" : "alpha",
                              .y_label = "mean of time / least of simple and frame",
                              .log_x = is_area,
                              .tight_x = !is_area,
                              .lines = &line,
                              .n_lines = 1};
    return bench_chart(files, result, 0, name, "mean over the sampled grid; bars are means of quartiles",
                       &chart);
}

static gf_status conclude_parameters(const struct bench_result *result, struct bench_files *files,
                                     struct buffer *text)
{
    struct buffer csv = {0};
    buffer_add(&csv, "parameter,value,loops,tau,low,high\n");
    gf_status status = write_tau(result, files, "area", &csv, text);
    status = status == GF_OK ? write_tau(result, files, "alpha", &csv, text) : status;
    status = status == GF_OK ? bench_file(files, "tau", "csv", &csv) : status;
    buffer_free(&csv);
    return status;
}

/* ---- N4: thresholds -------------------------------------------------------------------------------------- */

int64_t bench_threshold_of(const struct bench_result *result, int64_t nx)
{
    const int simple = bench_line_of(result, 0, "simple"), combined = bench_line_of(result, 0, "combined");
    const struct bench_row *row;
    int64_t ny_max[MOST_NY];
    double ratios[MOST_NY];
    int n = 0;
    for (int i = 0; combined >= 0 && (row = bench_row_at(result, combined, i)) != NULL; i++) {
        const struct bench_row *other = bench_same_loop(result, simple, row);
        if (row->n != nx || !other) {
            continue;
        }
        if (n == 0 || ny_max[n - 1] != row->loop.ny_max) {
            if (n == MOST_NY) {
                break;
            }
            ny_max[n] = row->loop.ny_max;
            ratios[n++] = 0;
        }
        ratios[n - 1] += log(row->time_us / other->time_us);
    }
    return n > 0 ? bench_threshold(ny_max, ratios, n) : -1;
}

/* The loops of a panel at which combined is faster, or is not. */
static int collect_won(const struct bench_result *result, bool won, struct svg_point *points)
{
    const int simple = bench_line_of(result, 0, "simple"), combined = bench_line_of(result, 0, "combined");
    const struct bench_row *row;
    int n = 0;
    for (int i = 0; combined >= 0 && (row = bench_row_at(result, combined, i)) != NULL; i++) {
        const struct bench_row *other = bench_same_loop(result, simple, row);
        if (other && (row->time_us < other->time_us) == won) {
            points[n++] = (struct svg_point){(double)row->n, (double)row->loop.ny_max, 0, 0};
        }
    }
    return n;
}

static gf_status write_thresholds(const struct bench_result *result, struct bench_files *files,
                                  const struct svg_point *thresholds, int n)
{
    struct svg_point *won = calloc(2 * (size_t)result->n_rows + 1, sizeof *won);
    struct svg_line lines[] = {{.label = "combined is faster", .points = won, .shape = SVG_POINTS},
                               {.label = "simple is faster", .shape = SVG_RINGS},
                               {.label = "threshold", .points = thresholds, .count = n}};
    struct svg_chart chart = {.title = "From which ny-max on combined pays",
                              .x_label = "nx",
                              .y_label = "ny-max",
                              .log_x = true,
                              .log_y = true,
                              .decades_x = true,
                              .lines = lines,
                              .n_lines = 3};
    if (won) {
        lines[0].count = collect_won(result, true, won);
        lines[1].points = won + lines[0].count;
        lines[1].count = collect_won(result, false, won + lines[0].count);
    }
    gf_status status =
        bench_chart(files, result, 0, "threshold", "a sign for each loop, three values of k each", &chart);
    free(won);
    return status;
}

int32_t bench_thresholds_take(const struct bench_result *result, gf_ragged_threshold table[BENCH_THRESHOLDS],
                              struct buffer *text)
{
    int32_t n = 0;
    buffer_printf(text, "# NX, and the greatest count from which on combined is faster than simple, on %s\n",
                  result->machine[1]);
    for (int64_t nx = 10; n < BENCH_THRESHOLDS && nx <= 10000000; nx *= 10) {
        const int64_t ny = bench_threshold_of(result, nx);
        if (ny >= 0) {
            table[n++] = (gf_ragged_threshold){nx, ny};
            buffer_printf(text, "%" PRId64 " %" PRId64 "\n", nx, ny);
        }
    }
    return n;
}

static gf_status conclude_thresholds(const struct bench_result *result, struct bench_files *files,
                                     struct buffer *text)
{
    gf_ragged_threshold found[BENCH_THRESHOLDS];
    struct svg_point points[BENCH_THRESHOLDS];
    struct buffer table = {0};
    const int n = bench_thresholds_take(result, found, &table);
    for (int i = 0; i < n; i++) {
        const bool never = found[i].ny == BENCH_NEVER;
        buffer_printf(text,
                      never ? "    nx %-9" PRId64 " combined never pays, to the cap\n"
                            : "    nx %-9" PRId64 " combined from ny-max %" PRId64 " on\n",
                      found[i].nx, found[i].ny);
        points[i] = (struct svg_point){(double)found[i].nx, never ? 0 : (double)found[i].ny, 0, 0};
    }
    gf_status status = n > 0 ? bench_file(files, "ny_th", "txt", &table) : GF_OK;
    buffer_free(&table);
    return status == GF_OK ? write_thresholds(result, files, points, n) : status;
}

/* ---- N5: the grid ------------------------------------------------------------------------------------------ */

static gf_status conclude_sample(const struct bench_result *result, struct bench_files *files,
                                 struct buffer *text)
{
    struct bench_node *nodes = calloc(BENCH_NODES, sizeof *nodes);
    struct svg_point *points = calloc(BENCH_NODES, sizeof *points);
    struct buffer csv = {0};
    const int n = nodes && points && result->n_rows > 0 ? bench_nodes(result->reduced, 1, nodes) : 0;
    struct svg_line lines[] = {{.label = "measured", .points = points, .shape = SVG_POINTS},
                               {.label = "beyond the cap", .shape = SVG_RINGS}};
    int used = 0;
    if (n == 0) {
        files->missing++;
        free(nodes);
        free(points);
        return GF_OK;
    }
    buffer_add(&csv, "nx,ny_max,k,measured\n");
    for (int capped = 0; capped < 2; capped++) {
        lines[capped].points = points + used;
        for (int i = 0; i < n; i++) {
            if (nodes[i].capped == capped) {
                points[used++] = (struct svg_point){(double)nodes[i].nx, (double)nodes[i].ny_max, 0, 0};
                lines[capped].count++;
                buffer_printf(&csv, "%" PRId64 ",%" PRId64 ",%g,%s\n", nodes[i].nx, nodes[i].ny_max,
                              nodes[i].skew, capped ? "no" : "yes");
            }
        }
    }
    buffer_printf(text, "    %d loops, of which %d are beyond the cap of %.0e threads of \"simple\"\n", n,
                  lines[1].count, result->reduced ? (double)QUICK_NODE_CAP : (double)BENCH_NODE_CAP);
    struct svg_chart chart = {.title = "The sampled loops",
                              .x_label = "nx",
                              .y_label = "ny-max",
                              .log_x = true,
                              .log_y = true,
                              .decades_x = true,
                              .lines = lines,
                              .n_lines = 2};
    gf_status status = bench_file(files, "grid", "csv", &csv);
    status = status == GF_OK ? bench_chart(files, result, 0, NULL, "k is drawn evenly from 0 to 100", &chart)
                             : status;
    buffer_free(&csv);
    free(nodes);
    free(points);
    return status;
}

const struct bench_study bench_loops = {NULL, bench_ragged_judge};
const struct bench_study bench_parameters = {conclude_parameters, bench_ragged_judge};
const struct bench_study bench_thresholds = {conclude_thresholds, bench_ragged_judge};
const struct bench_study bench_sample = {conclude_sample, bench_ragged_judge};
