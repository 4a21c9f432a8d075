/* Segments of a signal, tapered and transformed: what spectra and spectrograms are made of. */
#pragma once

#include "base/gf_math.h"
#include "gpufilter/fft.h"
#include "signal/signal.h"
#include "signal/signal_args.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_STFT_SIZE (1 << 20)
#define GF_MEL_BANDS 4096

/* Triangles over lines: band b is 0 at edge[b] and edge[b + 2] Hz and 1 at edge[b + 1]. Line k lies at k
 * line_hz; those from first[i] to first[i + 1] - 1 lie from edge[i] on, below edge[i + 1], where band i
 * rises, to rise[k], and band i - 1 falls, to fall[k]. */
struct gf_mel {
    int32_t bands, *first;
    double line_hz, *edge, *rise, *fall;
};

/* How segments are cut. It does not change once it is made, so that any number of threads may use it. */
struct gf_stft {
    int32_t size, hop;   /* frames of a segment, 2 to GF_STFT_SIZE, and from one to the next */
    int32_t bins;        /* size / 2 + 1 */
    int32_t batch;       /* segments that are transformed together */
    int32_t centred;     /* of each segment the mean is taken away */
    double sum, squares; /* of the taper, added in its order */
    size_t scratch_bytes;
    gf_fft_plan *plan;
    float *taper;       /* behind it */
    float *factors;     /* of overlap.c: `bins` complex numbers that spectra are multiplied by; else NULL */
    struct gf_mel *mel; /* of a spectrogram of bands; else NULL */
    float *taps;        /* that they were made of, owned, for whoever asks about the filter; else NULL */
};

/* Makes one of `size` numbers, rounded to f32, or ones where taper is NULL; NULL: no memory. */
struct gf_stft *gf_stft_create(int32_t size, int32_t hop, int32_t centred, const double *taper);
void gf_stft_destroy(void *stft); /* NULL is fine */

/* Gives it bands, for a signal at that rate: bands + 2 edges in Hz, ascending. false: no memory. */
bool gf_stft_make_mel(struct gf_stft *stft, const double *edge, int32_t bands, double rate);

/* Memory in which one thread makes spectra: a multiple of 16 bytes. */
size_t gf_stft_work_bytes(const struct gf_stft *stft);

/* Makes the spectra of `count` segments, at most `batch`, that begin at x, hop frames apart: `bins` complex
 * numbers each, one behind the other, in `work`. judged: by the definitions. */
gf_status gf_stft_run(const struct gf_stft *stft, const float *x, int32_t count, int judged, void *work,
                      float **spectra, gf_error *error);

/* Makes segments again, of `size` frames one behind the other, of the spectra that gf_stft_run has left in
 * `work`, whatever they have become. */
gf_status gf_stft_back(const struct gf_stft *stft, int judged, void *work, const float **x, gf_error *error);

/* For gf_signal_overlap; NULL after a failure. The caller destroys it. */
struct gf_stft *gf_signal_overlap_make(const struct gf_signal_fir *fir, gf_error *error);

/* A column of a spectrogram is the spectrum of a segment, the highest frequency first, channels below each
 * other. A level is the power of a tone, its root, or in dB slope log2(power) + offset, at least 0. */
enum { GF_LEVEL_DB, GF_LEVEL_POWER, GF_LEVEL_MAGNITUDE };
struct gf_signal_spectrogram {
    const struct gf_stft *stft;
    int32_t channels, scale;
    int32_t bands; /* of gf_signal_mel, which has a row for each, of the sum of their lines' powers; else 0 */
    double slope, offset;
};

/* What gf_signal_spectrogram_cuda gets: all columns of all channels (GF_STFT_WHOLE), or one of the steps
 * around gf_fft, for one channel: from frames to segments, `out` saying which, in scratch; from spectra there
 * to columns; for overlap.c spectra times factors, and from segments to those frames that are theirs. `state`
 * has the taper, or factors. */
