/* Sums and extremes of segments on CUDA, by "auto": segments are cut into leaves, as gf_reduce cuts arrays,
 * and a warp takes those that begin in its share of the line that segments and items make. From 32 segments
 * at a time it takes the short ones several at once, by as many lanes each as pays; a longer one by itself.
 * The numbers of a segment of several leaves wait in slots until a second kernel joins them, in the order of
 * gf_reduce. */
#include "array/common/grid_cuda.cuh"
#include "array/ragged/ragged_cuda.h"
#include "array/ragged/ragged_segment_cuda.cuh"
#include "base/planted_fault.h"
#include "gpufilter/ragged.cuh"

constexpr int GF_RAGGED_ROWS = GF_REDUCE_LANES / GF_WARP; /* accumulators that a lane has of a whole leaf */
constexpr int GF_RAGGED_TEAM = 8;                         /* lanes for a segment that is short */
constexpr int64_t GF_RAGGED_SHORT = GF_REDUCE_LANES, GF_RAGGED_LEAF = GF_REDUCE_LEAF;

struct gf_ragged_leaves {
    int64_t items;
    uint64_t *slots, *listed;
    int32_t *list;
};

/* A segment, one a lane: its first item, and how many there are. */
struct gf_ragged_own {
    int64_t ix, base, n;
};

/* Numbers of up to 8 bytes in a word, and back. */
template <class N> GF_DEVICE_FN uint64_t gf_ragged_to_slot(N number)
{
    uint64_t word = 0;
    memcpy(&word, &number, sizeof number);
    return word;
}
template <class N> GF_DEVICE_FN N gf_ragged_from_slot(uint64_t word)
{
    N number;
    memcpy(&number, &word, sizeof number);
    return number;
}

/* ---- Leaves -------------------------------------------------------------------------------------------------- */

/* K numbers, the first with the one K / 2 further on, and so on, until one is left. */
template <int K, class S>
GF_DEVICE_FN typename S::number gf_ragged_halve(const S &s, const typename S::number *own)
{
    if constexpr (K == 1) {
        return own[0];
    } else {
        typename S::number half[K / 2];
        GF_UNROLL
        for (int i = 0; i < K / 2; i++) {
            half[i] = s.join(own[i], own[i + K / 2]);
        }
        return gf_ragged_halve<K / 2>(s, half);
    }
}

/* The accumulators of LANES neighbouring lanes, K each, become one number: accumulators j and j + 64, then j
 * + 32, and so on, those that are not there being none(). Accumulator j is lane j % LANES's own number j /
 * LANES. */
template <int LANES, int K, class S>
GF_DEVICE_FN typename S::number gf_ragged_join_lanes(const S &s, const typename S::number (&own)[K])
{
    typename S::number all = gf_ragged_halve<K>(s, own);
    GF_UNROLL
    for (unsigned step = LANES / 2; step > 0; step /= 2) {
        all = s.join(all, gf_shfl_xor(all, step));
    }
    return all;
}

/* n items of a segment, from its item iy on, the k-th of all: by a warp. */
template <class S>
GF_DEVICE_FN typename S::number gf_ragged_leaf(const S &s, int64_t iy, int64_t k, int64_t n)
{
    typename S::number own[GF_RAGGED_ROWS];
    GF_UNROLL
    for (int i = 0; i < GF_RAGGED_ROWS; i++) {
        own[i] = s.none();
    }
    const int count = static_cast<int>(n);
    int at = static_cast<int>(gf_lane());
    for (; at + (GF_RAGGED_ROWS - 1) * GF_WARP < count; at += GF_REDUCE_LANES) {
        GF_UNROLL
        for (int i = 0; i < GF_RAGGED_ROWS; i++) {
            own[i] = s.join(own[i], s.item(iy + at + i * GF_WARP, k + at + i * GF_WARP));
        }
    }
    GF_UNROLL
    for (int i = 0; i < GF_RAGGED_ROWS; i++) {
        if (at + i * GF_WARP < count) {
            own[i] = s.join(own[i], s.item(iy + at + i * GF_WARP, k + at + i * GF_WARP));
        }
    }
    return gf_ragged_join_lanes<GF_WARP>(s, own);
}

