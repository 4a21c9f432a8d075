/* What spectrum and spectrogram share: the rows that say how segments are cut, and what makes them. */
#pragma once

#include "design/fir_design.h"
#include "signal/signal_lowering.h"
#include "signal/stft.h"

struct gf_stft_stage {
    int64_t frames;
    double time;
    int32_t window; /* words of the row, from 0 */
    double beta, overlap;
    int64_t hop;
};

/* Rows of a struct that begins with a gf_stft_stage; part: by which segments overlap, as a text. */
#define GF_STFT_ROWS(part)                                                                                   \
    {GF_ROW_IN(INT, gf_stft_stage, frames, "1024", 2, GF_STFT_SIZE), .positional = 1,                        \
     .help = "of a segment; the more, the closer frequencies may lie, and the less is known of the time"},   \
        {GF_ROW_IN(NUMBER, gf_stft_stage, time, "", 0, 1e9), .unit = "s",                                    \
         .help = "how long a segment is, instead of its frames"},                                            \
        {GF_ROW(CHOICE, gf_stft_stage, window, "hann"), .choices = "hann|hamming|blackman|kaiser|boxcar",    \
         .help = "what frames of a segment are multiplied by"},                                              \
        {GF_ROW_IN(NUMBER, gf_stft_stage, beta, "8", 0, 500),                                                \
         .help = "of kaiser; the more, the less a tone shows at other frequencies, and the wider it is"},    \
        {GF_ROW_IN(NUMBER, gf_stft_stage, overlap, part, 0, 0.99),                                           \
         .help = "which part of its frames a segment has in common with the next one"},                      \
    {                                                                                                        \
        GF_ROW_IN(INT, gf_stft_stage, hop, "auto", 1, GF_STFT_SIZE),                                         \
            .auto_word = "auto", .help = "frames from a segment to the next; auto: by overlap"               \
    }

/* Appends a node for segments of a signal, of which a measure is made, or, where that is NULL, a frame of
 * each. centred: as in gf_stft. Its arguments, which are copied, begin with a const struct gf_stft *, which
 * is set here. Returns the segments, which are the chain's; NULL on failure. */
struct gf_stft *gf_signal_lower_stft(gf_signal_lowering *l, const struct gf_stft_stage *stage,
                                     int32_t centred, const struct gf_signal_kernel *kernel,
                                     const struct gf_signal_measure *measure, void *args, size_t bytes);
