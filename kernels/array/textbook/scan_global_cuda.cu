/* The published scans that work on global memory, corrected (docs/primitives/scan.md): "quadratic", "naive",
 * "efficient". */
#include "array/textbook/scan_plain_cuda.cuh"

/* ---- quadratic: every element adds up all before it ------------------------------------------ */

template <class P>
static __global__ void gf_scan_quadratic(const P op, const typename P::value *in, int64_t n,
                                         typename P::value *out)
{
    const int64_t i = gf_thread_index();
    if (i >= n) {
        return;
    }
    typename P::value v = op.none();
    for (int64_t j = 0; j < i; j++) {
        v = op.join(v, op.of(in[j]));
    }
    out[i] = op.result(op.inclusive ? op.join(v, op.of(in[i])) : v);
}

/* A copy of the input, for a scan in place. */
extern "C" size_t gf_scan_quadratic_scratch(const struct gf_array_call *call)
{
    return static_cast<size_t>(call->n) * gf_depth_size(call->options.type);
}

extern "C" gf_status gf_scan_quadratic_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    const struct gf_launch launch = gf_scan_launch_for(call, array->n);
    const void *in = array->in;
    GF_ON_DEVICE(array->queue.device, error)
    if (array->in == array->out && array->n > 0) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(array->scratch, in, gf_scan_quadratic_scratch(array),
                                           cudaMemcpyDeviceToDevice, launch.stream));
        in = array->scratch;
    }
    return gf_scan_dispatch_plain(call, [&](auto op) {
        using P = decltype(op);
        using V = typename P::value;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_quadratic<P>), launch, op, static_cast<const V *>(in), array->n,
                                     static_cast<V *>(array->out)));
        return GF_OK;
    });
}

/* ---- naive: log2 n launches, each joins neighbours at twice the distance of the one before ------ */

template <class V> struct gf_scan_naive_step {
    const V *from;
    V *to;
    int64_t n, distance;
    bool first, last; /* first: `from` is the input; an exclusive scan takes its element before */
};

template <class P>
static __global__ void gf_scan_naive(const P op, const gf_scan_naive_step<typename P::value> s)
{
    const int64_t i = gf_thread_index();
    if (i >= s.n) {
        return;
    }
    auto at = [&](int64_t j) {
        if (!s.first) {
            return s.from[j];
        }
        j -= op.inclusive ? 0 : 1;
        return j < 0 ? op.none() : op.of(s.from[j]);
    };
    const typename P::value v = i >= s.distance ? op.join(at(i - s.distance), at(i)) : at(i);
    s.to[i] = s.last ? op.result(v) : v;
}

/* Two arrays, read and written in turns. */
static size_t naive_layout(const struct gf_array_call *call, void *arrays[2])
{
    const size_t bytes = static_cast<size_t>(call->n) * gf_depth_size(call->options.type);
    size_t used = 0;
    arrays[0] = gf_scratch_take(call->scratch, &used, bytes);
    arrays[1] = gf_scratch_take(call->scratch, &used, bytes);
    return used;
}

extern "C" size_t gf_scan_naive_scratch(const struct gf_array_call *call)
{
    void *arrays[2];
    return naive_layout(call, arrays);
}

extern "C" gf_status gf_scan_naive_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    const struct gf_launch launch = gf_scan_launch_for(call, array->n);
    void *arrays[2];
    (void)naive_layout(array, arrays);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_scan_dispatch_plain(call, [&](auto op) {
        using P = decltype(op);
        using V = typename P::value;
        gf_scan_naive_step<V> s = {static_cast<const V *>(array->in), nullptr, array->n, 1, true, false};
        for (int turn = 0; !s.last; turn ^= 1) {
            s.last = !s.first && 2 * s.distance >= array->n; /* at least two, so that out may be in */
            s.to = static_cast<V *>(s.last ? array->out : arrays[turn]);
            GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_naive<P>), launch, op, s));
            s.from = s.to;
            s.first = false;
            s.distance *= 2;
        }
        return GF_OK;
    });
}

/* ---- efficient: up-sweep and down-sweep over a tree in place, 2 log2 n launches ------------------ */

template <class V> struct gf_scan_tree {
    const V *in;
    V *out, *nodes;   /* nodes: a power of two of them, at least 2 */
    int64_t n, size;  /* elements; nodes */
    int64_t distance; /* of the children of a node */
};

template <class P>
static __global__ void gf_scan_tree_fill(const P op, const gf_scan_tree<typename P::value> t)
{
    const int64_t i = gf_thread_index();
    if (i < t.size) {
        t.nodes[i] = i < t.n ? op.of(t.in[i]) : op.none();
    }
}

template <class P> static __global__ void gf_scan_tree_up(const P op, const gf_scan_tree<typename P::value> t)
{
    const int64_t right = (gf_thread_index() + 1) * 2 * t.distance - 1;
    if (right < t.size) {
        t.nodes[right] = op.join(t.nodes[right - t.distance], t.nodes[right]);
    }
}

template <class P>
static __global__ void gf_scan_tree_down(const P op, const gf_scan_tree<typename P::value> t)
{
    const int64_t right = (gf_thread_index() + 1) * 2 * t.distance - 1;
    if (right < t.size) {
        const typename P::value before =
            2 * t.distance == t.size ? op.none() : t.nodes[right]; /* nothing lies before the root */
        t.nodes[right] = op.join(before, t.nodes[right - t.distance]);
        t.nodes[right - t.distance] = before;
    }
}

template <class P>
static __global__ void gf_scan_tree_results(const P op, const gf_scan_tree<typename P::value> t)
{
    const int64_t i = gf_thread_index();
    if (i < t.n) {
        t.out[i] = op.result(op.inclusive ? op.join(t.nodes[i], op.of(t.in[i])) : t.nodes[i]);
    }
}

static int64_t tree_size(int64_t n)
{
    int64_t size = 2;
    while (size < n) {
        size *= 2;
    }
    return size;
}

extern "C" size_t gf_scan_efficient_scratch(const struct gf_array_call *call)
{
    return call->n > 0 ? static_cast<size_t>(tree_size(call->n)) * gf_depth_size(call->options.type) : 0;
}

extern "C" gf_status gf_scan_efficient_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_scan_dispatch_plain(call, [&](auto op) {
        using P = decltype(op);
        using V = typename P::value;
        gf_scan_tree<V> t = {static_cast<const V *>(array->in),
                             static_cast<V *>(array->out),
                             static_cast<V *>(array->scratch),
                             array->n,
                             tree_size(array->n),
                             1};
        if (array->n == 0) {
            return GF_OK;
        }
        GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_tree_fill<P>), gf_scan_launch_for(call, t.size), op, t));
        for (; t.distance < t.size; t.distance *= 2) {
            const int64_t pairs = t.size / (2 * t.distance);
            GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_tree_up<P>), gf_scan_launch_for(call, pairs), op, t));
        }
        for (t.distance = t.size / 2; t.distance > 0; t.distance /= 2) {
            const int64_t pairs = t.size / (2 * t.distance);
            GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_tree_down<P>), gf_scan_launch_for(call, pairs), op, t));
        }
        GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_tree_results<P>), gf_scan_launch_for(call, t.n), op, t));
        return GF_OK;
    });
}
