/* matrix: each channel becomes a sum of all of them. */
#include "gpufilter/stage.h"

struct matrix {
    gf_list m;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct matrix *p = params;
    if (p->m.rows == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "m= is not given, must be a list as [0 0 1; 0 1 0; 1 0 0]");
        return;
    }
    gf_lower_output(l, gf_lower_matrix(l, gf_lower_input(l), p->m.values, p->m.rows, p->m.columns));
}

static const gf_param params[] = {
    {.name = "m",
     .type = GF_PARAM_LIST,
     .offset = offsetof(struct matrix, m),
     .text = "",
     .help = "a row for each channel of the result, a number for each channel of the picture",
     .positional = 1},
    {0},
};

static const gf_example examples[] = {
    {"matrix:[0.393 0.769 0.189; 0.349 0.686 0.168; 0.272 0.534 0.131]", "the brown of old photographs"},
    {"matrix:[0 0 1; 0 1 0; 1 0 0]", "red and blue change places"},
    {"matrix:[-1 0 0 1; 0 -1 0 1; 0 0 -1 1]",
     "the negative: a fourth column is added, in fractions of white"},
    {"matrix:[0 1 0]", "the green channel as a gray picture"},
    {0},
};

const gf_stage_type gf_stage_matrix = {
    .struct_size = sizeof(gf_stage_type),
    .name = "matrix",
    .group = "point",
    .summary = "mixes channels: each becomes a weighed sum of all",
    .use = "To mix, swap or weigh channels: sepia, another luma, colour correction by a measured matrix.",
    .formula =
        "Channel r becomes m[r][0] v[0] + m[r][1] v[1] + ..., plus white m[r][n] where there is a column\n"
        "more. 3x3, 3x4: colour to colour; 1x3, 1x4: colour to gray; 3x1, 3x2: gray to colour; alpha stays\n"
        "behind. 4x4, 4x5: RGBA with alpha among the sums; 2x2, 2x3: gray with alpha.\n"
        "A chain of fma in f32 that begins with the last column; rounded half to even.",
    .params = params,
    .params_size = sizeof(struct matrix),
    .lower = lower,
    .examples = examples,
};
