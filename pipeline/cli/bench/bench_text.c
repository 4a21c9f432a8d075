/* What `gpufilter bench` prints of a panel. */
#include "bench/bench.h"

#include "base/message.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The row of a line at a value, timed or not; NULL: there is none. */
static const struct bench_row *row_of(const struct bench_result *result, int line, const char *x)
{
    for (int i = 0; i < result->n_rows; i++) {
        if (result->rows[i].series == line && !strcmp(result->rows[i].x_word, x)) {
            return &result->rows[i];
        }
    }
    return NULL;
}

/* ---- Beside the text's table ------------------------------------------------------------------------- */

/* The text's milliseconds of a series at a value; 0: it has none. */
static double published_at(const struct bench_published *table, const char *series, const char *x)
{
    for (; table->x; table++) {
        if (!strcmp(table->x, x) && !strcmp(table->series, series)) {
            return table->ms;
        }
    }
    return 0;
}

static bool is_published(const struct bench_published *table, const char *series)
{
    while (table->x && strcmp(table->series, series) != 0) {
        table++;
    }
    return table->x != NULL;
}

static void add_cell(const struct bench_row *row, const struct bench_published *table, const char *series,
                     const char *x, struct buffer *text)
{
    const double published = published_at(table, series, x);
    char ours[32] = "-", theirs[32] = "";
    if (row && row->timed) {
        snprintf(ours, sizeof ours, "%.4g", row->time_us / 1000);
    }
    buffer_printf(text, " %9s", ours);
    if (is_published(table, series)) {
        if (published > 0) {
            snprintf(theirs, sizeof theirs, "(%.4g)", published);
        }
        buffer_printf(text, " %9s", theirs);
    }
}

/* Values are rows, series are columns; behind each time of ours that of the text. */
static void add_table(const struct bench_result *result, int p, const struct bench_published *table,
                      const char *machine, struct buffer *text)
{
    const char *done = "";
    buffer_printf(text, "    milliseconds, and in brackets those of the text, on %s\n    %-8s", machine, "");
    for (int l = 0; l < result->n_lines; l++) {
        if (result->lines[l].panel == p) {
            buffer_printf(text, is_published(table, result->lines[l].label) ? " %19s" : " %9s",
                          result->lines[l].label);
        }
    }
    buffer_add(text, "\n");
    for (const struct bench_published *at = table; at->x; at++) {
        if (!strcmp(done, at->x)) {
            continue;
        }
        done = at->x;
        buffer_printf(text, "    %-8s", done);
        for (int l = 0; l < result->n_lines; l++) {
            if (result->lines[l].panel == p) {
                add_cell(row_of(result, l, done), table, result->lines[l].label, done, text);
            }
        }
        buffer_add(text, "\n");
    }
}

/* ---- Series, a line each ------------------------------------------------------------------------------- */

static void add_line(const struct bench_result *result, int l, struct buffer *text)
{
    const struct bench_row *last = NULL;
    const char *note = result->lines[l].note;
    for (int i = 0; i < result->n_rows; i++) {
        last = result->rows[i].series == l ? &result->rows[i] : last;
    }
    buffer_printf(text, "    %-24s", result->lines[l].label);
    if (last && last->timed) {
        buffer_printf(text, " at %-10s %12.1f us %9.4g GB/s %6.2f of a %s\n", last->x_word, last->time_us,
                      last->gbps, last->fraction, last->reads_only ? "read" : "copy");
    } else if (last) {
        buffer_printf(text, " at %-10s no time: %s\n", last->x_word,
                      last->verdict == PRIM_WRONG ? "the result is wrong" : "emulated");
    }
    if (*note) {
        buffer_printf(text, "%s no rows%s: %s\n", last ? "                            " : "",
                      last ? " for some values" : "", note);
    }
}

/* Adds what each series found at each value: the text's question there is not how long it took. */
static void add_found(const struct bench_result *result, int p, struct buffer *text)
{
    const struct bench_panel *panel = &result->experiment->panels[p];
    for (int l = 0; l < result->n_lines; l++) {
        bool first = true;
        for (int i = 0; i < result->n_rows; i++) {
            const struct bench_row *row = &result->rows[i];
            if (row->series == l && row->panel == p) {
                if (first) {
                    buffer_printf(text, "    %-24s", result->lines[l].label);
                }
                buffer_printf(text, "%s %s %s %s", first ? "" : ";", panel->sweep, row->x_word, row->result);
                first = false;
            }
        }
        buffer_add(text, first ? "" : "\n");
    }
}

void bench_panel_add(const struct bench_result *result, int panel, struct buffer *text)
{
    const char *machine = "";
    const struct bench_published *table =
        result->reduced ? NULL : bench_published(result->experiment->id, panel, &machine);
    buffer_add(text, "  ");
    bench_title_add(result, panel, text);
    buffer_add(text, "\n");
    for (int l = 0; l < result->n_lines; l++) {
        if (result->lines[l].panel == panel) {
            add_line(result, l, text);
        }
    }
    if (result->experiment->panels[panel].shows == BENCH_FOUND) {
        add_found(result, panel, text);
    }
    if (table) {
        add_table(result, panel, table, machine, text);
    }
}

void bench_tell(const struct bench_result *result, const char *what, const char *how)
{
    char line[CLI_STATUS_SIZE];
    snprintf(line, sizeof line, "%s: %s %.60s, behind %d rows", result->experiment->id, what,
             how + strspn(how, " "), result->n_rows);
    cli_detail("%s", line);
    if (cli_verbosity() == CLI_NORMAL && isatty(STDERR_FILENO)) {
        cli_status(line);
    }
}
