/* A call of feed or end: tiles of time through all nodes of a segment. Each lane walks the same way over its
 * channels. */
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "signal/signal_exec.h"
#include "signal/signal_measure.h"

#include <stdlib.h>
#include <string.h>

/* The next frames of the input, and what they make of the values behind it; false: there are no more. */
static bool step(const struct gf_signal_call *call, struct gf_signal_place *places, int64_t *done)
{
    const struct gf_signal_exec *exec = call->exec;
    const int64_t left = call->frames - *done, most = gf_signal_tile(exec), tile = left < most ? left : most;
    const bool ends = call->ends && tile == left;
    if (tile == 0 && !(ends && places[exec->first].total < 0)) {
        return false;
    }
    gf_signal_advance(exec->plan, places, exec->first, exec->end, tile, ends);
    *done += tile;
    return true;
}

/* How many frames at the beginning of value i go, once its node has run: those that are not read again, where
 * they are as many as stay, so that no copy overlaps itself and each frame moves seldom. */
static int64_t dropped(const struct gf_signal_call *call, const struct gf_signal_place *places, int32_t i)
{
    const struct gf_signal_node *node = &call->exec->plan->chain.nodes[i].node;
    int64_t needs = node->kernel->needs(node->args, places[i + 1].have);
    needs = needs > places[i].have ? places[i].have : needs;
    return needs - places[i].base >= places[i].have - needs ? needs - places[i].base : 0;
}

static void begin(const struct gf_signal_call *call, struct gf_signal_place *places)
{
    memcpy(places, call->exec->places, ((size_t)call->exec->plan->chain.n + 1) * sizeof *places);
    places[call->exec->first].total = -1;
}

/* ---- memory ---- */

/* Gives value i of a lane room for so many frames a channel, and keeps what it holds. */
static gf_status grow(struct gf_signal_exec *exec, struct gf_signal_lane *lane, int32_t i, int64_t room,
                      gf_error *error)
{
    const int64_t row = (int64_t)sizeof(float), channels = gf_signal_lane_channels(exec->plan, lane, i);
    const int64_t held = i < exec->end ? exec->places[i].have - exec->places[i].base : 0;
    void *memory = NULL;
    GF_TRY(exec->backend->allocate(exec->queue.device, (size_t)(room * channels * row), &memory, error));
    gf_status status = GF_OK;
    if (held > 0) {
        status = exec->backend->copy(exec->queue, GF_COPY_DEVICE, memory, room * row, lane->held[i],
                                     exec->room[i] * row, (size_t)(held * row), channels, error);
        status = status == GF_OK ? exec->backend->wait(exec->queue, error) : status;
    }
    exec->backend->release(exec->queue.device, lane->held[i]);
    lane->held[i] = memory;
    return status;
}

static gf_status reserve(struct gf_signal_exec *exec, int32_t i, int64_t room, gf_error *error)
{
    if (room <= exec->room[i]) {
        return GF_OK;
    }
    for (int32_t k = 0; k < exec->n_lanes; k++) {
        GF_TRY(grow(exec, &exec->lanes[k], i, room, error));
    }
    exec->room[i] = room;
    return GF_OK;
}

static gf_status reserve_scratch(struct gf_signal_exec *exec, int32_t i, int64_t most, gf_error *error)
{
    const struct gf_signal_node *node = &exec->plan->chain.nodes[i].node;
    const size_t bytes =
        node->kernel->scratch_bytes
            ? node->kernel->scratch_bytes(node->args, most, gf_signal_channels(exec->plan, i))
            : 0;
    if (bytes <= exec->scratch_bytes) {
        return GF_OK;
    }
    exec->backend->release(exec->queue.device, exec->scratch);
    exec->scratch = NULL;
    exec->scratch_bytes = 0;
    GF_TRY(exec->backend->allocate(exec->queue.device, bytes, &exec->scratch, error));
    exec->scratch_bytes = bytes;
    return GF_OK;
}

/* Walks once without samples: how much of each value is held at a time. */
static gf_status prepare(const struct gf_signal_call *call, gf_error *error)
{
    struct gf_signal_exec *exec = call->exec;
    const int32_t n = exec->end;
    const bool gpu = exec->plan->device >= 0;
    struct gf_signal_place *places = exec->lanes[0].places;
    int64_t done = 0;
    begin(call, places);
    for (;;) {
        int64_t made = places[n].have;
        if (!step(call, places, &done)) {
            return GF_OK;
        }
        for (int32_t i = exec->first; i < n; i++) {
            const int64_t held = places[i].have - places[i].base;
            GF_TRY(reserve(exec, i, held > 0 ? held : 1, error));
            GF_TRY(gpu ? reserve_scratch(exec, i, places[i + 1].have, error) : GF_OK);
            places[i].base += dropped(call, places, i);
        }
        GF_TRY(gpu ? reserve(exec, n, 1 + places[n].have - made, error) : GF_OK);
    }
}

