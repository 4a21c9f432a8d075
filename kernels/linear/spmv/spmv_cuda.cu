/* spmv on CUDA, as published: "scalar-row", where a thread walks along its row in memory; "vector-row", where
 * a warp walks along one (N. Bell, M. Garland, "Implementing Sparse Matrix-Vector Multiplication on
 * Throughput-Oriented Processors", 2009). And the check of a matrix. */
#include "linear/spmv/spmv_cuda.cuh"

/* ---- A row by one thread --------------------------------------------------------------------------------- */

/* As printed: one sum, f32, entries counted by ints. */
static __global__ void gf_spmv_scalar(const gf_spmv_args g)
{
    const float *const values = static_cast<const float *>(g.values), *const x =
                                                                          static_cast<const float *>(g.x);
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row < g.rows) {
        const int end = static_cast<int>(g.offsets[row + 1]);
        float sum = 0;
        for (int e = static_cast<int>(g.offsets[row]); e < end; e++) {
            sum = gf_fma(values[e], x[g.indices[e]], sum);
        }
        static_cast<float *>(g.y)[row] = gf_canonical(sum);
    }
}

/* ---- A row by a warp --------------------------------------------------------------------------------------- */

/* Adds in an order of its own: a lane has every 32nd entry. */
template <class T> static __global__ void gf_spmv_vector(const gf_spmv_args g)
{
    const T *const values = static_cast<const T *>(g.values), *const x = static_cast<const T *>(g.x);
    const int64_t row = gf_thread_index() / GF_WARP;
    if (row >= g.rows) {
        return;
    }
    const int64_t stop = g.offsets[row + 1];
    T sum = 0;
    for (int64_t e = g.offsets[row] + gf_lane(); e < stop; e += GF_WARP) {
        sum = gf_matmul_add(values[e], x[g.indices[e]], sum);
    }
    for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {
        sum += gf_shfl_down(sum, step);
    }
    if (gf_lane() == 0) {
        static_cast<T *>(g.y)[row] = gf_matmul_finish(sum);
    }
}

/* ---- Launches ----------------------------------------------------------------------------------------------- */

static gf_launch launch_of(const struct gf_array_call *array, unsigned block, int64_t rows_a_block)
{
    gf_launch c = gf_launch_on(array->queue.stream, gf_blocks(array->n, rows_a_block), block);
    return c;
}

static unsigned block_of(const struct gf_array_call *array)
{
    return array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
}

gf_status gf_spmv_scalar_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = gf_spmv_args_of(array);
    const gf_launch c = launch_of(array, block_of(array), block_of(array));
    GF_ON_DEVICE(array->queue.device, error)
    GF_CUDA_TRY(error, GF_LAUNCH(gf_spmv_scalar, c, g));
    return GF_OK;
}

gf_status gf_spmv_vector_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = gf_spmv_args_of(array);
    const gf_launch c = launch_of(array, block_of(array), block_of(array) / GF_WARP);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_SPMV_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_vector<T>), c, g));
        return GF_OK;
    });
}

/* ---- The check ------------------------------------------------------------------------------------------------ */

/* -1, until a row is found to be wrong: as an unsigned number the greatest. */
static __global__ void gf_csr_begin(const gf_spmv_args g)
{
    uint64_t *const bad = static_cast<uint64_t *>(g.y);
    *bad = g.rows == 0 && g.offsets[0] != 0 ? 0 : ~uint64_t(0);
}

/* A thread a row. */
static __global__ void gf_csr_rows(const gf_spmv_args g)
{
    const int64_t row = gf_thread_index();
    if (row >= g.rows) {
        return;
    }
    uint64_t *const bad = static_cast<uint64_t *>(g.y);
    const int64_t start = g.offsets[row], stop = g.offsets[row + 1];
    bool right = start >= 0 && stop >= start && stop <= g.entries && (row > 0 || start == 0);
    for (int64_t e = start; right && e < stop; e++) {
        right = static_cast<int64_t>(g.indices[e]) < g.columns;
    }
    if (!right) {
        gf_atomic_min(bad, static_cast<uint64_t>(row));
    } else if (row == g.rows - 1 && stop != g.entries) {
        gf_atomic_min(bad, static_cast<uint64_t>(g.rows));
    }
}

gf_status gf_csr_check_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = gf_spmv_args_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    gf_launch c = launch_of(array, 256, 256);
    gf_launch begin = c;
    begin.grid = begin.block = dim3(1);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_csr_begin, begin, g));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_csr_rows, c, g));
    return GF_OK;
}
