/* threshold: black or white. */
#include "gpufilter/stage.h"

enum method { METHOD_FIXED, METHOD_OTSU };

struct threshold {
    double level;
    int32_t method;
};

enum { F32_BINS = 256 };

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const float *levels = m->blocks[0];
    double *out = gf_result_f64(builder, "level", __builtin_popcount(m->channels), 1);
    for (int32_t c = 0; out && c < m->shape.channels; c++) {
        if (m->channels >> c & 1) {
            *out++ = (double)levels[c];
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct threshold *p = params;
    gf_value_id v = gf_lower_input(l);
    if (p->method == METHOD_FIXED) {
        gf_lower_output(l, gf_lower_threshold(l, v, p->level * gf_lower_white(l, v)));
        return;
    }
    gf_value_id range = gf_lower_range(l, v);
    gf_value_id counts = gf_lower_histogram(l, v, F32_BINS, 0, 1, range);
    gf_value_id levels = gf_lower_otsu(l, counts, range);
    gf_lower_output(l, gf_lower_threshold_block(l, v, levels));
    gf_lower_result(l, v, &levels, 1, finish);
}

static const gf_param params[] = {
    {.name = "level",
     .type = GF_PARAM_INTENSITY,
     .offset = offsetof(struct threshold, level),
     .text = "0.5",
     .min = 0,
     .max = 1,
     .help = "the level of method fixed",
     .positional = 1},
    {.name = "method",
     .type = GF_PARAM_CHOICE,
     .offset = offsetof(struct threshold, method),
     .text = "fixed",
     .choices = "fixed|otsu",
     .help = "fixed: level; otsu: the level that best separates two classes, per channel",
     .positional = 1},
    {0},
};

static const gf_stage_field fields[] = {
    {"level", GF_F64, 1, "sample units", "the level that method otsu chose; no result with method fixed"},
    {0},
};

static const gf_example examples[] = {
    {"gray,threshold:110u8", "makes all that is lighter than 110 of 255 white, the rest black"},
    {"gray,blur:1,threshold:otsu", "finds the level by itself, and prints it"},
    {0},
};

const gf_stage_type gf_stage_threshold = {
    .struct_size = sizeof(gf_stage_type),
    .name = "threshold",
    .group = "point",
    .summary = "black or white: threshold:0.5, threshold:otsu",
    .formula = "v -> white where v > level, else 0; NaN becomes 0.\n"
               "otsu: per channel, the level that maximises the variance between the classes, the lowest\n"
               "on ties, from 256 bins for u8, 65536 for u16, and for f32 256 over [min, max], where the\n"
               "level is the centre of its bin. The levels are a result of the run.",
    .params = params,
    .params_size = sizeof(struct threshold),
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .fields = fields,
    .examples = examples,
};
