#include "signal/stft.h"

#include "base/cpu_level.h"
#include "base/status.h"
#include "fourier/fft_plan.h"
#include "signal/signal_cuda.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_FRAMES = 1 << 14, MOST_BATCH = 64, FEW = 4 /* segments: too few for lanes */, ALIGNED = 256 };

/* ---- segments -------------------------------------------------------------------------------------------- */

static gf_fft_options options_of(int judged)
{
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    options.array.algo = judged ? "sequential" : NULL;
    options.array.threads = 1;
    return options;
}

static bool make_plan(struct gf_stft *s)
{
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    shape.rows = s->batch;
    shape.columns = s->size;
    shape.real = 1;
    bool good = gf_fft_plan_create(&shape, &s->plan, NULL) == GF_OK;
    for (int judged = 0; good && judged < 2; judged++) {
        const gf_fft_options options = options_of(judged);
        size_t bytes = 0;
        good = gf_fft_scratch(GF_DEVICE_CPU, &options, s->plan, &bytes, NULL) == GF_OK;
        s->scratch_bytes = bytes > s->scratch_bytes ? bytes : s->scratch_bytes;
    }
    return good;
}

struct gf_stft *gf_stft_create(int32_t size, int32_t hop, int32_t centred, const double *taper)
{
    struct gf_stft *s = calloc(1, sizeof *s + (size_t)size * sizeof *s->taper);
    if (!s) {
        return NULL;
    }
    const int32_t batch = BATCH_FRAMES / size;
    s->taper = (float *)(void *)(s + 1);
    s->size = size;
    s->hop = hop;
    s->bins = size / 2 + 1;
    s->batch = batch > MOST_BATCH ? MOST_BATCH : batch > 0 ? batch : 1;
    s->centred = centred;
    for (int32_t i = 0; i < size; i++) {
        s->taper[i] = taper ? (float)taper[i] : 1;
        s->sum += (double)s->taper[i];
        s->squares += (double)s->taper[i] * (double)s->taper[i];
    }
    if (!make_plan(s)) {
        gf_stft_destroy(s);
        return NULL;
    }
    return s;
}

void gf_stft_destroy(void *stft)
{
    if (stft) {
        gf_fft_plan_destroy(((struct gf_stft *)stft)->plan);
        free(((struct gf_stft *)stft)->factors);
        free(((struct gf_stft *)stft)->taps);
        free(((struct gf_stft *)stft)->mel);
        free(stft);
    }
}

bool gf_stft_make_mel(struct gf_stft *s, const double *edge, int32_t bands, double rate)
{
    const size_t edges = (size_t)bands + 2, lines = (size_t)s->bins;
    struct gf_mel *mel =
        calloc(1, sizeof *mel + (edges + 2 * lines) * sizeof(double) + edges * sizeof *mel->first);
    if (!mel) {
        return false;
    }
    s->mel = mel;
    mel->bands = bands;
    mel->line_hz = rate / (double)s->size;
    mel->edge = (double *)(void *)(mel + 1);
    mel->rise = mel->edge + edges;
    mel->fall = mel->rise + lines;
    mel->first = (int32_t *)(void *)(mel->fall + lines);
    memcpy(mel->edge, edge, edges * sizeof *edge);
    for (int32_t i = 0, k = 0; i < bands + 2; i++) {
        for (; k < s->bins && mel->line_hz * k < edge[i]; k++) {
            if (i > 0) {
                mel->rise[k] = (mel->line_hz * k - edge[i - 1]) / (edge[i] - edge[i - 1]);
                mel->fall[k] = (edge[i] - mel->line_hz * k) / (edge[i] - edge[i - 1]);
            }
        }
        mel->first[i] = k;
    }
    return true;
}

/* Tells whether a spectrogram is made of a vector of segments at a time. */
static bool goes_across(const struct gf_stft *s)
{
    return gf_fft_pairs(s->plan) && s->plan->row.stages > 0 && s->size <= GF_STFT_MOST_ACROSS;
}

size_t gf_stft_work_bytes(const struct gf_stft *s)
{
    const size_t across = goes_across(s) ? (size_t)(s->size + GF_STFT_ACROSS) * GF_STFT_ACROSS : 0;
    const size_t floats = (size_t)s->batch * (size_t)(s->size + 2 * s->bins) + across;
    return ALIGNED + (s->scratch_bytes + floats * sizeof(float) + 15) / 16 * 16;
}

