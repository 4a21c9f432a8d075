/* Pictures as graphs for tests: made, searched, and written down edge by edge by code that has nothing in
 * common with the library's. */
#ifndef TESTS_ARRAY_GRID_CASE_H
#define TESTS_ARRAY_GRID_CASE_H

#include "graph_case.h"

#include <float.h>
#include <math.h>

struct grid_picture {
    const char *name;
    int64_t width, height;
    int connect, join, cost;
    gf_depth type;
    void *pixels, *costs;
};

static inline int64_t grid_pixels(const struct grid_picture *p)
{
    return p->width * p->height;
}

/* ---- Kinds --------------------------------------------------------------------------------------------------- */

enum grid_kind {
    GRID_ONE,
    GRID_ROW,
    GRID_COLUMN,
    GRID_BLANK,
    GRID_TILE,
    GRID_NOISE,
    GRID_DENSE,
    GRID_BOARD,
    GRID_PATCHES,
    GRID_SPIRAL,
    GRID_SNAKE,
    GRID_NONE,
    GRID_FLOATS,
    GRID_WIDE,
    GRID_DIAGONAL,
    GRID_KINDS
};

/* Tells whether pixel (x, y) of a picture is on a way that winds inwards, two pixels apart, or to and fro. */
static inline bool grid_is_way(enum grid_kind kind, int64_t x, int64_t y, int64_t width, int64_t height)
{
    if (kind == GRID_SNAKE) {
        return y % 2 == 0 || x == (y % 4 == 1 ? width - 1 : 0);
    }
    const int64_t right = width - 1 - x, below = height - 1 - y, across = x < right ? x : right,
                  down = y < below ? y : below, ring = across < down ? across : down;
    if (ring % 2 != 0) {
        return x == ring && y == ring + 1; /* from one ring to the next */
    }
    return !(x == ring && y == ring + 1 && ring + 1 < height / 2) || ring == 0;
}

static inline double grid_value(enum grid_kind kind, int64_t x, int64_t y, const struct grid_picture *p,
                                uint64_t *state)
{
    const uint64_t draw = graph_draw(state);
    switch (kind) {
    case GRID_NOISE:
        return draw % 10 < 6;
    case GRID_DENSE:
        return draw % 10 < 9 ? 1 + (double)(draw % 3) : 0;
    case GRID_DIAGONAL: /* from tile to tile by the corners alone */
        return x == y;
    case GRID_BOARD:
        return (x + y) % 2 == 0;
    case GRID_PATCHES:
        return (double)((x / 7 * 3 + y / 5 * 5) % 4) * 300;
    case GRID_SPIRAL:
    case GRID_SNAKE:
        return grid_is_way(kind, x, y, p->width, p->height);
    case GRID_NONE:
        return 0;
    case GRID_FLOATS:
        return draw % 5 == 0 ? -0.0 : draw % 5 == 1 ? (double)NAN : draw % 5 == 2 ? -0.5 : 0.25;
    case GRID_WIDE:
        return draw % 7 == 0 ? 0 : 4294967295.0 - (double)(x / 40);
    default:
        return 1;
    }
}

static inline void grid_set(struct grid_picture *p, int64_t at, double value)
{
    if (p->type == GF_U8) {
        ((uint8_t *)p->pixels)[at] = (uint8_t)value;
    } else if (p->type == GF_U16) {
        ((uint16_t *)p->pixels)[at] = (uint16_t)value;
    } else if (p->type == GF_U32) {
        ((uint32_t *)p->pixels)[at] = (uint32_t)value;
    } else {
        ((float *)p->pixels)[at] = (float)value;
    }
}

static inline struct grid_picture grid_make(enum grid_kind kind, int connect)
{
    static const char *const names[] = {"one pixel", "a row", "a column", "blank",   "a tile",
                                        "noise",     "dense", "a board",  "patches", "a spiral",
                                        "a snake",   "none",  "floats",   "wide",    "a diagonal"};
    static const int64_t sizes[][2] = {{1, 1},   {150, 1}, {1, 131}, {70, 45},  {32, 32},
                                       {97, 70}, {65, 64}, {33, 67}, {96, 66},  {75, 71},
                                       {41, 99}, {40, 33}, {50, 60}, {127, 35}, {70, 68}};
    const bool equal = kind == GRID_DENSE || kind == GRID_PATCHES || kind == GRID_FLOATS || kind == GRID_WIDE;
    struct grid_picture p = {.name = names[kind],
                             .width = sizes[kind][0],
                             .height = sizes[kind][1],
                             .connect = connect,
                             .join = kind == GRID_BLANK ? GF_GRID_ALL
                                     : equal            ? GF_GRID_EQUAL
                                                        : GF_GRID_NONZERO,
                             .type = kind == GRID_PATCHES  ? GF_U16
                                     : kind == GRID_FLOATS ? GF_F32
                                     : kind == GRID_WIDE   ? GF_U32
                                                           : GF_U8};
    uint64_t state = (uint64_t)kind + 11;
    p.pixels = graph_memory((size_t)grid_pixels(&p) * gf_depth_size(p.type));
    for (int64_t y = 0; y < p.height; y++) {
        for (int64_t x = 0; x < p.width; x++) {
            grid_set(&p, y * p.width + x, grid_value(kind, x, y, &p, &state));
        }
    }
    return p;
}

