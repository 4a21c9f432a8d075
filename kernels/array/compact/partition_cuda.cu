/* The partition on CUDA. A tile is tested and counted as in a compaction; both of its sides are put in order
 * in shared memory, the first from the front, the second from the back, while the look-back finds what
 * stays of the tiles before. Then each side is written in one run. An element of the second side goes behind
 * all that stay: where all tiles are in work at once, they wait for the last one's end of the look-back; else
 * a pass in front has counted. */
#include "array/compact/compact_pass_cuda.cuh"
#include "base/device_scope_cuda.h"

struct gf_partition_params : gf_compact_params {
    const uint64_t *kept; /* how many stay of all; NULL: the look-back of the last tile tells */
};

/* What a tile holds in order, and what is written for it: the elements tested, or elements of another array
 * or indices, whose places in the tile are held. */
template <class T> struct gf_side_own {
    using held = T;
    using out = T;
    GF_DEVICE_FN held hold(T element, uint32_t) { return element; }
    GF_DEVICE_FN out give(const gf_partition_params &, int64_t, held element) { return element; }
};

template <class T, class OUT> struct gf_side_other {
    using held = uint16_t;
    using out = OUT;
    GF_DEVICE_FN held hold(T, uint32_t place) { return static_cast<uint16_t>(place); }
    GF_DEVICE_FN out give(const gf_partition_params &p, int64_t first, held place)
    {
        return static_cast<const OUT *>(p.values)[first + place];
    }
};

template <class T, class OUT> struct gf_side_index {
    using held = uint16_t;
    using out = OUT;
    GF_DEVICE_FN held hold(T, uint32_t place) { return static_cast<uint16_t>(place); }
    GF_DEVICE_FN out give(const gf_partition_params &, int64_t first, held place)
    {
        return static_cast<OUT>(first + place);
    }
};

template <class T, class Side, class Q, int K> struct gf_side_writer {
    using params = gf_partition_params;
    using held = typename Side::held;
    static const int TABLE = 1, STEPS = 8; /* stores under way at once */
    static const uint32_t SIZE = Q::SIZE;
    static const size_t BYTES = SIZE * sizeof(held);
    static_assert(SIZE <= 65536, "places of 16 bits");
    held *tile;

    __device__ gf_side_writer(void *memory, uint32_t *) : tile(static_cast<held *>(memory)) {}

    __device__ __forceinline__ void stage(const Q &queue, const uint32_t *rows, const uint32_t *lanes)
    {
        const uint32_t *const before = rows + gf_warp() * K;
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            T x[Q::PER_LANE];
            queue.read(0, k, x);
            const uint32_t first = (gf_warp() * K + k) * Q::STEP + gf_lane() * Q::PER_LANE;
            uint32_t front = before[k] + (lanes[k] >> 16), back = SIZE - 1 - (first - front);
            GF_UNROLL
            for (int e = 0; e < Q::PER_LANE; e++) {
                const uint32_t stays = lanes[k] >> e & 1u;
                tile[stays ? front : back] = Side::hold(x[e], first + e);
                front += stays;
                back -= 1 - stays;
            }
        }
    }

    /* Returns how many stay of all tiles. The last tile knows it when it knows what lies before it, for which
     * no tile has to end. */
    GF_DEVICE_FN uint64_t all(const params &p, uint32_t kept)
    {
        uint64_t sum = kept;
        if (p.kept) {
            return *p.kept;
        }
        while (p.tiles.tiles > 1 &&
               gf_slot_count::get(p.tiles.state.tiles, p.tiles.tiles - 1, &sum) != GF_SLOT_ALL) {
            gf_poll();
        }
        return sum;
    }

    __device__ __forceinline__ void write(const params &p, const Q &queue, const uint32_t *, const uint32_t *,
                                          uint64_t place, uint32_t kept)
    {
        using OUT = typename Side::out;
        const int64_t first = int64_t(queue.tile) * Q::SIZE, left = p.tiles.n - first;
        const uint32_t count = static_cast<uint32_t>(left < SIZE ? left : SIZE);
        OUT *const front = static_cast<OUT *>(p.out) + place;
        OUT *const back = static_cast<OUT *>(p.out) + (all(p, kept) + (first - place)) -
                          (GF_FAULT(cuda_partition_side) && queue.tile > 0);
        for (uint32_t from = gf_thread(); from < count; from += STEPS * Q::THREADS) {
            GF_UNROLL
            for (int s = 0; s < STEPS; s++) {
                const uint32_t i = from + static_cast<uint32_t>(s * Q::THREADS), other = i - kept;
                const bool stays = i < kept;
                if (i < count) {
                    *(stays ? front + i : back + other) =
                        Side::give(p, first, tile[stays ? i : SIZE - 1 - other]);
                }
            }
        }
    }
};

