/* bandstop: takes away what is between two frequencies. */
#include "signal/iir_stage.h"

static const gf_param params[] = {GF_IIR_STAGE_BAND, GF_IIR_STAGE_ROWS(16)};

GF_EXAMPLES({"bandstop:45-55Hz", "takes a broad hum away"},
            {"bandstop:1-2kHz:type=elliptic:order=6", "takes a band away, steeply"});

GF_IIR_STAGE(
    bandstop, GF_BANDSTOP, .summary = "takes away what is between two frequencies: a recursive filter",
    .use =
        "Against a disturbance that fills a band. notch is narrower, for one that has a single frequency.");
