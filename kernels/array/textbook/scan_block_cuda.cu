/* The published scans of one block, corrected and carried across blocks (docs/primitives/scan.md):
 * "hillis-steele", "blelloch". Each block scans its tile and leaves the tile's total; the totals are scanned
 * in the same way, level by level, until one block holds them all; then every level adds what lies before its
 * tiles. */
#include "array/textbook/scan_plain_cuda.cuh"

enum { MOST_THREADS = 1024, MOST_LEVELS = 16 };

template <class V> struct gf_scan_level {
    const V *in;        /* the input where `is_first`, else values */
    V *values, *totals; /* values may be in; totals NULL: this is the only block */
    int64_t n;
    bool is_first;
};

template <class P>
GF_DEVICE_FN typename P::value gf_scan_level_load(const P &op, const gf_scan_level<typename P::value> &l,
                                                  int64_t i)
{
    return i >= l.n ? op.none() : l.is_first ? op.of(l.in[i]) : l.in[i];
}

/* Of totals it belongs to the carrying. */
template <class P>
GF_DEVICE_FN typename P::value gf_scan_level_join(const P &op, const gf_scan_level<typename P::value> &l,
                                                  typename P::value a, typename P::value b)
{
    return l.is_first ? op.join(a, b) : op.carry(a, b);
}

/* log2(block) steps over a tile of a block's threads, between two arrays: no thread writes what another still
 * reads. */
template <class P>
static __global__ void gf_scan_hillis_steele(const P op, const gf_scan_level<typename P::value> l)
{
    using V = typename P::value;
    GF_SHARED(V, ping, MOST_THREADS);
    GF_SHARED(V, pong, MOST_THREADS);
    V *from = ping, *to = pong;
    const unsigned t = threadIdx.x;
    const int64_t i = gf_thread_index();
    from[t] = gf_scan_level_load(op, l, i);
    __syncthreads();
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        to[t] = t >= distance ? gf_scan_level_join(op, l, from[t - distance], from[t]) : from[t];
        V *const swap = from;
        from = to;
        to = swap;
        __syncthreads();
    }
    if (i < l.n) {
        const bool inclusive = l.is_first && op.inclusive;
        l.values[i] = inclusive ? from[t] : t > 0 ? from[t - 1] : op.none();
    }
    if (l.totals && t == blockDim.x - 1) {
        l.totals[blockIdx.x] = from[t];
    }
}

/* A tree over a tile of a block's threads, up and down in one array, an element a thread as published. A tile
 * that is no power of two is filled up: fewer nodes than two a thread, and half as many pairs. */
template <class P>
static __global__ void gf_scan_blelloch(const P op, const gf_scan_level<typename P::value> l)
{
    using V = typename P::value;
    GF_SHARED(V, nodes, MOST_THREADS);
    const unsigned t = threadIdx.x;
    const int64_t i = gf_thread_index();
    unsigned size = 2;
    while (size < blockDim.x) {
        size *= 2;
    }
    nodes[t] = gf_scan_level_load(op, l, i);
    if (t + blockDim.x < size) {
        nodes[t + blockDim.x] = op.none();
    }
    for (unsigned distance = 1; distance < size; distance *= 2) {
        __syncthreads();
        const unsigned right = 2 * distance * (t + 1) - 1;
        if (right < size) {
            nodes[right] = gf_scan_level_join(op, l, nodes[right - distance], nodes[right]);
        }
    }
    __syncthreads();
    if (t == 0) {
        if (l.totals) {
            l.totals[blockIdx.x] = nodes[size - 1];
        }
        nodes[size - 1] = op.none();
    }
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        __syncthreads();
        const unsigned right = 2 * distance * (t + 1) - 1;
        if (right < size) {
            const V before = nodes[right];
            nodes[right] = gf_scan_level_join(op, l, before, nodes[right - distance]);
            nodes[right - distance] = before;
        }
    }
    __syncthreads();
    if (i < l.n) {
        const bool inclusive = l.is_first && op.inclusive;
        l.values[i] = inclusive ? op.join(nodes[t], gf_scan_level_load(op, l, i)) : nodes[t];
    }
}

