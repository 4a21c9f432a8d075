/* Tiles of an array as the one-pass kernels (scan, compact) take them: drawn in order, loaded ahead of their
 * turn.
 *
 * A tile is ROWS rows of 32 lanes of LANE elements. A warp has K rows, one after the other; a lane of a row
 * is one load. A tile lies in shared memory, where every thread first reads back what it copied itself, so
 * waiting for it needs no barrier. While a block works on one tile, its next one is on the way. */
#ifndef GF_ARRAY_TILE_CUDA_CUH
#define GF_ARRAY_TILE_CUDA_CUH

#include "array/common/grid_cuda.cuh"
#include "array/scan/lookback_cuda.cuh"
#include "base/planted_fault.h"

struct gf_tile_params {
    const void *in;
    int64_t n;
    uint32_t tiles;
    bool wide;         /* `in` allows loads of a lane */
    int64_t row, live; /* of a queue with GAPS: elements from row to row of the array, those that are there */
    struct gf_lookback_state state; /* where tiles > 1 */
};

/* BYTES bytes loaded at once. */
template <int BYTES> struct gf_tile_raw;
template <> struct gf_tile_raw<16> {
    using type = uint4;
};
template <> struct gf_tile_raw<8> {
    using type = uint2;
};
template <> struct gf_tile_raw<4> {
    using type = uint32_t;
};
template <> struct gf_tile_raw<2> {
    using type = uint16_t;
};

/* Two tiles of a block, in dynamic shared memory: `tile` waits for those before it, while `next` is loaded
 * and its total published. A place from p.tiles on is no tile. GAPS: the array is rows of a picture, and what
 * lies between them, which nobody may have written, is not read; a lane's elements lie in one row. */
