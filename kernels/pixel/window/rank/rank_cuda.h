/* What the ways of the rank window on CUDA share. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"
#include "pixel/window/rank/rank.h"

/* A rank window from memory to memory. */
struct gf_rank_job {
    struct gf_surface in, out; /* of the same depth and channels */
    int64_t width, height;     /* pixels */
    struct gf_rank_args args;
    int32_t border;
    uint32_t fill[GF_MAX_CHANNELS]; /* keys: rank_sample_cuda.cuh */
};

/* Queues a job; `scratch` is that of the way, behind the window's output. */
typedef gf_status (*gf_rank_queue)(const struct gf_rank_job *job, const struct gf_run *run,
                                   unsigned char *scratch, gf_error *error);

/* Medians of 3 x 3 to 15 x 15 by networks: rank_tile_cuda.cuh. */
gf_status gf_rank_tile_queue_3(const struct gf_rank_job *job, const struct gf_run *run,
                               unsigned char *scratch, gf_error *error);
gf_status gf_rank_tile_queue_5(const struct gf_rank_job *job, const struct gf_run *run,
                               unsigned char *scratch, gf_error *error);
gf_status gf_rank_tile_queue_7(const struct gf_rank_job *job, const struct gf_run *run,
                               unsigned char *scratch, gf_error *error);
gf_status gf_rank_tile_queue_9(const struct gf_rank_job *job, const struct gf_run *run,
                               unsigned char *scratch, gf_error *error);
gf_status gf_rank_tile_queue_11(const struct gf_rank_job *job, const struct gf_run *run,
                                unsigned char *scratch, gf_error *error);
gf_status gf_rank_tile_queue_13(const struct gf_rank_job *job, const struct gf_run *run,
                                unsigned char *scratch, gf_error *error);
gf_status gf_rank_tile_queue_15(const struct gf_rank_job *job, const struct gf_run *run,
                                unsigned char *scratch, gf_error *error);

/* Any rank of u8: rank_slide_cuda.cu. Bytes: scratch. */
bool gf_rank_slide_takes(const struct gf_pass *pass);
size_t gf_rank_slide_bytes(const struct gf_pass *pass);
gf_status gf_rank_slide_queue(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *scratch,
                              gf_error *error);

/* Any rank of any window: rank_each_cuda.cu. */
gf_status gf_rank_each_queue(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *scratch,
                             gf_error *error);

/* Medians of 3 x 3 by the march: rank_march_cuda.cu. */
gf_path_launch gf_rank_march_launch;
