/* Correlation with weights that have no factors: each sample a sum over a rectangle. */
#pragma once

#include "pixel/ir/kernel_table.h"

/* The window of gf_kernel_conv: columns x - left to x + right of rows y - up to y + down, in raster order.
 * Blocks: the weights, f32, row by row. One chain: w[0] v[0], then fma(w[k], v[k], ...), on f32 copies of any
 * depth; out as it is in f32, or rounded half to even to the depth that was read. */
struct gf_conv_args {
    int32_t left, right, up, down; /* >= 0 */
};

/* If a side is even, the pixel lies left of and above the middle. */
static inline struct gf_conv_args gf_conv_make(int32_t rows, int32_t columns)
{
    const struct gf_conv_args args = {(columns - 1) / 2, columns / 2, (rows - 1) / 2, rows / 2};
    return args;
}

GF_WINDOW_ARGS_OF(gf_conv_args)

static inline int32_t gf_conv_columns(const struct gf_conv_args *args)
{
    return args->left + args->right + 1;
}

static inline int32_t gf_conv_rows(const struct gf_conv_args *args)
{
    return args->up + args->down + 1;
}
