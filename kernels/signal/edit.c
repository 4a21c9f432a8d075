/* shift, fade, dither and mix: judges, which are plain loops, and how many frames there are. */
#include "signal/edit.h"

#include "base/cpu_level.h"
#include "signal/signal_cuda.h"

#include <math.h>

#define KERNEL(word, ...)                                                                                    \
    static void word##_run(const void *args, void *state, const struct gf_track *in, int64_t frames,         \
                           const struct gf_track *out, int32_t channels)                                     \
    {                                                                                                        \
        GF_LEVEL_BEST(gf_edit_rows).word(args, state, in, frames, out, channels);                            \
    }                                                                                                        \
    const struct gf_signal_kernel gf_signal_##word = {.name = #word,                                         \
                                                      .judge = word##_judge,                                 \
                                                      .run_cpu = word##_run,                                 \
                                                      .scratch_bytes = gf_signal_##word##_cuda_scratch,      \
                                                      .run_cuda = gf_signal_##word##_cuda,                   \
                                                      __VA_ARGS__};

/* ---- shift ------------------------------------------------------------------------------------------------ */

static int64_t shift_kept(const struct gf_signal_shift *a, int64_t frames)
{
    return frames < a->start ? 0 : (frames < a->stop ? frames : a->stop) - a->start;
}

static int64_t shift_length(const void *args, int64_t frames)
{
    const struct gf_signal_shift *a = args;
    return a->before + shift_kept(a, frames) + a->after;
}

static int64_t shift_ready(const void *args, int64_t frames)
{
    const struct gf_signal_shift *a = args;
    const int64_t kept = shift_kept(a, frames);
    return kept == 0 ? 0 : a->before + kept + (frames >= a->stop ? a->after : 0);
}

static int64_t shift_needs(const void *args, int64_t frame)
{
    const struct gf_signal_shift *a = args;
    return a->start + (frame < a->before ? 0 : shift_kept(a, a->start + frame - a->before));
}

static size_t shift_state(const void *args)
{
    (void)args;
    return 4 * sizeof(float);
}

static void shift_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_shift *a = args;
    const int64_t kept = shift_kept(a, frames), length = shift_length(args, frames);
    for (int64_t n = 0; n < length; n++) {
        const int64_t i = n - a->before;
        if (i >= 0 && i < kept) {
            out[n] = in[a->start + i];
        } else if (a->border == 1) {
            out[n] = kept == 0 ? 0.0F : in[a->start + (i < 0 ? 0 : kept - 1)];
        } else {
            out[n] = a->value;
        }
    }
}

KERNEL(shift, .length = shift_length, .ready = shift_ready, .needs = shift_needs, .state_bytes = shift_state)

/* ---- fade ------------------------------------------------------------------------------------------------- */

static int64_t fade_ready(const void *args, int64_t frames)
{
    const struct gf_signal_fade *a = args;
    return frames > a->out ? frames - a->out : 0;
}

static void fade_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_fade *a = args;
    for (int64_t n = 0; n < frames; n++) {
        const int64_t place[2] = {n, frames - 1 - n}, length[2] = {a->in, a->out};
        double y = in[n];
        for (int k = 0; k < 2; k++) {
            if (place[k] < length[k]) {
                const double t = (double)place[k] / (double)length[k];
                const double weight = a->smooth ? t * t * (3 - 2 * t) : t;
                y *= weight;
            }
        }
        out[n] = gf_canonical((float)y);
    }
}

KERNEL(fade, .length = gf_signal_same, .ready = fade_ready, .needs = gf_signal_same,
       .state_bytes = gf_signal_no_state)

/* ---- dither ----------------------------------------------------------------------------------------------- */

/* All channels together, since the noise of each is its own. */
static int32_t dither_outputs(const void *args, int32_t channels)
{
    (void)args;
    return channels;
}

static void dither_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_dither *a = args;
    const double step = ldexp(1, 1 - a->bits);
    for (int64_t i = 0; i < frames * a->channels; i++) {
        const uint64_t bits = gf_drawn((uint64_t)(i % frames) * GF_SIGNAL_CHANNELS + (uint64_t)(i / frames));
        const double first = (double)(bits >> 40), second = (double)(bits >> 16 & 0xffffff);
        const double whole = rint(in[i] / step + (first - second) / 16777216) + 0.0; /* -0 is +0 */
        out[i] = gf_canonical((float)(whole * step));
    }
}

KERNEL(dither, .length = gf_signal_same, .ready = gf_signal_same, .needs = gf_signal_same,
       .state_bytes = gf_signal_no_state, .outputs = dither_outputs)

/* ---- mix -------------------------------------------------------------------------------------------------- */

static int32_t mix_outputs(const void *args, int32_t channels)
{
    (void)channels;
    return ((const struct gf_signal_mix *)args)->outputs;
}

static size_t mix_table_bytes(const void *args)
{
    const struct gf_signal_mix *a = args;
    return (size_t)a->table[a->outputs] * sizeof *a->table;
}

static void mix_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_mix *a = args;
    for (int64_t i = 0; i < frames * a->outputs; i++) {
        const int32_t from = a->table[i / frames], to = a->table[i / frames + 1];
        float y = 0.0F;
        for (int32_t k = from; k < to; k += 2) {
            const float gain = gf_bits_float((uint32_t)a->table[k + 1]);
            const float x = in[a->table[k] * frames + i % frames];
            y = k == from ? gain * x : gf_fma(gain, x, y);
        }
        out[i] = gf_canonical(y);
    }
}

KERNEL(mix, .length = gf_signal_same, .ready = gf_signal_same, .needs = gf_signal_same,
       .state_bytes = gf_signal_no_state, .table_bytes = mix_table_bytes, .outputs = mix_outputs)
