/* "auto" of bfs and components of pictures on the CPU. Levels are those of bfs_cpu.c, from above only: a
 * pixel has few edges. Sets begin as runs of a row, which are then united with the row above. */
#include "graph/grid_cpu.h"
#include "base/team.h"
#include "graph/graph_cpu.h"
#include "graph/labels_cpu.h"

#include <string.h>

enum {
    ALONE = 1 << 12, /* pixels of a level that the caller looks at alone */
    PART = 256,      /* of a level */
    PIXELS = 1 << 14 /* a part of a picture, about */
};

struct pass {
    const struct gf_graph_call *call;
    int32_t *levels, level;
    uint32_t *labels;
    struct gf_vertices frontier, found;
    int64_t next;
};

static int32_t threads_of(const struct gf_array_call *array)
{
    struct gf_array_call work = *array;
    work.n = array->n * 4;
    return gf_array_threads(&work, GF_ARRAY_PAYS);
}

/* Rows that a thread takes at once. */
static int64_t rows_at_once(const gf_grid *g)
{
    return g->width < PIXELS ? PIXELS / g->width : 1;
}

/* ---- Levels ---------------------------------------------------------------------------------------------- */

size_t gf_grid_bfs_cpu_scratch(const struct gf_array_call *array)
{
    return (size_t)array->n * 2 * sizeof(uint32_t);
}

static void take_frontier(void *argument, int thread, int threads)
{
    struct pass *s = argument;
    struct gf_vertex_buffer buffer = {.to = &s->found, .count = 0, .edges = 0};
    struct gf_row row;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, PART, s->frontier.count, &from, &to);) {
        for (int64_t i = from; i < to; i++) {
            gf_grid_row_of(&s->call->grid, s->frontier.list[i], &row);
            for (int64_t k = 0; k < row.count; k++) {
                int32_t none = -1, *level = &s->levels[row.targets[k]];
                if (__atomic_load_n(level, __ATOMIC_RELAXED) == -1 &&
                    __atomic_compare_exchange_n(level, &none, s->level, 0, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED)) {
                    gf_vertex_add(&buffer, row.targets[k], 0);
                }
            }
        }
    }
    gf_vertex_flush(&buffer);
}

/* Takes as each pixel's parent the smallest pixel of the level before that it has an edge with. */
static void take_parents(void *argument, int thread, int threads)
{
    struct pass *s = argument;
    struct gf_row row;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, PIXELS, s->call->array.n, &from, &to);) {
        for (int64_t v = from; v < to; v++) {
            uint32_t parent = GF_NO_VERTEX;
            row.count = 0;
            if (s->levels[v] > 0) {
                gf_grid_row_of(&s->call->grid, (uint32_t)v, &row);
            }
            for (int64_t k = 0; k < row.count; k++) {
                const uint32_t u = row.targets[k];
                parent = s->levels[u] == s->levels[v] - 1 && u < parent ? u : parent;
            }
            s->call->parents[v] = parent;
        }
    }
}

gf_status gf_grid_bfs_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    const int32_t threads = threads_of(array);
    struct pass s = {.call = call, .levels = array->out};
    (void)error;
    if (array->n == 0) {
        return GF_OK;
    }
    struct gf_team *team = gf_team_create(threads);
    s.frontier.list = array->scratch;
    s.found.list = s.frontier.list + array->n;
    memset(s.levels, 0xff, (size_t)array->n * sizeof *s.levels); /* -1 */
    s.levels[call->source] = 0;
    s.frontier.list[0] = (uint32_t)call->source;
    s.frontier.count = 1;
    for (s.level = 1; s.frontier.count > 0; s.level++) {
        s.next = 0;
        gf_vertices_clear(&s.found);
        if (s.frontier.count <= ALONE) {
            take_frontier(&s, 0, 1);
        } else {
            gf_team_run(team, threads, take_frontier, &s);
        }
        const struct gf_vertices done = s.frontier;
        s.frontier = s.found;
        s.found = done;
    }
    if (call->parents) {
        s.next = 0;
        gf_team_run(team, threads, take_parents, &s);
        call->parents[call->source] = (uint32_t)call->source;
    }
    gf_team_destroy(team);
    return GF_OK;
}

/* ---- Components ------------------------------------------------------------------------------------------ */

/* Each pixel of a run is labelled by the first: a tree of one level. */
static void take_runs(void *argument, int thread, int threads)
{
    struct pass *s = argument;
    const gf_grid *g = &s->call->grid;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, rows_at_once(g), g->height, &from, &to);) {
        for (int64_t y = from; y < to; y++) {
            uint32_t first = 0, before = 0;
            for (int64_t x = 0; x < g->width; x++) {
                const int64_t v = y * g->width + x;
                const uint32_t key = gf_grid_key(g, v);
                first = key != 0 && key == before ? first : (uint32_t)v;
                before = key;
                s->labels[v] = first;
            }
        }
    }
}

/* Unites v with those above it of its key, unless the pixel in front of it did so for both runs. */
static void unite_above(struct pass *s, int64_t x, int64_t v)
{
    const gf_grid *g = &s->call->grid;
    const int64_t above = v - g->width;
    const uint32_t key = gf_grid_key(g, v);
    const bool goes_on = x > 0 && gf_grid_key(g, v - 1) == key;
    const bool left = x > 0 && gf_grid_key(g, above - 1) == key, up = gf_grid_key(g, above) == key;
    const bool right = x + 1 < g->width && gf_grid_key(g, above + 1) == key, corners = g->connect == 8;
    if (key == 0) {
        return;
    }
    if (up && !(goes_on && left)) {
        gf_unite_labels(s->labels, gf_root_of_label(s->labels, (uint32_t)v), (uint32_t)above);
    }
    if (corners && !up && left && !goes_on) {
        gf_unite_labels(s->labels, gf_root_of_label(s->labels, (uint32_t)v), (uint32_t)above - 1);
    }
    if (corners && !up && right) {
        gf_unite_labels(s->labels, gf_root_of_label(s->labels, (uint32_t)v), (uint32_t)above + 1);
    }
}

static void take_rows(void *argument, int thread, int threads)
{
    struct pass *s = argument;
    const gf_grid *g = &s->call->grid;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, rows_at_once(g), g->height, &from, &to);) {
        for (int64_t y = from > 0 ? from : 1; y < to; y++) {
            for (int64_t x = 0; x < g->width; x++) {
                unite_above(s, x, y * g->width + x);
            }
        }
    }
}

static void take_roots(void *argument, int thread, int threads)
{
    struct pass *s = argument;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, PIXELS, s->call->array.n, &from, &to);) {
        for (int64_t v = from; v < to; v++) {
            __atomic_store_n(&s->labels[v], gf_root_of_label(s->labels, (uint32_t)v), __ATOMIC_RELAXED);
        }
    }
}

gf_status gf_grid_components_cpu(const struct gf_array_call *array, gf_error *error)
{
    const int32_t threads = threads_of(array);
    struct pass s = {.call = gf_graph_call_of(array), .labels = array->out};
    (void)error;
    if (array->n == 0) {
        return GF_OK;
    }
    struct gf_team *team = gf_team_create(threads);
    gf_team_run(team, threads, take_runs, &s);
    s.next = 0;
    gf_team_run(team, threads, take_rows, &s);
    s.next = 0;
    gf_team_run(team, threads, take_roots, &s);
    gf_team_destroy(team);
    return GF_OK;
}
