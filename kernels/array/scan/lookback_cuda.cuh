/* What lies before a tile, found while all tiles are under way: one pass over memory.
 *
 * gf_lookback_free is the decoupled look-back of D. Merrill and M. Garland ("Single-pass Parallel Prefix Scan
 * with Decoupled Look-back", 2016): a tile publishes its total, then the total of everything up to its end; a
 * warp adds up totals backwards until it meets such an end. How it associates depends on timing, so it is for
 * integers and keys.
 *
 * gf_lookback_ordered has a fixed order, for sums of floats (docs/exactness.md): the last of GF_SCAN_FAN
 * tiles, a group, publishes the group's total, the last of as many groups, a supergroup, the sum of
 * everything up to its end; what lies before a tile is one such sum, groups, and tiles, at most 31 of each.
 *
 * Use: gf_clear queues the clearing of the state, then the kernel with gf_launch.programmatic. In
 * it, gf_pdl_wait; tiles in the order of their ticket, so that every tile waited for has started; one warp
 * calls gf_lookback_publish as soon as a total is known, and the look-back later. A word holds value and flag
 * together, so nothing else has to be ordered. */
#ifndef GF_ARRAY_LOOKBACK_CUDA_CUH
#define GF_ARRAY_LOOKBACK_CUDA_CUH

#include "array/common/clear_cuda.cuh"
#include "array/scan/scan_call.h"
#include "base/cuda_status.h"
#include "base/gf_cuda.h"

/* ---- A value in words that are 0 until it is there --------------------------------------------- */

enum gf_slot_flag : uint32_t {
    GF_SLOT_EMPTY,
    GF_SLOT_TOTAL, /* of the tile, group */
    GF_SLOT_ALL    /* of everything up to its end */
};

/* Numbers of 4 bytes in one word, of 8 bytes by halves in two. */
template <class A> struct gf_slot {
    static const int WORDS = sizeof(A) == 8 ? 2 : 1;

    GF_DEVICE_FN void put(uint64_t *words, int64_t at, A value, gf_slot_flag flag)
    {
        const uint64_t high_flag = uint64_t(flag) << 32;
        if constexpr (WORDS == 1) {
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            gf_store_relaxed(words + at, high_flag | bits);
        } else {
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            gf_store_relaxed(words + 2 * at, high_flag | (bits & 0xffffffffu));
            gf_store_relaxed(words + 2 * at + 1, high_flag | (bits >> 32));
        }
    }

    /* Halves of different writes count as empty. */
    GF_DEVICE_FN uint32_t get(const uint64_t *words, int64_t at, A *value)
    {
        const uint64_t low = gf_load_relaxed(words + WORDS * at);
        const uint32_t flag = static_cast<uint32_t>(low >> 32);
        if constexpr (WORDS == 1) {
            const uint32_t bits = static_cast<uint32_t>(low);
            memcpy(value, &bits, sizeof bits);
            return flag;
        } else {
            const uint64_t high = gf_load_relaxed(words + 2 * at + 1);
            const uint64_t bits = (low & 0xffffffffu) | (high << 32);
            memcpy(value, &bits, sizeof bits);
            return flag == high >> 32 ? flag : uint32_t(GF_SLOT_EMPTY);
        }
    }
};

/* Counts below 2^62 in one word. */
struct gf_slot_count {
    static const int WORDS = 1;
    GF_DEVICE_FN void put(uint64_t *words, int64_t at, uint64_t value, gf_slot_flag flag)
    {
        gf_store_relaxed(words + at, value << 2 | flag);
    }
    GF_DEVICE_FN uint32_t get(const uint64_t *words, int64_t at, uint64_t *value)
    {
        const uint64_t word = gf_load_relaxed(words + at);
        *value = word >> 2;
        return static_cast<uint32_t>(word) & 3;
    }
};

/* ---- State ---------------------------------------------------------------------------------------- */

struct gf_lookback_state {
    uint32_t *ticket;
    uint64_t *tiles, *groups, *supergroups; /* slots; the last two for gf_lookback_ordered only */
};

/* Lays out the state for `tiles` tiles, words of 8 bytes a slot; returns its bytes. memory NULL: only that.
 */
static inline size_t gf_lookback_layout(void *memory, int64_t tiles, int words, bool ordered,
                                        struct gf_lookback_state *state)
{
    const size_t groups = static_cast<size_t>((tiles + GF_SCAN_FAN - 1) / GF_SCAN_FAN);
    const size_t supergroups = (groups + GF_SCAN_FAN - 1) / GF_SCAN_FAN;
    const size_t slot = static_cast<size_t>(words) * sizeof(uint64_t);
    size_t used = 0;
    state->ticket = static_cast<uint32_t *>(gf_scratch_take(memory, &used, sizeof(uint32_t)));
    state->tiles = static_cast<uint64_t *>(gf_scratch_take(memory, &used, static_cast<size_t>(tiles) * slot));
    if (ordered) {
        state->groups = static_cast<uint64_t *>(gf_scratch_take(memory, &used, groups * slot));
        state->supergroups =
            static_cast<uint64_t *>(gf_scratch_take(memory, &used, (supergroups + 1) * slot));
    }
    return used;
}

