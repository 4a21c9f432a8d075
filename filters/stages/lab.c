/* lab: CIE L*a*b* of sRGB colours, and back. */
#include "gpufilter/stage.h"

struct lab {
    int32_t way;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct lab *p = params;
    gf_lower_output(l, gf_lower_lab(l, gf_lower_input(l), p->way));
}

GF_PARAMS({GF_ROW(CHOICE, lab, way, "to"), .choices = "to|from",
           .help = "to: L*, a* and b* of red, green and blue; from: back", .positional = 1});

GF_EXAMPLES({"lab,clahe:channels=0,lab:from", "more contrast, hue and chroma as they were"},
            {"lab,blur:5:channels=1+2,lab:from", "spots of colour run, what is light and dark stays sharp"},
            {"convert:f32,lab", "for measuring: L* is 100 v, a* and b* are 255 v - 128"});

const gf_stage_type gf_stage_lab = {
    GF_STAGE_OF(lab),
    .group = "point",
    .summary = "CIE L*a*b* of sRGB colours, and back",
    .use =
        "Where lightness or colour are to be changed alone, and distances are to be as large as they look.",
    .source = "CIE 15, with D65 and the primaries of sRGB (IEC 61966-2-1); u8 is scaled as in OpenCV.",
    .formula =
        "Light as of the stage linear, X, Y, Z by sRGB's matrix in parts of white's, f(t) = t^(1/3), or\n"
        "841 t / 108 + 4 / 29 up to (6/29)^3. L* = 116 f(Y) - 16, a* = 500 (f(X) - f(Y)),\n"
        "b* = 200 (f(Y) - f(Z)), stored as L* / 100, (a* + 128) / 255 and (b* + 128) / 255 of white in "
        "every\n"
        "depth: of u8 L* 255 / 100, a* + 128, b* + 128. Alpha stays. u8 cannot hold all colours apart: "
        "there\n"
        "and back dark ones move by up to some 20 levels; in u16 all colours of u8 come back.",
    .lower = lower,
};
