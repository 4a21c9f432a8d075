/* The scan in one pass: lanes of a row are joined by shuffles, rows of a tile by one warp, tiles by
 * gf_lookback. The order of joining is the same for all types; for sums of floats it is the contract
 * (docs/exactness.md). */
#ifndef GF_ARRAY_SCAN_PASS_CUDA_CUH
#define GF_ARRAY_SCAN_PASS_CUDA_CUH

#include "array/scan/tile_cuda.cuh"

struct gf_scan_params {
    struct gf_tile_params tiles;
    void *out;
    uint64_t flip; /* of minima and maxima */
    bool inclusive;
    bool wide; /* `out` allows stores of a lane */
};

/* Writes a tile. before: what lies before it; rows: before each row, in the tile; lanes: before this lane, in
 * its row. */
template <class Op, int K, class Q>
GF_DEVICE_FN void gf_scan_store(const Op &op, const gf_scan_params &p, const Q &queue,
                                typename Op::value before, const typename Op::value *rows,
                                const typename Op::value *lanes)
{
    using out = typename Op::out;
    const int64_t first = queue.first(queue.tile), left = p.tiles.n - first;
    out *const to = static_cast<out *>(p.out) + first;
    const bool whole = p.wide && queue.is_whole(p.tiles, queue.tile);
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        typename Op::in x[Op::LANE];
        out y[Op::LANE];
        queue.read(0, k, x);
        op.results(x, op.join(op.join(before, rows[gf_warp() * K + k]), lanes[k]), p.inclusive, y);
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

/* Totals of the rows of the next tile, and what lies before this lane in each. */
template <class Op, int K, class Q>
GF_DEVICE_FN void gf_scan_lanes(const Op &op, const Q &queue, typename Op::value *rows,
                                typename Op::value *lanes)
{
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        typename Op::in x[Op::LANE];
        queue.read(1, k, x);
        const typename Op::value row = gf_scan_warp(op, op.total(x));
        lanes[k] = gf_scan_warp_before(op, row);
        if (gf_lane() == GF_WARP - 1) {
            rows[gf_warp() * K + k] = row;
        }
    }
}

/* Op joins values and knows the elements:
 *   in, out, value        types; LANE elements a lane
 *   none(), join(a, b); ORDERED: only in the order of gf_lookback_ordered
 *   fill()                an element that changes nothing
 *   total(x)              of the lane's elements
 *   results(x, base, inclusive, y)  its results after `base` */
template <class Op, int ROWS, int K, int BLOCKS>
static __global__ void __launch_bounds__(ROWS / K * GF_WARP, BLOCKS)
    gf_scan_pass(const struct gf_scan_params p)
{
    using A = typename Op::value;
    using tile_queue = gf_tile_queue<typename Op::in, Op::LANE, ROWS, K>;
    /* For two tiles in turns: totals of rows, then what lies before each in the tile. */
    GF_SHARED(A, rows, 2 * ROWS);
    GF_SHARED(A, before, 1);
    GF_SHARED(uint32_t, slots, 2);
    GF_SHARED_DYN(typename tile_queue::raw, rooms);
    const Op op(p.flip);
    tile_queue queue;
    A lanes[K] = {}, lanes_ahead[K] = {}, total = op.none();
    int turn = 0; /* of rows: `tile`; the other is of `next` */

    gf_pdl_wait();
    for (queue.begin(p.tiles, rooms, slots, op.fill()); !queue.is_done(p.tiles); turn ^= ROWS) {
        queue.wait(p.tiles);
        if (queue.next < p.tiles.tiles) {
            gf_scan_lanes<Op, K>(op, queue, rows + (turn ^ ROWS), lanes_ahead);
        }
        queue.offer(slots);
        __syncthreads();
        const uint32_t offered = slots[0];
        if (gf_warp() == 0) {
            const A of_tile = total;
            if (queue.next < p.tiles.tiles) {
                total = gf_rows_before<ROWS>(op, rows + (turn ^ ROWS), rows + (turn ^ ROWS));
                gf_tile_publish(op, p.tiles, queue.next, total);
            }
            if (queue.tile < p.tiles.tiles) {
                const A found = gf_tile_before(op, p.tiles, queue.tile, of_tile);
                if (gf_lane() == 0) {
                    *before = found;
                }
            }
        }
        __syncthreads();
        queue.draw(p.tiles);
        if (queue.tile < p.tiles.tiles) {
            gf_scan_store<Op, K>(op, p, queue, *before, rows + turn, lanes);
        }
        gf_syncwarp(); /* all lanes have read their rows, which are written next */
        queue.step(p.tiles, offered, op.fill());
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            lanes[k] = lanes_ahead[k];
        }
    }
}

template <class Op, int ROWS = GF_SCAN_ROWS, int K = 4, int BLOCKS = 3>
static gf_status gf_scan_launch(const struct gf_scan_call *call, uint64_t flip, gf_error *error)
{
    using tile_queue = gf_tile_queue<typename Op::in, Op::LANE, ROWS, K>;
    struct gf_scan_params p = {};
    gf_launch launch = {};
    p.out = call->array.out;
    p.flip = flip;
    p.inclusive = call->inclusive;
    p.wide = reinterpret_cast<uintptr_t>(p.out) % 16 == 0;
    p.tiles.wide = reinterpret_cast<uintptr_t>(call->array.in) % sizeof(typename tile_queue::raw) == 0;
    GF_TRY(gf_tile_prepare<Op>(&call->array, tile_queue::SIZE, BLOCKS, &p.tiles, &launch, error));
    launch.block = dim3(tile_queue::THREADS);
    launch.shared = tile_queue::SHARED;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_pass<Op, ROWS, K, BLOCKS>), launch, p));
    return GF_OK;
}

#endif