/* ---- one lane ---- */

/* Rows of frames of value i of the lane, from host to device or back, or on the CPU either way. */
static gf_status copy(const struct gf_signal_call *call, const struct gf_signal_lane *lane, int32_t i,
                      gf_copy_kind kind, float *to, int64_t to_pitch, const float *from, int64_t from_pitch,
                      int64_t frames, gf_error *error)
{
    const int64_t row = (int64_t)sizeof(float);
    const int32_t channels = gf_signal_lane_channels(call->exec->plan, lane, i);
    const bool one = channels == 1; /* whose pitch may be anything */
    return frames <= 0
               ? GF_OK
               : call->exec->backend->copy(call->exec->queue, kind, to, (one ? frames : to_pitch) * row, from,
                                           (one ? frames : from_pitch) * row, (size_t)(frames * row),
                                           channels, error);
}

/* Frames of the channels that the node does not change. */
static gf_status pass_others(const struct gf_signal_call *call, const struct gf_signal_lane *lane, int32_t i,
                             const struct gf_track *in, const struct gf_track *out, gf_error *error)
{
    const struct gf_lowered_node *node = &call->exec->plan->chain.nodes[i];
    const int64_t bytes = out->count * (int64_t)sizeof(float);
    const int32_t channels = gf_signal_lane_channels(call->exec->plan, lane, i);
    for (int32_t c = 0; c < channels && (node->acts || node->passes) && bytes > 0; c++) {
        GF_TRY(gf_signal_acts_on(node, lane->first + c)
                   ? GF_OK
                   : call->exec->backend->copy(call->exec->queue, GF_COPY_DEVICE, out->data + c * out->pitch,
                                               bytes, in->data + c * in->pitch + (out->first - in->first),
                                               bytes, (size_t)bytes, 1, error));
    }
    return GF_OK;
}

/* The host runs a node for which there is nothing on the GPU: its frames go there and back. */
static gf_status run_on_host(const struct gf_signal_call *call, struct gf_signal_lane *lane, int32_t i,
                             const struct gf_track *in, const struct gf_track *out, gf_error *error)
{
    const struct gf_signal_exec *exec = call->exec;
    const struct gf_signal_node *node = &exec->plan->chain.nodes[i].node;
    const int32_t channels = gf_signal_lane_channels(exec->plan, lane, i);
    const int64_t outputs = gf_signal_lane_channels(exec->plan, lane, i + 1);
    struct gf_track x = {malloc((size_t)(in->count * channels) * sizeof(float)), in->first, in->count,
                         in->count};
    struct gf_track y = {malloc((size_t)(out->count * outputs) * sizeof(float)), out->first, out->count,
                         out->count};
    gf_status status = gf_need_memory(x.data && y.data, error);
    status = status == GF_OK ? copy(call, lane, i, GF_COPY_DOWNLOAD, x.data, x.pitch, in->data, in->pitch,
                                    in->count, error)
                             : status;
    status = status == GF_OK ? exec->backend->wait(exec->queue, error) : status;
    if (status == GF_OK) {
        status = gf_signal_run_cpu(node, lane->state[i], &x, lane->places[i].total, &y, channels, error);
    }
    if (status == GF_OK) {
        status = copy(call, lane, i + 1, GF_COPY_UPLOAD, out->data, out->pitch, y.data, y.pitch, out->count,
                      error);
    }
    status = status == GF_OK ? exec->backend->wait(exec->queue, error) : status;
    free(x.data);
    free(y.data);
    return status;
}

