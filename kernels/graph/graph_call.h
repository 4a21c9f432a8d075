/* A graph and what is asked of it: what gf_bfs and its neighbours checked and hand to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_GRAPH_VERTICES INT32_MAX /* at most, everywhere */
#define GF_GRAPH_QUEUED                                                                                      \
    ((INT64_C(1) << 28) - 1)                    /* vertices at most of "auto" on CUDA, whose queues count    \
                                                 */
#define GF_GRAPH_EDGES ((INT64_C(1) << 36) - 1) /* them and their edges in one word */

/* array.n is the number of vertices, array.out the levels, distances or labels. */
struct gf_graph_call {
    struct gf_array_call array;
    gf_csr graph;
    int64_t source;
    gf_csr reverse; /* bfs: edges turned round; struct_size 0: not there */
    int32_t depth;  /* bfs: the last level that is looked for */
    uint32_t *parents;
    int64_t *bad; /* sssp */
    double delta;
    gf_grid grid; /* a picture; struct_size 0: the graph is one in rows */
};

GF_ARRAY_CALL_OF(gf_graph_call)

/* Tells whether it is a picture; then graph has the pixels as rows, and no entries. */
static inline int gf_graph_is_grid(const struct gf_graph_call *call)
{
    return call->grid.struct_size != 0;
}

/* Begins the call: the options of the array, and the graph, or the picture in place of it. `name` of the
 * primitive for messages. */
gf_status gf_graph_read(const char *name, gf_queue queue, const gf_array_options *options,
                        const gf_csr *graph, const gf_grid *grid, struct gf_graph_call *call,
                        gf_error *error);

/* The first operands of every call: what the graph consists of. */
enum { GF_GRAPH_OPERANDS = 3 };
void gf_graph_operands(const struct gf_graph_call *call, struct gf_array_operand operands[GF_GRAPH_OPERANDS]);

/* Checks whether the source is a vertex. A graph without any has no source: then there is nothing to do. */
gf_status gf_graph_source(const char *name, int64_t source, struct gf_graph_call *call, gf_error *error);

/* gf_array_variant.check of "auto" on CUDA, and of those that take no pictures. */
gf_array_run_fn gf_graph_queued_check, gf_graph_rows_check;

gf_array_run_fn gf_bfs_sequential, gf_bfs_cpu, gf_bfs_cuda, gf_bfs_frontier_cuda;
gf_array_scratch_fn gf_bfs_sequential_scratch, gf_bfs_cpu_scratch, gf_bfs_cuda_scratch,
    gf_bfs_frontier_cuda_scratch;

gf_array_run_fn gf_sssp_sequential, gf_sssp_cpu, gf_sssp_cuda, gf_sssp_rounds_cuda;
gf_array_scratch_fn gf_sssp_sequential_scratch, gf_sssp_cpu_scratch, gf_sssp_cuda_scratch,
    gf_sssp_rounds_cuda_scratch;

gf_array_run_fn gf_components_sequential, gf_components_cpu, gf_components_cuda, gf_components_labels_cuda;
gf_array_scratch_fn gf_components_labels_cuda_scratch;

/* The same of pictures. */
gf_array_run_fn gf_grid_bfs_cpu, gf_grid_bfs_cuda, gf_grid_sssp_cuda, gf_grid_components_cpu,
    gf_grid_components_cuda;
gf_array_scratch_fn gf_grid_bfs_cpu_scratch, gf_grid_search_cuda_scratch;

#ifdef __cplusplus
}
#endif
