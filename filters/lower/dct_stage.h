/* What dct and idct share: the parameter, and what lowers both. */
#pragma once

#include "gpufilter/stage.h"

enum {
    GF_DCT_LEAST = 2,
    GF_DCT_MOST = 64,         /* pixels a side of a block */
    GF_DCT_MOST_WHOLE = 16384 /* of a picture that is one block: a matrix of 1 GiB */
};

struct gf_dct_stage {
    int64_t block; /* GF_AUTO: the whole picture is one */
};

#define GF_DCT_PARAMS                                                                                        \
    {                                                                                                        \
        {.name = "block",                                                                                    \
         .type = GF_PARAM_INT,                                                                               \
         .offset = offsetof(struct gf_dct_stage, block),                                                     \
         .text = "8",                                                                                        \
         .min = GF_DCT_LEAST,                                                                                \
         .max = GF_DCT_MOST,                                                                                 \
         .unit = "px",                                                                                       \
         .auto_word = "whole",                                                                               \
         .help = "sides of the blocks; at the right and lower edge they are as large as is left; or whole",  \
         .positional = 1},                                                                                   \
        {                                                                                                    \
            0                                                                                                \
        }                                                                                                    \
    }

/* The matrix of n, row by row: out[k] is the sum of m[k * n + i] v[i]. */
void gf_lowering_dct_matrix(gf_lowering *l, float *m, int64_t n);

/* The picture of v in f32, each block by the DCT-II (inverse: by its transpose). block GF_AUTO: one block. */
gf_value_id gf_lower_dct(gf_lowering *l, gf_value_id v, int64_t block, int inverse);
