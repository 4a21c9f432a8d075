/* Which passes march_cuda.cuh takes. */
#include "pixel/march_cuda.h"

#include "pixel/u8_cuda.h"

static bool gf_march_takes_separable(const struct gf_window *window)
{
    const struct gf_separable_args *s = &window->args.separable;
    const int32_t least = s->radius_x < s->radius_y ? s->radius_x : s->radius_y;
    const int32_t most = s->radius_x > s->radius_y ? s->radius_x : s->radius_y;
    return window->kernel == &gf_kernel_separable && most <= GF_MARCH_RADIUS &&
           (window->depth_in == GF_U8 || (least == most && least > 0));
}

static bool gf_march_takes_box(const struct gf_window *window)
{
    const struct gf_box_args *s = &window->args.box;
    return window->kernel == &gf_kernel_box && window->depth_in == GF_U8 &&
           s->radius_x <= GF_MARCH_BOX_RADIUS && s->radius_y <= GF_MARCH_BOX_RADIUS &&
           s->radius_x + s->radius_y > 0 && s->turns_x == 0 && s->turns_y == 0;
}

bool gf_march_takes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    return window->kernel && (gf_march_takes_separable(window) || gf_march_takes_box(window)) &&
           window->channels_in == 1 && pass->pre.n == 0 && pass->post.n == 0 &&
           pass->pre.depth_in == window->depth_in && window->depth_out == window->depth_in &&
           pass->post.depth_out == window->depth_out && pass->width <= GF_STRIP_SIDE &&
           pass->height <= GF_STRIP_SIDE;
}

gf_status gf_march_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    return window->kernel == &gf_kernel_box ? gf_march_box_launch(args, run, error)
           : window->depth_in == GF_U8      ? gf_march_u8_launch(args, run, error)
                                            : gf_march_f32_launch(args, run, error);
}
