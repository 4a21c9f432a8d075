/* weighting: weighs frequencies as ears and meters do: A, C or K. */
#include "design/equaliser.h"
#include "signal/signal_lowering.h"

struct weighting {
    int32_t curve;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct weighting *p = params;
    struct gf_section sections[GF_WEIGHTING_SECTIONS];
    int32_t count = 0;
    gf_error why = GF_ERROR_INIT;
    const double rate = gf_signal_lower_rate(l), mark = 1000;
    if (rate > 0) {
        const gf_status status =
            gf_design_weighting((enum gf_weighting)p->curve, rate, sections, &count, &why);
        gf_signal_lower_design(l, status, &why, sections, count, &mark, 1);
    }
}

GF_PARAMS({GF_ROW(CHOICE, weighting, curve, "a"), .choices = "a|c|k", /* in the order of gf_weighting */
           .help = "which curve", .positional = 1});

GF_EXAMPLES({"weighting:a", "as a sound level meter weighs"});

const gf_stage_type gf_stage_weighting = {
    GF_STAGE_OF(weighting),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "weighs frequencies as ears and meters do: A, C or K",
    .use = "Before levels are measured: A and C as sound level meters have them, K as loudness does.",
    .source = "IEC 61672-1 (A, C), ITU-R BS.1770 (K).",
    .formula = GF_SECTIONS_FORMULA
    "\n"
    "A and C by the bilinear transform of the analog filters, 0 dB at 1 kHz: towards half the rate they\n"
    "fall below the curve.",
    .signal = signal,
};
