/* denoise: each block's small frequencies left out, and the mean of all blocks that cover a pixel. MAP:
 *   in[0] f32 picture, `block` - 1 pixels larger on each side (a signal: to the left and right)
 *   in[1] f32 block, the matrix of dct of `block` rows: c[k][i] at k * block + i
 *   out[0] f32 picture of the size without those
 *
 * For a block with samples v(i, j), column i and row j, i < n, j < m, m = n or, for a signal, 1 with a matrix
 * of 1:
 *   t(k, j) = sum over i of c[k][i] v(i, j), d(k, l) = sum over j of c[l][j] t(k, j)
 *   d(k, l) = 0 where |d(k, l)| < threshold, but for d(0, 0)
 *   s(k, j) = sum over l of c[l][j] d(k, l), r(i, j) = sum over k of c[k][i] s(k, j)
 * all of them chains of fma from 0 in ascending order. There is a block at every place; out is the sum, from
 * 0, of what those that cover the pixel have there, from the upper left one row by row, times 1 / (n m),
 * rounded to f32. */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_DENOISE_MOST = 8 }; /* pixels a side of a block */

struct gf_denoise_args {
    int32_t block;                    /* 4 or 8 */
    int32_t upright;                  /* rows of a block: `block`, for a signal 1 */
    float threshold[GF_MAX_CHANNELS]; /* of each channel; below 0: it is left as it is */
};

enum { GF_DENOISE_BLOCKS = 128 }; /* columns of blocks that the CPU takes together */

/* The CPU's inner loop, once a SIMD level: a strip of block columns of one channel. */
struct gf_denoise_strip {
    const float *matrix;
    int32_t block, upright;
    float threshold;
    float *line;  /* GF_DENOISE_BLOCKS + GF_DENOISE_MOST samples of a row */
    float *waves; /* rows that were transformed across: [upright][block][GF_DENOISE_BLOCKS] */
    float *sums;  /* [upright][GF_DENOISE_BLOCKS + GF_DENOISE_MOST] */
};
struct gf_denoise_rows {
    /* The waves of row `slot` of the ring from `line`. */
    void (*across)(const struct gf_denoise_strip *strip, int32_t slot);
    /* Adds what the blocks have whose first row is in slot `first`. */
    void (*blocks)(const struct gf_denoise_strip *strip, int32_t first);
};

extern const struct gf_denoise_rows gf_denoise_rows_baseline, gf_denoise_rows_avx2, gf_denoise_rows_avx512;

#ifdef __cplusplus
}
#endif
