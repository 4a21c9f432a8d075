/* gpufilter prim bfs, sssp and components */
#include "base/argument_value.h"
#include "base/message.h"
#include "prim/element.h"
#include "prim/graph_data.h"
#include "prim/prim_grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_GRAPH "rmat:16"

enum { OFFSETS, TARGETS, WEIGHTS }; /* job->in */
enum { SOURCE = 2 };                /* job->size: vertices, edges, and this */

#define TAKES_GRAPH (PRIM_TAKES(PRIM_GRAPH) | PRIM_TAKES(PRIM_UNDIRECTED) | PRIM_TAKES_PICTURE)

/* ---- The graph ------------------------------------------------------------------------------------------- */

static gf_status fail_made(const struct prim_job *job)
{
    return cli_fail(GF_ERROR_ARGUMENT, "--undirected is for graphs from files: %s is one already",
                    job->options.text[PRIM_GRAPH] ? job->options.text[PRIM_GRAPH] : USUAL_GRAPH);
}

/* Weights of the job's type; made graphs have 1 to 255, in floats 255ths. */
static gf_status take_weights(struct prim_job *job, const struct graph_data *g, gf_error *error)
{
    const bool is_float = job->type == GF_F32 || job->type == GF_F64;
    const bool scaled = is_float && !job->file;
    CLI_TRY(prim_array_create(job->type, g->edges, &job->in[WEIGHTS], error));
    for (int64_t e = 0; e < g->edges; e++) {
        const long double weight = scaled ? (double)g->weights[e] / 255 : g->weights[e];
        if (!prim_weight_set(job->type, job->in[WEIGHTS].data, e, weight)) {
            return cli_error(error, GF_ERROR_INPUT,
                             "%s: a weight is %Lg, which %s does not hold: choose another --type", job->file,
                             weight, gf_depth_name(job->type));
        }
    }
    return GF_OK;
}

/* The first vertex that has an edge; 0 if none has. */
static int64_t usual_source(const struct graph_data *g)
{
    int64_t v = 0;
    while (v < g->vertices && g->offsets[v] == g->offsets[v + 1]) {
        v++;
    }
    return v < g->vertices ? v : 0;
}

/* The vertex that most edges leave: one that others can be reached from, if there is any. */
static int64_t busiest(const struct graph_data *g)
{
    int64_t most = 0;
    for (int64_t v = 1; v < g->vertices; v++) {
        most = g->offsets[v + 1] - g->offsets[v] > g->offsets[most + 1] - g->offsets[most] ? v : most;
    }
    return most;
}

static gf_status take_source(struct prim_job *job, const struct graph_data *g, gf_error *error)
{
    const char *text = job->options.text[PRIM_SOURCE];
    char *end = NULL;
    job->size[SOURCE] = usual_source(g);
    if (!text) {
        return GF_OK;
    }
    if (!strcmp(text, "most")) {
        job->size[SOURCE] = busiest(g);
        return GF_OK;
    }
    const bool digit = *text >= '0' && *text <= '9';
    const uint64_t id = digit ? strtoull(text, &end, 10) : 0;
    job->size[SOURCE] = digit && !*end ? graph_find(g, id) : -1;
    return job->size[SOURCE] >= 0 ? GF_OK
                                  : cli_error(error, GF_ERROR_ARGUMENT,
                                              "--source is '%s', which is neither 'most' nor a vertex of %s",
                                              text, job->file ? job->file : "the graph");
}

/* The graph's arrays as inputs. */
static gf_status take_graph(struct prim_job *job, struct graph_data *g, bool weighted, gf_error *error)
{
    CLI_TRY(prim_array_create(GF_S64, g->vertices + 1, &job->in[OFFSETS], error));
    CLI_TRY(prim_array_create(GF_U32, g->edges, &job->in[TARGETS], error));
    memcpy(job->in[OFFSETS].data, g->offsets, (size_t)(g->vertices + 1) * sizeof *g->offsets);
    memcpy(job->in[TARGETS].data, g->targets, (size_t)g->edges * sizeof *g->targets);
    job->size[0] = g->vertices;
    job->size[1] = g->edges;
    job->both_ways = g->both_ways;
    job->ids = g->ids;
    g->ids = NULL;
    job->n = g->vertices;
    snprintf(job->shape, sizeof job->shape, "%" PRId64 " vertices, %" PRId64 " edges", g->vertices, g->edges);
    return weighted ? take_weights(job, g, error) : GF_OK;
}