/* Costs; spread 0: of a few sizes, 1: most of them 0, 2: so large that sums leave the type. To be freed. */
static inline void *grid_costs(int64_t n, gf_depth type, int spread)
{
    uint64_t state = 5;
    void *costs = graph_memory((size_t)n * gf_depth_size(type));
    const double most = type == GF_S32   ? 2e9
                        : type == GF_S64 ? 9e18
                        : type == GF_F32 ? (double)FLT_MAX
                                         : DBL_MAX;
    for (int64_t i = 0; i < n; i++) {
        const double u = (double)graph_draw(&state) / 2147483648.0;
        const double cost = spread == 0 ? 1 + 99 * u : spread == 1 ? floor(1.3 * u) : most * u;
        switch (type) {
        case GF_F32:
            ((float *)costs)[i] = (float)cost;
            break;
        case GF_F64:
            ((double *)costs)[i] = cost;
            break;
        case GF_S32:
            ((int32_t *)costs)[i] = (int32_t)cost;
            break;
        default:
            ((int64_t *)costs)[i] = (int64_t)cost;
            break;
        }
    }
    return costs;
}

/* ---- Written down ---------------------------------------------------------------------------------------------- */

static inline double grid_pixel(const struct grid_picture *p, int64_t at)
{
    return p->type == GF_U8    ? ((const uint8_t *)p->pixels)[at]
           : p->type == GF_U16 ? ((const uint16_t *)p->pixels)[at]
           : p->type == GF_U32 ? ((const uint32_t *)p->pixels)[at]
                               : (double)((const float *)p->pixels)[at];
}

static inline bool grid_has_edge(const struct grid_picture *p, int64_t u, int64_t v)
{
    if (p->join == GF_GRID_ALL) {
        return true;
    }
    const double a = grid_pixel(p, u), b = grid_pixel(p, v);
    return a != 0 && b != 0 && !isnan(a) && !isnan(b) && (p->join == GF_GRID_NONZERO || a == b);
}

/* The weight of the step from u to v, which is edge e. */
static inline void grid_weigh(const struct grid_picture *p, gf_depth type, int64_t u, int64_t v,
                              void *weights, int64_t e)
{
    const bool differ = p->cost == GF_GRID_DIFFERENCE;
    if (type == GF_F32) {
        const float *c = p->costs;
        ((float *)weights)[e] = differ ? fabsf(c[u] - c[v]) : c[v];
    } else if (type == GF_F64) {
        const double *c = p->costs;
        ((double *)weights)[e] = differ ? fabs(c[u] - c[v]) : c[v];
    } else if (type == GF_S32) {
        const int32_t *c = p->costs;
        ((int32_t *)weights)[e] = differ ? (int32_t)llabs((int64_t)c[u] - c[v]) : c[v]; /* none is negative */
    } else {
        const int64_t *c = p->costs;
        ((int64_t *)weights)[e] = differ ? llabs(c[u] - c[v]) : c[v];
    }
}

/* The picture with every edge, and with weights where it has costs. */
static inline struct graph grid_written_down(const struct grid_picture *p, gf_depth type)
{
    struct graph g = {.name = p->name, .n = grid_pixels(p)};
    for (int64_t u = 0; u < g.n; u++) {
        const int64_t from = u - p->width - 1, to = u + p->width + 1; /* others are not near */
        for (int64_t v = from > 0 ? from : 0; v <= to && v < g.n; v++) {
            const int64_t dx = llabs(v % p->width - u % p->width), dy = llabs(v / p->width - u / p->width);
            if (dx <= 1 && dy <= 1 && v != u && (p->connect == 8 || dx + dy == 1) && grid_has_edge(p, u, v)) {
                graph_add(&g, u, v);
            }
        }
    }
    graph_close(&g);
    if (p->costs) {
        g.weights = graph_memory((size_t)g.edges * gf_depth_size(type));
        for (int64_t u = 0; u < g.n; u++) {
            for (int64_t e = g.offsets[u]; e < g.offsets[u + 1]; e++) {
                grid_weigh(p, type, u, g.targets[e], g.weights, e);
            }
        }
    }
    return g;
}

#include "grid_run.h"

#endif
