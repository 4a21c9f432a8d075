/* mix: channels of channels. */
#include "signal/signal_lowering.h"

#include <stdlib.h>

struct mix {
    gf_list m, channels;
    int32_t to; /* 0: m */
};

/* Fills m, a row of a number for each of the channels for each channel that comes out, and returns how many
 * these are; 0: what is asked for does not fit. */
static int32_t fill(gf_signal_lowering *l, const struct mix *p, int32_t channels, double *m)
{
    const int32_t outputs = p->m.rows > 0 ? p->m.rows : p->channels.rows > 0 ? p->channels.columns : p->to;
    if (p->m.rows > 0 && p->m.columns != channels) {
        gf_signal_lower_fail(l, "m", "a row has %d numbers, must have %d, one for each channel", p->m.columns,
                             channels);
        return 0;
    }
    if (p->to == 2 && channels > 2) {
        gf_signal_lower_fail(l, "to", "stereo is of 1 or 2 channels, not %d: a list says what goes where",
                             channels);
        return 0;
    }
    for (int32_t i = 0; i < outputs * channels; i++) {
        const int32_t d = i / channels, c = i % channels;
        const double wanted = p->channels.rows > 0 ? p->channels.values[d] : channels == 1 ? 1 : d + 1;
        if (!(wanted == (int32_t)wanted && wanted <= channels)) {
            gf_signal_lower_fail(l, "channels", "channels has %.10g, must be whole numbers from 1 to %d",
                                 wanted, channels);
            return 0;
        }
        m[i] = p->m.rows > 0 ? p->m.values[i] : p->to == 1 ? 1.0 / channels : wanted == c + 1;
    }
    return outputs;
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct mix *p = params;
    const int32_t channels = gf_signal_lower_channels(l);
    if ((p->m.rows > 0) + (p->channels.rows > 0) + (p->to > 0) != 1) {
        gf_signal_lower_fail(l, NULL,
                             "one of these says what comes out: mono, stereo, a list as [0.5 0.5; 1 0], or "
                             "channels= as [2 1]");
        return;
    }
    double *m = malloc((size_t)GF_LIST_NUMBERS * (size_t)channels * sizeof *m);
    const int32_t outputs = m ? fill(l, p, channels, m) : 1;
    if (outputs > 0) {
        gf_signal_lower_mix(l, outputs, m);
    }
    free(m);
}

GF_PARAMS({GF_ROW(LIST, mix, m, ""),
           .help = "a row for each channel that comes out, a number for each that goes in", .positional = 1},
          {GF_ROW(CHOICE, mix, to, "matrix"), .choices = "matrix|mono|stereo",
           .help = "matrix: that of m; mono: the mean of all channels; stereo: two, of one or two",
           .positional = 1},
          {GF_ROW_IN(LIST, mix, channels, "", 1, 1024), .choices = "1x*",
           .help = "which ones come out, in which order, from 1"});

GF_EXAMPLES({"mix:mono", "one channel, the mean of all"},
            {"mix:[0.5 0.5; 0.5 -0.5]", "middle and side of two channels"},
            {"mix:channels=[2 1]", "left and right change places"},
            {"mix:channels=[1 1 2]", "the first one twice"});

const gf_stage_type gf_stage_mix = {
    GF_STAGE_OF(mix),
    .group = "signal",
    .summary = "channels of channels: mono, stereo, some of them, or by a matrix",
    .use =
        "To bring many channels to few, to choose or swap some, or to take differences as leads of an EEG.",
    .formula = "out(d) = m(d, 1) in(1) + m(d, 2) in(2) + ..., in f32: the first product is rounded, each "
               "other one is "
               "added by fma, channels ascending; where m is 0 a channel takes no part.",
    .signal = signal,
};
