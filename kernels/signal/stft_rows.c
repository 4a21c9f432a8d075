/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options. */
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "fourier/fft_lines.h"
#include "fourier/fft_vector.h"
#include "signal/stft.h"

#include <string.h>

static void taper(const struct gf_stft *stft, const float *x, float *y)
{
    const float *const w = stft->taper;
    const int32_t n = stft->size;
    double l[8] = {0};
    if (!stft->centred) {
        for (int32_t i = 0; i < n; i++) {
            y[i] = w[i] * x[i];
        }
        return;
    }
    for (int32_t i = 0; i < n - 7; i += 8) {
        for (int k = 0; k < 8; k++) {
            l[k] += (double)x[i + k];
        }
    }
    for (int32_t i = n / 8 * 8; i < n; i++) {
        l[i % 8] += (double)x[i];
    }
    const double sum = ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])), mean = sum / n;
    for (int32_t i = 0; i < n; i++) {
        y[i] = w[i] * (float)((double)x[i] - mean);
    }
}

/* ---- a spectrogram --------------------------------------------------------------------------------------- */

/* A bin of up to W columns, which are the lanes. */
INLINE void put(const struct gf_signal_spectrogram *args, const int scale, double factor, vec re, vec im,
                int64_t count, float *y)
{
    const struct gf_signal_spectrogram a = *args;
    float x[W], z[W], level[W];
    store(x, re);
    store(z, im);
    for (int l = 0; l < W; l++) {
        level[l] = gf_stft_level(&a, scale, factor, x[l], z[l]);
    }
    for (int64_t l = 0; l < count && count < W; l++) {
        y[l] = level[l];
    }
    if (count >= W) {
        store(y, load(level));
    }
}

/* The pairs of segments that begin at x, a segment a lane; the last one stands for those that there are not.
 */
static void turn_in(const struct gf_stft *s, const float *x, int64_t count, float *re, float *im)
{
    for (int32_t j = 0; j < s->size; j += W) {
        const int32_t n = s->size - j < W ? s->size - j : W;
        vec v[W];
        for (int64_t l = 0; l < W; l++) {
            const int64_t own = l < count ? l : count - 1;
            const float *from = x + (own - (GF_FAULT(segment_lane) && l == W - 1)) * s->hop + j;
            float rest[W] = {0}, taper_rest[W] = {0};
            if (n < W) {
                memcpy(rest, from, (size_t)n * sizeof *rest);
                memcpy(taper_rest, s->taper + j, (size_t)n * sizeof *rest);
            }
            v[l] = n < W ? load(taper_rest) * load(rest) : load(s->taper + j) * load(from);
        }
        turn_round(v);
        for (int32_t i = 0; i < n; i++) {
            store((i % 2 ? im : re) + (j + i) / 2 * W, v[i]);
        }
    }
}

/* Up to W columns of segments that begin at x: their pairs are transformed a segment a lane, as columns of a
 * picture are, and so no number changes its lane before it is a level where it belongs. */
INLINE void across(const struct gf_signal_spectrogram *a, const int scale, const float *x, int64_t count,
                   float *work, float *y, int64_t pitch)
{
    const struct gf_stft *s = a->stft;
    const struct gf_fft_plan *plan = s->plan;
    const int64_t h = s->size / 2;
    const double factor[] = {gf_stft_factor(s, 0), gf_stft_factor(s, 1)};
    const struct gf_fft_view z = {work, work + h * W, W, 1};
    const struct gf_fft_strip strip = {.from = z,
                                       .to = z,
                                       .stage = plan->row.stage,
                                       .stages = plan->row.stages,
                                       .lanes = W,
                                       .points = h,
                                       .scale = 1,
                                       .buffer = work + 2 * h * W};
    turn_in(s, x, count, z.re, z.im);
    GF_LEVEL_NAME(gf_fft_lines).strip(&strip);
    for (int64_t k = 0; k <= h; k++) {
        const int64_t at = k < h ? k * W : 0, mirror = k > 0 ? (h - k) * W : 0;
        const vec ar = load(z.re + at), ai = load(z.im + at), vr = set(plan->joined.re[k]);
        const vec br = load(z.re + mirror), bi = load(z.im + mirror), vi = set(plan->joined.im[k]);
        const vec dr = ar - br, di = ai + bi, half = set(0.5F);
        put(a, scale, factor[k > 0 && k < h], half * ((ar + br) + fused_minus(dr, vr, di * vi)),
            half * ((ai - bi) + fused(dr, vi, di * vr)), count, y + (h - k) * pitch);
    }
}

