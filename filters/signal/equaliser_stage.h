/* What peak, lowshelf and highshelf share: parameters, and what lowers all of them. */
#pragma once

#include "design/equaliser.h"
#include "signal/signal_lowering.h"

struct gf_equaliser_stage {
    double frequency, gain, q;
    int32_t phase;
};

/* q_text, q_help: the default of q, and what it is. */
#define GF_EQUALISER_STAGE_ROWS(q_text, q_help)                                                              \
    {                                                                                                        \
        {GF_ROW_IN(NUMBER, gf_equaliser_stage, frequency, "", 0, 1e12), .unit = "Hz",                        \
         .help = "of its middle, as 1kHz; below half the rate", .positional = 1},                            \
            {GF_ROW_IN(NUMBER, gf_equaliser_stage, gain, "0", -200, 200), .unit = "dB",                      \
             .help = "below 0: less"},                                                                       \
            {GF_ROW_IN(NUMBER, gf_equaliser_stage, q, q_text, 0.01, 100000), .help = q_help},                \
            GF_PHASE_ROW(gf_equaliser_stage),                                                                \
        {                                                                                                    \
            0                                                                                                \
        }                                                                                                    \
    }

void gf_signal_lower_equaliser_stage(gf_signal_lowering *l, const struct gf_equaliser_stage *stage,
                                     enum gf_equaliser kind);

/* Such a stage, of the file's tables; ends: where its gain is what, a sentence. What else is its own follows.
 */
#define GF_EQUALISER_STAGE(word, kind, ends, ...)                                                            \
    static void signal(gf_signal_lowering *l, const void *stage)                                             \
    {                                                                                                        \
        gf_signal_lower_equaliser_stage(l, stage, kind);                                                     \
    }                                                                                                        \
    const gf_stage_type gf_stage_##word = {GF_STAGE_NAMED(word),                                             \
                                           .group = "signal",                                                \
                                           .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,                        \
                                           .source = "R. Bristow-Johnson, Audio EQ Cookbook.",               \
                                           .formula = GF_SECTIONS_FORMULA "\n" ends GF_PHASE_FORMULA,        \
                                           .params = params,                                                 \
                                           .params_size = sizeof(struct gf_equaliser_stage),                 \
                                           .signal = signal,                                                 \
                                           __VA_ARGS__}
