/* The published scans of one block, corrected and carried across blocks (docs/primitives/scan.md):
 * "hillis-steele", "blelloch". Each block scans its tile and leaves the tile's total; the totals are scanned
 * in the same way, level by level, until one block holds them all; then every level adds what lies before its
 * tiles. */
#include "array/scan_plain_cuda.cuh"

enum { MOST_THREADS = 1024, MOST_LEVELS = 16 };

template <class B> struct gf_scan_level {
    const B *in;        /* the input where `is_first`, else values */
    B *values, *totals; /* values may be in; totals NULL: of the only block */
    int64_t n, tile;
    bool is_first;
};

template <class B>
GF_DEVICE_FN B gf_scan_level_load(const gf_scan_plain<B> &op, const gf_scan_level<B> &l, int64_t i)
{
    return i >= l.n ? op.none() : l.is_first ? op.of(l.in[i]) : l.in[i];
}

/* log2(block) steps over a tile of a block's threads, between two arrays: no thread writes what another still
 * reads. */
template <class B>
static __global__ void gf_scan_hillis_steele(const gf_scan_plain<B> op, const gf_scan_level<B> l)
{
    GF_SHARED(B, ping, MOST_THREADS);
    GF_SHARED(B, pong, MOST_THREADS);
    B *from = ping, *to = pong;
    const unsigned t = threadIdx.x;
    const int64_t i = gf_thread_index();
    from[t] = gf_scan_level_load(op, l, i);
    __syncthreads();
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        to[t] = t >= distance ? op.join(from[t - distance], from[t]) : from[t];
        B *const swap = from;
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

/* A tree over a tile of two elements a thread, up and down in one array; a tile that is no power of two is
 * filled up. */
template <class B>
static __global__ void gf_scan_blelloch(const gf_scan_plain<B> op, const gf_scan_level<B> l)
{
    GF_SHARED(B, nodes, 2 * MOST_THREADS);
    unsigned size = 2;
    while (size < 2 * blockDim.x) {
        size *= 2;
    }
    const int64_t first = int64_t(blockIdx.x) * l.tile;
    for (unsigned t = threadIdx.x; t < size; t += blockDim.x) {
        nodes[t] = t < l.tile ? gf_scan_level_load(op, l, first + t) : op.none();
    }
    for (unsigned distance = 1; distance < size; distance *= 2) {
        __syncthreads();
        for (unsigned right = 2 * distance * (threadIdx.x + 1) - 1; right < size;
             right += 2 * distance * blockDim.x) {
            nodes[right] = op.join(nodes[right - distance], nodes[right]);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (l.totals) {
            l.totals[blockIdx.x] = nodes[size - 1];
        }
        nodes[size - 1] = op.none();
    }
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        __syncthreads();
        for (unsigned right = 2 * distance * (threadIdx.x + 1) - 1; right < size;
             right += 2 * distance * blockDim.x) {
            const B before = nodes[right];
            nodes[right] = op.join(before, nodes[right - distance]);
            nodes[right - distance] = before;
        }
    }
    __syncthreads();
    for (unsigned t = threadIdx.x; t < l.tile && first + t < l.n; t += blockDim.x) {
        const int64_t i = first + t;
        const bool inclusive = l.is_first && op.inclusive;
        l.values[i] = inclusive ? op.join(nodes[t], gf_scan_level_load(op, l, i)) : nodes[t];
    }
}

/* Adds to each value what lies before its tile (before NULL: nothing does); on the first level, makes results
 * of them. */
template <class B>
static __global__ void gf_scan_carry(const gf_scan_plain<B> op, const gf_scan_level<B> l, const B *before)
{
    const int64_t i = gf_thread_index();
    if (i < l.n) {
        const B v = before ? op.join(before[i / l.tile], l.values[i]) : l.values[i];
        l.values[i] = l.is_first ? op.result(v) : v;
    }
}

static int64_t tile_of(const struct gf_array_call *call, int64_t per_thread)
{
    return per_thread * (call->options.block > 0 ? call->options.block : int32_t(GF_SCAN_BLOCK));
}

/* The totals of each level but the last, one array after the other; returns bytes, and how many levels there
 * are. */
static size_t levels_layout(const struct gf_array_call *call, int64_t tile, void *totals[MOST_LEVELS],
                            int *levels)
{
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

static size_t levels_scratch(const struct gf_array_call *call, int64_t tile)
{
    void *totals[MOST_LEVELS];
    int levels;
    return levels_layout(call, tile, totals, &levels);
}

/* launch: of the kernel that scans tiles. */
template <class B, class Launch>
static gf_status run_levels(const struct gf_scan_call *call, int64_t per_thread, const Launch &launch,
                            gf_error *error)
{
    const struct gf_array_call *a = &call->array;
    const gf_scan_plain<B> op(call);
    const int64_t tile = tile_of(a, per_thread);
    void *totals[MOST_LEVELS];
    int levels;
    (void)levels_layout(a, tile, totals, &levels);
    struct gf_scan_level<B> level[MOST_LEVELS];
    int64_t n = a->n;
    for (int i = 0; i < levels; i++, n = (n + tile - 1) / tile) {
        B *const values = static_cast<B *>(i == 0 ? a->out : totals[i - 1]);
        level[i] = {i == 0 ? static_cast<const B *>(a->in) : values,
                    values,
                    static_cast<B *>(totals[i]),
                    n,
                    tile,
                    i == 0};
        GF_CUDA_TRY(error, launch(gf_scan_launch_for(call, (n + per_thread - 1) / per_thread), op, level[i]));
    }
    for (int i = levels - 1; i >= 0; i--) {
        if (level[i].totals || i == 0) {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_carry<B>), gf_scan_launch_for(call, level[i].n), op,
                                         level[i], static_cast<const B *>(level[i].totals)));
        }
    }
    return GF_OK;
}

extern "C" size_t gf_scan_hillis_steele_scratch(const struct gf_array_call *call)
{
    return levels_scratch(call, tile_of(call, 1));
}

extern "C" gf_status gf_scan_hillis_steele_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_scan_dispatch_size(call, [&](auto tag) {
        using B = typename decltype(tag)::type;
        const auto launch = [](const gf_launch &c, const gf_scan_plain<B> &op, const gf_scan_level<B> &l) {
            return GF_LAUNCH((gf_scan_hillis_steele<B>), c, op, l);
        };
        return run_levels<B>(call, 1, launch, error);
    });
}

extern "C" size_t gf_scan_blelloch_scratch(const struct gf_array_call *call)
{
    return levels_scratch(call, tile_of(call, 2));
}

extern "C" gf_status gf_scan_blelloch_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_scan_dispatch_size(call, [&](auto tag) {
        using B = typename decltype(tag)::type;
        const auto launch = [](const gf_launch &c, const gf_scan_plain<B> &op, const gf_scan_level<B> &l) {
            return GF_LAUNCH((gf_scan_blelloch<B>), c, op, l);
        };
        return run_levels<B>(call, 2, launch, error);
    });
}
