/* The files of an experiment: its rows as CSV, each as soon as it is there, its figures (bench_figure.c) as
 * SVG. */
#include "bench/bench_runner.h"

#include "base/message.h"
#include "base/output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
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

/* 0: not known. */
static void add_count(struct buffer *text, int64_t count)
{
    buffer_add(text, ",");
    if (count > 0) {
        buffer_printf(text, "%" PRId64, count);
    }
}

static void add_row(struct buffer *text, const char *experiment, const struct bench_row *row)
{
    static const char *const verdicts[] = {"", "yes", "near", "no"};
    buffer_printf(text, "%s,%s,", experiment, row->primitive);
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
    buffer_printf(text, ",%s,", verdicts[row->verdict]);
    add_field(text, row->result);
    add_count(text, row->launches);
    add_count(text, row->additions);
    buffer_add(text, "\n");
}

gf_status bench_keep(struct bench_result *result, const struct bench_row *row)
{
    struct bench_row *rows = bench_grow(result->rows, result->n_rows, &result->row_capacity, sizeof *rows);
    struct buffer text = {0};
    CLI_TRY(cli_need_memory(rows));
    result->rows = rows;
    rows[result->n_rows++] = *row;
    if (!result->csv) {
        snprintf(result->csv_path, sizeof result->csv_path, "%s/%s.csv", result->out, result->experiment->id);
        result->csv = fopen(result->csv_path, "w");
        buffer_add(&text, "experiment,primitive,algo,device,n,type,data,parameters,time_us,q1_us,q3_us,gbps,"
                          "copy_fraction,read_fraction,checked,result,launches,additions\n");
    }
    add_row(&text, result->experiment->id, row);
    const bool good =
        result->csv && !text.failed && fputs(text.data, result->csv) >= 0 && fflush(result->csv) == 0;
    buffer_free(&text);
    return good ? GF_OK : cli_fail(GF_ERROR_OUTPUT, "%s: %s", result->csv_path, strerror(errno));
}

/* ---- Files --------------------------------------------------------------------------------------------- */

gf_status bench_file(struct bench_files *files, const char *name, const char *suffix,
                     const struct buffer *contents)
{
    char path[4096];
    CLI_TRY(cli_need_memory(!contents->failed));
    snprintf(path, sizeof path, "%s/%s%s%s.%s", files->out, files->id, name ? "-" : "", name ? name : "",
             suffix);
    gf_status status = output_write_text(path, contents);
    buffer_printf(&files->names, "%s%s", files->names.length ? ", " : "", path);
    return status;
}

static gf_status write_figures(const struct bench_result *result, struct bench_files *files)
{
    const struct bench_experiment *e = result->experiment;
    gf_status status = GF_OK;
    for (int p = 0; status == GF_OK && e->panels[p].title; p++) {
        struct buffer svg = {0};
        if (e->panels[p].shows == BENCH_NO_AXIS) {
            continue;
        }
        if (bench_figure_add(result, p, &svg)) {
            status = bench_file(files, e->panels[p].name, "svg", &svg);
        } else {
            files->missing++;
        }
        buffer_free(&svg);
    }
    return status;
}

gf_status bench_write(const struct bench_result *result, const struct bench_options *options,
                      struct buffer *text)
{
    const struct bench_study *study = result->experiment->study;
    struct bench_files files = {.out = options->out, .id = result->experiment->id};
    buffer_add(&files.names, result->csv ? result->csv_path : "no file");
    gf_status status = write_figures(result, &files);
    status = status == GF_OK && study && study->conclude ? study->conclude(result, &files, text) : status;
    for (int i = 0; i < 2; i++) {
        if (*result->machine[i]) {
            buffer_printf(text, "  on %s\n", result->machine[i]);
        }
    }
    buffer_printf(text, "  %d rows: %s\n", result->n_rows, files.names.data ? files.names.data : "");
    if (files.missing > 0) {
        buffer_printf(text, "  no figure of %d panel%s: %s\n", files.missing, files.missing > 1 ? "s" : "",
                      result->emulated ? "an emulated device has no times" : "nothing was measured");
    }
    buffer_free(&files.names);
    return status;
}
