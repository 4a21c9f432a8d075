/* lut: a curve by a table. */
#include "gpufilter/stage.h"

struct lut {
    gf_list table;
    double scale;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct lut *p = params;
    double values[GF_LIST_NUMBERS];
    if (p->table.rows == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "table= is not given, must be a list as [0 0.2 1], or a file as @curve.npy");
        return;
    }
    for (int32_t i = 0; i < p->table.rows * p->table.columns; i++) {
        values[i] = p->table.values[i] / p->scale;
    }
    gf_lower_output(l, gf_lower_curve(l, gf_lower_input(l), values, p->table.rows, p->table.columns));
}

static const gf_param params[] = {
    {.name = "table",
     .type = GF_PARAM_LIST,
     .offset = offsetof(struct lut, table),
     .text = "",
     .choices = "1x*|3x*",
     .help = "levels at equal distances from black to white, in one row, or a row for each colour",
     .positional = 1},
    {.name = "scale",
     .type = GF_PARAM_NUMBER,
     .offset = offsetof(struct lut, scale),
     .text = "1",
     .min = 1e-6,
     .max = 1e9,
     .help = "what stands for white in the table: 255 in one of bytes"},
    {0},
};

static const gf_example examples[] = {
    {"lut:[0 0.15 0.5 0.85 1]", "a gentle S: more contrast in the middle"},
    {"lut:[1 0]", "the negative"},
    {"lut:[0 0.6 1; 0 0.5 1; 0 0.4 1]", "warm in the middle of the scale, black and white as they were"},
    {0},
};

const gf_stage_type gf_stage_lut = {
    .struct_size = sizeof(gf_stage_type),
    .name = "lut",
    .group = "point",
    .summary = "a curve through levels of your own",
    .use = "For curves that were drawn or measured: tone curves, the response of a film or a display.",
    .formula =
        "With n numbers in a row, v lies at t = v (n - 1) / white between numbers floor(t) and the next, "
        "and\n"
        "becomes what the line between them has there: fma in f32, rounded half to even. Outside the scale\n"
        "the ends hold. 256 numbers with scale=255 are a table of u8, entry by entry.",
    .params = params,
    .params_size = sizeof(struct lut),
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .examples = examples,
};
