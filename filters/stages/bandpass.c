/* bandpass: keeps what is between two frequencies. */
#include "signal/iir_stage.h"

static const gf_param params[] = {GF_IIR_STAGE_BAND, GF_IIR_STAGE_ROWS(16)};

GF_EXAMPLES({"bandpass:300Hz-3.4kHz", "the band of a telephone"},
            {"bandpass:300Hz-3.4kHz:order=8:phase=zero", "the same, steep, and no frame is delayed"},
            {"bandpass:8-12Hz:type=chebyshev2:attenuation=40", "alpha waves of an EEG"});

GF_IIR_STAGE(bandpass, GF_BANDPASS, .summary = "keeps what is between two frequencies: a recursive filter",
             .use = "To look at one band only: speech, a rhythm of an EEG, the note of a bearing.");
