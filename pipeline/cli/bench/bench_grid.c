/* Measures ragged loops over the sampled grid: see bench_ragged.h. */
#include "base/message.h"
#include "bench/bench_ragged.h"
#include "bench/bench_runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT = 7 };

/* The number behind an option in the words of a series; 0: it has none. */
static double number_in(const char *words, const char *option)
{
    const char *at = strstr(words, option);
    return at ? strtod(at + strlen(option), NULL) : 0;
}

/* One series at one node, whose job is the runner's. The series' own parameters change no data, so they go
 * into the call. */
static gf_status run_series(struct bench_runner *r, const struct bench_node *node, const char *loop,
                            const struct bench_series *series, int line, bool unchecked)
{
    struct prim_measurement measured;
    struct bench_row row;
    struct buffer words = {0};
    buffer_printf(&words, "%s %s%s", loop, series->words,
                  unchecked || node->nx * node->ny_max > BENCH_NODE_CHECK ? " --no-check" : "");
    bench_how_add(r->options, &words);
    const struct bench_shot shot = {.primitive = "ragged",
                                    .words = words.data ? words.data : "",
                                    .line = line,
                                    .runs = r->options->repeat ? 0 : REPEAT,
                                    .brief = true,
                                    .same_job = true};
    r->job.call.ragged.frame_area = (int64_t)number_in(series->words, "--frame-area ");
    r->job.call.ragged.alpha = number_in(series->words, "--alpha ");
    gf_status status = bench_shoot(r, &shot, &row, &measured);
    if (status == GF_OK && row.primitive) {
        row.x = (double)node->nx * (double)node->ny_max;
        snprintf(row.x_word, sizeof row.x_word, "%" PRId64 "x%" PRId64, node->nx, node->ny_max);
        status = bench_keep(r->result, &row);
    }
    prim_measurement_free(&measured);
    buffer_free(&words);
    return status;
}

static gf_status run_grid(struct bench_runner *r, int p)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    struct bench_node *nodes = calloc(BENCH_NODES, sizeof *nodes);
    struct bench_lines lines;
    gf_status status = nodes ? bench_list_lines(r, p, &lines) : cli_fail(GF_ERROR_MEMORY, "out of memory");
    const int n = nodes ? bench_nodes(r->options->quick, atoi(panel->values), nodes) : 0;
    for (int i = 0; status == GF_OK && i < n; i++) {
        char loop[96];
        if (nodes[i].capped) {
            continue;
        }
        snprintf(loop, sizeof loop, "--nx %" PRId64 " --ny-max %" PRId64 " --data skew:%g", nodes[i].nx,
                 nodes[i].ny_max, nodes[i].skew);
        status = lines.count > 0 ? bench_job(r, panel->primitive, loop) : GF_OK;
        for (int s = 0; status == GF_OK && s < lines.count; s++) {
            status = run_series(r, &nodes[i], loop, lines.series[s], lines.line[s], panel->unchecked);
        }
    }
    free(nodes);
    return status;
}

static gf_status run_panel(struct bench_runner *r, int p)
{
    const bool is_grid = !strcmp(r->result->experiment->panels[p].sweep, "grid");
    return is_grid ? run_grid(r, p) : bench_run_panel(r, p);
}

gf_status bench_grid_run(struct bench_result *result, const struct bench_options *options)
{
    return bench_run_panels(result, options, run_panel);
}

/* ---- N7, N9: tuned first --------------------------------------------------------------------------------- */

gf_status bench_tuned_run(struct bench_result *result, const struct bench_options *options)
{
    static const struct bench_series series[] = {
        {"simple", .words = "--algo simple"}, {"combined", .words = "--algo combined"}, {0}};
    static const struct bench_panel panels[] = {{.title = "Tuning",
                                                 .primitive = "ragged",
                                                 .words = "",
                                                 .sweep = "grid",
                                                 .values = "1",
                                                 .series = series,
                                                 .shows = BENCH_NO_AXIS,
                                                 .unchecked = true},
                                                {0}};
    char id[32];
    snprintf(id, sizeof id, "%s-tuning", result->experiment->id);
    const struct bench_experiment tuning = {.id = id, .panels = panels};
    struct bench_result tuned = {.experiment = &tuning, .out = result->out, .reduced = result->reduced};
    struct bench_files files = {.out = result->out, .id = result->experiment->id};
    struct buffer table = {0};
    gf_status status = bench_grid_run(&tuned, options);
    result->n_thresholds = bench_thresholds_take(&tuned, result->thresholds, &table);
    if (status == GF_OK && result->n_thresholds > 0) {
        status = bench_file(&files, "ny_th", "txt", &table);
    }
    buffer_free(&table);
    buffer_free(&files.names);
    bench_result_free(&tuned);
    return status == GF_OK ? bench_grid_run(result, options) : status;
}

gf_status bench_counts_run(struct bench_result *result, const struct bench_options *options)
{
    const struct bench_panel *panel = &result->experiment->panels[0];
    struct bench_runner r;
    gf_status status = bench_begin(result, options, &r);
    status = status == GF_OK ? bench_job(&r, panel->primitive, panel->words) : status;
    if (status == GF_OK) {
        result->n_counts = r.job.in[0].n;
        result->counts = calloc((size_t)result->n_counts + 1, sizeof *result->counts);
        status = cli_need_memory(result->counts);
    }
    if (status == GF_OK) {
        memcpy(result->counts, r.job.in[0].data, (size_t)result->n_counts * sizeof *result->counts);
        status = bench_run_panel(&r, 0);
    }
    bench_end(&r);
    return status;
}
