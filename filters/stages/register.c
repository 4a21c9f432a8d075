/* register: a picture laid upon another one that it is shifted against. The word is one of C's, so that its
 * struct is called otherwise. */
#include "lower/frequency_stage.h"
#include "stages/outside_rows.h"

struct registering {
    gf_picture_name reference;
    double value, alpha;
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
    const gf_warp how = {.filter = (gf_interpolation)p->filter,
                         .border = (gf_border)p->border,
                         .value = p->value,
                         .alpha = p->alpha};
    gf_value_id found = 0;
    const gf_value_id votes = gf_lowering_shift_votes(l, v, other, p->taper);
    gf_lower_output(l, gf_lowering_shift(l, v, votes, p->move ? &how : NULL, &found));
    gf_lower_result(l, v, &found, 1, finish);
}

static const gf_param params[] = {
    {GF_ROW(PICTURE, registering, reference, ""),
     .help = "what the picture is laid upon, of the same size: @FILE, or the name of an input",
     .positional = 1},
    {GF_ROW(BOOL, registering, move, "on"),
     .help = "off: the shift is only told, and the picture passes unchanged"},
    {GF_ROW(BOOL, registering, taper, "on"),
     .help = "both fade out towards their edges before they are compared; off where they go round"},
    {GF_ROW(CHOICE, registering, filter, "cubic"), .choices = "nearest|linear|cubic",
     .help = "what lies between pixels, from coarse to sharp; nearest: whole pixels"},
    GF_OUTSIDE_ROWS(registering, "constant", "what lies outside the picture", "its"),
    {0},
};

static const gf_stage_field fields[] = {
    {"x", GF_F64, 1, "pixels", "how far the picture is moved to the right; one value"},
    {"y", GF_F64, 1, "pixels", "how far down; one value"},
    {"score", GF_F64, 1, "about 0 to 1",
     "1: nothing but the shift differs; of pictures with nothing in common a few hundredths; one value"},
    {0},
};

static const gf_example examples[] = {
    {"register:@first.png", "a frame laid upon the first one, as of a camera that shakes"},
    {"register:@first.png:move=off", "only says how far"},
    {"register:@first.png:filter=nearest:border=replicate", "by whole pixels, which keeps every sample"},
    {0},
};

const gf_stage_type gf_stage_register = {
    .struct_size = sizeof(gf_stage_type),
    .name = "register",
    .aliases = "align|phasecorrelate",
    .group = "whole",
    .summary = "moved so that it lies upon another picture, to fractions of a pixel; tells the shift",
    .use =
        "For frames of a camera that shakes, exposures to be stacked, colours that do not lie upon each "
        "other.\n"
        "Light and contrast may differ; size and angle may not: it finds shifts alone, up to half a side, and "
        "of\n"
        "pictures that share most of what they show.",
    .source = "C. D. Kuglin, D. C. Hines, The phase correlation image alignment method, 1975; the sign is "
              "that of\n"
              "scikit-image's phase_cross_correlation.",
    .formula =
        "Of both pictures the luma, times (1 - cos(2 pi x / width)) / 2 and so down (taper), is transformed;\n"
        "There(reference) times the conjugate of there(picture), each number divided by its magnitude and\n"
        "times exp(-2 pi^2 (u^2 + v^2)), u and v in cycles a pixel; back from there a shift is a Gaussian "
        "with\n"
        "sigma 1. The greatest pixel is the shift, and along each axis the top of the Gaussian through it "
        "and\n"
        "its neighbours the rest. score is that pixel. Then a warp by this shift, alpha with it. Where the\n"
        "luma is the same all over, or one sample is NaN or infinite, the shift is 0, and so is the score.",
    .params = params,
    .params_size = sizeof(struct registering),
    .lower = lower,
    .fields = fields,
    .examples = examples,
};
