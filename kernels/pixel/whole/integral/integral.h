/* integral: sums of all samples above and to the left of each pixel, its own row and column among them, each
 * channel by itself. WHOLE:
 *   in[0] picture of u8, u16 or f32
 *   out[0] picture of as many channels: u64 of u8 and u16, f64 of f32
 *
 * Sums of f32 are added in a fixed order, over cells of GF_CELL_W x GF_CELL_H pixels (docs/exactness.md).
 * Within a cell: p of a row goes from left to right, in groups of GF_INTEGRAL_GROUP; c adds p from top to
 * bottom. In a row of cells: g of a cell is g + c of the last column of the one to the left, row by row. In a
 * column of cells: a is the sum in the last row of the cell above. The sum is a + (g + c). */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GF_INTEGRAL_GROUP = 4, /* samples that are added one after the other */
    GF_INTEGRAL_GROUPS =
        GF_CELL_W / GF_INTEGRAL_GROUP /* whose sums are scanned by distances of 1, 2, 4, ... */
};

size_t gf_integral_cuda_scratch(const struct gf_apply_run *run);

/* ---- inner loops of the CPU, once a SIMD level ---- */

struct gf_integral_rows {
    /* A row of n samples of u8 or u16. above[i]: the sum above pixel i, moved on to this row; left: the sum
     * of what is to the left in this row. `out` gets above[], past the caches; NULL: only the sum is wanted.
     * Returns the row's sum. */
    uint64_t (*whole)(const void *v, gf_depth depth, int64_t n, uint64_t *above, uint64_t left, void *out);

    /* A row of n samples of f32 that begins with a cell. c: of the cells, moved on, or begun in their first
     * row; a: of the cells above, moved on in their last one. `out` gets the sums, unless it is NULL. g: of
     * the first cell in this row; returns that of the next one. */
    double (*real)(const float *v, int64_t n, bool first, bool last, double *c, double *a, double g,
                   double *out);
};

extern const struct gf_integral_rows gf_integral_rows_baseline, gf_integral_rows_avx2,
    gf_integral_rows_avx512;

#ifdef __cplusplus
}
#endif