/* Memory to work in begins with scratch memory, which is aligned; then come tapered segments, and spectra. */
static float *tapered_in(const struct gf_stft *s, void *work, char **scratch)
{
    *scratch = (char *)(((uintptr_t)work + ALIGNED - 1) / ALIGNED * ALIGNED);
    return (float *)(void *)(*scratch + s->scratch_bytes);
}

/* As the rows do it, frame by frame. */
static void judge_taper(const struct gf_stft *s, const float *x, float *y)
{
    double lane[8] = {0};
    for (int32_t i = 0; i < s->size; i++) {
        lane[i % 8] += (double)x[i];
    }
    for (int k = 4; k > 0; k /= 2) {
        for (int i = 0; i < k; i++) {
            lane[i] += lane[i + k];
        }
    }
    for (int32_t i = 0; i < s->size; i++) {
        y[i] = s->taper[i] * (s->centred ? (float)((double)x[i] - lane[0] / (double)s->size) : x[i]);
    }
}

gf_status gf_stft_run(const struct gf_stft *s, const float *x, int32_t count, int judged, void *work,
                      float **spectra, gf_error *error)
{
    const gf_fft_options options = options_of(judged);
    char *scratch;
    float *tapered = tapered_in(s, work, &scratch), *to = tapered + (size_t)s->batch * (size_t)s->size;
    *spectra = to;
    for (int32_t i = 0; i < count; i++) {
        (judged ? judge_taper : GF_LEVEL_BEST(gf_stft_rows).taper)(s, x + (int64_t)i * s->hop,
                                                                   tapered + (size_t)i * (size_t)s->size);
    }
    memset(tapered + (size_t)count * (size_t)s->size, 0,
           (size_t)(s->batch - count) * (size_t)s->size * sizeof *tapered); /* they are transformed, too */
    return gf_fft((gf_queue){GF_DEVICE_CPU, NULL}, &options, s->plan, tapered, to, scratch, s->scratch_bytes,
                  error);
}

gf_status gf_stft_back(const struct gf_stft *s, int judged, void *work, const float **x, gf_error *error)
{
    gf_fft_options options = options_of(judged);
    char *scratch;
    float *to = tapered_in(s, work, &scratch);
    options.inverse = 1;
    *x = to;
    return gf_fft((gf_queue){GF_DEVICE_CPU, NULL}, &options, s->plan, to + (size_t)s->batch * (size_t)s->size,
                  to, scratch, s->scratch_bytes, error);
}

/* ---- a spectrogram --------------------------------------------------------------------------------------- */

static const struct gf_stft *stft_of(const void *args)
{
    return ((const struct gf_signal_spectrogram *)args)->stft;
}

static int64_t columns(const void *args, int64_t frames)
{
    const struct gf_stft *s = stft_of(args);
    return frames < s->size ? 0 : (frames - s->size) / s->hop + 1;
}

static int64_t needs(const void *args, int64_t column)
{
    return column * stft_of(args)->hop;
}

/* All channels are run one after the other, in memory that they share. */
static size_t state_bytes(const void *args)
{
    const size_t channels = (size_t)((const struct gf_signal_spectrogram *)args)->channels;
    return (gf_stft_work_bytes(stft_of(args)) / channels / 16 + 1) * 16;
}

/* Rows of a channel. */
static int32_t rows_of(const struct gf_signal_spectrogram *a)
{
    return a->bands ? a->bands : a->stft->bins;
}

static int32_t outputs(const void *args, int32_t channels)
{
    return channels * rows_of(args);
}

/* Column n of a channel in bands, by the definition. */
static void judge_bands(const struct gf_signal_spectrogram *a, const float *spectrum, float *out,
                        int64_t pitch)
{
    for (int32_t b = 0; b < a->bands; b++) {
        const double *edge = a->stft->mel->edge + b;
        double sum = 0;
        for (int32_t k = 0; k < a->stft->bins; k++) {
            const double hz = a->stft->mel->line_hz * k;
            const double weight =
                hz < edge[1] ? (hz - edge[0]) / (edge[1] - edge[0]) : (edge[2] - hz) / (edge[2] - edge[1]);
            if (hz >= edge[0] && hz < edge[2]) {
                sum +=
                    weight * gf_stft_power(gf_stft_factor(a->stft, k), spectrum[2 * k], spectrum[2 * k + 1]);
            }
        }
        out[(a->bands - 1 - b) * pitch] = gf_stft_level_of(a, a->scale, sum);
    }
}

/* Column n of a channel, by the definition. */
static void judge_column(const struct gf_signal_spectrogram *a, const float *spectrum, float *out,
                         int64_t pitch)
{
    for (int32_t k = 0; k < a->stft->bins; k++, spectrum += 2) {
        out[(a->stft->bins - 1 - k) * pitch] =
            gf_stft_level(a, a->scale, gf_stft_factor(a->stft, k), spectrum[0], spectrum[1]);
    }
}

