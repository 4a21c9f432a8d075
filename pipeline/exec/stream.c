/* gf_exec_stream: a source through a plan to a sink.
 *
 * In bands where the plan has them. What the source or the sink deals with as a whole, and all of a plan
 * without bands, is held as a whole picture. */
#include "base/sized.h"
#include "exec/banding.h"
#include "exec/feed.h"
#include "plan/staged.h"

#include <string.h>

struct stream {
    struct gf_flow flow; /* first */
    gf_exec *exec;
    gf_source source;
    gf_sink sink; /* no rows: results only */
    struct gf_feed feed;
    gf_image in, out; /* held as a whole; no data: not held */
};

/* ---- whole pictures ---- */

static gf_status hold(const gf_plan *plan, gf_shape shape, gf_image *image, gf_error *error)
{
    struct gf_value like = {.width = shape.width, .channels = shape.channels, .depth = shape.depth};
    int64_t pitch = gf_buffers_pitch(&like);
    *image =
        (gf_image){.struct_size = sizeof *image, .shape = shape, .pitch = pitch, .device = GF_DEVICE_CPU};
    image->data = gf_context_allocate(plan->context, (size_t)(pitch * shape.height));
    return image->data ? GF_OK
                       : gf_fail(error, GF_ERROR_MEMORY, "out of memory: a picture needs %lld bytes",
                                 (long long)(pitch * shape.height));
}

static gf_status give(struct stream *s, struct gf_place rows, int64_t count, gf_error *error)
{
    gf_error said = GF_ERROR_INIT;
    gf_status status = s->sink.rows(s->sink.user, rows.data, rows.pitch, count, &said);
    return gf_callback_status(status, &said, "the sink", error);
}

static gf_status run_whole(struct stream *s, gf_error *error)
{
    const struct gf_op_list *list = &s->exec->plan->lowered.list;
    bool makes = s->sink.rows && list->input != list->output;
    GF_TRY(hold(s->exec->plan, s->exec->plan->input, &s->in, error));
    GF_TRY(gf_source_rows(&s->source, (struct gf_place){s->in.data, s->in.pitch}, s->in.shape.height, error));
    if (makes) {
        GF_TRY(hold(s->exec->plan, gf_plan_output(s->exec->plan), &s->out, error));
    }
    GF_TRY(gf_exec_run(s->exec, &s->in, makes ? &s->out : NULL, error));
    const gf_image *made = makes ? &s->out : &s->in;
    return s->sink.rows ? give(s, (struct gf_place){made->data, made->pitch}, made->shape.height, error)
                        : GF_OK;
}

/* ---- bands ---- */

static gf_status again(struct gf_flow *flow, int32_t sweep, gf_error *error)
{
    return gf_feed_again(&((struct stream *)flow)->feed, sweep, error);
}

static gf_status take_band(struct gf_flow *flow, struct gf_rows rows, struct gf_place *place, gf_error *error)
{
    return gf_feed_take(&((struct stream *)flow)->feed, rows, place, error);
}

static void release_band(struct gf_flow *flow)
{
    gf_feed_release(&((struct stream *)flow)->feed);
}

static gf_status end_sweep(struct gf_flow *flow, gf_error *error)
{
    return gf_feed_drain(&((struct stream *)flow)->feed, error);
}

static gf_status give_band(struct gf_flow *flow, struct gf_rows rows, struct gf_place place, gf_error *error)
{
    struct stream *s = (struct stream *)flow;
    if (!s->out.data) {
        return give(s, place, rows.count, error);
    }
    for (int64_t y = 0; y < rows.count; y++) {
        memcpy((uint8_t *)s->out.data + (rows.first + y) * s->out.pitch,
               (uint8_t *)place.data + y * place.pitch, (size_t)s->out.pitch);
    }
    return GF_OK;
}

/* Tells whether the source cannot be asked band by band, in every sweep. */
static bool holds_input(const gf_plan *plan, const gf_source *source)
{
    return source->whole || plan->bands.holds_input || (plan->bands.sweeps > 1 && !source->again);
}

static gf_status run_banded(struct stream *s, gf_error *error)
{
    const gf_plan *plan = s->exec->plan;
    s->flow =
        (struct gf_flow){false, again, take_band, release_band, end_sweep, s->sink.rows ? give_band : NULL};
    if (s->sink.whole) {
        GF_TRY(hold(plan, gf_plan_output(plan), &s->out, error));
    }
    if (holds_input(plan, &s->source)) {
        GF_TRY(hold(plan, plan->input, &s->in, error));
    }
    struct gf_place whole = {s->in.data, s->in.pitch}, made = {s->out.data, s->out.pitch};
    GF_TRY(gf_feed_begin(&s->feed, plan, &s->source, whole, error));
    gf_status status = gf_banding_run(s->exec, &s->flow, error);
    gf_feed_end(&s->feed);
    GF_TRY(status);
    return made.data ? give(s, made, s->out.shape.height, error) : GF_OK;
}

