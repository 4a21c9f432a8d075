/* The rms of a window along time. The squares of a window are summed in f64 by
 * powers of two: S_0 is a square, S_(k+1)(i) = S_k(i) + S_k(i + 2^k), and the sum is that of S_k for the bits
 * k of the size, from the lowest on, each from where the one before it ends. Frames outside count as 0. So it
 * takes a logarithm of the size for each frame, and is the same wherever the window lies. */
#include "base/cpu_level.h"
#include "signal/frame_term.h"
#include "signal/signal_cuda.h"
#include "signal/signal_rows.h"

static int64_t rms_ready(const void *args, int64_t frames)
{
    const struct gf_signal_rms *a = args;
    return frames > a->size / 2 ? frames - a->size / 2 : 0;
}

static int64_t rms_needs(const void *args, int64_t frame)
{
    const struct gf_signal_rms *a = args;
    return frame > a->size / 2 ? frame - a->size / 2 : 0;
}

/* Outputs that the CPU makes together. */
static int64_t together(const struct gf_signal_rms *a)
{
    return a->size > 2048 ? a->size : 2048;
}

static size_t rms_state_bytes(const void *args)
{
    const struct gf_signal_rms *a = args;
    return (size_t)(2 * together(a) + a->size) * sizeof(double) / 16 * 16 + 16;
}

/* S_k(i), with span = 2^k. */
static double judge_sum(const float *in, int64_t frames, int64_t i, int64_t span)
{
    if (span > 1) {
        return judge_sum(in, frames, i, span / 2) + judge_sum(in, frames, i + span / 2, span / 2);
    }
    return i >= 0 && i < frames ? (double)in[i] * (double)in[i] : 0.0;
}

static void rms_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_rms *a = args;
    for (int64_t n = 0; n < frames; n++) {
        int64_t from = n - a->size / 2;
        double sum = 0;
        for (int64_t span = 1; span <= a->size; span *= 2) {
            if (a->size & span) {
                sum += judge_sum(in, frames, from, span);
                from += span;
            }
        }
        out[n] = gf_rms_frame(a, in[n], sum, n, frames);
    }
}

static void rms_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_rms *a = args;
    const int64_t behind = in->first + in->count, most = together(a);
    double *sum = state, *square = sum + most; /* those of the first channel serve all */
    for (int64_t i = 0; i < out->count * channels;) {
        const int64_t at = i % out->count, n = out->first + at;
        const int64_t count = out->count - at < most ? out->count - at : most;
        const float *x = in->data + i / out->count * in->pitch - in->first;
        float *y = out->data + i / out->count * out->pitch + at;
        for (int64_t j = 0; j < count + a->size - 1; j++) {
            const int64_t frame = n - a->size / 2 + j;
            const double v = frame >= in->first && frame < behind ? (double)x[frame] : 0;
            square[j] = v * v;
        }
        GF_LEVEL_BEST(gf_signal_rows).window_sums(square, count, a->size, sum);
        for (int64_t j = 0; j < count; j++) {
            y[j] = gf_rms_frame(a, x[n + j], sum[j], n + j, frames < 0 ? INT64_MAX : frames);
        }
        i += count;
    }
}

const struct gf_signal_kernel gf_signal_rms = {
    .name = "rms",
    .length = gf_signal_same,
    .ready = rms_ready,
    .needs = rms_needs,
    .state_bytes = rms_state_bytes,
    .judge = rms_judge,
    .run_cpu = rms_run,
    .scratch_bytes = gf_signal_rms_cuda_scratch,
    .run_cuda = gf_signal_rms_cuda,
};
