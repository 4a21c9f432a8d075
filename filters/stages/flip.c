/* flip: mirrored. */
#include "gpufilter/stage.h"

enum axis { AXIS_X, AXIS_Y, AXIS_XY };

struct flip {
    int32_t axis;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct flip *p = params;
    gf_lower_output(l, gf_lower_flip(l, gf_lower_input(l), p->axis != AXIS_Y, p->axis != AXIS_X));
}

GF_PARAMS({GF_ROW(CHOICE, flip, axis, "x"), .choices = "x|y|xy",
           .help = "x: left and right change places; y: top and bottom; xy: both", .positional = 1});

GF_EXAMPLES({"flip:x", "mirrors: left becomes right"},
            {"flip:y", "puts the last row first, as for a picture that is stored from below"});

const gf_stage_type gf_stage_flip = {
    GF_STAGE_OF(flip),
    .aliases = "mirror",
    .group = "geometry",
    .summary = "mirrored: flip:x, flip:y, flip:xy",
    .use = "For pictures of mirrors and scans of the back side.",
    .formula =
        "x: out(x, y) = in(width - 1 - x, y). y: out(x, y) = in(x, height - 1 - y). xy: both, which is\n"
        "half a turn. No bit of a sample changes, in any depth.",
    .lower = lower,
};
