/* peak: more or less of a band around a frequency. */
#include "signal/equaliser_stage.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    gf_signal_lower_equaliser_stage(l, params, GF_PEAK);
}

static const gf_param params[] = GF_EQUALISER_STAGE_ROWS("1", "the frequency over the width");

static const gf_example examples[] = {
    {"peak:1kHz:gain=-6dB", "half as much around 1 kHz"},
    {"peak:3kHz:gain=2dB:phase=zero", "4 dB, as both passes count"},
    {"peak:3kHz:gain=4dB:q=2", "speech that is easier to follow"},
    {0},
};

const gf_stage_type gf_stage_peak = {
    .struct_size = sizeof(gf_stage_type),
    .name = "peak",
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "more or less of a band around a frequency",
    .use = "To bring out or hold back one region of a sound.",
    .source = GF_EQUALISER_STAGE_SOURCE,
    .formula = GF_SECTIONS_FORMULA
    "\n"
    "The gain is that at the frequency; the band is frequency / q wide." GF_PHASE_FORMULA,
    .params = params,
    .params_size = sizeof(struct gf_equaliser_stage),
    .signal = signal,
    .examples = examples,
};
