/* "auto" of bfs on CUDA: all levels in one launch, whose blocks wait for each other between two levels. From
 * above, the frontier's edges are shared out evenly; from below, each vertex that is not reached yet looks
 * for a neighbour in the frontier (S. Beamer, K. Asanović, D. Patterson, "Direction-Optimizing Breadth-First
 * Search", 2012, whose two thresholds these are). */
#include "graph/bfs_cuda.cuh"
#include "graph/vertex_list_cuda.cuh"

constexpr int64_t GF_BFS_BELOW =
    14; /* from below if the frontier has more than such a part of the edges left */
constexpr int64_t GF_BFS_ABOVE = 24; /* from above again if it has fewer than such a part of the vertices */
constexpr int64_t GF_BFS_ALONE = GF_WARP; /* edges that a vertex looks at alone, before its warp helps */
constexpr int64_t GF_BFS_LARGE = 1 << 14; /* edges of a vertex that all blocks look at */

/* The edges of the queue's vertices, which know the levels of these. */
struct gf_level_edges : gf_queued_edges {
    const int32_t *levels;
    struct payload {
        int64_t first; /* edge */
        uint32_t vertex, level;
    };
    __device__ __forceinline__ payload load(int64_t i) const
    {
        const uint32_t v = queue.vertices[i];
        return {offsets[v], v, static_cast<uint32_t>(gf_load_relaxed(levels + v))};
    }
};

using gf_bfs_window = gf_expand_window<gf_level_edges, GF_GRAPH_WINDOW>;

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

GF_DEVICE_FN void gf_bfs_begin(const gf_bfs_args &a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v < a.g.n; v += step) {
        a.levels[v] = v == a.g.source ? 0 : -1;
        a.turns[v] = 0;
        if (a.reverse.offsets && gf_degree(a.reverse, v) > GF_BFS_LARGE) {
            a.large[gf_atomic_add(&a.state->large, 1u)] = static_cast<uint32_t>(v);
        }
    }
    if (gf_thread_index() == 0) {
        a.queue[0].vertices[0] = static_cast<uint32_t>(a.g.source);
        a.queue[0].bases[0] = 0;
        a.state->found[0] = gf_queue_word(gf_degree(a.g, a.g.source));
    }
}

/* ---- From above --------------------------------------------------------------------------------------------- */

GF_DEVICE_FN bool gf_bfs_reach(const gf_bfs_args &a, int64_t v, int32_t level)
{
    return gf_load_relaxed(a.levels + v) == -1 && gf_atomic_cas(a.levels + v, -1, level) == -1;
}

/* The edges of the frontier, which turn `turn` found the turn before. */
GF_DEVICE_FN gf_level_edges gf_bfs_edges(const gf_bfs_args &a, uint64_t frontier, uint32_t turn)
{
    gf_level_edges edges = {};
    static_cast<gf_queued_edges &>(edges) = gf_edges_of(a.g, a.queue[(turn + 1) % 2], frontier);
    edges.levels = a.levels;
    return edges;
}

GF_DEVICE_FN void gf_bfs_down(const gf_bfs_args &a, uint64_t frontier, uint32_t turn, int32_t level,
                              gf_bfs_window *window)
{
    uint64_t *const counter = a.state->found + turn % 3;
    gf_expand(gf_bfs_edges(a, frontier, turn), GF_GRAPH_LEAST, window,
              [&](bool is_item, const gf_level_edges::payload &u, int64_t rank) {
                  const uint32_t v = is_item ? a.g.targets[u.first + rank] : 0;
                  gf_queue_put(a.g, a.queue[turn % 2], counter, is_item && gf_bfs_reach(a, v, level), v);
              });
}

/* The list of the frontier, which a search from below has not made. */
GF_DEVICE_FN void gf_bfs_list(const gf_bfs_args &a, uint32_t turn, int32_t level)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v - gf_lane() < a.g.n; v += step) {
        const bool is_in = v < a.g.n && a.levels[v] == level;
        gf_queue_put(a.g, a.queue[(turn + 1) % 2], &a.state->listed, is_in, static_cast<uint32_t>(v));
    }
}

/* ---- From below --------------------------------------------------------------------------------------------- */

