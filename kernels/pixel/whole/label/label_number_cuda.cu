/* label on CUDA: regions get their numbers (label_cuda.cuh). */
#include "array/scan/lookback_cuda.cuh"
#include "pixel/whole/label/label_cuda.cuh"

enum { GF_LABEL_COUNTERS = 256, GF_LABEL_EACH = GF_LABEL_NUMBERED / GF_LABEL_COUNTERS };

struct gf_label_count {
    using value = uint64_t;
    using slot = gf_slot_count;
    __device__ uint64_t none() const { return 0; }
    __device__ uint64_t join(uint64_t a, uint64_t b) const { return a + b; }
};

/* A digit of the rank of the last of the largest regions: those whose digits before are its own are counted,
 * and the last block finds it. */
static __global__ void __launch_bounds__(GF_LABEL_COUNTERS)
    gf_label_choose(const struct gf_label_params p, int shift)
{
    GF_SHARED(uint32_t, counts, 256);
    GF_SHARED(uint32_t, slot, 1);
    const int64_t row = int64_t(blockIdx.x) / p.across;
    const struct gf_label_tile tile(p, int64_t(blockIdx.x) - row * p.across, row);
    const uint64_t rank = p.choice->rank;
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < p.parts[blockIdx.x]; i += GF_LABEL_COUNTERS) {
        const uint32_t node = tile.base + i;
        const uint64_t own = GF_LABEL_RANK(p.area[node], p.first[node]);
        if (gf_label_counts(p, node) && own >> shift >> 8 == rank >> shift >> 8) {
            gf_atomic_add(counts + (own >> shift & 255), 1u);
        }
    }
    __syncthreads();
    if (counts[threadIdx.x]) {
        gf_atomic_add(p.choice->counts + threadIdx.x, counts[threadIdx.x]);
    }
    if (!gf_last_block(&p.choice->arrived, gridDim.x, slot)) {
        return;
    }
    counts[threadIdx.x] = gf_load_relaxed(p.choice->counts + threadIdx.x);
    gf_store_relaxed(p.choice->counts + threadIdx.x, 0u);
    __syncthreads();
    if (threadIdx.x == 0) {
        const uint64_t wanted = static_cast<uint64_t>(p.args.largest - GF_FAULT(cuda_label_choice));
        uint64_t digit = 255, gone = p.choice->gone;
        for (; digit > 0 && wanted > gone + counts[digit]; digit--) {
            gone += counts[digit];
        }
        p.choice->gone = gone;
        p.choice->rank = rank | digit << shift;
    }
}

gf_status gf_label_queue_choice(const struct gf_label_params *p, cudaStream_t stream, gf_error *error)
{
    gf_launch launch = gf_launch_on(stream, gf_blocks(p->tiles, 1), GF_LABEL_COUNTERS);
    for (int shift = 56; shift >= 0; shift -= 8) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_label_choose, launch, *p, shift));
    }
    return GF_OK;
}

/* A bit for the first pixel of each region that is kept. */
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_mark(const struct gf_label_params p)
{
    const int64_t row = int64_t(blockIdx.x) / p.across;
    const struct gf_label_tile tile(p, int64_t(blockIdx.x) - row * p.across, row);
    for (uint32_t i = threadIdx.x; i < p.parts[blockIdx.x]; i += GF_LABEL_THREADS) {
        const uint32_t node = tile.base + i, first = p.first[node];
        if (gf_label_counts(p, node) && GF_LABEL_RANK(p.area[node], first) >= p.choice->rank) {
            gf_atomic_or(p.roots + first / GF_WARP, 1u << first % GF_WARP);
        }
    }
}

