/* savgol: smooths by polynomials, and keeps the height of peaks. */
#include "design/fir_design.h"
#include "signal/signal_lowering.h"

#include <stdlib.h>

struct savgol {
    int64_t window, order, derivative;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct savgol *p = params;
    const int64_t n = p->window, middle = (n - 1) / 2;
    gf_error why = GF_ERROR_INIT;
    if (n % 2 == 0) {
        gf_signal_lower_fail(l, "window", "window is %d, must be odd", (int)n);
        return;
    }
    double *weight = malloc((size_t)n * sizeof *weight);
    const gf_status status = !weight ? gf_fail(&why, GF_ERROR_MEMORY, "out of memory")
                                     : gf_design_savgol((int32_t)n, (int32_t)p->order, (int32_t)p->derivative,
                                                        (double)middle, weight, &why);
    float *tap = NULL;
    if (status == GF_OK) {
        tap = gf_signal_lower_fir(l, n, middle, 1);
    } else {
        gf_signal_lower_failed(l, status, &why);
    }
    for (int64_t i = 0; tap && i < n; i++) {
        double w = weight[n - 1 - i]; /* taps are mirrored */
        for (int64_t k = 0; k < p->derivative && gf_signal_lower_known_rate(l) > 0; k++) {
            w *= gf_signal_lower_known_rate(l);
        }
        tap[i] = (float)w;
    }
    free(weight);
}

GF_PARAMS({GF_ROW_IN(INT, savgol, window, "21", 1, 65535), .help = "frames, an odd number", .positional = 1},
          {GF_ROW_IN(INT, savgol, order, "3", 0, 32), .help = "of the polynomials, below the window"},
          {GF_ROW_IN(INT, savgol, derivative, "0", 0, 32),
           .help = "0: the smoothed signal; 1: its slope; ..."});

GF_EXAMPLES({"savgol:21", "smooths, and keeps peaks"},
            {"savgol:31:order=4:derivative=1", "the slope of a noisy curve"});

const gf_stage_type gf_stage_savgol = {
    GF_STAGE_OF(savgol),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "smooths by polynomials, and keeps the height of peaks",
    .use = "For spectra and measured curves, whose peaks a mean would flatten; derivative= for slopes.",
    .source =
        "A. Savitzky, M. J. E. Golay, Analytical Chemistry 36, 1964; weights as scipy.signal.savgol_coeffs.",
    .formula = "Of the window around each frame the polynomial of that order that fits best, at its middle; "
               "a sum of\n"
               "products in f32. Frames outside are the one at the edge. Derivatives are per second where "
               "the rate is known,\n"
               "else per frame.",
    .signal = signal,
};
