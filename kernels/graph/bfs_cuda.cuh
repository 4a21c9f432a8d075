/* What the variants of bfs on CUDA share. */
#ifndef GF_GRAPH_BFS_CUDA_CUH
#define GF_GRAPH_BFS_CUDA_CUH

#include "graph/graph_cuda.cuh"

/* What blocks share; zeroed before the launch. */
struct gf_bfs_state {
    uint64_t found[3]; /* vertices of a turn and their edges; by turns, so that one is cleared while two are
                          in use */
    uint64_t listed;   /* the same of the list that is made when the search goes from above again */
    uint32_t early[3]; /* 1: some of the vertices found lie on a level before that of the turn */
    uint32_t large;
    uint32_t barrier;
};

struct gf_bfs_args {
    gf_graph_args g, reverse; /* reverse.offsets NULL: not there */
    int32_t *levels;
    uint32_t *parents;
    gf_bfs_state *state;
    gf_vertex_queue queue[2];
    uint32_t *large; /* vertices of so many turned edges */
    int32_t depth;   /* of the last level */
    uint32_t *turns; /* in which a vertex was put into the queue last, where levels are taken together */
};

static inline gf_bfs_args gf_bfs_args_of(const struct gf_array_call *array)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    gf_bfs_args a = {};
    a.g = a.reverse = gf_graph_args_of(array);
    a.reverse.offsets = call->reverse.offsets;
    a.reverse.targets = call->reverse.indices;
    a.levels = static_cast<int32_t *>(array->out);
    a.parents = call->parents;
    a.depth = call->depth;
    return a;
}

/* Finds parents, where they are asked for, from levels. */
gf_status gf_bfs_find_parents(const struct gf_array_call *array, const gf_bfs_args &a, gf_error *error);

#endif
