/* Steps of a view on one queue, in order. */
#include "exec/runner.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "lang/pipeline.h"
#include "pixel/ir/kernel_table.h"

#include <stdio.h>
#include <string.h>

struct run {
    struct gf_runner *runner;
    const struct gf_errand *errand;
    const struct gf_place *inputs;
    struct gf_place out;
    gf_error *error;
};

static const struct gf_value *value_of(const struct run *r, int32_t value)
{
    return &r->errand->view->list->values[value];
}

/* A picture: the caller's memory for the pipeline's ends, the arena for what lies between. */
static struct gf_place picture_at(const struct run *r, int32_t value)
{
    const struct gf_op_list *list = r->errand->view->list;
    int32_t input = gf_input_index(list, value);
    if (input != GF_NONE) {
        return r->inputs[input];
    }
    if (value == list->output) {
        return r->out;
    }
    return (struct gf_place){r->runner->arena + r->errand->buffers->offset[value],
                             gf_buffers_pitch(value_of(r, value))};
}

/* NULL where the plan needs no room at all. */
static void *scratch_of(const struct run *r)
{
    return r->runner->arena ? r->runner->arena + r->errand->buffers->scratch : NULL;
}

/* The same from the row on that a pass begins at: more rows of what it reads may lie in memory. */
static struct gf_place rows_at(const struct run *r, int32_t value, int64_t first)
{
    struct gf_place place = picture_at(r, value);
    if (place.data) {
        place.data =
            (uint8_t *)place.data + (first - gf_view_rows(r->errand->view, value).first) * place.pitch;
    }
    return place;
}

static void *block_at(const struct run *r, int32_t value)
{
    uint64_t offset = r->errand->buffers->offset[value];
    if (offset == GF_NO_BUFFER) { /* a constant, used where it is: never written */
        return (void *)(uintptr_t)value_of(r, value)->constant;
    }
    return r->runner->arena + offset;
}

/* An operand of an APPLY. */
static struct gf_place value_at(const struct run *r, int32_t value)
{
    const struct gf_value *v = value_of(r, value);
    if (!v->is_block) {
        return picture_at(r, value);
    }
    return (struct gf_place){block_at(r, value), v->width * (int64_t)gf_depth_size(v->depth)};
}

static void set_blocks(const struct run *r, const struct gf_pass *pass, struct gf_run *run)
{
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        run->blocks[i] = block_at(r, pass->blocks[i]);
        run->block_values[i] = *value_of(r, pass->blocks[i]);
        run->host_blocks[i] = run->block_values[i].constant;
    }
    for (int32_t i = 0; i < pass->n_taps; i++) {
        run->taps[i] = block_at(r, pass->taps[i].out);
    }
}

static int32_t step_of_plan(const struct gf_view *view, int32_t step)
{
    return view->of_plan ? view->of_plan[step] : step;
}

gf_status gf_run_prepare(struct gf_runner *runner, const struct gf_view *view,
                         const struct gf_buffers *buffers, gf_error *error)
{
    const struct gf_errand errand = {.view = view, .buffers = buffers, .queue = runner->own};
    const struct run r = {.runner = runner, .errand = &errand, .error = error};
    for (int32_t s = 0; s < view->steps->n; s++) {
        const struct gf_step *step = &view->steps->step[s];
        struct gf_prepared *prepared = &runner->prepared[step_of_plan(view, s)];
        if (step->kind == GF_STEP_APPLY && step->u.apply.kernel->apply.prepare) {
            GF_TRY(step->u.apply.kernel->apply.prepare(&step->u.apply, runner->own.device, error));
        }
        const struct gf_path *path =
            step->kind == GF_STEP_PASS ? gf_pass_path(step->u.pass, runner->own.device) : NULL;
        if (path && path->prepare && !prepared->path) {
            struct gf_pass pass = *step->u.pass;
            pass.height = pass.height > 0 ? pass.height : 1; /* of bands, the first may have no row of it */
            struct gf_run run = {.pass = &pass,
                                 .prepared = prepared,
                                 .queue = runner->own,
                                 .threads = view->threads,
                                 .team = runner->team};
            set_blocks(&r, step->u.pass, &run);
            GF_TRY(path->prepare(path, &run, error));
            prepared->path = path;
        }
    }
    return GF_OK;
}

