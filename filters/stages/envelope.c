/* envelope: how strong an oscillation is, without its waves. */
#include "design/design_math.h"
#include "design/fir_design.h"
#include "signal/signal_lowering.h"

#include <stdlib.h>

struct envelope {
    int64_t taps;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct envelope *p = params;
    const int64_t n = p->taps;
    double *taper = malloc((size_t)n * sizeof *taper);
    gf_error why = GF_ERROR_INIT;
    if (n % 2 == 0) {
        gf_signal_lower_fail(l, "taps", "taps is %d, must be odd", (int)n);
    }
    const gf_status status = taper ? gf_make_taper(GF_KAISER, 6, false, (int32_t)n, taper, &why)
                                   : gf_fail(&why, GF_ERROR_MEMORY, "out of memory");
    if (status != GF_OK) {
        gf_signal_lower_failed(l, status, &why);
    }
    for (int64_t k = 0; taper && k < n; k++) {
        const int64_t m = k - n / 2;
        taper[k] = m % 2 ? 2 / (GF_PI * (double)m) * taper[k] : 0;
    }
    gf_signal_lower_taps(l, taper, n, n / 2, 1);
    free(taper);
}

GF_PARAMS({GF_ROW_IN(INT, envelope, taps, "255", 3, GF_SIGNAL_TAPS),
           .help = "of the transformer, an odd number; the more, the lower the tones it is right for",
           .positional = 1});

GF_EXAMPLES({"bandpass:2kHz-4kHz,envelope", "how strongly a machine rings, stroke by stroke"},
            {"bandpass:8-12Hz:order=2,envelope:8191", "how strong the alpha waves of an EEG are"});

const gf_stage_type gf_stage_envelope = {
    GF_STAGE_OF(envelope),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "how strong an oscillation is, without its waves",
    .use = "Behind a bandpass, for the modulation of a tone: faults of bearings, bursts of an EEG, AM. For a "
           "level of all\nfrequencies rms.",
    .source = "The size of the analytic signal, as abs(scipy.signal.hilbert(x)), by a transformer of finite "
              "length.",
    .formula =
        "The root of x^2 + h^2, h the sum of taps 2 / (pi k) at odd places k from the middle, 0 at even "
        "ones, times\nKaiser's window of beta 6; zeros outside; times are kept. Within 1/1000 of 1 for "
        "tones\nfrom 3 rate / taps to as far below half the rate.",
    .signal = signal,
};
