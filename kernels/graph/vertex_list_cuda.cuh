/* Vertices of few edges that a block looks at itself, one after the other, without waiting for other blocks:
 * where a search goes through thousands of small levels, the time goes with waiting. */
#ifndef GF_GRAPH_VERTEX_LIST_CUDA_CUH
#define GF_GRAPH_VERTEX_LIST_CUDA_CUH

#include "graph/graph_cuda.cuh"

constexpr int GF_LIST_ROOM = 512, GF_LIST_LANES = 8; /* lanes that look at the edges of a vertex */
constexpr int64_t GF_LIST_DEGREE = 64;               /* edges of a vertex at most */
constexpr int64_t GF_LIST_EDGES = 1 << 15; /* edges of all blocks at most, so that nobody waits for long */
constexpr uint32_t GF_LIST_CALM = 4;       /* levels of no more before the first that blocks do alone */
constexpr uint32_t GF_LIST_STEPS = 32;     /* levels between two barriers at most */

/* The list that is looked at and the next one, in shared memory. */
struct gf_vertex_list {
    int64_t firsts[2][GF_LIST_ROOM]; /* edge */
    uint32_t vertices[2][GF_LIST_ROOM], degrees[2][GF_LIST_ROOM];
    uint32_t count[3]; /* by turns, so that one is cleared while two are in use */
};

/* All threads call it; all see it behind the next barrier. */
GF_DEVICE_FN void gf_list_clear(gf_vertex_list *list)
{
    if (gf_thread() < 3) {
        list->count[gf_thread()] = 0;
    }
}

/* Tells whether there was room for the vertex in the list of step `step`. Without edges it needs none. */
GF_DEVICE_FN bool gf_list_put(const gf_graph_args &g, gf_vertex_list *list, uint32_t step, uint32_t v)
{
    const int64_t first = g.offsets[v], degree = g.offsets[v + 1] - first;
    if (degree == 0 || degree > GF_LIST_DEGREE) {
        return degree == 0;
    }
    const uint32_t at = gf_atomic_add(list->count + step % 3, 1u);
    if (at >= GF_LIST_ROOM) {
        return false;
    }
    list->vertices[step % 2][at] = v;
    list->firsts[step % 2][at] = first;
    list->degrees[step % 2][at] = static_cast<uint32_t>(degree);
    return true;
}

/* Returns how many vertices step `step` has; behind a barrier, by all threads. Makes room for those of the
 * step after the next. */
GF_DEVICE_FN int gf_list_begin(gf_vertex_list *list, uint32_t step)
{
    const uint32_t count = list->count[step % 3];
    if (gf_thread() == 0) {
        list->count[(step + 2) % 3] = 0;
    }
    return static_cast<int>(count < GF_LIST_ROOM ? count : GF_LIST_ROOM);
}

/* Calls body(is_item, vertex, edge) for each edge of the step's vertices, in all lanes of a warp together. */
template <class Body>
GF_DEVICE_FN void gf_list_walk(const gf_vertex_list &list, uint32_t step, int count, Body &&body)
{
    const int vertices = GF_WARP / GF_LIST_LANES, warps = static_cast<int>(blockDim.x) / GF_WARP;
    const uint32_t lane = gf_lane() % GF_LIST_LANES;
    for (int base = static_cast<int>(gf_warp()) * vertices; base < count; base += warps * vertices) {
        const int i = base + static_cast<int>(gf_lane()) / GF_LIST_LANES, at = i < count ? i : base;
        const uint32_t degree = i < count ? list.degrees[step % 2][at] : 0, v = list.vertices[step % 2][at];
        const int64_t first = list.firsts[step % 2][at];
        for (uint32_t e = lane; gf_any(e < degree); e += GF_LIST_LANES) {
            body(e < degree, v, first + e);
        }
    }
}

/* Returns how many turns in a row had few edges, with this one: blocks do steps alone when some had. */
GF_DEVICE_FN uint32_t gf_list_calm(uint32_t calm, uint64_t word)
{
    return gf_queue_edges(word) <= GF_LIST_EDGES ? calm + 1 : 0;
}

/* Returns how many steps then: 1 to begin with, twice as many each time. */
GF_DEVICE_FN uint32_t gf_list_steps(uint32_t calm)
{
    const uint32_t doubled = calm > GF_LIST_CALM ? calm - GF_LIST_CALM : 0;
    return doubled >= 5 ? GF_LIST_STEPS : uint32_t(1) << doubled;
}

#endif
