/* lowpass: keeps what is below a frequency. */
#include "signal/iir_stage.h"

static const gf_param params[] = {GF_IIR_STAGE_FREQUENCY, GF_IIR_STAGE_ROWS(32)};

GF_EXAMPLES({"lowpass:1kHz", "takes away what is above 1 kHz"},
            {"lowpass:20Hz:type=bessel:order=2",
             "smooths the numbers of a sensor, without overshooting at steps"},
            {"lowpass:19kHz:type=elliptic:order=8:ripple=0.1:attenuation=96",
             "as steep as it gets, before frames are left out"});

GF_IIR_STAGE(
    lowpass, GF_LOWPASS, .summary = "keeps what is below a frequency: a recursive filter",
    .use = "Against noise and hiss above what matters, and before frames are left out. resample has a filter "
           "of its own.");