template <class T, int LANE, int ROWS, int K, bool GAPS = false> struct gf_tile_queue {
    using raw = typename gf_tile_raw<LANE * sizeof(T)>::type;
    static const int PER_LANE = LANE;
    static const int STEP = GF_WARP * LANE; /* elements of a row */
    static const int SIZE = ROWS * STEP;
    static const int THREADS = ROWS / K * GF_WARP;
    static const int ROOM = ROWS * GF_WARP; /* lanes */
    static const size_t SHARED = size_t(2) * ROOM * sizeof(raw);
    static const uint32_t NONE = UINT32_MAX;

    raw *rooms; /* this thread's place in the first */
    uint32_t tile, next;
    uint32_t drawn; /* in one thread: the tile after them */
    int room;       /* of `tile` */

    /* Returns where its warp's first row begins; row k is k * STEP elements further. */
    GF_DEVICE_FN int64_t row(uint32_t of_tile) { return int64_t(of_tile) * SIZE + gf_warp() * K * STEP; }

    /* The same for this lane's elements. */
    GF_DEVICE_FN int64_t first(uint32_t of_tile) { return row(of_tile) + gf_lane() * LANE; }

    GF_DEVICE_FN bool is_whole(const gf_tile_params &p, uint32_t of_tile)
    {
        return p.wide && (int64_t(of_tile) + 1) * SIZE <= p.n;
    }

    GF_DEVICE_FN void request_lane(raw *to, const T *from)
    {
        if constexpr (sizeof(raw) >= 4) {
            gf_cp_async<sizeof(raw)>(to, from);
        } else {
            *to = gf_load_as<raw>(from, GF_STREAM);
        }
    }

    /* The first `left` elements of a lane; `fill` stands for others. */
    GF_DEVICE_FN void request_part(raw *to, const T *from, int64_t left, T fill)
    {
        T x[LANE];
        GF_UNROLL
        for (int e = 0; e < LANE; e++) {
            x[e] = e < left ? from[e] : fill;
        }
        memcpy(to, x, sizeof x);
    }

    /* `of_tile` of an array with gaps. */
    GF_DEVICE_FN void request_rows(const gf_tile_params &p, uint32_t of_tile, raw *to, const T *from, T fill)
    {
        const int64_t begin = first(of_tile);
        int64_t x = begin - gf_divide_quick(begin, p.row) * p.row, left = p.n - begin;
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            const int64_t there = p.live - x < left ? p.live - x : left;
            if (p.wide && there >= LANE) {
                request_lane(to + k * GF_WARP, from + k * STEP);
            } else {
                request_part(to + k * GF_WARP, from + k * STEP, there, fill);
            }
            left -= STEP;
            for (x += STEP; x >= p.row;) {
                x -= p.row;
            }
        }
    }

    /* `fill` stands for elements behind the array. */
    __device__ __forceinline__ void request(const gf_tile_params &p, uint32_t wanted, int to_room, T fill)
    {
        raw *const to = rooms + to_room * ROOM;
        const T *const from = static_cast<const T *>(p.in) + first(wanted);
        if (GAPS && wanted < p.tiles && p.live < p.row) {
            request_rows(p, wanted, to, from, fill);
        } else if (wanted < p.tiles && is_whole(p, wanted)) {
            GF_UNROLL
            for (int k = 0; k < K; k++) {
                request_lane(to + k * GF_WARP, from + k * STEP);
            }
        } else if (wanted < p.tiles) {
            const int64_t left = p.n - first(wanted);
            GF_UNROLL
            for (int k = 0; k < K; k++) {
                request_part(to + k * GF_WARP, from + k * STEP, left - k * STEP, fill);
            }
        }
        gf_cp_async_commit();
    }

    /* One thread draws for its block. Where each block has a tile, nobody draws a second and waits for the
     * answer. */
    GF_DEVICE_FN bool is_drawer() { return gf_thread() == THREADS - 1; }

    __device__ __forceinline__ void draw(const gf_tile_params &p)
    {
        if (is_drawer() && p.tiles > gridDim.x) {
            drawn = gf_atomic_add(p.state.ticket, 1u);
        }
    }

    /* Draws and requests the first tile, as `next`. slots: two words of shared memory; this takes the second:
     * a warp may offer in the first while another is still reading here. By all threads. */
    __device__ __forceinline__ void begin(const gf_tile_params &p, raw *shared, uint32_t *slots, T fill)
    {
        rooms = shared + gf_warp() * K * GF_WARP + gf_lane();
        room = 0;
        drawn = NONE;
        if (p.tiles > 1) {
            if (is_drawer()) {
                slots[1] = gf_atomic_add(p.state.ticket, 1u);
            }
            __syncthreads();
        }
        tile = NONE;
        next = p.tiles > 1 ? slots[1] : 0;
        request(p, next, 1, fill);
    }

    __device__ __forceinline__ bool is_done(const gf_tile_params &p) const
    {
        return tile >= p.tiles && next >= p.tiles;
    }

    /* Waits for the elements of `next`. A block draws its second tile when the first is there, so that all
     * blocks have drawn one by then: in a small array each has its own. */
    __device__ __forceinline__ void wait(const gf_tile_params &p)
    {
        gf_cp_async_wait<0>();
        if (tile == NONE) {
            draw(p);
        }
    }

    /* This lane's elements of row k of `tile` (ahead 0) or `next` (1). */
    __device__ __forceinline__ raw lane(int ahead, int k) const
    {
        return rooms[(room ^ ahead) * ROOM + k * GF_WARP];
    }
    __device__ __forceinline__ void read(int ahead, int k, T *x) const
    {
        const raw own = lane(ahead, k);
        memcpy(x, &own, LANE * sizeof(T));
    }

    /* Row k of `tile` where it lies, for any lane of its warp, behind a barrier behind the wait. */
    __device__ __forceinline__ const T *shared_row(int k) const
    {
        return reinterpret_cast<const T *>(rooms - gf_lane() + room * ROOM + k * GF_WARP);
    }

    /* Tells all threads, behind the next barrier, what was drawn. */
    __device__ __forceinline__ void offer(uint32_t *slots) const
    {
        if (is_drawer()) {
            slots[0] = drawn;
        }
    }

    /* Takes `tile` off; the offered tile comes into its room. */
    __device__ __forceinline__ void step(const gf_tile_params &p, uint32_t offered, T fill)
    {
        request(p, offered, room, fill);
        tile = next;
        next = offered;
        room ^= 1;
    }
};

