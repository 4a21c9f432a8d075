/* The definitions of levels and components. */
#include "graph/grid_cpu.h"

#include <string.h>

/* ---- Levels --------------------------------------------------------------------------------------------- */

size_t gf_bfs_sequential_scratch(const struct gf_array_call *array)
{
    return (size_t)array->n * sizeof(uint32_t);
}

/* Vertices in the order in which they are reached, which is that of their levels. */
static void set_levels(const struct gf_graph_call *call, uint32_t source, int32_t depth, int32_t *levels,
                       uint32_t *queue)
{
    struct gf_row row;
    int64_t reached = 0;
    queue[reached++] = source;
    levels[source] = 0;
    for (int64_t next = 0; next < reached && levels[queue[next]] < depth; next++) {
        const uint32_t u = queue[next];
        gf_row_of(call, u, &row);
        for (int64_t i = 0; i < row.count; i++) {
            const uint32_t v = row.targets[i];
            if (levels[v] < 0) {
                levels[v] = levels[u] + 1;
                queue[reached++] = v;
            }
        }
    }
}

static void set_parents(const struct gf_graph_call *call, uint32_t source, const int32_t *levels,
                        uint32_t *parents)
{
    struct gf_row row;
    parents[source] = source;
    for (int64_t u = 0; u < call->array.n; u++) {
        gf_row_of(call, (uint32_t)u, &row);
        for (int64_t i = 0; levels[u] >= 0 && i < row.count; i++) {
            const uint32_t v = row.targets[i];
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
    set_levels(call, (uint32_t)call->source, call->depth, levels, array->scratch);
    if (call->parents) {
        memset(call->parents, 0xff, (size_t)array->n * sizeof *call->parents); /* GF_NO_VERTEX */
        set_parents(call, (uint32_t)call->source, levels, call->parents);
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
    const struct gf_graph_call *call = gf_graph_call_of(array);
    uint32_t *labels = array->out;
    struct gf_row row;
    (void)error;
    for (int64_t v = 0; v < array->n; v++) {
        labels[v] = (uint32_t)v;
    }
    for (int64_t u = 0; u < array->n; u++) {
        gf_row_of(call, (uint32_t)u, &row);
        for (int64_t i = 0; i < row.count; i++) {
            const uint32_t a = root_of(labels, (uint32_t)u), b = root_of(labels, row.targets[i]);
            if (a < b) {
                labels[b] = a;
            } else {
                labels[a] = b;
            }
        }
    }
    for (int64_t v = 0; v < array->n; v++) {
        labels[v] = root_of(labels, (uint32_t)v);
    }
    return GF_OK;
}
