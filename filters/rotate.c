/* rotate: by quarter turns. */
#include "gpufilter/stage.h"

#include <math.h>

struct rotate {
    double angle;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct rotate *p = params;
    const double quarters = p->angle / 90;
    if (quarters != floor(quarters)) {
        gf_lower_fail(
            l, GF_ERROR_UNSUPPORTED,
            "angle is %.10g, must be a multiple of 90, as 90, 180, 270 or -90: other angles are not built",
            p->angle);
        return;
    }
    gf_lower_output(l, gf_lower_rotate(l, gf_lower_input(l), (int64_t)quarters));
}

static const gf_param params[] = {
    {.name = "angle",
     .type = GF_PARAM_NUMBER,
     .offset = offsetof(struct rotate, angle),
     .text = "90",
     .min = -360,
     .max = 360,
     .unit = "deg",
     .help = "clockwise, a multiple of 90; negative: the other way round",
     .positional = 1},
    {0},
};

static const gf_example examples[] = {
    {"rotate:90", "turns clockwise: the left side becomes the top"},
    {"rotate:-90", "turns the other way: the right side becomes the top"},
    {0},
};

const gf_stage_type gf_stage_rotate = {
    .struct_size = sizeof(gf_stage_type),
    .name = "rotate",
    .group = "geometry",
    .summary = "turned clockwise by 90, 180 or 270 degrees",
    .use = "For quarters of a turn, which lose nothing.",
    .formula =
        "90: out(x, y) = in(y, height - 1 - x), height of in. 180: in(width - 1 - x, height - 1 - y).\n"
        "270: in(width - 1 - y, x). No bit of a sample changes, in any depth.",
    .params = params,
    .params_size = sizeof(struct rotate),
    .lower = lower,
    .examples = examples,
};