/* Kogge and Stone (1973): over the lanes of a warp, v of this lane and of all before it. */
template <class Op> GF_DEVICE_FN typename Op::value gf_scan_warp(const Op &op, typename Op::value v)
{
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const typename Op::value before = gf_shfl_up(v, distance);
        v = gf_lane() >= distance ? op.join(before, v) : v;
    }
    return v;
}

/* The same without this lane. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_scan_warp_before(const Op &op, typename Op::value inclusive)
{
    const typename Op::value before = gf_shfl_up(inclusive, 1);
    return gf_lane() == 0 ? op.none() : before;
}

/* One warp turns totals of a tile's rows into what lies before each row in the tile; the tile's total is
 * returned in all lanes. A lane has neighbouring rows. rows may be before. */
template <int ROWS, class Op>
GF_DEVICE_FN typename Op::value gf_rows_before(const Op &op, const typename Op::value *rows,
                                               typename Op::value *before)
{
    using A = typename Op::value;
    enum { PER_LANE = ROWS / GF_WARP };
    const unsigned at = gf_lane() * PER_LANE;
    A run[PER_LANE]; /* of this lane's rows, up to each */
    run[0] = rows[at];
    GF_UNROLL
    for (int r = 1; r < PER_LANE; r++) {
        run[r] = op.join(run[r - 1], rows[at + r]);
    }
    const A lanes = gf_scan_warp(op, run[PER_LANE - 1]);
    const A lane = gf_scan_warp_before(op, lanes);
    GF_UNROLL
    for (int r = 0; r < PER_LANE; r++) {
        before[at + r] = r == 0 ? lane : op.join(lane, run[r - 1]);
    }
    return gf_shfl(lanes, GF_WARP - 1);
}

template <class Op>
GF_DEVICE_FN void gf_tile_publish(const Op &op, const gf_tile_params &p, uint32_t tile,
                                  typename Op::value total)
{
    if (p.tiles > 1) {
        gf_lookback_publish(op, p.state, tile, total);
    }
}

/* One warp finds all that lies before a tile. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_tile_before(const Op &op, const gf_tile_params &p, uint32_t tile,
                                               typename Op::value total)
{
    if (p.tiles == 1 || (GF_FAULT(cuda_scan_lookback) && tile == 2)) {
        return op.none();
    }
    if constexpr (Op::ORDERED) {
        return gf_lookback_ordered(op, p.state, tile, total);
    } else {
        return gf_lookback_free(op, p.state, tile, total);
    }
}

/* Lays out and clears the look-back's state where there is more than one tile of `size` elements, and
 * `behind` bytes behind it, a multiple of 16; fills the rest of *p from the call. The kernel then starts with
 * as many blocks as fit the device `blocks` times a processor. */
template <class Op>
static gf_status gf_tile_prepare(const struct gf_array_call *call, int64_t size, int blocks,
                                 struct gf_tile_params *p, struct gf_launch *launch, gf_error *error,
                                 size_t behind = 0)
{
    size_t state = 0;
    int processors = 0;
    p->in = call->in;
    p->n = call->n;
    p->tiles = static_cast<uint32_t>((call->n + size - 1) / size); /* more would fit no memory */
    launch->stream = static_cast<cudaStream_t>(call->queue.stream);
    if (p->tiles > 1) {
        state = gf_lookback_layout(call->scratch, p->tiles, Op::slot::WORDS, Op::ORDERED, &p->state);
    }
    if (state + behind > 0) {
        GF_TRY(gf_clear(call->scratch, state + behind, launch, error));
    }
    GF_TRY(gf_multiprocessors(&processors, error));
    const int64_t resident = int64_t(processors) * blocks;
    launch->grid = dim3(p->tiles < resident ? p->tiles : static_cast<unsigned>(resident));
    return GF_OK;
}

#endif
