/* gpufilter/stencil.h: each element of a matrix becomes a weighted sum of its neighbourhood, so many times
 * over.
 *
 *     const double weights[] = {0, .2, 0, .2, .2, .2, 0, .2, 0};
 *     const gf_stencil_window window = {sizeof window, 3, 3, weights};
 *     gf_stencil_options options = GF_STENCIL_OPTIONS_INIT;
 *     options.steps = 10;
 *     gf_stencil_scratch(queue.device, &options, &window, rows, columns, &bytes, &error);
 *     ...
 *     gf_stencil(queue, &options, &window, in, rows, columns, out, scratch, bytes, &error);
 *
 * gpufilter/array.h has what holds for all primitives, docs/primitives/stencil.md the variants. */
#ifndef GPUFILTER_STENCIL_H
#define GPUFILTER_STENCIL_H

#include "gpufilter/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The neighbourhood: host memory, needed during the call only. Weight [j][i] belongs to the element
 * j - floor((rows - 1) / 2) rows below and i - floor((columns - 1) / 2) columns to the right: where a side is
 * even, the element lies above and left of the middle. */
typedef struct gf_stencil_window {
    uint32_t struct_size;
    int32_t rows, columns; /* 1 to 32 each; at most 256 of the weights are not 0, and at least one */
    const double *weights; /* row by row, finite; each is rounded to the type once */
} gf_stencil_window;

typedef struct gf_stencil_options {
    uint32_t struct_size;
    gf_array_options array; /* type: of the elements: GF_F32 or GF_F64 */
    gf_border border;       /* what lies outside of the matrix, anew in each step */
    int64_t steps;          /* how often; 0: once */
    double value;           /* with GF_BORDER_CONSTANT; rounded to the type */
} gf_stencil_options;

#define GF_STENCIL_OPTIONS_INIT                                                                              \
    {                                                                                                        \
        sizeof(gf_stencil_options), {NULL, GF_F32, 0, 0, 0, 0}, GF_BORDER_REPLICATE, 1, 0                    \
    }

/* Bytes of scratch that gf_stencil needs: for one step in most variants 0, else about those of the matrix.
 * Queues no work. */
GF_API gf_status gf_stencil_scratch(gf_device device, const gf_stencil_options *options,
                                    const gf_stencil_window *window, int64_t rows, int64_t columns,
                                    size_t *bytes, gf_error *error);

/* out[y][x] = sum of weight [j][i] times in[y + j - floor((rows - 1) / 2)][x + i - floor((columns - 1) / 2)]
 * over the weights that are not 0 in the type; what they meet outside is what the border says. A sum is a
 * chain in raster order of the window: a product, then fused multiply-adds. A weight of 0 is no weight: what
 * lies there may be infinite or NaN. Each of several steps has the one before as its input, with the bits of
 * as many calls. Variants that are not loose give these bits on every device, and every NaN is the canonical
 * one. Both matrices are rows x columns elements, row by row without gaps; they do not overlap. */
GF_API gf_status gf_stencil(gf_queue queue, const gf_stencil_options *options,
                            const gf_stencil_window *window, const void *in, int64_t rows, int64_t columns,
                            void *out, void *scratch, size_t scratch_bytes, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
