/* The scan in one pass: lanes of a row are joined by shuffles, rows of a tile by one warp, tiles by
 * gf_lookback. The order of joining is the same for all types; for sums of floats it is the contract
 * (docs/exactness.md). */
#ifndef GF_ARRAY_SCAN_PASS_CUDA_CUH
#define GF_ARRAY_SCAN_PASS_CUDA_CUH

#include "array/tile_cuda.cuh"
#include "base/planted_fault.h"

struct gf_scan_params {
    struct gf_tile_params tiles;
    void *out;
    uint64_t flip; /* of minima and maxima */
    bool inclusive;
    bool wide; /* `out` allows stores of a lane */
};

/* Writes a tile. bases: what lies before each row of the tile; lanes: before this lane, in its row. */
template <class Op, int K, class Q>
GF_DEVICE_FN void gf_scan_store(const Op &op, const gf_scan_params &p, const Q &queue,
                                const typename Op::value *bases, const typename Op::value *lanes)
{
    using out = typename Op::out;
    const int64_t first = queue.first(queue.tile), left = p.tiles.n - first;
    out *const to = static_cast<out *>(p.out) + first;
    const bool whole = p.wide && queue.is_whole(p.tiles, queue.tile);
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        typename Op::in x[Op::LANE];
        out y[Op::LANE];
        queue.read(k, x);
        op.results(x, op.join(bases[gf_warp() * K + k], lanes[k]), p.inclusive, y);
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

/* Op joins values and knows the elements:
 *   in, out, value        types; LANE elements a lane
 *   none(), join(a, b)
 *   fill()                an element that changes nothing
 *   total(x)              of the lane's elements
 *   results(x, base, inclusive, y)  its results after `base` */
template <class Op, int ROWS, int K, int BLOCKS>
static __global__ void __launch_bounds__(ROWS / K * GF_WARP, BLOCKS)
    gf_scan_pass(const struct gf_scan_params p)
{
    using A = typename Op::value;
    using in = typename Op::in;
    using tile_queue = gf_tile_queue<in, Op::LANE, ROWS, K>;
    GF_SHARED(A, rows, ROWS);
    GF_SHARED(A, bases, ROWS);
    GF_SHARED(uint32_t, slot, 1);
    GF_SHARED_DYN(typename tile_queue::raw, rooms);
    const Op op(p);
    tile_queue queue;

    gf_pdl_wait();
    queue.begin(p.tiles, rooms, slot, op.fill());
    while (queue.tile < p.tiles.tiles) {
        A lanes[K];
        queue.wait();
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            in x[Op::LANE];
            queue.read(k, x);
            const A row = gf_scan_warp(op, op.total(x));
            lanes[k] = gf_scan_warp_before(op, row);
            if (gf_lane() == GF_WARP - 1) {
                rows[gf_warp() * K + k] = row;
            }
        }
        queue.offer(slot);
        __syncthreads();
        queue.follow(p.tiles, slot, op.fill());
        if (gf_warp() == 0) {
            gf_rows_before<ROWS>(op, p.tiles, queue.tile, rows, bases);
        }
        __syncthreads();
        queue.draw(p.tiles);
        gf_scan_store<Op, K>(op, p, queue, bases, lanes);
        queue.step();
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
    GF_TRY(gf_tile_prepare<typename Op::value>(&call->array, tile_queue::SIZE, BLOCKS, &p.tiles, &launch,
                                               error));
    launch.block = dim3(tile_queue::THREADS);
    launch.shared = tile_queue::SHARED;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_scan_pass<Op, ROWS, K, BLOCKS>), launch, p));
    return GF_OK;
}

#endif
