#include "signal/iir_stage.h"

void gf_signal_lower_iir_stage(gf_signal_lowering *l, const struct gf_iir_stage *stage,
                               enum gf_filter_kind kind)
{
    const int32_t edges = kind == GF_BANDPASS || kind == GF_BANDSTOP ? 2 : 1;
    const double hz[2] = {edges == 2 ? stage->band.low : stage->frequency, stage->band.high};
    const char *parameter = edges == 2 ? "band" : "frequency";
    const double rate = gf_signal_lower_rate_for(l, parameter, hz[edges - 1]);
    struct gf_section sections[GF_SIGNAL_SECTIONS];
    int32_t count = 0;
    gf_error why = GF_ERROR_INIT;
    if (rate == 0) {
        return;
    }
    if (edges == 2 && !(hz[0] > 0)) {
        gf_signal_lower_fail(l, parameter, "band begins at 0 Hz, must begin above it: %s takes one frequency",
                             kind == GF_BANDPASS ? "lowpass" : "highpass");
        return;
    }
    const struct gf_iir design = {.family = (enum gf_filter_family)stage->type,
                                  .kind = kind,
                                  .order = (int32_t)stage->order,
                                  .edge = {hz[0] / rate, edges == 2 ? hz[1] / rate : 0},
                                  .ripple = stage->ripple,
                                  .attenuation = stage->attenuation};
    gf_signal_lower_phase(l, stage->phase);
    const gf_status status = gf_design_iir(&design, sections, GF_SIGNAL_SECTIONS, &count, &why);
    gf_signal_lower_design(l, status, &why, sections, count, hz, edges);
}