/* The segments of the lanes in `wanted`, of at most LANES * K items: LANES lanes each. */
template <int LANES, int K, class S>
GF_DEVICE_FN void gf_ragged_take_short(const S &s, const gf_ragged_own &own, uint32_t wanted, int most)
{
    const unsigned TEAMS = GF_WARP / LANES, team = gf_lane() / LANES, rank = gf_lane() % LANES;
    for (unsigned first = 0; first < GF_WARP; first += TEAMS) {
        if ((wanted >> first & (0xffffffffu >> (GF_WARP - TEAMS))) == 0) {
            continue;
        }
        const bool has = (wanted >> (first + team) & 1) != 0;
        const int64_t ix = gf_shfl(own.ix, first + team), base = gf_shfl(own.base, first + team);
        const int64_t all_items = gf_shfl(own.n, first + team);
        const int n = has ? static_cast<int>(all_items) : 0;
        typename S::number number[K];
        GF_UNROLL
        for (int i = 0; i < K; i++) {
            const int at = i * LANES + static_cast<int>(rank);
            number[i] = s.none();
            if (i * LANES < most && at < n) {
                number[i] = s.join(number[i], s.item(at, base + at));
            }
        }
        const typename S::number all = gf_ragged_join_lanes<LANES>(s, number);
        if (has && rank == 0) {
            s.finish(ix, all, n);
        }
    }
}

/* The segments of the lanes in `wanted`, one after the other, of one leaf each. */
template <class S>
GF_DEVICE_FN void gf_ragged_take_whole(const S &s, const gf_ragged_own &own, uint32_t wanted)
{
    for (; wanted != 0; wanted &= wanted - 1) {
        const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(wanted))) - 1;
        const int64_t n = gf_shfl(own.n, lane), ix = gf_shfl(own.ix, lane);
        const typename S::number all = gf_ragged_leaf(s, 0, gf_shfl(own.base, lane), n);
        if (gf_lane() == 0) {
            s.finish(ix, all, n);
        }
    }
}

/* Segments of several leaves: each one's leaves that begin in [begin, end) of the line. */
template <class S>
GF_DEVICE_FN void gf_ragged_take_leaves(const S &s, const gf_ragged_leaves &l, const gf_ragged_own &own,
                                        uint32_t wanted, int64_t begin, int64_t end)
{
    for (; wanted != 0; wanted &= wanted - 1) {
        const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(wanted))) - 1;
        const int64_t n = gf_shfl(own.n, lane), ix = gf_shfl(own.ix, lane), base = gf_shfl(own.base, lane);
        const int64_t before = begin - base - ix, after = end - base - ix, stop = n < after ? n : after;
        int64_t iy = before > 0 ? (before + GF_RAGGED_LEAF - 1) / GF_RAGGED_LEAF * GF_RAGGED_LEAF : 0;
        if (S::SLOTS && iy == 0 && gf_lane() == 0) {
            l.list[gf_atomic_add(l.listed, uint64_t(1))] = static_cast<int32_t>(ix);
        }
        typename S::number sum = s.none();
        for (; iy < stop; iy += GF_RAGGED_LEAF) {
            const int64_t left = n - iy;
            const typename S::number leaf =
                gf_ragged_leaf(s, iy, base + iy, left < GF_RAGGED_LEAF ? left : GF_RAGGED_LEAF);
            if (S::SLOTS && gf_lane() == 0) {
                l.slots[gf_ragged_slot(base) + iy / GF_RAGGED_LEAF] = gf_ragged_to_slot(leaf);
            }
            sum = s.join(sum, leaf);
        }
        if (!S::SLOTS && gf_lane() == 0) {
            s.join_at(ix, sum);
        }
    }
}

/* ---- The kernels --------------------------------------------------------------------------------------------- */

