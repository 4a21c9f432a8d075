/* The compaction in one pass: a lane's elements are tested where they are loaded and become bits; bits are
 * counted, rows of a tile by one warp, tiles by gf_lookback; then each warp goes through its rows, 32
 * neighbouring elements at a time, so that what stays of them goes to neighbouring places. */
#ifndef GF_ARRAY_COMPACT_PASS_CUDA_CUH
#define GF_ARRAY_COMPACT_PASS_CUDA_CUH

#include "array/compact/compact_keep_cuda.cuh"
#include "array/scan/tile_cuda.cuh"
#include "base/planted_fault.h"

struct gf_compact_params {
    struct gf_tile_params tiles; /* `in`: what is tested, elements or flags */
    const void *values;
    void *out;
    uint64_t *count;
    uint64_t *written; /* of what is kept, how much there is room for; NULL: nobody asks */
    int64_t capacity;
    struct gf_keep_test test;

    /* Both are asked behind gf_pdl_wait, so that they may lie in memory that kernels before this one wrote:
     * the condition, and whether there is anything to do. */
    __device__ gf_keep_test condition() const { return test; }
    __device__ bool is_wanted() const { return true; }

    /* Bits of those of a lane's elements that are asked at all; the first is number `first`. */
    __device__ uint32_t among(int64_t) const { return UINT32_MAX; }
};

/* Counts of all tiles; of the rows of one. */
struct gf_count_op {
    using value = uint64_t;
    using slot = gf_slot_count;
    static const bool ORDERED = false;
    __device__ uint64_t none() const { return 0; }
    __device__ uint64_t join(uint64_t a, uint64_t b) const { return a + b; }
};

struct gf_row_count_op {
    using value = uint32_t;
    __device__ uint32_t none() const { return 0; }
    __device__ uint32_t join(uint32_t a, uint32_t b) const { return a + b; }
};

/* The bits of a warp's K rows of the next tile, and how many are set in the lanes before this one, in the
 * upper half; rows: their totals. */
template <class T, int K, class P, class Q>
GF_DEVICE_FN void gf_compact_test(const gf_keep_lane<T> &keep, const P &p, const Q &queue, uint32_t *rows,
                                  uint32_t *lanes)
{
    static_assert(K % 2 == 0, "rows are counted in pairs");
    const int64_t first = queue.first(queue.next), left = p.tiles.n - first;
    const bool whole = queue.is_whole(p.tiles, queue.next);
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        lanes[k] = keep.bits(queue.lane(1, k)) & p.among(first + k * Q::STEP);
        const int64_t there = left - k * Q::STEP;
        if (!whole && there < Q::PER_LANE && !GF_FAULT(cuda_compact_tail)) {
            lanes[k] &= there > 0 ? (1u << there) - 1 : 0;
        }
    }
    GF_UNROLL
    for (int k = 0; k < K; k += 2) { /* two rows in the halves of a word */
        const uint32_t own = static_cast<uint32_t>(__popc(lanes[k]) | __popc(lanes[k + 1]) << 16);
        const uint32_t upto = gf_scan_warp(gf_row_count_op(), own), before = upto - own;
        if (gf_lane() == GF_WARP - 1) {
            rows[gf_warp() * K + k] = upto & 0xffffu;
            rows[gf_warp() * K + k + 1] = upto >> 16;
        }
        lanes[k] |= before << 16;
        lanes[k + 1] |= before & 0xffff0000u;
    }
}

/* Returns how many of the results from `first` on there is room for; a tile has fewer than 2^31. */
GF_DEVICE_FN uint32_t gf_compact_room(const gf_compact_params &p, uint64_t first)
{
    const uint64_t capacity = static_cast<uint64_t>(p.capacity);
    return first >= capacity              ? 0
           : capacity - first < INT32_MAX ? static_cast<uint32_t>(capacity - first)
                                          : INT32_MAX;
}

/* What is written for an element: a value (type OUT) of the tile or of another array, or its index. Made for
 * a row of the tile, whose first element is number `first` and lies at `own`, and of which the first that
 * stays goes to `place`; then called with where an element goes behind that one, and which one of the row it
 * is. Where no lane has more than FEW elements of a tile that stay, each writes its own. */
template <class T, class OUT> struct gf_put_own {
    using params = gf_compact_params;
    static const uint32_t FEW = 0;
    OUT *out;
    const T *own;

    __device__ gf_put_own(const params &p, uint64_t place, int64_t, const T *of_row)
        : out(static_cast<OUT *>(p.out) + place), own(of_row)
    {
    }
    __device__ __forceinline__ void operator()(uint32_t at, uint32_t i) const
    {
        memcpy(out + at, own + i, sizeof(OUT));
    }
};

