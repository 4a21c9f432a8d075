/* Weighted sums along time: fir, envelope, resample and gain. Judges are plain loops. */
#include "base/cpu_level.h"
#include "signal/frame_term.h"
#include "signal/resample_table.h"
#include "signal/signal_args.h"
#include "signal/signal_cuda.h"
#include "signal/signal_rows.h"
#include "signal/signal_sum.h"

static int64_t or_zero(int64_t frame)
{
    return frame > 0 ? frame : 0;
}

/* All channels of a call. */
static void run_sums(const struct gf_sum *s, const struct gf_track *in, int64_t frames,
                     const struct gf_track *out, int32_t channels)
{
    for (int32_t c = 0; c < channels; c++) {
        struct gf_track channel = *in;
        channel.data += c * in->pitch;
        GF_LEVEL_BEST(gf_signal_rows)
            .sums(s, &channel, frames, out->first, out->count, out->data + c * out->pitch);
    }
}

/* ---- fir ------------------------------------------------------------------------------------------------- */

static int64_t fir_ready(const void *args, int64_t frames)
{
    const struct gf_signal_fir *a = args;
    return or_zero(frames - a->centre);
}

static int64_t fir_needs(const void *args, int64_t frame)
{
    const struct gf_signal_fir *a = args;
    return or_zero(frame + a->centre - (a->taps - 1));
}

static size_t fir_table_bytes(const void *args)
{
    const struct gf_signal_fir *a = args;
    return (size_t)a->taps * sizeof *a->tap;
}

static void fir_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_fir *a = args;
    for (int64_t n = 0; n < frames; n++) {
        float chain[GF_SUM_CHAINS] = {0};
        for (int32_t k = 0; k < a->taps; k++) {
            const int64_t i = n + a->centre - k;
            float x = i >= 0 && i < frames ? in[i] : 0.0F;
            if (a->border == 1 && i < 0) {
                x = in[0];
            } else if (a->border == 1 && i >= frames) {
                x = in[frames - 1];
            }
            chain[k % GF_SUM_CHAINS] = gf_fma(a->tap[k], x, chain[k % GF_SUM_CHAINS]);
        }
        out[n] = gf_canonical(gf_sum_fold(chain));
    }
}

static void fir_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_fir *a = args;
    const struct gf_sum s = {1, 1, a->taps, a->centre, a->border, a->tap};
    (void)state;
    run_sums(&s, in, frames, out, channels);
}

const struct gf_signal_kernel gf_signal_fir = {
    .name = "fir",
    .length = gf_signal_same,
    .ready = fir_ready,
    .needs = fir_needs,
    .state_bytes = gf_signal_no_state,
    .judge = fir_judge,
    .run_cpu = fir_run,
    .scratch_bytes = gf_signal_fir_cuda_scratch,
    .run_cuda = gf_signal_fir_cuda,
    .table_bytes = fir_table_bytes,
};

/* ---- envelope: of fir's arguments ------------------------------------------------------------------------ */

static void envelope_judge(const void *args, const float *in, int64_t frames, float *out)
{
    fir_judge(args, in, frames, out);
    for (int64_t n = 0; n < frames; n++) {
        out[n] = gf_envelope_frame(in[n], out[n]);
    }
}

static void envelope_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                         const struct gf_track *out, int32_t channels)
{
    fir_run(args, state, in, frames, out, channels);
    for (int32_t c = 0; c < channels; c++) {
        const float *x = in->data + c * in->pitch + (out->first - in->first);
        float *y = out->data + c * out->pitch;
        for (int64_t i = 0; i < out->count; i++) {
            y[i] = gf_envelope_frame(x[i], y[i]);
        }
    }
}

const struct gf_signal_kernel gf_signal_envelope = {
    .name = "envelope",
    .length = gf_signal_same,
    .ready = fir_ready,
    .needs = fir_needs,
    .state_bytes = gf_signal_no_state,
    .judge = envelope_judge,
    .run_cpu = envelope_run,
    .scratch_bytes = gf_signal_envelope_cuda_scratch,
    .run_cuda = gf_signal_envelope_cuda,
    .table_bytes = fir_table_bytes,
};

/* ---- resample -------------------------------------------------------------------------------------------- */

static int64_t resample_length(const void *args, int64_t frames)
{
    const struct gf_signal_resample *a = args;
    return frames / a->down * a->up + (frames % a->down * a->up + a->down - 1) / a->down;
}

static int64_t resample_ready(const void *args, int64_t frames)
{
    const struct gf_signal_resample *a = args;
    return resample_length(args, or_zero(frames - a->centre));
}

static int64_t resample_needs(const void *args, int64_t frame)
{
    const struct gf_signal_resample *a = args;
    int64_t phase;
    return or_zero(gf_resample_place(frame, a->up, a->down, &phase) + a->centre - (a->taps - 1));
}

static size_t resample_table_bytes(const void *args)
{
    return gf_resample_table_bytes(args);
}

/* The place moves on frame by frame: no product. */
static void resample_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_resample *a = args;
    const int64_t length = resample_length(args, frames);
    int64_t place = 0, phase = 0;
    for (int64_t n = 0; n < length; n++) {
        float chain[GF_SUM_CHAINS] = {0};
        for (int32_t k = 0; k < a->taps; k++) {
            const int64_t i = place + a->centre - k;
            const float x = i >= 0 && i < frames ? in[i] : 0.0F;
            chain[k % GF_SUM_CHAINS] = gf_fma(a->phase[phase * a->taps + k], x, chain[k % GF_SUM_CHAINS]);
        }
        out[n] = gf_canonical(gf_sum_fold(chain));
        phase += a->down;
        place += phase / a->up;
        phase %= a->up;
    }
}

static void resample_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                         const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_resample *a = args;
    const struct gf_sum s = {a->up, a->down, a->taps, a->centre, 0, a->phase};
    (void)state;
    run_sums(&s, in, frames, out, channels);
}

const struct gf_signal_kernel gf_signal_resample = {
    .name = "resample",
    .length = resample_length,
    .ready = resample_ready,
    .needs = resample_needs,
    .state_bytes = gf_signal_no_state,
    .judge = resample_judge,
    .run_cpu = resample_run,
    .scratch_bytes = gf_signal_resample_cuda_scratch,
    .run_cuda = gf_signal_resample_cuda,
    .table_bytes = resample_table_bytes,
};

/* ---- gain ------------------------------------------------------------------------------------------------ */

static void gain_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_gain *a = args;
    for (int64_t n = 0; n < frames; n++) {
        out[n] = gf_canonical(gf_fma(a->gain, in[n], a->offset));
    }
}

static void gain_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                     const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_gain *a = args;
    (void)state;
    (void)frames;
    for (int32_t c = 0; c < channels; c++) {
        GF_LEVEL_BEST(gf_signal_rows)
            .gain(a->gain, a->offset, in->data + c * in->pitch + (out->first - in->first), out->count,
                  out->data + c * out->pitch);
    }
}

const struct gf_signal_kernel gf_signal_gain = {
    .name = "gain",
    .length = gf_signal_same,
    .ready = gf_signal_same,
    .needs = gf_signal_same,
    .state_bytes = gf_signal_no_state,
    .judge = gain_judge,
    .run_cpu = gain_run,
    .scratch_bytes = gf_signal_gain_cuda_scratch,
    .run_cuda = gf_signal_gain_cuda,
};