GF_DEVICE_FN bool gf_bfs_is_above(const gf_bfs_args &a, int64_t e, int32_t level)
{
    return gf_load_relaxed(a.levels + a.reverse.targets[e]) == level - 1;
}

/* Tells whether an edge from e on and before `stop` comes from the level before; a warp asks, for one of its
 * lanes' vertices. */
GF_DEVICE_FN bool gf_bfs_look_together(const gf_bfs_args &a, int64_t e, int64_t stop, int32_t level)
{
    bool found = false;
    for (; e < stop && !found; e += GF_WARP) {
        found = gf_any(e + gf_lane() < stop && gf_bfs_is_above(a, e + gf_lane(), level));
    }
    return found;
}

/* The same of each lane's own; none where `is_asked` is false. All lanes. */
GF_DEVICE_FN bool gf_bfs_look_up(const gf_bfs_args &a, bool is_asked, int64_t v, int32_t level)
{
    int64_t e = is_asked ? a.reverse.offsets[v] : 0;
    const int64_t stop = is_asked ? a.reverse.offsets[v + 1] : 0;
    const int64_t alone = stop - e < GF_BFS_ALONE ? stop : e + GF_BFS_ALONE;
    bool found = false;
    for (; e < alone && !found; e++) {
        found = gf_bfs_is_above(a, e, level);
    }
    for (uint32_t others = gf_ballot(!found && e < stop); others != 0; others &= others - 1) {
        const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(others))) - 1;
        const bool theirs = gf_bfs_look_together(a, gf_shfl(e, lane), gf_shfl(stop, lane), level);
        found = gf_lane() == lane ? theirs : found;
    }
    return found;
}

/* Vertices of many edges, which all threads look at. What the thread found. */
GF_DEVICE_FN uint64_t gf_bfs_look_at_large(const gf_bfs_args &a, int32_t level)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    uint64_t found = 0;
    for (uint32_t i = 0; i < a.state->large; i++) {
        const int64_t v = a.large[i], stop = a.reverse.offsets[v + 1];
        for (int64_t e = a.reverse.offsets[v] + gf_thread_index(); e < stop; e += step) {
            if (gf_load_relaxed(a.levels + v) != -1) {
                break;
            }
            if (gf_bfs_is_above(a, e, level) && gf_bfs_reach(a, v, level)) {
                found += gf_queue_word(gf_degree(a.g, v));
            }
        }
    }
    return found;
}

GF_DEVICE_FN void gf_bfs_up(const gf_bfs_args &a, uint32_t turn, int32_t level)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    uint64_t found = 0;
    for (int64_t v = gf_thread_index(); v - gf_lane() < a.g.n; v += step) {
        const bool is_asked =
            v < a.g.n && gf_load_relaxed(a.levels + v) == -1 && gf_degree(a.reverse, v) <= GF_BFS_LARGE;
        if (gf_bfs_look_up(a, is_asked, v, level)) {
            gf_store_relaxed(a.levels + v, level);
            found += gf_queue_word(gf_degree(a.g, v));
        }
    }
    found = gf_reduce_add(found + (GF_FAULT(cuda_bfs_large) ? 0 : gf_bfs_look_at_large(a, level)));
    if (gf_lane() == 0 && found != 0) {
        gf_atomic_add(a.state->found + turn % 3, found);
    }
}

/* ---- Levels taken together --------------------------------------------------------------------------------- */

/* Each block goes on from its share of the frontier by itself, through all levels before `limit`. On the way
 * a vertex may get too high a level, since another block has the shorter way; that one lowers it later, and
 * goes on from there. So when all have finished, levels up to `limit` are right. Vertices on that level are
 * the next frontier; among them are those before it for which a block had no room, and then the turn is said
 * to be early: the next one goes to the same level. */
struct gf_bfs_batch {
    uint32_t turn, limit;
};

