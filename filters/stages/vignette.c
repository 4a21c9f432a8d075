/* vignette: darker towards the corners. */
#include "gpufilter/stage.h"

#include "base/text.h"

struct vignette {
    double amount, start;
};

/* Appends t, 0 in the middle and 1 in the corners; r is the distance, likewise. */
static void add_part(const struct vignette *p, struct gf_text *text)
{
    gf_text_string(text, "clamp((sqrt((((2*x+1)/width-1)^2+((2*y+1)/height-1)^2)/2)-");
    gf_text_number(text, p->start);
    gf_text_string(text, ")/");
    gf_text_number(text, 1 - p->start);
    gf_text_string(text, ",0,1)");
}

static void lower(gf_lowering *l, const void *params)
{
    const struct vignette *p = params;
    char formula[512];
    struct gf_text text = gf_text_begin(formula, sizeof formula);
    gf_text_string(&text, "v*(1-");
    gf_text_number(&text, p->amount);
    gf_text_string(&text, "*");
    add_part(p, &text);
    gf_text_string(&text, "^2*(3-2*");
    add_part(p, &text);
    gf_text_string(&text, "))");
    gf_lower_output(l, gf_lower_formula(l, gf_lower_input(l), formula));
}

GF_PARAMS({GF_ROW_IN(NUMBER, vignette, amount, "0.5", -1, 1),
           .help = "how much of their light the corners lose; below 0: how much they gain", .positional = 1},
          {GF_ROW_IN(NUMBER, vignette, start, "0.3", 0, 0.99),
           .help = "how far from the middle it begins, 1 being the corners"});

GF_EXAMPLES({"vignette", "leads the eye to the middle"},
            {"vignette:-0.4:start=0", "lightens corners that a lens has made dark"});

const gf_stage_type gf_stage_vignette = {
    GF_STAGE_OF(vignette),
    .group = "point",
    .summary = "darker towards the corners, or lighter",
    .use = "To lead the eye to the middle, or against the dark corners of a lens.",
    .formula = "v -> v (1 - amount (3 t^2 - 2 t^3)), t = (r - start) / (1 - start) kept within 0 and 1, r "
               "the distance\n"
               "of the pixel's centre from the middle, 1 in the corners, as a formula of the stage expr.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
