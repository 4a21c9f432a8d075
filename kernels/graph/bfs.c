#include "graph/graph_call.h"

#include "base/sized.h"
#include "linear/spmv/csr.h"

#define TYPES GF_TYPE_BIT(GF_S32)

/* ---- Variants that take pictures, too -------------------------------------------------------------------- */

static gf_status run_cpu(const struct gf_array_call *array, gf_error *error)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_bfs_cpu(array, error)
                                                     : gf_bfs_cpu(array, error);
}

static size_t scratch_cpu(const struct gf_array_call *array)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_bfs_cpu_scratch(array)
                                                     : gf_bfs_cpu_scratch(array);
}

static gf_status run_cuda(const struct gf_array_call *array, gf_error *error)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_bfs_cuda(array, error)
                                                     : gf_bfs_cuda(array, error);
}

static size_t scratch_cuda(const struct gf_array_call *array)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_search_cuda_scratch(array)
                                                     : gf_bfs_cuda_scratch(array);
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "a queue of vertices, one after the other: the definition", "", .types = TYPES,
      .deterministic = 1},
     .scratch = gf_bfs_sequential_scratch,
     .run = gf_bfs_sequential},
    {{"auto", "level by level, from above or from below, whichever looks at fewer edges", "threads",
      .types = TYPES, .deterministic = 1},
     .scratch = scratch_cpu,
     .run = run_cpu},
    {{"auto", "all levels in one launch, from above or from below; edges are shared out evenly", "",
      .types = TYPES, .cuda = 1, .deterministic = 1},
     .check = gf_graph_queued_check,
     .scratch = scratch_cuda,
     .run = run_cuda},
    {{"frontier", "a thread a vertex of the frontier, a launch a level", "block=256", .types = TYPES,
      .cuda = 1, .deterministic = 1, .waits = 1},
     .check = gf_graph_rows_check,
     .scratch = gf_bfs_frontier_cuda_scratch,
     .run = gf_bfs_frontier_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_bfs = {
    {"bfs", "how many edges each vertex of a graph is away from one of them"}, variants};

static gf_status describe(gf_queue queue, const gf_bfs_options *options, const gf_csr *graph,
                          struct gf_graph_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_bfs_options, source, o, GF_BFS_OPTIONS_INIT, options, error);
    GF_TRY(gf_graph_read("bfs", queue, &o.array, graph, o.grid, call, error));
    GF_TRY(gf_graph_source("bfs", o.source, call, error));
    if (o.depth < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "bfs: depth is %d: must be a number of edges, or 0 for all levels", (int)o.depth);
    }
    call->depth = o.depth > 0 ? o.depth : INT32_MAX;
    if (o.depth > 0 && o.grid) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "bfs: depth is of graphs with edges; a picture is searched as a whole");
    }
    if (!o.reverse || o.grid) {
        return GF_OK;
    }
    GF_TRY(gf_csr_read(o.reverse, &call->reverse, error));
    if (call->reverse.rows != call->graph.rows || call->reverse.columns != call->graph.columns ||
        call->reverse.entries != call->graph.entries) {
        return gf_fail(
            error, GF_ERROR_ARGUMENT,
            "bfs: the graph has %lld vertices and %lld edges, the one of turned edges %lld and %lld",
            (long long)call->graph.rows, (long long)call->graph.entries, (long long)call->reverse.rows,
            (long long)call->reverse.entries);
    }
    return GF_OK;
}

gf_status gf_bfs_scratch(gf_device device, const gf_bfs_options *options, const gf_csr *graph, size_t *bytes,
                         gf_error *error)
{
    struct gf_graph_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, graph, &call, error));
    return gf_array_scratch(&gf_primitive_bfs, &call.array, bytes, error);
}

gf_status gf_bfs(gf_queue queue, const gf_bfs_options *options, const gf_csr *graph, int32_t *levels,
                 uint32_t *parents, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_graph_call call;
    GF_TRY(describe(queue, options, graph, &call, error));
    const gf_csr *r = &call.reverse;
    const int64_t n = call.array.n;
    const int has_reverse = r->struct_size != 0;
    call.array.out = levels;
    call.parents = parents;
    struct gf_array_operand operands[] = {
        [GF_GRAPH_OPERANDS] = {"the array of levels", levels, n, sizeof *levels},
        {"the array of parents", parents, parents ? n : 0, sizeof *parents},
        {"the offsets of turned edges", r->offsets, has_reverse ? r->rows + 1 : 0, sizeof *r->offsets},
        {"the targets of turned edges", r->indices, has_reverse ? r->entries : 0, sizeof *r->indices},
        {0},
    };
    gf_graph_operands(&call, operands);
    return gf_array_run(&gf_primitive_bfs, &call.array, operands, scratch, scratch_bytes, error);
}
