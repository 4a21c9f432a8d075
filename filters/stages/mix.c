/* mix: channels of channels. */
#include "signal/signal_lowering.h"

#include <stdlib.h>

enum { BY_MATRIX, MONO, STEREO };

struct mix {
    gf_list m, channels;
    int32_t to;
};

/* Fills the rows of m for what channels= or a word says; 0: they do not fit. */
static int32_t by_channels(gf_signal_lowering *l, const gf_list *list, int32_t channels, double *m)
{
    for (int32_t d = 0; d < list->columns; d++) {
        const double c = list->values[d];
        if (c != (int32_t)c || c > channels) {
            gf_signal_lower_fail(l, "channels", "channels has %.10g, must be whole numbers from 1 to %d", c,
                                 channels);
            return 0;
        }
        m[d * channels + (int32_t)c - 1] = 1;
    }
    return list->columns;
}

static int32_t by_word(gf_signal_lowering *l, int32_t word, int32_t channels, double *m)
{
    if (word == STEREO && channels > 2) {
        gf_signal_lower_fail(l, "to", "stereo is of 1 or 2 channels, and there are %d: a matrix says which is where",
                             channels);
        return 0;
    }
    for (int32_t c = 0; c < (word == STEREO ? 2 : channels); c++) {
        m[word == MONO || channels == 1 ? c : c * channels + c] = word == MONO ? 1.0 / channels : 1;
    }
    return word == MONO ? 1 : 2;
}

static int32_t by_matrix(gf_signal_lowering *l, const gf_list *list, int32_t channels, double *m)
{
    if (list->columns != channels) {
        gf_signal_lower_fail(l, "m", "a row of m has %d numbers, must have %d, one for each channel", list->columns,
                             channels);
        return 0;
    }
    for (int32_t i = 0; i < list->rows * list->columns; i++) {
        m[i] = list->values[i];
    }
    return list->rows;
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct mix *p = params;
    const int32_t channels = gf_signal_lower_channels(l);
    if ((p->m.rows > 0) + (p->channels.rows > 0) + (p->to != BY_MATRIX) != 1) {
        gf_signal_lower_fail(l, NULL, "one of these says what comes out: mono, stereo, a list as [0.5 0.5; 1 0], or "
                                      "channels= as [2 1]");
        return;
    }
    double *m = calloc((size_t)GF_LIST_NUMBERS * (size_t)channels, sizeof *m);
    if (!m) {
        gf_signal_lower_unsupported(l, GF_ERROR_MEMORY, "out of memory");
        return;
    }
    const int32_t outputs = p->m.rows > 0          ? by_matrix(l, &p->m, channels, m)
                            : p->channels.rows > 0 ? by_channels(l, &p->channels, channels, m)
                                                   : by_word(l, p->to, channels, m);
    if (outputs > 0) {
        gf_signal_lower_mix(l, outputs, m);
    }
    free(m);
}

static const gf_param params[] = {
    {GF_ROW(LIST, mix, m, ""), .help = "a row for each channel that comes out, a number for each that goes in",
     .positional = 1},
    {GF_ROW(CHOICE, mix, to, "matrix"), .choices = "matrix|mono|stereo",
     .help = "matrix: that of m; mono: the mean of all channels; stereo: two, of one or two", .positional = 1},
    {GF_ROW_IN(LIST, mix, channels, "", 1, 1024), .choices = "1x*",
     .help = "which ones come out, in which order, from 1"},
    {0},
};

static const gf_example examples[] = {
    {"mix:mono", "one channel, the mean of all"},
    {"mix:[0.5 0.5; 0.5 -0.5]", "middle and side of two channels"},
    {"mix:channels=[2 1]", "left and right change places"},
    {"mix:channels=[1 1 2]", "the first one twice"},
    {0},
};

const gf_stage_type gf_stage_mix = {
    .struct_size = sizeof(gf_stage_type),
    .name = "mix",
    .group = "signal",
    .summary = "channels of channels: mono, stereo, some of them, or by a matrix",
    .use = "To bring many channels to few, to choose or swap some, or to take differences as leads of an EEG.",
    .formula = "out(d) = m(d, 1) in(1) + m(d, 2) in(2) + ..., in f32: the first product is rounded, each other one is "
               "added by fma, channels ascending; where m is 0 a channel takes no part.",
    .params = params,
    .params_size = sizeof(struct mix),
    .signal = signal,
    .examples = examples,
};
