/* N6: the figures of the text on nested loops, drawn from counts that were measured. */
#include "bench/bench_ragged_judge.h"
#include "bench/chart/svg_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 512, AREA = 4000, FIRST_AREA = 8, LAST_AREA = 22 };
#define ALPHA 0.75 /* the panel's words have the same */

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The counts, ascending; NULL: there is no memory, or there are none. */
static int32_t *sorted_counts(const struct bench_result *result)
{
    int32_t *sorted = result->n_counts > 0 ? calloc((size_t)result->n_counts, sizeof *sorted) : NULL;
    if (sorted) {
        memcpy(sorted, result->counts, (size_t)result->n_counts * sizeof *sorted);
        qsort(sorted, (size_t)result->n_counts, sizeof *sorted, compare);
    }
    return sorted;
}

/* Each count as a step one ix wide; how many points. */
static int steps_of(const int32_t *counts, int64_t n, struct svg_point *points)
{
    for (int64_t i = 0; i < n; i++) {
        points[2 * i] = (struct svg_point){(double)i, counts[i], 0, 0};
        points[2 * i + 1] = (struct svg_point){(double)(i + 1), counts[i], 0, 0};
    }
    return (int)(2 * n);
}

static int boxes_of(const struct bench_frame *frames, int64_t n, int64_t low, struct svg_point *points)
{
    for (int64_t i = 0; i < n; i++) {
        points[2 * i] = (struct svg_point){(double)frames[i].from, (double)low, 0, 0};
        points[2 * i + 1] = (struct svg_point){(double)frames[i].to, (double)frames[i].high, 0, 0};
    }
    return (int)(2 * n);
}

static gf_status write_chart(const struct bench_result *result, struct bench_files *files, const char *name,
                             const char *title, const char *x_label, struct svg_line *lines, int n)
{
    char what[96];
    struct svg_chart chart = {
        .title = title, .x_label = x_label, .y_label = "iy", .tight_x = true, .lines = lines, .n_lines = n};
    snprintf(what, sizeof what, "%s", result->experiment->panels[0].words);
    return bench_chart(files, result, 0, name, what, &chart);
}

/* ---- The three figures ---------------------------------------------------------------------------------- */

/* Returns where alpha cuts the sorted counts, and at what height. */
static int64_t cut_of(const int32_t *sorted, int64_t n, int64_t *low)
{
    const int64_t from = (int64_t)(ALPHA * (double)n);
    *low = from < n && sorted[from] > 0 ? sorted[from] : 0;
    return from < n ? from : n;
}

static void add_frames(struct buffer *csv, const char *name, const struct bench_frame *frames, int64_t n,
                       int64_t low)
{
    for (int64_t i = 0; i < n; i++) {
        buffer_printf(csv, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", name, frames[i].from,
                      frames[i].to, low, frames[i].high);
    }
}

static gf_status write_combined(const struct bench_result *result, struct bench_files *files,
                                const int32_t *sorted, struct bench_frame *frames, struct svg_point *area,
                                struct svg_point *boxes, struct buffer *csv)
{
    const int64_t n = result->n_counts;
    int64_t low, sum;
    const int64_t from = cut_of(sorted, n, &low);
    const int64_t count = bench_frames(sorted, n, from, low, AREA, frames, MOST_FRAMES, &sum);
    const struct svg_point below[] = {{0, 0, 0, 0},
                                      {(double)from, (double)low, 0, 0},
                                      {(double)from, 0, 0, 0},
                                      {(double)n, (double)low, 0, 0}};
    const int used = boxes_of(frames, count < MOST_FRAMES ? count : MOST_FRAMES, low, boxes);
    struct svg_line lines[] = {
        {.label = "work, sorted", .points = area, .count = (int)(2 * n), .shape = SVG_AREA},
        {.label = "by simple, unsorted", .points = below, .count = 4, .shape = SVG_BLOCKS},
        {.label = "frames", .points = boxes, .count = used, .shape = SVG_BOXES, .colour = "#222222"}};
    add_frames(csv, "combined", frames, used / 2, low);
    return write_chart(result, files, "combined", "The regions of the combined variant",
                       "ix, in ascending order of the lengths", lines, 3);
}

static gf_status write_frames(const struct bench_result *result, struct bench_files *files,
                              const int32_t *sorted, struct bench_frame *frames, struct svg_point *area,
                              struct svg_point *boxes, struct buffer *csv)
{
    const int64_t n = result->n_counts;
    int64_t sum;
    const int64_t count = bench_frames(sorted, n, 0, 0, AREA, frames, MOST_FRAMES, &sum);
    const int used = boxes_of(frames, count < MOST_FRAMES ? count : MOST_FRAMES, 0, boxes);
    struct svg_line lines[] = {
        {.label = "work, sorted", .points = area, .count = (int)(2 * n), .shape = SVG_AREA},
        {.label = "frames", .points = boxes, .count = used, .shape = SVG_BOXES, .colour = "#222222"}};
    add_frames(csv, "frame", frames, used / 2, 0);
    return write_chart(result, files, "frames", "Frames around the sorted loops",
                       "ix, in ascending order of the lengths", lines, 2);
}

