/* Segments reduced in the order of gf_reduce: short ones by a lane each, leaves by a warp, and the leaves of
 * long segments joined by whoever comes last.
 *
 * `Elements` has at(i), element i of the segment. */
#ifndef GF_ARRAY_SEGMENT_LEAF_CUDA_CUH
#define GF_ARRAY_SEGMENT_LEAF_CUDA_CUH

#include "array/segmented/segment_kinds_cuda.cuh"
#include "array/segmented/segmented_reduce_call.h"
#include "base/planted_fault.h"

enum { GF_SEGMENT_SHORT = 32 }; /* elements of a segment that one lane takes */

/* Blocks of 256 threads a multiprocessor: as many as registers allow. */
template <class K> struct gf_segment_blocks {
    static const int COUNT = sizeof(typename K::part) >= 8 ? 3 : 4;
};

/* Reads shared memory, where 32 lanes that are 32 elements apart would meet in one bank: one word in 33 is
 * left out. */
GF_DEVICE_FN int32_t gf_segment_room_at(int32_t i)
{
    return i + i / GF_WARP;
}
template <class T> struct gf_staged_elements {
    const T *room;
    int32_t first;
    __device__ __forceinline__ T at(int64_t i) const
    {
        return room[gf_segment_room_at(first + static_cast<int32_t>(i))];
    }
};
template <class T> struct gf_far_elements {
    const T *first;
    __device__ __forceinline__ T at(int64_t i) const { return gf_load_as<T>(first + i, GF_STREAM); }
};

/* The part of lane + step; own part past the end. */
template <class P> GF_DEVICE_FN P gf_part_lower(P part, unsigned step)
{
    if constexpr (std::is_arithmetic<P>::value) {
        return gf_shfl_down(part, step);
    } else {
        return gf_part_down(part, step);
    }
}

/* (0, 1), (2, 3), ... over the lanes below `lanes`, the last without a partner going up as it is. In lane 0.
 */
template <class K>
GF_DEVICE_FN typename K::part gf_segment_pairs(const K &kind, typename K::part own, unsigned lanes)
{
    GF_UNROLL
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const typename K::part other = gf_part_lower(own, step);
        if (gf_lane() % (2 * step) == 0 && gf_lane() + step < lanes) {
            own = kind.join(own, other);
        }
    }
    return own;
}

/* n elements by one lane, n at most W: the fold of a leaf without accumulators from W on. Adds up depth
 * first, so that few parts are under way. */
template <int STRIDE, int W, class K, class E>
GF_DEVICE_FN typename K::part gf_segment_short(const K &kind, const E &elements, int32_t n, int32_t j)
{
    if constexpr (STRIDE == W) {
        return j < n ? kind.take(elements.at(j), j) : kind.none();
    } else {
        const typename K::part a = gf_segment_short<2 * STRIDE, W>(kind, elements, n, j);
        return kind.join(a, gf_segment_short<2 * STRIDE, W>(kind, elements, n, j + STRIDE));
    }
}

/* The n elements of each lane that is_short, n at most GF_SEGMENT_SHORT. By all lanes of a warp. */
template <class K, class E>
GF_DEVICE_FN typename K::part gf_segment_lanes(const K &kind, const E &elements, int32_t n, bool is_short)
{
    typename K::part sum = kind.none();
    if (gf_reduce_max(is_short ? static_cast<uint32_t>(n) : 0u) <= 8) {
        if (is_short) {
            sum = gf_segment_short<1, 8>(kind, elements, n, 0);
        }
    } else if (is_short) {
        sum = gf_segment_short<1, GF_SEGMENT_SHORT>(kind, elements, n, 0);
    }
    return sum;
}

/* n elements from element `first` of the segment on, at most GF_REDUCE_LEAF, by a warp: each lane has four of
 * the 128 accumulators. In lane 0. */
