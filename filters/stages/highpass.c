/* highpass: keeps what is above a frequency. */
#include "signal/iir_stage.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    gf_signal_lower_iir_stage(l, params, GF_HIGHPASS);
}

static const gf_param params[] = {GF_IIR_STAGE_FREQUENCY, GF_IIR_STAGE_ROWS(32)};

static const gf_example examples[] = {
    {"highpass:80Hz", "takes away rumble and handling noise"},
    {"highpass:0.5Hz:order=2", "takes a slow drift out of an ECG"},
    {0},
};

const gf_stage_type gf_stage_highpass = {
    .struct_size = sizeof(gf_stage_type),
    .name = "highpass",
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "keeps what is above a frequency: a recursive filter",
    .use = "Against rumble, drift and offsets.",
    .source = GF_IIR_STAGE_SOURCE,
    .formula = GF_IIR_STAGE_FORMULA,
    .params = params,
    .params_size = sizeof(struct gf_iir_stage),
    .signal = signal,
    .examples = examples,
};
