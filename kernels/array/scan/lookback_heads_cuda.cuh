/* The look-back of scans that begin anew: a head is a place where they do. A tile with heads has as its total
 * what lies behind the last of them, which is all that later tiles can see of anything up to its end: it
 * publishes GF_SLOT_ALL at once. */
#ifndef GF_ARRAY_LOOKBACK_HEADS_CUDA_CUH
#define GF_ARRAY_LOOKBACK_HEADS_CUDA_CUH

#include "array/scan/lookback_cuda.cuh"

template <class Op>
GF_DEVICE_FN void gf_heads_publish(const Op &, const gf_lookback_state &state, int64_t tile,
                                   typename Op::value total, bool heads)
{
    if (gf_lane() == 0) {
        Op::slot::put(state.tiles, tile, total, tile == 0 || heads ? GF_SLOT_ALL : GF_SLOT_TOTAL);
    }
}

template <class Op>
GF_DEVICE_FN typename Op::value gf_heads_free(const Op &op, const gf_lookback_state &state, int64_t tile,
                                              typename Op::value total, bool heads)
{
    const typename Op::value sum = gf_lookback_sum(op, state, tile);
    if (tile > 0 && !heads && gf_lane() == 0) {
        Op::slot::put(state.tiles, tile, op.join(sum, total), GF_SLOT_ALL);
    }
    return sum;
}

/* None in lanes before the last of `heads`, a bit a lane. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_since_last(const Op &op, uint32_t heads, typename Op::value v)
{
    return heads >> gf_lane() > 1 ? op.none() : v;
}

/* Works as gf_lookback_ordered, but what lies before the last head counts as none. A group with heads is told
 * by GF_SLOT_ALL, as a tile is. */
template <class Op>
GF_DEVICE_FN typename Op::value gf_heads_ordered(const Op &op, const gf_lookback_state &state, int64_t tile,
                                                 typename Op::value total, bool heads)
{
    using A = typename Op::value;
    using slot = typename Op::slot;
    const unsigned lane = gf_lane();
    const int64_t group = tile / GF_SCAN_FAN, supergroup = group / GF_SCAN_FAN;
    const unsigned in_group = static_cast<unsigned>(tile % GF_SCAN_FAN);
    const unsigned in_supergroup = static_cast<unsigned>(group % GF_SCAN_FAN);
    A of_tile = op.none(), of_group = op.none(), before = op.none();
    uint32_t has_tile = lane >= in_group, has_group = lane >= in_supergroup, has_before = supergroup == 0;
    uint32_t tiles = 0; /* of those before in the group: which have heads */

    for (bool waits = true;;) { /* for the tiles, for which alone a group's total waits; then for the rest */
        if (!has_tile) {
            has_tile = slot::get(state.tiles, group * GF_SCAN_FAN + lane, &of_tile);
        }
        if (!has_group) {
            has_group = slot::get(state.groups, supergroup * GF_SCAN_FAN + lane, &of_group);
        }
        if (!has_before) {
            has_before = slot::get(state.supergroups, supergroup, &before);
        }
        if (waits && gf_all(has_tile != GF_SLOT_EMPTY)) {
            waits = false;
            tiles = gf_ballot(has_tile == GF_SLOT_ALL);
            of_tile = gf_since_last(op, tiles, of_tile);
            if (in_group == GF_SCAN_FAN - 1) {
                const A all = gf_fold(op, lane == in_group ? total : heads ? op.none() : of_tile);
                of_group = lane == in_supergroup ? all : of_group;
                if (lane == in_supergroup) {
                    slot::put(state.groups, group, all, heads || tiles != 0 ? GF_SLOT_ALL : GF_SLOT_TOTAL);
                }
            }
        }
        if (!waits && gf_all(has_group != GF_SLOT_EMPTY && has_before != GF_SLOT_EMPTY)) {
            break;
        }
        gf_poll();
    }
    const uint32_t groups = gf_ballot(has_group == GF_SLOT_ALL);
    if (in_group == GF_SCAN_FAN - 1 && in_supergroup == GF_SCAN_FAN - 1) {
        const uint32_t with_own = groups | (heads || tiles != 0 ? 1u << in_supergroup : 0);
        const A end =
            op.join(with_own != 0 ? op.none() : before, gf_fold(op, gf_since_last(op, with_own, of_group)));
        if (lane == 0) {
            slot::put(state.supergroups, supergroup + 1, end, GF_SLOT_ALL);
        }
    }
    const A earlier = gf_fold(op, lane == in_supergroup ? op.none() : gf_since_last(op, groups, of_group));
    const A own = gf_fold(op, of_tile);
    return tiles != 0 ? op.join(op.none(), own)
                      : op.join(op.join(groups != 0 ? op.none() : before, earlier), own);
}

#endif
