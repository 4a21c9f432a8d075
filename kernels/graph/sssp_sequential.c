/* The definition of shortest ways: E. W. Dijkstra, "A note on two problems in connexion with graphs" (1959);
 * where weights are negative, R. Bellman, "On a routing problem" (1958), and L. R. Ford. Sums are rounded as
 * they grow, and rounding keeps the order of sums, so both find the least of the same sums, whatever way
 * edges are looked at. */
#include "base/float_mode.h"
#include "graph/grid_cpu.h"
#include "graph/sssp_distance.h"

struct search {
    const struct gf_graph_call *call;
    gf_depth type;
    void *distances;
    uint32_t *heap,
        *place; /* of vertices that are not settled, by distance; where each stands, or GF_NO_VERTEX */
    int64_t count;
};

size_t gf_sssp_sequential_scratch(const struct gf_array_call *array)
{
    return (size_t)array->n * 2 * sizeof(uint32_t);
}

static bool is_before(const struct search *s, uint32_t a, uint32_t b)
{
    return gf_distance_less(s->type, gf_distance_at(s->type, s->distances, a),
                            gf_distance_at(s->type, s->distances, b));
}

static void put(struct search *s, int64_t at, uint32_t v)
{
    s->heap[at] = v;
    s->place[v] = (uint32_t)at;
}

static void rise(struct search *s, int64_t at)
{
    const uint32_t v = s->heap[at];
    for (; at > 0 && is_before(s, v, s->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        put(s, at, s->heap[(at - 1) / 2]);
    }
    put(s, at, v);
}

static uint32_t take_nearest(struct search *s)
{
    const uint32_t nearest = s->heap[0], v = s->heap[--s->count];
    int64_t at = 0;
    while (2 * at + 1 < s->count) {
        int64_t below = 2 * at + 1;
        if (below + 1 < s->count && is_before(s, s->heap[below + 1], s->heap[below])) {
            below++;
        }
        if (!is_before(s, s->heap[below], v)) {
            break;
        }
        put(s, at, s->heap[below]);
        at = below;
    }
    put(s, at, v);
    return nearest;
}

static void settle(struct search *s, uint32_t source)
{
    struct gf_row row;
    for (int64_t v = 0; v < s->call->array.n; v++) {
        s->place[v] = GF_NO_VERTEX;
    }
    s->count = 1;
    put(s, 0, source);
    while (s->count > 0) {
        const uint32_t u = take_nearest(s);
        const union gf_distance d = gf_distance_at(s->type, s->distances, u);
        gf_row_of(s->call, u, &row);
        for (int64_t i = 0; i < row.count; i++) {
            const uint32_t v = row.targets[i];
            const union gf_distance by = gf_row_add(s->call, s->type, d, &row, i);
            if (gf_distance_less(s->type, by, gf_distance_at(s->type, s->distances, v))) {
                gf_distance_set(s->type, s->distances, v, by);
                if (s->place[v] == GF_NO_VERTEX) {
                    put(s, s->count++, v);
                }
                rise(s, s->place[v]);
            }
        }
    }
}

/* Looks at every edge once. A vertex that came nearer, or GF_NO_VERTEX. */
static uint32_t relax_all(struct search *s)
{
    uint32_t nearer = GF_NO_VERTEX;
    struct gf_row row;
    for (int64_t u = 0; u < s->call->array.n; u++) {
        const union gf_distance d = gf_distance_at(s->type, s->distances, u);
        gf_row_of(s->call, (uint32_t)u, &row);
        for (int64_t i = 0; i < row.count; i++) {
            const uint32_t v = row.targets[i];
            const union gf_distance by = gf_row_add(s->call, s->type, d, &row, i);
            if (gf_distance_less(s->type, by, gf_distance_at(s->type, s->distances, v))) {
                gf_distance_set(s->type, s->distances, v, by);
                nearer = v;
            }
        }
    }
    return nearer;
}

/* A way without a cycle has fewer edges than there are vertices: after so many rounds nothing comes nearer.
 */
static int64_t relax_in_rounds(struct search *s)
{
    for (int64_t round = 1; round <= s->call->array.n; round++) {
        const uint32_t nearer = relax_all(s);
        if (nearer == GF_NO_VERTEX) {
            return -1;
        }
        if (round == s->call->array.n) {
            return nearer;
        }
    }
    return -1;
}

gf_status gf_sssp_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    const gf_depth type = array->options.type;
    struct search s = {.call = call, .type = type, .distances = array->out, .heap = array->scratch};
    gf_float_mode saved;
    (void)error;
    *call->bad = -1;
    if (array->n == 0) {
        return GF_OK;
    }
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    s.place = s.heap + array->n;
    for (int64_t v = 0; v < array->n; v++) {
        gf_distance_set(type, s.distances, v, gf_distance_infinite(type));
    }
    gf_distance_set(type, s.distances, call->source, (union gf_distance){.whole = 0});
    int64_t wrong = 0;
    while (wrong < gf_weight_count(call) && !gf_weight_is_wrong(call, type, wrong)) {
        wrong++;
    }
    if (wrong == gf_weight_count(call)) {
        settle(&s, (uint32_t)call->source);
    } else if (gf_graph_is_grid(call)) {
        *call->bad = wrong;
    } else {
        *call->bad = relax_in_rounds(&s);
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}
