/* highshelf: more or less of all that is above a frequency. */
#include "signal/equaliser_stage.h"

static void signal(gf_signal_lowering *l, const void *params)
{
    gf_signal_lower_equaliser_stage(l, params, GF_HIGH_SHELF);
}

static const gf_param params[] =
    GF_EQUALISER_STAGE_ROWS("0.70710678118654757", "how steep; beyond the default it overshoots");

static const gf_example examples[] = {
    {"highshelf:5kHz:gain=-3dB", "less hiss"},
    {0},
};

const gf_stage_type gf_stage_highshelf = {
    .struct_size = sizeof(gf_stage_type),
    .name = "highshelf",
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "more or less of all that is above a frequency",
    .use = "Treble, as the knob of an amplifier has it.",
    .source = GF_EQUALISER_STAGE_SOURCE,
    .formula = GF_SECTIONS_FORMULA "\n"
                                   "At the frequency it is half of the gain in dB." GF_PHASE_FORMULA,
    .params = params,
    .params_size = sizeof(struct gf_equaliser_stage),
    .signal = signal,
    .examples = examples,
};
