/* The scan in one pass (scan_pass_cuda.cuh) of an array in which segments begin: a bit for each element is 1
 * where one does. The order of joining is scan's; where a segment begins on the right of two, the left one is
 * left out. For sums of floats that is the contract (docs/exactness.md). */
#ifndef GF_ARRAY_SEGMENTED_SCAN_PASS_CUDA_CUH
#define GF_ARRAY_SEGMENTED_SCAN_PASS_CUDA_CUH

#include "array/scan/lookback_heads_cuda.cuh"
#include "array/scan/scan_kinds_cuda.cuh"
#include "array/scan/tile_cuda.cuh"
#include "array/segmented/segmented_scan_cuda.h"

struct gf_segmented_params {
    struct gf_tile_params tiles;
    void *out;
    uint64_t flip; /* of minima and maxima */
    const uint32_t *heads;
    int64_t words; /* of them */
    bool inclusive;
    bool wide; /* `out` allows stores of a lane */
};

/* The bits of this lane's elements in its warp's K rows, one row after the other. */
template <class Op, int K> struct gf_lane_heads {
    using word = typename std::conditional<(K * Op::LANE > 32), uint64_t, uint32_t>::type;
    word bits;

    template <class Q>
    __device__ __forceinline__ void load(const gf_segmented_params &p, const Q &queue, uint32_t tile)
    {
        const int64_t first = queue.first(tile);
        bits = 0;
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            const int64_t at = (first + k * Q::STEP) / 32;
            const uint32_t own = at < p.words ? p.heads[at] >> (first % 32) : 0;
            bits |= static_cast<word>(own & ((1u << Op::LANE) - 1)) << (k * Op::LANE);
        }
    }
    __device__ __forceinline__ uint32_t row(int k) const
    {
        return static_cast<uint32_t>(bits >> (k * Op::LANE)) & ((1u << Op::LANE) - 1);
    }
};

/* Lanes before this one. */
GF_DEVICE_FN uint32_t gf_lanes_below()
{
    return (1u << gf_lane()) - 1;
}

/* Works as gf_scan_warp, but from the last lane of `heads` up to this one on. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_heads_warp(const Op &op, typename Op::value v, uint32_t heads)
{
    const uint32_t up_to = (heads | 1) & (gf_lanes_below() << 1 | 1);
    const unsigned reach = gf_lane() - (31 - static_cast<unsigned>(__clz(static_cast<int>(up_to))));
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const typename Op::value before = gf_shfl_up(v, distance);
        v = reach >= distance ? op.join(before, v) : v;
    }
    return v;
}

/* Works as gf_rows_before. heads[row]: 1 where the row has heads, and then where one lies before it in the
 * tile. *any: in the tile, in all lanes. */
template <int ROWS, class Op>
GF_DEVICE_FN typename Op::value gf_heads_rows(const Op &op, typename Op::value *rows, uint32_t *heads,
                                              bool *any)
{
    using A = typename Op::value;
    enum { PER_LANE = ROWS / GF_WARP };
    const unsigned at = gf_lane() * PER_LANE;
    A run[PER_LANE];         /* of this lane's rows, up to each */
    uint32_t seen[PER_LANE]; /* the same of heads */
    run[0] = rows[at];
    seen[0] = heads[at];
    GF_UNROLL
    for (int r = 1; r < PER_LANE; r++) {
        run[r] = heads[at + r] != 0 ? rows[at + r] : op.join(run[r - 1], rows[at + r]);
        seen[r] = seen[r - 1] | heads[at + r];
    }
    const uint32_t with = gf_ballot(seen[PER_LANE - 1] != 0);
    const A lanes = gf_heads_warp(op, run[PER_LANE - 1], with);
    const A lane = gf_scan_warp_before(op, lanes);
    const uint32_t earlier = (with & gf_lanes_below()) != 0;
    GF_UNROLL
    for (int r = 0; r < PER_LANE; r++) {
        rows[at + r] = r == 0 ? lane : seen[r - 1] != 0 ? run[r - 1] : op.join(lane, run[r - 1]);
        heads[at + r] = r == 0 ? earlier : earlier | seen[r - 1];
    }
    *any = with != 0;
    return gf_shfl(lanes, GF_WARP - 1);
}

