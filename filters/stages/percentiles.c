/* percentiles: samples by their place in order; the picture passes unchanged. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct percentiles {
    gf_list at;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct percentiles *p = m->params;
    const int32_t measured = __builtin_popcount(m->channels);
    const int64_t n = p->at.columns;
    double *at = gf_result_f64(builder, "at", measured, n);
    double *value = gf_result_f64(builder, "value", measured, n);
    for (int32_t c = 0; at && value && c < m->shape.channels; c++) {
        for (int64_t i = 0; i < n && m->channels >> c & 1; i++) {
            *at++ = p->at.values[i];
            *value++ = (double)((const float *)m->blocks[0])[c * n + i];
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct percentiles *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_value_id levels = gf_lowering_percentiles(l, v, p->at.values, (int32_t)p->at.columns, false);
    if (levels) {
        gf_lower_result(l, v, &levels, 1, finish);
    }
}

static const gf_param params[] = {
    {GF_ROW_IN(LIST, percentiles, at, "[0 1 5 25 50 75 95 99 100]", 0, 100), .choices = "1x*",
     .help = "which ones: 50 is the median, 0 the least, 100 the greatest", .positional = 1},
    {0},
};

static const gf_stage_field fields[] = {
    {"at", GF_F64, 0, "percent", "which percentiles there are"},
    {"value", GF_F64, 0, "sample units", "the sample at each of them; NaN where nothing was counted"},
    {0},
};

static const gf_example examples[] = {
    {"gray,percentiles", "says how dark the dark parts are, and how light the light ones"},
    {"percentiles:50:channels=g", "the median of green"},
    {0},
};

const gf_stage_type gf_stage_percentiles = {
    .struct_size = sizeof(gf_stage_type),
    .name = "percentiles",
    .aliases = "quantiles",
    .group = "measure",
    .summary = "samples by their place in order, as the median; the picture passes unchanged",
    .use = "To see where most samples lie whatever the few do, and to choose levels for the stages after it.",
    .source = "As numpy.percentile(v, p, method='nearest'), halves going up.",
    .formula = "The sample of index floor(p (n - 1) / 100 + 1/2) of n in ascending order, counted from 0, "
               "exactly, in\n"
               "every depth. NaN is left out; infinite samples count, and -0 is less than 0. Alpha is not "
               "measured.",
    .params = params,
    .params_size = sizeof(struct percentiles),
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .fields = fields,
    .examples = examples,
};
