/* What a filter without delay has at its ends: the definition (docs/exactness.md), and what runs it. */
#include "signal/frame_term.h"
#include "signal/signal_cuda.h"

#include <string.h>

/* Of a signal of so many frames. */
static int64_t more(const void *args, int64_t frames)
{
    const int64_t most = ((const struct gf_signal_extend *)args)->frames;
    return frames > most ? most : frames > 0 ? frames - 1 : 0;
}

static int64_t length(const void *args, int64_t frames)
{
    return frames + 2 * more(args, frames);
}

/* How long the signal is decides on what stands in front of it. */
static int64_t ready(const void *args, int64_t frames)
{
    const int64_t most = ((const struct gf_signal_extend *)args)->frames;
    return frames > most ? frames + most : 0;
}

/* The frames behind the end read as far back from it. */
static int64_t needs(const void *args, int64_t frame)
{
    const int64_t first = frame - 3 * (int64_t)((const struct gf_signal_extend *)args)->frames - 1;
    return first > 0 ? first : 0;
}

static void run_cpu(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const int64_t most = ((const struct gf_signal_extend *)args)->frames;
    const int64_t m = frames < 0 ? most : more(args, frames), last = frames < 0 ? INT64_MAX : frames - 1;
    (void)state;
    for (int32_t c = 0; c < channels; c++) {
        const float *x = in->data + c * in->pitch - in->first;
        float *y = out->data + c * out->pitch;
        for (int64_t n = out->first - m; n < out->first + out->count - m; n++, y++) {
            *y = gf_extend_frame(x, last, n);
        }
    }
}

static void judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_track x = {(float *)(uintptr_t)in, 0, frames, frames}; /* which nobody changes */
    const struct gf_track y = {out, 0, length(args, frames), 0};
    run_cpu(args, NULL, &x, frames, &y, 1);
}

const struct gf_signal_kernel gf_signal_extend = {
    .name = "extend",
    .length = length,
    .ready = ready,
    .needs = needs,
    .state_bytes = gf_signal_no_state,
    .judge = judge,
    .run_cpu = run_cpu,
    .scratch_bytes = gf_signal_extend_cuda_scratch,
    .run_cuda = gf_signal_extend_cuda,
};

/* ---- backward -------------------------------------------------------------------------------------------- */

/* What gf_signal_extend has made of `frames` - 2 cut frames: of n, no more than cut + 1, it makes 3 n - 2. */
static int64_t cut_of(const struct gf_signal_reverse *a, int64_t frames)
{
    const int64_t most = a->cut;
    return frames > 3 * most ? most : (frames - (frames + 2) / 3) / 2;
}

static int64_t reverse_length(const void *args, int64_t frames)
{
    return frames - 2 * cut_of(args, frames);
}

static struct gf_signal_range reverse_settle(const void *args, void *seen, int32_t channels, int64_t frames)
{
    (void)seen;
    (void)channels;
    return (struct gf_signal_range){cut_of(args, frames), reverse_length(args, frames)};
}

const struct gf_signal_barrier gf_signal_reverse = {
    .kernel = {.name = "reverse", .length = reverse_length}, .backward = true, .settle = reverse_settle};