template <class K, class E>
GF_DEVICE_FN typename K::part gf_segment_leaf(const K &kind, const E &elements, int64_t first, int32_t n)
{
    using part = typename K::part;
    enum { OWN = GF_REDUCE_LANES / GF_WARP, AT_ONCE = 8 };
    part sums[OWN];
    GF_UNROLL
    for (int a = 0; a < OWN; a++) {
        sums[a] = kind.none();
    }
    for (int32_t i = static_cast<int32_t>(gf_lane()); i < n; i += AT_ONCE * GF_WARP) {
        part v[AT_ONCE];
        GF_UNROLL
        for (int a = 0; a < AT_ONCE; a++) {
            const int32_t at = i + a * GF_WARP;
            v[a] = at < n ? kind.take(elements.at(first + at), first + at) : kind.none();
        }
        GF_UNROLL
        for (int a = 0; a < AT_ONCE; a++) {
            sums[a % OWN] = kind.join(sums[a % OWN], v[a]);
        }
    }
    part own = kind.join(kind.join(sums[0], sums[2]), kind.join(sums[1], sums[3]));
    gf_syncwarp(); /* lanes have left the loop at different times */
    GF_UNROLL
    for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {
        own = kind.join(own, gf_part_lower(own, step));
    }
    return own;
}

/* ---- Long segments ------------------------------------------------------------------------------------------
 * Their leaves are joined in pairs of pairs, and 32 neighbours at a time make five levels of that: whoever
 * finishes the last of a group joins the group, and so on upwards. A group's part lies where that of its
 * first leaf lay; counters of different groups are those of different leaves. */

struct gf_leaf_slots {
    void *parts;
    uint32_t *counters; /* all 0 before the first leaf arrives */
};

struct gf_long_segment {
    int64_t base; /* its first element in the array */
    __device__ int64_t slot(int64_t leaf) const
    {
        return gf_segment_slot(base + leaf * GF_REDUCE_LEAF, leaf == 0);
    }
};

/* A leaf's part, of lane 0, is there; is_last: no other leaf of the segment follows. True in the warp that
 * joined all: then *own has the whole, in lane 0.
 *
 * A counter goes up to 32. Whoever knows that a group has fewer members, which is who has the last, counts
 * for those that are missing, and leaves the number of members above the lowest 8 bits. */
template <class K>
GF_DEVICE_FN bool gf_segment_arrive(const K &kind, const gf_leaf_slots &slots, const gf_long_segment &s,
                                    int64_t leaf, bool is_last, typename K::part *own)
{
    using part = typename K::part;
    part *const parts = static_cast<part *>(slots.parts);
    int64_t unit = leaf, span = 1; /* leaves of a unit */
    for (int level = 0; !is_last || unit > 0; level++) {
        const int64_t group = unit / GF_WARP;
        const uint32_t place = static_cast<uint32_t>(unit % GF_WARP) + 1;
        if (is_last && place == 1) { /* alone in its group */
            unit = group;
            span *= GF_WARP;
            continue;
        }
        const uint32_t more = is_last ? (GF_WARP + 1 - place) | place << 8 : 1;
        uint32_t count = 0;
        if (gf_lane() == 0) {
            parts[s.slot(unit * span)] = *own;
            count =
                more + gf_atomic_add_acq_rel(slots.counters + s.slot(group * GF_WARP * span + level), more);
        }
        count = gf_shfl(count, 0);
        if ((count & 0xffu) < GF_WARP) {
            return false;
        }
        gf_syncwarp(); /* what lane 0 sees, all do */
        is_last = count >> 8 != 0;
        const unsigned members = is_last ? count >> 8 : unsigned(GF_WARP);
        const int64_t mine = group * GF_WARP + (gf_lane() < members ? gf_lane() : 0);
        *own = parts[s.slot(mine * span)];
        gf_syncwarp(); /* all have read before lane 0 writes the whole where the first lay */
        *own = gf_segment_pairs(kind, *own, members - (GF_FAULT(cuda_segmented_group) && members > 2));
        unit = group;
        span *= GF_WARP;
    }
    return true;
}

#endif
