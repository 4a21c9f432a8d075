/* gray: colour to luma. */
#include "gpufilter/stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_gray(l, gf_lower_input(l)));
}

GF_EXAMPLES({"gray", "keeps the brightness and drops the colour"},
            {"gray,threshold:otsu", "makes black and white of a colour picture"});

const gf_stage_type gf_stage_gray = {
    GF_STAGE_NAMED(gray),
    .aliases = "grey|grayscale",
    .group = "point",
    .summary = "colour to gray: 3 channels become 1, 4 become 2 (alpha stays)",
    .use =
        "Before thresholds, edges and measures of brightness: a third of the data, and one answer a pixel.",
    .source = "ITU-R BT.601 luma.",
    .formula =
        "BT.601 luma: 0.299 r + 0.587 g + 0.114 b.\n"
        "u8: (9798 r + 19235 g + 3735 b + 16384) >> 15. u16, f32: f32 arithmetic; u16 is rounded half\n"
        "to even. Gray pictures pass unchanged.",
    .lower = lower,
};
