/* "auto" of sssp on the CPU: vertices nearer than a threshold are looked at until none of them comes nearer,
 * then the threshold rises (near and far of A. Davidson, S. Baxter, M. Garland and J. Owens, "Work-Efficient
 * Parallel GPU Methods for Single-Source Shortest Paths", 2014). While they grow, distances are whole numbers
 * of 64 bits in the order of what they stand for: sums of whole weights, or the bits of a float, which as no
 * float is negative here have its order. */
#include "base/float_mode.h"
#include "base/team.h"
#include "graph/graph_call.h"
#include "graph/graph_cpu.h"
#include "graph/grid_cpu.h"

enum {
    PART = 64,        /* vertices */
    SAMPLE = 1 << 12, /* weights that delta is chosen from */
    ALONE = 1 << 13,  /* edges that the caller looks at alone */
    STEP = 16         /* delta, in mean weights of a vertex's edges */
};

struct search {
    const struct gf_graph_call *call;
    gf_depth type;
    int64_t *distances;
    uint32_t *rounds; /* of each vertex: in which it was put last among the near ones, and FAR_BIT */
    struct gf_vertices near, found, far;
    uint32_t round;
    int64_t threshold; /* below which distances are near */
    int64_t next;
    int64_t bad;
};

/* Four parts of 4 bytes, and one of 8, a vertex. */
size_t gf_sssp_cpu_scratch(const struct gf_array_call *array)
{
    return (size_t)array->n * (4 * sizeof(uint32_t) + sizeof(int64_t));
}

/* ---- Numbers --------------------------------------------------------------------------------------------- */

static int64_t number_of(gf_depth type, union gf_distance d)
{
    int32_t bits;
    memcpy(&bits, &d.single, sizeof bits);
    return type == GF_F32 ? bits : d.whole; /* of a double the same bits */
}

static union gf_distance distance_of(gf_depth type, int64_t number)
{
    union gf_distance d = {.whole = number};
    const int32_t bits = (int32_t)number;
    if (type == GF_F32) {
        memcpy(&d.single, &bits, sizeof bits);
    }
    return d;
}

static union gf_distance distance_from(gf_depth type, double value)
{
    union gf_distance d = {.wide = value};
    if (type == GF_F32) {
        d.single = (float)value;
    } else if (type != GF_F64) {
        d.whole = value >= 9e18 ? INT64_MAX : (int64_t)ceil(value);
    }
    return d;
}

static double value_of(gf_depth type, union gf_distance d)
{
    return type == GF_F32 ? (double)d.single : type == GF_F64 ? d.wide : (double)d.whole;
}

/* ---- Near ones ------------------------------------------------------------------------------------------- */

