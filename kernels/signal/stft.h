/* Segments of a signal, tapered and transformed: what spectra and spectrograms are made of. */
#pragma once

#include "base/gf_math.h"
#include "gpufilter/fft.h"

#define GF_STFT_SIZE (1 << 20)

/* How segments are cut. Nothing of it changes once it is made, so that any number of threads may use it. */
struct gf_stft {
    int32_t size, hop;   /* frames of a segment, 2 to GF_STFT_SIZE, and from one to the next, from 1 on */
    int32_t bins;        /* size / 2 + 1 */
    int32_t batch;       /* segments that are transformed together */
    int32_t centred;     /* of each segment the mean is taken away */
    double sum, squares; /* of the taper, added in its order */
    size_t scratch_bytes;
    gf_fft_plan *of_batch, *of_one;
    float taper[];
};

/* Makes one of `size` numbers, rounded to f32; NULL: no memory. */
struct gf_stft *gf_stft_create(int32_t size, int32_t hop, int32_t centred, const double *taper);
void gf_stft_destroy(void *stft); /* NULL is fine */

/* Memory in which one thread makes spectra: a multiple of 16 bytes. */
size_t gf_stft_work_bytes(const struct gf_stft *stft);

/* Returns the spectra of `count` segments, at most `batch`, that begin at x, hop frames apart: `bins` complex
 * numbers each, one behind the other, in `work`. */
const float *gf_stft_run(const struct gf_stft *stft, const float *x, int32_t count, void *work);

/* The same of one segment, frame by frame, and transformed by the definition. */
const float *gf_stft_judge(const struct gf_stft *stft, const float *x, void *work);

/* Adds re^2 + im^2 of bin k to sum[k], in f64, rounded twice. */
void gf_stft_add_powers(const float *spectrum, int32_t bins, double *sum);

/* By what the power at bin k counts, as that of -k is left out: 2, but 1 for 0 and half the rate. */
static inline double gf_stft_sides(int32_t size, int32_t k)
{
    return k == 0 || 2 * k == size ? 1 : 2;
}

/* The columns of a spectrogram are spectra of segments, the highest frequency first, channels below each
 * other. A level is the power times `factor` (of the bins that count once, half of it), its root, or in dB
 * slope log2(power) + offset, at least 0. */
struct gf_signal_spectrogram {
    const struct gf_stft *stft;
    int32_t channels;
    enum { GF_LEVEL_DB, GF_LEVEL_POWER, GF_LEVEL_MAGNITUDE } scale;
    double factor, slope, offset;
};

/* The level of a bin; all but the last rounding is in f64. */
static inline float gf_spectrogram_level(const struct gf_signal_spectrogram *a, int scale, double factor,
                                         float re, float im)
{
    const double power = ((double)re * (double)re + (double)im * (double)im) * factor;
    const double infinity = (double)gf_bits_float(GF_INFINITY_BITS);
    double level = power;
    if (scale == GF_LEVEL_MAGNITUDE) {
        level = gf_sqrt_double(power);
    } else if (scale == GF_LEVEL_DB) {
        const double finite = gf_log2_core(power); /* defined, but unused, for 0, inf and NaN */
        level = power > 0.0 && power < infinity ? finite * a->slope + a->offset : power;
        level = level < 0.0 ? 0.0 : level;
    }
    return gf_canonical((float)level);
}

/* The runs of the CPU, once per SIMD level (stft_rows.c). */
struct gf_stft_rows {
    /* y[i] = taper[i] x[i] in f32, of x less its mean, rounded, where that is asked for. */
    void (*taper)(const struct gf_stft *stft, const float *x, float *y);
    void (*add_powers)(const float *spectrum, int32_t bins, double *sum);
    void (*levels)(const struct gf_signal_spectrogram *a, const float *spectrum, float *level);
};
extern const struct gf_stft_rows gf_stft_rows_baseline, gf_stft_rows_avx2, gf_stft_rows_avx512;