template <class T, class OUT> struct gf_put_other {
    using params = gf_compact_params;
    static const uint32_t FEW = 0;
    OUT *out;
    const OUT *values;

    __device__ gf_put_other(const params &p, uint64_t place, int64_t first, const T *)
        : out(static_cast<OUT *>(p.out) + place), values(static_cast<const OUT *>(p.values) + first)
    {
    }
    __device__ __forceinline__ void operator()(uint32_t at, uint32_t i) const { out[at] = values[i]; }
};

template <class T, class OUT> struct gf_put_index {
    using params = gf_compact_params;
    static const uint32_t FEW = 0;
    OUT *out;
    int64_t first;

    __device__ gf_put_index(const params &p, uint64_t place, int64_t of_row, const T *)
        : out(static_cast<OUT *>(p.out) + place), first(of_row)
    {
    }
    __device__ __forceinline__ void operator()(uint32_t at, uint32_t i) const
    {
        out[at] = static_cast<OUT>(first + i);
    }
};

/* Writes a tile row by row, 32 neighbouring elements at a time. A writer has TABLE words of shared memory and
 * BYTES bytes of dynamic shared memory; `stage` runs while what lies before the tile is looked for, `write`
 * when it is known. rows: how many stay before each row of the tile; lanes: as gf_compact_test left them. */
template <class T, class Put, class Q, int K> struct gf_row_writer {
    using params = typename Put::params;
    static const int TABLE = 1;
    static const size_t BYTES = 0;

    __device__ gf_row_writer(void *, uint32_t *) {}
    __device__ void stage(const Q &, const uint32_t *, const uint32_t *) {}

    GF_DEVICE_FN void write_row(const params &p, const Q &queue, int k, uint32_t lanes, uint64_t place)
    {
        enum { LANE = Q::PER_LANE };
        const uint32_t room = gf_compact_room(p, place);
        if (!gf_any((lanes & 0xffffu) != 0) || room == 0) {
            return;
        }
        const Put put(p, place, queue.row(queue.tile) + k * Q::STEP, queue.shared_row(k));
        const uint32_t bit = 1u << gf_lane() % LANE;
        for (uint32_t i = gf_lane(); i < Q::STEP; i += GF_WARP) {
            const uint32_t of_lane = gf_shfl(lanes, i / LANE);
            const uint32_t at = (of_lane >> 16) + static_cast<uint32_t>(__popc(of_lane & (bit - 1)));
            if ((of_lane & bit) != 0 && at < room) {
                put(at, i);
            }
        }
    }

    /* Each lane its own: where few of them have any, most steps of write_row would be for nothing. */
    GF_DEVICE_FN void write_few(const params &p, const Q &queue, const uint32_t *before,
                                const uint32_t *lanes, uint64_t first)
    {
        const uint32_t room = gf_compact_room(p, first);
        const Put put(p, first, queue.row(queue.tile), queue.shared_row(0));
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            const uint32_t i = static_cast<uint32_t>(k * Q::STEP) + gf_lane() * Q::PER_LANE - 1;
            uint32_t at = before[k] + (lanes[k] >> 16);
            for (uint32_t left = lanes[k] & 0xffffu; left != 0 && at < room; left &= left - 1, at++) {
                put(at, i + static_cast<uint32_t>(__ffs(static_cast<int>(left))));
            }
        }
    }

    __device__ __forceinline__ void write(const params &p, const Q &queue, const uint32_t *rows,
                                          const uint32_t *lanes, uint64_t first, uint32_t)
    {
        const uint32_t *const before = rows + gf_warp() * K;
        bool few = false;
        if constexpr (Put::FEW > 0) {
            uint32_t own = 0;
            GF_UNROLL
            for (int k = 0; k < K; k++) {
                own += static_cast<uint32_t>(__popc(lanes[k] & 0xffffu));
            }
            few = gf_reduce_max(own) <= Put::FEW;
            if (few) {
                write_few(p, queue, before, lanes, first);
            }
        }
        GF_UNROLL
        for (int k = 0; k < K && !few; k++) {
            write_row(p, queue, k, lanes[k], first + before[k]);
        }
        gf_syncwarp(); /* other lanes have read the rows, whose room is used again */
    }
};

/* Finds where a tile's results go, and how many they are. One warp does it. */
GF_DEVICE_FN void gf_compact_place(const gf_compact_params &p, uint32_t tile, uint32_t kept, uint64_t *place)
{
    const uint64_t first = gf_tile_before(gf_count_op(), p.tiles, tile, uint64_t(kept));
    if (gf_lane() == 0) {
        place[0] = first;
        place[1] = kept;
        if (tile == p.tiles.tiles - 1) {
            const uint64_t all = first + kept, room = static_cast<uint64_t>(p.capacity);
            *p.count = all;
            if (p.written) {
                *p.written = all < room ? all : room;
            }
        }
    }
}

