/* The product of matrices by cuBLAS. Sums of floats follow its own order. */
#include "base/device_scope_cuda.h"
#include "base/gf_cuda.h"
#include "linear/matmul/matmul_call.h"

#include <cublas_v2.h>
#include <mutex>

/* A handle costs milliseconds and memory, so a device keeps its own; one call at a time uses it, to queue
 * work. */
static std::mutex handles_lock;
static cublasHandle_t handles[64];

/* What the library wants where it may not allocate, on the largest devices. */
static const size_t WORKSPACE = size_t(32) << 20;

static gf_status check_cublas(cublasStatus_t status, gf_error *error)
{
    if (status == CUBLAS_STATUS_SUCCESS) {
        return GF_OK;
    }
    return gf_fail(error, status == CUBLAS_STATUS_ALLOC_FAILED ? GF_ERROR_MEMORY : GF_ERROR_DEVICE,
                   "cuBLAS: %s", cublasGetStatusString(status));
}

/* A matrix whose rows lie one after the other is a transposed one to cuBLAS, whose columns do. */
static cublasOperation_t operation_of(const struct gf_matrix &matrix)
{
    return matrix.column == 1 ? CUBLAS_OP_N : CUBLAS_OP_T;
}

static int64_t distance_of(const struct gf_matrix &matrix)
{
    const int64_t distance = matrix.column == 1 ? matrix.row : matrix.column;
    return distance > 1 ? distance : 1;
}

static gf_status check(const struct gf_array_call *array, gf_error *error)
{
    if (gf_matmul_call_of(array)->slices > 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "matmul, variant cublas, has no accuracy f32x; sequential and auto have it");
    }
    return GF_OK;
}

static size_t scratch(const struct gf_array_call *)
{
    return WORKSPACE;
}

/* The product of the transposes, B's times A's, is that of C. One product is the call for one: the library
 * chooses otherwise for batches. */
#define GEMM(T, single, batched)                                                                             \
    static cublasStatus_t gemm(cublasHandle_t handle, const struct gf_matmul_call *c, T one)                 \
    {                                                                                                        \
        const cublasOperation_t a = operation_of(c->a), b = operation_of(c->b);                              \
        const int64_t lda = distance_of(c->a), ldb = distance_of(c->b);                                      \
        const T *const left = static_cast<const T *>(c->a.data), *right = static_cast<const T *>(c->b.data); \
        T *const to = static_cast<T *>(c->array.out);                                                        \
        const T zero = 0;                                                                                    \
        return c->batch == 1                                                                                 \
                   ? single(handle, b, a, c->n, c->m, c->k, &one, right, ldb, left, lda, &zero, to, c->ldc)  \
                   : batched(handle, b, a, c->n, c->m, c->k, &one, right, ldb, c->step_b, left, lda,         \
                             c->step_a, &zero, to, c->ldc, c->step_c, c->batch);                             \
    }
GEMM(float, cublasSgemm_64, cublasSgemmStridedBatched_64)
GEMM(double, cublasDgemm_64, cublasDgemmStridedBatched_64)

static gf_status multiply(cublasHandle_t handle, const struct gf_matmul_call *c, gf_error *error)
{
    const struct gf_array_call *array = &c->array;
    GF_TRY(check_cublas(cublasSetStream(handle, static_cast<cudaStream_t>(array->queue.stream)), error));
    GF_TRY(check_cublas(cublasSetWorkspace(handle, array->scratch, WORKSPACE), error));
    return check_cublas(array->options.type == GF_F64 ? gemm(handle, c, 1.0) : gemm(handle, c, 1.0F), error);
}

static gf_status run(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_matmul_call *c = gf_matmul_call_of(array);
    const gf_device device = array->queue.device;
    if (array->n == 0) {
        return GF_OK;
    }
    if (device >= static_cast<gf_device>(sizeof handles / sizeof handles[0])) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "matmul, variant cublas, takes the first 64 devices, not %d", device);
    }
    GF_ON_DEVICE(device, error)
    const std::lock_guard<std::mutex> lock(handles_lock);
    if (!handles[device]) {
        GF_TRY(check_cublas(cublasCreate(&handles[device]), error));
    }
    return multiply(handles[device], c, error);
}

extern "C" const struct gf_array_variant gf_vendor_matmul[] = {
    {{"cublas", "cublasSgemm and cublasDgemm, of batches too; sums in its own order", "", 0,
      GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64), 1, 0, 1, 1, 0},
     check,
     scratch,
     run},
    {},
};
