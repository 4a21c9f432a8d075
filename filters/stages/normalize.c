/* normalize: what lies between two percentiles takes the whole scale; a signal has one peak. */
#include "design/design_math.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"
#include "signal/signal_lowering.h"

struct normalize {
    double low, high, level;
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
    if (p->level != 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "level= is for signals: a picture has low= and high=; --rate says that IN "
                      "is one");
        return;
    }
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

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct normalize *p = params;
    if (p->low != 1 || p->high != 99) {
        gf_signal_lower_fail(
            l, p->low != 1 ? "low" : "high",
            "low= and high= are for pictures: a signal has level=, the peak, as normalize:-1dB");
    }
    const struct gf_signal_normalize args = {gf_exp_double(p->level * (GF_LN10 / 20))};
    gf_signal_lower_barrier(l, &gf_signal_normalize, &args, sizeof args);
}

GF_PARAMS({GF_ROW_IN(NUMBER, normalize, low, "1", 0, 100), .unit = "%",
           .help = "the percentile that becomes black", .positional = 1},
          {GF_ROW_IN(NUMBER, normalize, high, "99", 0, 100), .unit = "%",
           .help = "the percentile that becomes white"},
          {GF_ROW_IN(NUMBER, normalize, level, "0", -200, 0), .unit = "dB",
           .help = "of a signal: what its peak becomes, below full scale", .positional = 1});

GF_FIELDS({"low", GF_F64, 1, "sample units", "the sample that became black"},
          {"high", GF_F64, 1, "sample units", "the sample that became white"});

GF_EXAMPLES({"gray,normalize",
             "brings a dull picture to the whole scale, whatever its few brightest pixels are"},
            {"blur:3,normalize:low=0:high=100",
             "from the least sample to the greatest, of which a blur left none at the ends"},
            {"gray,normalize:5%:high=95%", "more contrast, and more that is cut off"});

const gf_stage_type gf_stage_normalize = {
    GF_STAGE_OF(normalize),
    .aliases = "autocontrast|normalise",
    .group = "histogram",
    .summary = "stretch what lies between two percentiles over the whole scale, per channel",
    .use =
        "To see a picture whose samples fill a part of the scale only: 12 bits in u16, or f32 of any range.\n"
        "Unlike equalize it keeps how samples differ. Of a signal, normalize:-1dB: its peak is 1 dB below "
        "full scale.",
    .formula =
        "v -> clamp((v - l) white / (h - l)) to [0, white], l and h being the percentiles low and high as of "
        "the\n"
        "stage percentiles, rounded half to even for u8 and u16; infinite samples count as the least and "
        "the\n"
        "greatest finite one. NaN stays. Where l = h the picture stays as it is. l and h are a result.\n"
        "Of a signal all channels are multiplied by one factor, level over the greatest finite size of a "
        "frame, "
        "in\n"
        "f64, rounded to f32 once; silence stays. It waits for the whole signal.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .signal = signal,
    .fields = fields,
};
