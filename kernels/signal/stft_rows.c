/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options. */
#include "base/cpu_level.h"
#include "signal/stft.h"

enum { LANES = 8 };

/* Of frame i lane i mod 8 is the sum, and lanes are folded as those of stats. */
static double mean_of(const float *x, int32_t n)
{
    double lane[LANES] = {0};
    for (int32_t i = 0; i < n / LANES * LANES; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            lane[k] += (double)x[i + k];
        }
    }
    for (int32_t i = n / LANES * LANES; i < n; i++) {
        lane[i % LANES] += (double)x[i];
    }
    return (((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]))) /
           (double)n;
}

static void taper(const struct gf_stft *stft, const float *x, float *y)
{
    const float *const w = stft->taper;
    const int32_t n = stft->size;
    if (!stft->centred) {
        for (int32_t i = 0; i < n; i++) {
            y[i] = w[i] * x[i];
        }
        return;
    }
    const double mean = mean_of(x, n);
    for (int32_t i = 0; i < n; i++) {
        y[i] = w[i] * (float)((double)x[i] - mean);
    }
}

static void add_powers(const float *spectrum, int32_t bins, double *sum)
{
    for (int32_t k = 0; k < bins; k++) {
        const double re = (double)spectrum[2 * k], im = (double)spectrum[2 * k + 1];
        sum[k] += re * re + im * im;
    }
}

static inline __attribute__((always_inline)) void levels_of(const struct gf_signal_spectrogram *args, int scale,
                                                            const float *spectrum, float *level)
{
    const struct gf_signal_spectrogram a = *args;
    const int32_t n = a.stft->bins - 1; /* the first and the last one may count once */
    for (int32_t k = 1; k < n; k++) {
        level[k] = gf_spectrogram_level(&a, scale, a.factor, spectrum[2 * k], spectrum[2 * k + 1]);
    }
    for (int32_t k = 0; k <= n; k += n) {
        const double factor = a.factor / 2 * gf_stft_sides(a.stft->size, k);
        level[k] = gf_spectrogram_level(&a, scale, factor, spectrum[2 * k], spectrum[2 * k + 1]);
    }
}

static void levels(const struct gf_signal_spectrogram *a, const float *spectrum, float *level)
{
    if (a->scale == GF_LEVEL_DB) {
        levels_of(a, GF_LEVEL_DB, spectrum, level);
    } else if (a->scale == GF_LEVEL_POWER) {
        levels_of(a, GF_LEVEL_POWER, spectrum, level);
    } else {
        levels_of(a, GF_LEVEL_MAGNITUDE, spectrum, level);
    }
}

const struct gf_stft_rows GF_LEVEL_NAME(gf_stft_rows) = {taper, add_powers, levels};
