/* Ranks of a tile's keys by one digit: where each goes when the tile is sorted by it, stably.
 *
 * Each warp has a row of counters, one a digit, in shared memory. The keys are counted; a column of counters
 * becomes the place of the first key of that digit and warp; then the warps take their keys in order, 32 at a
 * time: lanes with the same digit find each other by votes, and the last of them moves the counter on for
 * all. */
#ifndef GF_ARRAY_SORT_RANK_CUDA_CUH
#define GF_ARRAY_SORT_RANK_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/planted_fault.h"

enum { GF_DIGITS = 256 };

/* Bytes of shared memory for all rows, and behind them for a tile of elements. */
static inline size_t gf_digits_shared(int threads, int items, size_t element)
{
    return static_cast<size_t>(threads) / GF_WARP * GF_DIGITS * sizeof(uint32_t) +
           static_cast<size_t>(threads) * static_cast<size_t>(items) * element;
}

/* The lanes with the same digit: a vote for each of its bits. */
GF_DEVICE_FN uint32_t gf_match_digit(uint32_t digit)
{
    uint32_t same = GF_FULL_MASK;
    GF_UNROLL
    for (uint32_t bit = 1; bit < GF_DIGITS; bit *= 4) {
        const uint32_t low = gf_votes_alike(digit, bit), high = gf_votes_alike(digit, 2 * bit);
        same = same & low & high;
    }
    return same;
}

/* Zeroes the warp's own row. */
GF_DEVICE_FN void gf_digits_clear(uint32_t *row)
{
    for (uint32_t at = 4 * gf_lane(); at < GF_DIGITS; at += 4 * GF_WARP) {
        gf_store16(row + at, make_uint4(0, 0, 0, 0));
    }
    gf_syncwarp();
}

/* Adds up a column of the counters, after a barrier: threads 0 to 255 have a digit each; the others get 0. */
template <int WARPS> GF_DEVICE_FN uint32_t gf_digits_add(const uint32_t *counts)
{
    uint32_t total = 0;
    if (gf_thread() < GF_DIGITS) {
        GF_UNROLL
        for (int warp = 0; warp < WARPS; warp++) {
            total += counts[warp * GF_DIGITS + gf_thread()];
        }
    }
    return total;
}

/* Turns counts into places, and returns where the first key of the thread's digit goes. Barriers inside, the
 * last one at the end. sums: 8 words of shared memory. */
template <int WARPS> GF_DEVICE_FN uint32_t gf_digits_place(uint32_t total, uint32_t *counts, uint32_t *sums)
{
    uint32_t sum = total, start = 0;
    if (gf_thread() < GF_DIGITS) {
        GF_UNROLL
        for (unsigned step = 1; step < GF_WARP; step *= 2) {
            const uint32_t before = gf_shfl_up(sum, step);
            sum += gf_lane() >= step ? before : 0u;
        }
        if (gf_lane() == GF_WARP - 1) {
            sums[gf_warp()] = sum;
        }
    }
    __syncthreads();
    if (gf_thread() < GF_DIGITS) {
        start = sum - total;
        GF_UNROLL
        for (unsigned warp = 0; warp < GF_DIGITS / GF_WARP - 1; warp++) {
            start += warp < gf_warp() ? sums[warp] : 0u;
        }
        uint32_t at = start;
        GF_UNROLL
        for (int warp = 0; warp < WARPS; warp++) {
            uint32_t *const counter = counts + warp * GF_DIGITS + gf_thread();
            const uint32_t count = *counter;
            *counter = at;
            at += count;
        }
    }
    __syncthreads();
    return start;
}

/* The place of the lane's next key, which has this digit. row: the warp's counters after place(). */
GF_DEVICE_FN uint32_t gf_digit_rank(uint32_t *row, uint32_t digit)
{
    const uint32_t same = gf_match_digit(digit);
    const uint32_t before = same & ((1u << gf_lane()) - 1u);
    const uint32_t leader = 31u - static_cast<uint32_t>(__clz(static_cast<int>(same)));
    const uint32_t count = static_cast<uint32_t>(__popc(same));
    uint32_t at = 0;
    if (gf_lane() == leader) {
        at = gf_atomic_add(row + digit, count);
    }
    at = gf_shfl(at, leader);
    gf_syncwarp(); /* the next key's addition comes after this one */
    return at + static_cast<uint32_t>(__popc(GF_FAULT(cuda_sort_unstable) ? same >> 1 >> gf_lane() : before));
}

#endif
