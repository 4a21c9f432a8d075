#include "signal/equaliser_stage.h"

void gf_signal_lower_equaliser_stage(gf_signal_lowering *l, const struct gf_equaliser_stage *stage,
                                     enum gf_equaliser kind)
{
    struct gf_section section;
    gf_error why = GF_ERROR_INIT;
    const double rate = gf_signal_lower_rate_for(l, "frequency", stage->frequency);
    gf_signal_lower_phase(l, stage->phase);
    if (rate > 0) {
        const gf_status status =
            gf_design_equaliser(kind, stage->frequency / rate, stage->q, stage->gain, &section, &why);
        gf_signal_lower_design(l, status, &why, &section, 1, &stage->frequency, 1);
    }
}
