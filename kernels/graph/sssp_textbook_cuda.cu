/* "bellman-ford" of sssp on CUDA, as published: a thread a vertex lowers the distances of those that its
 * edges lead to, a launch a round, weights and distances in 32 bits. Ours leaves vertices that nothing has
 * reached where they are, counts a change only where a distance fell, stops after as many rounds as there are
 * vertices (what still falls then depends on a negative cycle), and begins anew with 64 bits where a sum is
 * beyond 32. */
#include "graph/sssp_cuda.cuh"

/* What a round tells the host: a vertex that came nearer, and 1 (0: none did), and whether a sum had no room.
 */
struct gf_rounds_state {
    uint32_t nearer, beyond;
};

template <class T> struct gf_rounds_args {
    gf_graph_args g;
    const int32_t *weights;
    T *distances;
    gf_rounds_state *state;
};

template <class T> GF_DEVICE_FN T gf_rounds_infinite()
{
    return sizeof(T) == 4 ? static_cast<T>(INT32_MAX) : static_cast<T>(INT64_MAX);
}

/* d and a weight; false: 32 bits do not hold it. */
GF_DEVICE_FN bool gf_rounds_add(int32_t d, int32_t weight, int32_t *sum)
{
    const int64_t wide = int64_t(d) + weight;
    *sum = d == INT32_MAX ? d : static_cast<int32_t>(wide);
    return d == INT32_MAX || (wide < INT32_MAX && wide >= INT32_MIN);
}
GF_DEVICE_FN bool gf_rounds_add(int64_t d, int32_t weight, int64_t *sum)
{
    *sum = gf_path_add(d, weight);
    return true;
}

template <class T> static __global__ void gf_rounds_begin(const gf_rounds_args<T> a)
{
    const int64_t v = gf_thread_index();
    if (v < a.g.n) {
        a.distances[v] = v == a.g.source ? 0 : gf_rounds_infinite<T>();
    }
}

template <class T> static __global__ void gf_rounds_relax(const gf_rounds_args<T> a)
{
    const int64_t u = gf_thread_index();
    if (u >= a.g.n) {
        return;
    }
    const int64_t end = a.g.offsets[u + 1];
    for (int64_t e = a.g.offsets[u]; e < end; e++) {
        const uint32_t v = a.g.targets[e];
        T by;
        if (!gf_rounds_add(gf_load_stale(a.distances + u), a.weights[e], &by)) {
            gf_store_relaxed(&a.state->beyond, 1u);
        } else if (by < gf_load_stale(a.distances + v) && gf_atomic_min(a.distances + v, by) > by) {
            gf_store_relaxed(&a.state->nearer, v + 1);
        }
    }
}

static __global__ void gf_rounds_widen(const gf_rounds_args<int32_t> a, int64_t *out)
{
    const int64_t v = gf_thread_index();
    if (v < a.g.n) {
        out[v] = a.distances[v] == INT32_MAX ? INT64_MAX : a.distances[v];
    }
}

template <class T> static gf_rounds_args<T> rounds_args_of(const struct gf_array_call *array)
{
    gf_rounds_args<T> a = {};
    a.g = gf_graph_args_of(array);
    a.weights = static_cast<const int32_t *>(gf_graph_call_of(array)->graph.values);
    return a;
}

/* The state and distances of 32 bits. */
static size_t lay_out_rounds(const struct gf_array_call *array, gf_rounds_args<int32_t> *a)
{
    size_t used = 0;
    a->state = gf_scratch_array<gf_rounds_state>(array->scratch, &used, 1);
    a->distances = gf_scratch_array<int32_t>(array->scratch, &used, array->n);
    return used;
}

size_t gf_sssp_rounds_cuda_scratch(const struct gf_array_call *array)
{
    gf_rounds_args<int32_t> a = {};
    return lay_out_rounds(array, &a);
}

/* Rounds until nothing changes, or one too many. */
template <class T>
static gf_status run_rounds(const gf_rounds_args<T> &a, const gf_launch &c, gf_rounds_state *told,
                            gf_error *error)
{
    *told = {1, 0};
    GF_CUDA_TRY(error, GF_LAUNCH((gf_rounds_begin<T>), c, a));
    for (int64_t round = 1; told->nearer != 0 && told->beyond == 0 && round <= a.g.n; round++) {
        GF_CUDA_TRY(error, cudaMemsetAsync(a.state, 0, sizeof *told, c.stream));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_rounds_relax<T>), c, a));
        GF_CUDA_TRY(error, cudaMemcpyAsync(told, a.state, sizeof *told, cudaMemcpyDeviceToHost, c.stream));
        GF_CUDA_TRY(error, cudaStreamSynchronize(c.stream));
    }
    return GF_OK;
}

gf_status gf_sssp_rounds_cuda(const struct gf_array_call *array, gf_error *error)
{
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    const gf_launch c = gf_launch_on(array->queue.stream, gf_blocks(array->n, block), block);
    gf_rounds_args<int32_t> a = rounds_args_of<int32_t>(array);
    gf_rounds_args<int64_t> wide = rounds_args_of<int64_t>(array);
    gf_rounds_state told = {0, 0};
    GF_ON_DEVICE(array->queue.device, error)
    lay_out_rounds(array, &a);
    wide.state = a.state;
    wide.distances = static_cast<int64_t *>(array->out);
    GF_TRY(run_rounds(a, c, &told, error));
    if (told.beyond != 0) {
        GF_TRY(run_rounds(wide, c, &told, error));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_rounds_widen, c, a, wide.distances));
    }
    const int64_t bad = array->n > 0 ? static_cast<int64_t>(told.nearer) - 1 : -1;
    GF_CUDA_TRY(error, cudaMemcpyAsync(gf_graph_call_of(array)->bad, &bad, sizeof bad, cudaMemcpyHostToDevice,
                                       c.stream));
    GF_CUDA_TRY(error, cudaStreamSynchronize(c.stream));
    return GF_OK;
}
