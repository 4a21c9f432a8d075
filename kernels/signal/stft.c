#include "signal/stft.h"

#include "base/cpu_level.h"
#include "signal/signal.h"

#include <stdbool.h>
#include <stdlib.h>

enum { BATCH_FRAMES = 1 << 14, MOST_BATCH = 64, ALIGNED = 256 };

/* ---- segments -------------------------------------------------------------------------------------------- */

static gf_fft_options options_of(const char *algo)
{
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    options.array.algo = algo;
    options.array.threads = 1;
    return options;
}

static bool make_plan(struct gf_stft *s, int64_t rows, gf_fft_plan **plan)
{
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    shape.rows = rows;
    shape.columns = s->size;
    shape.real = 1;
    bool good = gf_fft_plan_create(&shape, plan, NULL) == GF_OK;
    for (int judged = 0; good && judged < 2; judged++) {
        const gf_fft_options options = options_of(judged ? "sequential" : NULL);
        size_t bytes = 0;
        good = gf_fft_scratch(GF_DEVICE_CPU, &options, *plan, &bytes, NULL) == GF_OK;
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
    s->size = size;
    s->hop = hop;
    s->bins = size / 2 + 1;
    s->batch = batch > MOST_BATCH ? MOST_BATCH : batch > 0 ? batch : 1;
    s->centred = centred;
    for (int32_t i = 0; i < size; i++) {
        s->taper[i] = (float)taper[i];
        s->sum += (double)s->taper[i];
        s->squares += (double)s->taper[i] * (double)s->taper[i];
    }
    if (!make_plan(s, s->batch, &s->of_batch) || !make_plan(s, 1, &s->of_one)) {
        gf_stft_destroy(s);
        return NULL;
    }
    return s;
}

void gf_stft_destroy(void *stft)
{
    struct gf_stft *s = stft;
    if (s) {
        gf_fft_plan_destroy(s->of_batch);
        gf_fft_plan_destroy(s->of_one);
        free(s);
    }
}

/* The beginning of `work` is scratch memory, aligned. */
static char *aligned(void *work)
{
    return (char *)(((uintptr_t)work + ALIGNED - 1) / ALIGNED * ALIGNED);
}

size_t gf_stft_work_bytes(const struct gf_stft *s)
{
    const size_t floats = (size_t)s->batch * (size_t)(s->size + 2 * s->bins);
    return ALIGNED + (s->scratch_bytes + floats * sizeof(float) + 15) / 16 * 16;
}

/* Transforms tapered segments, which lie behind the scratch memory, to behind them. */
static float *transform(const struct gf_stft *s, const gf_fft_plan *plan, const char *algo, int32_t row,
                        void *work)
{
    const gf_fft_options options = options_of(algo);
    float *const tapered = (float *)(void *)(aligned(work) + s->scratch_bytes);
    float *const spectra = tapered + (size_t)s->batch * (size_t)s->size;
    float *const to = spectra + (size_t)row * (size_t)(2 * s->bins);
    gf_fft((gf_queue){GF_DEVICE_CPU, NULL}, &options, plan, tapered + (size_t)row * (size_t)s->size, to,
           aligned(work), s->scratch_bytes, NULL);
    return spectra;
}

const float *gf_stft_run(const struct gf_stft *s, const float *x, int32_t count, void *work)
{
    float *const tapered = (float *)(void *)(aligned(work) + s->scratch_bytes), *spectra = NULL;
    for (int32_t i = 0; i < count; i++) {
        GF_LEVEL_BEST(gf_stft_rows).taper(s, x + (int64_t)i * s->hop, tapered + (size_t)i * (size_t)s->size);
    }
    if (count == s->batch) {
        return transform(s, s->of_batch, NULL, 0, work);
    }
    for (int32_t i = 0; i < count; i++) {
        spectra = transform(s, s->of_one, NULL, i, work);
    }
    return spectra;
}

const float *gf_stft_judge(const struct gf_stft *s, const float *x, void *work)
{
    float *const tapered = (float *)(void *)(aligned(work) + s->scratch_bytes);
    double lane[8] = {0};
    for (int32_t i = 0; i < s->size; i++) {
        lane[i % 8] += (double)x[i];
    }
    const double sum = ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
    for (int32_t i = 0; i < s->size; i++) {
        tapered[i] = s->taper[i] * (s->centred ? (float)((double)x[i] - sum / (double)s->size) : x[i]);
    }
    return transform(s, s->of_one, "sequential", 0, work);
}

void gf_stft_add_powers(const float *spectrum, int32_t bins, double *sum)
{
    GF_LEVEL_BEST(gf_stft_rows).add_powers(spectrum, bins, sum);
}

/* ---- a spectrogram --------------------------------------------------------------------------------------- */

static int64_t columns(const void *args, int64_t frames)
{
    const struct gf_stft *s = ((const struct gf_signal_spectrogram *)args)->stft;
    return frames < s->size ? 0 : (frames - s->size) / s->hop + 1;
}

static int64_t needs(const void *args, int64_t column)
{
    return column * ((const struct gf_signal_spectrogram *)args)->stft->hop;
}

static size_t state_bytes(const void *args)
{
    return gf_stft_work_bytes(((const struct gf_signal_spectrogram *)args)->stft);
}

static int32_t outputs(const void *args, int32_t channels)
{
    return channels * ((const struct gf_signal_spectrogram *)args)->stft->bins;
}

static bool judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_spectrogram *a = args;
    const struct gf_stft *s = a->stft;
    const int64_t length = columns(args, frames);
    void *work = malloc(gf_stft_work_bytes(s));
    for (int64_t i = 0; work && i < length * a->channels; i++) {
        const int64_t c = i / length, n = i % length;
        const float *spectrum = gf_stft_judge(s, in + c * frames + n * s->hop, work);
        for (int32_t k = 0; k < s->bins; k++) {
            const double factor = gf_stft_sides(s->size, k) == 2 ? a->factor : a->factor / 2;
            out[(c * s->bins + s->bins - 1 - k) * length + n] =
                gf_spectrogram_level(a, a->scale, factor, spectrum[2 * k], spectrum[2 * k + 1]);
        }
    }
    free(work);
    return work != NULL;
}

