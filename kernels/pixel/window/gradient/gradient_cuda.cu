/* Gradients on CUDA: what is picked of them in one march, any others through scratch. */
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/window_cuda.cuh"

static int32_t gf_gradient_planes(const struct gf_pass *pass)
{
    return 2 * pass->window.channels_in;
}

static size_t gf_gradient_middle(const struct gf_pass *pass)
{
    return gf_window_middle_bytes(pass, gf_gradient_planes(pass), 4);
}

static gf_status gf_gradient_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                    const struct gf_scratch_layout *layout, gf_error *error)
{
    struct gf_window_params p = gf_window_params();
    p.planes = gf_gradient_planes(run->pass);
    p.gradient = gf_gradient_args_of(&run->pass->window);
    return gf_window_launch(run->pass->window.depth_in == GF_U8 ? GF_GRADIENT_INT : GF_GRADIENT_F32, &p, args,
                            run, layout, error);
}

const struct gf_path gf_paths_cuda_gradient[] = {
    GF_PATH_CUDA("march-magnitude", gf_magnitude_takes, gf_magnitude_launch, nullptr,
                 GF_PATH_COUNTS | GF_PATH_PREPARES),
    GF_PATH_CUDA("march-slopes", gf_slopes_takes, gf_slopes_launch, nullptr,
                 GF_PATH_CONVERTS | GF_PATH_PREPARES),
    GF_PATH_CUDA("lines-gradient", nullptr, gf_gradient_launch, gf_gradient_middle, 0), GF_PATHS_END};
