/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options. */
#include "base/cpu_level.h"
#include "signal/stft.h"

#include <string.h>

enum { LANES = 8 };

static void taper(const struct gf_stft *stft, const float *x, float *y)
{
    const float *const w = stft->taper;
    const int32_t n = stft->size;
    double l[LANES] = {0};
    if (!stft->centred) {
        for (int32_t i = 0; i < n; i++) {
            y[i] = w[i] * x[i];
        }
        return;
    }
    for (int32_t i = 0; i < n - LANES + 1; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            l[k] += (double)x[i + k];
        }
    }
    for (int32_t i = n / LANES * LANES; i < n; i++) {
        l[i % LANES] += (double)x[i];
    }
    const double sum = ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])), mean = sum / n;
    for (int32_t i = 0; i < n; i++) {
        y[i] = w[i] * (float)((double)x[i] - mean);
    }
}

static inline __attribute__((always_inline)) void levels_of(const struct gf_signal_spectrogram *args,
                                                            int scale, const float *spectrum, float *level)
{
    const struct gf_signal_spectrogram a = *args;
    const int32_t last = a.stft->bins - 1; /* it and the first one may count once */
    const double factor = 2 / (a.stft->sum * a.stft->sum);
    for (int32_t k = 1; k < last; k++) {
        level[k] = gf_stft_level(&a, scale, factor, spectrum[2 * k], spectrum[2 * k + 1]);
    }
    for (int32_t k = 0; k <= last; k += last) {
        level[k] = gf_stft_level(&a, scale, gf_stft_factor(a.stft, k), spectrum[2 * k], spectrum[2 * k + 1]);
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

typedef float four __attribute__((vector_size(16)));

/* Four levels of each of four columns. */
static inline void turn_four(const float *level, int32_t bins, float *y, int64_t pitch)
{
    four v[4], pair[4];
    for (int i = 0; i < 4; i++) {
        memcpy(&v[i], level + i * bins, sizeof v[i]);
    }
    for (int i = 0; i < 2; i++) {
        pair[2 * i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 4, 1, 5);
        pair[2 * i + 1] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 2, 6, 3, 7);
    }
    for (int k = 0; k < 4; k++) {
        const four low = pair[k / 2], high = pair[2 + k / 2];
        const four row = k % 2 ? __builtin_shufflevector(low, high, 2, 3, 6, 7)
                               : __builtin_shufflevector(low, high, 0, 1, 4, 5);
        memcpy(y - k * pitch, &row, sizeof row);
    }
}

static void turn(const float *level, int32_t bins, int64_t count, float *y, int64_t pitch)
{
    const int32_t fours = bins / 4 * 4;
    const int64_t whole = count / 4 * 4;
    for (int32_t k = 0; k < fours; k += 4) {
        for (int64_t i = 0; i < whole; i += 4) {
            turn_four(level + i * bins + k, bins, y + (bins - 1 - k) * pitch + i, pitch);
        }
    }
    for (int32_t k = 0; k < bins; k++) {
        for (int64_t i = k < fours ? whole : 0; i < count; i++) {
            y[(bins - 1 - k) * pitch + i] = level[i * bins + k];
        }
    }
}

const struct gf_stft_rows GF_LEVEL_NAME(gf_stft_rows) = {taper, levels, turn};
