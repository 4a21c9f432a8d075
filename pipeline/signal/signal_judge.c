/* The reference: every node once more by its definition, a channel at a time over the whole signal. */
#include "base/status.h"
#include "signal/signal_exec.h"
#include "signal/signal_measure.h"

#include <stdlib.h>
#include <string.h>

gf_status gf_signal_judge_feed(struct gf_signal_exec *exec, const float *in, int64_t pitch, int64_t frames,
                               gf_error *error)
{
    struct gf_signal_whole *whole = &exec->whole;
    const int64_t have = exec->places[0].have;
    const int32_t channels = exec->plan->input.channels;
    if (have + frames > whole->room) {
        const int64_t room = 2 * (have + frames);
        float *data = malloc((size_t)room * (size_t)channels * sizeof *data);
        if (!data) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory: the reference holds the whole signal");
        }
        for (int32_t c = 0; c < channels && have > 0; c++) {
            memcpy(data + c * room, whole->data + c * whole->room, (size_t)have * sizeof *data);
        }
        free(whole->data);
        *whole = (struct gf_signal_whole){data, room};
    }
    for (int32_t c = 0; c < channels && frames > 0; c++) {
        memcpy(whole->data + c * whole->room + have, in + c * pitch, (size_t)frames * sizeof *in);
    }
    exec->places[0].have += frames;
    return GF_OK;
}

/* One channel; the two rows have room for the longest value. */
static const float *judge(struct gf_signal_exec *exec, int32_t channel, const float *in, int64_t frames,
                          float *const row[2], gf_status *status, gf_error *error)
{
    const struct gf_lowered_signal *chain = &exec->plan->chain;
    for (int32_t i = 0; i < chain->n; i++) {
        const struct gf_signal_node *node = &chain->nodes[i].node;
        node->kernel->judge(node->args, in, frames, row[i % 2]);
        in = row[i % 2];
        *status = *status == GF_OK ? gf_signal_measures_see(exec, i, channel, in, frames, error) : *status;
        frames = node->kernel->length(node->args, frames);
    }
    return in;
}

gf_status gf_signal_judge_end(struct gf_signal_exec *exec, float *out, int64_t pitch, gf_error *error)
{
    const struct gf_lowered_signal *chain = &exec->plan->chain;
    const int64_t frames = exec->places[0].have;
    int64_t longest = 1;
    gf_signal_advance(exec->plan, exec->places, 0, true);
    const int64_t length = exec->places[chain->n].have;
    for (int32_t i = 0; i <= chain->n; i++) {
        longest = exec->places[i].have > longest ? exec->places[i].have : longest;
    }
    float *row[2] = {malloc((size_t)longest * sizeof *out), malloc((size_t)longest * sizeof *out)};
    const bool has_memory = row[0] && row[1];
    gf_status status = GF_OK;
    for (int32_t c = 0; has_memory && c < chain->channels && length > 0; c++) {
        const float *in = frames > 0 ? exec->whole.data + c * exec->whole.room : row[1];
        memcpy(out + c * pitch, judge(exec, c, in, frames, row, &status, error),
               (size_t)length * sizeof *out);
    }
    free(row[0]);
    free(row[1]);
    return has_memory ? status : gf_fail(error, GF_ERROR_MEMORY, "out of memory");
}
