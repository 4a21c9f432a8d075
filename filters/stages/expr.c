/* expr: formulas. */
#include "gpufilter/stage.h"
#include "signal/signal_lowering.h"

#define MISSING "formula= is not given, must be a formula in quotes, as 'v*0.8+0.1'"

struct expr {
    char formula[GF_PARAM_TEXT_SIZE];
};

static void lower(gf_lowering *l, const void *params)
{
    const struct expr *p = params;
    if (!p->formula[0]) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, MISSING);
        return;
    }
    gf_lower_output(l, gf_lower_formula(l, gf_lower_input(l), p->formula));
}

/* Formulas that read other channels than their own. */
static void signal(gf_signal_lowering *l, const void *params)
{
    const struct expr *p = params;
    if (!p->formula[0]) {
        gf_signal_lower_fail(l, NULL, MISSING);
        return;
    }
    gf_signal_lower_formula(l, p->formula);
}

GF_PARAMS({GF_ROW(TEXT, expr, formula, ""),
           .help = "one for all colours, or one for each channel, separated by ';'", .positional = 1});

GF_EXAMPLES({"expr:\"v*0.8+0.1\"", "less contrast: black becomes a tenth, white nine"},
            {"expr:\"v*(1-((x/width-0.5)^2+(y/height-0.5)^2))\"", "darker towards the corners"},
            {"expr:\"if(v>0.5, 1-v, v)*2\"", "light parts become their negative"},
            {"rgb,expr:\"(r+g)/2; g; max(r,b)^1.2\"", "each channel by a formula of its own"});

const gf_stage_type gf_stage_expr = {
    GF_STAGE_OF(expr),
    .group = "point",
    .summary = "a formula of your own for each pixel",
    .use = "For arithmetic that no stage has; where one has it, that is the faster.",
    .formula =
        "v is the channel's own value, r g b a are those of all, and so are c0 c1 ... by number, in "
        "fractions\n"
        "of white. x and y are the pixel's column and row, from 0, width and height those of the picture; a\n"
        "signal has v and c0 to c1023. + - * / ^, ( ), comparisons < > <= >= == != (1 or 0),\n"
        "min max abs sqrt exp log pow clamp(x, low, high) if(condition, then, else). Each operation rounds\n"
        "once to f32, powers as in the stage gamma; the end half to even, clamped to u8 and u16. Alpha\n"
        "stays where no formula is for it. u8, and u16 by v alone, go by a table. channels= of a signal\n"
        "goes with any formula.",
    .flags = GF_STAGE_POINT | GF_STAGE_SAMPLES_FIRST,
    .lower = lower,
    .signal = signal,
};
