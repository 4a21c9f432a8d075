/* The kernel "move": each pixel of the output is one of the input, unchanged in every bit. Crop, pad, flip,
 * rotation by quarter turns and transposition are moves. */
#ifndef GF_PIXEL_MOVE_H
#define GF_PIXEL_MOVE_H

#include "pixel/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_MOVE_PIXEL = 4 * sizeof(double) }; /* bytes of the largest pixel: 4 channels of 64 bits */

/* Pixel (x, y) of the output is (x0 + step_x * a, y0 + step_y * b) of the input, where (a, b) is (x, y), or
 * (y, x) where axes are swapped. What lies outside the input stands for the pixel that gf_border_index names,
 * with a constant border for `fill`. in[0] and out[0]: pictures of one depth and 1 to 4 channels. */
struct gf_move_args {
    int64_t x0, y0;
    int32_t swapped;                   /* 0 or 1 */
    int32_t step_x, step_y;            /* 1 or -1 */
    int32_t border;                    /* gf_border */
    unsigned char fill[GF_MOVE_PIXEL]; /* a pixel of the picture's depth and channels */
};

extern const struct gf_kernel gf_kernel_move;

gf_status gf_move_cuda(const struct gf_apply_run *run, gf_error *error);
gf_status gf_judge_move(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
