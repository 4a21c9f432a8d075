/* idct: pictures from frequencies. */
#include "lower/dct_stage.h"

static void lower(gf_lowering *l, const void *params)
{
    const struct gf_dct_stage *p = params;
    gf_lower_output(l, gf_lower_dct(l, gf_lower_input(l), p->block, 1));
}

static const gf_param params[] = GF_DCT_PARAMS;

GF_EXAMPLES({"dct,idct", "there and back: the picture, in f32"});

const gf_stage_type gf_stage_idct = {
    GF_STAGE_NAMED(idct),
    .group = "whole",
    .summary = "the picture of the frequencies that dct makes, f32",
    .use = "To get a picture back after something was done to its frequencies.",
    .source = "N. Ahmed, T. Natarajan, K. R. Rao, Discrete cosine transform, IEEE Trans. Computers 23, 1974.",
    .formula =
        "Each block of each channel, alpha too: out = C^T v C, C as of dct, f32; rows first, then columns.\n"
        "After dct with the same block noise comes back within 3.5 units in the last place of white\n"
        "(2^-23), 8.5 where blocks are 64 x 64. As SciPy's idctn(norm='ortho') of each block.",
    .params = params,
    .params_size = sizeof(struct gf_dct_stage),
    .lower = lower,
};
