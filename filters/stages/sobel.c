/* sobel: strength, slopes or direction of the gradient. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct sobel {
    int32_t axis, operator, negative;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct sobel *p = params;
    const gf_value_id v = gf_lower_input(l);
    const enum gf_gradient_part part = (enum gf_gradient_part)p->axis;
    if (p->negative != GF_NEGATIVE_AUTO && part != GF_GRADIENT_X && part != GF_GRADIENT_Y) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "negative= says how slopes below 0 are shown, and a %s is never below 0: leave it out, or "
            "choose axis=x or axis=y",
            part == GF_GRADIENT_ANGLE ? "direction" : "magnitude");
        return;
    }
    gf_lower_output(l, gf_lowering_gradient(l, v, (enum gf_gradient_operator)p->operator, part,
                                            gf_negative_of(p->negative, gf_lower_shape(l, v).depth)));
}

GF_PARAMS(
    {GF_ROW(CHOICE, sobel, axis, "magnitude"), .choices = "magnitude|x|y|angle",
     .help = "what is shown of the gradient: its strength, its slope along x or y, or its direction",
     .positional = 1},
    {GF_ROW(CHOICE, sobel, operator, "sobel"), .choices = "sobel|scharr|prewitt",
     .help = "how the samples beside are weighted: 1 2 1, 3 10 3 (truer directions) or 1 1 1"},
    {GF_ROW(CHOICE, sobel, negative, "auto"), .choices = GF_NEGATIVE_CHOICES,
     .help = "slopes below 0: absolute values, halved and moved to mid-gray, kept; auto: kept in f32, else "
             "absolute"});

GF_EXAMPLES({"gray,sobel", "draws edges white on black"},
            {"gray,blur:1.5,sobel,invert", "draws the stronger edges dark on white, as a pencil does"},
            {"gray,sobel:x:negative=offset",
             "the slope to the right: brighter than mid-gray where the picture rises"},
            {"gray,convert:f32,sobel:angle:operator=scharr",
             "the direction in which the picture rises, in turns"});

const gf_stage_type gf_stage_sobel = {
    GF_STAGE_OF(sobel),
    .aliases = "edges",
    .group = "window",
    .summary = "edges: strength, slope or direction of the gradient",
    .use =
        "To find edges and how strong they are; with axis= for slopes and directions. Blur first where the\n"
        "picture is noisy; canny makes lines one pixel wide of it.",
    .source =
        "I. Sobel and G. Feldman, 1968; H. Scharr, \"Optimal operators in digital image processing\", 2000;\n"
        "J. Prewitt, 1970. Scaled as scikit-image's filters of these names.",
    .formula =
        "sqrt((gx^2 + gy^2) / 2); gx: [-1 0 1] along x and [1 2 1] / 4 along y; gy: the transpose.\n"
        "scharr: [3 10 3] / 16; prewitt: [1 1 1] / 3. axis=x: gx, from -white to white: as negative= says\n"
        "|gx|, gx / 2 + white / 2, or gx (below 0 becomes 0 at u8 and u16). axis=angle: white times the\n"
        "direction of (gx, gy) in turns, 0 to the right, 1/4 down; 0 where there is no slope.\n"
        "The gradient is not rounded; the result is, half to even. Alpha is never premultiplied here.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
};
