/* The compaction in one pass: a lane's elements are tested where they are loaded and become bits; bits are
 * counted, rows of a tile by one warp, tiles by gf_lookback; then each warp goes through its rows, 32
 * neighbouring elements at a time, so that what stays of them goes to neighbouring places. */
#ifndef GF_ARRAY_COMPACT_PASS_CUDA_CUH
#define GF_ARRAY_COMPACT_PASS_CUDA_CUH

#include "array/compact_keep_cuda.cuh"
#include "array/tile_cuda.cuh"
#include "base/planted_fault.h"

struct gf_compact_params {
    struct gf_tile_params tiles; /* `in`: what is tested, elements or flags */
    const void *values;
    void *out;
    uint64_t *count;
    int64_t capacity;
    struct gf_keep_test test;
};

struct gf_count_op {
    using value = uint64_t;
    __device__ uint64_t none() const { return 0; }
    __device__ uint64_t join(uint64_t a, uint64_t b) const { return a + b; }
};

/* Counts of two rows in the halves of a word. */
struct gf_halves_op {
    using value = uint32_t;
    __device__ uint32_t none() const { return 0; }
    __device__ uint32_t join(uint32_t a, uint32_t b) const { return a + b; }
};

/* What is written for an element: a value (type OUT) of the tile or of another array, or its index. */
enum gf_compact_what { GF_COMPACT_OWN, GF_COMPACT_OTHER, GF_COMPACT_INDEX };

/* The bits of a warp's K rows, and how many are set in the lanes before this one, in the upper half; rows:
 * their totals. */
template <class T, int K, class Q>
GF_DEVICE_FN void gf_compact_test(const gf_keep_lane<T> &keep, const gf_compact_params &p, const Q &queue,
                                  uint64_t *rows, uint32_t *lanes)
{
    static_assert(K % 2 == 0, "rows are counted in pairs");
    const int64_t left = p.tiles.n - queue.first(queue.tile);
    const bool whole = queue.is_whole(p.tiles, queue.tile);
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        T x[Q::PER_LANE];
        queue.read(k, x);
        lanes[k] = keep.bits(x);
        const int64_t there = left - k * Q::STEP;
        if (!whole && there < Q::PER_LANE) {
            lanes[k] &= there > 0 ? (1u << there) - 1 : 0;
        }
    }
    GF_UNROLL
    for (int k = 0; k < K; k += 2) {
        const uint32_t own = static_cast<uint32_t>(__popc(lanes[k]) | __popc(lanes[k + 1]) << 16);
        const uint32_t upto = gf_scan_warp(gf_halves_op(), own), before = upto - own;
        if (gf_lane() == GF_WARP - 1) {
            rows[gf_warp() * K + k] = upto & 0xffffu;
            rows[gf_warp() * K + k + 1] = upto >> 16;
        }
        lanes[k] |= before << 16;
        lanes[k + 1] |= before & 0xffff0000u;
    }
}

/* Writes what stays of a warp's row k, whose first kept element goes to `base`. */
template <class T, class OUT, gf_compact_what WHAT, class Q>
GF_DEVICE_FN void gf_compact_row(const gf_compact_params &p, const Q &queue, int k, uint32_t lanes,
                                 uint64_t base)
{
    enum { LANE = Q::PER_LANE };
    const uint64_t capacity = static_cast<uint64_t>(p.capacity);
    const uint32_t room = base >= capacity           ? 0
                          : capacity - base < 0xffff ? static_cast<uint32_t>(capacity - base)
                                                     : 0xffff;
    const int64_t first = queue.row(queue.tile) + k * Q::STEP;
    const T *const own = queue.shared_row(k);
    OUT *const out = static_cast<OUT *>(p.out) + base;
    const uint32_t bit = 1u << gf_lane() % LANE;
    for (uint32_t i = gf_lane(); i < Q::STEP; i += GF_WARP) {
        const uint32_t of_lane = gf_shfl(lanes, i / LANE);
        const uint32_t place = (of_lane >> 16) + static_cast<uint32_t>(__popc(of_lane & (bit - 1)));
        if ((of_lane & bit) != 0 && place < room) {
            if (WHAT == GF_COMPACT_OWN) {
                memcpy(out + place, own + i, sizeof(OUT));
            } else if (WHAT == GF_COMPACT_OTHER) {
                out[place] = static_cast<const OUT *>(p.values)[first + i];
            } else {
                out[place] = static_cast<OUT>(first + i);
            }
        }
    }
}

template <class T, class OUT, gf_compact_what WHAT, int ROWS, int K, int BLOCKS>
static __global__ void __launch_bounds__(ROWS / K * GF_WARP, BLOCKS)
    gf_compact_pass(const struct gf_compact_params p)
{
    using tile_queue = gf_tile_queue<T, gf_keep_lane<T>::LANE, ROWS, K>;
    GF_SHARED(uint64_t, rows, ROWS);
    GF_SHARED(uint64_t, bases, ROWS);
    GF_SHARED(uint32_t, slot, 1);
    GF_SHARED_DYN(typename tile_queue::raw, rooms);
    const gf_keep_lane<T> keep(p.test);
    tile_queue queue;

    gf_pdl_wait();
    queue.begin(p.tiles, rooms, slot, T(0));
    while (queue.tile < p.tiles.tiles) {
        uint32_t lanes[K];
        queue.wait();
        gf_compact_test<T, K>(keep, p, queue, rows, lanes);
        queue.offer(slot);
        __syncthreads();
        queue.follow(p.tiles, slot, T(0));
        if (gf_warp() == 0) {
            gf_rows_before<ROWS>(gf_count_op(), p.tiles, queue.tile, rows, bases);
        }
        __syncthreads();
        queue.draw(p.tiles);
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            if (rows[gf_warp() * K + k] > 0) {
                gf_compact_row<T, OUT, WHAT>(p, queue, k, lanes[k], bases[gf_warp() * K + k]);
            }
        }
        if (gf_thread() == 0 && queue.tile == p.tiles.tiles - 1) {
            *p.count = bases[ROWS - 1] + rows[ROWS - 1];
        }
        queue.step();
    }
}

template <class T, class OUT, gf_compact_what WHAT, int ROWS = GF_SCAN_ROWS, int K = 4, int BLOCKS = 3>
static gf_status gf_compact_launch(const struct gf_compact_call *call, gf_error *error)
{
    using tile_queue = gf_tile_queue<T, gf_keep_lane<T>::LANE, ROWS, K>;
    struct gf_compact_params p = {};
    gf_launch launch = {};
    p.values = call->array.in;
    p.out = call->array.out;
    p.count = call->count;
    p.capacity = call->capacity;
    p.test = call->test;
    GF_TRY(gf_tile_prepare<uint64_t>(&call->array, tile_queue::SIZE, BLOCKS, &p.tiles, &launch, error));
    if (call->flags) {
        p.tiles.in = call->flags;
        p.test = {0, 0, true};
    }
    p.tiles.wide = reinterpret_cast<uintptr_t>(p.tiles.in) % sizeof(typename tile_queue::raw) == 0;
    launch.block = dim3(tile_queue::THREADS);
    launch.shared = tile_queue::SHARED;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_compact_pass<T, OUT, WHAT, ROWS, K, BLOCKS>), launch, p));
    return GF_OK;
}

#endif
