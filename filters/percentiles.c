/* percentiles: samples by their place in order; the picture passes unchanged. */
#include "gpufilter/stage.h"
#include "pixel/percentile.h"

#include <math.h>

struct percentiles {
    gf_list at;
};

enum { F32_BINS = 65536 };

/* A channel's counts, and their range where they are of f32. */
struct counted {
    const uint64_t *counts;
    const float *range;
    int64_t bins;
    uint64_t below, inside, above;
};

/* Sample number `index` in ascending order; NaN where there is none. */
static double nth(const struct counted *c, uint64_t index)
{
    if (c->below + c->inside + c->above == 0) {
        return NAN;
    }
    if (index < c->below) {
        return -INFINITY;
    }
    index -= c->below;
    uint64_t up_to = 0;
    for (int64_t i = 0; i < c->bins; i++) {
        up_to += c->counts[i];
        if (index < up_to) {
            return gf_percentile_sample(c->range, (int32_t)i, (int32_t)c->bins, index, c->inside);
        }
    }
    return INFINITY;
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct percentiles *p = m->params;
    const int64_t bins = m->shape.depth == GF_U8 ? 256 : m->shape.depth == GF_U16 ? 65536 : F32_BINS;
    const int32_t measured = __builtin_popcount(m->channels);
    const int64_t n = p->at.columns;
    double *at = gf_result_f64(builder, "at", measured, n);
    double *value = gf_result_f64(builder, "value", measured, n);
    for (int32_t c = 0; at && value && c < m->shape.channels; c++) {
        if (!(m->channels >> c & 1)) {
            continue;
        }
        struct counted row = {.counts = (const uint64_t *)m->blocks[0] + c * (bins + 3), .bins = bins};
        row.range = m->shape.depth == GF_F32 ? (const float *)m->blocks[1] + (size_t)c * 2 : NULL;
        row.below = row.counts[bins];
        row.above = row.counts[bins + 1];
        for (int64_t i = 0; i < bins; i++) {
            row.inside += row.counts[i];
        }
        const uint64_t all = row.below + row.inside + row.above;
        for (int64_t i = 0; i < n; i++) {
            *at++ = p->at.values[i];
            *value++ = nth(&row, all ? gf_percentile_index(p->at.values[i], all) : 0);
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    const gf_value_id v = gf_lower_input(l), range = gf_lower_range(l, v);
    const gf_value_id blocks[] = {gf_lower_histogram(l, v, F32_BINS, 0, 1, range), range};
    gf_lower_result(l, v, blocks, range ? 2 : 1, finish);
}

static const gf_param params[] = {
    {.name = "at",
     .type = GF_PARAM_LIST,
     .offset = offsetof(struct percentiles, at),
     .text = "[0 1 5 25 50 75 95 99 100]",
     .min = 0,
     .max = 100,
     .choices = "1x*",
     .help = "which ones: 50 is the median, 0 the least, 100 the greatest",
     .positional = 1},
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
    .source = "u8 and u16 as numpy.percentile(v, p, method='nearest'), halves going up.",
    .formula = "Of n samples in ascending order that of index floor(p (n - 1) / 100 + 1/2), counted from 0. "
               "u8 and u16\n"
               "are exact; f32 has 65536 bins over [min, max], of which it is the middle, the least and the "
               "greatest\n"
               "being exact. NaN is left out; infinite samples count. Alpha is not measured.",
    .params = params,
    .params_size = sizeof(struct percentiles),
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .fields = fields,
    .examples = examples,
};
