/* Medians by networks (rank_tile_cuda.cuh) of 3 x 3 to 11 x 11. */
#include "pixel/window/rank/rank_tile_cuda.cuh"

gf_status gf_rank_tile_queue_3(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                               gf_error *error)
{
    return gf_rank_tile_run<3>(job, run, error);
}

gf_status gf_rank_tile_queue_5(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                               gf_error *error)
{
    return gf_rank_tile_run<5>(job, run, error);
}

gf_status gf_rank_tile_queue_7(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                               gf_error *error)
{
    return gf_rank_tile_run<7>(job, run, error);
}

gf_status gf_rank_tile_queue_9(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                               gf_error *error)
{
    return gf_rank_tile_run<9>(job, run, error);
}

gf_status gf_rank_tile_queue_11(const struct gf_rank_job *job, const struct gf_run *run, unsigned char *,
                                gf_error *error)
{
    return gf_rank_tile_run<11>(job, run, error);
}
