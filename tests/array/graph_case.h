/* Graphs for tests of what runs on them: made edge by edge, in memory of any device. */
#ifndef TESTS_ARRAY_GRAPH_CASE_H
#define TESTS_ARRAY_GRAPH_CASE_H

#include "array_case.h"

#include "gpufilter/graph.h"

struct graph {
    const char *name;
    int64_t n, edges, room;
    uint32_t *from, *to; /* in the order in which they were added */
    int64_t *offsets;    /* by graph_close */
    uint32_t *targets;
    void *weights;
    bool both_ways;
};

static inline void *graph_memory(size_t bytes)
{
    void *block = calloc(1, bytes + 1);
    if (!block) {
        abort();
    }
    return block;
}

static inline uint64_t graph_draw(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

static inline void graph_add(struct graph *g, int64_t u, int64_t v)
{
    if (g->edges == g->room) {
        g->room = g->room > 0 ? 2 * g->room : 64;
        g->from = realloc(g->from, (size_t)g->room * sizeof *g->from);
        g->to = realloc(g->to, (size_t)g->room * sizeof *g->to);
        if (!g->from || !g->to) {
            abort();
        }
    }
    g->from[g->edges] = (uint32_t)u;
    g->to[g->edges++] = (uint32_t)v;
}

/* Sorts edges into rows, with their turned ones where both_ways. */
static inline void graph_close(struct graph *g)
{
    const int64_t given = g->edges;
    for (int64_t e = 0; g->both_ways && e < given; e++) {
        graph_add(g, g->to[e], g->from[e]);
    }
    g->offsets = graph_memory((size_t)(g->n + 2) * sizeof *g->offsets);
    g->targets = graph_memory((size_t)g->edges * sizeof *g->targets);
    for (int64_t e = 0; e < g->edges; e++) {
        g->offsets[g->from[e] + 1]++;
    }
    for (int64_t v = 0; v < g->n; v++) {
        g->offsets[v + 1] += g->offsets[v];
    }
    int64_t *next = graph_memory((size_t)(g->n + 1) * sizeof *next);
    memcpy(next, g->offsets, (size_t)g->n * sizeof *next);
    for (int64_t e = 0; e < g->edges; e++) {
        g->targets[next[g->from[e]]++] = g->to[e];
    }
    free(next);
}

static inline void graph_free(struct graph *g)
{
    free(g->from);
    free(g->to);
    free(g->offsets);
    free(g->targets);
    free(g->weights);
    *g = (struct graph){.n = 0};
}

/* ---- Kinds ------------------------------------------------------------------------------------------------ */

enum graph_kind {
    GRAPH_ONE,
    GRAPH_LOOP,
    GRAPH_PATH,
    GRAPH_STAR,
    GRAPH_GRID,
    GRAPH_TREE,
    GRAPH_SPARSE,
    GRAPH_DENSE,
    GRAPH_SKEW,
    GRAPH_APART,
    GRAPH_CYCLE,
    GRAPH_ARROW,
    GRAPH_DOUBLE,
    GRAPH_BROOM,
    GRAPH_HUB,
    GRAPH_KINDS
};

static inline void graph_add_random(struct graph *g, int64_t count, bool skewed, uint64_t seed)
{
    uint64_t state = seed;
    for (int64_t i = 0; i < count; i++) {
        int64_t u = (int64_t)(graph_draw(&state) % (uint64_t)g->n),
                v = (int64_t)(graph_draw(&state) % (uint64_t)g->n);
        for (int k = 0; skewed && k < 4; k++) {
            u = u * (int64_t)(graph_draw(&state) % 1024) / 1024;
        }
        graph_add(g, u, v);
    }
}

/* The graph of a kind. */
static inline struct graph graph_make(enum graph_kind kind)
{
    static const char *const names[] = {"one vertex", "a loop",  "path",        "star",   "grid",
                                        "tree",       "sparse",  "dense",       "skewed", "apart",
                                        "cycle",      "one way", "edges twice", "broom",  "hub"};
    static const int64_t sizes[] = {1,    1,   700, 3000, 31 * 40, 1500, 2000, 120,
                                    3000, 900, 333, 400,  90,      2500, 40000};
    struct graph g = {
        .name = names[kind], .n = sizes[kind], .both_ways = kind != GRAPH_CYCLE && kind != GRAPH_ARROW};
    for (int64_t i = 1; i < g.n; i++) {
        if (kind == GRAPH_PATH || kind == GRAPH_ARROW || kind == GRAPH_CYCLE) {
            graph_add(&g, i - 1, i);
        } else if (kind == GRAPH_STAR) {
            graph_add(&g, 7, i - (i <= 7));
        } else if (kind == GRAPH_TREE) {
            graph_add(&g, (i - 1) / 3, i);
        } else if (kind == GRAPH_APART && i % 100 != 0 && i % 7 != 0) {
            graph_add(&g, i - 1, i);
        } else if (kind == GRAPH_HUB && i > 2 && i % 5 != 4) {
            graph_add(&g, i < 20000 ? 1 : 2, i); /* each seen from more than 16 384 */
            graph_add(&g, i % 2 ? 1 : 2, i);
        } else if (kind == GRAPH_BROOM) { /* a path to a vertex of many, and one from there that is a long way
                                             round */
            graph_add(&g, i < 60 || i > 2060 ? i - 1 : i < 1060 ? 59 : i - 1000, i);
        }
    }
    for (int64_t i = 0; kind == GRAPH_GRID && i < g.n; i++) {
        if (i % 31 < 30) {
            graph_add(&g, i, i + 1);
        }
        if (i + 31 < g.n) {
            graph_add(&g, i, i + 31);
        }
    }
    switch (kind) {
    case GRAPH_LOOP:
        graph_add(&g, 0, 0);
        break;
    case GRAPH_CYCLE:
        graph_add(&g, g.n - 1, 0);
        break;
    case GRAPH_SPARSE:
        graph_add_random(&g, g.n, false, 3);
        break;
    case GRAPH_DENSE:
        graph_add_random(&g, 4000, false, 4);
        break;
    case GRAPH_SKEW:
        graph_add_random(&g, 20000, true, 5);
        break;
    case GRAPH_DOUBLE:
        graph_add_random(&g, 300, false, 6);
        graph_add_random(&g, 300, false, 6);
        break;
    case GRAPH_HUB:
        graph_add(&g, 0, 39999);
        break;
    case GRAPH_BROOM:
        graph_add(&g, 1500, 2400);
        graph_add(&g, 30, 2250);
        break;
    default:
        break;
    }
    graph_close(&g);
    return g;
}

/* ---- Memory of a device ------------------------------------------------------------------------------------ */

enum { GRAPH_OFFSETS, GRAPH_TARGETS, GRAPH_WEIGHTS, GRAPH_ARRAYS };

static inline gf_csr graph_upload(const struct graph *g, size_t weight, gf_device device,
                                  struct array_memory m[GRAPH_ARRAYS])
{
    const size_t bytes[] = {(size_t)(g->n + 1) * 8, (size_t)g->edges * 4, (size_t)g->edges * weight};
    const size_t element[] = {8, 4, weight > 0 ? weight : 1};
    const void *from[] = {g->offsets, g->targets, g->weights};
    for (int i = 0; i < GRAPH_ARRAYS; i++) {
        CHECK(array_memory_make(&m[i], device, bytes[i], (size_t)array_next_offset(element[i]) * element[i]));
        if (bytes[i] > 0) {
            array_memory_upload(&m[i], from[i]);
        }
    }
    return (gf_csr){sizeof(gf_csr),
                    g->n,
                    g->n,
                    g->edges,
                    m[GRAPH_OFFSETS].data,
                    m[GRAPH_TARGETS].data,
                    weight > 0 ? m[GRAPH_WEIGHTS].data : NULL};
}

static inline void graph_release(struct array_memory m[GRAPH_ARRAYS])
{
    for (int i = 0; i < GRAPH_ARRAYS; i++) {
        array_memory_end(&m[i], "an input");
    }
}

#endif
