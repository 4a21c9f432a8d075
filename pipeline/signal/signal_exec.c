#include "signal/signal_exec.h"

#include "base/status.h"
#include "signal/signal_measure.h"

#include <stdlib.h>
#include <string.h>

/* On the CPU a tile goes through all nodes while it lies in the second cache: so many frames of a lane's
 * channels together. On a GPU a call is to be long. */
enum { CPU_TILE = 16384, CPU_LEAST = 1024, GPU_TILE = 1 << 22, GPU_LEAST = 4096, LANE_CHANNELS = 8 };

/* ---- making ---- */

/* Channels of a lane: on the CPU as few as threads allow, up to those that a kernel may like together. */
static int32_t lane_channels(const gf_signal_plan *plan)
{
    const int32_t channels = plan->input.channels;
    const int32_t few = (channels + plan->threads - 1) / plan->threads;
    return plan->device >= 0 || plan->together ? channels : few < LANE_CHANNELS ? few : LANE_CHANNELS;
}

static gf_status make_state(struct gf_signal_exec *exec, struct gf_signal_lane *lane, int32_t i,
                            gf_error *error)
{
    const struct gf_signal_node *node = &exec->plan->chain.nodes[i].node;
    if (gf_signal_barrier_of(node)) {
        return GF_OK;
    }
    const bool has_tables = exec->plan->device >= 0 && node->kernel->table_bytes;
    const int32_t channels = gf_signal_lane_channels(exec->plan, lane, i);
    const size_t bytes = (size_t)channels * node->kernel->state_bytes(node->args) +
                         (has_tables ? node->kernel->table_bytes(node->args) : 0);
    if (bytes == 0) {
        return GF_OK;
    }
    void *zeros = calloc(1, bytes);
    GF_TRY(gf_need_memory(zeros != NULL, error));
    const gf_device device = gf_signal_device(exec->plan, i);
    const struct gf_backend *backend = gf_backend_for(device);
    const gf_queue queue = {device, device >= 0 ? exec->queue.stream : NULL};
    gf_status status = backend->allocate(device, bytes, &lane->state[i], error);
    if (status == GF_OK) {
        status = backend->copy(queue, GF_COPY_UPLOAD, lane->state[i], (int64_t)bytes, zeros, (int64_t)bytes,
                               bytes, 1, error);
    }
    status = status == GF_OK ? backend->wait(queue, error) : status;
    free(zeros);
    return status;
}

static gf_status make_lane(struct gf_signal_exec *exec, int32_t index, int32_t channels, gf_error *error)
{
    const size_t values = (size_t)exec->plan->chain.n + 1;
    const int32_t first = index * channels, left = exec->plan->input.channels - first;
    struct gf_signal_lane *lane = &exec->lanes[index];
    *lane = (struct gf_signal_lane){.first = first,
                                    .channels = left < channels ? left : channels,
                                    .held = calloc(values, sizeof *lane->held),
                                    .state = calloc(values, sizeof *lane->state),
                                    .places = calloc(values, sizeof *lane->places)};
    exec->n_lanes++;
    GF_TRY(gf_need_memory(lane->held && lane->state && lane->places, error));
    for (int32_t i = 0; i < exec->plan->chain.n; i++) {
        GF_TRY(make_state(exec, lane, i, error));
    }
    return GF_OK;
}

static gf_status set_up(struct gf_signal_exec *exec, gf_error *error)
{
    const gf_signal_plan *plan = exec->plan;
    const size_t values = (size_t)plan->chain.n + 1;
    exec->places = calloc(values, sizeof *exec->places);
    exec->room = calloc(values, sizeof *exec->room);
    GF_TRY(gf_signal_segment_begin(exec, 0, error));
    GF_TRY(gf_need_memory(exec->places && exec->room, error));
    GF_TRY(gf_signal_measures_create(exec, error));
    if (plan->device == GF_DEVICE_REFERENCE) {
        return GF_OK;
    }
    GF_TRY(gf_context_need_device(plan->context, plan->device, error));
    exec->backend = gf_backend_for(plan->device);
    exec->queue.device = plan->device;
    GF_TRY(exec->backend->stream_create(plan->device, &exec->queue.stream, error));
    const int32_t channels = lane_channels(plan), n = (plan->input.channels + channels - 1) / channels;
    exec->lanes = calloc((size_t)n, sizeof *exec->lanes);
    GF_TRY(gf_need_memory(exec->lanes != NULL, error));
    for (int32_t i = 0; i < n; i++) {
        GF_TRY(make_lane(exec, i, channels, error));
    }
    exec->team = gf_team_create(plan->device >= 0 ? 1 : n < plan->threads ? n : plan->threads);
    return GF_OK;
}

gf_status gf_signal_exec_create(const gf_signal_plan *plan, gf_signal_exec **exec, gf_error *error)
{
    if (exec) {
        *exec = NULL;
    }
    if (!plan || !exec) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "plan and exec must not be NULL");
    }
    gf_signal_exec *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    gf_refs_hold(
        &((gf_signal_plan *)(uintptr_t)plan)->refs); /* const is what a plan says, not who holds it */
    made->plan = plan;
    const gf_status status = gf_context_settle(plan->context, plan->device, set_up(made, error));
    if (status != GF_OK) {
        gf_signal_exec_destroy(&made);
        return status;
    }
    *exec = made;
    return GF_OK;
}

