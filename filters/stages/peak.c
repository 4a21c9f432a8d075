/* peak: more or less of a band around a frequency. */
#include "design/equaliser.h"
#include "signal/signal_lowering.h"

struct peak {
    double frequency, gain, q;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct peak *p = params;
    struct gf_section section;
    gf_error why = GF_ERROR_INIT;
    const double rate = gf_signal_lower_rate_for(l, "frequency", p->frequency);
    if (rate > 0) {
        const gf_status status =
            gf_design_equaliser(GF_PEAK, p->frequency / rate, p->q, p->gain, &section, &why);
        gf_signal_lower_design(l, status, &why, &section, 1, &p->frequency, 1);
    }
}

static const gf_param params[] = {
    {GF_ROW_IN(NUMBER, peak, frequency, "", 0, 1e12), .unit = "Hz",
     .help = "of its middle, as 1kHz; below half the rate", .positional = 1},
    {GF_ROW_IN(NUMBER, peak, gain, "0", -200, 200), .unit = "dB", .help = "below 0: less"},
    {GF_ROW_IN(NUMBER, peak, q, "1", 0.01, 100000), .help = "the frequency over the width"},
    {0},
};

static const gf_example examples[] = {
    {"peak:1kHz:gain=-6dB", "half as much around 1 kHz"},
    {"peak:3kHz:gain=4dB:q=2", "speech that is easier to follow"},
    {0},
};

const gf_stage_type gf_stage_peak = {
    .struct_size = sizeof(gf_stage_type),
    .name = "peak",
    .group = "signal",
    .summary = "more or less of a band around a frequency",
    .use = "To bring out or hold back one region of a sound.",
    .source = "R. Bristow-Johnson, Audio EQ Cookbook.",
    .formula = "Second-order sections, run in f64 from zeros before the first frame; rounded to f32 once.\n"
               "The gain is that at the frequency; the band is frequency / q wide.",
    .params = params,
    .params_size = sizeof(struct peak),
    .signal = signal,
    .examples = examples,
};
