/* gpufilter/matmul.h: the product of two dense matrices.
 *
 *     gf_matmul_options options = GF_MATMUL_OPTIONS_INIT;
 *     gf_matmul_scratch(queue.device, &options, m, k, n, &bytes, &error);
 *     ...
 *     gf_matmul(queue, &options, a, b, m, k, n, c, scratch, bytes, &error);
 *
 * Matrices are row after row; gpufilter/array.h has what holds for all primitives, docs/primitives/matmul.md
 * the variants. */
#ifndef GPUFILTER_MATMUL_H
#define GPUFILTER_MATMUL_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a product of f32 is computed: as the chain, or by GF_MATMUL_F32X from exact products of integers, which
 * tensor cores have an instruction for. Each row of A and each column of B is rounded to integers of 8 *
 * slices bits, in units of a power of two that its largest element fixes; these are cut into `slices` bytes,
 * and products of bytes are added exactly but for those that count less than the rounding. The sum is rounded
 * once. docs/exactness.md has the definition to the last bit, and the bound of the error. */
typedef enum gf_matmul_accuracy { GF_MATMUL_F32 = 0, GF_MATMUL_F32X = 1 } gf_matmul_accuracy;

/* Zero means the default in every field but array.type: matrices as they are, without gaps, bytes without
 * sign. */
typedef struct gf_matmul_options {
    uint32_t struct_size;
    int32_t transpose_a; /* 1: `a` holds the transpose of A, k rows of m */
    int32_t transpose_b; /* 1: `b` holds the transpose of B, n rows of k */
    int32_t signed_a;    /* for GF_U8: 1: bytes of `a` are -128 to 127, in two's complement */
    int32_t signed_b;    /* likewise of `b` */
    /* Elements from a row in memory to the next, at least those of a row; 0: no gaps. */
    int64_t lda, ldb, ldc;
    gf_array_options array; /* type: of A and B: GF_F32, GF_F64 or GF_U8 */
    int64_t *plain;   /* of GF_MATMUL_F32X: two numbers in the memory of the queue's device, of the rows of A
                       * and of the columns of B that integers cannot hold well: with an infinity or a NaN, or
                       * whose elements lie too far below the largest. Their elements of C are chains as of
                       * GF_MATMUL_F32. NULL: nobody asks */
    int32_t accuracy; /* a gf_matmul_accuracy; GF_MATMUL_F32X is of GF_F32, with k at most 2^24 */
    int32_t slices;   /* of GF_MATMUL_F32X: 3, or 4 for rows and columns of a wider range; 0: 3 */
    int64_t batch;    /* products of matrices of one shape, of GF_MATMUL_F32; 0: 1 */
    int64_t stride_a, stride_b, stride_c; /* of batches: elements from a matrix in memory to the next, at
                                           * least those of one with its gaps; 0: no gaps. -1, of a and b:
                                           * there is one matrix, for all products */
} gf_matmul_options;

#define GF_MATMUL_OPTIONS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_matmul_options), 0, 0, 0, 0, 0, 0, 0, {NULL, GF_F32, 0, 0, 0, 0}, NULL, 0, 0, 0, 0, 0, 0   \
    }

/* The type of C's elements: GF_S32 for bytes, else A's and B's. */
GF_API gf_depth gf_matmul_result(gf_depth type);

/* Bytes of scratch that gf_matmul needs for A of m rows and k columns and B of k rows and n columns: with
 * "auto" on the CPU about those of B. Queues no work. */
GF_API gf_status gf_matmul_scratch(gf_device device, const gf_matmul_options *options, int64_t m, int64_t k,
                                   int64_t n, size_t *bytes, gf_error *error);

/* c[i][j] = sum of A[i][l] * B[l][j] over l. For floats it is one chain of fused multiply-adds from l = 0 on,
 * that starts with +0: the same bits from every variant that is not loose, on every device; every NaN is the
 * canonical one. With GF_MATMUL_F32X it is as said there, with the same bits on every device too. For bytes
 * it is exact modulo 2^32. With k = 0 it is 0. c overlaps neither a nor b; what lies
 * between its rows (ldc) and matrices (stride_c) is not written. In a batch, product i is of matrices i. All
 * matrices of a batch together span at most 2^48 elements, gaps included. */
GF_API gf_status gf_matmul(gf_queue queue, const gf_matmul_options *options, const void *a, const void *b,
                           int64_t m, int64_t k, int64_t n, void *c, void *scratch, size_t scratch_bytes,
                           gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
