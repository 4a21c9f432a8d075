/* register: a picture laid upon another one. The word is one of C's: its struct is called otherwise. */
#include "lower/frequency_stage.h"
#include "stages/outside_rows.h"

struct registering {
    gf_picture_name reference;
    double value, alpha;
    gf_list colour;
    int32_t move, taper, filter, border; /* the last two: indices of their words */
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    static const char *const names[] = {"x", "y", "score"};
    for (int i = 0; i < 3; i++) {
        double *field = gf_result_f64(builder, names[i], 1, 1);
        if (field) {
            *field = ((const double *)m->blocks[0])[i];
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct registering *p = params;
    const gf_value_id v = gf_lower_input(l), other = gf_lower_picture(l, &p->reference);
    if (!gf_lowering_samples(l, v) || !gf_lowering_samples(l, other)) {
        return;
    }
    const gf_shape shape = gf_lower_shape(l, v), size = gf_lower_shape(l, other);
    if (shape.width != size.width || shape.height != size.height) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "the reference has %lld x %lld pixels, must have as many as the picture, %lld x %lld",
                      (long long)size.width, (long long)size.height, (long long)shape.width,
                      (long long)shape.height);
        return;
    }
    struct gf_outside outside = {(gf_border)p->border, p->value, p->alpha, {{0}, 0}};
    if (!gf_lowering_outside(l, v, &p->colour, &outside)) {
        return;
    }
    const gf_warp how = {.filter = (gf_interpolation)p->filter,
                         .border = outside.border,
                         .value = outside.value,
                         .alpha = outside.alpha,
                         .colour = outside.colour};
    gf_value_id found = 0;
    const gf_value_id votes = gf_lowering_shift_votes(l, v, other, p->taper);
    const gf_value_id moved = gf_lowering_shift(l, v, votes, &how, &found);
    gf_lower_output(l, p->move ? moved : v);
    gf_lower_result(l, v, &found, 1, finish);
}

GF_PARAMS({GF_ROW(PICTURE, registering, reference, ""),
           .help = "what the picture is laid upon, of the same size: @FILE, or the name of an input",
           .positional = 1},
          {GF_ROW(BOOL, registering, move, "on"),
           .help = "off: it only tells the shift, and passes the picture unchanged"},
          {GF_ROW(BOOL, registering, taper, "on"),
           .help = "both fade out towards their edges before they are compared; off where they go round"},
          {GF_ROW(CHOICE, registering, filter, "cubic"), .choices = "nearest|linear|cubic",
           .help = "what lies between pixels, from coarse to sharp; nearest: whole pixels"},
          GF_OUTSIDE_ROWS(registering, "constant", "what lies outside the picture", "its"));

GF_FIELDS({"x", GF_F64, 1, "pixels", "how far the picture is moved to the right; one value"},
          {"y", GF_F64, 1, "pixels", "how far down; one value"},
          {"score", GF_F64, 1, "0 to 1",
           "1: they differ by the shift alone; a few hundredths: by all; one value"});

GF_EXAMPLES({"register:@first.png", "a frame laid upon the first one, as of a camera that shakes"},
            {"register:@first.png:move=off", "only says how far"},
            {"register:@first.png:filter=nearest:border=replicate",
             "by whole pixels, which keeps every sample"});

const gf_stage_type gf_stage_register = {
    GF_STAGE_NAMED(register),
    .aliases = "align|phasecorrelate",
    .group = "whole",
    .summary = "moved so that it lies upon another picture, to fractions of a pixel; tells the shift",
    .use = "For frames of a camera that shakes, and exposures to be stacked. Light and contrast may differ,\n"
           "size and angle may not: it finds shifts, up to half a side, of pictures that share most of what\n"
           "they show.",
    .source =
        "C. D. Kuglin, D. C. Hines, The phase correlation image alignment method, 1975; the sign is that\n"
        "of scikit-image's phase_cross_correlation.",
    .formula =
        "Of both the luma, times (1 - cos(2 pi x / width)) / 2 and so down (taper), is transformed. R\n"
        "conj(P), of reference and picture, is divided by its magnitude, and times exp(-2 pi^2 (u^2 +\n"
        "v^2)), u and v in cycles a pixel. Back from there a shift is a Gaussian with sigma 1: the\n"
        "greatest pixel, whose value is score, and along each axis the top of the Gaussian through it and\n"
        "its neighbours. Then a warp by it, alpha with it. Where one is all 0, or has a NaN or an\n"
        "infinity, x, y and score are 0.",
    .params = params,
    .params_size = sizeof(struct registering),
    .lower = lower,
    .fields = fields,
};
