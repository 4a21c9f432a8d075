/* highpass: keeps what is above a frequency. */
#include "signal/iir_stage.h"

static const gf_param params[] = {GF_IIR_STAGE_FREQUENCY, GF_IIR_STAGE_ROWS(32)};

GF_EXAMPLES({"highpass:80Hz", "takes away rumble and handling noise"},
            {"highpass:0.5Hz:order=2", "takes a slow drift out of an ECG"});

GF_IIR_STAGE(highpass, GF_HIGHPASS, .summary = "keeps what is above a frequency: a recursive filter",
             .use = "Against rumble, drift and offsets.");
