/* beside: another picture to the right of this one. */
#include "stages/append_rows.h"

static void lower(gf_lowering *l, const void *params)
{
    gf_append_lower(l, params, false);
}

GF_APPEND_PARAMS("where the lower of the two lies: at the top, in the middle or at the bottom");

GF_EXAMPLES({"blur:3,beside:in:gap=4:colour=1", "after and before, with a white line between them"},
            {"beside:in", "the picture twice, side by side"},
            {"resize:50%,beside:in:align=centre", "a small one beside the picture, half way down"});

const gf_stage_type gf_stage_beside = {
    GF_STAGE_NAMED(beside),
    .params = params,
    .params_size = sizeof(struct append),
    .group = "pictures",
    .summary = "puts another picture, of any size, to the right of this one",
    .use = "To show two pictures together, as one from before and one from after a filter.",
    .formula = "The picture, then columns of gap, then the other picture; the lower of the two lies as align "
               "says.\n" GF_APPEND_FORMULA,
    .lower = lower,
};
