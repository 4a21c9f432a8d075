/* transform: a picture times a matrix from either side, each channel by itself. WHOLE:
 *   in[0] f32 picture v of width x height
 *   in[1], in[2] f32, the matrices that the arguments say there are, in this order: right, of `width` rows,
 * and
 *     left, of `height` columns; each a picture of one channel, or a block of a channel a row
 *   out[0] f32 picture, as wide as right has columns and as high as left has rows, else as v
 *
 * t(k, y) = sum over i of v(i, y) right(k, i), out(k, l) = sum over j of left(j, l) t(k, j), (column, row):
 * each a chain of fma from 0 in ascending order, as gf_matmul makes it, which computes them. */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_transform_args {
    int32_t right, left; /* 1: there is that matrix */
};

/* Rows of interleaved channels, and each channel as a picture of its own, one behind the other without gaps.
 */
struct gf_planar {
    float *rows;
    int64_t pitch; /* bytes */
    float *planes;
    int64_t width, height;
    int32_t channels;
};

/* Queues the copying of one to the other. */
gf_status gf_transform_planes_cuda(gf_queue queue, const struct gf_planar *p, bool split, gf_error *error);

#ifdef __cplusplus
}
#endif
