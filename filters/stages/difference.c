/* difference: how far the picture is from another one. */
#include "gpufilter/stage.h"

struct difference {
    gf_picture_name from;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct difference *p = params;
    gf_value_id other = gf_lower_picture(l, &p->from);
    gf_lower_output(l, gf_lower_blend(l, gf_lower_input(l), other, GF_BLEND_DIFFERENCE, 1));
}

static const gf_param params[] = {
    {GF_ROW(PICTURE, difference, from, ""),
     .help = "the other picture, of the same size: @FILE, or the name of an input", .positional = 1},
    {0},
};

static const gf_example examples[] = {
    {"blur:2,difference:in,levels:0:high=20%", "what a blur takes away, made visible"},
    {"box:4,difference:in,stats", "and how much it is"},
    {0},
};

const gf_stage_type gf_stage_difference = {
    .struct_size = sizeof(gf_stage_type),
    .name = "difference",
    .group = "pictures",
    .summary = "how far the picture is from another one",
    .use = "To find what changed between two pictures, or what a filter took away.",
    .formula = "|v - o|, exact for u8 and u16 of one depth: blend with mode=difference.",
    .params = params,
    .params_size = sizeof(struct difference),
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .examples = examples,
};