static bool lower(int64_t *p, int64_t value)
{
    int64_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (value < old) {
        if (__atomic_compare_exchange_n(p, &old, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            return true;
        }
    }
    return false;
}

/* A round's number says that the vertex stands among the near ones of that round, this bit that it stands
 * among the far ones. */
#define FAR_BIT 0x80000000U

static void put(struct search *s, struct gf_vertex_buffer near[2], uint32_t v, int64_t distance)
{
    uint32_t old = __atomic_load_n(&s->rounds[v], __ATOMIC_RELAXED), now;
    const bool is_near = distance < s->threshold;
    do {
        now = is_near ? (old & FAR_BIT) | (s->round + 1) : old | FAR_BIT;
        if (now == old) {
            return; /* it is there */
        }
    } while (!__atomic_compare_exchange_n(&s->rounds[v], &old, now, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    gf_vertex_add(&near[!is_near], v, gf_degree_of(s->call, v));
}

static void look_from(struct search *s, struct gf_vertex_buffer to[2], uint32_t u)
{
    const union gf_distance d = distance_of(s->type, __atomic_load_n(&s->distances[u], __ATOMIC_RELAXED));
    struct gf_row row;
    gf_row_of(s->call, u, &row);
    for (int64_t i = 0; i < row.count; i++) {
        const int64_t by = number_of(s->type, gf_row_add(s->call, s->type, d, &row, i));
        if (lower(&s->distances[row.targets[i]], by)) {
            put(s, to, row.targets[i], by);
        }
    }
}

static void take_near(void *argument, int thread, int threads)
{
    struct search *s = argument;
    struct gf_vertex_buffer to[2] = {{.to = &s->found, .count = 0, .edges = 0},
                                     {.to = &s->far, .count = 0, .edges = 0}};
    gf_float_mode saved;
    (void)thread;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t from, end; gf_take_part(&s->next, PART, s->near.count, &from, &end);) {
        for (int64_t i = from; i < end; i++) {
            look_from(s, to, s->near.list[i]);
        }
    }
    gf_vertex_flush(&to[0]);
    gf_vertex_flush(&to[1]);
    gf_float_mode_restore(&saved);
}

/* ---- Far ones -------------------------------------------------------------------------------------------- */

/* The least distance of the far ones that are not near already, or INT64_MAX. */
static int64_t least_of(const struct search *s)
{
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < s->far.count; i++) {
        const int64_t d = s->distances[s->far.list[i]];
        least = d >= s->threshold && d < least ? d : least;
    }
    return least;
}

/* Raises the threshold, and moves those that it passes. Those below the old one have been looked at. False:
 * nobody is left.
 */
static bool raise_threshold(struct search *s, double delta)
{
    const int64_t before = s->threshold, least = least_of(s);
    if (least == INT64_MAX) {
        return false;
    }
    const int64_t next =
        number_of(s->type, distance_from(s->type, value_of(s->type, distance_of(s->type, least)) + delta));
    struct gf_vertex_buffer near = {.to = &s->near, .count = 0, .edges = 0};
    int64_t kept = 0;
    s->threshold = next > least ? next : least + 1; /* a delta that rounding swallows */
    for (int64_t i = 0; i < s->far.count; i++) {
        const uint32_t v = s->far.list[i];
        const int64_t d = s->distances[v];
        if (d >= s->threshold) {
            s->far.list[kept++] = v;
            continue;
        }
        s->rounds[v] &= ~FAR_BIT;
        if (d >= before) {
            s->rounds[v] = s->round;
            gf_vertex_add(&near, v, gf_degree_of(s->call, v));
        }
    }
    s->far.count = kept;
    gf_vertex_flush(&near);
    return true;
}

/* ---- The search ------------------------------------------------------------------------------------------ */

/* Chooses delta for a picture, by the steps of some pixels. */
static double choose_delta_of_grid(const struct gf_graph_call *call, gf_depth type)
{
    const int64_t step = call->array.n / SAMPLE + 1;
    int64_t count = 0;
    double sum = 0;
    struct gf_row row;
    for (int64_t v = 0; v < call->array.n; v += step) {
        gf_row_of(call, (uint32_t)v, &row);
        for (int64_t i = 0; i < row.count; i++) {
            const double weight =
                value_of(type, gf_row_add(call, type, (union gf_distance){.whole = 0}, &row, i));
            count += isfinite(weight);
            sum += isfinite(weight) ? weight / 8 : 0;
        }
    }
    return count > 0 && isfinite(sum) ? STEP * sum * 8 / (double)count / call->grid.connect : 1;
}

static double choose_delta(const struct gf_graph_call *call, gf_depth type)
{
    const gf_csr *g = &call->graph;
    const int64_t step = g->entries / SAMPLE + 1, count = (g->entries + step - 1) / step;
    const double degree = (double)g->entries / (double)g->rows;
    double mean = 0;
    if (call->delta > 0) {
        return call->delta;
    }
    if (gf_graph_is_grid(call)) {
        return choose_delta_of_grid(call, type);
    }
    for (int64_t e = 0; e < g->entries; e += step) {
        const double weight =
            value_of(type, gf_distance_add(type, (union gf_distance){.whole = 0}, g->values, e));
        mean += isfinite(weight) ? weight / (double)count : 0; /* so that no sum is infinite */
    }
    return STEP * mean / (degree > 1 ? degree : 1);
}

static void settle(struct search *s, struct gf_team *team, int32_t threads)
{
    const double delta = choose_delta(s->call, s->type);
    s->threshold = number_of(s->type, distance_from(s->type, delta));
    s->threshold = s->threshold > 0 ? s->threshold : 1;
    s->near.list[0] = (uint32_t)s->call->source;
    s->near.count = 1;
    for (s->round = 1;; s->round++) {
        s->next = 0;
        if (threads == 1 || s->near.edges <= ALONE) {
            take_near(s, 0, 1);
        } else {
            gf_team_run(team, threads, take_near, s);
        }
        const struct gf_vertices done = s->near;
        s->near = s->found;
        s->found = done;
        gf_vertices_clear(&s->found);
        if (s->near.count == 0 && !raise_threshold(s, delta)) {
            return;
        }
    }
}

static void find_bad(void *argument, int thread, int threads)
{
    struct search *s = argument;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, 1 << 16, gf_weight_count(s->call), &from, &to);) {
        for (int64_t e = from; e < to; e++) {
            if (gf_weight_is_wrong(s->call, s->type, e)) {
                lower(&s->bad, e);
                break;
            }
        }
    }
}

static void lay_out(struct search *s)
{
    const size_t n = (size_t)s->call->array.n;
    s->distances = s->call->array.scratch;
    s->rounds = (uint32_t *)(s->distances + n);
    s->near.list = s->rounds + n;
    s->found.list = s->near.list + n;
    s->far.list = s->found.list + n;
    for (size_t v = 0; v < n; v++) {
        s->distances[v] = number_of(s->type, gf_distance_infinite(s->type));
    }
    s->distances[s->call->source] = 0;
    memset(s->rounds, 0, n * sizeof *s->rounds);
}

gf_status gf_sssp_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    struct search s = {.call = call, .type = array->options.type, .bad = INT64_MAX};
    struct gf_array_call work = *array;
    (void)error;
    work.n = call->graph.rows + (gf_graph_is_grid(call) ? 4 * array->n : call->graph.entries);
    const int32_t threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    struct gf_team *team = gf_team_create(threads);
    gf_team_run(team, threads, find_bad, &s);
    *call->bad = s.bad == INT64_MAX ? -1 : s.bad;
    if (array->n > 0) {
        lay_out(&s);
        if (*call->bad < 0) {
            settle(&s, team, threads);
        }
        for (int64_t v = 0; v < array->n; v++) {
            gf_distance_set(s.type, array->out, v, distance_of(s.type, s.distances[v]));
        }
    }
    gf_team_destroy(team);
    return GF_OK;
}
