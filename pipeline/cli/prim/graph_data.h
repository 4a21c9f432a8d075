/* Graphs for `prim` and `bench`: made, or read from files. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>
#include <stddef.h>

/* A graph in compressed rows, as gf_csr has them: what leaves a vertex is together. All zeros: none. */
struct graph_data {
    int64_t vertices, edges;
    int64_t *offsets;  /* vertices + 1 */
    uint32_t *targets; /* of each edge */
    long double
        *weights;   /* of each edge, exactly: 1 where a file has none; 1 to 255 of those that are made */
    uint64_t *ids;  /* of each vertex, ascending: those of a list of edges. NULL: 0, 1, 2... */
    bool both_ways; /* every edge has one that leads back */
};

/* Edges one by one, from which a graph is made. */
struct graph_edges {
    int64_t count, room;
    uint32_t *from, *to;
    long double *weights; /* NULL: hashed from their ends, 1 to 255, the same both ways */
};

/* Tells whether the text is "KIND:..." of a graph that can be made. */
bool graph_is_made(const char *text);

/* Makes the graph that the text names, the same for the same text and seed on every machine:
 *
 *     grid:WxH      each of W x H vertices has an edge to those beside, above and below it
 *     path:N        vertex i has edges to i - 1 and i + 1
 *     star:N        vertex 0 has an edge to each of N others, and they to it
 *     random:NxD    N x D / 2 edges between any two of N vertices, both ways
 *     rmat:S        2^S vertices, 16 times as many edges, both ways, few vertices with most (D. Chakrabarti, Y. Zhan
 *                   and C. Faloutsos, "R-MAT: A Recursive Model for Graph Mining", 2004; Graph500's numbers)
 *
 * The failure stands in `error`, unsaid. Free it in any case. */
gf_status graph_make(const char *text, uint64_t seed, struct graph_data *graph, gf_error *error);

/* Reads a Matrix Market file, or a list of edges: a line "FROM TO" or "FROM TO WEIGHT" for each, ids being
 * any numbers below 2^64; empty lines and those that begin with # or % do not count. For NAME.e the ids stand
 * in NAME.v, so that there may be vertices without edges. undirected: each edge is taken both ways. Errors
 * name the line. The failure stands in `error`, unsaid. Free it in any case. */
gf_status graph_read(const char *path, bool undirected, struct graph_data *graph, gf_error *error);

/* The list of edges in a text; `vertices`: that of ids, or NULL. For graph_read, and tests. */
gf_status graph_parse(const char *name, char *text, char *vertices, bool undirected, struct graph_data *graph,
                      gf_error *error);

/* Sorts edges by where they begin; their order is kept otherwise. both_ways: and turns each of them round,
 * too, unless it is a loop. What is in graph->ids stays. */
gf_status graph_compress(const struct graph_edges *edges, int64_t vertices, bool both_ways, uint64_t seed,
                         struct graph_data *graph, gf_error *error);

/* splitmix64: a number for each place of a sequence (G. Steele, D. Lea, C. Flood, "Fast splittable
 * pseudorandom number generators", 2014). */
uint64_t graph_number_at(uint64_t seed, uint64_t place);

/* The vertex of an id, or -1. */
int64_t graph_find(const struct graph_data *graph, uint64_t id);

void graph_free(struct graph_data *graph);
