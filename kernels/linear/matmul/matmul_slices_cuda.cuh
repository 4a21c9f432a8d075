/* Products with slices on CUDA: the digits in memory, and what the steps hand to each other.
 *
 * Digits lie as the multiplying blocks copy them into shared memory, in one piece a step: tile of sides after
 * tile, in it 64 steps of the sum after 64 steps, in these slice after slice, in a slice the 64 bytes of each
 * side. Their four groups of 16 bytes change places from side to side, so that eight sides' groups lie in
 * different banks: group g of side s is at g ^ (s / 2 % 4). What is not there is 0. */
#ifndef GF_LINEAR_MATMUL_SLICES_CUDA_CUH
#define GF_LINEAR_MATMUL_SLICES_CUDA_CUH

#include "base/gf_cuda.h"
#include "linear/matmul/matmul_call.h"
#include "linear/matmul/matmul_slices.h"

constexpr int GF_SLICES_STEPS = 64; /* of the sum, that come into shared memory together */

/* The rows of A, or the columns of B. */
struct gf_slices_sides {
    const float *data;
    int64_t count, k;
    int64_t side_stride, step_stride; /* elements of memory */
    gf_slices_side *seen;
    int32_t *scales;
    uint8_t *digits;
    unsigned long long *plain; /* how many of them are */
    int32_t slices;
    int32_t tile; /* sides of a tile */
};

struct gf_slices_cuda {
    gf_slices_sides a, b;
    int64_t *sums; /* m x n, where the sum is taken in parts; or NULL */
    void *cleared; /* what is to be 0 before the first step */
    size_t cleared_bytes;
};

/* Sides of a tile, and how many with those that fill up the last one; blocks of GF_SLICES_STEPS. */
static inline int64_t gf_slices_padded(const gf_slices_sides &s)
{
    return (s.count + s.tile - 1) / s.tile * s.tile;
}
static inline int64_t gf_slices_depth(int64_t k)
{
    return (k + GF_SLICES_STEPS - 1) / GF_SLICES_STEPS;
}

/* Tiles of C that a block makes: 128 rows, and 32 columns for every 4 warps. Three sums for an element leave
 * room for twelve warps, four for eight. */
template <int SLICES> struct gf_slices_shape {
    static const int WARPS_M = 4, WARPS_N = SLICES == 3 ? 3 : 2;
    static const int BM = 32 * WARPS_M, BN = 32 * WARPS_N, THREADS = GF_WARP * WARPS_M * WARPS_N;
    static const int STAGE_A = SLICES * BM * GF_SLICES_STEPS, STAGE_B = SLICES * BN * GF_SLICES_STEPS;
    static const int STAGES = 3; /* with which the block fits a processor of sm_80 */
    static const int SHARED = STAGES * (STAGE_A + STAGE_B);
};

struct gf_slices_args {
    const uint8_t *a, *b;
    const int32_t *rows, *columns; /* scales */
    float *c;
    int64_t *sums;
    int64_t m, n, ldc;
    int64_t depth;        /* pieces of GF_SLICES_STEPS in a tile's digits */
    int64_t from, pieces; /* those of this part */
    int32_t first, last;  /* whether the part is */
};

/* The block's tile of BM x BN, 16 rows of tiles at a time: those that run together share what they read. */
template <int BM, int BN>
GF_DEVICE_FN void gf_slices_place(const gf_slices_args &g, int64_t *row, int64_t *column)
{
    const int64_t ROWS = 16;
    const int64_t down = (g.m - 1) / BM + 1, across = (g.n - 1) / BN + 1;
    const int64_t band = blockIdx.x / (ROWS * across), in_band = blockIdx.x % (ROWS * across);
    const int64_t rows = down - band * ROWS < ROWS ? down - band * ROWS : ROWS;
    *row = band * ROWS + in_band % rows;
    *column = in_band / rows;
}

/* One element: adds it up with other parts, or writes it. */
template <int SLICES>
GF_DEVICE_FN void gf_slices_give(const gf_slices_args &g, int64_t row, int64_t column, int64_t sum)
{
    if (row >= g.m || column >= g.n) {
        return;
    }
    if (g.sums) {
        int64_t *const all = g.sums + row * g.n + column;
        sum += g.first ? 0 : *all;
        *all = sum;
    }
    const int32_t p = g.rows[row], q = g.columns[column];
    if (g.last && p != GF_SLICES_PLAIN && q != GF_SLICES_PLAIN) {
        g.c[row * g.ldc + column] = gf_slices_finish(sum, p, q, SLICES);
    }
}

/* Multiplies three slices in tiles of GF_SLICES_GROUP_SIDE rows and columns, by the instructions of sm_90a
 * for groups of four warps (gf_warpgroup.h). */
constexpr int GF_SLICES_GROUP_SIDE = 128;
gf_status gf_slices_group_cuda(gf_launch c, const gf_slices_args &g, gf_error *error);

#ifdef __cplusplus
extern "C" {
#endif

/* Queue the two steps in front of gf_matmul_marked_cuda, and that between them: scales and digits; C. */
gf_status gf_slices_cut_cuda(const struct gf_matmul_call *call, const struct gf_slices_cuda *work,
                             gf_error *error);
gf_status gf_slices_multiply_cuda(const struct gf_matmul_call *call, const struct gf_slices_cuda *work,
                                  gf_error *error);

size_t gf_matmul_slices_cuda_scratch(const struct gf_matmul_call *call);
gf_status gf_matmul_slices_cuda(const struct gf_matmul_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
