#include "graph/graph_call.h"

#include "base/sized.h"

#include <math.h>

#define TYPES (GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_S64) | GF_TYPES_FLOAT)

/* A graph in rows, or a picture. */
static gf_status run_cuda(const struct gf_array_call *array, gf_error *error)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_sssp_cuda(array, error)
                                                     : gf_sssp_cuda(array, error);
}

static size_t scratch_cuda(const struct gf_array_call *array)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_search_cuda_scratch(array)
                                                     : gf_sssp_cuda_scratch(array);
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "Dijkstra's algorithm, or Bellman and Ford's where weights are negative: the definition",
      "", .types = TYPES, .deterministic = 1},
     .scratch = gf_sssp_sequential_scratch,
     .run = gf_sssp_sequential},
    {{"auto", "near vertices first, then those that are further away; no negative weights", "threads",
      .types = TYPES, .deterministic = 1},
     .scratch = gf_sssp_cpu_scratch,
     .run = gf_sssp_cpu},
    {{"auto", "near vertices first, all in one launch; edges are shared out evenly; no negative weights", "",
      .types = TYPES, .cuda = 1, .deterministic = 1},
     .check = gf_graph_queued_check,
     .scratch = scratch_cuda,
     .run = run_cuda},
    {{"bellman-ford", "a thread a vertex, a launch a round, until nothing changes", "block=256",
      .types = GF_TYPE_BIT(GF_S32), .cuda = 1, .deterministic = 1, .waits = 1},
     .check = gf_graph_rows_check,
     .scratch = gf_sssp_rounds_cuda_scratch,
     .run = gf_sssp_rounds_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_sssp = {
    {"sssp", "the shortest ways from one vertex of a graph to all others"}, variants};

gf_depth gf_sssp_type(gf_depth weights)
{
    return weights == GF_F32 || weights == GF_F64 ? weights : GF_S64;
}

static gf_status describe(gf_queue queue, const gf_sssp_options *options, const gf_csr *graph,
                          struct gf_graph_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_sssp_options, source, o, GF_SSSP_OPTIONS_INIT, options, error);
    GF_TRY(gf_graph_read("sssp", queue, &o.array, graph, o.grid, call, error));
    GF_TRY(gf_graph_source("sssp", o.source, call, error));
    if (!(o.delta >= 0) || isinf(o.delta)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "sssp: delta is %g, must be finite and at least 0", o.delta);
    }
    call->delta = o.delta;
    return GF_OK;
}

gf_status gf_sssp_scratch(gf_device device, const gf_sssp_options *options, const gf_csr *graph,
                          size_t *bytes, gf_error *error)
{
    struct gf_graph_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, graph, &call, error));
    return gf_array_scratch(&gf_primitive_sssp, &call.array, bytes, error);
}

gf_status gf_sssp(gf_queue queue, const gf_sssp_options *options, const gf_csr *graph, void *distances,
                  int64_t *bad, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_graph_call call;
    GF_TRY(describe(queue, options, graph, &call, error));
    const gf_depth type = call.array.options.type;
    const gf_csr *g = &call.graph;
    const gf_grid *p = &call.grid;
    const struct gf_array_operand weights =
        gf_graph_is_grid(&call)
            ? (struct gf_array_operand){"the array of costs", p->costs, p->costs ? g->rows : 0,
                                        gf_depth_size(type)}
            : (struct gf_array_operand){"the array of weights", g->values, g->entries, gf_depth_size(type)};
    call.array.out = distances;
    call.bad = bad;
    struct gf_array_operand operands[] = {
        [GF_GRAPH_OPERANDS] = {"the array of distances", distances, call.array.n,
                               gf_depth_size(gf_sssp_type(type))},
        {"the place of what is bad", bad, 1, sizeof *bad},
        {0},
    };
    gf_graph_operands(&call, operands);
    operands[GF_GRAPH_OPERANDS - 1] = weights;
    return gf_array_run(&gf_primitive_sssp, &call.array, operands, scratch, scratch_bytes, error);
}
