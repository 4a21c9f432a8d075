#include "graph/graph_call.h"

#include "linear/csr.h"

gf_status gf_graph_read(const char *name, gf_queue queue, const gf_array_options *options,
                        const gf_csr *graph, struct gf_graph_call *call, gf_error *error)
{
    *call = (struct gf_graph_call){.array = {.queue = queue, .options = *options}};
    GF_TRY(gf_csr_read(graph, &call->graph, error));
    const gf_csr *g = &call->graph;
    if (g->rows != g->columns || g->rows > GF_GRAPH_VERTICES) {
        return gf_fail(
            error, GF_ERROR_ARGUMENT,
            "%s: a matrix of %lld x %lld is no graph: it must have as many columns as rows, at most "
            "2^31 - 1",
            name, (long long)g->rows, (long long)g->columns);
    }
    call->array.n = g->rows;
    return GF_OK;
}

gf_status gf_graph_source(const char *name, int64_t source, struct gf_graph_call *call, gf_error *error)
{
    call->source = source;
    if (call->array.n > 0 && (source < 0 || source >= call->array.n)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: the source is %lld, must be a vertex: 0 to %lld", name,
                       (long long)source, (long long)call->array.n - 1);
    }
    return GF_OK;
}

gf_status gf_graph_queued_check(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    const int64_t edges =
        call->graph.entries > call->reverse.entries ? call->graph.entries : call->reverse.entries;
    if (call->graph.rows > GF_GRAPH_QUEUED || edges > GF_GRAPH_EDGES) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "a graph of %lld vertices and %lld edges: auto on CUDA takes at most 2^28 - 1 and 2^36 - 1",
            (long long)call->graph.rows, (long long)edges);
    }
    return GF_OK;
}
