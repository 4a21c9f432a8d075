/* peak: more or less of a band around a frequency. */
#include "signal/equaliser_stage.h"

static const gf_param params[] = GF_EQUALISER_STAGE_ROWS("1", "the frequency over the width");

GF_EXAMPLES({"peak:1kHz:gain=-6dB", "half as much around 1 kHz"},
            {"peak:3kHz:gain=2dB:phase=zero", "4 dB, as both passes count"},
            {"peak:3kHz:gain=4dB:q=2", "speech that is easier to follow"});

GF_EQUALISER_STAGE(peak, GF_PEAK, "The gain is that at the frequency; the band is frequency / q wide.",
                   .summary = "more or less of a band around a frequency",
                   .use = "To bring out or hold back one region of a sound.");
