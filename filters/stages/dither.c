/* dither: noise before a signal is stored in few bits. */
#include "signal/signal_lowering.h"

struct dither {
    int64_t bits;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct gf_signal_dither args = {(int32_t)((const struct dither *)params)->bits,
                                          gf_signal_lower_channels(l)};
    gf_signal_lower_node(l, &gf_signal_dither, &args, sizeof args, NULL);
}

GF_PARAMS({GF_ROW_IN(INT, dither, bits, "16", 2, 24), .help = "of the samples that will be stored",
           .positional = 1});

GF_EXAMPLES({"dither:16", "before a file of 16 bits is written, with --sample s16"},
            {"gain:-3dB,dither:8", "the last stage, so that nothing comes behind it"});

const gf_stage_type gf_stage_dither = {
    GF_STAGE_OF(dither),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "noise of a step, so that rounding to few bits is not heard as distortion",
    .use = "As the last stage before a file of fewer bits: quiet sounds end in hiss, not in distortion.",
    .source = "S. P. Lipshitz, R. A. Wannamaker and J. Vanderkooy, Quantization and Dither, 1992.",
    .formula = "v -> round(v / s + r) s, s = 2^(1 - bits), r triangular between -1 and 1: drawn by the "
               "number of the "
               "frame and of the channel alone, so that it is the same each time.",
    .signal = signal,
};
