/* Segments of a chain, which barriers part: what a segment makes goes into a spool, and once its input has
 * ended, the next one reads it from there. */
#include "base/status.h"
#include "signal/signal_exec.h"
#include "signal/signal_measure.h"

#include <stdlib.h>
#include <string.h>

enum { CPU_PIECE = 1 << 18, GPU_PIECE = 1 << 22, LEAST_PIECE = 1024 };

/* How many frames of each channel are run at a time, and are a block of a spool. */
static int64_t piece_of(const struct gf_signal_exec *exec)
{
    const int64_t all = exec->plan->device >= 0 ? GPU_PIECE : CPU_PIECE;
    const int64_t piece = all / exec->plan->widest;
    return piece > LEAST_PIECE ? piece : LEAST_PIECE;
}

static const struct gf_signal_node *node_of(const struct gf_signal_exec *exec, int32_t i)
{
    return &exec->plan->chain.nodes[i].node;
}

static bool acts_on(const struct gf_signal_exec *exec, int32_t i, int32_t channel)
{
    return gf_signal_acts_on(&exec->plan->chain.nodes[i], channel);
}

/* Of the barrier in front of the segment, or behind it. */
static void *seen_by(const struct gf_signal_barrier *barrier, const struct gf_signal_wait *wait,
                     int32_t channel)
{
    return wait->seen ? (char *)wait->seen + (size_t)channel * barrier->seen_bytes : NULL;
}

static void wait_free(struct gf_signal_wait *wait)
{
    gf_spool_free(&wait->spool);
    free(wait->seen);
    wait->seen = NULL;
}

void gf_signal_segment_free(struct gf_signal_exec *exec)
{
    wait_free(&exec->before);
    wait_free(&exec->behind);
    free(exec->piece);
}

gf_status gf_signal_segment_begin(struct gf_signal_exec *exec, int32_t first, gf_error *error)
{
    exec->first = first;
    exec->end = gf_signal_next_barrier(exec->plan, first);
    const int32_t channels = gf_signal_channels(exec->plan, exec->end);
    exec->behind = (struct gf_signal_wait){.spool = gf_spool_begin(channels, piece_of(exec))};
    if (exec->end < exec->plan->chain.n && gf_signal_barrier_of(node_of(exec, exec->end))->observe) {
        exec->behind.seen =
            calloc((size_t)channels, gf_signal_barrier_of(node_of(exec, exec->end))->seen_bytes);
        return gf_need_memory(exec->behind.seen != NULL, error);
    }
    return GF_OK;
}

int64_t gf_signal_segment_makes(const struct gf_signal_exec *exec, int64_t frames, bool ends)
{
    struct gf_signal_place places[GF_SIGNAL_VALUES];
    memcpy(places, exec->places, ((size_t)exec->plan->chain.n + 1) * sizeof *places);
    gf_signal_advance(exec->plan, places, exec->first, exec->end, frames, ends);
    return places[exec->end].have - exec->places[exec->end].have;
}

gf_status gf_signal_segment_run(struct gf_signal_exec *exec, const float *in, int64_t in_pitch,
                                int64_t frames, bool ends, float *out, int64_t out_pitch, gf_error *error)
{
    if (exec->first < exec->end) {
        const struct gf_signal_call call = {exec, in, out, in_pitch, out_pitch, frames, ends};
        return gf_signal_run(&call, error);
    }
    for (int32_t c = 0; c < gf_signal_channels(exec->plan, exec->end) && frames > 0; c++) {
        memmove(out + c * out_pitch, in + c * in_pitch, (size_t)frames * sizeof *in);
    }
    gf_signal_advance(exec->plan, exec->places, exec->first, exec->end, frames, ends);
    return GF_OK;
}

/* ---- into a spool ------------------------------------------------------------------------------------------ */

static gf_status reserve(struct gf_signal_exec *exec, int64_t room, gf_error *error)
{
    if (room <= exec->piece_room) {
        return GF_OK;
    }
    free(exec->piece);
    exec->piece = malloc((size_t)room * (size_t)exec->plan->widest * sizeof *exec->piece);
    exec->piece_room = exec->piece ? room : 0;
    return gf_need_memory(exec->piece != NULL, error);
}

