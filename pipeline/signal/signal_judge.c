/* The reference: every node once more by its definition, over the whole signal, a channel at a time where no
 * node sees several. */
#include "base/status.h"
#include "signal/signal_exec.h"

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

/* Channels that lie behind each other; the two rows have room for the longest value. */
static const float *judge(const struct gf_lowered_signal *chain, const float *in, int32_t channels,
                          int64_t frames, float *const row[2])
{
    for (int32_t i = 0; i < chain->n; i++) {
        const struct gf_signal_node *node = &chain->nodes[i].node;
        const int64_t length = node->kernel->length(node->args, frames);
        for (int32_t c = 0; c < (node->kernel->outputs ? 1 : channels); c++) {
            node->kernel->judge(node->args, in + c * frames, frames, row[i % 2] + c * length);
        }
        channels = node->kernel->outputs ? node->kernel->outputs(node->args, channels) : channels;
        in = row[i % 2];
        frames = length;
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
    const bool together = exec->plan->together;
    const int32_t each = together ? exec->plan->input.channels : 1, made = together ? chain->channels : 1;
    const size_t bytes = (size_t)longest * (size_t)(together ? exec->plan->widest : 1) * sizeof *out;
    float *row[2] = {malloc(bytes), malloc(bytes)};
    const bool has_memory = row[0] && row[1];
    for (int32_t c = 0; has_memory && c < exec->plan->input.channels && length > 0; c += each) {
        for (int32_t k = 0; k < each && frames > 0; k++) {
            memcpy(row[1] + k * frames, exec->whole.data + (c + k) * exec->whole.room,
                   (size_t)frames * sizeof *out);
        }
        const float *right = judge(chain, row[1], each, frames, row);
        for (int32_t k = 0; k < made; k++) {
            memcpy(out + (c + k) * pitch, right + k * length, (size_t)length * sizeof *out);
        }
    }
    free(row[0]);
    free(row[1]);
    return has_memory ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "out of memory");
}
