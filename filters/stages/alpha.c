/* alpha: takes the alpha channel away, adds one, or lays the picture over a background. */
#include "gpufilter/stage.h"

enum mode { DROP, ADD, OVER };

struct alpha {
    int32_t mode;
    double value;
    gf_list colour;
};

/* Lays it over a colour, or over a gray by its brightness. */
static gf_value_id over(gf_lowering *l, gf_value_id v, const struct alpha *p)
{
    const double white = gf_lower_white(l, v);
    double colour[3];
    const int32_t n = p->colour.rows ? p->colour.columns : 1;
    for (int32_t c = 0; c < n && c < 3; c++) {
        colour[c] = (p->colour.rows ? p->colour.values[c] : p->value) * white;
    }
    return gf_lower_flatten(l, v, colour, n);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct alpha *p = params;
    gf_value_id v = gf_lower_input(l);
    if (p->colour.rows && p->mode != OVER) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "colour belongs to mode=over, the background");
        return;
    }
    gf_lower_output(l, p->mode == DROP  ? gf_lower_drop_alpha(l, v)
                       : p->mode == ADD ? gf_lower_add_alpha(l, v, p->value * gf_lower_white(l, v))
                                        : over(l, v, p));
}

GF_PARAMS({GF_ROW(CHOICE, alpha, mode, "drop"), .choices = "drop|add|over",
           .help = "drop: without alpha; add: with alpha; over: before a background, then without",
           .positional = 1},
          {GF_ROW_IN(INTENSITY, alpha, value, "1", 0, 1),
           .help = "add: alpha of all pixels, 1 is opaque; over: how bright the background is"},
          {GF_ROW(LIST, alpha, colour, ""), .max = 1, .choices = "1x1|1x3", .unit = "colour",
           .help = "over: the background's colour, instead of value"});

GF_EXAMPLES({"alpha:drop", "the colours of all pixels, those that nobody saw, too"},
            {"alpha:over", "a picture with transparent parts, on white paper"},
            {"rgb,alpha:over:colour=#36c", "the same on blue paper"},
            {"alpha:add:value=50%", "makes the whole picture half transparent"});

const gf_stage_type gf_stage_alpha = {
    GF_STAGE_OF(alpha),
    .group = "point",
    .summary = "drops or adds the alpha channel, or lays the picture over a background",
    .use = "Before formats and stages without transparency, or to make a picture transparent.",
    .source = "over: T. Porter, T. Duff, Compositing Digital Images, SIGGRAPH 1984.",
    .formula =
        "drop, over: 2 channels become 1, 4 become 3; add: 1 becomes 2, 3 become 4. Pictures that are so\n"
        "already pass unchanged. over: a v + (1 - a) b for colour v before b, a = alpha / white, in f32,\n"
        "rounded half to even; drop and add are exact.",
    .lower = lower,
};
