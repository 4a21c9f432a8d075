/* Segments on CUDA, through gf_fft: those of spectrograms that no single kernel makes, and blocks of taps. */
#include "base/status.h"
#include "fourier/fft_plan.h"
#include "signal/signal_cuda.h"
#include "signal/stft.h"

enum { WAITING = 1 << 22 /* frames between two kernels, about */ };

/* The plan with as many rows as wait at a time, which share its factors. */
static gf_fft_plan rows_of(const struct gf_stft *s, int64_t count)
{
    const int64_t most = WAITING / s->size > 1 ? WAITING / s->size : 1;
    gf_fft_plan plan = *s->plan;
    plan.shape.rows = count < most ? count : most;
    return plan;
}

/* Scratch memory: segments, then spectra, then what gf_fft needs. */
static size_t bytes_of(const gf_fft_plan *plan, int64_t numbers)
{
    return ((size_t)(plan->shape.rows * numbers) * sizeof(float) + 255) / 256 * 256;
}

size_t gf_stft_device_bytes(const struct gf_stft *s, int64_t count)
{
    const gf_fft_options options = GF_FFT_OPTIONS_INIT;
    const gf_fft_plan plan = rows_of(s, count);
    size_t bytes = 0;
    gf_fft_scratch(0, &options, &plan, &bytes, NULL); /* what fails fails again where it is used */
    return bytes_of(&plan, s->size) + bytes_of(&plan, 2 * s->bins) + bytes;
}

static gf_status run_rows(gf_queue queue, struct gf_stft_cuda *a, void *state, char *scratch,
                          const struct gf_track *in, int64_t frames, const struct gf_track *out,
                          gf_error *error)
{
    const gf_fft_plan plan = rows_of(a->stft, out->count);
    char *const to = scratch + bytes_of(&plan, a->stft->size), *rest = to + bytes_of(&plan, 2 * plan.half);
    float *const segments = (float *)(void *)scratch, *const spectra = (float *)(void *)to;
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    size_t bytes;
    GF_TRY(gf_fft_scratch(queue.device, &options, &plan, &bytes, error));
    a->step = GF_STFT_TAPER;
    GF_TRY(gf_signal_spectrogram_cuda(queue, a, state, segments, in, frames, out, 1, error));
    GF_TRY(gf_fft(queue, &options, &plan, segments, spectra, rest, bytes, error));
    a->step = a->fir ? GF_STFT_PRODUCT : GF_STFT_LEVELS;
    GF_TRY(gf_signal_spectrogram_cuda(queue, a, state, spectra, in, frames, out, 1, error));
    if (a->fir) {
        options.inverse = 1;
        GF_TRY(gf_fft(queue, &options, &plan, spectra, segments, rest, bytes, error));
        a->step = GF_STFT_FRAMES;
        GF_TRY(gf_signal_spectrogram_cuda(queue, a, state, segments, in, frames, out, 1, error));
    }
    return GF_OK;
}

gf_status gf_stft_on_device(gf_queue queue, struct gf_stft_cuda *a, void *state, void *scratch,
                            const struct gf_track *in, int64_t frames, const struct gf_track *out,
                            gf_error *error)
{
    const int64_t most = rows_of(a->stft, out->count).shape.rows;
    for (int64_t n = 0; n < out->count; n += most) {
        const struct gf_track y = {out->data + (a->fir ? 0 : n), out->first + n,
                                   out->count - n < most ? out->count - n : most, out->pitch};
        GF_TRY(run_rows(queue, a, state, scratch, in, frames, &y, error));
    }
    return GF_OK;
}
