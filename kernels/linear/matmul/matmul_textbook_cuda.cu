/* The published product of matrices of f32, corrected: `tiled`, where a block of threads shares tiles of
 * both; and what it is measured against, `naive`, where each element reads its row and its column from
 * memory. Matrices lie row by row without gaps, and places are ints, as in the text.
 * docs/primitives/matmul.md names what was wrong with it. */
#include "linear/matmul/matmul_cuda.cuh"

struct gf_product_args {
    const float *a, *b;
    float *c;
    int m, n, k;
};

static gf_product_args product_of(const struct gf_array_call *array)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    gf_product_args g = {};
    g.a = static_cast<const float *>(call->a.data);
    g.b = static_cast<const float *>(call->b.data);
    g.c = static_cast<float *>(array->out);
    g.m = static_cast<int>(call->m);
    g.n = static_cast<int>(call->n);
    g.k = static_cast<int>(call->k);
    return g;
}

static gf_launch product_launch(const struct gf_array_call *array, const gf_product_args &g, dim3 block)
{
    return gf_launch_on(array->queue.stream, dim3(gf_blocks(g.n, block.x), gf_blocks(g.m, block.y)), block);
}

/* ---- naive --------------------------------------------------------------------------------------------- */

static __global__ void gf_matmul_naive(const gf_product_args g)
{
    const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= g.m || column >= g.n) {
        return;
    }
    float sum = 0;
    for (int l = 0; l < g.k; l++) {
        sum = gf_fma(g.a[row * g.k + l], g.b[l * g.n + column], sum);
    }
    g.c[row * g.n + column] = gf_canonical(sum);
}

gf_status gf_matmul_naive_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_product_args g = product_of(array);
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    GF_ON_DEVICE(array->queue.device, error)
    GF_CUDA_TRY(error,
                GF_LAUNCH(gf_matmul_naive, product_launch(array, g, dim3(GF_WARP, block / GF_WARP)), g));
    return GF_OK;
}

/* ---- tiled --------------------------------------------------------------------------------------------- */

/* TILE x TILE threads, an element each. What lies behind the end of k is 0 on the left and -0 on the right,
 * whose products leave every sum as it is; 0 x 0 would make a 0 of a -0. */
template <int TILE> static __global__ void gf_matmul_tiled(const gf_product_args g)
{
    GF_SHARED(float, left, TILE *TILE);
    GF_SHARED(float, right, TILE *TILE);
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.y) * TILE + y, column = static_cast<int>(blockIdx.x) * TILE + x;
    float sum = 0;
    for (int t = 0; t < (g.k + TILE - 1) / TILE; t++) {
        const int l = t * TILE;
        left[y * TILE + x] = row < g.m && l + x < g.k ? g.a[row * g.k + l + x] : 0.0f;
        right[y * TILE + x] = l + y < g.k && column < g.n ? g.b[(l + y) * g.n + column] : -0.0f;
        __syncthreads();
        GF_UNROLL
        for (int i = 0; i < TILE; i++) {
            sum = gf_fma(left[y * TILE + i], right[i * TILE + x], sum);
        }
        __syncthreads();
    }
    if (row < g.m && column < g.n) {
        g.c[row * g.n + column] = gf_canonical(sum);
    }
}

gf_status gf_matmul_tiled_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_product_args g = product_of(array);
    const unsigned side = array->options.tile == 32 ? 32 : 16;
    const gf_launch c = product_launch(array, g, dim3(side, side));
    GF_ON_DEVICE(array->queue.device, error)
    GF_CUDA_TRY(error,
                side == 32 ? GF_LAUNCH((gf_matmul_tiled<32>), c, g) : GF_LAUNCH((gf_matmul_tiled<16>), c, g));
    return GF_OK;
}
