/* notch: takes one frequency away, and its multiples: hum. */
#include "design/equaliser.h"
#include "signal/signal_lowering.h"

struct notch {
    double frequency, q;
    int64_t harmonics;
    int32_t phase;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct notch *p = params;
    struct gf_section sections[GF_SIGNAL_SECTIONS];
    int32_t count = 0;
    gf_error why = GF_ERROR_INIT;
    const double rate = gf_signal_lower_rate_for(l, "frequency", p->frequency);
    gf_signal_lower_phase(l, p->phase);
    if (rate > 0) {
        const gf_status status = gf_design_harmonics(p->frequency / rate, p->q, (int32_t)p->harmonics,
                                                     sections, GF_SIGNAL_SECTIONS, &count, &why);
        gf_signal_lower_design(l, status, &why, sections, count, &p->frequency, 1);
    }
}

static const gf_param params[] = {
    {GF_ROW_IN(NUMBER, notch, frequency, "", 0, 1e12), .unit = "Hz",
     .help = "which goes, as 50Hz; below half the rate", .positional = 1},
    {GF_ROW_IN(NUMBER, notch, q, "30", 0.01, 100000), .help = "the frequency over the width of the notch"},
    {GF_ROW_IN(INT, notch, harmonics, "1", 1, GF_SIGNAL_SECTIONS),
     .help = "notches at multiples of the frequency, itself counted"},
    GF_PHASE_ROW(notch),
    {0},
};

static const gf_example examples[] = {
    {"notch:50Hz", "takes the hum of the mains away"},
    {"notch:50Hz:phase=zero", "the same, and the waves of an ECG stay where they are"},
    {"notch:60Hz:q=20:harmonics=8", "the same with its harmonics, up to 480 Hz"},
    {0},
};

const gf_stage_type gf_stage_notch = {
    .struct_size = sizeof(gf_stage_type),
    .name = "notch",
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "takes one frequency away, and its multiples: hum",
    .use = "Against the hum of the mains, at 50 or 60 Hz, and its harmonics. bandstop is wider.",
    .source = "scipy.signal.iirnotch, for each harmonic with a Q that keeps the width.",
    .formula = GF_SECTIONS_FORMULA
    "\n"
    "A notch is frequency / q wide, where the gain is -3 dB; harmonics beyond half the rate are "
    "left out." GF_PHASE_FORMULA,
    .params = params,
    .params_size = sizeof(struct notch),
    .signal = signal,
    .examples = examples,
};
