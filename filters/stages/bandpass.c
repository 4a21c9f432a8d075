/* bandpass: keeps what is between two frequencies. */
#include "signal/iir_stage.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    gf_signal_lower_iir_stage(l, params, GF_BANDPASS);
}

static const gf_param params[] = {GF_IIR_STAGE_BAND, GF_IIR_STAGE_ROWS(16)};

static const gf_example examples[] = {
    {"bandpass:300Hz-3.4kHz", "the band of a telephone"},
    {"bandpass:300Hz-3.4kHz:order=8:phase=zero", "the same, steep, and no frame is delayed"},
    {"bandpass:8-12Hz:type=chebyshev2:attenuation=40", "alpha waves of an EEG"},
    {0},
};

const gf_stage_type gf_stage_bandpass = {
    .struct_size = sizeof(gf_stage_type),
    .name = "bandpass",
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "keeps what is between two frequencies: a recursive filter",
    .use = "To look at one band only: speech, a rhythm of an EEG, the note of a bearing.",
    .source = GF_IIR_STAGE_SOURCE,
    .formula = GF_IIR_STAGE_FORMULA,
    .params = params,
    .params_size = sizeof(struct gf_iir_stage),
    .signal = signal,
    .examples = examples,
};