/* Levels of some spectra become columns. */
static void turn(const float *level, int32_t bins, int32_t count, float *y, int64_t pitch)
{
    for (int32_t k = 0; k < bins; k++) {
        for (int32_t i = 0; i < count; i++) {
            y[(bins - 1 - k) * pitch + i] = level[(size_t)i * (size_t)bins + (size_t)k];
        }
    }
}

static void run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_spectrogram *a = args;
    const struct gf_stft *s = a->stft;
    float *level = (float *)(void *)(aligned(state) + s->scratch_bytes); /* in place of what was tapered */
    (void)frames;
    for (int64_t i = 0, some; i < out->count * channels; i += some) {
        const int64_t c = i / out->count, n = i % out->count;
        some = out->count - n < s->batch ? out->count - n : s->batch;
        const float *x = in->data + c * in->pitch + ((out->first + n) * s->hop - in->first);
        const float *spectra = gf_stft_run(s, x, (int32_t)some, state);
        for (int64_t j = 0; j < some; j++) {
            GF_LEVEL_BEST(gf_stft_rows).levels(a, spectra + j * 2 * s->bins, level + j * s->bins);
        }
        turn(level, s->bins, (int32_t)some, out->data + c * s->bins * out->pitch + n, out->pitch);
    }
}

const struct gf_signal_kernel gf_signal_spectrogram = {.name = "spectrogram",
                                                       .length = columns,
                                                       .ready = columns,
                                                       .needs = needs,
                                                       .state_bytes = state_bytes,
                                                       .judge_whole = judge,
                                                       .run_cpu = run,
                                                       .outputs = outputs};