static gf_status run_node(const struct gf_signal_call *call, struct gf_signal_lane *lane, int32_t i,
                          const struct gf_track *out, gf_error *error)
{
    struct gf_signal_exec *exec = call->exec;
    const struct gf_signal_node *node = &exec->plan->chain.nodes[i].node;
    const struct gf_signal_place *place = &lane->places[i];
    const int32_t channels = gf_signal_lane_channels(exec->plan, lane, i);
    const struct gf_track in = {lane->held[i], place->base, place->have - place->base, exec->room[i]};
    if (out->count > 0 && exec->plan->chain.nodes[i].measure) {
        GF_TRY(gf_signal_measures_run(exec, lane, i, &in, out, error));
    } else if (out->count > 0 && gf_signal_device(exec->plan, i) != exec->plan->device) {
        GF_TRY(run_on_host(call, lane, i, &in, out, error));
    } else if (out->count > 0 && exec->plan->device < 0) {
        GF_TRY(gf_signal_run_cpu(node, lane->state[i], &in, place->total, out, channels, error));
    } else if (out->count > 0) {
        GF_TRY(node->kernel->run_cuda(exec->queue, node->args, lane->state[i], exec->scratch, &in,
                                      place->total, out, channels, error));
    }
    GF_TRY(pass_others(call, lane, i, &in, out, error));
    if (GF_FAULT(one_frame) && exec->plan->device < 0 && out->first <= 2 && out->first + out->count > 2) {
        out->data[2 - out->first] = gf_bits_float(gf_float_bits(out->data[2 - out->first]) ^ 1);
    }
    const int64_t drop = dropped(call, lane->places, i);
    lane->places[i].base += drop;
    return drop > 0 ? copy(call, lane, i, GF_COPY_DEVICE, lane->held[i], exec->room[i], lane->held[i] + drop,
                           exec->room[i], place->have - place->base, error)
                    : GF_OK;
}

/* A tile, whose input is held; out: where the output of the call so far ends. */
static gf_status run_tile(const struct gf_signal_call *call, struct gf_signal_lane *lane,
                          const struct gf_signal_place *before, float *out, gf_error *error)
{
    struct gf_signal_exec *exec = call->exec;
    const int32_t n = exec->end;
    const bool gpu = exec->plan->device >= 0;
    for (int32_t i = exec->first; i < n; i++) {
        const bool last = i + 1 == n;
        const int64_t first = before[i + 1].have;
        struct gf_track track = {.first = first, .count = lane->places[i + 1].have - first};
        track.data = !last ? lane->held[i + 1] + (first - before[i + 1].base) : gpu ? lane->held[n] : out;
        track.pitch = last && !gpu ? call->out_pitch : exec->room[i + 1];
        GF_TRY(run_node(call, lane, i, &track, error));
    }
    const int64_t made = lane->places[n].have - before[n].have;
    GF_TRY(gpu ? copy(call, lane, n, GF_COPY_DOWNLOAD, out, call->out_pitch, lane->held[n], exec->room[n],
                      made, error)
               : GF_OK);
    return gpu ? exec->backend->wait(exec->queue, error) : GF_OK;
}

static gf_status run_lane(const struct gf_signal_call *call, struct gf_signal_lane *lane, gf_error *error)
{
    struct gf_signal_exec *exec = call->exec;
    const int32_t n = exec->end, first = exec->first;
    const float *in = call->in ? call->in + lane->first * call->in_pitch : NULL;
    float *out = call->out ? call->out + lane->first * call->out_pitch : NULL;
    struct gf_signal_place before[GF_SIGNAL_VALUES];
    int64_t done = 0, from = 0;
    begin(call, lane->places);
    for (;; from = done) {
        memcpy(before, lane->places, ((size_t)exec->plan->chain.n + 1) * sizeof *before);
        if (!step(call, lane->places, &done)) {
            return GF_OK;
        }
        float *to = lane->held[first] + (before[first].have - before[first].base);
        GF_TRY(copy(call, lane, first, GF_COPY_UPLOAD, to, exec->room[first], in ? in + from : NULL,
                    call->in_pitch, done - from, error));
        GF_TRY(run_tile(call, lane, before, out, error));
        out += out ? lane->places[n].have - before[n].have : 0;
    }
}

static void work(void *argument, int i, int n)
{
    const struct gf_signal_call *call = argument;
    struct gf_signal_lane *lane = &call->exec->lanes[i];
    (void)n;
    lane->error = (gf_error)GF_ERROR_INIT;
    lane->status = run_lane(call, lane, &lane->error);
}

gf_status gf_signal_run(const struct gf_signal_call *call, gf_error *error)
{
    struct gf_signal_exec *exec = call->exec;
    GF_TRY(prepare(call, error));
    gf_team_run(exec->team, exec->n_lanes, work, (void *)(uintptr_t)call); /* which nobody changes */
    for (int32_t i = 0; i < exec->n_lanes; i++) {
        if (exec->lanes[i].status != GF_OK) {
            gf_error_copy(error, &exec->lanes[i].error);
            return exec->lanes[i].status;
        }
    }
    memcpy(exec->places, exec->lanes[0].places, ((size_t)exec->plan->chain.n + 1) * sizeof *exec->places);
    return GF_OK;
}
