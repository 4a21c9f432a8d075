/* highshelf: more or less of all that is above a frequency. */
#include "signal/equaliser_stage.h"

static const gf_param params[] =
    GF_EQUALISER_STAGE_ROWS("0.70710678118654757", "how steep; beyond the default it overshoots");

GF_EXAMPLES({"highshelf:5kHz:gain=-3dB", "less hiss"});

GF_EQUALISER_STAGE(highshelf, GF_HIGH_SHELF, "At the frequency it is half of the gain in dB.",
                   .summary = "more or less of all that is above a frequency",
                   .use = "Treble, as the knob of an amplifier has it.");
