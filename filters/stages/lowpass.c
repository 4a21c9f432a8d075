/* lowpass: keeps what is below a frequency. */
#include "signal/iir_stage.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    gf_signal_lower_iir_stage(l, params, GF_LOWPASS);
}

static const gf_param params[] = {GF_IIR_STAGE_FREQUENCY, GF_IIR_STAGE_ROWS(32)};

static const gf_example examples[] = {
    {"lowpass:1kHz", "takes away what is above 1 kHz"},
    {"lowpass:20Hz:type=bessel:order=2", "smooths the numbers of a sensor, without overshooting at steps"},
    {"lowpass:19kHz:type=elliptic:order=8:ripple=0.1:attenuation=96",
     "as steep as it gets, before frames are left out"},
    {0},
};

const gf_stage_type gf_stage_lowpass = {
    .struct_size = sizeof(gf_stage_type),
    .name = "lowpass",
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "keeps what is below a frequency: a recursive filter",
    .use = "Against noise and hiss above what matters, and before frames are left out. resample has a filter "
           "of its own.",
    .source = GF_IIR_STAGE_SOURCE,
    .formula = GF_IIR_STAGE_FORMULA,
    .params = params,
    .params_size = sizeof(struct gf_iir_stage),
    .signal = signal,
    .examples = examples,
};
