/* lowshelf: more or less of all that is below a frequency. */
#include "signal/equaliser_stage.h"

static const gf_param params[] =
    GF_EQUALISER_STAGE_ROWS("0.70710678118654757", "how steep; beyond the default it overshoots");

GF_EXAMPLES({"lowshelf:200Hz:gain=6dB", "more bass"});

GF_EQUALISER_STAGE(lowshelf, GF_LOW_SHELF, "At the frequency it is half of the gain in dB.",
                   .summary = "more or less of all that is below a frequency",
                   .use = "Bass, as the knob of an amplifier has it.");