/* The same of spectra, of as many segments. */
INLINE void turn_out(const struct gf_signal_spectrogram *a, const int scale, const float *spectra,
                     int64_t count, float *y, int64_t pitch)
{
    const int32_t bins = a->stft->bins;
    const double factor[] = {gf_stft_factor(a->stft, 0), gf_stft_factor(a->stft, 1)};
    for (int64_t k = 0; k < bins; k++) {
        float re[W] = {0}, im[W] = {0};
        for (int64_t l = 0; l < count; l++) {
            re[l] = spectra[2 * (l * bins + k)];
            im[l] = spectra[2 * (l * bins + k) + 1];
        }
        put(a, scale, factor[k > 0 && 2 * k < a->stft->size], load(re), load(im), count,
            y + (bins - 1 - k) * pitch);
    }
}

INLINE void columns_of(const struct gf_signal_spectrogram *a, const int scale, const float *x,
                       const float *spectra, int64_t count, float *work, float *y, int64_t pitch)
{
    for (int64_t i = 0; i < count; i += W) {
        const int64_t some = count - i < W ? count - i : W;
        if (spectra) {
            turn_out(a, scale, spectra + 2 * i * a->stft->bins, some, y + i, pitch);
        } else {
            across(a, scale, x + i * a->stft->hop, some, work, y + i, pitch);
        }
    }
}

static void columns(const struct gf_signal_spectrogram *a, const float *x, const float *spectra,
                    int64_t count, float *work, float *y, int64_t pitch)
{
    if (a->scale == GF_LEVEL_DB) {
        columns_of(a, GF_LEVEL_DB, x, spectra, count, work, y, pitch);
    } else if (a->scale == GF_LEVEL_POWER) {
        columns_of(a, GF_LEVEL_POWER, x, spectra, count, work, y, pitch);
    } else {
        columns_of(a, GF_LEVEL_MAGNITUDE, x, spectra, count, work, y, pitch);
    }
}

/* Eight columns at a time, so that sums need not wait for each other; the last one stands for those that
 * there are not. */
static void bands(const struct gf_signal_spectrogram *a, const float *spectra, int64_t count, float *y,
                  int64_t pitch)
{
    enum { ACROSS = 8 };
    const struct gf_mel *mel = a->stft->mel;
    const double factors[] = {gf_stft_factor(a->stft, 0), gf_stft_factor(a->stft, 1)};
    for (int64_t n = 0; n < count; n += ACROSS) {
        const float *from[ACROSS];
        double sum[ACROSS] = {0}, next[ACROSS]; /* of band i - 1, and of band i */
        for (int l = 0; l < ACROSS; l++) {
            from[l] = spectra + 2 * (n + l < count ? n + l : count - 1) * a->stft->bins;
        }
        for (int32_t i = 0; i <= a->bands; i++) {
            memset(next, 0, sizeof next);
            for (int32_t k = mel->first[i]; k < mel->first[i + 1]; k++) {
                const double factor = factors[k > 0 && 2 * k < a->stft->size], rise = mel->rise[k],
                             fall = mel->fall[k];
                for (int l = 0; l < ACROSS; l++) {
                    const double power = gf_stft_power(factor, from[l][2 * k], from[l][2 * k + 1]);
                    sum[l] += fall * power;
                    next[l] += rise * power;
                }
            }
            for (int l = 0; i > 0 && l < ACROSS && n + l < count; l++) {
                y[(a->bands - i) * pitch + n + l] = gf_stft_level_of(a, a->scale, sum[l]);
            }
            memcpy(sum, next, sizeof sum);
        }
    }
}

static void product(float *x, const float *w, int32_t count)
{
    int32_t k = 0;
    for (; k + W <= count; k += W) {
        const vec a = load(x + 2 * k), b = load(x + 2 * k + W), c = load(w + 2 * k), d = load(w + 2 * k + W);
        const vec xr = SHUFFLE(a, b, EVEN, 0), xi = SHUFFLE(a, b, ODD, 0);
        const vec wr = SHUFFLE(c, d, EVEN, 0), wi = SHUFFLE(c, d, ODD, 0);
        const vec re = fused_minus(xr, wr, xi * wi), im = fused(xr, wi, xi * wr);
        store(x + 2 * k, SHUFFLE(re, im, ZIP_LOW, 0));
        store(x + 2 * k + W, SHUFFLE(re, im, ZIP_HIGH, 0));
    }
    for (; k < count; k++) {
        const float re = x[2 * k];
        x[2 * k] = gf_fma(re, w[2 * k], -(x[2 * k + 1] * w[2 * k + 1]));
        x[2 * k + 1] = gf_fma(re, w[2 * k + 1], x[2 * k + 1] * w[2 * k]);
    }
}

const struct gf_stft_rows GF_LEVEL_NAME(gf_stft_rows) = {taper, columns, bands, product};
