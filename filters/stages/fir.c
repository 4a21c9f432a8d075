/* fir: a sum of taps, of a file or designed. */
#include "design/fir_design.h"
#include "signal/signal_lowering.h"

#include <stdlib.h>

struct fir {
    gf_list coefficients;
    double lowpass, highpass;
    gf_span bandpass, bandstop;
    int64_t taps, centre;
    int32_t window; /* words of taper[] */
    double beta;
};

static const enum gf_taper taper[] = {GF_KAISER, GF_HAMMING, GF_HANN, GF_BLACKMAN, GF_BOXCAR};

static void add(gf_signal_lowering *l, const struct fir *p, const double *values, int64_t n)
{
    const int64_t centre = p->centre == GF_AUTO ? n / 2 : p->centre;
    if (centre >= n) {
        gf_signal_lower_fail(l, "centre", "centre is %d, must be below %d, the number of taps", (int)centre,
                             (int)n);
    }
    gf_signal_lower_taps(l, values, n, centre, 0);
}

static void design(gf_signal_lowering *l, const struct fir *p, enum gf_filter_kind kind)
{
    static const char *const names[] = {"lowpass", "highpass", "bandpass", "bandstop"};
    const double one = kind == GF_LOWPASS ? p->lowpass : p->highpass;
    const gf_span two = kind == GF_BANDPASS ? p->bandpass : p->bandstop;
    const bool band = kind == GF_BANDPASS || kind == GF_BANDSTOP;
    const double rate = gf_signal_lower_rate_for(l, names[kind], band ? two.high : one);
    gf_error why = GF_ERROR_INIT;
    if (band && !(two.low > 0)) {
        gf_signal_lower_fail(l, names[kind], "%s begins at 0 Hz, must begin above it", names[kind]);
    }
    if (p->taps % 2 == 0 && (kind == GF_HIGHPASS || kind == GF_BANDSTOP)) {
        gf_signal_lower_fail(l, "taps", "taps of a %s are %d, must be an odd number", names[kind],
                             (int)p->taps);
    }
    const struct gf_fir wanted = {.kind = kind,
                                  .taps = (int32_t)p->taps,
                                  .edge = {(band ? two.low : one) / rate, two.high / rate},
                                  .taper = taper[p->window],
                                  .beta = p->beta};
    double *values = malloc((size_t)p->taps * sizeof *values);
    const gf_status status = !values    ? gf_fail(&why, GF_ERROR_MEMORY, "out of memory")
                             : rate > 0 ? gf_design_fir(&wanted, values, &why)
                                        : GF_ERROR_ARGUMENT; /* has been said */
    if (status == GF_OK) {
        add(l, p, values, p->taps);
    } else {
        gf_signal_lower_failed(l, status, &why);
    }
    free(values);
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct fir *p = params;
    const gf_list *list = &p->coefficients;
    const bool given[] = {p->lowpass > 0, p->highpass > 0, p->bandpass.high > 0, p->bandstop.high > 0};
    int32_t kind = GF_LOWPASS;
    while (kind < GF_BANDSTOP && !given[kind]) {
        kind++;
    }
    if ((list->rows > 0) + given[0] + given[1] + given[2] + given[3] != 1) {
        gf_signal_lower_fail(l, NULL,
                             "it takes one of these: taps as @taps.npy or [1 2 1], lowpass=, highpass=, "
                             "bandpass= or bandstop=");
    } else if (list->rows > 0) {
        add(l, p, list->more ? list->more : list->values, (int64_t)list->rows * list->columns);
    } else {
        design(l, p, (enum gf_filter_kind)kind);
    }
}

GF_PARAMS(
    {GF_ROW_IN(LIST, fir, coefficients, "", -1e30, 1e30), .choices = "1x*|*x1", .positional = 1,
     .help = "taps, that of the newest frame first, as lfilter has them; else one of the next four"},
    {GF_ROW_IN(NUMBER, fir, lowpass, "", 0, 1e12), .unit = "Hz",
     .help = "designs one that keeps what is below a frequency, where the gain is 1/2"},
    {GF_ROW_IN(NUMBER, fir, highpass, "", 0, 1e12), .unit = "Hz", .help = "what is above"},
    {GF_ROW_IN(SPAN, fir, bandpass, "", 0, 1e12), .unit = "Hz", .help = "what is between two"},
    {GF_ROW_IN(SPAN, fir, bandstop, "", 0, 1e12), .unit = "Hz", .help = "what is not between two"},
    {GF_ROW_IN(INT, fir, taps, "255", 1, GF_SIGNAL_TAPS),
     .help = "of a design; the more, the steeper; an odd number for highpass and bandstop"},
    {GF_ROW(CHOICE, fir, window, "kaiser"), .choices = "kaiser|hamming|hann|blackman|boxcar",
     .help = "what the taps of a design are multiplied by"},
    {GF_ROW_IN(NUMBER, fir, beta, "8", 0, 500),
     .help = "of kaiser; the more, the less passes in the stopband, and the wider the edge"},
    {GF_ROW_IN(INT, fir, centre, "auto", 0, GF_SIGNAL_TAPS - 1), .auto_word = "auto",
     .help =
         "the tap of the frame itself; auto: the middle one, or behind the middle; 0: all lie in the past"});

GF_EXAMPLES({"fir:lowpass=1kHz", "what is below 1 kHz, without delay and with all its waves in step"},
            {"fir:bandpass=300Hz-3.4kHz:taps=1023:window=blackman", "the band of speech, steeply"},
            {"fir:[0.25 0.5 0.25]", "taps of your own"},
            {"fir:[1 -0.95]:centre=0", "a filter of the past alone: pre-emphasis of speech"});

const gf_stage_type gf_stage_fir = {
    GF_STAGE_OF(fir),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "a sum of taps, of a file or designed",
    .use =
        "Where all frequencies are to be delayed alike, which recursive filters do not, or taps are given. "
        "lowpass\nand its neighbours take less time.",
    .source =
        "Designs as scipy.signal.firwin (scale=True), run as scipy.ndimage.convolve1d (mode='constant') "
        "or, with\ncentre=0, as scipy.signal.lfilter.",
    .formula = "y(n) is the sum of tap(k) x(n + centre - k), taps rounded to f32, in f32; zeros outside. A "
               "design has\nlinear phase and keeps times; of an even number of taps it is half a frame "
               "ahead. More than "
               "512 taps\nare summed by Fourier transforms, in blocks of at least seven times as many "
               "frames, which a "
               "live signal\nwaits for; what is not finite makes its blocks NaN.",
    .signal = signal,
};
