/* dct: each block of a picture, of each channel by itself, by a matrix from both sides. MAP:
 *   in[0] f32 picture
 *   in[1] f32 block of GF_DCT_MATRICES matrices, each gf_dct_stride(block) squared
 *   out[0] f32 picture of the same size
 *
 * t(k, y) = sum over i of m[k][i] v(i, y), out(k, l) = sum over j of m[l][j] t(k, j): chains of fma from 0 in
 * ascending order. Blocks begin at pixel (0, 0); the last ones are as large as what is left, with matrices of
 * their own. */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which matrix; the first three m[k][i], the same three behind them transposed. */
enum { GF_DCT_FULL, GF_DCT_RIGHT, GF_DCT_LOWER, GF_DCT_TURNED, GF_DCT_MATRICES = 6 };

struct gf_dct_args {
    int32_t block; /* 2 to 64 */
};

/* Elements of a matrix's row, zeros behind the block. */
static inline int64_t gf_dct_stride(int64_t block)
{
    return (block + 7) / 8 * 8;
}

/* The CPU's inner loop, once a SIMD level. out[r][c] = sum over i of a[r][i] b[i][c], all with rows of
 * `stride` elements, a multiple of 8; rows and columns are made up to the next multiple of 8. */
struct gf_dct_rows {
    void (*product)(const float *a, const float *b, float *out, int64_t stride, int rows, int inner,
                    int columns);
};

extern const struct gf_dct_rows gf_dct_rows_baseline, gf_dct_rows_avx2, gf_dct_rows_avx512;

#ifdef __cplusplus
}
#endif