static gf_status read_graph(struct prim_job *job, bool weighted)
{
    const char *text = job->options.text[PRIM_GRAPH] ? job->options.text[PRIM_GRAPH] : USUAL_GRAPH;
    const bool undirected = job->options.text[PRIM_UNDIRECTED] != NULL, made = graph_is_made(text);
    struct graph_data graph = {.vertices = 0};
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(prim_job_recipe(job));
    if (job->options.text[PRIM_PICTURE]) {
        CLI_TRY(prim_grid_inputs(job, weighted));
        return prim_grid_source(job, &job->size[SOURCE]);
    }
    CLI_TRY(prim_grid_refuse(job));
    if (job->options.text[PRIM_DATA]) {
        return cli_fail(GF_ERROR_ARGUMENT, "--data is for arrays; --graph says which graph is made");
    }
    if (made && undirected) {
        return fail_made(job);
    }
    job->file = made ? NULL : text;
    gf_status status =
        made ? graph_make(text, job->seed, &graph, &error) : graph_read(text, undirected, &graph, &error);
    status = status == GF_OK ? take_source(job, &graph, &error) : status;
    status = status == GF_OK ? take_graph(job, &graph, weighted, &error) : status;
    graph_free(&graph);
    snprintf(job->recipe.word, sizeof job->recipe.word, "%s", made ? text : "file");
    return cli_told(status, &error);
}

static gf_status plain_inputs(struct prim_job *job)
{
    return read_graph(job, false);
}

static gf_status weighted_inputs(struct prim_job *job)
{
    return read_graph(job, true);
}

/* What a call gets: a graph, or NULL and a picture. */
struct given {
    gf_csr rows;
    gf_grid grid;
};

static void *const no_arrays[PRIM_BLOCKS]; /* for a call that asks what it takes */

static const gf_csr *give(const struct prim_job *job, void *const in[PRIM_BLOCKS], struct given *given,
                          const gf_grid **picture)
{
    const bool is_picture = job->grid.struct_size != 0;
    given->rows = (gf_csr){sizeof(gf_csr), job->size[0], job->size[0], job->size[1],
                           in[OFFSETS],    in[TARGETS],  in[WEIGHTS]};
    given->grid = prim_grid_of(job, in);
    *picture = is_picture ? &given->grid : NULL;
    return is_picture ? NULL : &given->rows;
}

/* ---- What they share ------------------------------------------------------------------------------------- */

/* Edges. */
static double work(const struct prim_job *job)
{
    return (double)job->size[1];
}

/* ---- Levels ---------------------------------------------------------------------------------------------- */

static gf_status prepare_bfs(struct prim_job *job)
{
    const char *depth = job->options.text[PRIM_DEPTH];
    int64_t edges = 0;
    job->call.bfs = (gf_bfs_options)GF_BFS_OPTIONS_INIT;
    job->call.bfs.source = job->size[SOURCE];
    job->array = &job->call.bfs.array;
    job->out[0] = (struct prim_output){GF_S32, job->size[0], PRIM_OUT, job->grid.height};
    if (job->options.text[PRIM_PARENTS_OUT]) {
        job->out[1] = (struct prim_output){GF_U32, job->size[0], PRIM_PARENTS_OUT, job->grid.height};
    }
    gf_status status = depth ? value_integer("--depth", depth, 1, INT32_MAX, &edges) : GF_OK;
    job->call.bfs.depth = (int32_t)edges;
    return status;
}

static gf_status scratch_bfs(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    struct given given;
    gf_bfs_options options = job->call.bfs;
    const gf_csr *graph = give(job, no_arrays, &given, &options.grid);
    options.reverse = job->both_ways ? graph : NULL;
    return gf_bfs_scratch(device, &options, graph, bytes, error);
}

static gf_status run_bfs(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                         gf_error *error)
{
    struct given given;
    gf_bfs_options options = job->call.bfs;
    const gf_csr *graph = give(job, m->in, &given, &options.grid);
    options.reverse = job->both_ways ? graph : NULL;
    return gf_bfs(queue, &options, graph, m->out[0], job->out[1].n > 0 ? m->out[1] : NULL, m->scratch,
                  m->scratch_bytes, error);
}

static void result_bfs(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                       bool json)
{
    const int32_t *levels = out[0];
    int64_t reached = 0;
    int32_t last = -1;
    for (int64_t v = 0; v < job->size[0]; v++) {
        reached += levels[v] >= 0;
        last = levels[v] > last ? levels[v] : last;
    }
    buffer_printf(text,
                  json ? "{\"reached\":%" PRId64 ",\"last_level\":%d}" : "%" PRId64 " reached, last level %d",
                  reached, last);
}

const struct prim_driver prim_driver_bfs = {
    .name = "bfs",
    .takes = TAKES_GRAPH | PRIM_TAKES(PRIM_SOURCE) | PRIM_TAKES(PRIM_DEPTH) | PRIM_TAKES(PRIM_PARENTS_OUT),
    .type = "i32",
    .inputs = plain_inputs,
    .prepare = prepare_bfs,
    .scratch = scratch_bfs,
    .run = run_bfs,
    .work = work,
    .result = result_bfs,
};

