/* gpufilter/graph.h: breadth-first search, shortest paths and connected components of graphs.
 *
 *     const gf_csr graph = {sizeof graph, vertices, vertices, edges, offsets, targets, weights};
 *     gf_bfs_options options = GF_BFS_OPTIONS_INIT;
 *     options.source = 0;
 *     gf_bfs_scratch(queue.device, &options, &graph, &bytes, &error);
 *     ...
 *     gf_bfs(queue, &options, &graph, levels, parents, scratch, bytes, &error);
 *
 * A graph is a gf_csr with as many columns as rows: the entries of row v are the edges that leave vertex v,
 * their columns where they lead, and their values their weights, which only gf_sssp reads. An edge that goes
 * both ways is there twice. Loops and several edges between two vertices are allowed. At most 2^31 - 1
 * vertices; on CUDA "auto" takes 2^28 - 1, and 2^36 - 1 edges. gf_csr_check checks a graph that comes from
 * elsewhere.
 *
 * gpufilter/array.h has what holds for all primitives, docs/primitives/graph.md the variants. */
#ifndef GPUFILTER_GRAPH_H
#define GPUFILTER_GRAPH_H

#include "gpufilter/csr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What stands for a vertex where there is none. */
#define GF_NO_VERTEX UINT32_MAX

/* ---- Pictures ----------------------------------------------------------------------------------------- */

/* Which pixels beside each other have an edge, both ways. */
enum {
    GF_GRID_ALL,     /* all */
    GF_GRID_NONZERO, /* where both are not 0 */
    GF_GRID_EQUAL    /* where both are equal and not 0, as the stage label:equal has it */
};

/* What a step costs, for gf_sssp. */
enum {
    GF_GRID_ENTER,     /* the cost of the pixel that it leads to */
    GF_GRID_DIFFERENCE /* what the costs of both pixels differ by */
};

/* A picture as a graph whose edges nobody writes down: vertex y * width + x is pixel (x, y). Given in the
 * options, with NULL for the graph, to the variants "sequential" and "auto". The struct is host memory, what
 * it points to is the queue's: borrowed, as inputs are. */
typedef struct gf_grid {
    uint32_t struct_size;
    int32_t connect;       /* 4: pixels beside, above and below have edges; 8: those at the corners, too. A
                            * step to a corner is a step like any other */
    int64_t width, height; /* at most 2^31 - 1 pixels in all */
    int32_t join;          /* GF_GRID_ALL... */
    gf_depth type;         /* of the pixels: GF_U8, GF_U16, GF_U32 or GF_F32, where NaN counts as 0 */
    const void *pixels;    /* row by row, without gaps; not read where all are joined */
    int32_t cost;          /* gf_sssp: GF_GRID_ENTER... */
    const void *costs; /* gf_sssp: of each pixel, in the options' type. NULL: each step costs 1. No edge may
                        * cost less than 0, whatever the variant */
} gf_grid;

#define GF_GRID_INIT                                                                                         \
    {                                                                                                        \
        sizeof(gf_grid), 4, 0, 0, GF_GRID_ALL, GF_U8, NULL, GF_GRID_ENTER, NULL                              \
    }

/* ---- Levels ------------------------------------------------------------------------------------------- */

typedef struct gf_bfs_options {
    uint32_t struct_size;
    gf_array_options array; /* type: of the levels, GF_S32 */
    int64_t source;         /* the vertex to begin from */
    const gf_csr *reverse;  /* the edges turned round, which lets "auto" search from the vertices that are not
                             * reached yet; the graph itself where every edge goes both ways. NULL: not there.
                             * Never changes a result. Borrowed for the call, its arrays as inputs are */
    const gf_grid *grid;    /* a picture in place of the graph; NULL: the graph */
    /* Vertices more than so many edges away are not looked for; 0: all are. Not of a picture. */
    int32_t depth;
} gf_bfs_options;

#define GF_BFS_OPTIONS_INIT                                                                                  \
    {                                                                                                        \
        sizeof(gf_bfs_options), {NULL, GF_S32, 0, 0, 0, 0}, 0, NULL, NULL, 0                                 \
    }

