/* dct: frequencies of blocks. */
#include "lower/dct_stage.h"

static void lower(gf_lowering *l, const void *params)
{
    const struct gf_dct_stage *p = params;
    gf_lower_output(l, gf_lower_dct(l, gf_lower_input(l), p->block, 0));
}

static const gf_param params[] = GF_DCT_PARAMS;

GF_EXAMPLES({"gray,dct", "the frequencies of each block of 8 x 8, the mean first, f32"},
            {"dct:block=16,idct:block=16", "there and back: the picture, in f32"},
            {"gray,dct:whole", "the frequencies of the whole picture"});

const gf_stage_type gf_stage_dct = {
    GF_STAGE_NAMED(dct),
    .group = "whole",
    .summary = "how much of each frequency is in blocks of 8 x 8: the cosine transform (DCT-II), f32",
    .use = "To look at, weigh or leave out frequencies, as JPEG does; idct goes back.",
    .source = "N. Ahmed, T. Natarajan, K. R. Rao, Discrete cosine transform, IEEE Trans. Computers 23, 1974.",
    .formula =
        "Each block of each channel, alpha too, as f32 in fractions of white: out = C v C^T, with\n"
        "C[k][i] = sqrt((k ? 2 : 1) / n) cos(pi (2 i + 1) k / (2 n)), rounded to f32; rows first, then\n"
        "columns. Blocks begin at the upper left corner; those at the right and lower edge are as large as\n"
        "what is left, n with them; block=whole: the picture is one. As SciPy's dctn(norm='ortho') of each.\n"
        "Pixel (k, l) of a block is frequency k across and l down; signs are kept, so what is no .npy or\n"
        ".pfm cuts off below 0.",
    .params = params,
    .params_size = sizeof(struct gf_dct_stage),
    .lower = lower,
};