/* The total of a lane's elements behind its last head, or of all. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_heads_total(const Op &op, const typename Op::in *x, uint32_t heads)
{
    typename Op::value run = op.of(x[0]);
    GF_UNROLL
    for (int e = 1; e < Op::LANE; e++) {
        const typename Op::value v = op.of(x[e]);
        run = (heads >> e & 1) != 0 ? v : op.join(run, v);
    }
    return run;
}

/* A lane's results after `base`. */
template <class Op>
GF_DEVICE_FN void gf_heads_results(const Op &op, const typename Op::in *x, uint32_t heads,
                                   typename Op::value base, bool inclusive, typename Op::out *y)
{
    using A = typename Op::value;
    A run = op.none(); /* of the lane since its last head, before each element; else all is in `base` */
    GF_UNROLL
    for (int e = 0; e < Op::LANE; e++) {
        const A v = op.of(x[e]);
        const bool head = (heads >> e & 1) != 0;
        base = head ? op.none() : base;
        if constexpr (Op::ORDERED) {
            const bool first = head || e == 0;
            const A next = first ? v : op.join(run, v);
            y[e] = op.result(inclusive ? op.join(base, next) : first ? base : op.join(base, run));
            run = next;
        } else {
            const A next = op.join(base, v);
            y[e] = op.result(inclusive ? next : base);
            base = next;
        }
    }
}

/* Totals of the rows of the next tile, whether they have heads, and what lies before this lane in each. */
template <class Op, int K, class Q>
GF_DEVICE_FN void gf_heads_lanes(const Op &op, const Q &queue, const gf_lane_heads<Op, K> &heads,
                                 typename Op::value *rows, uint32_t *has, typename Op::value *lanes)
{
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        typename Op::in x[Op::LANE];
        queue.read(1, k, x);
        const uint32_t own = heads.row(k), with = gf_ballot(own != 0);
        const typename Op::value row = gf_heads_warp(op, gf_heads_total(op, x, own), with);
        lanes[k] = gf_scan_warp_before(op, row);
        if (gf_lane() == GF_WARP - 1) {
            rows[gf_warp() * K + k] = row;
            has[gf_warp() * K + k] = with != 0;
        }
    }
}

/* Writes a tile. before: what lies before it; rows: before each row, in the tile; has: 1 where a head does;
 * lanes: before this lane, in its row. */
template <class Op, int K, class Q>
GF_DEVICE_FN void gf_heads_store(const Op &op, const gf_segmented_params &p, const Q &queue,
                                 const gf_lane_heads<Op, K> &heads, typename Op::value before,
                                 const typename Op::value *rows, const uint32_t *has,
                                 const typename Op::value *lanes)
{
    using out = typename Op::out;
    using A = typename Op::value;
    const int64_t first = queue.first(queue.tile), left = p.tiles.n - first;
    out *const to = static_cast<out *>(p.out) + first;
    const bool whole = p.wide && queue.is_whole(p.tiles, queue.tile);
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        typename Op::in x[Op::LANE];
        out y[Op::LANE];
        queue.read(0, k, x);
        const uint32_t own = heads.row(k);
        const bool in_row = (gf_ballot(own != 0) & gf_lanes_below()) != 0;
        const bool in_tile = in_row || has[gf_warp() * K + k] != 0;
        const A row = in_row ? op.none() : rows[gf_warp() * K + k];
        const A base = op.join(op.join(in_tile ? op.none() : before, row), lanes[k]);
        gf_heads_results(op, x, own, base, p.inclusive, y);
        if (whole) {
            uint4 v;
            memcpy(&v, y, sizeof v);
            gf_store16(to + k * Q::STEP, v, GF_STREAM);
            continue;
        }
        GF_UNROLL
        for (int e = 0; e < Op::LANE; e++) {
            if (k * Q::STEP + e < left) {
                to[k * Q::STEP + e] = y[e];
            }
        }
    }
}

template <class Op>
GF_DEVICE_FN typename Op::value gf_heads_before(const Op &op, const gf_tile_params &p, uint32_t tile,
                                                typename Op::value total, bool heads)
{
    if (p.tiles == 1 || (GF_FAULT(cuda_segmented_carry) && tile == 2)) {
        return op.none();
    }
    if constexpr (Op::ORDERED) {
        return gf_heads_ordered(op, p.state, tile, total, heads);
    } else {
        return gf_heads_free(op, p.state, tile, total, heads);
    }
}

