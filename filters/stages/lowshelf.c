/* lowshelf: more or less of all that is below a frequency. */
#include "design/equaliser.h"
#include "signal/signal_lowering.h"

struct lowshelf {
    double frequency, gain, q;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct lowshelf *p = params;
    struct gf_section section;
    gf_error why = GF_ERROR_INIT;
    const double rate = gf_signal_lower_rate_for(l, "frequency", p->frequency);
    if (rate > 0) {
        const gf_status status =
            gf_design_equaliser(GF_LOW_SHELF, p->frequency / rate, p->q, p->gain, &section, &why);
        gf_signal_lower_design(l, status, &why, &section, 1, &p->frequency, 1);
    }
}

static const gf_param params[] = {
    {GF_ROW_IN(NUMBER, lowshelf, frequency, "", 0, 1e12), .unit = "Hz",
     .help = "of its middle, as 1kHz; below half the rate", .positional = 1},
    {GF_ROW_IN(NUMBER, lowshelf, gain, "0", -200, 200), .unit = "dB", .help = "below 0: less"},
    {GF_ROW_IN(NUMBER, lowshelf, q, "0.70710678118654757", 0.01, 100000),
     .help = "how steep; beyond the default it overshoots"},
    {0},
};

static const gf_example examples[] = {
    {"lowshelf:200Hz:gain=6dB", "more bass"},
    {0},
};

const gf_stage_type gf_stage_lowshelf = {
    .struct_size = sizeof(gf_stage_type),
    .name = "lowshelf",
    .group = "signal",
    .summary = "more or less of all that is below a frequency",
    .use = "Bass, as the knob of an amplifier has it.",
    .source = "R. Bristow-Johnson, Audio EQ Cookbook.",
    .formula = "Second-order sections, run in f64 from zeros before the first frame; rounded to f32 once.\n"
               "At the frequency it is half of the gain in dB.",
    .params = params,
    .params_size = sizeof(struct lowshelf),
    .signal = signal,
    .examples = examples,
};