template <class T, class Writer, class Q, int ROWS, int K, int BLOCKS>
static __global__ void __launch_bounds__(ROWS / K * GF_WARP, BLOCKS)
    gf_compact_pass(const typename Writer::params p)
{
    /* For two tiles in turns: counts of rows, then how many stay before each in the tile. */
    GF_SHARED(uint32_t, rows, 2 * ROWS);
    GF_SHARED(uint64_t, place, 2);
    GF_SHARED(uint32_t, slots, 2);
    GF_SHARED(uint32_t, table, Writer::TABLE);
    GF_SHARED_DYN(typename Q::raw, rooms);
    Writer writer(rooms + 2 * Q::ROOM, table);
    Q queue;
    uint32_t lanes[K] = {}, lanes_ahead[K] = {}, total = 0;
    int turn = 0; /* of rows: `tile`; the other is of `next` */

    gf_pdl_wait();
    if (!p.is_wanted()) {
        return;
    }
    const gf_keep_lane<T> keep(p.condition());
    for (queue.begin(p.tiles, rooms, slots, T(0)); !queue.is_done(p.tiles); turn ^= ROWS) {
        const uint32_t kept = total;
        queue.wait(p.tiles);
        if (queue.next < p.tiles.tiles) {
            gf_compact_test<T, K>(keep, p, queue, rows + (turn ^ ROWS), lanes_ahead);
        }
        queue.offer(slots);
        __syncthreads();
        const uint32_t offered = slots[0];
        if (gf_warp() == 0 && queue.next < p.tiles.tiles) {
            total = gf_rows_before<ROWS>(gf_row_count_op(), rows + (turn ^ ROWS), rows + (turn ^ ROWS));
            gf_tile_publish(gf_count_op(), p.tiles, queue.next, uint64_t(total));
        }
        if (queue.tile < p.tiles.tiles) {
            writer.stage(queue, rows + turn, lanes);
            if (gf_warp() == 0) {
                gf_compact_place(p, queue.tile, kept, place);
            }
        }
        __syncthreads();
        queue.draw(p.tiles);
        if (queue.tile < p.tiles.tiles) {
            writer.write(p, queue, rows + turn, lanes, place[0], static_cast<uint32_t>(place[1]));
        }
        queue.step(p.tiles, offered, T(0));
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            lanes[k] = lanes_ahead[k];
        }
    }
}

/* Finds whether all tiles of queue Q are in work at once: one on each processor, which every device holds. */
template <class Q>
static gf_status gf_compact_is_resident(const struct gf_compact_call *call, bool *resident, gf_error *error)
{
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    *resident = call->array.n <= int64_t(processors) * Q::SIZE;
    return GF_OK;
}

/* Queues the pass with a writer made for the queue Q: ROWS rows a tile, K a warp, BLOCKS blocks a processor.
 * p: what the writer has beyond the call. at_once: the writer waits for tiles that come later, too, so all of
 * them must be resident. */
template <class T, class Writer, class Q, int ROWS, int K, int BLOCKS>
static gf_status gf_compact_queue(const struct gf_compact_call *call, typename Writer::params p,
                                  gf_error *error, bool at_once = false)
{
    gf_launch launch = {};
    p.values = call->array.in;
    p.out = call->array.out;
    p.count = call->count;
    p.capacity = call->capacity;
    p.test = call->test;
    GF_TRY(gf_tile_prepare<gf_count_op>(&call->array, Q::SIZE, BLOCKS, &p.tiles, &launch, error));
    if (call->flags) {
        p.tiles.in = call->flags;
        p.test = {0, 0, true};
    }
    p.tiles.wide = reinterpret_cast<uintptr_t>(p.tiles.in) % sizeof(typename Q::raw) == 0;
    launch.block = dim3(Q::THREADS);
    launch.shared = Q::SHARED + Writer::BYTES;
    launch.cooperative = at_once;
    launch.programmatic = launch.programmatic && !at_once;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_compact_pass<T, Writer, Q, ROWS, K, BLOCKS>), launch, p));
    return GF_OK;
}

template <class T, class Put, int ROWS = GF_SCAN_ROWS, int K = 4, int BLOCKS = 3, bool GAPS = false>
static gf_status gf_compact_launch(const struct gf_compact_call *call, gf_error *error,
                                   const typename Put::params &p = {})
{
    using queue = gf_tile_queue<T, gf_keep_lane<T>::LANE, ROWS, K, GAPS>;
    return gf_compact_queue<T, gf_row_writer<T, Put, queue, K>, queue, ROWS, K, BLOCKS>(call, p, error);
}

#endif
