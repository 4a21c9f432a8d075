/* What kernels over bins share on the GPU. A block of a solver has a channel, a thread consecutive bins. */
#ifndef GF_PIXEL_SOLVE_CUDA_CUH
#define GF_PIXEL_SOLVE_CUDA_CUH

#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/solve.h"

enum { GF_SOLVE_THREADS = 256, GF_SOLVE_WARPS = GF_SOLVE_THREADS / GF_WARP };

/* Sums of v over the lanes up to this one. */
template <class T> GF_DEVICE_FN T gf_solve_scan_warp(T v)
{
    T inclusive = v;
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const T left = gf_shfl_up(inclusive, step);
        inclusive += gf_lane() >= step ? left : 0;
    }
    return inclusive;
}

/* Sums of v over the threads before this one, and over all. warps: shared memory, an element a warp of the
 * block. All threads call it. */
template <class T> GF_DEVICE_FN T gf_solve_scan(T v, T *warps, T *total)
{
    const unsigned n = blockDim.x / GF_WARP;
    const T inclusive = gf_solve_scan_warp(v);
    T before = 0;
    *total = 0;
    __syncthreads(); /* warps may still be read from the scan before */
    if (gf_lane() == GF_WARP - 1) {
        warps[gf_warp()] = inclusive;
    }
    __syncthreads();
    for (unsigned w = 0; w < n; w++) {
        before += w + GF_FAULT(cuda_solve_carry) < gf_warp() ? warps[w] : 0;
        *total += warps[w];
    }
    return before + inclusive - v;
}

/* The bins [first, end) of a thread: consecutive, so that one scan over threads gives every prefix. */
struct gf_share {
    int32_t first, end;
};
GF_DEVICE_FN struct gf_share gf_solve_share(int32_t bins)
{
    const int64_t each = (int64_t(bins) + GF_SOLVE_THREADS - 1) / GF_SOLVE_THREADS;
    const int64_t first = each * threadIdx.x, end = first + each;
    const struct gf_share share = {static_cast<int32_t>(first < bins ? first : bins),
                                   static_cast<int32_t>(end < bins ? end : bins)};
    return share;
}

#endif