/* ---- Shortest ways ---------------------------------------------------------------------------------------- */

static gf_status prepare_sssp(struct prim_job *job)
{
    const char *delta = job->options.text[PRIM_DELTA];
    bool percent = false;
    job->call.sssp = (gf_sssp_options)GF_SSSP_OPTIONS_INIT;
    job->call.sssp.source = job->size[SOURCE];
    job->array = &job->call.sssp.array;
    job->out[0] = (struct prim_output){gf_sssp_type(job->type), job->size[0], PRIM_OUT, job->grid.height};
    job->out[1] = (struct prim_output){GF_S64, 1, 0, 0};
    return delta ? value_number("--delta", delta, false, &job->call.sssp.delta, &percent) : GF_OK;
}

static gf_status scratch_sssp(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    struct given given;
    gf_sssp_options options = job->call.sssp;
    const gf_csr *graph = give(job, no_arrays, &given, &options.grid);
    return gf_sssp_scratch(device, &options, graph, bytes, error);
}

static gf_status run_sssp(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                          gf_error *error)
{
    struct given given;
    gf_sssp_options options = job->call.sssp;
    const gf_csr *graph = give(job, m->in, &given, &options.grid);
    return gf_sssp(queue, &options, graph, m->out[0], m->out[1], m->scratch, m->scratch_bytes, error);
}

static bool is_reached(const struct prim_job *job, const void *distances, int64_t v)
{
    return job->out[0].type == GF_S64 ? ((const int64_t *)distances)[v] != INT64_MAX
                                      : !isinf(element_value(job->out[0].type, distances, v));
}

static void result_sssp(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                        bool json)
{
    int64_t reached = 0, furthest = 0;
    for (int64_t v = 0; v < job->size[0]; v++) {
        if (is_reached(job, out[0], v)) {
            furthest = reached == 0 || element_value(job->out[0].type, out[0], v) >
                                           element_value(job->out[0].type, out[0], furthest)
                           ? v
                           : furthest;
            reached++;
        }
    }
    buffer_printf(text,
                  json ? "{\"reached\":%" PRId64 ",\"furthest\":" : "%" PRId64 " reached, the furthest at ",
                  reached);
    if (reached > 0) {
        element_add(text, job->out[0].type, out[0], furthest, json);
    } else {
        buffer_add(text, json ? "null" : "no distance");
    }
    buffer_add(text, json ? "}" : "");
}

const struct prim_driver prim_driver_sssp = {
    .name = "sssp",
    .takes = TAKES_GRAPH | PRIM_TAKES(PRIM_SOURCE) | PRIM_TAKES(PRIM_DELTA) | PRIM_TAKES(PRIM_COST),
    .type = "f32",
    .inputs = weighted_inputs,
    .prepare = prepare_sssp,
    .scratch = scratch_sssp,
    .run = run_sssp,
    .refusal = prim_sssp_refusal,
    .work = work,
    .result = result_sssp,
};

/* ---- Components ------------------------------------------------------------------------------------------- */

static gf_status prepare_components(struct prim_job *job)
{
    job->call.components = (gf_components_options)GF_COMPONENTS_OPTIONS_INIT;
    job->array = &job->call.components.array;
    job->out[0] = (struct prim_output){GF_U32, job->size[0], PRIM_OUT, job->grid.height};
    return GF_OK;
}

static gf_status scratch_components(const struct prim_job *job, gf_device device, size_t *bytes,
                                    gf_error *error)
{
    struct given given;
    gf_components_options options = job->call.components;
    const gf_csr *graph = give(job, no_arrays, &given, &options.grid);
    return gf_components_scratch(device, &options, graph, bytes, error);
}

static gf_status run_components(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                                gf_error *error)
{
    struct given given;
    gf_components_options options = job->call.components;
    const gf_csr *graph = give(job, m->in, &given, &options.grid);
    return gf_components(queue, &options, graph, m->out[0], m->scratch, m->scratch_bytes, error);
}

static void result_components(const struct prim_job *job, const void *const out[PRIM_BLOCKS],
                              struct buffer *text, bool json)
{
    const uint32_t *labels = out[0];
    int64_t count = 0;
    for (int64_t v = 0; v < job->size[0]; v++) {
        count += labels[v] == v;
    }
    buffer_printf(text, json ? "{\"components\":%" PRId64 "}" : "%" PRId64 " components", count);
}

const struct prim_driver prim_driver_components = {
    .name = "components",
    .takes = TAKES_GRAPH,
    .type = "u32",
    .inputs = plain_inputs,
    .prepare = prepare_components,
    .scratch = scratch_components,
    .run = run_components,
    .work = work,
    .result = result_components,
};
