/* Medians by networks (rank_tile_cuda.cuh) of 13 x 13 and 15 x 15: apart, as the compiler takes its time. */
#include "pixel/window/rank/rank_tile_cuda.cuh"

gf_status gf_rank_tile_queue_13(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                                gf_error *error)
{
    return gf_rank_tile_run<13>(job, run, error);
}

gf_status gf_rank_tile_queue_15(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                                gf_error *error)
{
    return gf_rank_tile_run<15>(job, run, error);
}
