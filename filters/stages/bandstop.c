/* bandstop: takes away what is between two frequencies. */
#include "signal/iir_stage.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    gf_signal_lower_iir_stage(l, params, GF_BANDSTOP);
}

static const gf_param params[] = {GF_IIR_STAGE_BAND, GF_IIR_STAGE_ROWS(16)};

static const gf_example examples[] = {
    {"bandstop:45-55Hz", "takes a broad hum away"},
    {"bandstop:1-2kHz:type=elliptic:order=6", "takes a band away, steeply"},
    {0},
};

const gf_stage_type gf_stage_bandstop = {
    .struct_size = sizeof(gf_stage_type),
    .name = "bandstop",
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "takes away what is between two frequencies: a recursive filter",
    .use = "Against a disturbance that fills a band. notch is narrower, for one that has a single frequency.",
    .source = GF_IIR_STAGE_SOURCE,
    .formula = GF_IIR_STAGE_FORMULA,
    .params = params,
    .params_size = sizeof(struct gf_iir_stage),
    .signal = signal,
    .examples = examples,
};
