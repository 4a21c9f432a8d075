/* blend: another picture over this one. */
#include "gpufilter/stage.h"

struct blend {
    gf_picture_name with;
    int32_t mode;
    double amount;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct blend *p = params;
    gf_value_id other = gf_lower_picture(l, &p->with);
    gf_lower_output(l, gf_lower_blend(l, gf_lower_input(l), other, (gf_blend)p->mode, p->amount));
}

GF_PARAMS({GF_ROW(PICTURE, blend, with, ""),
           .help = "the picture above, of the same size: @FILE, or the name of an input", .positional = 1},
          {GF_ROW(CHOICE, blend, mode, "over"),
           .choices = "over|add|subtract|multiply|screen|difference|min|max",
           .help = "what the two make together"},
          {GF_ROW_IN(NUMBER, blend, amount, "1", 0, 1),
           .help = "how much of that, the rest stays as it was"});

GF_EXAMPLES({"blend:in:mode=multiply", "the picture times itself: darker, with deeper shadows"},
            {"blur:8,blend:in:mode=screen:amount=0.5", "a glow: the picture's own blur shines over it"},
            {"blur:3,blend:in:mode=difference", "what a blur takes away"});

const gf_stage_type gf_stage_blend = {
    GF_STAGE_OF(blend),
    .group = "pictures",
    .summary = "lays another picture over this one: over, add, subtract, multiply, screen, ...",
    .use = "To lay a watermark, a mask or another exposure over a picture, or to compare two of them.",
    .source = "over: T. Porter, T. Duff, Compositing Digital Images, SIGGRAPH 1984.",
    .formula =
        "v + a (f - v), v the picture, o the other, both in fractions of white, in f32, rounded once.\n"
        "f is o, v + o, v - o, v o, v + o - v o, |v - o|, min(v, o) or max(v, o), by the order of the "
        "modes.\n"
        "a is amount, times the other's alpha where it has one. The picture's alpha stays, but for over:\n"
        "alpha becomes a + r, r = alpha (1 - a), and colour (o a + v r) / (a + r). A gray picture lies over\n"
        "each channel alike.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
