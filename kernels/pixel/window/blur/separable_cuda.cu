/* Separable windows on CUDA: a march for small radii, and a way through scratch for all. */
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/u8_cuda.h"
#include "pixel/cuda/window_cuda.cuh"

/* Horizontal sums of weights above zero fit 16 bits (docs/exactness.md). */
static bool gf_weights_are_positive(const int16_t *weights, int64_t radius)
{
    for (int64_t i = 0; i <= 2 * radius; i++) {
        if (weights[i] < 0) {
            return false;
        }
    }
    return true;
}

static size_t gf_separable_middle(const struct gf_pass *pass)
{
    return gf_window_middle_bytes(pass, pass->window.channels_in, 4);
}

static gf_status gf_separable_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                     const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const struct gf_separable_args *s = &window->args.separable;
    const int16_t *wx = static_cast<const int16_t *>(run->host_blocks[window->blocks[0]]);
    struct gf_window_params p = gf_window_params();
    p.planes = window->channels_in;
    p.rx = s->radius_x;
    p.ry = s->radius_y;
    p.shift_x = s->shift_x;
    p.shift_y = s->shift_y;
    p.wx = run->blocks[window->blocks[0]];
    p.wy = run->blocks[window->blocks[1]];
    const enum gf_window_kind kind = window->depth_in != GF_U8                        ? GF_SEPARABLE_F32
                                     : wx && gf_weights_are_positive(wx, s->radius_x) ? GF_SEPARABLE_S16
                                                                                      : GF_SEPARABLE_S32;
    return gf_window_launch(kind, &p, args, run, layout, error);
}

static int32_t gf_larger_radius(const struct gf_pass *pass)
{
    const struct gf_separable_args *s = &pass->window.args.separable;
    return s->radius_x > s->radius_y ? s->radius_x : s->radius_y;
}

static bool gf_takes_march_u8(const struct gf_pass *pass)
{
    const int32_t radius = gf_larger_radius(pass);
    const bool alone = gf_march_takes_samples(pass) && gf_u8_plan_make(pass).tap == GF_NONE;
    return pass->window.depth_in == GF_U8 &&
           (alone ? radius <= GF_MARCH_RADIUS
                  : radius <= GF_MARCH_PIXELS_RADIUS && gf_march_takes_bytes(pass));
}

static bool gf_takes_march_f32(const struct gf_pass *pass)
{
    const struct gf_separable_args *s = &pass->window.args.separable;
    const bool three = gf_march_takes_samples(pass) && pass->window.channels_in == 3;
    const int32_t most = gf_march_takes(pass)            ? GF_MARCH_RADIUS
                         : three                         ? GF_MARCH_PIXELS_RADIUS
                         : !gf_march_takes_any(pass, 4)  ? 0
                         : pass->window.channels_in == 1 ? GF_MARCH_PIXELS_RADIUS
                                                         : GF_MARCH_PIXELS_RADIUS / 2;
    return pass->window.depth_in != GF_U8 && s->radius_x == s->radius_y && s->radius_x > 0 &&
           s->radius_x <= most;
}

const struct gf_path gf_paths_cuda_separable[] = {
    GF_PATH_CUDA("march-u8", gf_takes_march_u8, gf_march_u8_launch, nullptr,
                 GF_PATH_COUNTS | GF_PATH_PREPARES),
    GF_PATH_CUDA("march-sharpen", gf_march_sharpens, gf_march_sharpen_launch, nullptr,
                 GF_PATH_CONVERTS | GF_PATH_PREPARES),
    GF_PATH_CUDA("march-f32", gf_takes_march_f32, gf_march_f32_launch, nullptr, GF_PATH_PREPARES),
    GF_PATH_CUDA("lines-separable", nullptr, gf_separable_launch, gf_separable_middle, 0), GF_PATHS_END};
