/* Work that comes in segments of any length, shared out evenly: ragged loops, and the edges of vertices.
 *
 * Segments have items: segment i has those from base(i) on and before base(i + 1). Items and ends of segments
 * (a segment without items has one too) make a line: each segment's items, then its end. Every block takes an
 * equal share of the line (D. Merrill, M. Garland, "Merge-Based Parallel Sparse Matrix-Vector
 * Multiplication", 2016), so neither a segment of all items nor millions of empty ones leave blocks without
 * work. Within its share a block has the beginnings of a window of segments in shared memory, where each item
 * finds the one that it belongs to.
 *
 * Segments is a struct with
 *
 *     int64_t count, items;               segments, and items of all of them
 *     int64_t base(int64_t i) const;      for i of 0 to count; base(count) is items
 *     struct payload;                     what a segment's items need to know
 *     payload load(int64_t i) const; */
#ifndef GF_ARRAY_EXPAND_CUDA_CUH
#define GF_ARRAY_EXPAND_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/planted_fault.h"

/* A window of a CUDA block, in shared memory. */
template <class Segments, int WINDOW> struct gf_expand_window {
    int64_t base[WINDOW + 1];
    typename Segments::payload payload[WINDOW];
    int64_t ends[2]; /* the segments in which the share begins and ends */
};

/* Finds in which segment the line's place `place` lies: how many ends lie before it. A warp looks at 32
 * places at once. */
template <class Segments> GF_DEVICE_FN int64_t gf_expand_find(const Segments &s, int64_t place)
{
    int64_t low = 0, high = s.count;
    while (low < high) {
        const int64_t step = (high - low + GF_WARP - 1) / GF_WARP,
                      at = low + static_cast<int64_t>(gf_lane()) * step;
        const bool is_before = at < high && s.base(at + 1) + at < place;
        const int64_t passed = __popc(gf_ballot(is_before));
        const int64_t last = low + passed * step;
        low = passed > 0 ? last - step + 1 : low;
        high = last < high ? last : high;
    }
    return low;
}

/* The segment of the window that has item k: the last of `count` that begins at or before it, not before
 * `from`. */
GF_DEVICE_FN int gf_expand_search(const int64_t *base, int from, int count, int64_t k)
{
    int low = from, high = count; /* base[low] <= k < base[high] */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (base[middle] <= k) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The window's segments from `first` on. How many. */
template <class Segments, int WINDOW>
GF_DEVICE_FN int gf_expand_load(const Segments &s, int64_t first, gf_expand_window<Segments, WINDOW> *w)
{
    const int64_t left = s.count - first;
    const int count = left < WINDOW ? static_cast<int>(left) : WINDOW;
    for (int i = static_cast<int>(gf_thread()); i <= count; i += static_cast<int>(blockDim.x)) {
        w->base[i] = s.base(first + i);
        if (i < count) {
            w->payload[i] = s.load(first + i);
        }
    }
    return count;
}

/* Calls body(is_item, payload, rank) for every item of this block's share, in all lanes of a warp together:
 * where is_item is false there is none, and payload is any. rank: of the item in its segment. A share is
 * `least` places at least. By all threads of the block; `w` may be used again behind a barrier. */
template <class Segments, int WINDOW, class Body>
GF_DEVICE_FN void gf_expand(const Segments &s, int64_t least, gf_expand_window<Segments, WINDOW> *w,
                            Body &&body)
{
    const int64_t line = s.count + s.items, even = (line + gridDim.x - 1) / gridDim.x;
    const int64_t share = even < least ? least : even, begin = share * blockIdx.x;
    if (begin >= line) {
        return; /* the whole block */
    }
    const int64_t end = line - begin < share ? line : begin + share;
    if (gf_warp() < 2) { /* the block has two warps or more */
        const int64_t found = gf_expand_find(s, gf_warp() == 0 ? begin : end);
        if (gf_lane() == 0) {
            w->ends[gf_warp()] = found;
        }
    }
    __syncthreads();
    int64_t first = w->ends[0], k = begin - first;
    const int64_t stop = end - w->ends[1] - (GF_FAULT(cuda_expand_share) && end < line);
    while (k < stop) {
        const int count = gf_expand_load(s, first, w);
        __syncthreads();
        const int64_t until = w->base[count] < stop ? w->base[count] : stop;
        int at = 0;
        for (; k < until; k += blockDim.x) {
            const int64_t mine = k + gf_thread();
            at = mine < until && w->base[at + 1] <= mine ? gf_expand_search(w->base, at, count, mine) : at;
            body(mine < until, w->payload[at], mine - w->base[at]);
        }
        k = until;
        first += count;
        __syncthreads(); /* before the window is overwritten */
    }
}

/* Adds the numbers of a warp's lanes to a counter at once. What the counter was before each lane's own. */
GF_DEVICE_FN uint64_t gf_warp_take(uint64_t *counter, uint64_t mine)
{
    uint64_t sum = mine, before = 0;
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint64_t left = gf_shfl_up(sum, step);
        sum += gf_lane() >= step ? left : 0;
    }
    if (gf_lane() == GF_WARP - 1) {
        before = gf_atomic_add(counter, sum);
    }
    return gf_shfl(before, GF_WARP - 1) + sum - mine;
}

#endif
