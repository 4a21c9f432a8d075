/* pass: hands a signal on as it is, where a stage only looks at it. Whoever runs the chain copies on CUDA.
 * hold: the same of the whole signal, which is looked at several times. */
#include "signal/signal.h"

#include <string.h>

int64_t gf_signal_same(const void *args, int64_t frames)
{
    (void)args;
    return frames;
}

size_t gf_signal_no_state(const void *args)
{
    (void)args;
    return 0;
}

static void judge(const void *args, const float *in, int64_t frames, float *out)
{
    (void)args;
    if (frames > 0) {
        memcpy(out, in, (size_t)frames * sizeof *out);
    }
}

static void run_cpu(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    (void)state;
    (void)frames;
    for (int32_t c = 0; c < channels; c++) {
        judge(args, in->data + c * in->pitch + (out->first - in->first), out->count,
              out->data + c * out->pitch);
    }
}

const struct gf_signal_kernel gf_signal_pass = {.name = "pass",
                                                .length = gf_signal_same,
                                                .ready = gf_signal_same,
                                                .needs = gf_signal_same,
                                                .state_bytes = gf_signal_no_state,
                                                .judge = judge,
                                                .run_cpu = run_cpu};

static struct gf_signal_range all(const void *args, void *seen, int32_t channels, int64_t frames)
{
    (void)args;
    (void)seen;
    (void)channels;
    return (struct gf_signal_range){0, frames};
}

const struct gf_signal_barrier gf_signal_hold = {.kernel = {.name = "hold", .length = gf_signal_same},
                                                 .settle = all};
