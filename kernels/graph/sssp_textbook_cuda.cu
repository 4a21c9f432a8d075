/* "bellman-ford" of sssp on CUDA, as published: a thread a vertex lowers the distances of those that its
 * edges lead to, a launch a round. Ours leaves out vertices that nothing has reached, counts a change only
 * where a distance fell, and stops after as many rounds as there are vertices: what still falls then depends
 * on a negative cycle. */
#include "array/common/dispatch_cuda.cuh"
#include "graph/sssp_cuda.cuh"

template <class W> struct gf_rounds_args {
    using distance = typename std::conditional<std::is_floating_point<W>::value, W, int64_t>::type;
    gf_graph_args g;
    const W *weights;
    distance *distances;
    uint32_t *nearer; /* a vertex that came nearer, and 1; 0: none did */
};

/* Lowers a float of any sign. Whether it was higher. */
template <class T> GF_DEVICE_FN bool gf_lower(T *p, T value)
{
    using bits = typename std::conditional<sizeof(T) == 4, uint32_t, uint64_t>::type;
    bits *const word = reinterpret_cast<bits *>(p), wanted = [value] {
        bits b;
        memcpy(&b, &value, sizeof b);
        return b;
    }();
    bits held = gf_load_relaxed(word);
    for (;;) {
        T old;
        memcpy(&old, &held, sizeof old);
        if (!(value < old)) {
            return false;
        }
        const bits now = gf_atomic_cas(word, held, wanted);
        if (now == held) {
            return true;
        }
        held = now;
    }
}
GF_DEVICE_FN bool gf_lower(int64_t *p, int64_t value)
{
    return gf_load_relaxed(p) > value && gf_atomic_min(p, value) > value;
}

template <class T> GF_DEVICE_FN T gf_distance_now(const T *p)
{
    using bits = typename std::conditional<sizeof(T) == 4, uint32_t, uint64_t>::type;
    const bits held = gf_load_relaxed(reinterpret_cast<const bits *>(p));
    T value;
    memcpy(&value, &held, sizeof value);
    return value;
}

template <class W> static __global__ void gf_rounds_begin(const gf_rounds_args<W> a)
{
    using T = typename gf_rounds_args<W>::distance;
    const int64_t v = gf_thread_index();
    if (v < a.g.n) {
        a.distances[v] = v == a.g.source                    ? T(0)
                         : std::is_floating_point<W>::value ? static_cast<T>(__builtin_huge_val())
                                                            : static_cast<T>(INT64_MAX);
    }
}

template <class W> static __global__ void gf_rounds_relax(const gf_rounds_args<W> a)
{
    using T = typename gf_rounds_args<W>::distance;
    const int64_t u = gf_thread_index();
    if (u >= a.g.n) {
        return;
    }
    const T d = gf_distance_now(a.distances + u);
    for (int64_t e = a.g.offsets[u]; e < a.g.offsets[u + 1]; e++) {
        const uint32_t v = a.g.targets[e];
        T by;
        if constexpr (std::is_floating_point<W>::value) {
            by = d + a.weights[e];
        } else {
            by = gf_path_add(d, a.weights[e]);
        }
        if (gf_lower(a.distances + v, by)) {
            gf_store_relaxed(a.nearer, v + 1);
        }
    }
}

size_t gf_sssp_rounds_cuda_scratch(const struct gf_array_call *array)
{
    (void)array;
    return sizeof(uint32_t);
}

/* Rounds until nothing changes, or one too many: *bad tells of the vertex that still came nearer. */
template <class W>
static gf_status run_rounds(const gf_rounds_args<W> &a, const gf_launch &c, int64_t *bad, gf_error *error)
{
    uint32_t nearer = 1;
    for (int64_t round = 1; nearer != 0 && round <= a.g.n; round++) {
        GF_CUDA_TRY(error, cudaMemsetAsync(a.nearer, 0, sizeof nearer, c.stream));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_rounds_relax<W>), c, a));
        GF_CUDA_TRY(error,
                    cudaMemcpyAsync(&nearer, a.nearer, sizeof nearer, cudaMemcpyDeviceToHost, c.stream));
        GF_CUDA_TRY(error, cudaStreamSynchronize(c.stream));
    }
    *bad = a.g.n > 0 ? static_cast<int64_t>(nearer) - 1 : -1;
    return GF_OK;
}

gf_status gf_sssp_rounds_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    gf_launch c = {};
    c.block = dim3(array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256);
    c.grid = dim3(gf_blocks(array->n, c.block.x));
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_PATH_TYPES>(array->options.type, error, [&](auto tag) {
        using W = typename decltype(tag)::type;
        gf_rounds_args<W> a = {};
        int64_t bad = -1;
        a.g = gf_graph_args_of(array);
        a.weights = static_cast<const W *>(call->graph.values);
        a.distances = static_cast<typename gf_rounds_args<W>::distance *>(array->out);
        a.nearer = static_cast<uint32_t *>(array->scratch);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_rounds_begin<W>), c, a));
        GF_TRY((run_rounds<W>(a, c, &bad, error)));
        GF_CUDA_TRY(error, cudaMemcpyAsync(call->bad, &bad, sizeof bad, cudaMemcpyHostToDevice, c.stream));
        GF_CUDA_TRY(error, cudaStreamSynchronize(c.stream));
        return GF_OK;
    });
}
