/* The files of an experiment: its rows as CSV, its figures as SVG. */
#include "bench.h"

#include "message.h"
#include "output_file.h"
#include "svg_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ----------------------------------------------------------------------------------------------- */

static void add_field(struct buffer *text, const char *word)
{
    if (!strpbrk(word, ",\"\n")) {
        buffer_add(text, word);
        return;
    }
    buffer_add(text, "\"");
    for (const char *c = word; *c; c++) {
        buffer_add_bytes(text, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    }
    buffer_add(text, "\"");
}

/* Times of emulated devices are no times: their fields stay empty. */
static void add_number(struct buffer *text, bool there, double value)
{
    buffer_printf(text, there ? ",%.6g" : ",", value);
}

static void add_csv(struct buffer *text, const struct bench_result *result)
{
    static const char *const verdicts[] = {"", "yes", "near", "no"};
    buffer_add(text, "experiment,primitive,algo,device,n,type,data,parameters,time_us,q1_us,q3_us,gbps,"
                     "copy_fraction,read_fraction,checked\n");
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        buffer_printf(text, "%s,%s,", result->experiment->id, row->primitive);
        add_field(text, row->algo);
        buffer_printf(text, ",%s,%" PRId64 ",%s,", row->device, row->n, gf_depth_name(row->type));
        add_field(text, row->data);
        buffer_add(text, ",");
        add_field(text, row->parameters);
        add_number(text, row->timed, row->time_us);
        add_number(text, row->timed, row->q1_us);
        add_number(text, row->timed, row->q3_us);
        add_number(text, row->timed, row->gbps);
        add_number(text, row->timed && !row->reads_only, row->fraction);
        add_number(text, row->timed && row->reads_only, row->fraction);
        buffer_printf(text, ",%s\n", verdicts[row->verdict]);
    }
}

/* ---- SVG ----------------------------------------------------------------------------------------------- */

static int compare_x(const void *a, const void *b)
{
    const struct svg_point *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* The points of one line into `points`; how many. */
static int collect(const struct bench_result *result, int line, bool gbps, struct svg_point *points)
{
    int n = 0;
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->series == line && row->timed) {
            points[n++] = (struct svg_point){row->x, gbps ? row->gbps : row->time_us};
        }
    }
    qsort(points, (size_t)n, sizeof *points, compare_x);
    return n;
}

static void add_subtitle(struct buffer *text, const struct bench_result *result, int p)
{
    const struct bench_row *shown = NULL;
    bool has_cpu = false;
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->panel == p) {
            has_cpu = has_cpu || !strcmp(row->device, "cpu");
            shown = !shown || strcmp(row->device, "cpu") != 0 ? row : shown;
        }
    }
    if (shown) {
        buffer_printf(text, "%s; %s%s%s; median of runs, data in the device's memory unless said",
                      result->experiment->id, shown->device,
                      has_cpu && strcmp(shown->device, "cpu") != 0 ? " and cpu" : "",
                      result->emulated ? " (no times)" : "");
    } else {
        buffer_printf(text, "%s: nothing was measured", result->experiment->id);
    }
}

static gf_status add_svg(struct buffer *text, const struct bench_result *result, int p)
{
    const struct bench_panel *panel = &result->experiment->panels[p];
    struct svg_point *points = calloc((size_t)result->n_rows + 1, sizeof *points);
    struct svg_line *lines = calloc((size_t)result->n_lines + 1, sizeof *lines);
    struct buffer subtitle = {0};
    int n_lines = 0, used = 0;
    bool is_n = !strcmp(panel->sweep, "n"), is_k = !strcmp(panel->sweep, "k"),
         is_size = !strcmp(panel->sweep, "size"), is_shape = !strcmp(panel->sweep, "shape");
    for (int l = 0; points && lines && l < result->n_lines; l++) {
        if (result->lines[l].panel == p) {
            struct svg_line *line = &lines[n_lines++];
            *line = (struct svg_line){.label = result->lines[l].label,
                                      .points = points + used,
                                      .count = collect(result, l, panel->show_gbps, points + used)};
            used += line->count;
        }
    }
    add_subtitle(&subtitle, result, p);
    const struct svg_chart chart = {
        .title = panel->title,
        .subtitle = subtitle.data,
        .x_label = is_n       ? "elements"
                   : is_k     ? "elements a thread"
                   : is_size  ? "pixels"
                   : is_shape ? "rows"
                              : panel->sweep,
        .y_label = panel->show_gbps ? "GB/s" : "microseconds",
        .log_x = is_n || is_k || is_size || is_shape,
        .log_y = is_n || is_shape,
        .lines = lines,
        .n_lines = n_lines,
    };
    if (points && lines) {
        svg_chart_add(text, &chart);
    }
    gf_status status = points && lines ? GF_OK : cli_fail(GF_ERROR_MEMORY, "out of memory");
    buffer_free(&subtitle);
    free(points);
    free(lines);
    return status;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static gf_status write_file(const struct bench_options *options, const char *id, const char *name,
                            const char *suffix, const struct buffer *contents, struct buffer *names)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s%s.%s", options->out, id, name ? "-" : "", name ? name : "", suffix);
    gf_status status = output_write_text(path, contents);
    buffer_printf(names, "%s%s", names->length ? ", " : "", path);
    return status;
}

gf_status bench_write(const struct bench_result *result, const struct bench_options *options,
                      struct buffer *text)
{
    const struct bench_experiment *e = result->experiment;
    struct buffer csv = {0}, names = {0};
    add_csv(&csv, result);
    gf_status status = write_file(options, e->id, NULL, "csv", &csv, &names);
    for (int p = 0; status == GF_OK && e->panels[p].title; p++) {
        struct buffer svg = {0};
        status = add_svg(&svg, result, p);
        status =
            status == GF_OK ? write_file(options, e->id, e->panels[p].name, "svg", &svg, &names) : status;
        buffer_free(&svg);
    }
    buffer_printf(text, "  %d rows: %s\n", result->n_rows, names.data ? names.data : "");
    buffer_free(&csv);
    buffer_free(&names);
    return status;
}