template <class S>
static __global__ void __launch_bounds__(GF_RAGGED_THREADS, 4)
    gf_ragged_fold(const gf_ragged_loop loop, const S s, const gf_ragged_leaves l)
{
    const int64_t warps = int64_t(gridDim.x) * (GF_RAGGED_THREADS / GF_WARP);
    const int64_t warp = int64_t(blockIdx.x) * (GF_RAGGED_THREADS / GF_WARP) + gf_warp();
    const int64_t line = loop.nx + loop.offsets[loop.nx], even = (line + warps - 1) / warps;
    const int64_t share = even < GF_RAGGED_LEAST ? GF_RAGGED_LEAST : even, begin = share * warp;
    if (begin >= line) {
        return; /* the whole warp */
    }
    const int64_t end = line - begin < share ? line : begin + share;
    for (int64_t first = gf_ragged_find(loop, begin, gf_lane()); first < loop.nx; first += GF_WARP) {
        gf_ragged_own own = {first + gf_lane(), 0, 0};
        const int64_t at = own.ix < loop.nx ? own.ix : loop.nx;
        own.base = loop.offsets[at];
        own.n = gf_ragged_there(l.items, own.base, loop.offsets[own.ix < loop.nx ? at + 1 : at] - own.base);
        const int64_t place = own.base + own.ix;
        if (gf_shfl(place, 0) >= end) {
            break;
        }
        const bool has = own.ix < loop.nx && place<end, is_large = own.n> GF_RAGGED_LEAF;
        const bool begins = has && !is_large && place >= begin;
        const bool is_short = begins && own.n <= GF_RAGGED_SHORT;
        const uint32_t wanted = gf_ballot(is_short);
        const uint32_t most = gf_reduce_max(is_short ? static_cast<uint32_t>(own.n) : 0u);
        if (wanted != 0 && most <= 4) {
            gf_ragged_take_short<1, 4>(s, own, wanted, static_cast<int>(most));
        } else if (wanted != 0 && most <= 4 * GF_RAGGED_TEAM) {
            gf_ragged_take_short<GF_RAGGED_TEAM, 4>(s, own, wanted, static_cast<int>(most));
        } else if (wanted != 0) {
            gf_ragged_take_short<GF_RAGGED_TEAM, 16>(s, own, wanted, static_cast<int>(most));
        }
        gf_ragged_take_whole(s, own, gf_ballot(begins && !is_short));
        gf_ragged_take_leaves(s, l, own, gf_ballot(has && is_large), begin, end);
    }
}

/* A block a segment of several leaves: (0, 1), (2, 3), ... of every level, a last one without a partner going
 * up as it is. */
template <class S>
static __global__ void __launch_bounds__(GF_RAGGED_THREADS)
    gf_ragged_fold_leaves(const gf_ragged_loop loop, const S s, const gf_ragged_leaves l)
{
    using number = typename S::number;
    const int64_t count = static_cast<int64_t>(*l.listed) - GF_FAULT(cuda_ragged_list);
    for (int64_t i = blockIdx.x; i < count; i += gridDim.x) {
        const int64_t ix = l.list[i], base = loop.offsets[ix];
        const int64_t n = gf_ragged_there(l.items, base, loop.offsets[ix + 1] - base);
        const int64_t leaves = (n + GF_RAGGED_LEAF - 1) / GF_RAGGED_LEAF;
        uint64_t *const slots = l.slots + gf_ragged_slot(base);
        for (int64_t step = 1; step < leaves; step *= 2) {
            for (int64_t at = 2 * step * threadIdx.x; at + step < leaves;
                 at += 2 * step * GF_RAGGED_THREADS) {
                const number both = s.join(gf_ragged_from_slot<number>(slots[at]),
                                           gf_ragged_from_slot<number>(slots[at + step]));
                slots[at] = gf_ragged_to_slot(both);
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            s.finish(ix, gf_ragged_from_slot<number>(slots[0]), n);
        }
    }
}

gf_status gf_ragged_fold_cuda(const struct gf_ragged_call *call, const gf_ragged_loop *loop,
                              const struct gf_ragged_memory *m, gf_error *error)
{
    const gf_ragged_leaves l = {call->items, m->slots, m->listed, m->list};
    gf_launch c = {};
    c.stream = static_cast<cudaStream_t>(call->array.queue.stream);
    c.block = dim3(GF_RAGGED_THREADS);
    if (l.listed) {
        GF_CUDA_TRY(error, cudaMemsetAsync(l.listed, 0, sizeof *l.listed, c.stream));
    }
    return gf_ragged_dispatch(call, error, [&](auto segment) {
        using S = decltype(segment);
        c.grid = dim3(static_cast<unsigned>(loop->blocks));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_ragged_fold<S>), c, *loop, segment, l));
        if (S::SLOTS && call->items > GF_RAGGED_LEAF) {
            const unsigned lists = gf_blocks(call->items, GF_RAGGED_LEAF);
            c.grid = dim3(lists < c.grid.x / 4 + 1 ? lists : c.grid.x / 4 + 1);
            GF_CUDA_TRY(error, GF_LAUNCH((gf_ragged_fold_leaves<S>), c, *loop, segment, l));
        }
        return GF_OK;
    });
}
