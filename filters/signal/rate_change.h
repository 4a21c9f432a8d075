/* What resample and decimate share. */
#pragma once

#include "signal/signal_lowering.h"

#define GF_RATE_CHANGE_QUALITY(owner)                                                                        \
    {                                                                                                        \
        GF_ROW(CHOICE, owner, quality, "hq"),                                                                \
            .choices = "fast|hq|vhq",                                                                        \
            .help =                                                                                          \
                "of the filter: passes 0.8, 0.91 or 0.95 of the lower band, and stops what is beyond it "    \
                "by 80, 135 or 150 dB"                                                                       \
    }

#define GF_RATE_CHANGE_FORMULA                                                                               \
    "Times are kept: frame n of the output is at the time of n / the new rate. A sinc with Kaiser's "        \
    "taper,\n"                                                                                               \
    "a row of taps for each place between frames, zeros outside the signal; sums of products in f32, in "    \
    "an\n"                                                                                                   \
    "order that docs/exactness.md has, good to about 140 dB. Places are whole numbers, so that nothing\n"    \
    "drifts; of a ratio with too large a table they are the nearest ones within 1e-9, as --explain says."

/* `up` frames for `down`. */
void gf_signal_lower_rate_change(gf_signal_lowering *l, int64_t up, int64_t down, int32_t quality);
