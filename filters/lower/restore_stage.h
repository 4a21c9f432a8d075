/* What wiener and deconvolve share: the kernel that blurred the picture. */
#pragma once

#include "lower/frequency_stage.h"

/* The row of the member psf, a gf_list. */
#define GF_PSF_ROW(owner)                                                                                    \
    {                                                                                                        \
        GF_ROW_IN(LIST, owner, psf, "", 0, 1e9),                                                             \
            .help =                                                                                          \
                "what a point of light became: weights row by row, of odd sides, up to 1024 numbers; they "  \
                "are divided by their sum",                                                                  \
            .positional = 1                                                                                  \
    }

/* v restored by Wiener's filter; by `rounds` of Richardson and Lucy's, with the stage's border. Both in the
 * depth of v, with the stage's channels and roi. */
gf_value_id gf_lowering_wiener(gf_lowering *l, gf_value_id v, const gf_list *psf, double balance,
                               int32_t border);
gf_value_id gf_lowering_deconvolved(gf_lowering *l, gf_value_id v, const gf_list *psf, int64_t rounds);
