/* What lowpass, highpass, bandpass and bandstop share: parameters, and what lowers all of them. */
#pragma once

#include "design/iir_design.h"
#include "signal/signal_lowering.h"

struct gf_iir_stage {
    double frequency; /* of those with one edge */
    gf_span band;     /* of those with two */
    int32_t type;     /* enum gf_filter_family */
    int64_t order;
    double ripple, attenuation;
    int32_t phase;
};

#define GF_IIR_STAGE_FREQUENCY                                                                               \
    {                                                                                                        \
        GF_ROW_IN(NUMBER, gf_iir_stage, frequency, "", 0, 1e12),                                             \
            .unit = "Hz", .help = "where the band ends, as 1kHz; below half the rate", .positional = 1       \
    }
#define GF_IIR_STAGE_BAND                                                                                    \
    {                                                                                                        \
        GF_ROW_IN(SPAN, gf_iir_stage, band, "", 0, 1e12),                                                    \
            .unit = "Hz", .help = "where the band begins and ends, as 300Hz-3.4kHz; below half the rate",    \
            .positional = 1                                                                                  \
    }
#define GF_IIR_STAGE_ROWS(most)                                                                              \
    {GF_ROW(CHOICE, gf_iir_stage, type, "butterworth"),                                                      \
     .choices = "butterworth|chebyshev1|chebyshev2|elliptic|bessel", /* in the order of gf_filter_family */  \
     .help = "how it is designed: flat; steeper with ripples in the passband, the stopband or both; or of "  \
             "even delay"},                                                                                  \
        {GF_ROW_IN(INT, gf_iir_stage, order, "4", 1, most), .help = "the higher, the steeper"},              \
        {GF_ROW_IN(NUMBER, gf_iir_stage, ripple, "1", 0.0001, 20), .unit = "dB",                             \
         .help = "in the passband, of chebyshev1 and elliptic"},                                             \
        {GF_ROW_IN(NUMBER, gf_iir_stage, attenuation, "60", 1, 300), .unit = "dB",                           \
         .help = "of the stopband, of chebyshev2 and elliptic"},                                             \
        GF_PHASE_ROW(gf_iir_stage),                                                                          \
    {                                                                                                        \
        0                                                                                                    \
    }

#define GF_IIR_STAGE_FORMULA                                                                                 \
    "Second-order sections, run in f64 from zeros before the first frame; the result is rounded to f32\n"    \
    "once. The gain at an edge is -3 dB, of chebyshev1 and elliptic -ripple, of chebyshev2 -attenuation.\n"  \
    "--explain prints sections, poles and gains." GF_PHASE_FORMULA
#define GF_IIR_STAGE_SOURCE                                                                                  \
    "Designed as by scipy.signal.butter, cheby1, cheby2, ellip and bessel (norm='phase') with\n"             \
    "output='sos', and run as by sosfilt."

void gf_signal_lower_iir_stage(gf_signal_lowering *l, const struct gf_iir_stage *stage,
                               enum gf_filter_kind kind);

/* Such a stage, of the file's tables; what is its own follows. */
#define GF_IIR_STAGE(word, kind, ...)                                                                        \
    static void signal(gf_signal_lowering *l, const void *stage)                                             \
    {                                                                                                        \
        gf_signal_lower_iir_stage(l, stage, kind);                                                           \
    }                                                                                                        \
    const gf_stage_type gf_stage_##word = {GF_STAGE_NAMED(word),                                             \
                                           .group = "signal",                                                \
                                           .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,                        \
                                           .source = GF_IIR_STAGE_SOURCE,                                    \
                                           .formula = GF_IIR_STAGE_FORMULA,                                  \
                                           .params = params,                                                 \
                                           .params_size = sizeof(struct gf_iir_stage),                       \
                                           .signal = signal,                                                 \
                                           __VA_ARGS__}