/* The next columns of all channels; judged: by the definitions. */
static gf_status make(const struct gf_signal_spectrogram *a, int judged, const struct gf_track *in,
                      const struct gf_track *out, void *work, gf_error *error)
{
    const struct gf_stft *s = a->stft;
    char *scratch;
    float *across = tapered_in(s, work, &scratch) + (size_t)s->batch * (size_t)(s->size + 2 * s->bins);
    for (int64_t i = 0, some; i < out->count * a->channels; i += some) {
        const int64_t c = i / out->count, n = i % out->count;
        const float *x = in->data + c * in->pitch + ((out->first + n) * s->hop - in->first);
        float *y = out->data + c * rows_of(a) * out->pitch + n, *spectra = NULL;
        some = out->count - n < s->batch ? out->count - n : s->batch;
        if (judged || a->bands || some < FEW || !goes_across(s)) {
            GF_TRY(gf_stft_run(s, x, (int32_t)some, judged, work, &spectra, error));
        }
        for (int64_t j = 0; j < some && judged; j++) {
            (a->bands ? judge_bands : judge_column)(a, spectra + j * 2 * s->bins, y + j, out->pitch);
        }
        if (!judged && a->bands) {
            GF_LEVEL_BEST(gf_stft_rows).bands(a, spectra, some, y, out->pitch);
        } else if (!judged) {
            GF_LEVEL_BEST(gf_stft_rows).columns(a, x, spectra, some, across, y, out->pitch);
        }
    }
    return GF_OK;
}

static bool judge(const void *args, const float *in, int64_t frames, float *out)
{
    const int64_t length = columns(args, frames);
    const struct gf_track x = {(float *)(uintptr_t)in, 0, frames, frames}, y = {out, 0, length, length};
    void *work = calloc(1, gf_stft_work_bytes(stft_of(args)));
    const bool good = work && make(args, 1, &x, &y, work, NULL) == GF_OK;
    free(work);
    return good;
}

static gf_status run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                     const struct gf_track *out, int32_t channels, gf_error *error)
{
    (void)frames;
    (void)channels;
    return make(args, 0, in, out, state, error);
}

static gf_status run_cuda(gf_queue queue, const void *args, void *state, void *scratch,
                          const struct gf_track *in, int64_t frames, const struct gf_track *out,
                          int32_t channels, gf_error *error)
{
    const struct gf_stft *s = stft_of(args);
    struct gf_stft_cuda a = {.stft = s, .of = args};
    GF_TRY(out->first > 0 ? GF_OK
                          : gf_memory_copy(queue, GF_COPY_UPLOAD, state, s->taper,
                                           (size_t)s->size * sizeof *s->taper, error));
    if (gf_stft_is_whole(s)) {
        GF_TRY(gf_fft_factors_on(s->plan, queue.device, &a.factors, error));
        return gf_signal_spectrogram_cuda(queue, &a, state, scratch, in, frames, out, channels, error);
    }
    for (int32_t c = 0; c < channels; c++) {
        const struct gf_track x = {in->data + c * in->pitch, in->first, in->count, in->pitch};
        const struct gf_track y = {out->data + c * s->bins * out->pitch, out->first, out->count, out->pitch};
        GF_TRY(gf_stft_on_device(queue, &a, state, scratch, &x, frames, &y, error));
    }
    return GF_OK;
}

static size_t scratch_bytes(const void *args, int64_t most, int32_t channels)
{
    (void)channels;
    return gf_stft_is_whole(stft_of(args)) ? 0 : gf_stft_device_bytes(stft_of(args), most);
}

const struct gf_signal_kernel gf_signal_spectrogram = {.name = "spectrogram",
                                                       .length = columns,
                                                       .ready = columns,
                                                       .needs = needs,
                                                       .state_bytes = state_bytes,
                                                       .judge_whole = judge,
                                                       .try_cpu = run,
                                                       .scratch_bytes = scratch_bytes,
                                                       .run_cuda = run_cuda,
                                                       .outputs = outputs};

/* On CUDA, too, the CPU makes them. */
const struct gf_signal_kernel gf_signal_mel = {.name = "spectrogram",
                                               .length = columns,
                                               .ready = columns,
                                               .needs = needs,
                                               .state_bytes = state_bytes,
                                               .judge_whole = judge,
                                               .try_cpu = run,
                                               .outputs = outputs};
