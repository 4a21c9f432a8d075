/* A step of any window by large tiles: a thread has TALL rows of WIDE columns, 32 apart. It goes down the
 * rows that they read, and what it loads from shared memory serves every row of sums that it belongs to. */
#include "base/planted_fault.h"
#include "linear/stencil/stencil_cuda.cuh"

constexpr int GF_STENCIL_TALL = 8;  /* rows of a thread */
constexpr int GF_STENCIL_WIDE = 4;  /* columns of a thread */
constexpr int GF_STENCIL_WARPS = 4; /* of a block, one below the other */
constexpr int GF_STENCIL_TILE_ROWS = GF_STENCIL_WARPS * GF_STENCIL_TALL;
constexpr int GF_STENCIL_TILE_COLUMNS = GF_WARP * GF_STENCIL_WIDE;

/* Adds a row of the tile to those rows of sums that it belongs to: row j of sums has it as its row `at` - j.
 */
template <class T>
GF_DEVICE_FN void gf_stencil_add_row(const gf_stencil_args<T> &g, const T *weights, const T *line, int at,
                                     T (&sum)[GF_STENCIL_TALL][GF_STENCIL_WIDE])
{
    const int wide = g.left + g.right + 1, tall = g.up + g.down + 1;
    for (int i = 0; i < wide; i++) {
        T v[GF_STENCIL_WIDE];
        GF_UNROLL
        for (int c = 0; c < GF_STENCIL_WIDE; c++) {
            v[c] = line[i + c * GF_WARP];
        }
        GF_UNROLL
        for (int j = 0; j < GF_STENCIL_TALL; j++) {
            const int row = at - j;
            const T weight = row >= 0 && row < tall ? weights[row * wide + i] : T(0);
            if (weight != 0) {
                GF_UNROLL
                for (int c = 0; c < GF_STENCIL_WIDE; c++) {
                    sum[j][c] = gf_matmul_add(weight, v[c], sum[j][c]);
                }
            }
        }
    }
}

/* The window's weights as a rectangle, 0 where there is no tap; by all threads of the block. */
template <class T> GF_DEVICE_FN void gf_stencil_spread(const gf_stencil_args<T> &g, T *weights)
{
    const int thread = static_cast<int>(threadIdx.y * GF_WARP + threadIdx.x);
    const int wide = g.left + g.right + 1, tall = g.up + g.down + 1;
    for (int k = thread; k < wide * tall; k += GF_STENCIL_WARPS * GF_WARP) {
        weights[k] = 0;
    }
    __syncthreads();
    for (int t = thread; t < g.count; t += GF_STENCIL_WARPS * GF_WARP) {
        weights[(g.y[t] + g.up) * wide + g.x[t] + g.left] = g.weights[t];
    }
}

template <class T>
static __global__ void __launch_bounds__(GF_STENCIL_WARPS *GF_WARP)
    gf_stencil_tile(const gf_stencil_args<T> g)
{
    GF_SHARED_DYN(T, tile);
    GF_SHARED(T, weights, GF_STENCIL_SIDE * GF_STENCIL_SIDE);
    const int ty = static_cast<int>(threadIdx.y), tx = static_cast<int>(threadIdx.x);
    const int64_t top = int64_t(blockIdx.x / g.across) * GF_STENCIL_TILE_ROWS;
    const int64_t first = int64_t(blockIdx.x % g.across) * GF_STENCIL_TILE_COLUMNS;
    const int wide = GF_STENCIL_TILE_COLUMNS + g.left + g.right, tall = GF_STENCIL_TILE_ROWS + g.up + g.down;
    const bool inside =
        top >= g.up && top - g.up + tall <= g.rows && first >= g.left && first - g.left + wide <= g.columns;
    gf_stencil_spread(g, weights);
    for (int j = ty; j < tall; j += GF_STENCIL_WARPS) {
        const int64_t y = top + j - g.up, x = first - g.left;
        for (int i = tx; i < wide; i += GF_WARP) {
            tile[j * wide + i] = inside ? g.in[y * g.columns + x + i] : gf_stencil_sample(g, y, x + i);
        }
    }
    if (!GF_FAULT(cuda_stencil_stage)) {
        __syncthreads();
    }
    T sum[GF_STENCIL_TALL][GF_STENCIL_WIDE];
    GF_UNROLL
    for (int j = 0; j < GF_STENCIL_TALL; j++) {
        GF_UNROLL
        for (int c = 0; c < GF_STENCIL_WIDE; c++) {
            sum[j][c] = -T(0); /* to which a product adds exactly, be it -0 */
        }
    }
    const T *line = tile + ty * GF_STENCIL_TALL * wide + tx;
    for (int at = 0; at < GF_STENCIL_TALL + g.up + g.down; at++, line += wide) {
        gf_stencil_add_row(g, weights, line, at, sum);
    }
    GF_UNROLL
    for (int j = 0; j < GF_STENCIL_TALL; j++) {
        const int64_t y = top + ty * GF_STENCIL_TALL + j;
        GF_UNROLL
        for (int c = 0; c < GF_STENCIL_WIDE; c++) {
            const int64_t x = first + tx + c * GF_WARP;
            if (y < g.rows && x < g.columns) {
                g.out[y * g.columns + x] = gf_matmul_finish(sum[j][c]);
            }
        }
    }
}

gf_status gf_stencil_tiles_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    gf_launch c = {};
    c.block = dim3(GF_WARP, GF_STENCIL_WARPS);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    c.shared = static_cast<size_t>((GF_STENCIL_TILE_COLUMNS + call->left + call->right) *
                                   (GF_STENCIL_TILE_ROWS + call->up + call->down)) *
               gf_depth_size(array->options.type);
    return gf_dispatch_type<GF_STENCIL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return gf_stencil_passes<T>(array, call->steps, [&](gf_stencil_args<T> &g, int64_t) {
            GF_TRY(gf_stencil_grid(call, GF_STENCIL_TILE_ROWS, GF_STENCIL_TILE_COLUMNS, &c.grid, &g.across,
                                   error));
            GF_CUDA_TRY(error, GF_LAUNCH((gf_stencil_tile<T>), c, g));
            return GF_OK;
        });
    });
}
