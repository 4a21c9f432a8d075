/* deconvolve: a blur that is known taken back, by Richardson and Lucy. */
#include "lower/restore_stage.h"

struct deconvolve {
    int64_t rounds;
    gf_list psf;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct deconvolve *p = params;
    if (l->node->common.border == GF_BORDER_CONSTANT && l->node->common.value != 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "value is %g, must be 0: with border=constant nothing shines outside",
                      l->node->common.value);
        return;
    }
    gf_lower_output(l, gf_lowering_deconvolved(l, gf_lower_input(l), &p->psf, p->rounds));
}

GF_PARAMS(GF_PSF_ROW(deconvolve), {GF_ROW_IN(INT, deconvolve, rounds, "30", 1, 100),
                                   .help = "the more, the sharper, and the more noise"});

GF_EXAMPLES({"deconvolve:[1 2 1; 2 4 2; 1 2 1]:rounds=10", "what a slight blur has taken away"},
            {"deconvolve:[0 0 1; 0 2 0; 1 0 0]:rounds=50",
             "a slanting one; or the picture of a star or a point: deconvolve:@k.npy"},
            {"deconvolve:[1 1 1 1 1 1 1 1 1]", "where the camera moved by 9 pixels"});

const gf_stage_type gf_stage_deconvolve = {
    GF_STAGE_OF(deconvolve),
    .aliases = "richardsonlucy",
    .group = "window",
    .summary = "takes back a blur whose kernel is known, by Richardson and Lucy's rounds",
    .use =
        "For microscopes, telescopes and cameras that moved, whose picture of a point is known. What is 0\n"
        "stays 0, and nothing becomes negative. wiener does it in one step.",
    .source = "W. H. Richardson, 1972; L. B. Lucy, 1974; scikit-image's restoration.richardson_lucy.",
    .formula =
        "u = 1/2, and in each round u = u (k' conv (v / max(k conv u, 1e-12))), v in fractions of white,\n"
        "k psf over its sum and k' the same turned by half a turn. Convolutions are chains of fma in f32,\n"
        "whatever the size of psf; the last u is rounded to the depth. Outside, both read what border=\n"
        "makes of theirs. Every channel by itself, but one NaN or infinity makes NaN of all around it;\n"
        "alpha stays, and weighs nothing. It takes two windows a round, in bands where memory is short.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
};
