/* Sparse matrices from files in the Matrix Market exchange format (R. Boisvert, R. Pozo, K. Remington, 1996).
 */
#ifndef GF_CLI_PRIM_MTX_H
#define GF_CLI_PRIM_MTX_H

#include "prim_array.h"

/* A matrix in compressed rows: offsets of i64, indices of u32, values of the type asked for. */
struct prim_sparse {
    int64_t rows, columns;
    struct prim_array offsets, indices, values;
};

/* Reads "coordinate" matrices of real, integer or pattern (1) entries; of symmetric and skew-symmetric ones
 * the other half is added. Entries of a row are in the order of the file. Everything is checked; says its own
 * errors. The arrays are the caller's to free, in any case. */
gf_status prim_mtx_read(const char *path, gf_depth type, struct prim_sparse *matrix);

#endif
