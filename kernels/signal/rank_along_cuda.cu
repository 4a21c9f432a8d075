/* The frame of a rank along time on CUDA: windows of up to 31 frames are sorted by a network in registers,
 * longer ones searched for the key's bits, from the highest on. */
#include "base/device_scope_cuda.h"
#include "signal/signal_args.h"
#include "signal/track_cuda.cuh"

enum { RANK_THREADS = 256, EACH = 4, TILE = RANK_THREADS * EACH, EXACT = 10, MOST_SHARED = 4096 };

struct rank_params {
    struct gf_source in;
    struct gf_sink out;
    int32_t size, rank;
};

/* The keys of frames [first, first + count). */
GF_DEVICE_FN void load_keys(const struct gf_source &in, const float *x, int64_t first, int count,
                            uint32_t *key)
{
    const bool inside = first >= in.first && first + count <= in.first + in.count;
    for (int j = static_cast<int>(threadIdx.x); j < count; j += RANK_THREADS) {
        key[j] = gf_float_key(inside ? x[first - in.first + j] : gf_source_frame(in, x, first + j));
    }
    __syncthreads();
}

/* Batcher's odd-even merge sort, from the step on that joins runs of P and compares keys that are D apart. */
template <int N, int P, int D> GF_DEVICE_FN void sort_keys(uint32_t *key)
{
    GF_UNROLL
    for (int i = D % P; i < N - D; i++) {
        if ((i - D % P) % (2 * D) < D && i / (2 * P) == (i + D) / (2 * P)) {
            const uint32_t a = key[i], b = key[i + D];
            key[i] = a < b ? a : b;
            key[i + D] = a < b ? b : a;
        }
    }
    if constexpr (D > 1) {
        sort_keys<N, P, D / 2>(key);
    } else if constexpr (2 * P < N) {
        sort_keys<N, 2 * P, 2 * P>(key);
    }
}

/* Windows of N frames, or, from EXACT on, of at most N. MEDIAN: the network is cut down to what leads to the
 * one key. */
template <int N, bool MEDIAN>
static __global__ void __launch_bounds__(RANK_THREADS) gf_signal_rank_small(const struct rank_params p)
{
    enum { READ = (EACH + N - 1 + 3) / 4 * 4 };
    GF_SHARED(uint32_t, key, TILE + READ);
    const int64_t first = p.out.first + int64_t(blockIdx.x) * TILE;
    const int own = static_cast<int>(threadIdx.x) * EACH;
    uint32_t window[READ];
    float out[EACH];
    load_keys(p.in, p.in.data + blockIdx.y * p.in.pitch, first - p.size / 2, TILE + READ, key);
    GF_UNROLL
    for (int i = 0; i < READ; i += 4) {
        const uint4 four = gf_load16(key + own + i);
        memcpy(window + i, &four, sizeof four);
    }
    GF_UNROLL
    for (int r = 0; r < EACH; r++) {
        uint32_t sorted[N];
        GF_UNROLL
        for (int i = 0; i < N; i++) {
            sorted[i] = N < EXACT || i < p.size ? window[r + i] : UINT32_MAX; /* which no frame's key is */
        }
        sort_keys<N, 1, 1>(sorted);
        uint32_t found = sorted[N / 2];
        GF_UNROLL
        for (int i = 0; i < N && !MEDIAN; i++) {
            found = i == p.rank ? sorted[i] : found;
        }
        out[r] = gf_key_float(found);
    }
    gf_sink_four(p.out, blockIdx.y, first + own, out);
}

/* How many keys below `bound` there are in the window of a thread. */
GF_DEVICE_FN int count_below(const uint32_t *key, int size, uint64_t bound)
{
    int below = 0;
    for (int i = 0; i < size; i++) {
        below += key[i] < bound;
    }
    return below;
}

/* Any size; SHARED: one that fits into shared memory. */
template <bool SHARED>
static __global__ void __launch_bounds__(RANK_THREADS) gf_signal_rank_large(const struct rank_params p)
{
    GF_SHARED_DYN(uint32_t, key);
    const int64_t n = p.out.first + int64_t(blockIdx.x) * RANK_THREADS, first = n - p.size / 2;
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    const int64_t own = static_cast<int64_t>(threadIdx.x), i = n - p.out.first + own;
    uint64_t found = 0; /* the greatest number with at most `rank` keys below it */
    if (SHARED) {
        load_keys(p.in, x, first, RANK_THREADS + p.size - 1, key);
    }
    if (i >= p.out.count) {
        return;
    }
    for (int bit = 31; bit >= 0; bit--) {
        const uint64_t bound = found | 1ull << bit;
        int below = 0;
        if (SHARED) {
            below = count_below(key + own, p.size, bound);
        } else {
            for (int32_t j = 0; j < p.size; j++) {
                below += gf_float_key(gf_source_frame(p.in, x, first + own + j)) < bound;
            }
        }
        found = below <= p.rank ? bound : found;
    }
    p.out.data[blockIdx.y * p.out.pitch + i] = gf_key_float(static_cast<uint32_t>(found));
}

template <int N> static gf_status run_small(gf_launch launch, const struct rank_params &p, gf_error *error)
{
    launch.grid.x = gf_blocks(p.out.count, TILE);
    if (N < EXACT && p.rank == N / 2) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_signal_rank_small<N, (N < EXACT)>), launch, p));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_signal_rank_small<N, false>), launch, p));
    }
    return GF_OK;
}

extern "C" size_t gf_signal_rank_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

extern "C" gf_status gf_signal_rank_cuda(gf_queue queue, const void *args, void *, void *,
                                         const struct gf_track *in, int64_t frames,
                                         const struct gf_track *out, int32_t channels, gf_error *error)
{
    const struct gf_signal_rank *a = static_cast<const struct gf_signal_rank *>(args);
    const struct rank_params p = {gf_source_of(in, frames, true), gf_sink_of(out, channels), a->size,
                                  a->rank};
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    launch.grid = dim3(gf_blocks(out->count, RANK_THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(RANK_THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    switch (a->size) {
    case 3:
        return run_small<3>(launch, p, error);
    case 5:
        return run_small<5>(launch, p, error);
    case 7:
        return run_small<7>(launch, p, error);
    case 9:
        return run_small<9>(launch, p, error);
    default:
        break;
    }
    if (a->size <= 31) {
        return a->size <= 15 ? run_small<15>(launch, p, error) : run_small<31>(launch, p, error);
    }
    if (a->size <= MOST_SHARED) {
        launch.shared = static_cast<size_t>(RANK_THREADS + a->size) * sizeof(uint32_t);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_signal_rank_large<true>), launch, p));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_signal_rank_large<false>), launch, p));
    }
    return GF_OK;
}
