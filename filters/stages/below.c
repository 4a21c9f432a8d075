/* below: another picture below this one. */
#include "stages/append_rows.h"

static void lower(gf_lowering *l, const void *params)
{
    gf_append_lower(l, params, true);
}

GF_APPEND_PARAMS("where the narrower of the two lies: on the left, in the middle or on the right");

GF_EXAMPLES({"sobel,below:in:gap=2", "the picture below its edges"},
            {"below:in", "the picture twice, one above the other"});

const gf_stage_type gf_stage_below = {
    GF_STAGE_NAMED(below),
    .params = params,
    .params_size = sizeof(struct append),
    .group = "pictures",
    .summary = "puts another picture, of any size, below this one",
    .use = "To show two pictures together, as one from before and one from after a filter.",
    .formula = "The picture, then rows of gap, then the other picture; the narrower of the two lies as align "
               "says.\n" GF_APPEND_FORMULA,
    .lower = lower,
};