/* ---- Counting in front --------------------------------------------------------------------------------- */

/* Stands for what a compaction writes; the capacity is 0. */
struct gf_put_nothing {
    using params = gf_compact_params;
    static const uint32_t FEW = 0;
    __device__ gf_put_nothing(const params &, uint64_t, int64_t, const void *) {}
    __device__ void operator()(uint32_t, uint32_t) const {}
};

/* ---- Host ---------------------------------------------------------------------------------------------- */

constexpr size_t COUNT_BYTES = GF_ARRAY_ALIGNMENT; /* of scratch: what the pass in front counted */

template <class T, class Side, int ROWS, int BLOCKS>
static gf_status run(struct gf_compact_call call, gf_error *error)
{
    enum { K = 4 };
    using queue = gf_tile_queue<T, gf_keep_lane<T>::LANE, ROWS, K>;
    using writer = gf_side_writer<T, Side, queue, K>;
    gf_partition_params p = {};
    bool resident = true;
    uint64_t *const kept = static_cast<uint64_t *>(call.array.scratch);
    call.array.scratch = static_cast<char *>(call.array.scratch) + COUNT_BYTES;
    GF_TRY((gf_compact_is_resident<queue>(&call, &resident, error)));
    if (!resident) {
        struct gf_compact_call counted = call;
        counted.capacity = 0;
        counted.count = kept;
        GF_TRY((gf_compact_launch<T, gf_put_nothing>(&counted, error)));
        p.kept = kept;
    }
    return gf_compact_queue<T, writer, queue, ROWS, K, BLOCKS>(&call, p, error, resident);
}

/* Elements, which a tile holds beside itself; or places in tiles, which are half as large. */
template <class T> static gf_status run_own(const struct gf_compact_call *call, gf_error *error)
{
    return run<T, gf_side_own<T>, GF_SCAN_ROWS, 2>(*call, error);
}

template <class T, class Side>
static gf_status run_places(const struct gf_compact_call *call, gf_error *error)
{
    return run<T, Side, GF_SCAN_ROWS / 2, 3>(*call, error);
}

static gf_status run_flagged(const struct gf_compact_call *call, gf_error *error)
{
    switch (gf_depth_size(call->array.options.type)) {
    case 1:
        return run_places<uint8_t, gf_side_other<uint8_t, uint8_t>>(call, error);
    case 2:
        return run_places<uint8_t, gf_side_other<uint8_t, uint16_t>>(call, error);
    case 4:
        return run_places<uint8_t, gf_side_other<uint8_t, uint32_t>>(call, error);
    default:
        return run_places<uint8_t, gf_side_other<uint8_t, uint64_t>>(call, error);
    }
}

size_t gf_partition_cuda_scratch(const struct gf_array_call *array)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    const size_t tested = call->keep == GF_KEEP_FLAGS ? 1 : gf_depth_size(array->options.type);
    const int64_t tile = GF_SCAN_TILE_BYTES / 2 / static_cast<int64_t>(tested);
    const int64_t tiles = (array->n + tile - 1) / tile; /* the smaller ones */
    struct gf_lookback_state state;
    return tiles > 1 ? COUNT_BYTES + gf_lookback_layout(nullptr, tiles, gf_slot_count::WORDS, false, &state)
                     : 0;
}

gf_status gf_partition_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    if (array->n == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(call->count, 0, sizeof *call->count,
                                           static_cast<cudaStream_t>(array->queue.stream)));
        return GF_OK;
    }
    if (call->keep == GF_KEEP_FLAGS && !call->indices) {
        return run_flagged(call, error);
    }
    return gf_keep_dispatch(call, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return !call->indices        ? run_own<T>(call, error)
               : call->out == GF_U32 ? run_places<T, gf_side_index<T, uint32_t>>(call, error)
                                     : run_places<T, gf_side_index<T, uint64_t>>(call, error);
    });
}