/* Bytes of scratch that gf_bfs needs: on CUDA with "auto" about 28 a vertex, on the CPU 8; for a picture next
 * to none, on the CPU 8 a pixel. Queues no work, reads no array. */
GF_API gf_status gf_bfs_scratch(gf_device device, const gf_bfs_options *options, const gf_csr *graph,
                                size_t *bytes, gf_error *error);

/* levels[v]: the least number of edges from the source to v, 0 for itself, -1 where no way leads or only one
 * longer than `depth`. parents[v], where parents is not NULL: the smallest vertex of the level before that
 * has an edge to v; the source itself for the source; GF_NO_VERTEX where levels[v] is -1. One of each for
 * every vertex; they overlap no input. */
GF_API gf_status gf_bfs(gf_queue queue, const gf_bfs_options *options, const gf_csr *graph, int32_t *levels,
                        uint32_t *parents, void *scratch, size_t scratch_bytes, gf_error *error);

/* ---- Shortest paths ----------------------------------------------------------------------------------- */

typedef struct gf_sssp_options {
    uint32_t struct_size;
    gf_array_options array; /* type: of the weights: GF_S32, GF_S64, GF_F32 or GF_F64 */
    int64_t source;         /* the vertex to begin from */
    double delta;        /* "auto" on CUDA settles distances in steps of so much; 0: chosen from the weights.
                          * Never changes a result */
    const gf_grid *grid; /* a picture in place of the graph; NULL: the graph */
} gf_sssp_options;

#define GF_SSSP_OPTIONS_INIT                                                                                 \
    {                                                                                                        \
        sizeof(gf_sssp_options), {NULL, GF_F32, 0, 0, 0, 0}, 0, 0, NULL                                      \
    }

/* The type of distances: GF_S64 of whole weights, else the type of the weights. */
GF_API gf_depth gf_sssp_type(gf_depth weights);

/* Bytes of scratch that gf_sssp needs: on CUDA with "auto" about 40 a vertex. Queues no work, reads no array.
 */
GF_API gf_status gf_sssp_scratch(gf_device device, const gf_sssp_options *options, const gf_csr *graph,
                                 size_t *bytes, gf_error *error);

/* distances[v]: the least sum of weights along a way from the source to v, added from the source on, rounded
 * to the type of distances after each weight; whole sums stop at the greatest number. Where no way leads,
 * infinity, or the greatest number. One for every vertex, of gf_sssp_type(options->array.type).
 *
 * *bad, in memory of the queue's device, becomes -1, or tells why distances, which are written all the same,
 * mean nothing: "auto" takes no negative weights and no NaN, and names the first edge that has one;
 * "sequential" and "bellman-ford" take them (an edge of NaN leads nowhere), and name a vertex that can be
 * reached by way of a cycle of negative length. On a picture, where steps lead both ways, every variant names
 * the first pixel that edges can lead to and whose cost is negative or NaN, or, where differences are wanted,
 * is not finite. */
GF_API gf_status gf_sssp(gf_queue queue, const gf_sssp_options *options, const gf_csr *graph, void *distances,
                         int64_t *bad, void *scratch, size_t scratch_bytes, gf_error *error);

/* ---- Connected components ----------------------------------------------------------------------------- */

typedef struct gf_components_options {
    uint32_t struct_size;
    gf_array_options array; /* type: of the labels, GF_U32 */
    const gf_grid *grid;    /* a picture in place of the graph; NULL: the graph */
} gf_components_options;

#define GF_COMPONENTS_OPTIONS_INIT                                                                           \
    {                                                                                                        \
        sizeof(gf_components_options), {NULL, GF_U32, 0, 0, 0, 0}, NULL                                      \
    }

/* Bytes of scratch that gf_components needs. Queues no work, reads no array. */
GF_API gf_status gf_components_scratch(gf_device device, const gf_components_options *options,
                                       const gf_csr *graph, size_t *bytes, gf_error *error);

/* labels[v]: the smallest vertex that v is connected with, whichever way edges lead (the weak components of a
 * directed graph). One for every vertex. */
GF_API gf_status gf_components(gf_queue queue, const gf_components_options *options, const gf_csr *graph,
                               uint32_t *labels, void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
