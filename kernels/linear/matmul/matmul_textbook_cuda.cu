/* The published products of matrices, corrected: `naive`, where each element reads its row and its column
 * from memory, and `tiled`, where a block of threads shares them tile by tile. docs/primitives/matmul.md
 * names what was wrong with them. */
#include "linear/matmul/matmul_cuda.cuh"

/* ---- naive --------------------------------------------------------------------------------------------- */

template <class T> static __global__ void gf_matmul_naive(const gf_matmul_args g)
{
    using element = gf_matmul_element<T>;
    const T *const a = static_cast<const T *>(g.a), *const b = static_cast<const T *>(g.b);
    const int64_t at = gf_thread_index();
    if (at >= g.m * g.n) {
        return;
    }
    const int64_t i = at / g.n, j = at % g.n;
    typename element::sum sum = 0;
    for (int64_t l = 0; l < g.k; l++) {
        sum = gf_matmul_add(element::widen(a[i * g.a_row + l * g.a_column], g.signed_a),
                            element::widen(b[l * g.b_row + j * g.b_column], g.signed_b), sum);
    }
    static_cast<typename element::sum *>(g.c)[i * g.ldc + j] = gf_matmul_finish(sum);
}

gf_status gf_matmul_naive_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    gf_launch c = gf_launch_on(array->queue.stream, gf_blocks(array->n, block), block);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_MATMUL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_naive<T>), c, g));
        return GF_OK;
    });
}

/* ---- tiled --------------------------------------------------------------------------------------------- */

/* TILE x TILE threads, an element each. */
template <class T, int TILE> static __global__ void gf_matmul_tiled(const gf_matmul_args g)
{
    using element = gf_matmul_element<T>;
    GF_SHARED(typename element::wide, left, TILE * TILE);
    GF_SHARED(typename element::wide, right, TILE * TILE);
    const T *const a = static_cast<const T *>(g.a), *const b = static_cast<const T *>(g.b);
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const int64_t across = (g.n - 1) / TILE + 1;
    const int64_t i = blockIdx.x / across * TILE + y, j = blockIdx.x % across * TILE + x;
    typename element::sum sum = 0;
    for (int64_t from = 0; from < g.k; from += TILE) {
        const int64_t column = from + x, row = from + y;
        left[y * TILE + x] =
            i < g.m && column < g.k ? element::widen(a[i * g.a_row + column * g.a_column], g.signed_a) : 0;
        right[y * TILE + x] =
            row < g.k && j < g.n ? element::widen(b[row * g.b_row + j * g.b_column], g.signed_b) : 0;
        __syncthreads();
        /* Only what is there: even 0 x 0 would make a +0 of a sum of -0. */
        const int steps = static_cast<int>(g.k - from < TILE ? g.k - from : TILE);
        for (int l = 0; l < steps; l++) {
            sum = gf_matmul_add(left[y * TILE + l], right[l * TILE + x], sum);
        }
        __syncthreads();
    }
    if (i < g.m && j < g.n) {
        static_cast<typename element::sum *>(g.c)[i * g.ldc + j] = gf_matmul_finish(sum);
    }
}

gf_status gf_matmul_tiled_check(const struct gf_array_call *array, gf_error *error)
{
    const int32_t tile = array->options.tile;
    if (tile != 0 && tile != 16 && tile != 32) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul, variant tiled: tile is %d, must be 16 or 32", tile);
    }
    return gf_matmul_chain_check(array, error);
}

template <class T, int TILE>
static gf_status launch_tiled(const struct gf_array_call *array, const gf_matmul_args &g, gf_error *error)
{
    gf_launch c =
        gf_launch_on(array->queue.stream, gf_blocks(((g.m + TILE - 1) / TILE) * ((g.n + TILE - 1) / TILE), 1),
                     dim3(TILE, TILE));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_tiled<T, TILE>), c, g));
    return GF_OK;
}

gf_status gf_matmul_tiled_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_MATMUL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return array->options.tile == 32 ? launch_tiled<T, 32>(array, g, error)
                                         : launch_tiled<T, 16>(array, g, error);
    });
}
