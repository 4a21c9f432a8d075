/* Combs and delays along time. */
#include "signal/frame_term.h"
#include "signal/signal_cuda.h"

static int64_t needs(const void *args, int64_t frame)
{
    const struct gf_signal_comb *a = args;
    return frame > a->delay ? frame - a->delay : 0;
}

/* y[n - delay] lies at (n mod delay) until y[n] takes its place. */
static size_t state_bytes(const void *args)
{
    const struct gf_signal_comb *a = args;
    return a->back != 0 ? ((size_t)a->delay * sizeof(float) + 15) / 16 * 16 : 0;
}

static void judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_comb *a = args;
    for (int64_t n = 0; n < frames; n++) {
        const bool before = n < a->delay;
        out[n] = gf_comb_term(a, in[n], before ? 0 : in[n - a->delay], before ? 0 : out[n - a->delay]);
    }
}

static void run_cpu(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_comb *a = args;
    (void)frames;
    for (int32_t c = 0; c < channels; c++) {
        const float *x = in->data + c * in->pitch;
        float *y = out->data + c * out->pitch;
        float *ring = (float *)(void *)((char *)state + (size_t)c * state_bytes(args));
        int64_t slot = out->first % a->delay;
        for (int64_t n = out->first; n < out->first + out->count; n++) {
            const float earlier = n < a->delay ? 0 : x[n - a->delay - in->first];
            const float v = gf_comb_term(a, x[n - in->first], earlier, a->back != 0 ? ring[slot] : 0);
            y[n - out->first] = v;
            if (a->back != 0) {
                ring[slot] = v;
                slot = slot + 1 < a->delay ? slot + 1 : 0;
            }
        }
    }
}

const struct gf_signal_kernel gf_signal_comb = {
    .name = "comb",
    .length = gf_signal_same,
    .ready = gf_signal_same,
    .needs = needs,
    .state_bytes = state_bytes,
    .judge = judge,
    .run_cpu = run_cpu,
    .scratch_bytes = gf_signal_comb_cuda_scratch,
    .run_cuda = gf_signal_comb_cuda,
};
