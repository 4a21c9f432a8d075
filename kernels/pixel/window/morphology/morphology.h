/* Least and greatest samples of a rectangle around each pixel: erosion and dilation. */
#pragma once

#include "pixel/ir/kernel_table.h"

/* The window of gf_kernel_morphology: columns x - left to x + right of rows y - up to y + down. */
struct gf_morphology_args {
    int32_t left, right, up, down; /* >= 0 */
    uint32_t invert;               /* 0: the least sample, ~0: the greatest */
};
GF_WINDOW_ARGS_OF(gf_morphology_args)

/* A rectangle of width x height in pictures of that size. Where a side is even the pixel lies left of and
 * above the middle of an erosion, and right of and below it in a dilation, which is what undoes the erosion.
 * Beyond the picture's own size a side changes nothing more. */
static inline struct gf_morphology_args gf_morphology_make(int64_t width, int64_t height,
                                                           int64_t picture_width, int64_t picture_height,
                                                           bool greatest)
{
    const int64_t sides[4] = {(width - 1) / 2, width / 2, (height - 1) / 2, height / 2};
    int32_t kept[4];
    for (int i = 0; i < 4; i++) {
        int64_t most = i < 2 ? picture_width : picture_height > 1 ? picture_height : 0;
        kept[i] = (int32_t)(sides[i] < most ? sides[i] : most);
    }
    struct gf_morphology_args args = {kept[0], kept[1], kept[2], kept[3], 0U};
    if (greatest) {
        args.left = kept[1];
        args.right = kept[0];
        args.up = kept[3];
        args.down = kept[2];
        args.invert = ~0U;
    }
    return args;
}
