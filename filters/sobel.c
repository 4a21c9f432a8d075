/* sobel: magnitude of the gradient. */
#include "gpufilter/stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_sobel(l, gf_lower_input(l)));
}

static const gf_example examples[] = {
    {"gray,sobel", "draws edges white on black"},
    {"gray,blur:1.5,sobel,invert", "draws the stronger edges dark on white, as a pencil does"},
    {0},
};

const gf_stage_type gf_stage_sobel = {
    .struct_size = sizeof(gf_stage_type),
    .name = "sobel",
    .aliases = "edges",
    .group = "window",
    .summary = "strength of edges",
    .formula = "sqrt((gx^2 + gy^2) / 2); gx: [-1 0 1] along x and [1 2 1] / 4 along y; gy: the transpose.\n"
               "The gradient is not rounded; the result is, half to even. Alpha is never premultiplied here.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .examples = examples,
};
