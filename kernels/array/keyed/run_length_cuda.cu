/* Runs on CUDA, in one pass. A block takes tiles in the order of their ticket: each key is compared with the
 * one before it, ballots make a word of 32 comparisons, words are counted, and the look-back finds how many
 * runs lie before the tile and where the last of them begins: a run's length is known where the next one
 * begins. Meanwhile the tile's runs are packed in shared memory, from where neighbouring threads write them.
 */
#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/keyed/runs_compare_cuda.cuh"
#include "array/scan/lookback_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

enum {
    THREADS = 256,
    WARPS = THREADS / GF_WARP,
    ROWS = GF_RUNS_TILE / GF_WARP / WARPS /* of a warp, 32 keys each */
};

/* Blocks of a multiprocessor: as many as registers allow; keys of 8 bytes take more of them. */
template <class T> struct blocks_of {
    static const int COUNT = sizeof(T) == 8 ? 3 : 5;
};

struct runs_params {
    const void *keys;
    int64_t n;
    uint32_t tiles;
    void *unique;
    int64_t *counts, *starts;
    int64_t capacity;
    uint64_t *runs;
    uint32_t *heads;
    struct gf_runs_before *before;
    uint32_t *ticket;
    uint64_t *state; /* two words a tile: runs, and 1 + where the last of them begins */
};

/* ---- The look-back ---------------------------------------------------------------------------------------
 * As gf_lookback_free, of two numbers: runs add up, and the last beginning is the greatest. */

struct runs_known {
    uint64_t runs, last; /* last: 1 + the place; 0: no run */
};

GF_DEVICE_FN void runs_put(const runs_params &p, int64_t tile, runs_known known, gf_slot_flag flag)
{
    gf_slot_count::put(p.state, 2 * tile, known.runs, flag);
    gf_slot_count::put(p.state, 2 * tile + 1, known.last, flag);
}

/* Words of different writes count as empty. */
GF_DEVICE_FN uint32_t runs_get(const runs_params &p, int64_t tile, runs_known *known)
{
    const uint32_t flag = gf_slot_count::get(p.state, 2 * tile, &known->runs);
    return gf_slot_count::get(p.state, 2 * tile + 1, &known->last) == flag ? flag : uint32_t(GF_SLOT_EMPTY);
}

/* Returns in all lanes what lies before a tile whose own is published. A warp calls it. */
GF_DEVICE_FN runs_known runs_before(const runs_params &p, int64_t tile, runs_known own)
{
    runs_known sum = {0, 0};
    bool found = tile == 0;
    for (int64_t at = tile - 1 - gf_lane(); !found; at -= GF_WARP) {
        runs_known v = {0, 0};
        uint32_t flag = at < 0 ? uint32_t(GF_SLOT_ALL) : runs_get(p, at, &v);
        for (;;) {
            const uint32_t ends = gf_ballot(flag == GF_SLOT_ALL);
            const uint32_t wanted = ends ? ((ends & (0u - ends)) << 1) - 1 : GF_FULL_MASK;
            if ((gf_ballot(flag != GF_SLOT_EMPTY) & wanted) == wanted) {
                const bool mine = (wanted >> gf_lane() & 1) != 0;
                sum.runs += gf_reduce_add(mine ? v.runs : uint64_t(0));
                sum.last = gf_reduce_max(mine && v.last > sum.last ? v.last : sum.last);
                found = ends != 0;
                break;
            }
            gf_poll();
            if (at >= 0) {
                flag = runs_get(p, at, &v);
            }
        }
    }
    if (tile > 0 && gf_lane() == 0) {
        runs_put(p, tile, {sum.runs + own.runs, own.last > sum.last ? own.last : sum.last}, GF_SLOT_ALL);
    }
    return sum;
}

/* ---- A tile ------------------------------------------------------------------------------------------------ */

/* Packs the tile's runs: their first keys, and where in the tile they begin. rank: of the warp's first. */
template <class T>
GF_DEVICE_FN void runs_pack(const T *keys, const uint32_t *heads, uint32_t rank, T *unique, uint16_t *starts)
{
    const uint32_t below = (1u << gf_lane()) - 1;
    GF_UNROLL
    for (int r = 0; r < ROWS; r++) {
        if ((heads[r] >> gf_lane() & 1) != 0) {
            const uint32_t at = rank + static_cast<uint32_t>(__popc(heads[r] & below));
            unique[at] = keys[r];
            starts[at] = static_cast<uint16_t>((gf_warp() * ROWS + r) * GF_WARP + gf_lane());
        }
        rank += static_cast<uint32_t>(__popc(heads[r]));
    }
}

/* Writes the tile's `count` runs behind those before it, and the length of the run that ends in it. */
template <class T>
GF_DEVICE_FN void runs_write(const runs_params &p, int64_t first, uint32_t count, runs_known before,
                             const T *unique, const uint16_t *starts)
{
    const uint64_t capacity = static_cast<uint64_t>(p.capacity);
    const uint64_t room = capacity > before.runs ? capacity - before.runs : 0;
    if (p.counts && threadIdx.x == 0 && count > 0 && before.runs > 0 && before.runs <= capacity) {
        const int64_t begin = GF_FAULT(cuda_runs_count) ? first : static_cast<int64_t>(before.last) - 1;
        p.counts[before.runs - 1] = first + starts[0] - begin;
    }
    for (uint32_t i = threadIdx.x; i < count && i < room; i += THREADS) {
        if (p.unique) {
            static_cast<T *>(p.unique)[before.runs + i] = unique[i];
        }
        if (p.starts) {
            p.starts[before.runs + i] = first + starts[i];
        }
        if (p.counts && i + 1 < count) {
            p.counts[before.runs + i] = starts[i + 1] - starts[i];
        }
    }
}

