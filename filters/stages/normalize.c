/* normalize: what lies between two percentiles takes the whole scale. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct normalize {
    double low, high;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const float *levels = m->blocks[0];
    const int32_t measured = __builtin_popcount(m->channels);
    double *low = gf_result_f64(builder, "low", measured, 1);
    double *high = gf_result_f64(builder, "high", measured, 1);
    for (int32_t c = 0; low && high && c < m->shape.channels; c++) {
        if (m->channels >> c & 1) {
            *low++ = (double)levels[2 * c];
            *high++ = (double)levels[2 * c + 1];
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct normalize *p = params;
    if (!(p->low < p->high)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "low is %g%% and high %g%%: low must be less", p->low, p->high);
        return;
    }
    const gf_value_id v = gf_lower_input(l);
    const double ends[] = {p->low, p->high};
    const gf_value_id levels = gf_lowering_percentiles(l, v, ends, 2, true);
    if (levels) {
        gf_lower_output(l, gf_lowering_stretch(l, v, levels));
        gf_lower_result(l, v, &levels, 1, finish);
    }
}

static const gf_param params[] = {
    {GF_ROW_IN(NUMBER, normalize, low, "1", 0, 100), .unit = "%", .help = "the percentile that becomes black",
     .positional = 1},
    {GF_ROW_IN(NUMBER, normalize, high, "99", 0, 100), .unit = "%",
     .help = "the percentile that becomes white"},
    {0},
};

static const gf_stage_field fields[] = {
    {"low", GF_F64, 1, "sample units", "the sample that became black"},
    {"high", GF_F64, 1, "sample units", "the sample that became white"},
    {0},
};

static const gf_example examples[] = {
    {"gray,normalize", "brings a dull picture to the whole scale, whatever its few brightest pixels are"},
    {"blur:3,normalize:low=0:high=100",
     "from the least sample to the greatest, of which a blur left none at the ends"},
    {"gray,normalize:5%:high=95%", "more contrast, and more that is cut off"},
    {0},
};

const gf_stage_type gf_stage_normalize = {
    .struct_size = sizeof(gf_stage_type),
    .name = "normalize",
    .aliases = "autocontrast|normalise",
    .group = "histogram",
    .summary = "stretch what lies between two percentiles over the whole scale, per channel",
    .use =
        "To see a picture whose samples fill a part of the scale only: 12 bits in u16, or f32 of any range.\n"
        "Unlike equalize it keeps how samples differ.",
    .formula =
        "v -> clamp((v - l) white / (h - l)) to [0, white], l and h being the percentiles low and high as of "
        "the\n"
        "stage percentiles, rounded half to even for u8 and u16; infinite samples count as the least and "
        "the\n"
        "greatest finite one. NaN stays. Where l = h the picture stays as it is. l and h are a result.",
    .params = params,
    .params_size = sizeof(struct normalize),
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .fields = fields,
    .examples = examples,
};
