/* Which passes march_cuda.cuh takes, beside what its windows have to be. */
#include "pixel/march_cuda.h"

#include "pixel/u8_cuda.h"

bool gf_march_takes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    return window->channels_in == 1 && pass->pre.n == 0 && pass->post.n == 0 &&
           pass->pre.depth_in == window->depth_in && window->depth_out == window->depth_in &&
           pass->post.depth_out == window->depth_out && pass->width <= GF_STRIP_SIDE &&
           pass->height <= GF_STRIP_SIDE;
}
