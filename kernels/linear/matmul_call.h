/* A product to compute: what gf_matmul checked and hands to a variant. */
#ifndef GF_LINEAR_MATMUL_CALL_H
#define GF_LINEAR_MATMUL_CALL_H

#include "array/variant.h"
#include "gpufilter/matmul.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in memory: element (i, j) is data[i * row + j * column]. */
struct gf_matrix {
    const void *data;
    int64_t row, column;
};

/* array.n is m * n, the elements of C. */
struct gf_matmul_call {
    struct gf_array_call array;
    int64_t m, k, n;
    struct gf_matrix a, b;
    int64_t ldc;
    int32_t signed_a, signed_b; /* 0 or 1; 0 where they are no bytes */
};

static inline const struct gf_matmul_call *gf_matmul_call_of(const struct gf_array_call *call)
{
    return (const struct gf_matmul_call *)(const void *)call; /* its first member */
}

/* A byte with the sign that the call says. */
static inline int32_t gf_matmul_byte(uint8_t byte, int32_t is_signed)
{
    return is_signed ? (int8_t)byte : byte;
}

gf_status gf_matmul_sequential(const struct gf_array_call *call, gf_error *error);
size_t gf_matmul_cpu_scratch(const struct gf_array_call *call);
gf_status gf_matmul_cpu(const struct gf_array_call *call, gf_error *error);
gf_status gf_matmul_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_matmul_registers_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_matmul_tiled_check(const struct gf_array_call *call, gf_error *error);
gf_status gf_matmul_tiled_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_matmul_naive_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