/* ---- The look-back: by one warp, the result in all lanes ------------------------------------------------
 * Op: value, slot; none(), join(a, b). */

/* Folds over 32 lanes at distances 16 to 1. */
template <class Op> GF_DEVICE_FN typename Op::value gf_fold(const Op &op, typename Op::value v)
{
    for (unsigned distance = GF_WARP / 2; distance > 0; distance /= 2) {
        v = op.join(v, gf_shfl_xor(v, distance));
    }
    return v;
}

template <class Op>
GF_DEVICE_FN void gf_lookback_publish(const Op &, const gf_lookback_state &state, int64_t tile,
                                      typename Op::value total)
{
    if (gf_lane() == 0) {
        Op::slot::put(state.tiles, tile, total, tile == 0 ? GF_SLOT_ALL : GF_SLOT_TOTAL);
    }
}

/* Sums from the tile to the left on, 32 words at a time. More words under way at once are slower: the words
 * behind the nearest end are read for nothing. Publishes nothing. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_lookback_sum(const Op &op, const gf_lookback_state &state, int64_t tile)
{
    using A = typename Op::value;
    A sum = op.none();
    bool found = tile == 0;
    for (int64_t at = tile - 1 - gf_lane(); !found; at -= GF_WARP) {
        A v = op.none();
        uint32_t flag = at < 0 ? uint32_t(GF_SLOT_ALL) : Op::slot::get(state.tiles, at, &v);
        for (;;) {
            const uint32_t ends = gf_ballot(flag == GF_SLOT_ALL);
            const uint32_t wanted =
                ends ? ((ends & (0u - ends)) << 1) - 1 : GF_FULL_MASK; /* up to the nearest end */
            if ((gf_ballot(flag != GF_SLOT_EMPTY) & wanted) == wanted) {
                const bool mine = (wanted >> gf_lane() & 1) != 0;
                sum = op.join(gf_fold(op, mine ? v : op.none()), sum);
                found = ends != 0;
                break;
            }
            gf_poll();
            if (at >= 0) {
                flag = Op::slot::get(state.tiles, at, &v);
            }
        }
    }
    return sum;
}

template <class Op>
GF_DEVICE_FN typename Op::value gf_lookback_free(const Op &op, const gf_lookback_state &state, int64_t tile,
                                                 typename Op::value total)
{
    const typename Op::value sum = gf_lookback_sum(op, state, tile);
    if (tile > 0 && gf_lane() == 0) {
        Op::slot::put(state.tiles, tile, op.join(sum, total), GF_SLOT_ALL);
    }
    return sum;
}

template <class Op>
GF_DEVICE_FN typename Op::value gf_lookback_ordered(const Op &op, const gf_lookback_state &state,
                                                    int64_t tile, typename Op::value total)
{
    using A = typename Op::value;
    using slot = typename Op::slot;
    const unsigned lane = gf_lane();
    const int64_t group = tile / GF_SCAN_FAN, supergroup = group / GF_SCAN_FAN;
    const unsigned in_group = static_cast<unsigned>(tile % GF_SCAN_FAN);
    const unsigned in_supergroup = static_cast<unsigned>(group % GF_SCAN_FAN);
    A of_tile = op.none(), of_group = op.none(), before = op.none();
    bool has_tile = lane >= in_group, has_group = lane >= in_supergroup, has_before = supergroup == 0;

    for (bool tiles = true;
         ;) { /* until the tiles are there, for which alone a group's total waits; then the rest */
        if (!has_tile) {
            has_tile = slot::get(state.tiles, group * GF_SCAN_FAN + lane, &of_tile) != GF_SLOT_EMPTY;
        }
        if (!has_group) {
            has_group = slot::get(state.groups, supergroup * GF_SCAN_FAN + lane, &of_group) != GF_SLOT_EMPTY;
        }
        if (!has_before) {
            has_before = slot::get(state.supergroups, supergroup, &before) != GF_SLOT_EMPTY;
        }
        if (tiles && gf_all(has_tile)) {
            tiles = false;
            if (in_group == GF_SCAN_FAN - 1) {
                const A all = gf_fold(op, lane == in_group ? total : of_tile);
                of_group = lane == in_supergroup ? all : of_group;
                if (lane == in_supergroup) {
                    slot::put(state.groups, group, all, GF_SLOT_TOTAL);
                }
            }
        }
        if (!tiles && gf_all(has_group && has_before)) {
            break;
        }
        gf_poll();
    }
    const A groups = gf_fold(op, lane == in_supergroup ? op.none() : of_group);
    if (in_group == GF_SCAN_FAN - 1 && in_supergroup == GF_SCAN_FAN - 1) {
        const A end = op.join(before, gf_fold(op, of_group));
        if (lane == 0) {
            slot::put(state.supergroups, supergroup + 1, end, GF_SLOT_ALL);
        }
    }
    return op.join(op.join(before, groups), gf_fold(op, of_tile));
}

#endif