/* Lowers the level of where an edge leads, and sees that somebody goes on from there. All lanes. */
GF_DEVICE_FN void gf_bfs_lower(const gf_bfs_args &a, const gf_bfs_batch &b, gf_vertex_list *list,
                               uint32_t step, bool is_item, uint32_t by, int64_t edge)
{
    uint32_t *const levels = reinterpret_cast<uint32_t *>(a.levels); /* -1: the greatest */
    const uint32_t v = is_item ? a.g.targets[edge] : 0;
    const bool is_new = is_item && gf_load_relaxed(levels + v) > by && gf_atomic_min(levels + v, by) > by;
    const bool is_kept = is_new && by < b.limit && gf_list_put(a.g, list, step, v);
    const bool is_put = is_new && !is_kept && gf_atomic_exchange(a.turns + v, b.turn) != b.turn;
    gf_queue_put(a.g, a.queue[b.turn % 2], a.state->found + b.turn % 3, is_put, v);
    if (is_new && !is_kept && by < b.limit && !GF_FAULT(cuda_bfs_early)) {
        gf_store_relaxed(a.state->early + b.turn % 3, 1u);
    }
}

GF_DEVICE_FN void gf_bfs_together(const gf_bfs_args &a, const gf_bfs_batch &b, uint64_t frontier,
                                  gf_bfs_window *window, gf_vertex_list *list)
{
    gf_list_clear(list);
    __syncthreads();
    gf_expand(gf_bfs_edges(a, frontier, b.turn), GF_GRAPH_LEAST, window,
              [&](bool is_item, const gf_level_edges::payload &u, int64_t rank) {
                  const bool is_before = u.level < b.limit;
                  const bool is_again = is_item && !is_before && rank == 0 &&
                                        gf_atomic_exchange(a.turns + u.vertex, b.turn) != b.turn;
                  gf_queue_put(a.g, a.queue[b.turn % 2], a.state->found + b.turn % 3, is_again, u.vertex);
                  gf_bfs_lower(a, b, list, 0, is_item && is_before, u.level + 1, u.first + rank);
              });
    for (uint32_t step = 0;; step++) {
        __syncthreads();
        const int count = gf_list_begin(list, step);
        if (count == 0) {
            return;
        }
        gf_list_walk(*list, step, count, [&](bool is_item, uint32_t u, int64_t edge) {
            const uint32_t level = static_cast<uint32_t>(gf_load_relaxed(a.levels + u));
            gf_bfs_lower(a, b, list, step + 1, is_item, level + 1, edge);
        });
    }
}

/* ---- Levels ------------------------------------------------------------------------------------------------- */

/* Tells whether to look for the next level from below; `below`: this one was found so. left: edges of
 * vertices that are not reached. */
GF_DEVICE_FN bool gf_bfs_turns(const gf_bfs_args &a, uint64_t frontier, int64_t left, bool below)
{
    if (!a.reverse.offsets) {
        return false;
    }
    return below ? gf_queue_vertices(frontier) >= a.g.n / GF_BFS_ABOVE
                 : gf_queue_edges(frontier) > left / GF_BFS_BELOW;
}

/* What all threads know of where the search stands. */
struct gf_bfs_stand {
    uint32_t turn; /* from 1 on */
    int32_t level; /* up to which all is right */
    uint32_t calm; /* turns in a row with few edges */
    int64_t left;  /* edges of vertices that are not reached, about */
    bool below;    /* the frontier was found from below: it is in no queue */
};

/* One turn: a level, or several. */
GF_DEVICE_FN void gf_bfs_turn(const gf_bfs_args &a, gf_bfs_stand *s, uint64_t frontier, gf_bfs_window *window,
                              gf_vertex_list *list)
{
    const bool early = gf_load_relaxed(a.state->early + (s->turn + 2) % 3) != 0, was_below = s->below;
    s->left -= gf_queue_edges(frontier);
    s->below = !early && gf_bfs_turns(a, frontier, s->left, was_below);
    s->calm = early || s->below || was_below ? 0 : gf_list_calm(s->calm, frontier);
    if (gf_thread_index() == 0) {
        gf_store_relaxed(a.state->found + (s->turn + 1) % 3, uint64_t(0));
        gf_store_relaxed(a.state->early + (s->turn + 1) % 3, 0u);
        if (s->below) {
            gf_store_relaxed(&a.state->listed, uint64_t(0));
        }
    }
    if (s->below) {
        gf_bfs_up(a, s->turn, ++s->level);
        return;
    }
    if (was_below) {
        gf_bfs_list(a, s->turn, s->level);
        gf_grid_barrier(&a.state->barrier);
    }
    if (early || s->calm > GF_LIST_CALM) {
        const int32_t steps = static_cast<int32_t>(gf_list_steps(s->calm)), left = a.depth - s->level;
        s->level += early ? 0 : steps < left ? steps : left;
        gf_bfs_together(a, {s->turn, static_cast<uint32_t>(s->level)}, frontier, window, list);
    } else {
        gf_bfs_down(a, frontier, s->turn, ++s->level, window);
    }
}

