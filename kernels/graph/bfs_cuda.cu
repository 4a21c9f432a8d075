/* "auto" of bfs on CUDA: all levels in one launch, whose blocks wait for each other between two levels. From
 * above, the frontier's edges are shared out evenly; from below, each vertex that is not reached yet looks
 * for a neighbour in the frontier (S. Beamer, K. Asanović, D. Patterson, "Direction-Optimizing Breadth-First
 * Search", 2012, whose two thresholds these are). */
#include "graph/graph_cuda.cuh"

constexpr int64_t GF_BFS_BELOW =
    14; /* from below if the frontier has more than such a part of the edges left */
constexpr int64_t GF_BFS_ABOVE = 24; /* from above again if it has fewer than such a part of the vertices */
constexpr int64_t GF_BFS_ALONE = GF_WARP; /* edges that a vertex looks at alone, before its warp helps */
constexpr int64_t GF_BFS_LARGE = 1 << 14; /* edges of a vertex that all blocks look at */

/* What blocks share; zeroed before the launch. */
struct gf_bfs_state {
    uint64_t found[3]; /* vertices of a level and their edges; by turns, so that one is cleared while two are
                          in use */
    uint64_t listed;   /* the same of the list that is made when the search goes from above again */
    uint32_t large;
    uint32_t barrier;
};

struct gf_bfs_args {
    gf_graph_args g, reverse; /* reverse.offsets NULL: not there */
    int32_t *levels;
    uint32_t *parents;
    gf_bfs_state *state;
    gf_vertex_queue queue[2];
    uint32_t *large; /* vertices of so many turned edges */
    int32_t depth;   /* of the last level */
};

using gf_bfs_window = gf_expand_window<gf_queued_edges, GF_GRAPH_WINDOW>;

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

GF_DEVICE_FN void gf_bfs_begin(const gf_bfs_args &a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v < a.g.n; v += step) {
        a.levels[v] = v == a.g.source ? 0 : -1;
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

GF_DEVICE_FN void gf_bfs_down(const gf_bfs_args &a, uint64_t frontier, int32_t level, gf_bfs_window *window)
{
    uint64_t *const counter = a.state->found + level % 3;
    const gf_queued_edges edges = gf_edges_of(a.g, a.queue[(level + 1) % 2], frontier);
    gf_expand(edges, GF_GRAPH_LEAST, window,
              [&](bool is_item, const gf_queued_edges::payload &u, int64_t rank) {
                  const uint32_t v = is_item ? a.g.targets[u.first + rank] : 0;
                  gf_queue_put(a.g, a.queue[level % 2], counter, is_item && gf_bfs_reach(a, v, level), v);
              });
}

/* The list of the frontier, which a search from below has not made. */
GF_DEVICE_FN void gf_bfs_list(const gf_bfs_args &a, int32_t level)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v - gf_lane() < a.g.n; v += step) {
        const bool is_in = v < a.g.n && a.levels[v] == level;
        gf_queue_put(a.g, a.queue[level % 2], &a.state->listed, is_in, static_cast<uint32_t>(v));
    }
}

/* ---- From below --------------------------------------------------------------------------------------------- */

GF_DEVICE_FN bool gf_bfs_is_above(const gf_bfs_args &a, int64_t e, int32_t level)
{
    return gf_load_relaxed(a.levels + a.reverse.targets[e]) == level - 1;
}

/* Whether an edge from e on and before `stop` comes from the level before; by a warp, of one of its lanes'
 * vertices. */
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

GF_DEVICE_FN void gf_bfs_up(const gf_bfs_args &a, int32_t level)
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
        gf_atomic_add(a.state->found + level % 3, found);
    }
}

/* ---- Levels ------------------------------------------------------------------------------------------------- */

/* Whether to look for the next level from below; `below`: this one was found so. left: edges of vertices that
 * are not reached. */
GF_DEVICE_FN bool gf_bfs_turns(const gf_bfs_args &a, uint64_t frontier, int64_t left, bool below)
{
    if (!a.reverse.offsets) {
        return false;
    }
    return below ? gf_queue_vertices(frontier) >= a.g.n / GF_BFS_ABOVE
                 : gf_queue_edges(frontier) > left / GF_BFS_BELOW;
}

