/* wiener: a blur that is known taken back, as far as noise lets it. */
#include "lower/restore_stage.h"

struct wiener {
    double balance;
    int32_t border; /* index of its word */
    gf_list psf;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct wiener *p = params;
    gf_lower_output(l, gf_lowering_wiener(l, gf_lower_input(l), &p->psf, p->balance, p->border));
}

GF_PARAMS(GF_PSF_ROW(wiener),
          {GF_ROW_IN(NUMBER, wiener, balance, "0.01", 1e-9, 1e9),
           .help = "how much smoothness counts: the less, the sharper, and the more noise"},
          GF_FREQUENCY_BORDER_ROW(wiener, "what lies outside the picture; wrap: it is taken as a period"));

GF_EXAMPLES({"wiener:[1 2 1; 2 4 2; 1 2 1]", "what a slight blur has taken away"},
            {"wiener:[0 0 1; 0 2 0; 1 0 0]:balance=0.001",
             "a slanting one, of a picture without noise; or from a file: wiener:@k.npy"},
            {"wiener:[1 1 1 1 1 1 1 1 1]:balance=0.1", "where the camera moved by 9 pixels, in poor light"});

const gf_stage_type gf_stage_wiener = {
    GF_STAGE_OF(wiener),
    .group = "whole",
    .summary = "takes back a blur whose kernel is known, by frequencies and in one step",
    .use =
        "For a picture out of focus, or of a camera that moved; its noise says how large balance must be.\n"
        "deconvolve takes longer, for sharper edges and nothing below 0. scipy.signal.wiener, which\n"
        "smooths by local variance, only has the name in common: see bilateral, denoise_dct.",
    .source = "N. Wiener, 1949; scikit-image's restoration.wiener, whose picture is a period.",
    .formula =
        "v = back(T there(v)), T = conj(K) / (|K|^2 + balance |L|^2), 0 where that is 0, K being the\n"
        "transform of psf over its sum, L that of [0 -1 0; -1 4 -1; 0 -1 0]. The picture is extended as\n"
        "by frequency with low = 1 over the longer side of psf. In f32, rounded once, channels by twos;\n"
        "alpha stays, and weighs nothing. One NaN or infinity makes NaN of all channels.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
