/* What spectrum and spectrogram share: the rows that say how segments are cut, and what makes them. */
#pragma once

#include "design/fir_design.h"
#include "signal/signal_lowering.h"
#include "signal/stft.h"

struct gf_stft_stage {
    int64_t frames;
    double time;
    int32_t window; /* words of the row, from 0 */
    double beta;
};

/* Rows of a struct that begins with a gf_stft_stage. */
#define GF_STFT_ROWS                                                                                         \
    {GF_ROW_IN(INT, gf_stft_stage, frames, "1024", 2, GF_STFT_SIZE), .positional = 1,                        \
     .help = "of a segment; the more, the closer frequencies may lie, and the less is known of the time"},   \
        {GF_ROW_IN(NUMBER, gf_stft_stage, time, "", 0, 1e9), .unit = "s",                                    \
         .help = "how long a segment is, instead of its frames"},                                            \
        {GF_ROW(CHOICE, gf_stft_stage, window, "hann"), .choices = "hann|hamming|blackman|kaiser|boxcar",    \
         .help = "what frames of a segment are multiplied by"},                                              \
    {                                                                                                        \
        GF_ROW_IN(NUMBER, gf_stft_stage, beta, "8", 0, 500),                                                 \
            .help = "of kaiser; the more, the less a tone shows at other frequencies, and the wider it is"   \
    }

/* Frames of a segment, at least 2 also on failure. */
int32_t gf_signal_lower_segment(gf_signal_lowering *l, const struct gf_stft_stage *stage);

/* What is made of segments of a signal: a measure, or, where that is NULL, a frame of each. */
struct gf_stft_lowered {
    const struct gf_signal_kernel *kernel;
    const struct gf_signal_measure *measure;
    const struct gf_stft_stage *stage;
    int32_t size, hop, centred; /* as in gf_stft */
};

/* Appends a node with a copy of its arguments, which begin with a const struct gf_stft *: that is set here.
 */
void gf_signal_lower_stft(gf_signal_lowering *l, const struct gf_stft_lowered *wanted, void *args,
                          size_t bytes);
