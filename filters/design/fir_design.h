/* Filters of finite length: tapered sums of sines, local polynomials, and the tables of a resampler. What is
 * made is written where the caller has room; nothing depends on the C library's mathematics. */
#pragma once

#include "design/iir_design.h"

#include <stdbool.h>

/* What taps are multiplied by: scipy.signal.get_window's windows. */
enum gf_taper { GF_BOXCAR, GF_HANN, GF_HAMMING, GF_BLACKMAN, GF_BLACKMAN_HARRIS, GF_KAISER };

enum { GF_FIR_TAPS_MAX = 1 << 24, GF_SAVGOL_ORDER_MAX = 32 };

/* beta, 0 to 500, is Kaiser's. Symmetric as filters want them (fftbins=False), or periodic as spectra do. */
gf_status gf_make_taper(enum gf_taper kind, double beta, bool periodic, int32_t count, double *taper,
                        gf_error *error);

struct gf_fir {
    enum gf_filter_kind kind;
    int32_t taps;   /* highpass and bandstop: odd */
    double edge[2]; /* cycles a sample, where the gain is a half; lowpass and highpass have one */
    enum gf_taper taper;
    double beta;
};

/* scipy.signal.firwin: gain 1 at 0, of a highpass at 1/2, of a bandpass in the middle. Symmetric: the delay
 * is (taps - 1) / 2. */
gf_status gf_design_fir(const struct gf_fir *design, double *taps, gf_error *error);

/* Kaiser's beta for an attenuation in dB, and the taps for it with a transition from passband to stopband
 * that is `width` cycles a sample wide (scipy.signal.kaiserord with width 2 `width`). */
double gf_kaiser_beta(double attenuation);
gf_status gf_kaiser_taps(double attenuation, double width, int32_t *taps, gf_error *error);

/* Weights of `window` samples in a row, whose sum with them is the derivative, at place `at` from the first
 * sample, of the polynomial that fits them best. In the middle, at (window - 1) / 2:
 * savgol_coeffs(use='dot'). The rows for places 0, 1,
 * ... are what savgol_filter's mode='interp' does at the start, and those for window - 1, ... at the end.
 * Per sample: the caller multiplies by the rate to the power of `derivative`. */
gf_status gf_design_savgol(int32_t window, int32_t order, int32_t derivative, double at, double *weights,
                           gf_error *error);

/* A resampler by up / down, in lowest terms: output n is the sum over t of table[n down mod up][t]
 * x[floor(n down / up) - before + t]. The prototype is a sinc with Kaiser's taper, centred, so that sample
 * times are kept; it passes up to `edge` of the lower of both bands and stops by `attenuation` dB from that
 * band's end on. */
struct gf_resample {
    int64_t up, down;
    double attenuation; /* dB, 20 to 300 */
    double edge;        /* 0 to 1, neither included */
    int32_t multiple;   /* taps are rounded up to a multiple of this, and to an even number */
    int32_t taps;       /* of a phase: what gf_resample_size finds, */
    int32_t before;     /* and taps / 2 - 1 */
};

gf_status gf_resample_size(struct gf_resample *design, gf_error *error);

/* Writes up rows of taps. Each is divided by its sum, so that a constant stays one: what is left is rounding,
 * below taps 2^-53. */
void gf_resample_table(const struct gf_resample *design, double *table);