static gf_status absorb(struct gf_signal_exec *exec, const float *in, int64_t in_pitch, int64_t frames,
                        bool ends, gf_error *error)
{
    const struct gf_signal_node *node = node_of(exec, exec->end);
    const struct gf_signal_barrier *barrier = gf_signal_barrier_of(node);
    const int64_t makes = gf_signal_segment_makes(exec, frames, ends);
    struct gf_signal_wait *wait = &exec->behind;
    GF_TRY(reserve(exec, makes, error));
    GF_TRY(gf_signal_segment_run(exec, in, in_pitch, frames, ends, exec->piece, exec->piece_room, error));
    for (int32_t c = 0; c < gf_signal_channels(exec->plan, exec->end) && makes > 0; c++) {
        const float *row = exec->piece + c * exec->piece_room;
        if (barrier->observe && acts_on(exec, exec->end, c)) {
            barrier->observe(node->args, seen_by(barrier, wait, c), row, wait->spool.frames, makes);
        }
        GF_TRY(gf_signal_measures_see(exec, exec->end, c, row, makes, error));
    }
    return gf_spool_append(&wait->spool, exec->piece, exec->piece_room, makes, error);
}

gf_status gf_signal_segment_absorb(struct gf_signal_exec *exec, const float *in, int64_t in_pitch,
                                   int64_t frames, bool ends, gf_error *error)
{
    const int64_t piece = piece_of(exec);
    int64_t done = 0;
    while (frames - done > piece) {
        GF_TRY(absorb(exec, in + done, in_pitch, piece, false, error));
        done += piece;
    }
    return absorb(exec, in ? in + done : NULL, in_pitch, frames - done, ends, error);
}

/* ---- out of it --------------------------------------------------------------------------------------------- */

/* The frames of the input that come next when `gone` of the range are: those of one block. */
static struct gf_signal_range next_of(const struct gf_signal_wait *wait, bool backward, int64_t gone)
{
    const int64_t block = wait->spool.block, begin = wait->range.first, end = begin + wait->range.count;
    const int64_t at = backward ? end - 1 - gone : begin + gone, start = at / block * block;
    const int64_t from = backward ? (start > begin ? start : begin) : at;
    const int64_t to = backward ? at + 1 : start + block < end ? start + block : end;
    return (struct gf_signal_range){from, gone < wait->range.count ? to - from : 0};
}

static void turn(float *x, int64_t count)
{
    for (int64_t i = 0; i < count / 2; i++) {
        const float kept = x[i];
        x[i] = x[count - 1 - i];
        x[count - 1 - i] = kept;
    }
}

/* The next frames that the segment gets, `block` of the spool apart. */
static gf_status take(struct gf_signal_exec *exec, float **rows, int64_t *frames, bool *last, gf_error *error)
{
    const struct gf_signal_node *node = node_of(exec, exec->first - 1);
    const struct gf_signal_barrier *barrier = gf_signal_barrier_of(node);
    struct gf_signal_wait *wait = &exec->before;
    const struct gf_signal_range next = next_of(wait, barrier->backward, wait->gone);
    const int64_t block = wait->spool.block;
    *rows = NULL;
    if (next.count > 0) {
        GF_TRY(gf_spool_take(&wait->spool, next.first / block, barrier->backward, rows, error));
        *rows += next.first % block;
    }
    for (int32_t c = 0; c < gf_signal_channels(exec->plan, exec->first) && next.count > 0; c++) {
        float *x = *rows + c * block;
        if (barrier->apply && acts_on(exec, exec->first - 1, c)) {
            barrier->apply(node->args, seen_by(barrier, wait, c), x, next.first, next.count);
        }
        if (barrier->backward) {
            turn(x, next.count);
        }
    }
    wait->gone += next.count;
    *frames = next.count;
    *last = wait->gone == wait->range.count;
    return GF_OK;
}

