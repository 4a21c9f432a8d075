/* gpufilter/spmv.h: a sparse matrix times a vector.
 *
 *     const gf_csr matrix = {sizeof matrix, rows, columns, entries, offsets, indices, values};
 *     gf_spmv_options options = GF_SPMV_OPTIONS_INIT;
 *     gf_spmv_scratch(queue.device, &options, &matrix, &bytes, &error);
 *     ...
 *     gf_spmv(queue, &options, &matrix, x, y, scratch, bytes, &error);
 *
 * gpufilter/array.h has what holds for all primitives, docs/primitives/spmv.md the variants. */
#ifndef GPUFILTER_SPMV_H
#define GPUFILTER_SPMV_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in compressed sparse rows. The struct is host memory, what it points to is the queue's: borrowed,
 * as inputs are. Entries of a row may come in any order, and a column more than once. */
typedef struct gf_csr {
    uint32_t struct_size;
    int64_t rows, columns, entries; /* each at least 0; columns at most 2^32 */
    const int64_t *offsets;  /* rows + 1, ascending from 0 to `entries`: row i has the entries from offsets[i]
                              * on  and before offsets[i + 1] */
    const uint32_t *indices; /* of each entry its column, less than `columns` */
    const void *values;      /* of each entry, of the options' type; gf_csr_check does not read them */
} gf_csr;

typedef struct gf_spmv_options {
    uint32_t struct_size;
    gf_array_options array; /* type: of the values, of x and of y: GF_F32 or GF_F64 */
} gf_spmv_options;

#define GF_SPMV_OPTIONS_INIT                                                                                 \
    {                                                                                                        \
        sizeof(gf_spmv_options),                                                                             \
        {                                                                                                    \
            NULL, GF_F32, 0, 0, 0, 0                                                                         \
        }                                                                                                    \
    }

/* Checks offsets and indices of a matrix that comes from elsewhere: gf_spmv itself does not look, and with
 * wrong ones reads where it must not. *bad, in memory of the queue's device, becomes the first row that is
 * wrong, `rows` where the last offset is not `entries`, or -1. Reads nothing outside the arrays, whatever
 * they hold. */
GF_API gf_status gf_csr_check(gf_queue queue, const gf_csr *matrix, int64_t *bad, gf_error *error);

/* Bytes of scratch that gf_spmv needs: on CUDA with "auto" about a byte for 10 entries, on the CPU nearly
 * none. Queues no work, reads no array. */
GF_API gf_status gf_spmv_scratch(gf_device device, const gf_spmv_options *options, const gf_csr *matrix,
                                 size_t *bytes, gf_error *error);

/* y[i] = sum of values[e] * x[indices[e]] over the entries e of row i; 0 where there are none. A sum is a
 * chain of fused multiply-adds in the order of the entries, that starts with +0; every 256 entries of a row
 * are a chain of their own, and these sums are added in their order. Variants that are not loose give these
 * bits on every device, and every NaN is the canonical one. x has `columns` elements, y `rows`; y overlaps no
 * input. */
GF_API gf_status gf_spmv(gf_queue queue, const gf_spmv_options *options, const gf_csr *matrix, const void *x,
                         void *y, void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
