/* The definitions of levels and components. */
#include "graph/graph_call.h"

#include <string.h>

/* ---- Levels --------------------------------------------------------------------------------------------- */

size_t gf_bfs_sequential_scratch(const struct gf_array_call *array)
{
    return (size_t)array->n * sizeof(uint32_t);
}

/* Vertices in the order in which they are reached, which is that of their levels. */
static void set_levels(const gf_csr *g, uint32_t source, int32_t depth, int32_t *levels, uint32_t *queue)
{
    int64_t reached = 0;
    queue[reached++] = source;
    levels[source] = 0;
    for (int64_t i = 0; i < reached && levels[queue[i]] < depth; i++) {
        const uint32_t u = queue[i];
        for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            const uint32_t v = g->indices[e];
            if (levels[v] < 0) {
                levels[v] = levels[u] + 1;
                queue[reached++] = v;
            }
        }
    }
}

static void set_parents(const gf_csr *g, uint32_t source, const int32_t *levels, uint32_t *parents)
{
    parents[source] = source;
    for (int64_t u = 0; u < g->rows; u++) {
        for (int64_t e = g->offsets[u]; levels[u] >= 0 && e < g->offsets[u + 1]; e++) {
            const uint32_t v = g->indices[e];
            if (levels[v] == levels[u] + 1 && parents[v] > u) {
                parents[v] = (uint32_t)u;
            }
        }
    }
}

gf_status gf_bfs_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    int32_t *levels = array->out;
    (void)error;
    if (array->n == 0) {
        return GF_OK;
    }
    memset(levels, 0xff, (size_t)array->n * sizeof *levels); /* -1 */
    set_levels(&call->graph, (uint32_t)call->source, call->depth, levels, array->scratch);
    if (call->parents) {
        memset(call->parents, 0xff, (size_t)array->n * sizeof *call->parents); /* GF_NO_VERTEX */
        set_parents(&call->graph, (uint32_t)call->source, levels, call->parents);
    }
    return GF_OK;
}

/* ---- Components ------------------------------------------------------------------------------------------ */

static uint32_t root_of(uint32_t *labels, uint32_t v)
{
    while (labels[v] != v) {
        labels[v] = labels[labels[v]]; /* the next one takes half the way */
        v = labels[v];
    }
    return v;
}

gf_status gf_components_sequential(const struct gf_array_call *array, gf_error *error)
{
    const gf_csr *g = &gf_graph_call_of(array)->graph;
    uint32_t *labels = array->out;
    (void)error;
    for (int64_t v = 0; v < g->rows; v++) {
        labels[v] = (uint32_t)v;
    }
    for (int64_t u = 0; u < g->rows; u++) {
        for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            const uint32_t a = root_of(labels, (uint32_t)u), b = root_of(labels, g->indices[e]);
            if (a < b) {
                labels[b] = a;
            } else {
                labels[a] = b;
            }
        }
    }
    for (int64_t v = 0; v < g->rows; v++) {
        labels[v] = root_of(labels, (uint32_t)v);
    }
    return GF_OK;
}
