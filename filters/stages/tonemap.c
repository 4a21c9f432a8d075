/* tonemap: light of any strength brought into what a display can show. */
#include "gpufilter/stage.h"

#include "base/gf_math.h"
#include "base/text.h"

enum curve { REINHARD, FILMIC, CLIP };

struct tonemap {
    int32_t curve;
    double exposure, white;
};

/* Appends what each word of the pattern is: e is the light, w what white adds to it. */
static void add_pattern(struct gf_text *text, const char *pattern, const char *light, double added)
{
    for (const char *c = pattern; *c; c++) {
        if (*c == 'e') {
            gf_text_string(text, light);
        } else if (*c == 'w') {
            gf_text_number(text, added);
        } else {
            gf_text_bytes(text, c, 1);
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    static const char *const patterns[] = {"(e*(1+e*w)/(1+e))", "(e*(2.51*e+0.03)/(e*(2.43*e+0.59)+0.14))",
                                           "e"};
    const struct tonemap *p = params;
    char light[64], formula[512];
    struct gf_text e = gf_text_begin(light, sizeof light), text = gf_text_begin(formula, sizeof formula);
    if (p->white > 0 && p->curve != REINHARD) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "white= is of curve=reinhard");
        return;
    }
    gf_text_string(&e, "max(min(v*"); /* so much that squares of it are finite */
    gf_text_number(&e, (double)gf_pow(2.0F, (float)p->exposure));
    gf_text_string(&e, ",1e9),0)");
    gf_text_string(&text, "min(");
    add_pattern(&text, patterns[p->curve], light, p->white > 0 ? 1 / (p->white * p->white) : 0);
    gf_text_string(&text, ",1)");
    gf_lower_output(l, gf_lower_formula(l, gf_lower_input(l), formula));
}

GF_PARAMS({GF_ROW(CHOICE, tonemap, curve, "reinhard"), .choices = "reinhard|filmic|clip",
           .help = "reinhard: soft; filmic: with more contrast; clip: what is too bright becomes white",
           .positional = 1},
          {GF_ROW_IN(NUMBER, tonemap, exposure, "0", -20, 20),
           .help = "in stops, before the curve: 1 is twice the light"},
          {GF_ROW_IN(NUMBER, tonemap, white, "0", 0, 1e6),
           .help = "reinhard: the light that becomes white; 0: none ever does"});

GF_EXAMPLES({"convert:f32,linear,tonemap:exposure=1.5,srgb",
             "brightens by one and a half stops and keeps the lights"},
            {"convert:f32,linear,gain:4,tonemap:filmic,srgb", "the contrast of a film"});

const gf_stage_type gf_stage_tonemap = {
    GF_STAGE_OF(tonemap),
    .group = "point",
    .summary = "light of any strength brought between black and white: tonemap,srgb of a .hdr",
    .use = "Behind reading a .hdr or .pfm, whose numbers are light and may be far above 1; srgb behind it "
           "makes\n"
           "the samples that displays and other files expect.",
    .source =
        "E. Reinhard et al., Photographic Tone Reproduction for Digital Images, SIGGRAPH 2002; filmic:\n"
        "K. Narkowicz, ACES Filmic Tone Mapping Curve, 2015.",
    .formula =
        "e = min(max(v 2^exposure, 0), 1e9). reinhard: e (1 + e / white^2) / (1 + e), without white e / (1 + "
        "e). filmic:\n"
        "e (2.51 e + 0.03) / (e (2.43 e + 0.59) + 0.14). clip: e. What is above 1 becomes 1. Each "
        "channel by\n"
        "itself, as a formula of the stage expr.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
