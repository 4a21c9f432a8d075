/* A product to compute: what gf_matmul checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/matmul.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in memory: element (i, j) is data[i * row + j * column]. */
struct gf_matrix {
    const void *data;
    int64_t row, column;
};

/* array.n is batch * m * n, the elements of C. */
struct gf_matmul_call {
    struct gf_array_call array;
    int64_t m, k, n;
    struct gf_matrix a, b;
    int64_t ldc;
    int32_t signed_a, signed_b;     /* 0 or 1; 0 where they are no bytes */
    int32_t slices;                 /* of GF_MATMUL_F32X, 3 or 4; 0: the chain */
    int64_t *plain;                 /* as in the options; NULL without slices */
    int64_t batch;                  /* products; 1 with slices */
    int64_t step_a, step_b, step_c; /* elements from a matrix to the next */
};

GF_ARRAY_CALL_OF(gf_matmul_call)

/* Product i of a batch. */
static inline struct gf_matmul_call gf_matmul_product(const struct gf_matmul_call *call, int64_t i)
{
    const gf_depth type = call->array.options.type;
    const int64_t of_c = (int64_t)gf_depth_size(gf_matmul_result(type)), size = (int64_t)gf_depth_size(type);
    struct gf_matmul_call one = *call;
    if (call->batch > 1) {
        one.array.n = call->m * call->n;
        one.array.out = (char *)call->array.out + i * call->step_c * of_c;
        one.a.data = (const char *)call->a.data + i * call->step_a * size;
        one.b.data = (const char *)call->b.data + i * call->step_b * size;
        one.batch = 1;
    }
    return one;
}

/* A byte with the sign that the call says. */
static inline int32_t gf_matmul_byte(uint8_t byte, int32_t is_signed)
{
    return is_signed ? (int8_t)byte : byte;
}

/* The variants that know slices; `_chain` is the part of them that does not. */
gf_array_run_fn gf_matmul_sequential, gf_matmul_cpu, gf_matmul_chain_cpu, gf_matmul_cuda_check,
    gf_matmul_cuda, gf_matmul_chain_cuda, gf_matmul_batch_cuda;
gf_array_scratch_fn gf_matmul_sequential_scratch, gf_matmul_cpu_scratch, gf_matmul_cuda_scratch;
gf_array_scratch_fn gf_matmul_chain_cpu_scratch; /* grows with m, k and n */

/* Those that do not, and take one product only. */
static inline gf_status gf_matmul_chain_check(const struct gf_array_call *array, gf_error *error)
{
    if (gf_matmul_call_of(array)->slices > 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "matmul, variant %s, has no accuracy f32x; sequential and auto have it",
                       array->options.algo);
    }
    if (gf_matmul_call_of(array)->batch != 1) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "matmul, variant %s, takes one product at a time; sequential, auto and cublas take "
                       "batches",
                       array->options.algo);
    }
    return GF_OK;
}

gf_array_run_fn gf_matmul_registers_cuda, gf_matmul_tiled_cuda, gf_matmul_naive_cuda;

/* Queues, with slices, the products of k in parts, and the chains of rows and columns that are marked. */
struct gf_slices_cuda;
gf_status gf_matmul_marked_cuda(const struct gf_array_call *call, const struct gf_slices_cuda *work,
                                gf_error *error);

#ifdef __cplusplus
}
#endif