enum gf_stft_step { GF_STFT_WHOLE, GF_STFT_TAPER, GF_STFT_LEVELS, GF_STFT_PRODUCT, GF_STFT_FRAMES };
struct gf_stft_cuda {
    const struct gf_stft *stft;
    const struct gf_signal_spectrogram *of;
    const struct gf_signal_overlap *fir; /* one of both is NULL */
    enum gf_stft_step step;
    const float *factors;   /* of the plan, on the device, for GF_STFT_WHOLE */
    struct gf_track frames; /* that GF_STFT_FRAMES makes */
};

/* Tells whether GF_STFT_WHOLE can do it. */
static inline int gf_stft_is_whole(const struct gf_stft *s)
{
    return s->size >= 256 && s->size <= 4096 && (s->size & (s->size - 1)) == 0;
}

/* Runs the steps for segments [out->first, out->first + out->count) of a channel; scratch is what so many
 * need. */
gf_status gf_stft_on_device(gf_queue queue, struct gf_stft_cuda *call, void *state, void *scratch,
                            const struct gf_track *in, int64_t frames, const struct gf_track *out,
                            gf_error *error);
size_t gf_stft_device_bytes(const struct gf_stft *stft, int64_t count);

/* 2, as the power at -k is left out, but 1 for 0 and half the rate. */
static inline double gf_stft_sides(const struct gf_stft *stft, int32_t k)
{
    return k == 0 || 2 * k == stft->size ? 1 : 2;
}

/* What the square of a number's size is multiplied by. */
static inline double gf_stft_factor(const struct gf_stft *stft, int32_t k)
{
    return gf_stft_sides(stft, k) / (stft->sum * stft->sum);
}

/* The power of a line by its factor. */
GF_HD double gf_stft_power(double factor, float re, float im)
{
    return ((double)re * (double)re + (double)im * (double)im) * factor;
}

/* The level of a power, of which the last rounding alone is to f32. */
GF_HD float gf_stft_level_of(const struct gf_signal_spectrogram *a, int scale, double power)
{
    const double infinity = (double)gf_bits_float(GF_INFINITY_BITS), log2 = gf_log2_core(power);
    const double db = power > 0.0 && power < infinity ? log2 * a->slope + a->offset : power;
    return gf_canonical((float)(scale == GF_LEVEL_POWER       ? power
                                : scale == GF_LEVEL_MAGNITUDE ? gf_sqrt_double(power)
                                : db < 0.0                    ? 0.0
                                                              : db));
}

GF_HD float gf_stft_level(const struct gf_signal_spectrogram *a, int scale, double factor, float re, float im)
{
    return gf_stft_level_of(a, scale, gf_stft_power(factor, re, im));
}

#define GF_STFT_ACROSS      32
#define GF_STFT_MOST_ACROSS 8192 /* frames, as lines of many lanes do not stay near */

/* The runs of the CPU, once per SIMD level (stft_rows.c). */
struct gf_stft_rows {
    /* y[i] = taper[i] x[i] in f32, of x less its mean, rounded, where that is asked for. */
    void (*taper)(const struct gf_stft *stft, const float *x, float *y);
    /* Makes `count` columns of a spectrogram, beside each other from y on, of the spectra of their segments;
     * or, where that is NULL, of the segments, which begin at x, of an even size without large primes. work:
     * room for GF_STFT_ACROSS floats for each frame of a segment, and for GF_STFT_ACROSS frames more. */
    void (*columns)(const struct gf_signal_spectrogram *a, const float *x, const float *spectra,
                    int64_t count, float *work, float *y, int64_t pitch);
    /* The same of bands, of spectra. */
    void (*bands)(const struct gf_signal_spectrogram *a, const float *spectra, int64_t count, float *y,
                  int64_t pitch);
    /* Complex numbers times others. */
    void (*product)(float *x, const float *w, int32_t count);
};
extern const struct gf_stft_rows gf_stft_rows_baseline, gf_stft_rows_avx2, gf_stft_rows_avx512;

#ifdef __cplusplus
}
#endif
