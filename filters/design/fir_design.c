#include "design/fir_design.h"

#include "base/gf_num.h"
#include "base/status.h"
#include "design/design_parts.h"

#include <math.h>

/* Tapers are functions of x, -1 at the first tap and 1 at the last. */
static double taper_at(enum gf_taper kind, double beta, double x)
{
    static const double terms[][4] = {
        [GF_BOXCAR] = {1.0},
        [GF_HANN] = {0.5, 0.5},
        [GF_HAMMING] = {0.54, 0.46},
        [GF_BLACKMAN] = {0.42, 0.5, 0.08},
        [GF_BLACKMAN_HARRIS] = {0.35875, 0.48829, 0.14128, 0.01168},
    };
    double sum = 0.0;
    if (kind == GF_KAISER) {
        return gf_bessel_i0(beta * gf_sqrt_double((1.0 - x) * (1.0 + x))) / gf_bessel_i0(beta);
    }
    for (int i = 0; i < 4; i++) {
        sum += terms[kind][i] * gf_cos_pi(i * x);
    }
    return sum;
}

static double sinc(double x)
{
    return x == 0.0 ? 1.0 : gf_sine_pi(x) / (GF_PI * x);
}

gf_status gf_make_taper(enum gf_taper kind, double beta, bool periodic, int32_t count, double *taper,
                        gf_error *error)
{
    const int32_t last = count - 1 + periodic;
    GF_TRY(gf_check("number of taps", count, 1.0, GF_FIR_TAPS_MAX, "[]", error));
    GF_TRY(gf_check("beta", kind == GF_KAISER ? beta : 0.0, 0.0, 500.0, "[]", error));
    for (int32_t i = 0; i <= last / 2; i++) {
        const double value = count == 1 ? 1.0 : taper_at(kind, beta, (2.0 * i - last) / last);
        taper[i] = value;
        if (last - i < count) {
            taper[last - i] = value;
        }
    }
    return GF_OK;
}

gf_status gf_design_fir(const struct gf_fir *design, double *taps, gf_error *error)
{
    const enum gf_filter_kind kind = design->kind;
    const int32_t last = design->taps - 1;
    GF_TRY(gf_check_edges(kind, design->edge, error));
    GF_TRY(gf_make_taper(design->taper, design->beta, false, design->taps, taps, error));
    if (last % 2 && (kind == GF_HIGHPASS || kind == GF_BANDSTOP)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "taps of a highpass or bandstop are %d: must be an odd number", (int)design->taps);
    }
    const double low = 2.0 * design->edge[0], high = kind >= GF_BANDPASS ? 2.0 * design->edge[1] : 1.0;
    const double at = kind == GF_HIGHPASS ? 1.0 : kind == GF_BANDPASS ? 0.5 * (low + high) : 0.0;
    double sum = 0.0;
    for (int32_t i = 0; i <= last; i++) {
        const double m = i - 0.5 * last, below = low * sinc(low * m);
        taps[i] *= kind == GF_LOWPASS    ? below
                   : kind == GF_BANDSTOP ? below + (sinc(m) - high * sinc(high * m))
                                         : high * sinc(high * m) - below;
        sum += taps[i] * gf_cos_pi(at * m);
    }
    for (int32_t i = 0; i <= last; i++) {
        taps[i] /= sum;
    }
    return GF_OK;
}

double gf_kaiser_beta(double attenuation)
{
    const double a = attenuation;
    return a > 50.0   ? 0.1102 * (a - 8.7)
           : a > 21.0 ? 0.5842 * gf_exp_double(0.4 * gf_log_double(a - 21.0)) + 0.07886 * (a - 21.0)
                      : 0.0;
}

gf_status gf_kaiser_taps(double attenuation, double width, int32_t *taps, gf_error *error)
{
    GF_TRY(gf_check("attenuation in dB", attenuation, 8.0, 300.0, "[]", error));
    GF_TRY(gf_check("width of the transition, in cycles a sample,", width, 0.0, 0.5, "()", error));
    const double count = ceil((attenuation - 7.95) / 2.285 / (2.0 * GF_PI * width) + 1.0);
    GF_TRY(
        gf_check("number of taps for that attenuation and width", count, 1.0, GF_FIR_TAPS_MAX, "[]", error));
    *taps = (int32_t)count;
    return GF_OK;
}