static gf_status run_pass(const struct run *r, const struct gf_pass *pass, struct gf_prepared *prepared,
                          int64_t first, gf_step_stats *stats)
{
    const struct gf_errand *errand = r->errand;
    const bool straight = !pass->map.move.kernel;
    struct gf_place in = straight ? rows_at(r, pass->in, first) : picture_at(r, pass->in);
    struct gf_run run = {.pass = pass,
                         .queue = errand->queue,
                         .threads = errand->view->threads,
                         .team = r->runner->team,
                         .band_rows = r->runner->plan->options.band_rows,
                         .in = {in.data, in.pitch},
                         .in_first = straight ? first : gf_view_rows(errand->view, pass->in).first,
                         .scratch = scratch_of(r)};
    int32_t second = pass->operand[GF_OPERAND_SECOND].value;
    if (second != GF_NONE) {
        struct gf_place place = rows_at(r, second, first);
        run.second.data = place.data;
        run.second.pitch = place.pitch;
    }
    struct gf_pass less; /* of the pass: what is not wanted is left out */
    if (pass->n_taps && !gf_pass_measures(pass)) {
        less = *pass;
        less.n_taps = 0; /* blocks of bands above stay as they are */
        run.pass = &less;
    }
    if (pass->out != GF_NONE) {
        struct gf_place out = picture_at(r, pass->out); /* whose rows are those of the pass */
        run.out.data = out.data;
        run.out.pitch = out.pitch;
        if (!out.data) { /* the caller wants results only */
            less = *run.pass;
            less.out = GF_NONE;
            run.pass = &less;
        }
    }
    set_blocks(r, pass, &run);
    const struct gf_path *path = gf_pass_path(run.pass, errand->queue.device);
    run.prepared = prepared->path == path ? prepared : NULL; /* not where a pass stores nothing this time */
    GF_TRY(path->run(path, &run, r->error));
    stats->bytes_read += run.bytes_read;
    stats->bytes_written += run.bytes_written;
    return GF_OK;
}

static gf_status run_apply(const struct run *r, const struct gf_apply *apply, gf_step_stats *stats)
{
    const struct gf_view *view = r->errand->view;
    struct gf_apply_run run = {.queue = r->errand->queue,
                               .threads = view->threads,
                               .team = r->runner->team,
                               .scratch = scratch_of(r)};
    gf_apply_run_values(view, apply, &run);
    for (int32_t i = 0; i < gf_operand_count(apply->in); i++) {
        const struct gf_place place = value_at(r, apply->in[i]);
        run.in[i].data = place.data;
        run.in[i].pitch = place.pitch;
    }
    bool wanted = false;
    for (int32_t i = 0; i < gf_operand_count(apply->out); i++) {
        const struct gf_place place = value_of(r, apply->out[i])->is_block
                                          ? value_at(r, apply->out[i])
                                          : rows_at(r, apply->out[i], run.out[i].rows.first);
        run.out[i].data = place.data;
        run.out[i].pitch = place.pitch;
        wanted = wanted || place.data;
    }
    uint64_t bytes_read, bytes_written;
    gf_apply_bytes(view, apply, &bytes_read, &bytes_written);
    stats->bytes_read += bytes_read;
    stats->bytes_written += bytes_written;
    if (!wanted) {
        return GF_OK; /* the last step of a run that wants results only */
    }
    return run.queue.device < 0 ? apply->kernel->apply.cpu(&run, r->error)
                                : apply->kernel->apply.cuda(&run, r->error);
}

/* Gathers from the rows that a band answers for, or makes them. */
static gf_status run_by_bands(const struct run *r, const struct gf_apply *apply, void *state,
                              struct gf_rows rows, gf_step_stats *stats)
{
    const struct gf_by_bands *by_bands = apply->kernel->apply.by_bands;
    struct gf_apply_run run = {.queue = r->errand->queue,
                               .threads = r->errand->view->threads,
                               .team = r->runner->team,
                               .scratch = scratch_of(r)};
    gf_apply_run_values(r->errand->view, apply, &run);
    const struct gf_place in = rows_at(r, apply->in[0], rows.first);
    run.in[0] = (struct gf_plane){in.data, in.pitch, rows};
    for (int32_t i = 1; i < gf_operand_count(apply->in); i++) { /* blocks, which lie there as a whole */
        const struct gf_place block = value_at(r, apply->in[i]);
        run.in[i].data = block.data;
        run.in[i].pitch = block.pitch;
    }
    uint64_t bytes_read, bytes_written;
    gf_apply_bytes(r->errand->view, apply, &bytes_read, &bytes_written);
    stats->bytes_read += bytes_read;
    stats->bytes_written += bytes_written;
    if (apply->out[0] == GF_NONE) {
        return by_bands->gather(state, &run, r->error);
    }
    const struct gf_place out = rows_at(r, apply->out[0], rows.first);
    run.out[0] = (struct gf_plane){out.data, out.pitch, rows};
    return out.data ? by_bands->make(state, &run, r->error) : GF_OK;
}

static void *host_block(const struct gf_value *value, void *const *blocks, int32_t index)
{
    return value->constant ? (void *)(uintptr_t)value->constant : blocks[index];
}