static __global__ void __launch_bounds__(GF_GRAPH_THREADS, 1) gf_bfs_levels(const gf_bfs_args a)
{
    GF_SHARED(gf_bfs_window, window, 1);
    gf_bfs_begin(a);
    gf_grid_barrier(&a.state->barrier);
    int64_t left = a.g.edges;
    bool below = false;
    for (int32_t level = 1;; level++) {
        const uint64_t frontier = gf_load_relaxed(a.state->found + (level + 2) % 3);
        if (frontier == 0 || level > a.depth) {
            return;
        }
        const bool was_below = below;
        left -= gf_queue_edges(frontier);
        below = gf_bfs_turns(a, frontier, left, below);
        if (gf_thread_index() == 0) {
            gf_store_relaxed(a.state->found + (level + 1) % 3, uint64_t(0));
        }
        if (below) {
            if (gf_thread_index() == 0) {
                gf_store_relaxed(&a.state->listed, uint64_t(0));
            }
            gf_bfs_up(a, level);
        } else {
            if (was_below) {
                gf_bfs_list(a, level - 1);
                gf_grid_barrier(&a.state->barrier);
            }
            gf_bfs_down(a, frontier, level, window);
        }
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

static gf_status find_parents(const struct gf_array_call *array, const gf_bfs_args &a, gf_error *error)
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

static gf_bfs_args args_of(const struct gf_array_call *array)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    gf_bfs_args a = {};
    a.g = a.reverse = gf_graph_args_of(array);
    a.reverse.offsets = call->reverse.offsets;
    a.reverse.targets = call->reverse.indices;
    a.levels = static_cast<int32_t *>(array->out);
    a.parents = call->parents;
    a.depth = call->depth;
    return a;
}

static size_t lay_out(const struct gf_array_call *array, gf_bfs_args *a)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    void *const memory = array->scratch;
    size_t used = 0;
    a->state = gf_scratch_array<gf_bfs_state>(memory, &used, 1);
    a->queue[0] = gf_queue_lay_out(memory, &used, array->n);
    a->queue[1] = gf_queue_lay_out(memory, &used, array->n);
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
    gf_bfs_args a = args_of(array);
    gf_launch c = {};
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_search_launch(array, &c, error));
    lay_out(array, &a);
    GF_CUDA_TRY(error, cudaMemsetAsync(a.state, 0, sizeof *a.state, c.stream));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_bfs_levels, c, a));
    return find_parents(array, a, error);
}

/* ---- As published ------------------------------------------------------------------------------------------- */

/* A thread a vertex of the frontier, which walks along its edges. queue[0]: the frontier, `count` vertices;
 * queue[1]: the next one. */
static __global__ void gf_bfs_frontier(const gf_bfs_args a, uint32_t count, int32_t level)
{
    const int64_t i = gf_thread_index();
    if (i >= count) {
        return;
    }
    const int64_t u = a.queue[0].vertices[i];
    for (int64_t e = a.g.offsets[u]; e < a.g.offsets[u + 1]; e++) {
        const uint32_t v = a.g.targets[e];
        if (gf_atomic_cas(a.levels + v, -1, level) == -1) {
            a.queue[1].vertices[gf_atomic_add(&a.state->large, 1u)] = v;
        }
    }
}

static size_t lay_out_frontier(const struct gf_array_call *array, gf_bfs_args *a)
{
    size_t used = 0;
    a->state = gf_scratch_array<gf_bfs_state>(array->scratch, &used, 1);
    a->queue[0].vertices = gf_scratch_array<uint32_t>(array->scratch, &used, array->n);
    a->queue[1].vertices = gf_scratch_array<uint32_t>(array->scratch, &used, array->n);
    return used;
}

size_t gf_bfs_frontier_cuda_scratch(const struct gf_array_call *array)
{
    gf_bfs_args a = {};
    return lay_out_frontier(array, &a);
}

gf_status gf_bfs_frontier_cuda(const struct gf_array_call *array, gf_error *error)
{
    gf_bfs_args a = args_of(array);
    const uint32_t source = static_cast<uint32_t>(a.g.source);
    const int32_t zero = 0;
    gf_launch c = {};
    c.block = dim3(array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    lay_out_frontier(array, &a);
    GF_CUDA_TRY(error,
                cudaMemsetAsync(a.levels, 0xff, static_cast<size_t>(a.g.n) * sizeof *a.levels, c.stream));
    GF_CUDA_TRY(error,
                cudaMemcpyAsync(a.levels + source, &zero, sizeof zero, cudaMemcpyHostToDevice, c.stream));
    GF_CUDA_TRY(error, cudaMemcpyAsync(a.queue[0].vertices, &source, sizeof source, cudaMemcpyHostToDevice,
                                       c.stream));
    uint32_t count = 1;
    for (int32_t level = 1; count > 0 && level <= a.depth; level++) {
        c.grid = dim3(gf_blocks(count, c.block.x));
        GF_CUDA_TRY(error, cudaMemsetAsync(a.state, 0, sizeof *a.state, c.stream));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_bfs_frontier, c, a, count, level));
        GF_CUDA_TRY(error,
                    cudaMemcpyAsync(&count, &a.state->large, sizeof count, cudaMemcpyDeviceToHost, c.stream));
        GF_CUDA_TRY(error, cudaStreamSynchronize(c.stream));
        const gf_vertex_queue next = a.queue[1];
        a.queue[1] = a.queue[0];
        a.queue[0] = next;
    }
    return find_parents(array, a, error);
}
