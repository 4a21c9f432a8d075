/* "auto" of bfs on the CPU: level by level. From above, threads take parts of the frontier; from below, parts
 * of all vertices; those that are not reached look for a neighbour in the frontier, and stop at the first (S.
 * Beamer, K. Asanović, D. Patterson, "Direction-Optimizing Breadth-First Search", 2012, whose two thresholds
 * these are). Small levels are the caller's alone: to wake the others takes longer. */
#include "base/team.h"
#include "graph/graph_call.h"
#include "graph/graph_cpu.h"

#include <stdbool.h>

enum {
    FROM_BELOW = 14,   /* if the frontier has more than such a part of the edges that are not looked at yet */
    FROM_ABOVE = 24,   /* again, if it has fewer than such a part of the vertices */
    ALONE = 1 << 14,   /* edges of a level that the caller looks at alone */
    PART = 64,         /* of the frontier */
    LARGE_PART = 4096, /* of all vertices: a multiple of what is left alone by neighbours in one line */
    SPLIT = 1 << 16    /* edges of a vertex that are not looked at by one thread */
};

struct search {
    const struct gf_graph_call *call;
    int32_t *levels;
    int32_t level; /* of the vertices to be found */
    struct gf_vertices frontier, found;
    int64_t next;   /* the first part that nobody has taken */
    uint32_t large; /* a vertex whose edges several threads look at */
};

size_t gf_bfs_cpu_scratch(const struct gf_array_call *array)
{
    return (size_t)array->n * 2 * sizeof(uint32_t);
}

static int64_t degree_of(const gf_csr *g, uint32_t v)
{
    return g->offsets[v + 1] - g->offsets[v];
}

/* ---- From above ------------------------------------------------------------------------------------------ */

static void look_down(struct search *s, struct gf_vertex_buffer *buffer, int64_t e, int64_t stop)
{
    const gf_csr *g = &s->call->graph;
    for (; e < stop; e++) {
        const uint32_t v = g->indices[e];
        int32_t none = -1;
        if (__atomic_load_n(&s->levels[v], __ATOMIC_RELAXED) == -1 &&
            __atomic_compare_exchange_n(&s->levels[v], &none, s->level, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            gf_vertex_add(buffer, v, degree_of(g, v));
        }
    }
}

/* The whole frontier where nobody else looks: no atomic exchanges, and vertices go to their list at once. */
static void look_down_alone(struct search *s)
{
    const gf_csr *g = &s->call->graph;
    struct gf_vertices found = s->found;
    for (int64_t i = 0; i < s->frontier.count; i++) {
        const uint32_t u = s->frontier.list[i];
        for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            const uint32_t v = g->indices[e];
            if (s->levels[v] == -1) {
                s->levels[v] = s->level;
                found.list[found.count++] = v;
                found.edges += degree_of(g, v);
            }
        }
    }
    s->found = found;
}

static void take_frontier(void *argument, int thread, int threads)
{
    struct search *s = argument;
    const gf_csr *g = &s->call->graph;
    struct gf_vertex_buffer buffer = {.to = &s->found, .count = 0, .edges = 0};
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, PART, s->frontier.count, &from, &to);) {
        for (int64_t i = from; i < to; i++) {
            const uint32_t u = s->frontier.list[i];
            if (degree_of(g, u) <= SPLIT) {
                look_down(s, &buffer, g->offsets[u], g->offsets[u + 1]);
            }
        }
    }
    gf_vertex_flush(&buffer);
}

static void take_edges(void *argument, int thread, int threads)
{
    struct search *s = argument;
    const gf_csr *g = &s->call->graph;
    struct gf_vertex_buffer buffer = {.to = &s->found, .count = 0, .edges = 0};
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, LARGE_PART, degree_of(g, s->large), &from, &to);) {
        look_down(s, &buffer, g->offsets[s->large] + from, g->offsets[s->large] + to);
    }
    gf_vertex_flush(&buffer);
}

static void search_down(struct search *s, struct gf_team *team, int threads)
{
    const gf_csr *g = &s->call->graph;
    const bool alone = threads == 1 || s->frontier.edges <= ALONE;
    if (alone) {
        look_down_alone(s);
        return;
    }
    s->next = 0;
    gf_team_run(team, threads, take_frontier, s);
    for (int64_t i = 0; i < s->frontier.count; i++) {
        s->large = s->frontier.list[i];
        if (degree_of(g, s->large) > SPLIT) {
            s->next = 0;
            gf_team_run(team, threads, take_edges, s);
        }
    }
}

