/* What leaves a vertex, on the CPU, whether the graph is one in rows or a picture. */
#pragma once

#include "graph/graph_call.h"
#include "graph/grid.h"
#include "graph/sssp_distance.h"

/* A row of the graph. The targets of a picture are worked out, into `room`. */
struct gf_row {
    uint32_t vertex;
    int64_t first, count; /* of edges in rows; first means nothing for a picture */
    const uint32_t *targets;
    uint32_t room[8];
};

static inline void gf_grid_row_of(const gf_grid *g, uint32_t v, struct gf_row *row)
{
    const int64_t x = v % g->width, y = v / g->width;
    const uint32_t key = gf_grid_key(g, v);
    row->targets = row->room;
    row->count = 0;
    for (int way = 0; key != 0 && way < g->connect; way++) {
        const int64_t to_x = x + gf_grid_dx(way), to_y = y + gf_grid_dy(way), to = to_y * g->width + to_x;
        if (to_x >= 0 && to_x < g->width && to_y >= 0 && to_y < g->height && gf_grid_key(g, to) == key) {
            row->room[row->count++] = (uint32_t)to;
        }
    }
}

static inline void gf_row_of(const struct gf_graph_call *call, uint32_t v, struct gf_row *row)
{
    const gf_csr *g = &call->graph;
    row->vertex = v;
    row->first = 0;
    if (gf_graph_is_grid(call)) {
        gf_grid_row_of(&call->grid, v, row);
        return;
    }
    row->first = g->offsets[v];
    row->count = g->offsets[v + 1] - row->first;
    row->targets = g->indices + row->first;
}

/* Returns how many edges leave a vertex, about: for a picture as many as there can be. */
static inline int64_t gf_degree_of(const struct gf_graph_call *call, uint32_t v)
{
    return gf_graph_is_grid(call) ? call->grid.connect : call->graph.offsets[v + 1] - call->graph.offsets[v];
}

/* Returns what two whole costs differ by, at most the greatest number. */
static inline int64_t gf_cost_difference(int64_t a, int64_t b)
{
    const uint64_t apart = a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
    return apart > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)apart;
}

/* A distance, longer by a step between pixels whose costs differ by so much. */
static inline union gf_distance gf_distance_add_difference(gf_depth type, union gf_distance d,
                                                           const void *costs, uint32_t u, uint32_t v)
{
    switch (type) {
    case GF_F32:
        d.single += fabsf(((const float *)costs)[u] - ((const float *)costs)[v]);
        break;
    case GF_F64:
        d.wide += fabs(((const double *)costs)[u] - ((const double *)costs)[v]);
        break;
    case GF_S32:
        d.whole = gf_distance_add_whole(
            d.whole, gf_cost_difference(((const int32_t *)costs)[u], ((const int32_t *)costs)[v]));
        break;
    default:
        d.whole = gf_distance_add_whole(
            d.whole, gf_cost_difference(((const int64_t *)costs)[u], ((const int64_t *)costs)[v]));
        break;
    }
    return d;
}

/* A distance of the row's vertex, longer by its edge i. */
static inline union gf_distance gf_row_add(const struct gf_graph_call *call, gf_depth type,
                                           union gf_distance d, const struct gf_row *row, int64_t i)
{
    static const struct {
        int32_t s32;
        int64_t s64;
        float f32;
        double f64;
    } one = {1, 1, 1, 1};
    const gf_grid *g = &call->grid;
    if (!gf_graph_is_grid(call)) {
        return gf_distance_add(type, d, call->graph.values, row->first + i);
    }
    if (!g->costs) {
        const void *cost = type == GF_F32   ? (const void *)&one.f32
                           : type == GF_F64 ? (const void *)&one.f64
                           : type == GF_S32 ? (const void *)&one.s32
                                            : (const void *)&one.s64;
        return gf_distance_add(type, d, cost, 0);
    }
    return g->cost == GF_GRID_DIFFERENCE
               ? gf_distance_add_difference(type, d, g->costs, row->vertex, row->targets[i])
               : gf_distance_add(type, d, g->costs, row->targets[i]);
}

/* How many edges, or pixels of a picture, have a weight, or a cost; and whether one's is wrong. */
static inline int64_t gf_weight_count(const struct gf_graph_call *call)
{
    return !gf_graph_is_grid(call) ? call->graph.entries : call->grid.costs ? call->array.n : 0;
}

static inline bool gf_weight_is_wrong(const struct gf_graph_call *call, gf_depth type, int64_t e)
{
    const gf_grid *g = &call->grid;
    if (!gf_graph_is_grid(call)) {
        return gf_weight_is_bad(type, call->graph.values, e);
    }
    if (gf_grid_key(g, e) == 0) {
        return false; /* no edge leads there */
    }
    return g->cost != GF_GRID_DIFFERENCE ? gf_weight_is_bad(type, g->costs, e)
           : type == GF_F32              ? !isfinite(((const float *)g->costs)[e])
           : type == GF_F64              ? !isfinite(((const double *)g->costs)[e])
                                         : false;
}
