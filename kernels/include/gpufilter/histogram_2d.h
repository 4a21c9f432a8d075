/* gpufilter/histogram_2d.h: how many pairs fall into each cell of a table, or what their weights add up to;
 * and weighted histograms of one array.
 *
 * Weights are integers and their sums exact, modulo 2^64, so that the order in which they are added is
 * nobody's business. docs/primitives/histogram_2d.md. */
#ifndef GPUFILTER_HISTOGRAM_2D_H
#define GPUFILTER_HISTOGRAM_2D_H

#include "gpufilter/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Even bins over [lo, hi), as those of histogram.h; lo = hi = 0: the type's whole range, [0, 1) for floats.
 */
typedef struct gf_histogram_axis {
    uint32_t struct_size;
    gf_depth type; /* of the elements */
    int64_t bins;  /* 1 to 2^20 */
    double lo, hi;
} gf_histogram_axis;

#define GF_HISTOGRAM_AXIS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_histogram_axis), GF_U8, 256, 0, 0                                                          \
    }

typedef struct gf_histogram_2d_options {
    uint32_t struct_size;
    int32_t weighted;           /* each pair has a weight */
    gf_depth weights;           /* their type: an integer of 8 to 64 bits */
    gf_array_options array;     /* type: not looked at; x has that of its axis */
    const gf_histogram_axis *x; /* of the columns */
    const gf_histogram_axis *y; /* of the rows; NULL: one row, and a histogram of x alone */
} gf_histogram_2d_options;

#define GF_HISTOGRAM_2D_OPTIONS_INIT                                                                         \
    {                                                                                                        \
        sizeof(gf_histogram_2d_options), 0, GF_U32, {NULL, GF_U8, 0, 0, 0, 0}, NULL, NULL                    \
    }

/* Bytes of scratch that gf_histogram_2d needs for n pairs: on the CPU tables of its threads. Queues no work.
 */
GF_API gf_status gf_histogram_2d_scratch(gf_device device, const gf_histogram_2d_options *options, int64_t n,
                                         size_t *bytes, gf_error *error);

/* Adds up the pairs (x[i], y[i]), i from 0 to n - 1, each 1 or weights[i], in a table of (bins of y + 3) rows
 * of (bins of x + 3) numbers; behind the bins of an axis are below, above and NaN (GF_HISTOGRAM_BELOW and so
 * on), so every pair is in one cell. Without y the table is one row. u64; where weights are signed, i64 in
 * the same bits. Nothing needs to be cleared before. The table has at most 2^24 cells: more are
 * GF_ERROR_ARGUMENT. y is NULL where there is no axis of it, weights where nothing is weighted. */
GF_API gf_status gf_histogram_2d(gf_queue queue, const gf_histogram_2d_options *options, const void *x,
                                 const void *y, const void *weights, int64_t n, uint64_t *table,
                                 void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