gf_status gf_run_solve(struct gf_runner *runner, const struct gf_apply *solve, void *const *blocks,
                       gf_error *error)
{
    const struct gf_view view = gf_plan_view(runner->plan);
    struct gf_apply_run run = {
        .queue = {.device = GF_DEVICE_CPU}, .threads = view.threads, .team = runner->team};
    gf_apply_run_values(&view, solve, &run);
    for (int32_t i = 0; i < gf_operand_count(solve->in); i++) {
        const struct gf_value *value = &run.in_values[i];
        run.in[i].data = host_block(value, blocks, solve->in[i]);
        run.in[i].pitch = value->width * (int64_t)gf_depth_size(value->depth);
    }
    for (int32_t i = 0; i < gf_operand_count(solve->out); i++) {
        const struct gf_value *value = &run.out_values[i];
        run.out[i].data = host_block(value, blocks, solve->out[i]);
        run.out[i].pitch = value->width * (int64_t)gf_depth_size(value->depth);
    }
    size_t bytes = solve->kernel->apply.scratch ? solve->kernel->apply.scratch(&run) : 0;
    run.scratch = bytes ? gf_context_allocate(runner->plan->context, bytes) : NULL;
    if (bytes && !run.scratch) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory: a solve needs %zu bytes of scratch", bytes);
    }
    gf_status status = solve->kernel->apply.cpu(&run, error);
    gf_context_release(runner->plan->context, run.scratch);
    return status;
}

static gf_image view_of(const struct run *r, int32_t value)
{
    const struct gf_value *v = value_of(r, value);
    struct gf_place place = picture_at(r, value);
    return (gf_image){.struct_size = sizeof(gf_image),
                      .shape = {v->width, v->height, v->channels, v->depth},
                      .pitch = place.pitch,
                      .data = place.data,
                      .device = r->errand->queue.device};
}

static gf_status run_call(const struct run *r, const struct gf_call *call, int32_t stage,
                          gf_step_stats *stats)
{
    gf_image in = view_of(r, call->in);
    gf_image out = view_of(r, call->out);
    stats->bytes_read += gf_picture_bytes(value_of(r, call->in));
    stats->bytes_written += gf_picture_bytes(value_of(r, call->out));
    if (!out.data) {
        return GF_OK; /* the last step of a run that wants results only */
    }
    gf_error said = GF_ERROR_INIT;
    bool host = r->errand->queue.device < 0;
    gf_status status = host ? call->host(&in, &out, call->args, &said)
                            : call->device(&in, &out, call->args, r->errand->queue.stream, &said);
    char who[160];
    snprintf(who, sizeof who, "the %s function of stage %d '%s'", host ? "host" : "device", stage + 1,
             r->runner->plan->pipeline->nodes[stage].type->name);
    return gf_callback_status(status, &said, who, r->error);
}

static gf_status run_step(const struct run *r, int32_t s, gf_step_stats *stats)
{
    const struct gf_view *view = r->errand->view;
    const struct gf_step *step = &view->steps->step[s];
    return gf_view_skips(view, s) ? GF_OK
           : step->kind == GF_STEP_PASS
               ? run_pass(r, step->u.pass, &r->runner->prepared[step_of_plan(view, s)],
                          view->runs ? view->runs[s].first : 0, stats)
           : r->errand->states && gf_step_gathers(step)
               ? run_by_bands(r, &step->u.apply, r->errand->states[step_of_plan(view, s)], view->runs[s],
                              stats)
           : step->kind == GF_STEP_APPLY ? run_apply(r, &step->u.apply, stats)
                                         : run_call(r, &step->u.call, step->first_stage, stats);
}

/* The stage that failed: what ran knows it, or it is the first of the step. */
static void set_stage(const struct gf_step *step, gf_error *error)
{
    bool known = error && error->stage > step->first_stage && error->stage <= step->last_stage;
    if (!known) {
        gf_error_stage(error, step->first_stage);
    }
}

/* Rows that stay come to where this band has them. */
static void move_kept(const struct run *r)
{
    const struct gf_view *view = r->errand->view;
    const struct gf_rows rows = gf_view_rows(view, view->kept), before = view->before;
    const int64_t count = before.first + before.count - rows.first - GF_FAULT(band_kept);
    if (rows.count > 0 && before.count > 0 && count > 0) {
        const struct gf_place to = picture_at(r, view->kept);
        memmove(to.data, (const uint8_t *)to.data + (rows.first - before.first) * to.pitch,
                (size_t)(count * to.pitch));
    }
}

gf_status gf_run_steps(struct gf_runner *runner, const struct gf_errand *errand,
                       const struct gf_place *inputs, struct gf_place out, gf_error *error)
{
    const struct run r = {runner, errand, inputs, out, error};
    const struct gf_steps *steps = errand->view->steps;
    if (errand->view->keeps) {
        move_kept(&r);
    }
    for (int32_t s = 0; s < steps->n; s++) {
        if (errand->progress && errand->progress(errand->progress_user, s, steps->n)) {
            return gf_fail(error, GF_ERROR_CANCELLED, "cancelled after step %d of %d", s, steps->n);
        }
        gf_status status = run_step(&r, s, &errand->stats[step_of_plan(errand->view, s)]);
        if (status != GF_OK && !GF_FAULT(unwind_ignored)) {
            set_stage(&steps->step[s], error);
            return status;
        }
        if (errand->times) {
            GF_TRY(runner->backend->mark_record(errand->queue, runner->marks[GF_MARK_FIRST_STEP + s], error));
        }
    }
    if (errand->progress && errand->progress(errand->progress_user, steps->n, steps->n)) {
        return gf_fail(error, GF_ERROR_CANCELLED, "cancelled after the last step");
    }
    return GF_OK;
}
