/* deemphasis: takes back the treble that FM radio and old discs were made with. */
#include "design/equaliser.h"
#include "signal/signal_lowering.h"

struct deemphasis {
    double tau;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct deemphasis *p = params;
    struct gf_section section;
    gf_error why = GF_ERROR_INIT;
    const double rate = gf_signal_lower_rate(l), mark = rate / 4;
    if (rate > 0) {
        const gf_status status = gf_design_deemphasis(p->tau * rate, &section, &why);
        gf_signal_lower_design(l, status, &why, &section, 1, &mark, 1);
    }
}

GF_PARAMS({GF_ROW_IN(NUMBER, deemphasis, tau, "50us", 1e-9, 1), .unit = "s",
           .help = "the time constant, as 75us", .positional = 1});

GF_EXAMPLES({"deemphasis", "of European FM"}, {"deemphasis:75us", "of American FM"});

const gf_stage_type gf_stage_deemphasis = {
    GF_STAGE_OF(deemphasis),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "takes back the treble that FM radio and old discs were made with",
    .use = "For what a receiver of FM delivers: 50 us in Europe, 75 us in America.",
    .source = "The bilinear transform of 1 / (1 + s tau).",
    .formula = GF_SECTIONS_FORMULA,
    .signal = signal,
};
