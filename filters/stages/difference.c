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

GF_PARAMS({GF_ROW(PICTURE, difference, from, ""),
           .help = "the other picture, of the same size: @FILE, or the name of an input", .positional = 1});

GF_EXAMPLES({"blur:2,difference:in,levels:0:high=20%", "what a blur takes away, made visible"},
            {"box:4,difference:in,stats", "and how much it is"});

const gf_stage_type gf_stage_difference = {
    GF_STAGE_OF(difference),
    .group = "pictures",
    .summary = "how far the picture is from another one",
    .use = "To find what changed between two pictures, or what a filter took away.",
    .formula = "|v - o|, exact for u8 and u16 of one depth: blend with mode=difference.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
