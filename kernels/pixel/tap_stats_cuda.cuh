/* What the kernels of STATS taps share. */
#ifndef GF_PIXEL_TAP_STATS_CUDA_CUH
#define GF_PIXEL_TAP_STATS_CUDA_CUH

#include "pixel/tap_cuda.cuh"

enum { GF_CELLS_AT_ONCE = 32 /* neighbouring cells that one block of gf_stats_f32 measures */ };

/* Scratch of one tap. */
struct gf_stats_params {
    struct gf_measure *measures; /* [channels][blocks] */
    double *cells[2]; /* [channels][2: sum, square][n_cells]; the second array: levels of the fold */
    struct gf_stats_block *out; /* [channels] */
    struct gf_rect roi;
    int64_t across, n_cells;
    int32_t mask, blocks;
};

/* tap_stats_f32_cuda.cu: f32 of one channel, rows aligned to 16 bytes, no roi. Leaves what gf_stats_finish
 * reads in s: one measure and two sums for GF_CELLS_AT_ONCE cells. */
gf_status gf_stats_f32_launch(const struct gf_pass *pass, const struct gf_surface *picture,
                              struct gf_stats_params *s, cudaStream_t stream, gf_error *error);

#endif
