/* transform: a picture times matrices. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct transform {
    gf_picture_name left, right;
};

/* The matrix that a parameter names, as a picture of one channel in f32; 0: none is named. */
static gf_value_id matrix(gf_lowering *l, const gf_picture_name *name)
{
    if (!name->name[0]) {
        return 0;
    }
    const gf_value_id picture = gf_lower_drop_alpha(l, gf_lower_gray(l, gf_lower_picture(l, name)));
    return gf_lower_convert(l, picture, GF_F32);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct transform *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    if (!p->left.name[0] && !p->right.name[0]) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "neither left= nor right= is given, must name a matrix, as @FILE, or an input");
        return;
    }
    const gf_value_id right = matrix(l, &p->right), left = matrix(l, &p->left);
    const int64_t rows = gf_lower_shape(l, right).height, columns = gf_lower_shape(l, left).width;
    if (right && rows != shape.width) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "right= has %lld rows, must have %lld: one for each column of the picture",
                      (long long)rows, (long long)shape.width);
        return;
    }
    if (left && columns != shape.height) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "left= has %lld columns, must have %lld: one for each row of the picture",
                      (long long)columns, (long long)shape.height);
        return;
    }
    gf_lower_output(l, gf_lowering_product(l, v, right, left));
}

GF_PARAMS({GF_ROW(PICTURE, transform, left, ""),
           .help = "a matrix with a column for each row of the picture: @FILE, or the name of an input"},
          {GF_ROW(PICTURE, transform, right, ""),
           .help = "a matrix with a row for each column of the picture: @FILE, or the name of an input"});

GF_EXAMPLES({"gray,transpose,transform:right=in,normalize",
             "how much each two columns of the picture are alike"});

const gf_stage_type gf_stage_transform = {
    GF_STAGE_OF(transform),
    .group = "whole",
    .summary = "the picture times a matrix from the left, from the right or from both sides, f32",
    .use =
        "For any linear transform of columns and rows: bases of your own, projections, the whole picture's\n"
        "cosine transform, blurs that change from place to place. Matrices are .npy files, or pictures.",
    .formula =
        "out = left v right, of each channel by itself, alpha too, as f32 in fractions of white: first from\n"
        "the right, then from the left, each sum a chain of fused multiply-adds in order. A matrix of u8 or\n"
        "u16 is in fractions of white too; one in colour is taken in gray. The picture becomes as wide as\n"
        "right has columns and as high as left has rows.",
    .lower = lower,
};
