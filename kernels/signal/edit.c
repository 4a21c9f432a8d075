/* What is done to frames by their number, and to channels: shift, fade, dither and mix. Judges are plain loops. */
#include "signal/edit.h"

#include "base/cpu_level.h"
#include "signal/signal_cuda.h"
#include "signal/signal_rows.h"

#include <math.h>
#include <string.h>

static size_t no_state(const void *args)
{
    (void)args;
    return 0;
}

static int64_t same(const void *args, int64_t frames)
{
    (void)args;
    return frames;
}

static int64_t within(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* ---- shift ------------------------------------------------------------------------------------------------ */

static int64_t shift_kept(const struct gf_signal_shift *a, int64_t frames)
{
    return within(frames, a->start, a->stop) - a->start;
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
    return within(a->start + frame - a->before, a->start, a->stop);
}

/* The last frame that is kept so far, which those behind it may repeat. */
static size_t shift_state(const void *args)
{
    (void)args;
    return 16;
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

static void fill(float value, int64_t first, int64_t end, float *y)
{
    for (int64_t i = first; i < end; i++) {
        y[i] = value;
    }
}

/* Frames of the output that are kept ones, relative to out->first: from *first up to *end. */
static void shift_part(const struct gf_signal_shift *a, const struct gf_track *in, const struct gf_track *out,
                       int64_t *first, int64_t *end)
{
    const int64_t there = shift_kept(a, in->first + in->count);
    *first = within(a->before - out->first, 0, out->count);
    *end = within(a->before + there - out->first, *first, out->count);
}

static void shift_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                      const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_shift *a = args;
    int64_t first, end;
    (void)frames;
    shift_part(a, in, out, &first, &end);
    for (int32_t c = 0; c < channels; c++) {
        float *last = (float *)(void *)((char *)state + (size_t)c * shift_state(args));
        float *y = out->data + c * out->pitch;
        if (end > first) {
            memcpy(y + first,
                   in->data + c * in->pitch + (out->first + first - a->before + a->start - in->first),
                   (size_t)(end - first) * sizeof *y);
            *last = y[end - 1];
        }
        if (first > 0) {
            const bool has = shift_kept(a, in->first + in->count) > 0;
            const float edge = has ? in->data[c * in->pitch + a->start - in->first] : 0.0F;
            fill(a->border == 1 ? edge : a->value, 0, first, y);
        }
        fill(a->border == 1 ? *last : a->value, end, out->count, y);
    }
}

const struct gf_signal_kernel gf_signal_shift = {.name = "shift",
                                                 .length = shift_length,
                                                 .ready = shift_ready,
                                                 .needs = shift_needs,
                                                 .state_bytes = shift_state,
                                                 .judge = shift_judge,
                                                 .run_cpu = shift_run,
                                                 .scratch_bytes = gf_signal_shift_cuda_scratch,
                                                 .run_cuda = gf_signal_shift_cuda};

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

static void fade_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                     const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_fade *a = args;
    (void)state;
    for (int32_t c = 0; c < channels; c++) {
        const float *x = in->data + c * in->pitch + (out->first - in->first);
        for (int64_t i = 0; i < out->count; i++) {
            out->data[c * out->pitch + i] = gf_fade_frame(a, x[i], out->first + i, frames);
        }
    }
}

const struct gf_signal_kernel gf_signal_fade = {.name = "fade",
                                                .length = same,
                                                .ready = fade_ready,
                                                .needs = same,
                                                .state_bytes = no_state,
                                                .judge = fade_judge,
                                                .run_cpu = fade_run,
                                                .scratch_bytes = gf_signal_fade_cuda_scratch,
                                                .run_cuda = gf_signal_fade_cuda};

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
        const uint64_t bits =
            gf_drawn((uint64_t)(i % frames) * GF_SIGNAL_CHANNELS + (uint64_t)(i / frames));
        const double first = (double)(bits >> 40), second = (double)(bits >> 16 & 0xffffff);
        const double whole = rint(in[i] / step + (first - second) / 16777216) + 0.0; /* -0 is +0 */
        out[i] = gf_canonical((float)(whole * step));
    }
}

static void dither_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                       const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_dither *a = args;
    (void)state;
    (void)frames;
    for (int32_t c = 0; c < channels; c++) {
        const float *x = in->data + c * in->pitch + (out->first - in->first);
        for (int64_t i = 0; i < out->count; i++) {
            out->data[c * out->pitch + i] = gf_dither_frame(a, x[i], out->first + i, c);
        }
    }
}

const struct gf_signal_kernel gf_signal_dither = {.name = "dither",
                                                  .length = same,
                                                  .ready = same,
                                                  .needs = same,
                                                  .state_bytes = no_state,
                                                  .judge = dither_judge,
                                                  .run_cpu = dither_run,
                                                  .scratch_bytes = gf_signal_dither_cuda_scratch,
                                                  .run_cuda = gf_signal_dither_cuda,
                                                  .outputs = dither_outputs};

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
            const float gain = gf_bits_float((uint32_t)a->table[k + 1]), x = in[a->table[k] * frames + i % frames];
            y = k == from ? gain * x : gf_fma(gain, x, y);
        }
        out[i] = gf_canonical(y);
    }
}

static void mix_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_mix *a = args;
    (void)state;
    (void)frames;
    (void)channels;
    for (int32_t d = 0; d < a->outputs; d++) {
        GF_LEVEL_BEST(gf_signal_rows)
            .mix(a->table + a->table[d], a->table[d + 1] - a->table[d],
                 in->data + (out->first - in->first), in->pitch, out->count, out->data + d * out->pitch);
    }
}

const struct gf_signal_kernel gf_signal_mix = {.name = "mix",
                                               .length = same,
                                               .ready = same,
                                               .needs = same,
                                               .state_bytes = no_state,
                                               .judge = mix_judge,
                                               .run_cpu = mix_run,
                                               .scratch_bytes = gf_signal_mix_cuda_scratch,
                                               .run_cuda = gf_signal_mix_cuda,
                                               .table_bytes = mix_table_bytes,
                                               .outputs = mix_outputs};
