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

#include "gpufilter/csr.h"

#ifdef __cplusplus
extern "C" {
#endif

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
