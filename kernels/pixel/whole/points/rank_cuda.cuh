/* Items that are kept, numbered in their order: a warp counts those of its chunk, one block adds the counts
 * up, and then each item is told its number. Plain, with the same numbers however blocks are scheduled.
 *
 *   struct keep { __device__ __forceinline__ bool operator()(int64_t i) const; };
 *   struct each { __device__ __forceinline__ void operator()(int64_t i, bool is_kept, uint64_t number) const;
 * };
 *
 * `number` counts the kept items before i. */
#ifndef GF_PIXEL_RANK_CUDA_CUH
#define GF_PIXEL_RANK_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/planted_fault.h"

enum { GF_RANK_THREADS = 256, GF_RANK_STEPS = 32, GF_RANK_CHUNK = GF_RANK_STEPS * GF_WARP };

/* Bytes of scratch, for 64-bit counts of n items. */
static inline size_t gf_rank_scratch(int64_t n)
{
    return static_cast<size_t>((n + GF_RANK_CHUNK - 1) / GF_RANK_CHUNK) * sizeof(uint64_t);
}

struct gf_rank_totals {
    uint64_t *counts; /* of chunks; then the items kept before each */
    int64_t chunks;
    uint64_t *made, *all; /* all: the items that are kept; made: at most `most` of them */
    uint64_t most;
};

template <class KEEP>
__global__ void __launch_bounds__(GF_RANK_THREADS)
    gf_rank_count(const KEEP keep, int64_t n, uint64_t *counts, int64_t chunks)
{
    const int64_t chunk = (int64_t(blockIdx.x) * GF_RANK_THREADS + threadIdx.x) / GF_WARP;
    uint64_t count = 0;
    if (chunk >= chunks) {
        return; /* the whole warp */
    }
    for (int step = 0; step < GF_RANK_STEPS; step++) {
        const int64_t i = chunk * GF_RANK_CHUNK + step * GF_WARP + gf_lane();
        count += static_cast<uint64_t>(__popc(gf_ballot(i < n && keep(i))));
    }
    if (gf_lane() == 0) {
        counts[chunk] = count;
    }
}

/* One block. */
static __global__ void __launch_bounds__(GF_RANK_THREADS) gf_rank_add(const struct gf_rank_totals t)
{
    GF_SHARED(uint64_t, sums, GF_RANK_THREADS);
    const int64_t each = (t.chunks + GF_RANK_THREADS - 1) / GF_RANK_THREADS;
    const int64_t first = each * threadIdx.x < t.chunks ? each * threadIdx.x : t.chunks;
    const int64_t end = first + each < t.chunks ? first + each : t.chunks;
    uint64_t sum = 0;
    for (int64_t i = first; i < end; i++) {
        sum += t.counts[i];
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint64_t before = 0;
        for (int i = 0; i < GF_RANK_THREADS; i++) {
            const uint64_t own = sums[i];
            sums[i] = GF_FAULT(cuda_rank_carry) ? 0 : before;
            before += own;
        }
        *t.made = before < t.most ? before : t.most;
        *t.all = before;
    }
    __syncthreads();
    uint64_t before = sums[threadIdx.x];
    for (int64_t i = first; i < end; i++) {
        const uint64_t own = t.counts[i];
        t.counts[i] = before;
        before += own;
    }
}

template <class KEEP, class EACH>
__global__ void __launch_bounds__(GF_RANK_THREADS)
    gf_rank_tell(const KEEP keep, const EACH each, int64_t n, const uint64_t *counts, int64_t chunks)
{
    const int64_t chunk = (int64_t(blockIdx.x) * GF_RANK_THREADS + threadIdx.x) / GF_WARP;
    if (chunk >= chunks) {
        return;
    }
    uint64_t before = counts[chunk];
    for (int step = 0; step < GF_RANK_STEPS; step++) {
        const int64_t i = chunk * GF_RANK_CHUNK + step * GF_WARP + gf_lane();
        const bool is_kept = i < n && keep(i);
        const uint32_t kept = gf_ballot(is_kept);
        const uint32_t lower = kept & ((1u << gf_lane()) - 1);
        if (i < n) {
            each(i, is_kept, before + static_cast<uint64_t>(__popc(lower)));
        }
        before += static_cast<uint64_t>(__popc(kept));
    }
}

/* Queues all three. */
template <class KEEP, class EACH>
static cudaError_t gf_rank(const KEEP &keep, const EACH &each, int64_t n, uint64_t *scratch, uint64_t *made,
                           uint64_t *all, uint64_t most, cudaStream_t stream)
{
    const int64_t chunks = (n + GF_RANK_CHUNK - 1) / GF_RANK_CHUNK;
    const struct gf_rank_totals totals = {scratch, chunks, made, all, most};
    gf_launch launch = gf_launch_on(stream, gf_blocks(chunks * GF_WARP, GF_RANK_THREADS), GF_RANK_THREADS);
    struct gf_launch one = launch;
    one.grid = dim3(1);
    cudaError_t status = GF_LAUNCH((gf_rank_count<KEEP>), launch, keep, n, scratch, chunks);
    status = status == cudaSuccess ? GF_LAUNCH(gf_rank_add, one, totals) : status;
    return status == cudaSuccess ? GF_LAUNCH((gf_rank_tell<KEEP, EACH>), launch, keep, each, n,
                                             const_cast<const uint64_t *>(scratch), chunks)
                                 : status;
}

#endif
