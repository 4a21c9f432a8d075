/* What the kernels of taps that sum f32 share. */
#ifndef GF_PIXEL_TAP_STATS_CUDA_CUH
#define GF_PIXEL_TAP_STATS_CUDA_CUH

#include "pixel/tap/tap_cuda.cuh"

enum {
    GF_CELLS_AT_ONCE = 32, /* neighbouring cells that one block of gf_stats_f32 measures */
    GF_STATS_BINS = 2048,  /* that it counts in shared memory, at most */
    GF_FOLD_THREADS = 256,
    GF_FOLD_SHARED = 1024
};

/* The 128 columns j, j + 64; j, j + 32; ... of four a lane. All lanes have the sum. */
GF_DEVICE_FN double gf_quads_fold(double (&columns)[4])
{
#pragma unroll
    for (unsigned lanes = GF_WARP / 2; lanes > 0; lanes /= 2) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            columns[i] = columns[i] + gf_shfl_down(columns[i], lanes);
        }
    }
    return (columns[0] + columns[2]) + (columns[1] + columns[3]);
}

/* Neighbours 2i and 2i + 1 of a level make element i of the next; the last of an odd number is carried.
 * Levels that are small enough lie in shared memory, in turns in two places of GF_FOLD_SHARED elements. */
GF_DEVICE_FN double gf_cells_fold(double *cells, double *other, int64_t n, double *shared)
{
    const double *from = cells;
    for (int turn = 0; n > 1; n = (n + 1) / 2, turn = 1 - turn) {
        double *const to = (n + 1) / 2 <= GF_FOLD_SHARED ? shared + turn * GF_FOLD_SHARED
                           : turn != 0                   ? cells
                                                         : other;
        for (int64_t i = threadIdx.x; i < (n + 1) / 2; i += blockDim.x) {
            to[i] = 2 * i + 1 < n ? from[2 * i] + from[2 * i + 1] : from[2 * i];
        }
        from = to;
        __syncthreads();
    }
    return gf_canonical_double(from[0]);
}

/* Adds cells to the tree over the `before` cells of the bands above (gf_stats_block), and returns the sum of
 * all, to thread 0. All threads call it. */
GF_DEVICE_FN double gf_cells_grow(double *cells, double *other, int64_t n, uint64_t before, double *trees)
{
    const uint64_t all_cells = before + static_cast<uint64_t>(n);
    double *from = cells;
    for (int level = 0; n > 0; level++, before = GF_FAULT(cuda_stats_band) ? 0 : before / 2) {
        double *const to = from == cells ? other : cells;
        const int64_t odd = static_cast<int64_t>(before % 2), made = odd + (n - odd) / 2;
        for (int64_t i = threadIdx.x; i < made; i += blockDim.x) {
            const int64_t j = odd + 2 * (i - odd);
            to[i] = i < odd ? trees[level] + from[0] : from[j] + from[j + 1];
        }
        if (threadIdx.x == 0 && (n - odd) % 2 != 0) { /* the thread that has read it */
            trees[level] = from[n - 1];
        }
        from = to;
        n = made;
        __syncthreads();
    }
    double all = 0.0;
    bool any = false;
    for (int level = 0; level < GF_STATS_LEVELS && threadIdx.x == 0; level++) {
        if ((all_cells >> level & 1) != 0) {
            all = any ? trees[level] + all : trees[level];
            any = true;
        }
    }
    return gf_canonical_double(all);
}

/* Scratch of one tap. */
struct gf_stats_params {
    struct gf_measure *measures; /* [channels][blocks] */
    double *cells[2]; /* [channels][2: sum, square][n_cells]; the second array: levels of the fold */
    struct gf_stats_block *out; /* [channels] */
    struct gf_rect roi;
    int64_t across, n_cells;
    int32_t mask, blocks;
    /* For a band: how many rows lie above it, and which cells of it are its own. */
    int64_t top, first_cell, own_cells;
    bool is_part, continues;
};

/* For f32 in one channel: the STATS tap that counts for the HIST tap as it goes, in one read; GF_NONE: each
 * reads for itself. */
struct gf_stats_counting {
    int32_t stats, hist;
};
struct gf_stats_counting gf_stats_counting_of(const struct gf_run *run, const struct gf_surface *picture);

/* tap_stats_f32_cuda.cu: f32 of one channel, rows aligned to 16 bytes, no roi. Leaves what gf_stats_finish
 * reads in s: one measure and two sums for GF_CELLS_AT_ONCE cells. h: what is counted, too; or NULL. */
gf_status gf_stats_f32_launch(const struct gf_pass *pass, const struct gf_surface *picture,
                              struct gf_stats_params *s, const struct gf_hist_params *h, cudaStream_t stream,
                              gf_error *error);

#endif
