/* What graphs on CUDA share: their edges shared out evenly, and queues of vertices that live on the device.
 */
#ifndef GF_GRAPH_GRAPH_CUDA_CUH
#define GF_GRAPH_GRAPH_CUDA_CUH

#include "array/common/expand_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "graph/graph_call.h"

constexpr int GF_GRAPH_THREADS = 1024; /* of a block of a search, one on each multiprocessor */
constexpr int GF_GRAPH_WINDOW = 1024;
constexpr int64_t GF_GRAPH_LEAST = 512; /* vertices and edges that are worth a block */

struct gf_graph_args {
    int64_t n, edges, source;
    const int64_t *offsets;
    const uint32_t *targets;
};

static inline gf_graph_args gf_graph_args_of(const struct gf_array_call *array)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    gf_graph_args g = {};
    g.n = call->graph.rows;
    g.edges = call->graph.entries;
    g.source = call->source;
    g.offsets = call->graph.offsets;
    g.targets = call->graph.indices;
    return g;
}

/* The element as some cache holds it, which another thread may have changed since: for values that fall,
 * where an old one costs another round, and no more. A plain load, which unlike a relaxed one may come from
 * the first cache. */
template <class T> GF_DEVICE_FN T gf_load_stale(const T *p)
{
#ifdef GF_EMU
    return gf_load_relaxed(p);
#else
    return *p;
#endif
}

GF_DEVICE_FN int64_t gf_degree(const gf_graph_args &g, int64_t v)
{
    return g.offsets[v + 1] - g.offsets[v];
}

/* ---- Segments ----------------------------------------------------------------------------------------------- */

/* The edges of all vertices. */
struct gf_all_edges {
    int64_t count, items;
    const int64_t *offsets;

    struct payload {
        int64_t first; /* edge */
        uint32_t vertex;
    };
    __device__ __forceinline__ int64_t base(int64_t i) const { return offsets[i]; }
    __device__ __forceinline__ payload load(int64_t i) const
    {
        return {offsets[i], static_cast<uint32_t>(i)};
    }
};

GF_DEVICE_FN gf_all_edges gf_edges_of(const gf_graph_args &g)
{
    return {g.n, g.edges, g.offsets};
}

/* ---- Queues ------------------------------------------------------------------------------------------------- */

/* Vertices that wait to be looked at, each with how many edges those before it have: segments as they stand.
 * Vertices and edges are counted in one word, so that both are added to at once. */
constexpr int GF_QUEUE_BITS = 36; /* of the edges */

struct gf_vertex_queue {
    uint32_t *vertices;
    uint64_t *bases;
};

GF_DEVICE_FN uint64_t gf_queue_word(int64_t edges)
{
    return uint64_t(1) << GF_QUEUE_BITS | static_cast<uint64_t>(edges);
}
GF_DEVICE_FN int64_t gf_queue_vertices(uint64_t word)
{
    return static_cast<int64_t>(word >> GF_QUEUE_BITS);
}
GF_DEVICE_FN int64_t gf_queue_edges(uint64_t word)
{
    return static_cast<int64_t>(word & ((uint64_t(1) << GF_QUEUE_BITS) - 1));
}

/* Puts the vertices of a warp's lanes for which `is_new` into the queue. All lanes. */
GF_DEVICE_FN void gf_queue_put(const gf_graph_args &g, const gf_vertex_queue &queue, uint64_t *counter,
                               bool is_new, uint32_t v)
{
    if (!gf_any(is_new)) {
        return;
    }
    const uint64_t before = gf_warp_take(counter, is_new ? gf_queue_word(gf_degree(g, v)) : 0);
    if (is_new) {
        queue.vertices[gf_queue_vertices(before)] = v;
        queue.bases[gf_queue_vertices(before)] = static_cast<uint64_t>(gf_queue_edges(before));
    }
}

/* The edges of the queue's vertices. */
struct gf_queued_edges {
    int64_t count, items;
    gf_vertex_queue queue;
    const int64_t *offsets;

    using payload = gf_all_edges::payload;
    __device__ __forceinline__ int64_t base(int64_t i) const
    {
        return i < count ? static_cast<int64_t>(queue.bases[i]) : items;
    }
    __device__ __forceinline__ payload load(int64_t i) const
    {
        const uint32_t v = queue.vertices[i];
        return {offsets[v], v};
    }
};

GF_DEVICE_FN gf_queued_edges gf_edges_of(const gf_graph_args &g, const gf_vertex_queue &queue, uint64_t word)
{
    return {gf_queue_vertices(word), gf_queue_edges(word), queue, g.offsets};
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* gf_scratch_take for an array. */
template <class T> static inline T *gf_scratch_array(void *memory, size_t *used, int64_t n)
{
    return static_cast<T *>(gf_scratch_take(memory, used, static_cast<size_t>(n) * sizeof(T)));
}

static inline gf_vertex_queue gf_queue_lay_out(void *memory, size_t *used, int64_t n)
{
    gf_vertex_queue queue = {};
    queue.vertices = gf_scratch_array<uint32_t>(memory, used, n);
    queue.bases = gf_scratch_array<uint64_t>(memory, used, n);
    return queue;
}

/* A launch of a search that has one block on every multiprocessor, all at once. */
static inline gf_status gf_search_launch(const struct gf_array_call *array, gf_launch *c, gf_error *error)
{
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    *c = gf_launch();
    c->grid = dim3(static_cast<unsigned>(processors));
    c->block = dim3(GF_GRAPH_THREADS);
    c->stream = static_cast<cudaStream_t>(array->queue.stream);
    c->cooperative = true;
    return GF_OK;
}

/* A launch for all edges, or vertices, shared out evenly. */
static inline gf_status gf_edges_launch(const struct gf_array_call *array, gf_launch *c, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    const unsigned blocks = gf_blocks(call->graph.rows + call->graph.entries, 4 * GF_GRAPH_LEAST);
    const unsigned most = static_cast<unsigned>(processors) * 16;
    *c = gf_launch();
    c->grid = dim3(blocks < most ? blocks : most);
    c->block = dim3(GF_GRAPH_THREADS / 4);
    c->stream = static_cast<cudaStream_t>(array->queue.stream);
    return GF_OK;
}

#endif
