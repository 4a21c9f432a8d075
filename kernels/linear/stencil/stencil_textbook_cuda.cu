/* The published stencil, corrected: `shared`, where a block of threads shares a tile and its halo; and what
 * it is measured against, `naive`, where each thread reads its neighbours from memory.
 * docs/primitives/stencil.md names what was wrong with it. */
#include "base/planted_fault.h"
#include "linear/stencil/stencil_cross_cuda.cuh"

/* ---- naive --------------------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(GF_STENCIL_MOST_THREADS) gf_stencil_naive(const gf_cross_args g)
{
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const auto load = [&](int place, int at) { return place < 0 ? g.value : g.in[at]; };
    if (y < g.height && x < g.width) {
        const int up = gf_cross_up(g, y), down = gf_cross_down(g, y), at = y * g.width;
        const int left = gf_cross_left(g, x), right = gf_cross_right(g, x);
        g.out[at + x] = gf_cross_sum(g, load(up, up * g.width + x), load(left, at + left), g.in[at + x],
                                     load(right, at + right), load(down, down * g.width + x));
    }
}

gf_status gf_stencil_naive_cuda(const struct gf_array_call *array, gf_error *error)
{
    GF_ON_DEVICE(array->queue.device, error)
    return gf_cross_passes(array, gf_cross_block(array), [&](const gf_cross_args &g, const gf_launch &c) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_stencil_naive, c, g));
        return GF_OK;
    });
}

/* ---- shared -------------------------------------------------------------------------------------------- */

/* Writes what the published kernel leaves unwritten, in a tile at the rim of the matrix: what lies beside it.
 */
template <int WIDE> GF_DEVICE_FN void gf_cross_rim(const gf_cross_args &g, int y, int x, float *here)
{
    const int side = WIDE - 3, tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int v = y < g.height ? y : g.below, u = x < g.width ? x : g.after;
    *here = gf_cross_at(g, v, u);
    if (tx == 0) {
        here[-1] = gf_cross_at(g, v, gf_cross_left(g, x));
    }
    if (tx == side) {
        here[1] = gf_cross_at(g, v, gf_cross_right(g, x));
    }
    if (ty == 0) {
        here[-WIDE] = gf_cross_at(g, gf_cross_up(g, y), u);
    }
    if (ty == side) {
        here[WIDE] = gf_cross_at(g, gf_cross_down(g, y), u);
    }
}

/* SIDE x SIDE threads, an element each; those at the sides of the tile load what lies beside it, too. */
template <int SIDE> static __global__ void gf_stencil_shared(const gf_cross_args g)
{
    constexpr int WIDE = SIDE + 2;
    GF_SHARED(float, tile, WIDE *WIDE);
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * SIDE + tx, y = static_cast<int>(blockIdx.y) * SIDE + ty;
    float *const here = tile + (ty + 1) * WIDE + tx + 1;
    const bool inside = x < g.width && y < g.height;
    /* Of the matrix in any case: the published kernel looks at one of both when it loads beside the tile. */
    const int at = (y < g.height ? y : g.height - 1) * g.width + (x < g.width ? x : g.width - 1);
    *here = g.in[at];
    if (tx == 0 && x > 0) {
        here[-1] = g.in[at - 1];
    }
    if (tx == SIDE - 1 && x < g.width - 1 && !GF_FAULT(cuda_stencil_halo)) {
        here[1] = g.in[at + 1];
    }
    if (ty == 0 && y > 0) {
        here[-WIDE] = g.in[at - g.width];
    }
    if (ty == SIDE - 1 && y < g.height - 1) {
        here[WIDE] = g.in[at + g.width];
    }
    if (blockIdx.x - 1 >= gridDim.x - 2 || blockIdx.y - 1 >= gridDim.y - 2) { /* the first, or the last */
        gf_cross_rim<WIDE>(g, y, x, here);
    }
    __syncthreads();
    if (inside) {
        g.out[at] = gf_cross_sum(g, here[-WIDE], here[-1], *here, here[1], here[WIDE]);
    }
}

template <int SIDE> static gf_status run_shared(const struct gf_array_call *array, gf_error *error)
{
    return gf_cross_passes(array, dim3(SIDE, SIDE), [&](const gf_cross_args &g, const gf_launch &c) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_stencil_shared<SIDE>), c, g));
        return GF_OK;
    });
}

gf_status gf_stencil_shared_cuda(const struct gf_array_call *array, gf_error *error)
{
    GF_ON_DEVICE(array->queue.device, error)
    switch (array->options.tile) {
    case 8:
        return run_shared<8>(array, error);
    case 32:
        return run_shared<32>(array, error);
    default:
        return run_shared<16>(array, error);
    }
}