/* Adds to each value what lies before its tile (before NULL: nothing does); on the first level, makes results
 * of them. */
template <class P>
static __global__ void gf_scan_carry(const P op, const gf_scan_level<typename P::value> l,
                                     const typename P::value *before)
{
    const int64_t i = gf_thread_index();
    if (i < l.n) {
        const typename P::value v = before ? op.carry(before[blockIdx.x], l.values[i]) : l.values[i];
        l.values[i] = l.is_first ? op.result(v) : v;
    }
}

/* A block takes an element a thread. */
static int64_t tile_of(const struct gf_array_call *call)
{
    return call->options.block > 0 ? call->options.block : int32_t(GF_SCAN_BLOCK);
}

/* The totals of each level but the last, one array after the other; returns bytes, and how many levels there
 * are. */
static size_t levels_layout(const struct gf_array_call *call, void *totals[MOST_LEVELS], int *levels)
{
    const int64_t tile = tile_of(call);
    size_t used = 0;
    int level = 0;
    for (int64_t n = call->n; n > tile; level++) {
        n = (n + tile - 1) / tile;
        totals[level] =
            gf_scratch_take(call->scratch, &used, static_cast<size_t>(n) * gf_depth_size(call->options.type));
    }
    totals[level] = nullptr;
    *levels = level + 1;
    return used;
}

static size_t levels_scratch(const struct gf_array_call *call)
{
    void *totals[MOST_LEVELS];
    int levels;
    return levels_layout(call, totals, &levels);
}

/* launch: of the kernel that scans tiles. */
template <class P, class Launch>
static gf_status run_levels(const struct gf_scan_call *call, const P &op, const Launch &launch,
                            gf_error *error)
{
    using V = typename P::value;
    const struct gf_array_call *a = &call->array;
    const int64_t tile = tile_of(a);
    void *totals[MOST_LEVELS];
    int levels;
    (void)levels_layout(a, totals, &levels);
    struct gf_scan_level<V> level[MOST_LEVELS];
    int64_t n = a->n;
    for (int i = 0; i < levels; i++, n = (n + tile - 1) / tile) {
        V *const values = static_cast<V *>(i == 0 ? a->out : totals[i - 1]);
        level[i] = {i == 0 ? static_cast<const V *>(a->in) : values, values, static_cast<V *>(totals[i]), n,
                    i == 0};
        GF_CUDA_TRY(error, launch(gf_scan_launch_for(call, n), level[i]));
    }
    for (int i = levels - 1; i >= 0; i--) {
        if (level[i].totals || i == 0) {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_carry<P>), gf_scan_launch_for(call, level[i].n), op,
                                         level[i], static_cast<const V *>(level[i].totals)));
        }
    }
    return GF_OK;
}

extern "C" size_t gf_scan_hillis_steele_scratch(const struct gf_array_call *call)
{
    return levels_scratch(call);
}

extern "C" gf_status gf_scan_hillis_steele_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_scan_dispatch_plain(call, [&](auto op) {
        using P = decltype(op);
        const auto launch = [&](const gf_launch &c, const gf_scan_level<typename P::value> &l) {
            return GF_LAUNCH((gf_scan_hillis_steele<P>), c, op, l);
        };
        return run_levels(call, op, launch, error);
    });
}

extern "C" size_t gf_scan_blelloch_scratch(const struct gf_array_call *call)
{
    return levels_scratch(call);
}

extern "C" gf_status gf_scan_blelloch_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_scan_dispatch_plain(call, [&](auto op) {
        using P = decltype(op);
        const auto launch = [&](const gf_launch &c, const gf_scan_level<typename P::value> &l) {
            return GF_LAUNCH((gf_scan_blelloch<P>), c, op, l);
        };
        return run_levels(call, op, launch, error);
    });
}
