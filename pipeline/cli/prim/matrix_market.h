/* Sparse matrices from text in the Matrix Market exchange format (R. Boisvert, R. Pozo, K. Remington, 1996).
 */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>
#include <stddef.h>

/* A matrix in compressed rows, as gf_csr has them; values of a pattern are 1. */
struct matrix_market {
    int64_t rows, columns, entries;
    int64_t *offsets;    /* rows + 1 */
    uint32_t *indices;   /* of columns, from 0 */
    long double *values; /* which holds every whole number of 64 bits */
    bool symmetric;      /* or skew-symmetric: every entry has one on the other side of the diagonal */
};

/* Reads "coordinate" matrices of real, integer or pattern entries; symmetric and skew-symmetric ones get
 * their other half. Entries of a row are in the order of the text. Everything is checked: GF_ERROR_INPUT
 * names the line. `text` is ended by a 0, which `length` does not count. Free the matrix in any case.
 * Thread-safe. */
gf_status matrix_market_parse(const char *name, char *text, size_t length, struct matrix_market *matrix,
                              gf_error *error);

/* The same of a file, or with "-" of standard input. */
gf_status matrix_market_read(const char *path, struct matrix_market *matrix, gf_error *error);

void matrix_market_free(struct matrix_market *matrix);
