/* What lies before a tile, found while all tiles are under way: one pass over memory (D. Merrill and M.
 * Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016), with a fixed order in place of
 * theirs, so that sums of floats come out the same every time (docs/exactness.md).
 *
 * A tile publishes its total; the last of GF_SCAN_FAN tiles, a group, the group's total; the last of as many
 * groups, a supergroup, the sum of everything up to its end. What lies before a tile is then at most one
 * supergroup's word, 31 words of groups and 31 of tiles: two steps for one warp, however far the tiles before
 * have come. A word is written once and holds value and flag together, so nothing else has to be ordered.
 *
 * Use: gf_lookback_clear queues the clearing of the state, then the kernel with gf_launch.programmatic. In
 * it, gf_pdl_wait; tiles in the order of their ticket, so that every tile waited for has
 * started; one warp calls gf_lookback. */
#ifndef GF_ARRAY_LOOKBACK_CUDA_CUH
#define GF_ARRAY_LOOKBACK_CUDA_CUH

#include "array/scan_call.h"
#include "base/cuda_status.h"
#include "base/gf_cuda.h"

/* ---- A value in words that are 0 until it is there --------------------------------------------- */

/* Numbers of 4 bytes in one word, of 8 bytes by halves in two. */
template <class A> struct gf_slot {
    static const int WORDS = sizeof(A) == 8 ? 2 : 1;
    static const uint64_t FLAG = uint64_t(1) << 32;

    GF_DEVICE_FN void put(uint64_t *words, int64_t at, A value)
    {
        if constexpr (WORDS == 1) {
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            gf_store_relaxed(words + at, FLAG | bits);
        } else {
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            gf_store_relaxed(words + 2 * at, FLAG | (bits & 0xffffffffu));
            gf_store_relaxed(words + 2 * at + 1, FLAG | (bits >> 32));
        }
    }

    /* Whether it is there. */
    GF_DEVICE_FN bool get(const uint64_t *words, int64_t at, A *value)
    {
        const uint64_t low = gf_load_relaxed(words + WORDS * at);
        if constexpr (WORDS == 1) {
            const uint32_t bits = static_cast<uint32_t>(low);
            memcpy(value, &bits, sizeof bits);
            return (low & FLAG) != 0;
        } else {
            const uint64_t high = gf_load_relaxed(words + 2 * at + 1);
            const uint64_t bits = (low & 0xffffffffu) | (high << 32);
            memcpy(value, &bits, sizeof bits);
            return (low & high & FLAG) != 0;
        }
    }
};

/* ---- State ---------------------------------------------------------------------------------------- */

struct gf_lookback_state {
    uint32_t *ticket;
    uint64_t *tiles, *groups, *supergroups; /* slots */
};

/* Lays out the state for `tiles` tiles, words of 8 bytes a slot; returns its bytes. memory NULL: only that.
 */
static inline size_t gf_lookback_layout(void *memory, int64_t tiles, int words,
                                        struct gf_lookback_state *state)
{
    const size_t groups = static_cast<size_t>((tiles + GF_SCAN_FAN - 1) / GF_SCAN_FAN);
    const size_t supergroups = (groups + GF_SCAN_FAN - 1) / GF_SCAN_FAN;
    const size_t slot = static_cast<size_t>(words) * sizeof(uint64_t);
    size_t used = 0;
    state->tiles = static_cast<uint64_t *>(gf_scratch_take(memory, &used, static_cast<size_t>(tiles) * slot));
    state->groups = static_cast<uint64_t *>(gf_scratch_take(memory, &used, groups * slot));
    state->supergroups = static_cast<uint64_t *>(gf_scratch_take(memory, &used, (supergroups + 1) * slot));
    state->ticket = static_cast<uint32_t *>(gf_scratch_take(memory, &used, sizeof(uint32_t)));
    return used;
}

static __global__ void __launch_bounds__(256) gf_lookback_zero(uint4 *state, int64_t n)
{
    gf_pdl_launch(); /* the pass may start, and wait, while this runs */
    for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < n; i += int64_t(gridDim.x) * 256) {
        gf_store16(state + i, make_uint4(0, 0, 0, 0));
    }
}

/* Queues the clearing of the state laid out in `memory`. */
static inline gf_status gf_lookback_clear(void *memory, size_t bytes, cudaStream_t stream, gf_error *error)
{
    const int64_t n = static_cast<int64_t>(bytes / sizeof(uint4));
    gf_launch launch = {};
    launch.grid = dim3(n < 256 * 64 ? gf_blocks(n, 256) : 64u);
    launch.block = dim3(256);
    launch.stream = stream;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_lookback_zero, launch, static_cast<uint4 *>(memory), n));
    return GF_OK;
}

/* ---- The look-back ---------------------------------------------------------------------------------- */

/* How values join: op.join(a, b), op.none(). Over 32 lanes at distances 16 to 1, the result in all of them.
 */
template <class Op> GF_DEVICE_FN typename Op::value gf_fold(const Op &op, typename Op::value v)
{
    for (unsigned distance = GF_WARP / 2; distance > 0; distance /= 2) {
        v = op.join(v, gf_shfl_xor(v, distance));
    }
    return v;
}

/* Publishes the tile's total and returns what lies before the tile, in all lanes. Called by one warp. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_lookback(const Op &op, const gf_lookback_state &state, int64_t tile,
                                            typename Op::value total)
{
    using A = typename Op::value;
    using slot = gf_slot<A>;
    const unsigned lane = gf_lane();
    const int64_t group = tile / GF_SCAN_FAN, supergroup = group / GF_SCAN_FAN;
    const unsigned in_group = static_cast<unsigned>(tile % GF_SCAN_FAN);
    const unsigned in_supergroup = static_cast<unsigned>(group % GF_SCAN_FAN);
    A of_tile = op.none(), of_group = op.none(), before = op.none();
    bool has_tile = lane >= in_group, has_group = lane >= in_supergroup, has_before = supergroup == 0;

    if (lane == 0) {
        slot::put(state.tiles, tile, total);
    }
    for (bool tiles = true;
         ;) { /* tiles until they are there, then groups: a group's total waits for its tiles only */
        if (!has_tile) {
            has_tile = slot::get(state.tiles, group * GF_SCAN_FAN + lane, &of_tile);
        }
        if (!has_group) {
            has_group = slot::get(state.groups, supergroup * GF_SCAN_FAN + lane, &of_group);
        }
        if (!has_before) {
            has_before = slot::get(state.supergroups, supergroup, &before);
        }
        if (tiles && gf_all(has_tile)) {
            tiles = false;
            if (in_group == GF_SCAN_FAN - 1) {
                const A all = gf_fold(op, lane == in_group ? total : of_tile);
                of_group = lane == in_supergroup ? all : of_group;
                if (lane == in_supergroup) {
                    slot::put(state.groups, group, all);
                }
            }
        }
        if (!tiles && gf_all(has_group && has_before)) {
            break;
        }
        gf_poll();
    }
    const bool own_group = lane == in_supergroup;
    const A groups = gf_fold(op, own_group ? op.none() : of_group);
    if (in_group == GF_SCAN_FAN - 1 && in_supergroup == GF_SCAN_FAN - 1) {
        const A end = op.join(before, gf_fold(op, of_group));
        if (lane == 0) {
            slot::put(state.supergroups, supergroup + 1, end);
        }
    }
    return op.join(op.join(before, groups), gf_fold(op, of_tile));
}

#endif
