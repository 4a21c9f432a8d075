/* transpose: rows become columns. */
#include "gpufilter/stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_transpose(l, gf_lower_input(l)));
}

GF_EXAMPLES({"transpose", "mirrors the picture in the line from its upper left corner down to the right"},
            {"transpose,flip:x", "is a quarter turn clockwise, as rotate:90"});

const gf_stage_type gf_stage_transpose = {
    GF_STAGE_NAMED(transpose),
    .group = "geometry",
    .summary = "rows become columns",
    .use = "To let what goes along rows go along columns.",
    .formula =
        "out(x, y) = in(y, x). A signal (height 1) becomes one column. No bit of a sample changes, in any\n"
        "depth.",
    .lower = lower,
};