/* ---- the call ---- */

static uint64_t bytes_of(gf_shape shape, int64_t rows)
{
    struct gf_value picture = {.width = shape.width, .channels = shape.channels, .depth = shape.depth};
    return (uint64_t)gf_buffers_pitch(&picture) * (uint64_t)rows;
}

uint64_t gf_stream_memory(const gf_plan *plan, const gf_source *source, const gf_sink *sink, bool *in,
                          bool *out)
{
    bool banded = plan->bands.count > 1, knows = plan->options.stream_rows != 0;
    bool makes = sink->rows && plan->lowered.list.input != plan->lowered.list.output;
    bool whole = !banded || holds_input(plan, source), known_whole = !banded || plan->bands.holds_input;
    int64_t all = plan->input.height, bands = GF_FEED_DEPTH * plan->bands.height;
    int64_t held = whole ? all : bands, known = !knows ? 0 : known_whole ? all : bands;
    gf_shape made = gf_plan_output(plan);
    *out = banded ? sink->whole : makes && !knows;
    *in = whole && !(knows && known_whole);
    return plan->memory - bytes_of(plan->input, known) + bytes_of(plan->input, held) +
           (*out ? bytes_of(made, made.height) : 0);
}

/* What is held beside plan->memory must fit the limit, too: whole pictures, and bands of the input where the
 * plan was made without stream_rows and did not know of them. Pinned pieces, which took what was left, give
 * way. */
static gf_status check_memory(const gf_exec *exec, const gf_source *source, const gf_sink *sink,
                              gf_error *error)
{
    const gf_plan *plan = exec->plan;
    bool in, out;
    uint64_t limit = plan->options.memory_limit, bytes = gf_stream_memory(plan, source, sink, &in, &out);
    if (!limit || bytes <= limit) {
        return GF_OK;
    }
    bytes -= gf_plan_piece_bytes(plan);
    for (int32_t i = 0; i < exec->n_runners; i++) {
        gf_staging_stop(&exec->runners[i].staging);
    }
    if (bytes <= limit) {
        return GF_OK;
    }
    bool cannot = in && plan->bands.count > 1 && !source->whole;
    return gf_fail(error, GF_ERROR_MEMORY, "the memory limit is %llu, and %llu bytes are needed: %s%s%s",
                   (unsigned long long)limit, (unsigned long long)bytes,
                   in    ? "the input is held as a whole"
                   : out ? "the output is held as a whole"
                         : "bands of the input are held, which the plan counts with stream_rows",
                   cannot ? ", as it cannot be read again: " : "", cannot ? plan->bands.waits : "");
}

/* Takes what is given, whatever its version, to *s. */
static gf_status take(const gf_exec *exec, const gf_source *source, const gf_sink *sink, struct stream *s,
                      gf_error *error)
{
    static const struct gf_sized sized_source = GF_SIZED(gf_source, rows),
                                 sized_sink = GF_SIZED(gf_sink, rows);
    GF_TRY(gf_exec_check_idle(exec, error));
    GF_TRY(gf_struct_in(&sized_source, source, &s->source, error));
    GF_TRY(sink ? gf_struct_in(&sized_sink, sink, &s->sink, error) : GF_OK);
    if (!s->source.rows || (sink && !s->sink.rows)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the rows function of the %s is NULL",
                       s->source.rows ? "sink" : "source");
    }
    GF_TRY(gf_exec_check_shape(&s->source.shape, gf_plan_input(exec->plan), "the source", error));
    return check_memory(exec, &s->source, &s->sink, error);
}

gf_status gf_exec_stream(gf_exec *exec, const gf_source *source, const gf_sink *sink, gf_error *error)
{
    struct stream s = {.exec = exec};
    GF_TRY(take(exec, source, sink, &s, error));
    double began = gf_now_ms();
    gf_status status = exec->banding ? run_banded(&s, error) : run_whole(&s, error);
    gf_context_release(exec->plan->context, s.in.data);
    gf_context_release(exec->plan->context, s.out.data);
    if (status != GF_OK) {
        gf_exec_begin(exec); /* which drops results, also those of the run before */
    }
    exec->run_stats.total_ms = gf_now_ms() - began;
    return status;
}