static __global__ void __launch_bounds__(GF_GRAPH_THREADS, 1) gf_bfs_levels(const gf_bfs_args a)
{
    GF_SHARED(gf_bfs_window, window, 1);
    GF_SHARED(gf_vertex_list, list, 1);
    gf_bfs_begin(a);
    gf_grid_barrier(&a.state->barrier);
    gf_bfs_stand s = {};
    s.left = a.g.edges;
    for (s.turn = 1;; s.turn++) {
        const uint64_t frontier = gf_load_relaxed(a.state->found + (s.turn + 2) % 3);
        const bool early = gf_load_relaxed(a.state->early + (s.turn + 2) % 3) != 0;
        if (frontier == 0 || (s.level >= a.depth && !early)) {
            return;
        }
        gf_bfs_turn(a, &s, frontier, window, list);
        gf_grid_barrier(&a.state->barrier);
    }
}

/* ---- Parents ------------------------------------------------------------------------------------------------ */

using gf_parents_window = gf_expand_window<gf_all_edges, GF_GRAPH_THREADS / 4>;

static __global__ void __launch_bounds__(GF_GRAPH_THREADS / 4) gf_bfs_parents(const gf_bfs_args a)
{
    GF_SHARED(gf_parents_window, window, 1);
    gf_expand(gf_edges_of(a.g), GF_GRAPH_LEAST, window,
              [&](bool is_item, const gf_all_edges::payload &u, int64_t rank) {
                  const int32_t level = is_item ? a.levels[u.vertex] : -1;
                  const uint32_t v = level >= 0 ? a.g.targets[u.first + rank] : 0;
                  if (level >= 0 && a.levels[v] == level + 1) {
                      gf_atomic_min(a.parents + v, u.vertex);
                  }
              });
    if (gf_thread_index() == 0) {
        a.parents[a.g.source] =
            static_cast<uint32_t>(a.g.source); /* which is of level 0, so nobody lowers it */
    }
}

gf_status gf_bfs_find_parents(const struct gf_array_call *array, const gf_bfs_args &a, gf_error *error)
{
    gf_launch c = {};
    if (!a.parents) {
        return GF_OK;
    }
    GF_TRY(gf_edges_launch(array, &c, error));
    GF_CUDA_TRY(error,
                cudaMemsetAsync(a.parents, 0xff, static_cast<size_t>(a.g.n) * sizeof *a.parents, c.stream));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_bfs_parents, c, a));
    return GF_OK;
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

static size_t lay_out(const struct gf_array_call *array, gf_bfs_args *a)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    void *const memory = array->scratch;
    size_t used = 0;
    a->state = gf_scratch_array<gf_bfs_state>(memory, &used, 1);
    a->queue[0] = gf_queue_lay_out(memory, &used, array->n);
    a->queue[1] = gf_queue_lay_out(memory, &used, array->n);
    a->turns = gf_scratch_array<uint32_t>(memory, &used, array->n);
    a->large = gf_scratch_array<uint32_t>(memory, &used, call->reverse.entries / GF_BFS_LARGE);
    return used;
}

size_t gf_bfs_cuda_scratch(const struct gf_array_call *array)
{
    gf_bfs_args a = {};
    return array->n > 0 ? lay_out(array, &a) : 0;
}

gf_status gf_bfs_cuda(const struct gf_array_call *array, gf_error *error)
{
    gf_bfs_args a = gf_bfs_args_of(array);
    gf_launch c = {};
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_search_launch(array, &c, error));
    lay_out(array, &a);
    GF_CUDA_TRY(error, cudaMemsetAsync(a.state, 0, sizeof *a.state, c.stream));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_bfs_levels, c, a));
    return gf_bfs_find_parents(array, a, error);
}
