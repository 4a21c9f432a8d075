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

/* Zero means the default in every field but array.type: matrices as they are, without gaps, bytes without
 * sign. */
typedef struct gf_matmul_options {
    uint32_t struct_size;
    int32_t transpose_a; /* 1: `a` holds the transpose of A, k rows of m */
    int32_t transpose_b; /* 1: `b` holds the transpose of B, n rows of k */
    int32_t signed_a;    /* of GF_U8: 1: bytes of `a` are -128 to 127, in two's complement */
    int32_t signed_b;    /* likewise of `b` */
    int64_t lda, ldb,
        ldc; /* elements from a row in memory to the next, at least those of a row; 0: no gaps */
    gf_array_options array; /* type: of A and B: GF_F32, GF_F64 or GF_U8 */
} gf_matmul_options;

#define GF_MATMUL_OPTIONS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_matmul_options), 0, 0, 0, 0, 0, 0, 0,                                                      \
        {                                                                                                    \
            NULL, GF_F32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* The type of C's elements: of bytes GF_S32, else A's and B's. */
GF_API gf_depth gf_matmul_result(gf_depth type);

/* Bytes of scratch that gf_matmul needs for A of m rows and k columns and B of k rows and n columns: with
 * "auto" on the CPU about those of B. Queues no work. */
GF_API gf_status gf_matmul_scratch(gf_device device, const gf_matmul_options *options, int64_t m, int64_t k,
                                   int64_t n, size_t *bytes, gf_error *error);

/* c[i][j] = sum of A[i][l] * B[l][j] over l. Of floats it is one chain of fused multiply-adds from l = 0 on,
 * that starts with +0: the same bits from every variant that is not loose, on every device; every NaN is the
 * canonical one. Of bytes it is exact modulo 2^32. With k = 0 it is 0. c overlaps neither a nor b; what lies
 * between its rows (ldc) is not written. Each matrix spans at most 2^48 elements, gaps included. */
GF_API gf_status gf_matmul(gf_queue queue, const gf_matmul_options *options, const void *a, const void *b,
                           int64_t m, int64_t k, int64_t n, void *c, void *scratch, size_t scratch_bytes,
                           gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
