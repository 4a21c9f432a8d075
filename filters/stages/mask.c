/* mask: keeps of the picture what another one says. */
#include "lower/lowering_private.h"
#include "stages/place_rows.h"

struct mask {
    gf_picture_name by;
    double value, scale;
    char at[GF_PARAM_TEXT_SIZE];
};

static void lower(gf_lowering *l, const void *params)
{
    const struct mask *p = params;
    const gf_value_id v = gf_lower_input(l);
    gf_rect placed;
    const gf_value_id by = gf_lowering_placed(l, v, gf_lower_picture(l, &p->by), p->at, p->scale, &placed);
    gf_lower_output(l, gf_lowering_mask_by(l, v, by, p->value * gf_lower_white(l, v), placed));
}

GF_PARAMS({GF_ROW(PICTURE, mask, by, ""),
           .help = "the mask, of the same size unless at= is given: @FILE, or a name", .positional = 1},
          {GF_ROW_IN(INTENSITY, mask, value, "0", 0, 1), .help = "what stands where the mask is black"},
          GF_PLACE_ROWS(mask));

GF_EXAMPLES({"threshold:0.5,mask:in", "what is bright in the picture, on black"},
            {"threshold:0.3,mask:in:value=1", "and on white"},
            {"mask:in:at=centre:scale=0.5",
             "the picture dimmed by a small one of itself, in the middle alone"});

const gf_stage_type gf_stage_mask = {
    GF_STAGE_OF(mask),
    .group = "pictures",
    .summary = "keeps the picture where another one is white",
    .use = "To keep the part of a picture that another one marks, drawn by hand or made by a threshold.",
    .formula =
        "m v + (1 - m) value, m the mask in fractions of white, in f32, rounded once. A mask of one channel\n"
        "is for all channels; its alpha is not asked. With channels=a it makes the picture "
        "transparent.\n" GF_PLACE_FORMULA,
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
