/* A sparse matrix times a vector by cuSPARSE. Sums of floats follow its own order. */
#include "array/common/grid_cuda.cuh"
#include "linear/spmv/spmv_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cusparse.h>
#include <mutex>

/* A handle costs milliseconds and memory, so a device keeps its own; one call at a time uses it, to queue
 * work. */
static std::mutex handles_lock;
static cusparseHandle_t handles[64];

static gf_status check_cusparse(cusparseStatus_t status, gf_error *error)
{
    if (status == CUSPARSE_STATUS_SUCCESS) {
        return GF_OK;
    }
    return gf_fail(error,
                   status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
                       ? GF_ERROR_MEMORY
                       : GF_ERROR_DEVICE,
                   "cuSPARSE: %s", cusparseGetErrorString(status));
}

/* Its offsets have the width of its columns, 32 bits. */
static gf_status check(const struct gf_array_call *array, gf_error *error)
{
    const gf_csr &m = gf_spmv_call_of(array)->matrix;
    if (m.entries > INT32_MAX || m.columns > INT32_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "spmv, variant cusparse, takes at most 2^31 - 1 entries and columns");
    }
    return GF_OK;
}

static __global__ void narrow(const int64_t *offsets, int64_t n, int32_t *to)
{
    const int64_t i = gf_thread_index();
    if (i < n) {
        to[i] = static_cast<int32_t>(offsets[i]);
    }
}

/* The library's views of a call, destroyed at the end of the scope. */
struct views {
    cusparseConstSpMatDescr_t matrix = nullptr;
    cusparseConstDnVecDescr_t x = nullptr;
    cusparseDnVecDescr_t y = nullptr;
    views() = default;
    views(const views &) = delete;
    views &operator=(const views &) = delete;
    ~views()
    {
        (void)cusparseDestroySpMat(matrix);
        (void)cusparseDestroyDnVec(x);
        (void)cusparseDestroyDnVec(y);
    }
};

static gf_status view(const struct gf_array_call *array, const int32_t *offsets, cudaDataType type, views *v,
                      gf_error *error)
{
    const gf_csr &m = gf_spmv_call_of(array)->matrix;
    GF_TRY(check_cusparse(cusparseCreateConstCsr(&v->matrix, m.rows, m.columns, m.entries, offsets, m.indices,
                                                 m.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                                 CUSPARSE_INDEX_BASE_ZERO, type),
                          error));
    GF_TRY(check_cusparse(cusparseCreateConstDnVec(&v->x, m.columns, array->in, type), error));
    return check_cusparse(cusparseCreateDnVec(&v->y, m.rows, array->out, type), error);
}

static gf_status open_handle(gf_device device, gf_error *error)
{
    if (device >= static_cast<gf_device>(sizeof handles / sizeof handles[0])) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "spmv, variant cusparse, takes the first 64 devices, not %d", device);
    }
    return handles[device] ? GF_OK : check_cusparse(cusparseCreate(&handles[device]), error);
}

static size_t offsets_bytes(const struct gf_array_call *array)
{
    return (static_cast<size_t>(array->n + 1) * sizeof(int32_t) + 255) / 256 * 256;
}

/* What the library needs behind the offsets depends on sizes only, so views of nothing will do to ask. */
static gf_status work(const struct gf_array_call *array, void *storage, size_t *bytes, gf_error *error)
{
    const bool is_float = array->options.type == GF_F32;
    const float ones[] = {1, 0};
    const double doubles[] = {1, 0};
    const void *one = is_float ? static_cast<const void *>(ones) : doubles;
    const void *zero = is_float ? static_cast<const void *>(ones + 1) : doubles + 1;
    const cudaDataType type = is_float ? CUDA_R_32F : CUDA_R_64F;
    const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const std::lock_guard<std::mutex> lock(handles_lock);
    GF_TRY(open_handle(array->queue.device, error));
    const cusparseHandle_t handle = handles[array->queue.device];
    int32_t *const offsets = static_cast<int32_t *>(storage);
    views v;
    GF_TRY(view(array, offsets, type, &v, error));
    if (!storage) {
        GF_TRY(check_cusparse(cusparseSpMV_bufferSize(handle, plain, one, v.matrix, v.x, zero, v.y, type,
                                                      CUSPARSE_SPMV_ALG_DEFAULT, bytes),
                              error));
        *bytes += offsets_bytes(array);
        return GF_OK;
    }
    gf_launch c = gf_launch_on(gf_vendor_stream(array), gf_blocks(array->n + 1, 256), 256);
    GF_CUDA_TRY(error, GF_LAUNCH(narrow, c, gf_spmv_call_of(array)->matrix.offsets, array->n + 1, offsets));
    GF_TRY(check_cusparse(cusparseSetStream(handle, c.stream), error));
    return check_cusparse(cusparseSpMV(handle, plain, one, v.matrix, v.x, zero, v.y, type,
                                       CUSPARSE_SPMV_ALG_DEFAULT,
                                       static_cast<char *>(storage) + offsets_bytes(array)),
                          error);
}

static gf_status run(const struct gf_array_call *array, gf_error *error)
{
    const gf_csr &m = gf_spmv_call_of(array)->matrix;
    if (array->n == 0) {
        return GF_OK;
    }
    if (m.entries == 0) { /* which the library need not take */
        GF_ON_DEVICE(array->queue.device, error)
        GF_CUDA_TRY(error, cudaMemsetAsync(array->out, 0, array->n * gf_depth_size(array->options.type),
                                           gf_vendor_stream(array)));
        return GF_OK;
    }
    return gf_vendor_run<work>(array, error);
}

extern "C" const struct gf_array_variant gf_vendor_spmv[] = {
    {{"cusparse", "cusparseSpMV, its usual algorithm; sums in its own order", "", 0,
      GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64), 1, 0, 1, 1, 0},
     check,
     gf_vendor_scratch<work>,
     run},
    {},
};
