/* The reference: every node once more by its definition, over the whole signal, a channel at a time where no
 * node sees several. */
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

/* What of each value there is, at most. */
static void lengths(const struct gf_signal_exec *exec, struct gf_signal_place *places)
{
    memset(places, 0, ((size_t)exec->plan->chain.n + 1) * sizeof *places);
    gf_signal_advance(exec->plan, places, 0, exec->plan->chain.n, exec->places[0].have, true);
}

int64_t gf_signal_judge_left(const struct gf_signal_exec *exec)
{
    struct gf_signal_place places[GF_SIGNAL_VALUES];
    lengths(exec, places);
    return places[exec->plan->chain.n].have;
}

/* A barrier over the whole signal in one piece. Returns the frames that it makes, -1 without memory. */
static int64_t wait(const struct gf_lowered_node *node, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_barrier *barrier = gf_signal_barrier_of(&node->node);
    const void *args = node->node.args;
    const int32_t channels = node->channels;
    char *seen = calloc((size_t)channels, barrier->seen_bytes + 1);
    struct gf_signal_range range = {0, -1};
    for (int32_t c = 0; seen && barrier->observe && c < channels; c++) {
        if (gf_signal_acts_on(node, c)) {
            barrier->observe(args, seen + (size_t)c * barrier->seen_bytes, in + c * frames, 0, frames);
        }
    }
    range = seen ? barrier->settle(args, seen, channels, frames) : range;
    for (int32_t c = 0; seen && c < channels && range.count > 0; c++, out += range.count) {
        const float *x = in + c * frames + range.first;
        for (int64_t i = 0; i < range.count; i++) {
            out[i] = barrier->backward ? x[range.count - 1 - i] : x[i];
        }
        if (barrier->apply && gf_signal_acts_on(node, c)) { /* of none that goes backward */
            barrier->apply(args, seen + (size_t)c * barrier->seen_bytes, out, range.first, range.count);
        }
    }
    free(seen);
    return range.count;
}

/* Makes the output of a node and returns its frames. */
static int64_t judge(const struct gf_lowered_node *lowered, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_node *node = &lowered->node;
    if (gf_signal_barrier_of(node)) {
        return wait(lowered, in, frames, out);
    }
    const int64_t length = node->kernel->length(node->args, frames);
    for (int32_t c = 0; c < (node->kernel->outputs ? 1 : lowered->channels); c++) {
        if (!node->kernel->judge_whole) {
            node->kernel->judge(node->args, in + c * frames, frames, out + c * length);
        } else if (!node->kernel->judge_whole(node->args, in + c * frames, frames, out + c * length)) {
            return -1;
        }
    }
    for (int32_t c = 0; c < lowered->channels && (lowered->acts || lowered->passes) && frames > 0; c++) {
        if (!gf_signal_acts_on(lowered, c)) {
            memcpy(out + c * frames, in + c * frames, (size_t)frames * sizeof *out);
        }
    }
    return length;
}

gf_status gf_signal_judge_end(struct gf_signal_exec *exec, float *out, int64_t pitch, int64_t *made,
                              gf_error *error)
{
    const struct gf_lowered_signal *chain = &exec->plan->chain;
    const size_t channels = (size_t)exec->plan->input.channels, outputs = (size_t)chain->channels;
    struct gf_signal_place places[GF_SIGNAL_VALUES];
    int64_t most = 1, frames = exec->places[0].have;
    lengths(exec, places);
    for (int32_t i = 0; i <= chain->n; i++) {
        const int64_t samples = places[i].have * gf_signal_channels(exec->plan, i);
        most = samples > most ? samples : most;
    }
    float *value[2] = {malloc((size_t)most * sizeof *out), malloc((size_t)most * sizeof *out)};
    const bool has_memory = value[0] && value[1];
    gf_status status = GF_OK;
    for (size_t c = 0; has_memory && c < channels && frames > 0; c++) {
        memcpy(value[0] + c * (size_t)frames, exec->whole.data + c * (size_t)exec->whole.room,
               (size_t)frames * sizeof *out);
    }
    for (int32_t i = 0; has_memory && i < chain->n && frames >= 0; i++) {
        frames = judge(&chain->nodes[i], value[i % 2], frames, value[(i + 1) % 2]);
        do {
            for (int32_t c = 0; status == GF_OK && c < gf_signal_channels(exec->plan, i + 1); c++) {
                status = gf_signal_measures_see(exec, i, c, value[(i + 1) % 2] + c * frames, frames, error);
            }
        } while (status == GF_OK && gf_signal_measures_again(exec, i));
    }
    for (size_t c = 0; has_memory && c < outputs && frames > 0; c++) {
        memcpy(out + c * (size_t)pitch, value[chain->n % 2] + c * (size_t)frames,
               (size_t)frames * sizeof *out);
    }
    *made = frames > 0 ? frames : 0;
    free(value[0]);
    free(value[1]);
    return has_memory && frames >= 0 ? status : gf_fail(error, GF_ERROR_MEMORY, "out of memory");
}
