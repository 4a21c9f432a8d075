/* mask: keeps of the picture what another one says. */
#include "gpufilter/stage.h"

struct mask {
    gf_picture_name by;
    double value;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct mask *p = params;
    gf_value_id v = gf_lower_input(l), by = gf_lower_picture(l, &p->by);
    gf_lower_output(l, gf_lower_mask(l, v, by, p->value * gf_lower_white(l, v)));
}

GF_PARAMS({GF_ROW(PICTURE, mask, by, ""),
           .help = "the mask, of the same size: @FILE, or the name of an input", .positional = 1},
          {GF_ROW_IN(INTENSITY, mask, value, "0", 0, 1), .help = "what stands where the mask is black"});

GF_EXAMPLES({"threshold:0.5,mask:in", "what is bright in the picture, on black"},
            {"threshold:0.3,mask:in:value=1", "and on white"});

const gf_stage_type gf_stage_mask = {
    GF_STAGE_OF(mask),
    .group = "pictures",
    .summary = "keeps the picture where another one is white",
    .use = "To keep the part of a picture that another one marks, drawn by hand or made by a threshold.",
    .formula =
        "m v + (1 - m) value, m the mask in fractions of white, in f32, rounded once. A mask of one channel\n"
        "is for all channels; its alpha is not asked. With channels=a it makes the picture transparent.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
