/* Kernels with one planted fault each, for the emulator to find. */
#include "emu_selftest.h"

#include "base/gf_cuda.h"

typedef selftest_work work;

#define FAULT(name, blocks, threads)                                                                         \
    static __global__ void name##_kernel(work w);                                                            \
    int name(work w)                                                                                         \
    {                                                                                                        \
        const gf_launch config = {blocks, threads};                                                          \
        const cudaError_t status = GF_LAUNCH(name##_kernel, config, w), after = cudaDeviceSynchronize();     \
        return status != cudaSuccess ? status : after;                                                       \
    }                                                                                                        \
    static __global__ void name##_kernel(work w)

FAULT(fault_missing_barrier, 1, 256)
{
    GF_SHARED(uint32_t, tile, 256);
    tile[threadIdx.x] = w.in[threadIdx.x];
    w.out[threadIdx.x] = tile[threadIdx.x ^ 32];
}

/* Block 0 writes out[1] and then a flag that orders nothing; block 1 waits and reads. */
FAULT(fault_relaxed_flag, 2, 32)
{
    if (threadIdx.x != 0) { return; }
    if (blockIdx.x == 0) {
        w.out[1] = w.in[1];
        gf_store_relaxed(w.state, 1u);
    } else {
        while (gf_load_acquire(w.state) == 0) { gf_poll(); }
        w.out[0] = w.out[1];
    }
}

FAULT(fault_missing_syncwarp, 1, 256)
{
    GF_SHARED(uint32_t, tile, 256);
    tile[threadIdx.x] = w.in[threadIdx.x];
    w.out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

FAULT(fault_shuffle_as_fence, 1, 32)
{
    GF_SHARED(uint32_t, tile, 32);
    tile[threadIdx.x] = w.in[threadIdx.x];
    const uint32_t other = gf_shfl_xor(threadIdx.x, 1);
    w.out[threadIdx.x] = tile[other];
}

FAULT(fault_plain_flag, 2, 32)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        w.out[1] = w.in[1];
        w.state[0] = 1;
    } else if (threadIdx.x == 0) {
        while (gf_load_acquire(w.state) == 0) { gf_poll(); }
        w.out[0] = w.out[1];
    }
}

FAULT(fault_plain_add, 4, 32) { w.out[w.in[threadIdx.x] % 4]++; }

FAULT(fault_far_blocks, 64, 32)
{
    if (threadIdx.x == 0 && blockIdx.x % 63 == 0) { w.out[0] = blockIdx.x; }
}

FAULT(fault_divergent_barrier, 1, 64)
{
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    w.out[threadIdx.x] = 0;
}

FAULT(fault_early_exit, 1, 64)
{
    if (threadIdx.x == 40) { return; }
    __syncthreads();
    w.out[threadIdx.x] = 0;
}

FAULT(fault_deadlock, 2, 32)
{
    if (threadIdx.x == 0) {
        while (gf_load_acquire(w.state + 1 + (1 - blockIdx.x)) == 0) { gf_poll(); }
        gf_store_release(w.state + 1 + blockIdx.x, 1u);
    }
}

FAULT(fault_block_order, 64, 32)
{
    if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x) {
        while (gf_load_acquire(w.state + blockIdx.x + 1) == 0) { gf_poll(); }
    }
    gf_syncwarp();
    gf_store_release(w.state + blockIdx.x, 1u);
}

FAULT(fault_spin, 2, 32)
{
    if (blockIdx.x == 0) {
        while (gf_load_acquire(w.state) == 0) {}
    }
}

FAULT(fault_wrong_mask, 1, 32)
{
    if (gf_lane() < 16) { w.out[gf_lane()] = gf_shfl_xor(w.in[gf_lane()], 1); }
}

FAULT(fault_foreign_mask, 1, 32)
{
    w.out[gf_lane()] = static_cast<uint32_t>(__shfl_sync(0x0000ffffu, static_cast<int>(gf_lane()), 0));
}

FAULT(fault_divergent_warp, 1, 32)
{
    const uint32_t v = w.in[threadIdx.x];
    if (threadIdx.x < 16) {
        w.out[threadIdx.x] = gf_shfl_xor(v, 1);
    } else {
        w.out[threadIdx.x] = gf_shfl_xor(v, 1);
    }
}

FAULT(fault_shared_limit, 1, 32)
{
    GF_SHARED(uint32_t, first, 8 * 1024);
    GF_SHARED(uint32_t, second, 4 * 1024 + 1);
    first[threadIdx.x] = second[threadIdx.x] = w.in[0];
}

FAULT(fault_shared_underrun, 1, 32)
{
    GF_SHARED(uint32_t, tile, 32);
    tile[static_cast<int>(threadIdx.x) - (threadIdx.x == 0 ? 1 : 0)] = w.in[0];
}

FAULT(fault_shared_overrun, 1, 32)
{
    GF_SHARED(uint32_t, tile, 33);
    tile[threadIdx.x + (threadIdx.x == 31 ? 2 : 0)] = w.in[0];
    __syncthreads();
    w.out[threadIdx.x] = tile[0];
}

FAULT(fault_device_overrun, 1, 32) { w.out[threadIdx.x == 31 ? w.n : threadIdx.x] = 1; }

FAULT(fault_device_underrun, 1, 32) { w.out[static_cast<int>(threadIdx.x) - (threadIdx.x == 0 ? 1 : 0)] = 1; }

FAULT(fault_unwritten_shared, 3, 32)
{
    GF_SHARED(uint32_t, tile, 32);
    if (threadIdx.x != 7) { tile[threadIdx.x] = 1; }
    __syncthreads();
    w.out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

FAULT(fault_misaligned, 1, 32)
{
    const uint4 v = gf_load16(w.in + 1);
    w.out[threadIdx.x] = v.x;
}

FAULT(fault_block_too_large, 1, 1025) { w.out[0] = 1; }

FAULT(fault_missing_wait, 1, 64)
{
    GF_SHARED(uint32_t, tile, 256);
    gf_cp_async<16>(tile + 4 * threadIdx.x, w.in + 4 * threadIdx.x);
    gf_cp_async_commit();
    const uint4 v = gf_load16(tile + 4 * threadIdx.x);
    gf_store16(w.out + 4 * threadIdx.x, make_uint4(v.y + 3, v.x + 3, v.w + 3, v.z + 3));
}
