/* crop: a part of the picture. */
#include "gpufilter/stage.h"

struct crop {
    gf_rect area;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct crop *p = params;
    if (p->area.w == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "the part that stays is missing: WIDTHxHEIGHT+X+Y, as crop:160x120+10+20");
        return;
    }
    gf_lower_output(l, gf_lower_crop(l, gf_lower_input(l), p->area));
}

static const gf_param params[] = {
    {GF_ROW(RECT, crop, area, ""),
     .help = "the part that stays; X and Y are of its upper left pixel, from 0; must be given",
     .positional = 1},
    {0},
};

static const gf_example examples[] = {
    {"crop:160x120+10+20", "keeps 160 x 120 pixels, from column 10 and row 20 on"},
    {"blur:3,crop:100x100+50+50", "blurs with the true neighbours of what it then cuts out"},
    {0},
};

const gf_stage_type gf_stage_crop = {
    .struct_size = sizeof(gf_stage_type),
    .name = "crop",
    .group = "geometry",
    .summary = "a part of the picture: crop:160x120+10+20",
    .use = "To work on a part, which then is all that is read, where the file can be read by rows.",
    .formula =
        "out(x, y) = in(x + X, y + Y), for 0 <= x < WIDTH and 0 <= y < HEIGHT. The part lies inside the\n"
        "picture. No bit of a sample changes, in any depth.",
    .params = params,
    .params_size = sizeof(struct crop),
    .lower = lower,
    .examples = examples,
};
