/* What the CPU's searches share: lists of vertices that several threads add to, and parts of work that they
 * take. */
#pragma once

#include <stdint.h>
#include <string.h>

/* A list with room for every vertex; `edges` leave them in all. */
struct gf_vertices {
    uint32_t *list;
    int64_t count, edges;
};

/* What a thread adds: it takes room in the list for many at once. */
struct gf_vertex_buffer {
    struct gf_vertices *to;
    int32_t count;
    int64_t edges;
    uint32_t held[1024];
};

static inline void gf_vertices_clear(struct gf_vertices *v)
{
    v->count = v->edges = 0;
}

static inline void gf_vertex_flush(struct gf_vertex_buffer *b)
{
    if (b->count > 0) {
        const int64_t at = __atomic_fetch_add(&b->to->count, b->count, __ATOMIC_RELAXED);
        memcpy(b->to->list + at, b->held, (size_t)b->count * sizeof *b->held);
        __atomic_fetch_add(&b->to->edges, b->edges, __ATOMIC_RELAXED);
    }
    b->count = 0;
    b->edges = 0;
}

static inline void gf_vertex_add(struct gf_vertex_buffer *b, uint32_t v, int64_t edges)
{
    if (b->count == (int32_t)(sizeof b->held / sizeof *b->held)) {
        gf_vertex_flush(b);
    }
    b->held[b->count++] = v;
    b->edges += edges;
}

/* The next `step` of n that nobody has taken: [*from, *to). False: none are left. */
static inline int gf_take_part(int64_t *next, int64_t step, int64_t n, int64_t *from, int64_t *to)
{
    *from = __atomic_fetch_add(next, step, __ATOMIC_RELAXED);
    *to = *from + step < n ? *from + step : n;
    return *from < n;
}

/* Lowers *p to value; whether it was higher. */
static inline int gf_lower_u32(uint32_t *p, uint32_t value)
{
    uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (value < old) {
        if (__atomic_compare_exchange_n(p, &old, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            return 1;
        }
    }
    return 0;
}