/* ---- From below ------------------------------------------------------------------------------------------ */

static bool has_neighbour_above(const struct search *s, int64_t v)
{
    const gf_csr *r = &s->call->reverse;
    for (int64_t e = r->offsets[v]; e < r->offsets[v + 1]; e++) {
        if (__atomic_load_n(&s->levels[r->indices[e]], __ATOMIC_RELAXED) == s->level - 1) {
            return true;
        }
    }
    return false;
}

static void take_vertices(void *argument, int thread, int threads)
{
    struct search *s = argument;
    const gf_csr *g = &s->call->graph;
    struct gf_vertex_buffer buffer = {.to = &s->found, .count = 0, .edges = 0};
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, LARGE_PART, g->rows, &from, &to);) {
        for (int64_t v = from; v < to; v++) {
            if (__atomic_load_n(&s->levels[v], __ATOMIC_RELAXED) == -1 && has_neighbour_above(s, v)) {
                __atomic_store_n(&s->levels[v], s->level, __ATOMIC_RELAXED);
                gf_vertex_add(&buffer, (uint32_t)v, degree_of(g, (uint32_t)v));
            }
        }
    }
    gf_vertex_flush(&buffer);
}

/* ---- Levels ---------------------------------------------------------------------------------------------- */

static void set_levels(struct search *s, struct gf_team *team, int threads)
{
    const gf_csr *g = &s->call->graph;
    const bool has_reverse = s->call->reverse.struct_size != 0;
    int64_t left = g->entries; /* edges of vertices that are not reached */
    bool below = false;
    s->levels[s->call->source] = 0;
    s->frontier.list[0] = (uint32_t)s->call->source;
    s->frontier.count = 1;
    s->frontier.edges = degree_of(g, (uint32_t)s->call->source);
    for (s->level = 1; s->frontier.count > 0 && s->level <= s->call->depth; s->level++) {
        left -= s->frontier.edges;
        below = has_reverse && (below ? s->frontier.count >= g->rows / FROM_ABOVE
                                      : s->frontier.edges > left / FROM_BELOW && s->frontier.edges > ALONE);
        gf_vertices_clear(&s->found);
        if (below) {
            s->next = 0;
            gf_team_run(team, threads, take_vertices, s);
        } else {
            search_down(s, team, threads);
        }
        const struct gf_vertices done = s->frontier;
        s->frontier = s->found;
        s->found = done;
    }
}

/* ---- Parents --------------------------------------------------------------------------------------------- */

static void take_parents(void *argument, int thread, int threads)
{
    struct search *s = argument;
    const gf_csr *g = &s->call->graph;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, LARGE_PART, g->rows, &from, &to);) {
        for (int64_t u = from; u < to; u++) {
            for (int64_t e = g->offsets[u]; s->levels[u] >= 0 && e < g->offsets[u + 1]; e++) {
                const uint32_t v = g->indices[e];
                if (s->levels[v] == s->levels[u] + 1) {
                    gf_lower_u32(&s->call->parents[v], (uint32_t)u);
                }
            }
        }
    }
}

gf_status gf_bfs_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    struct search s = {.call = call, .levels = array->out};
    struct gf_array_call work = *array;
    (void)error;
    if (array->n == 0) {
        return GF_OK;
    }
    work.n = call->graph.rows + call->graph.entries;
    const int32_t threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    struct gf_team *team = gf_team_create(threads);
    s.frontier.list = array->scratch;
    s.found.list = s.frontier.list + array->n;
    memset(s.levels, 0xff, (size_t)array->n * sizeof *s.levels); /* -1 */
    set_levels(&s, team, threads);
    if (call->parents) {
        memset(call->parents, 0xff, (size_t)array->n * sizeof *call->parents); /* GF_NO_VERTEX */
        s.next = 0;
        gf_team_run(team, threads, take_parents, &s);
        call->parents[call->source] = (uint32_t)call->source;
    }
    gf_team_destroy(team);
    return GF_OK;
}
