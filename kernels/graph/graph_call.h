/* A graph and what is asked of it: what gf_bfs and its neighbours checked and hand to a variant. */
#ifndef GF_GRAPH_GRAPH_CALL_H
#define GF_GRAPH_GRAPH_CALL_H

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

static inline const struct gf_graph_call *gf_graph_call_of(const struct gf_array_call *call)
{
    return (const struct gf_graph_call *)(const void *)call; /* its first member */
}

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
gf_status gf_graph_queued_check(const struct gf_array_call *call, gf_error *error);
gf_status gf_graph_rows_check(const struct gf_array_call *call, gf_error *error);

gf_status gf_bfs_sequential(const struct gf_array_call *call, gf_error *error);
size_t gf_bfs_sequential_scratch(const struct gf_array_call *call);
gf_status gf_bfs_cpu(const struct gf_array_call *call, gf_error *error);
size_t gf_bfs_cpu_scratch(const struct gf_array_call *call);
gf_status gf_bfs_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_bfs_cuda_scratch(const struct gf_array_call *call);
gf_status gf_bfs_frontier_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_bfs_frontier_cuda_scratch(const struct gf_array_call *call);

gf_status gf_sssp_sequential(const struct gf_array_call *call, gf_error *error);
size_t gf_sssp_sequential_scratch(const struct gf_array_call *call);
gf_status gf_sssp_cpu(const struct gf_array_call *call, gf_error *error);
size_t gf_sssp_cpu_scratch(const struct gf_array_call *call);
gf_status gf_sssp_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_sssp_cuda_scratch(const struct gf_array_call *call);
gf_status gf_sssp_rounds_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_sssp_rounds_cuda_scratch(const struct gf_array_call *call);

gf_status gf_components_sequential(const struct gf_array_call *call, gf_error *error);
gf_status gf_components_cpu(const struct gf_array_call *call, gf_error *error);
gf_status gf_components_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_components_labels_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_components_labels_cuda_scratch(const struct gf_array_call *call);

/* The same of pictures. */
gf_status gf_grid_bfs_cpu(const struct gf_array_call *call, gf_error *error);
size_t gf_grid_bfs_cpu_scratch(const struct gf_array_call *call);
gf_status gf_grid_bfs_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_grid_sssp_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_grid_search_cuda_scratch(const struct gf_array_call *call);
gf_status gf_grid_components_cpu(const struct gf_array_call *call, gf_error *error);
gf_status gf_grid_components_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
