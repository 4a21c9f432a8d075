/* Recursive filters: the definition (docs/exactness.md), and what runs it. */
#include "base/cpu_level.h"
#include "signal/iir_rows.h"
#include "signal/signal_cuda.h"

#include <string.h>

static size_t state_bytes(const void *args)
{
    const struct gf_signal_iir *a = args;
    return GF_IIR_STATE_BYTES(a->made->states);
}

static size_t table_bytes(const void *args)
{
    const struct gf_signal_iir *a = args;
    return a->made->bytes;
}

static float frame(const struct gf_signal_iir_made *made, double *s, double x)
{
    for (int k = 0; k < made->sections; k++) {
        const struct gf_section *c = &made->section[k];
        const double y = gf_fma_double(c->b0, x, s[2 * k]);
        s[2 * k] = gf_fma_double(-c->a1, y, gf_fma_double(c->b1, x, s[2 * k + 1]));
        s[2 * k + 1] = gf_fma_double(-c->a2, y, c->b2 * x);
        x = y;
    }
    return gf_canonical((float)x);
}

/* from: how a block in front of the first frame ends, which is number 0 then; NULL: there is none. */
static void judge_from(const struct gf_signal_iir_made *made, const struct gf_dd *from, const float *in,
                       int64_t frames, float *out)
{
    const int n = made->states;
    struct gf_dd group[GF_IIR_LEVELS + 1][GF_IIR_STATES]; /* those that end where this block begins */
    if (from) {
        memcpy(group[0], from, (size_t)n * sizeof *from);
    }
    for (int64_t b = from != NULL, at = 0; at < frames; b++, at += GF_IIR_BLOCK) {
        struct gf_dd begin[GF_IIR_STATES], end[GF_IIR_STATES];
        double s[GF_IIR_STATES];
        memset(begin, 0, sizeof begin);
        memset(end, 0, sizeof end);
        int highest = 1;
        for (int k = GF_IIR_LEVELS - 1; k >= 0; k--) {
            if (!(b >> k & 1)) {
                continue;
            }
            if (highest) {
                memcpy(begin, group[k], sizeof begin);
                highest = 0;
            } else {
                gf_iir_join(made, k, begin, group[k], begin);
            }
        }
        for (int j = 0; j < n; j++) {
            s[j] = begin[j].hi;
        }
        for (int i = 0; i < GF_IIR_BLOCK && at + i < frames; i++) {
            const float x = in[at + i];
            const double finite = (double)gf_fma(x, 0.0F, x); /* or NaN */
            for (int j = 0; j < n; j++) {
                end[j].hi = gf_fma_double(gf_iir_sums(made)[i * n + j], finite, end[j].hi);
            }
            out[at + i] = frame(made, s, finite);
        }
        int k = 0;
        for (; b >> k & 1; k++) {
            gf_iir_join(made, k, group[k], end, end);
        }
        memcpy(group[k], end, sizeof end);
    }
}

static void judge(const void *args, const float *in, int64_t frames, float *out)
{
    judge_from(((const struct gf_signal_iir *)args)->made, NULL, in, frames, out);
}

static void run_cpu(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_iir_made *made = ((const struct gf_signal_iir *)args)->made;
    (void)frames;
    for (int32_t c = 0; c < channels; c++) {
        GF_LEVEL_BEST(gf_iir_rows)
            .channel(made, (char *)state + (size_t)c * state_bytes(args), out->first, out->count,
                     in->data + c * in->pitch + (out->first - in->first), out->data + c * out->pitch);
    }
}

const struct gf_signal_kernel gf_signal_iir = {
    .name = "iir",
    .length = gf_signal_same,
    .ready = gf_signal_same,
    .needs = gf_signal_same,
    .state_bytes = state_bytes,
    .judge = judge,
    .run_cpu = run_cpu,
    .scratch_bytes = gf_signal_iir_cuda_scratch,
    .run_cuda = gf_signal_iir_cuda,
    .table_bytes = table_bytes,
};

/* ---- from where it rests --------------------------------------------------------------------------------- */

enum { ALIGN = 256 * GF_IIR_BLOCK }; /* so that blocks, which are counted from 1, come in large groups */

static int64_t settled_ready(const void *args, int64_t frames)
{
    (void)args;
    return frames < ALIGN - GF_IIR_BLOCK ? 0 : (frames + GF_IIR_BLOCK) / ALIGN * ALIGN - GF_IIR_BLOCK;
}

static void rest(const struct gf_signal_iir_settled *a, float x, struct gf_dd *end)
{
    for (int j = 0; j < a->iir.made->states; j++) {
        end[j] = (struct gf_dd){a->state[j] * (double)gf_fma(x, 0.0F, x), 0.0};
    }
}

static void settled_judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_iir_settled *a = args;
    struct gf_dd end[GF_IIR_STATES];
    rest(a, frames > 0 ? in[0] : 0.0F, end);
    judge_from(a->iir.made, end, in, frames, out);
}

static void settled_run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                        const struct gf_track *out, int32_t channels)
{
    const int states = ((const struct gf_signal_iir_settled *)args)->iir.made->states;
    struct gf_track x = *in, y = *out;
    for (int32_t c = 0; c < channels && out->first == 0 && out->count > 0; c++) {
        double *own = (double *)(void *)((char *)state + (size_t)c * state_bytes(args));
        rest(args, in->data[c * in->pitch - in->first], (struct gf_dd *)(void *)(own + (size_t)(2 * states)));
    }
    x.first += GF_IIR_BLOCK;
    y.first += GF_IIR_BLOCK;
    run_cpu(args, state, &x, frames, &y, channels);
}

const struct gf_signal_kernel gf_signal_iir_settled = {
    .name = "iir_settled",
    .length = gf_signal_same,
    .ready = settled_ready,
    .needs = gf_signal_same,
    .state_bytes = state_bytes,
    .judge = settled_judge,
    .run_cpu = settled_run,
    .scratch_bytes = gf_signal_iir_settled_cuda_scratch,
    .run_cuda = gf_signal_iir_settled_cuda,
    .table_bytes = table_bytes,
};
