/* gpufilter/csr.h: sparse matrices, and graphs, in compressed rows: for spmv.h and graph.h. */
#ifndef GPUFILTER_CSR_H
#define GPUFILTER_CSR_H

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
                              * on and before offsets[i + 1] */
    const uint32_t *indices; /* of each entry its column, less than `columns` */
    const void *values;      /* of each entry, of the options' type; NULL where nothing reads them */
} gf_csr;

/* Checks offsets and indices of a matrix that comes from elsewhere: calls on matrices and graphs do not look,
 * and with wrong ones read where they must not. *bad, in memory of the queue's device, becomes the first row
 * that is wrong, `rows` where the last offset is not `entries`, or -1. Reads nothing outside the arrays,
 * whatever they hold. */
GF_API gf_status gf_csr_check(gf_queue queue, const gf_csr *matrix, int64_t *bad, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