/* Op as of gf_scan_pass, with of(x): an element's value, and result(value). */
template <class Op, int ROWS, int K, int BLOCKS>
static __global__ void __launch_bounds__(ROWS / K * GF_WARP, BLOCKS)
    gf_segmented_scan_pass(const struct gf_segmented_params p)
{
    using A = typename Op::value;
    using tile_queue = gf_tile_queue<typename Op::in, Op::LANE, ROWS, K>;
    /* For two tiles in turns: totals of rows, then what lies before each in the tile; the same of heads. */
    GF_SHARED(A, rows, 2 * ROWS);
    GF_SHARED(uint32_t, has, 2 * ROWS);
    GF_SHARED(A, before, 1);
    GF_SHARED(uint32_t, slots, 2);
    GF_SHARED_DYN(typename tile_queue::raw, rooms);
    const Op op(p.flip);
    tile_queue queue;
    gf_lane_heads<Op, K> heads = {}, heads_ahead = {};
    A lanes[K] = {}, lanes_ahead[K] = {}, total = op.none();
    bool begins = false; /* the tile has heads */
    int turn = 0;        /* of rows: `tile`; the other is of `next` */

    gf_pdl_wait();
    for (queue.begin(p.tiles, rooms, slots, op.fill()); !queue.is_done(p.tiles); turn ^= ROWS) {
        if (queue.next < p.tiles.tiles) {
            heads_ahead.load(p, queue, queue.next);
        }
        queue.wait(p.tiles);
        if (queue.next < p.tiles.tiles) {
            gf_heads_lanes<Op, K>(op, queue, heads_ahead, rows + (turn ^ ROWS), has + (turn ^ ROWS),
                                  lanes_ahead);
        }
        queue.offer(slots);
        __syncthreads();
        const uint32_t offered = slots[0];
        if (gf_warp() == 0) {
            const A of_tile = total;
            const bool tile_begins = begins;
            if (queue.next < p.tiles.tiles) {
                total = gf_heads_rows<ROWS>(op, rows + (turn ^ ROWS), has + (turn ^ ROWS), &begins);
                if (p.tiles.tiles > 1) {
                    gf_heads_publish(op, p.tiles.state, queue.next, total, begins);
                }
            }
            if (queue.tile < p.tiles.tiles) {
                const A found = gf_heads_before(op, p.tiles, queue.tile, of_tile, tile_begins);
                if (gf_lane() == 0) {
                    *before = found;
                }
            }
        }
        __syncthreads();
        queue.draw(p.tiles);
        if (queue.tile < p.tiles.tiles) {
            gf_heads_store<Op, K>(op, p, queue, heads, *before, rows + turn, has + turn, lanes);
        }
        gf_syncwarp(); /* all lanes have read their rows, which are written next */
        queue.step(p.tiles, offered, op.fill());
        heads = heads_ahead;
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            lanes[k] = lanes_ahead[k];
        }
    }
}

/* Blocks of a multiprocessor, as registers allow. */
template <class Op> struct gf_segmented_blocks {
    static const int COUNT = sizeof(typename Op::value) == 8 || Op::LANE == 16 ? 2 : 3;
};

template <class Op>
static gf_status gf_segmented_launch(const struct gf_segmented_scan_call *call, uint64_t flip,
                                     gf_error *error)
{
    enum { ROWS = GF_SCAN_ROWS, K = 4, BLOCKS = gf_segmented_blocks<Op>::COUNT };
    using tile_queue = gf_tile_queue<typename Op::in, Op::LANE, ROWS, K>;
    const struct gf_array_call *array = &call->scan.array;
    struct gf_segmented_params p = {};
    struct gf_segmented_heads heads;
    gf_launch launch = {};
    (void)gf_segmented_layout(call, &heads);
    p.out = array->out;
    p.flip = flip;
    p.heads = heads.words;
    p.words = heads.count;
    p.inclusive = call->scan.inclusive;
    p.wide = reinterpret_cast<uintptr_t>(p.out) % 16 == 0;
    p.tiles.wide = reinterpret_cast<uintptr_t>(array->in) % sizeof(typename tile_queue::raw) == 0;
    GF_TRY(gf_tile_prepare<Op>(array, tile_queue::SIZE, BLOCKS, &p.tiles, &launch, error, heads.cleared));
    GF_TRY(gf_segmented_heads_cuda(call, &heads, launch.programmatic, error));
    launch.block = dim3(tile_queue::THREADS);
    launch.shared = tile_queue::SHARED;
    launch.programmatic = true;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_segmented_scan_pass<Op, ROWS, K, BLOCKS>), launch, p));
    return GF_OK;
}

#endif
