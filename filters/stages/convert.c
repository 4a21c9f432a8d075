/* convert: another depth. */
#include "gpufilter/stage.h"

struct convert {
    int32_t depth;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct convert *p = params;
    gf_lower_output(l, gf_lower_convert(l, gf_lower_input(l), (gf_depth)p->depth));
}

GF_PARAMS({GF_ROW(CHOICE, convert, depth, "f32"), .choices = "u8|u16|f32", /* in the order of gf_depth */
           .help = "the depth of the result", .positional = 1});

GF_EXAMPLES({"convert:u16", "writes 16 bits a sample"},
            {"convert:f32,blur:2,contrast:3,convert:u8", "computes without rounding or clamping in between"});

const gf_stage_type gf_stage_convert = {
    GF_STAGE_OF(convert),
    .group = "point",
    .summary = "another depth, full scale to full scale",
    .use = "To compute with more bits than the file has, or to store with fewer.",
    .formula = "u8 -> u16: 257 v. u8, u16 -> f32: v / white. u16 -> u8: v / 257.\n"
               "f32 -> u8, u16: white v, clamped; NaN becomes 0. Rounded half to even.",
    .flags = GF_STAGE_DEPTH,
    .lower = lower,
};
