/* Least and greatest samples of any set of places around each pixel, as runs of rows. Its one constant block,
 * of s16, has GF_RUN_NUMBERS a run. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/kernel_table.h"

/* A run: the row, and the first and the last column, all counted from the pixel. */
enum { GF_RUN_ROW, GF_RUN_FROM, GF_RUN_TO, GF_RUN_NUMBERS };

enum { GF_FOOTPRINT_FAR = 32767 }; /* how far a run may lie */

/* The window of gf_kernel_footprint: runs within columns x - left to x + right of rows y - up to y + down. */
struct gf_footprint_args {
    int32_t left, right, up, down; /* >= 0 */
    uint32_t invert;               /* 0: the least sample, ~0: the greatest */
    int32_t runs, longest;         /* how many there are; pixels of the longest */
};
GF_WINDOW_ARGS_OF(gf_footprint_args)

/* The greatest k with 2^k <= n, n >= 1. */
GF_HD int32_t gf_span_level(int32_t n)
{
    int32_t k = 0;
    while (n >> (k + 1)) {
        k++;
    }
    return k;
}