/* Shows what waits to a stage that measures as often as it asks for it. */
static gf_status look_again(struct gf_signal_exec *exec, struct gf_spool *spool, gf_error *error)
{
    float *rows;
    while (gf_signal_measures_again(exec, exec->end)) {
        for (int64_t at = 0; at < spool->frames; at += spool->block) {
            const int64_t left = spool->frames - at, some = left < spool->block ? left : spool->block;
            GF_TRY(gf_spool_take(spool, at / spool->block, false, &rows, error));
            for (int32_t c = 0; c < spool->channels; c++) {
                GF_TRY(gf_signal_measures_see(exec, exec->end, c, rows + c * spool->block, some, error));
            }
        }
    }
    return GF_OK;
}

/* The input of the barrier behind the segment has ended. */
static gf_status go_on(struct gf_signal_exec *exec, gf_error *error)
{
    const struct gf_signal_node *node = node_of(exec, exec->end);
    wait_free(&exec->before);
    GF_TRY(look_again(exec, &exec->behind.spool, error));
    exec->before = exec->behind;
    exec->before.range = gf_signal_barrier_of(node)->settle(
        node->args, exec->before.seen, gf_signal_channels(exec->plan, exec->end), exec->before.spool.frames);
    exec->places[exec->end + 1].total = -1;
    return gf_signal_segment_begin(exec, exec->end + 1, error);
}

/* The last segment gets frames until it has made some, or, where it makes no more, all: it may measure them.
 */
static gf_status make(struct gf_signal_exec *exec, bool all, float *out, int64_t out_pitch, gf_error *error)
{
    const int64_t *have = &exec->places[exec->plan->chain.n].have, begun = *have;
    float *rows = NULL;
    int64_t frames = 0;
    bool last = false;
    while (exec->places[exec->first].total < 0 && (all || *have == begun)) {
        GF_TRY(take(exec, &rows, &frames, &last, error));
        GF_TRY(
            gf_signal_segment_run(exec, rows, exec->before.spool.block, frames, last, out, out_pitch, error));
    }
    return GF_OK;
}

gf_status gf_signal_segments_end(struct gf_signal_exec *exec, float *out, int64_t out_pitch, int64_t *made,
                                 gf_error *error)
{
    const int32_t n = exec->plan->chain.n;
    int64_t frames = 0;
    float *rows = NULL;
    bool last = false;
    const bool is_first = exec->first == 0;
    if (is_first) {
        GF_TRY(gf_signal_segment_absorb(exec, NULL, 0, 0, true, error));
        GF_TRY(go_on(exec, error));
    }
    while (exec->end < n) {
        for (last = false; !last;) {
            GF_TRY(take(exec, &rows, &frames, &last, error));
            GF_TRY(gf_signal_segment_absorb(exec, rows, exec->before.spool.block, frames, last, error));
        }
        GF_TRY(go_on(exec, error));
    }
    const int64_t begun = exec->places[n].have;
    GF_TRY(is_first ? GF_OK : make(exec, false, out, out_pitch, error));
    *made = exec->places[n].have - begun;
    return gf_signal_segments_left(exec) == 0 ? make(exec, true, NULL, 0, error) : GF_OK;
}

int64_t gf_signal_segments_left(const struct gf_signal_exec *exec)
{
    const gf_signal_plan *plan = exec->plan;
    const int32_t n = plan->chain.n;
    if (exec->end < n) {
        return 0;
    }
    const bool backward = gf_signal_barrier_of(node_of(exec, exec->first - 1))->backward;
    const int64_t begun = exec->places[n].have, count = exec->before.range.count;
    struct gf_signal_place places[GF_SIGNAL_VALUES];
    memcpy(places, exec->places, ((size_t)n + 1) * sizeof *places);
    for (int64_t gone = exec->before.gone; places[exec->first].total < 0 && places[n].have == begun;) {
        const int64_t frames = next_of(&exec->before, backward, gone).count;
        gone += frames;
        gf_signal_advance(plan, places, exec->first, n, frames, gone == count);
    }
    return places[n].have - begun;
}
