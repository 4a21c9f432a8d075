/* A histogram of 16-bit keys. Each block has a counter of 16 bits for every one of the 65536 values in shared
 * memory, two in a word; a counter that reaches 2^15 hands 2^15 over to global memory at once. */
#include "array/common/grid_cuda.cuh"
#include "array/sort/sort_count_cuda.h"

#include "base/gf_cuda.h"
#include "base/planted_fault.h"

enum {
    COUNT_THREADS = 1024,
    COUNT_VECTORS = 3, /* of 8 keys, between barriers: see gf_count16_add */
    MERGE_THREADS = GF_COUNT_GROUP / 2
};

/* Adds `count` to a rank's counter. The thread that brings it to 2^15 or beyond takes 2^15 away again; until
 * it has, others may have added what the block adds between two barriers: 1024 threads x 24 keys, less than
 * 2^15, so the 16 bits never overflow into their neighbour. */
GF_DEVICE_FN void gf_count16_add(uint32_t *words, uint64_t *bins, uint32_t rank, uint32_t count)
{
    const uint32_t shift = rank % 2 * 16;
    const uint32_t old = gf_atomic_add(words + rank / 2, count << shift) >> shift & 0xffffu;
    if (old < 0x8000u && old + count >= 0x8000u) {
        gf_atomic_add(words + rank / 2, 0u - (0x8000u << shift));
        gf_atomic_add(bins + rank, uint64_t(GF_FAULT(cuda_sort_count) ? 0x7fff : 0x8000));
    }
}

/* Eight keys a lane. All equal in the whole warp: one addition, where hundreds would wait for one another. */
GF_DEVICE_FN void gf_count16_vector(uint32_t *words, uint64_t *bins, uint4 keys, uint32_t flip, bool valid)
{
    const uint32_t first = gf_shfl(keys.x, 0);
    const bool same = keys.x == first && keys.y == first && keys.z == first && keys.w == first;
    if (gf_all(valid && same && first >> 16 == (first & 0xffffu))) {
        if (gf_lane() == 0) {
            gf_count16_add(words, bins, (first & 0xffffu) ^ flip, 8 * GF_WARP);
        }
        return;
    }
    const uint32_t pairs[4] = {keys.x, keys.y, keys.z, keys.w};
    GF_UNROLL
    for (int i = 0; valid && i < 4; i++) {
        gf_count16_add(words, bins, (pairs[i] & 0xffffu) ^ flip, 1);
        gf_count16_add(words, bins, pairs[i] >> 16 ^ flip, 1);
    }
}

__global__ void __launch_bounds__(COUNT_THREADS) gf_count16_kernel(gf_count16 c)
{
    GF_SHARED_DYN(uint32_t, words);
    const uint16_t *keys = static_cast<const uint16_t *>(c.keys);
    const uint32_t flip = static_cast<uint32_t>(c.flip) & 0xffffu;
    const int64_t head = gf_head_of(keys, c.n, 2), vectors = (c.n - head) / 8;
    const int64_t step = int64_t(gridDim.x) * COUNT_THREADS;
    const int64_t mine = int64_t(blockIdx.x) * COUNT_THREADS + threadIdx.x;
    for (uint32_t i = 4 * threadIdx.x; i < GF_COUNT16_WORDS; i += 4 * COUNT_THREADS) {
        gf_store16(words + i, make_uint4(0, 0, 0, 0));
    }
    __syncthreads();
    if (mine < head) {
        gf_count16_add(words, c.bins, keys[mine] ^ flip, 1);
    }
    if (mine < c.n - head - 8 * vectors) {
        gf_count16_add(words, c.bins, keys[head + 8 * vectors + mine] ^ flip, 1);
    }
    for (int64_t at = mine; at - threadIdx.x < vectors; at += COUNT_VECTORS * step) {
        uint4 vector[COUNT_VECTORS] = {};
        __syncthreads();
        GF_UNROLL
        for (int k = 0; k < COUNT_VECTORS; k++) {
            if (at + k * step < vectors) {
                vector[k] = gf_load16(keys + head + (at + k * step) * 8, GF_STREAM);
            }
        }
        GF_UNROLL
        for (int k = 0; k < COUNT_VECTORS; k++) {
            gf_count16_vector(words, c.bins, vector[k], flip, at + k * step < vectors);
        }
    }
    __syncthreads();
    for (uint32_t i = 4 * threadIdx.x; i < GF_COUNT16_WORDS; i += 4 * COUNT_THREADS) {
        gf_store16(c.partial + int64_t(blockIdx.x) * GF_COUNT16_WORDS + i, gf_load16(words + i));
    }
}

/* Exclusive sum over the block, and the block's total. sums: a word for each warp. */
GF_DEVICE_FN uint64_t gf_count_scan(uint64_t value, uint64_t *sums, uint64_t *total)
{
    uint64_t sum = value, before = 0;
    GF_UNROLL
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint64_t other = gf_shfl_up(sum, step);
        sum += gf_lane() >= step ? other : 0u;
    }
    if (gf_lane() == GF_WARP - 1) {
        sums[gf_warp()] = sum;
    }
    __syncthreads();
    *total = 0;
    for (unsigned warp = 0; warp < blockDim.x / GF_WARP; warp++) {
        before += warp < gf_warp() ? sums[warp] : 0u;
        *total += sums[warp];
    }
    __syncthreads();
    return before + sum - value;
}

/* Adds up the blocks' counters, and turns counts into places: within a group of ranks, and by the last block
 * for the groups. */
__global__ void __launch_bounds__(MERGE_THREADS) gf_count16_merge(gf_count16 c)
{
    GF_SHARED(uint64_t, sums, MERGE_THREADS / GF_WARP);
    GF_SHARED(uint32_t, slot, 1);
    const int64_t word = int64_t(blockIdx.x) * MERGE_THREADS + threadIdx.x;
    uint64_t low = c.bins[2 * word], high = c.bins[2 * word + 1], total;
    for (int block = 0; block < c.blocks; block++) {
        const uint32_t counts = c.partial[int64_t(block) * GF_COUNT16_WORDS + word];
        low += counts & 0xffffu;
        high += counts >> 16;
    }
    const uint64_t start = gf_count_scan(low + high, sums, &total);
    c.starts[2 * word] = start;
    c.starts[2 * word + 1] = start + low;
    if (threadIdx.x == 0) {
        c.groups[blockIdx.x] = total;
    }
    if (!gf_last_block(c.done, gridDim.x, slot)) {
        return;
    }
    const uint64_t group = threadIdx.x < gridDim.x ? gf_load_relaxed(c.groups + threadIdx.x) : 0;
    const uint64_t before = gf_count_scan(group, sums, &total);
    if (threadIdx.x < gridDim.x) {
        c.groups[threadIdx.x] = before;
    }
}

gf_status gf_count16_cuda(const struct gf_count16 *c, cudaStream_t stream, gf_error *error)
{
    gf_launch count = {}, merge = {};
    count.grid = dim3(static_cast<unsigned>(c->blocks));
    count.block = dim3(COUNT_THREADS);
    count.shared = GF_COUNT16_WORDS * sizeof(uint32_t);
    count.stream = stream;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_count16_kernel, count, *c));
    merge.grid = dim3(GF_COUNT16_RANKS / GF_COUNT_GROUP);
    merge.block = dim3(MERGE_THREADS);
    merge.stream = stream;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_count16_merge, merge, *c));
    return GF_OK;
}
