/* blend: another picture over this one. */
#include "lower/lowering_private.h"
#include "stages/place_rows.h"

struct blend {
    gf_picture_name with;
    int32_t mode;
    double amount, scale;
    char at[GF_PARAM_TEXT_SIZE];
};

static void lower(gf_lowering *l, const void *params)
{
    const struct blend *p = params;
    const gf_value_id v = gf_lower_input(l);
    gf_rect placed;
    const gf_value_id other =
        gf_lowering_placed(l, v, gf_lower_picture(l, &p->with), p->at, p->scale, &placed);
    gf_lower_output(l, gf_lowering_blend(l, v, other, (gf_blend)p->mode, p->amount, placed));
}

GF_PARAMS({GF_ROW(PICTURE, blend, with, ""),
           .help = "the picture above, of the same size unless at= is given: @FILE, or a name",
           .positional = 1},
          {GF_ROW(CHOICE, blend, mode, "over"),
           .choices = "over|add|subtract|multiply|screen|difference|min|max|divide",
           .help = "what the two make together"},
          {GF_ROW_IN(NUMBER, blend, amount, "1", 0, 1), .help = "how much of that, the rest stays as it was"},
          GF_PLACE_ROWS(blend));

GF_EXAMPLES({"blend:in:mode=multiply", "the picture times itself: darker, with deeper shadows"},
            {"blur:8,blend:in:mode=screen:amount=0.5", "a glow: the picture's own blur shines over it"},
            {"blur:3,blend:in:mode=difference", "what a blur takes away"},
            {"blend:in:at=southeast+10+10:scale=0.25:amount=0.8",
             "a small picture of itself in the lower right corner, 10 pixels from the edges"},
            {"blur:40:save=light,blend:in,blend:light:mode=divide",
             "even light on a page: the picture divided by what a wide blur leaves of it"});

const gf_stage_type gf_stage_blend = {
    GF_STAGE_OF(blend),
    .group = "pictures",
    .summary = "lays another picture over this one: over, add, subtract, multiply, screen, ...",
    .use =
        "To lay a watermark or a logo, a mask or another exposure over a picture, to compare two of them, or "
        "to divide by a picture of the light alone.",
    .source = "over: T. Porter, T. Duff, Compositing Digital Images, SIGGRAPH 1984.",
    .formula =
        "v + a (f - v), v the picture, o the other, both in fractions of white, in f32, rounded once.\n"
        "f is o, v + o, v - o, v o, v + o - v o, |v - o|, min(v, o), max(v, o) or v / o (0 where o is 0), "
        "by\n"
        "the order of the modes.\n"
        "a is amount, times the other's alpha where it has one. The picture's alpha stays, but for over:\n"
        "alpha becomes a + r, r = alpha (1 - a), and colour (o a + v r) / (a + r). A gray picture lies over\n"
        "each channel alike.\n" GF_PLACE_FORMULA,
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
