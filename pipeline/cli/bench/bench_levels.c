/* A breadth-first search level by level: see bench_levels.h. */
#include "bench/bench_levels.h"

#include "base/message.h"
#include "bench/bench_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTHS = 64, REPEAT = 9, REPEAT_CPU = 3 };

/* ---- Levels -------------------------------------------------------------------------------------------- */

/* How many vertices each level has, and edges that leave them. */
struct sizes {
    int32_t last;
    int64_t *vertices, *edges;
};

static gf_status count_levels(struct prim_job *job, struct sizes *sizes)
{
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(cli_told(prim_job_expect(job, &error), &error));
    const int32_t *levels = job->expected[0].data;
    const int64_t *offsets = job->in[0].data;
    *sizes = (struct sizes){0};
    for (int64_t v = 0; v < job->size[0]; v++) {
        sizes->last = levels[v] > sizes->last ? levels[v] : sizes->last;
    }
    sizes->vertices = calloc((size_t)sizes->last + 1, sizeof *sizes->vertices);
    sizes->edges = calloc((size_t)sizes->last + 1, sizeof *sizes->edges);
    CLI_TRY(cli_need_memory(sizes->vertices && sizes->edges));
    for (int64_t v = 0; v < job->size[0]; v++) {
        if (levels[v] >= 0) {
            sizes->vertices[levels[v]]++;
            sizes->edges[levels[v]] += offsets[v + 1] - offsets[v];
        }
    }
    return GF_OK;
}

/* To find levels `from` to `to`, it looks at the vertices of those before. */
static struct bench_level level_of(const struct sizes *sizes, int32_t from, int32_t to)
{
    struct bench_level level = {.from = from, .to = to};
    for (int32_t l = from - 1; l < to; l++) {
        level.vertices += sizes->vertices[l];
        level.edges += sizes->edges[l];
    }
    return level;
}

/* ---- Runs ---------------------------------------------------------------------------------------------- */

static gf_status run_depth(struct bench_runner *r, const char *graph, const struct bench_lines *lines,
                           const struct bench_level *level)
{
    gf_status status = GF_OK;
    r->job.call.bfs.depth = level->to;
    prim_job_forget(&r->job);
    for (int i = 0; status == GF_OK && i < lines->count; i++) {
        struct prim_measurement measured;
        struct bench_row row;
        struct buffer words = {0};
        buffer_printf(&words, "%s --depth %d %s", graph, (int)level->to, lines->series[i]->words);
        bench_how_add(r->options, &words);
        const struct bench_shot shot = {.primitive = "bfs",
                                        .words = words.data ? words.data : "",
                                        .line = lines->line[i],
                                        .runs = r->options->repeat                     ? 0
                                                : r->result->lines[lines->line[i]].cpu ? REPEAT_CPU
                                                                                       : REPEAT,
                                        .brief = true,
                                        .same_job = true};
        status = bench_shoot(r, &shot, &row, &measured);
        if (status == GF_OK && row.primitive) {
            row.x = level->to;
            row.level = *level;
            snprintf(row.x_word, sizeof row.x_word, "%d", (int)level->to);
            status = bench_keep(r->result, &row);
        }
        prim_measurement_free(&measured);
        buffer_free(&words);
    }
    return status;
}

static gf_status run_panel(struct bench_runner *r, int p)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    const char *graph = r->options->quick ? panel->quick_words : panel->words;
    struct sizes sizes = {0};
    struct bench_lines lines;
    int32_t depths[MOST_DEPTHS], from = 1;
    gf_status status = bench_list_lines(r, p, &lines);
    status = status == GF_OK ? bench_job(r, panel->primitive, graph) : status;
    status = status == GF_OK ? count_levels(&r->job, &sizes) : status;
    const int most = atoi(r->options->quick ? panel->quick : panel->values);
    const int n = status == GF_OK ? bench_depths(sizes.last + 1, most, depths) : 0; /* the last finds none */
    for (int i = 0; status == GF_OK && i < n; i++) {
        const struct bench_level level = level_of(&sizes, from, depths[i]);
        status = run_depth(r, graph, &lines, &level);
        from = depths[i] + 1;
    }
    free(sizes.vertices);
    free(sizes.edges);
    return status;
}

gf_status bench_levels_run(struct bench_result *result, const struct bench_options *options)
{
    return bench_run_panels(result, options, run_panel);
}
