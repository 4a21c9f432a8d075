/* Right kernels, in the manner of real ones. */
#include "emu_selftest.h"

#include "base/gf_cuda.h"

typedef selftest_work work;
enum { BLOCK = SELFTEST_BLOCK };

GF_DEVICE_FN int64_t index_in_grid() { return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

static int finish(cudaError_t status)
{
    const cudaError_t after = cudaDeviceSynchronize();
    return status != cudaSuccess ? status : after;
}

template <int WARPS, class T> static __global__ void __launch_bounds__(WARPS * 32) reduce_kernel(work w)
{
    GF_SHARED(T, partial, WARPS);
    const int64_t i = index_in_grid();
    const T lane_sum = gf_reduce_add(static_cast<T>(i < w.n ? w.in[i] : 0));
    if (gf_lane() == 0) { partial[gf_warp()] = lane_sum; }
    __syncthreads();
    if (gf_warp() == 0) {
        T sum = gf_lane() < WARPS ? partial[gf_lane()] : 0;
        for (unsigned step = 16; step > 0; step /= 2) { sum += gf_shfl_down(sum, step); }
        if (gf_lane() == 0) { gf_atomic_add(w.out, static_cast<uint32_t>(sum)); }
    }
}

int selftest_reduce(work w)
{
    const gf_launch config = {gf_blocks(w.n, BLOCK), BLOCK};
    const cudaError_t status = cudaMemsetAsync(w.out, 0, sizeof *w.out, config.stream);
    return status != cudaSuccess ? status
                                 : finish(GF_LAUNCH((reduce_kernel<BLOCK / 32, uint64_t>), config, w));
}

/* state[0]: ticket; then for each tile its own sum and its inclusive sum, both plus 1, 0 for
 * "not yet": the test keeps sums below 2^32 - 1. */
static __global__ void scan_kernel(work w)
{
    GF_SHARED(uint32_t, slot, 1);
    GF_SHARED(uint32_t, sums, BLOCK / 32);
    GF_SHARED(uint32_t, before, 1);
    const uint32_t tile = gf_ticket(w.state, slot);
    uint32_t *own = w.state + 1, *inclusive = own + gridDim.x;
    const int64_t i = static_cast<int64_t>(tile) * BLOCK + threadIdx.x;
    uint32_t sum = i < w.n ? w.in[i] : 0;
    for (unsigned step = 1; step < 32; step *= 2) {
        const uint32_t other = gf_shfl_up(sum, step);
        sum += gf_lane() >= step ? other : 0;
    }
    if (gf_lane() == 31) { sums[gf_warp()] = sum; }
    __syncthreads();
    for (unsigned warp = 0; warp < gf_warp(); warp++) { sum += sums[warp]; }
    if (threadIdx.x == BLOCK - 1) {
        uint32_t prefix = 0;
        gf_store_release(own + tile, sum + 1);
        for (int64_t back = static_cast<int64_t>(tile) - 1; back >= 0; back--) {
            uint32_t total = gf_load_acquire(inclusive + back), part = gf_load_acquire(own + back);
            while (total == 0 && part == 0) {
                gf_poll();
                total = gf_load_acquire(inclusive + back);
                part = gf_load_acquire(own + back);
            }
            prefix += total != 0 ? total - 1 : part - 1;
            if (total != 0) { break; }
        }
        gf_store_release(inclusive + tile, prefix + sum + 1);
        *before = prefix;
    }
    __syncthreads();
    if (i < w.n) { w.out[i] = *before + sum; }
}

int selftest_scan(work w)
{
    const gf_launch config = {gf_blocks(w.n, BLOCK), BLOCK};
    return finish(GF_LAUNCH(scan_kernel, config, w));
}

static __global__ void histogram_kernel(work w)
{
    GF_SHARED_DYN(uint32_t, bins);
    GF_SHARED(uint32_t, slot, 1);
    for (unsigned b = threadIdx.x; b < 256; b += BLOCK) { bins[b] = 0; }
    __syncthreads();
    const int64_t i = index_in_grid();
    if (i < w.n) { gf_atomic_add(bins + w.in[i] % 256, 1u); }
    __syncthreads();
    uint32_t *parts = w.state + 1;
    for (unsigned b = threadIdx.x; b < 256; b += BLOCK) { parts[256 * blockIdx.x + b] = bins[b]; }
    if (gf_last_block(w.state, gridDim.x, slot)) {
        for (unsigned b = threadIdx.x; b < 256; b += BLOCK) {
            uint32_t sum = 0;
            for (unsigned block = 0; block < gridDim.x; block++) { sum += parts[256 * block + b]; }
            w.out[b] = sum;
        }
    }
}

int selftest_histogram(work w)
{
    const gf_launch config = {gf_blocks(w.n, BLOCK), BLOCK, 256 * sizeof(uint32_t)};
    return finish(GF_LAUNCH(histogram_kernel, config, w));
}

static __global__ void copy_kernel(work w, uint32_t add)
{
    GF_SHARED(uint32_t, tile, 4 * BLOCK);
    const int64_t tiles = w.n / (4 * BLOCK);
    const unsigned at = 4 * threadIdx.x;
    for (int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        gf_cp_async<16>(tile + at, w.in + 4 * BLOCK * t + at);
        gf_cp_async_commit();
        gf_cp_async_wait<0>();
        const uint4 v = gf_load16(tile + at);
        const uint4 swapped = make_uint4(v.y + add, v.x + add, v.w + add, v.z + add);
        gf_store16(w.out + 4 * BLOCK * t + at, swapped, GF_STREAM);
    }
}

int selftest_copy(work w)
{
    gf_launch config = {2, BLOCK};
    config.programmatic = true;
    return finish(GF_LAUNCH(copy_kernel, config, w, 3));
}

/* Every thread computes all; thread 5 tells. */
static __global__ void operations_kernel(work w)
{
    const unsigned lane = gf_lane();
    const uint32_t x = w.in[lane];
    const int32_t s = static_cast<int32_t>(x) - 1000;
    const uint32_t results[SELFTEST_OPERATIONS] = {
        gf_shfl(x, 31 - lane),
        gf_shfl_up(x, 3),
        gf_shfl_down(x, 29),
        gf_shfl_xor(x, 16),
        gf_ballot((x & 1) != 0),
        gf_any(x == w.in[7]),
        gf_all(x == w.in[7]),
        gf_match_any(x % 3),
        static_cast<uint32_t>(gf_reduce_add(s)),
        static_cast<uint32_t>(gf_reduce_min(s)),
        static_cast<uint32_t>(gf_reduce_max(s)),
        gf_reduce_and(x | 0x100),
        gf_reduce_or(x),
        gf_reduce_xor(x),
        static_cast<uint32_t>(gf_reduce_max(static_cast<uint64_t>(x) << 32) >> 32),
        static_cast<uint32_t>(__syncthreads_count(x > 1000)),
        static_cast<uint32_t>(__syncthreads_and(x > 1000) != 0),
        static_cast<uint32_t>(__syncthreads_or(x > 1000) != 0),
        static_cast<uint32_t>(gf_dp2a_lo(0x7fff8000u, 0x01fe03ffu, -5)),
        static_cast<uint32_t>(gf_dp2a_hi(0x7fff8000u, 0x01fe03ffu, -5)),
        gf_dp2a_lo_u(0x7fff8000u, 0x01fe03ffu, 7),
        gf_dp2a_hi_u(0x7fff8000u, 0x01fe03ffu, 7),
        gf_dp4a_u(0x80ff7f01u, 0xfffefdfcu, 7),
        gf_byte_perm(0x33221100u, 0x77665544u, 0x0725u),
        static_cast<uint32_t>(__popc(x) + __clz(static_cast<int>(x)) + __ffs(static_cast<int>(x))),
    };
    if (threadIdx.x == 5) {
        for (int i = 0; i < SELFTEST_OPERATIONS; i++) { w.out[i] = results[i]; }
    }
}

int selftest_operations(work w)
{
    const gf_launch config = {1, 64};
    return finish(GF_LAUNCH(operations_kernel, config, w));
}

static __global__ void grid_barrier_kernel(work w)
{
    uint32_t sum = 0;
    for (unsigned round = 0; round < 3; round++) {
        if (threadIdx.x == 0) { w.state[1 + blockIdx.x] = blockIdx.x + round; }
        gf_grid_barrier(w.state);
        for (unsigned b = 0; b < gridDim.x; b++) { sum += w.state[1 + b]; }
        gf_grid_barrier(w.state);
    }
    if (threadIdx.x == 0) { w.out[blockIdx.x] = sum; }
}

int selftest_grid_barrier(work w)
{
    gf_launch config = {4, 64};
    config.cooperative = true;
    return finish(GF_LAUNCH(grid_barrier_kernel, config, w));
}

static __global__ void atomics_kernel(work w, float *f, double *d, int64_t *l)
{
    const int64_t i = index_in_grid();
    if (i < w.n) {
        atomicAdd(f, static_cast<float>(w.in[i]));
        atomicAdd(d, static_cast<double>(w.in[i]));
        gf_atomic_add(l, static_cast<int64_t>(w.in[i]));
        gf_atomic_max(reinterpret_cast<int32_t *>(w.out + 4), static_cast<int32_t>(w.in[i]));
        for (uint32_t old = gf_load_relaxed(w.out + 3), seen = ~old; seen != old;) {
            seen = old;
            old = gf_atomic_cas(w.out + 3, seen, seen + w.in[i]);
        }
    }
}

static __global__ void atomics_end_kernel(work w, const float *f, const double *d, const int64_t *l)
{
    w.out[0] = static_cast<uint32_t>(*f);
    w.out[1] = static_cast<uint32_t>(*d);
    w.out[2] = static_cast<uint32_t>(*l);
}

int selftest_atomics(work w)
{
    const gf_launch config = {gf_blocks(w.n, BLOCK), BLOCK};
    float *f = reinterpret_cast<float *>(w.state);
    double *d = reinterpret_cast<double *>(w.state + 2);
    int64_t *l = reinterpret_cast<int64_t *>(w.state + 4);
    cudaMemsetAsync(w.out, 0, 5 * sizeof *w.out, config.stream);
    const cudaError_t status = GF_LAUNCH(atomics_kernel, config, w, f, d, l);
    return status != cudaSuccess ? status : finish(GF_LAUNCH(atomics_end_kernel, {1, 1}, w, f, d, l));
}

static __global__ void order_kernel(work w)
{
    GF_SHARED(uint32_t, slot, 1);
    const uint32_t ticket = gf_ticket(w.state, slot);
    if (threadIdx.x == 0) { w.out[ticket] = blockIdx.x; }
}

int selftest_order(work w) { return finish(GF_LAUNCH(order_kernel, {16, 32}, w)); }

static __global__ void pace_kernel(work w)
{
    GF_SHARED(uint32_t, slot, 1);
    const uint32_t ticket = gf_ticket(w.state, slot);
    if (threadIdx.x == 0) { gf_store_relaxed(w.state + 1 + ticket, 1u); }
    for (int i = 0; i < 64; i++) { __syncthreads(); }
    if (threadIdx.x == 0) { w.out[ticket] = ticket == 0 ? 1 : gf_load_relaxed(w.state + ticket); }
}

int selftest_pace(work w) { return finish(GF_LAUNCH(pace_kernel, {16, 32}, w)); }