/* One thread of the last tile calls it. */
GF_DEVICE_FN void runs_finish(const runs_params &p, runs_known all)
{
    *p.runs = all.runs;
    if (p.counts && all.runs > 0 && all.runs <= static_cast<uint64_t>(p.capacity)) {
        p.counts[all.runs - 1] = p.n + 1 - static_cast<int64_t>(all.last);
    }
}

template <class T>
static __global__ void __launch_bounds__(THREADS, blocks_of<T>::COUNT) gf_runs_pass(const runs_params p)
{
    GF_SHARED(T, unique, GF_RUNS_TILE);
    GF_SHARED(uint16_t, starts, GF_RUNS_TILE);
    GF_SHARED(uint32_t, totals, WARPS);
    GF_SHARED(uint64_t, found, 2);
    GF_SHARED(uint32_t, slot, 1);
    gf_pdl_wait();
    for (uint32_t tile = gf_ticket(p.ticket, slot); tile < p.tiles;) {
        const int64_t first = int64_t(tile) * GF_RUNS_TILE;
        T keys[ROWS];
        uint32_t heads[ROWS], own = 0, rank = 0, count = 0, next = 0;
        if (threadIdx.x == 0) {
            next = gf_atomic_add(p.ticket, 1u); /* whose answer is not needed yet */
        }
        gf_runs_compare<ROWS>(static_cast<const T *>(p.keys), p.n,
                              first + int64_t(gf_warp()) * ROWS * GF_WARP, keys, heads);
        GF_UNROLL
        for (int r = 0; r < ROWS; r++) {
            own += static_cast<uint32_t>(__popc(heads[r]));
            if (p.heads && gf_lane() == 0) {
                p.heads[int64_t(tile) * (GF_RUNS_TILE / GF_WARP) + gf_warp() * ROWS + r] = heads[r];
            }
        }
        if (gf_lane() == 0) {
            totals[gf_warp()] = own;
        }
        __syncthreads();
        GF_UNROLL
        for (unsigned w = 0; w < WARPS; w++) {
            rank += w < gf_warp() ? totals[w] : 0;
            count += totals[w];
        }
        runs_pack(keys, heads, rank, unique, starts);
        __syncthreads();
        if (gf_warp() == 0) {
            const runs_known mine = {count,
                                     count > 0 ? static_cast<uint64_t>(first + starts[count - 1]) + 1 : 0};
            if (gf_lane() == 0) {
                runs_put(p, tile, mine, tile == 0 ? GF_SLOT_ALL : GF_SLOT_TOTAL);
            }
            const runs_known before = runs_before(p, tile, mine);
            if (gf_lane() == 0) {
                found[0] = before.runs;
                found[1] = before.last;
                *slot = next;
                if (p.before) {
                    p.before[tile] = {before.runs, static_cast<int64_t>(before.last) - 1};
                }
                if (tile == p.tiles - 1) {
                    runs_finish(p, {before.runs + count, mine.last > before.last ? mine.last : before.last});
                }
            }
        }
        __syncthreads();
        tile = *slot;
        runs_write(p, first, count, {found[0], found[1]}, unique, starts);
        __syncthreads(); /* before the tile's memory is used again */
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------ */

static size_t layout(const struct gf_array_call *call, runs_params *p)
{
    size_t used = 0;
    p->tiles = static_cast<uint32_t>((call->n + GF_RUNS_TILE - 1) / GF_RUNS_TILE); /* more fit no memory */
    p->ticket = static_cast<uint32_t *>(gf_scratch_take(call->scratch, &used, sizeof(uint32_t)));
    p->state = static_cast<uint64_t *>(
        gf_scratch_take(call->scratch, &used, static_cast<size_t>(p->tiles) * 2 * sizeof(uint64_t)));
    return used;
}

template <class T> static gf_status launch(const runs_params &p, gf_launch *config, gf_error *error)
{
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    const uint32_t resident = static_cast<uint32_t>(processors * blocks_of<T>::COUNT);
    config->grid = dim3(p.tiles < resident ? p.tiles : resident);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_runs_pass<T>), *config, p));
    return GF_OK;
}

extern "C" size_t gf_run_length_cuda_scratch(const struct gf_array_call *call)
{
    runs_params p;
    return call->n > 0 ? layout(call, &p) : 0;
}

extern "C" gf_status gf_run_length_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_run_length_call *call = gf_run_length_call_of(array);
    runs_params p = {};
    gf_launch config = {};
    GF_ON_DEVICE(array->queue.device, error)
    config.stream = static_cast<cudaStream_t>(array->queue.stream);
    if (array->n == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(call->runs, 0, sizeof *call->runs, config.stream));
        return GF_OK;
    }
    p.keys = array->in;
    p.n = array->n;
    p.unique = array->out;
    p.counts = call->counts;
    p.starts = call->starts;
    p.capacity = call->capacity;
    p.runs = call->runs;
    p.heads = call->heads;
    p.before = call->before;
    const size_t cleared = layout(array, &p);
    config.block = dim3(THREADS);
    GF_TRY(gf_clear(array->scratch, cleared + call->behind, &config, error));
    switch (array->options.type) {
    case GF_F32:
        return launch<float>(p, &config, error);
    case GF_F64:
        return launch<double>(p, &config, error);
    default:
        break;
    }
    switch (gf_depth_size(array->options.type)) {
    case 1:
        return launch<uint8_t>(p, &config, error);
    case 2:
        return launch<uint16_t>(p, &config, error);
    case 4:
        return launch<uint32_t>(p, &config, error);
    default:
        return launch<uint64_t>(p, &config, error);
    }
}