/* The derivative, of order d, of the polynomials that are orthonormal on `window` places around 0 (Gram's),
 * at x. */
static void gram(int32_t window, int32_t order, int32_t d, double x, double *values)
{
    double older[GF_SAVGOL_ORDER_MAX + 1] = {0.0}, newer[GF_SAVGOL_ORDER_MAX + 1] = {0.0}; /* by derivative */
    double before = 0.0;
    newer[0] = 1.0 / gf_sqrt_double(window);
    values[0] = newer[d];
    for (int32_t k = 1; k <= order; k++) {
        const double n = window, after = 0.5 * k * gf_sqrt_double((n - k) * (n + k) / (4.0 * k * k - 1.0));
        for (int32_t j = d; j >= 0; j--) {
            const double next = (x * newer[j] + (j > 0 ? j * newer[j - 1] : 0.0) - before * older[j]) / after;
            older[j] = newer[j];
            newer[j] = next;
        }
        before = after;
        values[k] = newer[d];
    }
}

gf_status gf_design_savgol(int32_t window, int32_t order, int32_t derivative, double at, double *weights,
                           gf_error *error)
{
    double wanted[GF_SAVGOL_ORDER_MAX + 1], own[GF_SAVGOL_ORDER_MAX + 1];
    const double middle = 0.5 * (window - 1),
                 most = window <= GF_SAVGOL_ORDER_MAX ? window - 1 : GF_SAVGOL_ORDER_MAX;
    GF_TRY(gf_check("window in samples", window, 1.0, GF_FIR_TAPS_MAX, "[]", error));
    GF_TRY(gf_check("order", order, 0.0, most, "[]", error));
    GF_TRY(gf_check("derivative", derivative, 0.0, GF_SAVGOL_ORDER_MAX, "[]", error));
    gram(window, order, derivative, at - middle, wanted);
    for (int32_t i = 0; i < window; i++) {
        double sum = 0.0;
        gram(window, order, 0, i - middle, own);
        for (int32_t k = 0; k <= order; k++) {
            sum += wanted[k] * own[k];
        }
        weights[i] = sum;
    }
    return GF_OK;
}

static double lower_band(const struct gf_resample *design) /* of the input's */
{
    return design->up < design->down ? (double)design->up / (double)design->down : 1.0;
}

gf_status gf_resample_size(struct gf_resample *design, gf_error *error)
{
    GF_TRY(gf_check("up", (double)design->up, 1.0, GF_FIR_TAPS_MAX, "[]", error));
    GF_TRY(gf_check("down", (double)design->down, 1.0, GF_FIR_TAPS_MAX, "[]", error));
    GF_TRY(gf_check("attenuation in dB", design->attenuation, 20.0, 300.0, "[]", error));
    GF_TRY(gf_check("edge of the passband", design->edge, 0.0, 1.0, "()", error));
    GF_TRY(gf_check("multiple of taps", design->multiple, 1.0, 1024.0, "[]", error));
    const double width = 0.5 * lower_band(design) * (1.0 - design->edge);
    GF_TRY(gf_kaiser_taps(design->attenuation, width, &design->taps, error));
    const int32_t step = design->multiple % 2 ? 2 * design->multiple : design->multiple;
    design->taps = (design->taps + step - 1) / step * step;
    design->before = design->taps / 2 - 1;
    return GF_OK;
}

void gf_resample_table(const struct gf_resample *design, double *table)
{
    const double beta = gf_kaiser_beta(design->attenuation), half = design->taps / 2;
    const double cut = 0.5 * (1.0 + design->edge) * lower_band(design);
    for (int64_t phase = 0; phase < design->up; phase++) {
        double *row = table + phase * design->taps, sum = 0.0;
        for (int32_t t = 0; t < design->taps; t++) {
            const double place =
                (double)((int64_t)(t - design->before) * design->up - phase) / (double)design->up;
            row[t] = sinc(cut * place) * taper_at(GF_KAISER, beta, place / half);
            sum += row[t];
        }
        for (int32_t t = 0; t < design->taps; t++) {
            row[t] /= sum;
        }
    }
}
