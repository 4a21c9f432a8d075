/* The published stencil, corrected and for any window: `shared`, where a block of threads shares a tile and
 * its halo; and what it is measured against, `naive`, where each thread reads its neighbours from memory.
 * docs/primitives/stencil.md names what was wrong with it. */
#include "base/planted_fault.h"
#include "linear/stencil/stencil_cuda.cuh"

/* ---- naive --------------------------------------------------------------------------------------------- */

template <bool CROSS, class T>
static __global__ void __launch_bounds__(GF_STENCIL_MOST_THREADS) gf_stencil_naive(const gf_stencil_args<T> g)
{
    const int64_t y = int64_t(blockIdx.x / g.across) * blockDim.y + threadIdx.y;
    const int64_t x = int64_t(blockIdx.x % g.across) * blockDim.x + threadIdx.x;
    if (y >= g.rows || x >= g.columns) {
        return;
    }
    const bool inside = y >= g.up && y + g.down < g.rows && x >= g.left && x + g.right < g.columns;
    const T *const here = g.in + y * g.columns + x;
    g.out[y * g.columns + x] = gf_stencil_sum<CROSS>(g, [&](int j, int i) {
        return inside ? here[j * g.columns + i] : gf_stencil_sample(g, y + j, x + i);
    });
}

gf_status gf_stencil_naive_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    gf_launch c = {};
    if (array->n == 0) {
        return GF_OK;
    }
    c.block = dim3(GF_WARP, block / GF_WARP);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_STENCIL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return gf_stencil_passes<T>(array, call->steps, [&](gf_stencil_args<T> &g, int64_t) {
            GF_TRY(gf_stencil_grid(call, c.block.y, c.block.x, &c.grid, &g.across, error));
            return gf_stencil_if_cross(call, [&](auto cross) {
                GF_CUDA_TRY(error, GF_LAUNCH((gf_stencil_naive<decltype(cross)::value, T>), c, g));
                return GF_OK;
            });
        });
    });
}

/* ---- shared -------------------------------------------------------------------------------------------- */

/* A square of threads, an element each. */
template <bool CROSS, class T>
static __global__ void __launch_bounds__(GF_STENCIL_MOST_THREADS)
    gf_stencil_shared(const gf_stencil_args<T> g)
{
    GF_SHARED_DYN(T, tile);
    const int side = static_cast<int>(blockDim.x);
    const int ty = static_cast<int>(threadIdx.y), tx = static_cast<int>(threadIdx.x);
    const int64_t top = int64_t(blockIdx.x / g.across) * side, first = int64_t(blockIdx.x % g.across) * side;
    const int wide = side + g.left + g.right, tall = side + g.up + g.down;
    const bool inside =
        top >= g.up && top - g.up + tall <= g.rows && first >= g.left && first - g.left + wide <= g.columns;
    const T *const corner = g.in + (top - g.up) * g.columns + first - g.left;
    for (int j = ty; j < tall; j += side) {
        for (int i = tx; i < wide - GF_FAULT(cuda_stencil_halo); i += side) {
            tile[j * wide + i] =
                inside ? corner[j * g.columns + i] : gf_stencil_sample(g, top + j - g.up, first + i - g.left);
        }
    }
    __syncthreads();
    const int64_t y = top + ty, x = first + tx;
    if (y >= g.rows || x >= g.columns) {
        return;
    }
    const T *const here = tile + (ty + g.up) * wide + tx + g.left;
    g.out[y * g.columns + x] = gf_stencil_sum<CROSS>(g, [&](int j, int i) { return here[j * wide + i]; });
}

gf_status gf_stencil_shared_check(const struct gf_array_call *array, gf_error *error)
{
    const int32_t tile = array->options.tile;
    if (tile != 0 && tile != 8 && tile != 16 && tile != 32) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stencil, variant shared: tile is %d, must be 8, 16 or 32",
                       tile);
    }
    return GF_OK;
}

gf_status gf_stencil_shared_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    const int32_t side = array->options.tile > 0 ? array->options.tile : 16;
    gf_launch c = {};
    if (array->n == 0) {
        return GF_OK;
    }
    c.block = dim3(static_cast<unsigned>(side), static_cast<unsigned>(side));
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    c.shared = static_cast<size_t>((side + call->left + call->right) * (side + call->up + call->down)) *
               gf_depth_size(array->options.type);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_STENCIL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return gf_stencil_passes<T>(array, call->steps, [&](gf_stencil_args<T> &g, int64_t) {
            GF_TRY(gf_stencil_grid(call, side, side, &c.grid, &g.across, error));
            return gf_stencil_if_cross(call, [&](auto cross) {
                GF_CUDA_TRY(error, GF_LAUNCH((gf_stencil_shared<decltype(cross)::value, T>), c, g));
                return GF_OK;
            });
        });
    });
}