/* The bits before each word, in one pass. A thread takes neighbouring words. */
static __global__ void __launch_bounds__(GF_LABEL_COUNTERS)
    gf_label_count_roots(const struct gf_label_params p)
{
    GF_SHARED(uint32_t, ticket, 1);
    GF_SHARED(uint32_t, sums, GF_LABEL_COUNTERS / GF_WARP);
    GF_SHARED(uint64_t, before_block, 1);
    const int64_t block = gf_ticket(p.ticket, ticket);
    const int64_t at = block * GF_LABEL_NUMBERED + int64_t(threadIdx.x) * GF_LABEL_EACH;
    const gf_label_count op;
    struct gf_lookback_state state = {};
    uint32_t words[GF_LABEL_EACH], own = 0, upto, before = 0, all = 0;
    state.tiles = p.totals;
    GF_UNROLL
    for (int i = 0; i < GF_LABEL_EACH; i += 4) {
        const uint4 four = gf_load16(p.roots + at + i);
        memcpy(words + i, &four, sizeof four);
    }
    GF_UNROLL
    for (int i = 0; i < GF_LABEL_EACH; i++) {
        const uint32_t count = static_cast<uint32_t>(__popc(words[i]));
        words[i] = own;
        own += count;
    }
    upto = own;
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const uint32_t left = gf_shfl_up(upto, distance);
        upto += gf_lane() >= distance ? left : 0;
    }
    if (gf_lane() == GF_WARP - 1) {
        sums[gf_warp()] = upto;
    }
    __syncthreads();
    for (unsigned i = 0; i < GF_LABEL_COUNTERS / GF_WARP; i++) {
        before += i < gf_warp() ? sums[i] : 0;
        all += sums[i];
    }
    if (gf_warp() == 0) {
        gf_lookback_publish(op, state, block, all);
        const uint64_t left = gf_lookback_free(op, state, block, all);
        if (gf_lane() == 0) {
            *before_block = GF_FAULT(cuda_label_carry) ? 0 : left;
            if (block == gridDim.x - 1) {
                p.counts[0] = p.counts[1] = left + all;
            }
        }
    }
    __syncthreads();
    before += static_cast<uint32_t>(*before_block) + upto - own;
    GF_UNROLL
    for (int i = 0; i < GF_LABEL_EACH; i += 4) {
        gf_store16(p.before + at + i, make_uint4(before + words[i], before + words[i + 1],
                                                 before + words[i + 2], before + words[i + 3]));
    }
}

/* Roots learn their numbers, 0 of regions that are left out, and regions of more than a part begin. */
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_number(const struct gf_label_params p)
{
    const int64_t row = int64_t(blockIdx.x) / p.across;
    const struct gf_label_tile tile(p, int64_t(blockIdx.x) - row * p.across, row);
    for (uint32_t i = threadIdx.x; i < p.parts[blockIdx.x]; i += GF_LABEL_THREADS) {
        const uint32_t node = tile.base + i;
        if (p.parent[node] != node) {
            continue;
        }
        const uint32_t word = p.first[node] / GF_WARP, bit = 1u << p.first[node] % GF_WARP;
        const uint32_t bits = p.roots[word];
        uint32_t number = 0;
        if (bits & bit) {
            struct gf_region region = {};
            number = p.before[word] + static_cast<uint32_t>(__popc(bits & (bit - 1))) + 1;
            region.area = p.area[node];
            region.left = region.top = region.least = 0xFFFFFFFFu;
            p.regions[number - 1] = region;
        }
        p.area[node] = number;
    }
}

gf_status gf_label_queue_numbers(const struct gf_label_params *p, cudaStream_t stream, gf_error *error)
{
    const int64_t words = (p->width * p->height + GF_WARP - 1) / GF_WARP;
    gf_launch launch = gf_launch_on(stream, gf_blocks(p->tiles, 1), GF_LABEL_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_label_mark, launch, *p));
    launch.block = dim3(GF_LABEL_COUNTERS);
    launch.grid = dim3(gf_blocks(words, GF_LABEL_NUMBERED));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_label_count_roots, launch, *p));
    launch.block = dim3(GF_LABEL_THREADS);
    launch.grid = dim3(gf_blocks(p->tiles, 1));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_label_number, launch, *p));
    return GF_OK;
}