static gf_status write_counts(const struct bench_result *result, struct bench_files *files,
                              const int32_t *sorted, struct svg_point *area)
{
    const int64_t n = result->n_counts;
    const struct svg_point grid[] = {{0, 0, 0, 0}, {(double)n, sorted[n - 1], 0, 0}};
    struct svg_line lines[] = {
        {.label = "work", .points = area, .count = steps_of(result->counts, n, area), .shape = SVG_AREA},
        {.label = "threads of simple", .points = grid, .count = 2, .shape = SVG_BOXES, .colour = "#222222"}};
    return write_chart(result, files, "counts", "The lengths of the inner loops", "ix", lines, 2);
}

/* ---- The sum of the frames ------------------------------------------------------------------------------ */

/* The iterations of all frames of an area, as a multiple of those there are. */
static double ratio_of(const int32_t *sorted, int64_t n, int64_t area)
{
    int64_t sum, items = 0;
    (void)bench_frames(sorted, n, 0, 0, area, NULL, 0, &sum);
    for (int64_t i = 0; i < n; i++) {
        items += sorted[i] > 0 ? sorted[i] : 0;
    }
    return items > 0 ? (double)sum / (double)items : 1;
}

static gf_status write_areas(const struct bench_result *result, struct bench_files *files,
                             const int32_t *sorted, struct buffer *text)
{
    struct svg_point points[LAST_AREA - FIRST_AREA + 1];
    struct buffer csv = {0};
    int n = 0;
    buffer_add(&csv, "frame_area,sum_of_frames_over_sum_of_counts\n");
    for (int e = FIRST_AREA; e <= LAST_AREA; e++) {
        const double ratio = ratio_of(sorted, result->n_counts, INT64_C(1) << e);
        points[n++] = (struct svg_point){(double)(INT64_C(1) << e), ratio, 0, 0};
        buffer_printf(&csv, "%" PRId64 ",%.6g\n", INT64_C(1) << e, ratio);
        if (e % 4 == 0) {
            buffer_printf(text,
                          "    frames of 2^%-2d have %.3f times as many threads as there are iterations\n", e,
                          ratio);
        }
    }
    const struct svg_line line = {.label = "frame", .points = points, .count = n};
    struct svg_chart chart = {.title = "Threads of all frames, of an iteration",
                              .x_label = "iterations of a frame",
                              .y_label = "sum of the frames / sum of the lengths",
                              .log_x = true,
                              .lines = &line,
                              .n_lines = 1};
    gf_status status = bench_file(files, "areas", "csv", &csv);
    buffer_free(&csv);
    return status == GF_OK
               ? bench_chart(files, result, 0, "areas", result->experiment->panels[0].words, &chart)
               : status;
}

static gf_status conclude(const struct bench_result *result, struct bench_files *files, struct buffer *text)
{
    int32_t *sorted = sorted_counts(result);
    struct svg_point *area = calloc(2 * (size_t)result->n_counts + 1, sizeof *area),
                     *boxes = calloc(2 * MOST_FRAMES, sizeof *boxes);
    struct bench_frame *frames = calloc(MOST_FRAMES, sizeof *frames);
    struct buffer csv = {0};
    gf_status status = GF_OK;
    if (sorted && area && boxes && frames) {
        buffer_add(&csv, "variant,from,to,low,high\n");
        status = write_counts(result, files, sorted, area);
        (void)steps_of(sorted, result->n_counts, area);
        status = status == GF_OK ? write_frames(result, files, sorted, frames, area, boxes, &csv) : status;
        status = status == GF_OK ? write_combined(result, files, sorted, frames, area, boxes, &csv) : status;
        status = status == GF_OK ? bench_file(files, "frames", "csv", &csv) : status;
        status = status == GF_OK ? write_areas(result, files, sorted, text) : status;
    }
    buffer_free(&csv);
    free(sorted);
    free(area);
    free(boxes);
    free(frames);
    return status;
}

/* The smallest frames have at most `high` times as many threads as there are iterations. */
static enum bench_verdict judge(const struct bench_result *result, const struct bench_claim *claim, char *why,
                                size_t size)
{
    int32_t *sorted = sorted_counts(result);
    if (!sorted) {
        return BENCH_NOT_JUDGED;
    }
    const double ratio = ratio_of(sorted, result->n_counts, INT64_C(1) << FIRST_AREA);
    free(sorted);
    snprintf(why, size, "frames of 2^%d: %.3f times", FIRST_AREA, ratio);
    return ratio <= claim->high ? BENCH_HOLDS : BENCH_FAILS;
}

const struct bench_study bench_frames_study = {conclude, judge};
