/* dilate: the greatest sample of a rectangle. */
#include "gpufilter/stage.h"
#include "lowering_private.h"
#include "pixel/morphology.h"

struct dilate {
    int64_t radius, width, height;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct dilate *p = params;
    const gf_shape shape = gf_lower_shape(l, gf_lower_input(l));
    const int64_t side = 2 * p->radius + 1;
    const struct gf_morphology_args args = gf_morphology_make(
        p->width ? p->width : side, p->height ? p->height : side, shape.width, shape.height, true);
    gf_lower_output(l, gf_lowering_window(l, gf_lower_input(l), &gf_kernel_morphology, &args, sizeof args));
}

static const gf_param params[] = {
    {.name = "radius",
     .type = GF_PARAM_INT,
     .offset = offsetof(struct dilate, radius),
     .text = "1",
     .min = 0,
     .max = 1000000,
     .unit = "px",
     .help = "the window is 2 radius + 1 wide and high",
     .positional = 1},
    {.name = "width",
     .type = GF_PARAM_INT,
     .offset = offsetof(struct dilate, width),
     .text = "0",
     .min = 0,
     .max = 2000001,
     .unit = "px",
     .help = "the window's width, odd or even; 0: as radius says"},
    {.name = "height",
     .type = GF_PARAM_INT,
     .offset = offsetof(struct dilate, height),
     .text = "0",
     .min = 0,
     .max = 2000001,
     .unit = "px",
     .help = "the window's height, odd or even; 0: as radius says"},
    {0},
};

static const gf_example examples[] = {
    {"dilate:2", "replaces each sample by the greatest of the 5 x 5 samples around it"},
    {"dilate:width=9:height=1", "widens bright areas by four pixels to the left and right"},
    {0},
};

const gf_stage_type gf_stage_dilate = {
    .struct_size = sizeof(gf_stage_type),
    .name = "dilate",
    .group = "window",
    .summary = "greatest sample of a rectangle: bright areas grow",
    .formula =
        "The greatest of the samples from x - floor(width / 2) to x + floor((width - 1) / 2), and so down "
        "the\n"
        "rows. -0 is less than +0, and NaN is greater than all numbers. With the border replicate a sample\n"
        "outside the picture never decides. A signal (height 1) is looked at along x only.",
    .params = params,
    .params_size = sizeof(struct dilate),
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .examples = examples,
};
