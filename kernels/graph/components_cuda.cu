/* components on CUDA. "auto": sets whose roots are hooked to smaller ones, edge by edge, all edges at once,
 * shared out evenly (J. Jaiganesh and M. Burtscher, "A High-Performance Connected Components Implementation
 * for GPUs", 2018): so the root of a finished set is its smallest vertex. First two edges of each vertex, as
 * M. Sutton, T. Ben-Nun and A. Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
 * Sampling" (2018). "label-propagation": as published, and both ways where edges lead one way only. */
#include "graph/labels_cuda.cuh"

constexpr int64_t GF_COMPONENTS_SAMPLE = 2; /* edges of a vertex */

struct gf_components_args {
    gf_graph_args g;
    uint32_t *labels;
};

/* The edges of all vertices, which know the labels of these. */
struct gf_labelled_edges : gf_all_edges {
    const uint32_t *labels;
    struct payload {
        int64_t first; /* edge */
        uint32_t label;
    };
    __device__ __forceinline__ payload load(int64_t i) const
    {
        return {offsets[i], gf_load_relaxed(labels + i)};
    }
};

using gf_hook_window = gf_expand_window<gf_labelled_edges, GF_GRAPH_THREADS / 4>;

/* ---- Hooking ------------------------------------------------------------------------------------------------ */

static __global__ void gf_components_begin(const gf_components_args a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v < a.g.n; v += step) {
        a.labels[v] = static_cast<uint32_t>(v);
    }
}

/* Along a few edges of each vertex: in most graphs that is most of what there is to unite. */
static __global__ void gf_components_sample(const gf_components_args a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v < a.g.n; v += step) {
        const int64_t first = a.g.offsets[v], end = a.g.offsets[v + 1];
        for (int64_t e = first; e < end && e < first + GF_COMPONENTS_SAMPLE; e++) {
            gf_unite(a.labels, static_cast<uint32_t>(v), a.g.targets[e]);
        }
    }
}

/* Along all others: where both ends have one label already, which is most of them, one look is enough. */
static __global__ void __launch_bounds__(GF_GRAPH_THREADS / 4) gf_components_hook(const gf_components_args a)
{
    GF_SHARED(gf_hook_window, window, 1);
    gf_labelled_edges edges = {};
    static_cast<gf_all_edges &>(edges) = gf_edges_of(a.g);
    edges.labels = a.labels;
    gf_expand(edges, GF_GRAPH_LEAST, window,
              [&](bool is_item, const gf_labelled_edges::payload &u, int64_t rank) {
                  if (is_item && rank >= GF_COMPONENTS_SAMPLE) {
                      const uint32_t v = a.g.targets[u.first + rank], label = gf_load_relaxed(a.labels + v);
                      if (label != u.label) {
                          gf_unite(a.labels, u.label, label);
                      }
                  }
              });
}

static gf_components_args args_of(const struct gf_array_call *array)
{
    gf_components_args a = {};
    a.g = gf_graph_args_of(array);
    a.labels = static_cast<uint32_t *>(array->out);
    return a;
}

gf_status gf_components_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_components_args a = args_of(array);
    gf_launch c = {};
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_edges_launch(array, &c, error));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_components_begin, c, a));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_components_sample, c, a));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_components_end, c, a.labels, a.g.n));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_components_hook, c, a));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_components_end, c, a.labels, a.g.n));
    return GF_OK;
}

/* ---- As published ------------------------------------------------------------------------------------------- */

/* What a round tells the host: 1 where a label fell, and where an edge leads to a greater label. */
struct gf_labels_round {
    uint32_t changed, uneven;
};

/* A thread a vertex, which takes the least label around it, and tells of each that is less than what it had.
 */
static __global__ void gf_components_pull(const gf_components_args a, gf_labels_round *round)
{
    const int64_t u = gf_thread_index();
    if (u >= a.g.n) {
        return;
    }
    const int64_t end = a.g.offsets[u + 1];
    const uint32_t before = a.labels[u];
    uint32_t least = before, most = before;
    for (int64_t e = a.g.offsets[u]; e < end; e++) {
        const uint32_t around = gf_load_stale(a.labels + a.g.targets[e]);
        if (around < least) {
            least = around;
            gf_store_relaxed(&round->changed, 1u);
        }
        most = around > most ? around : most;
    }
    if (least < before) {
        gf_store_relaxed(a.labels + u, least);
    } else if (most > before && gf_load_stale(&round->changed) == 0) {
        gf_store_relaxed(&round->uneven, 1u);
    }
}

/* The other way round, which the published kernel lacks: hands its own label on, where that is less. */
static __global__ void gf_components_push(const gf_components_args a, gf_labels_round *round)
{
    const int64_t u = gf_thread_index();
    if (u >= a.g.n) {
        return;
    }
    const uint32_t label = gf_load_relaxed(a.labels + u);
    for (int64_t e = a.g.offsets[u]; e < a.g.offsets[u + 1]; e++) {
        uint32_t *const around = a.labels + a.g.targets[e];
        if (gf_load_relaxed(around) > label && gf_atomic_min(around, label) > label) {
            gf_store_relaxed(&round->changed, 1u);
        }
    }
}

size_t gf_components_labels_cuda_scratch(const struct gf_array_call *array)
{
    (void)array;
    return sizeof(gf_labels_round);
}

/* Rounds until no label falls, in which labels are pushed where edges lead one way only: then, and only then,
 * a round without a change finds an edge to a greater label. */
gf_status gf_components_labels_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_components_args a = args_of(array);
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    const gf_launch c = gf_launch_on(array->queue.stream, gf_blocks(array->n, block), block);
    gf_labels_round *const round = static_cast<gf_labels_round *>(array->scratch);
    gf_labels_round told = {0, 0};
    GF_ON_DEVICE(array->queue.device, error)
    GF_CUDA_TRY(error, GF_LAUNCH(gf_components_begin, c, a));
    for (bool pushes = false, over = array->n == 0; !over; pushes = pushes || told.changed == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(round, 0, sizeof told, c.stream));
        if (pushes) {
            GF_CUDA_TRY(error, GF_LAUNCH(gf_components_push, c, a, round));
        }
        GF_CUDA_TRY(error, GF_LAUNCH(gf_components_pull, c, a, round));
        GF_CUDA_TRY(error, cudaMemcpyAsync(&told, round, sizeof told, cudaMemcpyDeviceToHost, c.stream));
        GF_CUDA_TRY(error, cudaStreamSynchronize(c.stream));
        over = told.changed == 0 && (pushes || told.uneven == 0);
    }
    return GF_OK;
}