static void free_lane(struct gf_signal_exec *exec, struct gf_signal_lane *lane)
{
    for (int32_t i = 0; i <= exec->plan->chain.n; i++) {
        if (lane->held) {
            exec->backend->release(exec->queue.device, lane->held[i]);
        }
        if (lane->state && i < exec->plan->chain.n) {
            const gf_device device = gf_signal_device(exec->plan, i);
            gf_backend_for(device)->release(device, lane->state[i]);
        }
    }
    free(lane->held);
    free(lane->state);
    free(lane->places);
}

void gf_signal_exec_destroy(gf_signal_exec **pointer)
{
    gf_signal_exec *exec = pointer ? *pointer : NULL;
    if (!exec) {
        return;
    }
    *pointer = NULL;
    for (int32_t i = 0; i < exec->n_lanes; i++) {
        free_lane(exec, &exec->lanes[i]);
    }
    if (exec->backend) {
        exec->backend->release(exec->queue.device, exec->scratch);
        exec->backend->stream_destroy(exec->queue.device, exec->queue.stream);
    }
    gf_team_destroy(exec->team);
    gf_signal_segment_free(exec);
    free(exec->lanes);
    free(exec->places);
    free(exec->room);
    free(exec->whole.data);
    gf_signal_measures_free(exec);
    gf_signal_plan *plan = (gf_signal_plan *)(uintptr_t)exec->plan;
    gf_signal_plan_destroy(&plan);
    free(exec);
}

/* ---- running ---- */

static bool is_judge(const gf_signal_exec *exec)
{
    return exec->plan->device == GF_DEVICE_REFERENCE;
}

static bool has_barrier(const gf_signal_exec *exec)
{
    return exec->first > 0 || exec->end < exec->plan->chain.n;
}

int64_t gf_signal_exec_ready(const gf_signal_exec *exec, int64_t frames)
{
    const bool makes = exec && !exec->ended && frames >= 0 && !is_judge(exec) && !has_barrier(exec);
    return makes ? gf_signal_segment_makes(exec, frames, false) : 0;
}

int64_t gf_signal_exec_left(const gf_signal_exec *exec)
{
    if (!exec || exec->ended || exec->failed) {
        return 0;
    }
    return is_judge(exec)      ? gf_signal_judge_left(exec)
           : has_barrier(exec) ? gf_signal_segments_left(exec)
                               : gf_signal_segment_makes(exec, 0, true);
}

static gf_status check(const gf_signal_exec *exec, const float *out, int64_t pitch, int64_t makes,
                       gf_error *error)
{
    if (exec->ended || exec->failed) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the signal has ended%s",
                       exec->failed ? ": a call failed" : "");
    }
    if (makes > 0 && (!out || (pitch < makes && exec->plan->output.channels > 1))) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%lld frames will be made, and out has %lld",
                       (long long)makes, out ? (long long)pitch : 0);
    }
    return GF_OK;
}

static gf_status finish(gf_signal_exec *exec, gf_status status)
{
    exec->failed = exec->failed || status != GF_OK;
    return gf_context_settle(exec->plan->context, exec->plan->device, status);
}

int64_t gf_signal_tile(const struct gf_signal_exec *exec)
{
    const bool gpu = exec->plan->device >= 0;
    const int64_t most = gpu ? GPU_TILE : CPU_TILE, least = gpu ? GPU_LEAST : CPU_LEAST;
    const int64_t tile = !exec->n_lanes         ? most
                         : exec->plan->together ? most / exec->plan->widest
                                                : most / exec->lanes[0].channels;
    return tile > least ? tile : least;
}

gf_status gf_signal_exec_feed(gf_signal_exec *exec, const float *in, int64_t in_pitch, int64_t frames,
                              float *out, int64_t out_pitch, int64_t *made, gf_error *error)
{
    if (!exec || !made || frames < 0 || (frames > 0 && !in)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "exec, in and made must not be NULL, frames not negative");
    }
    *made = 0;
    if (frames > GF_SIGNAL_FRAMES - exec->places[0].have) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a signal has at most 2^48 frames");
    }
    if (in_pitch < frames && exec->plan->input.channels > 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "in_pitch is %lld, must be at least %lld",
                       (long long)in_pitch, (long long)frames);
    }
    const int64_t makes = gf_signal_exec_ready(exec, frames);
    if (exec->first > 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the signal has ended");
    }
    GF_TRY(check(exec, out, out_pitch, makes, error));
    if (is_judge(exec)) {
        return finish(exec, gf_signal_judge_feed(exec, in, in_pitch, frames, error));
    }
    if (has_barrier(exec)) {
        return finish(exec, gf_signal_segment_absorb(exec, in, in_pitch, frames, false, error));
    }
    GF_TRY(finish(exec, gf_signal_segment_run(exec, in, in_pitch, frames, false, out, out_pitch, error)));
    *made = makes;
    return GF_OK;
}

gf_status gf_signal_exec_end(gf_signal_exec *exec, float *out, int64_t out_pitch, int64_t *made,
                             gf_error *error)
{
    if (!exec || !made) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "exec and made must not be NULL");
    }
    *made = 0;
    const int64_t makes = gf_signal_exec_left(exec);
    GF_TRY(check(exec, out, out_pitch, makes, error));
    int64_t some = makes;
    GF_TRY(finish(exec, is_judge(exec) ? gf_signal_judge_end(exec, out, out_pitch, &some, error)
                        : has_barrier(exec)
                            ? gf_signal_segments_end(exec, out, out_pitch, &some, error)
                            : gf_signal_segment_run(exec, NULL, 0, 0, true, out, out_pitch, error)));
    *made = some;
    exec->ended = is_judge(exec) || !has_barrier(exec) || gf_signal_segments_left(exec) == 0;
    GF_TRY(exec->ended ? finish(exec, gf_signal_measures_end(exec, error)) : GF_OK);
    return GF_OK;
}
