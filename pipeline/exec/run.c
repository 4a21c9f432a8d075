/* Steps of a plan on one queue, in order. */
#include "exec/exec.h"

#include "base/planted_fault.h"
#include "lang/pipeline.h"
#include "pixel/kernel_table.h"

#include <stdio.h>
#include <string.h>

struct run {
    gf_exec *exec;
    struct gf_place out;
    gf_error *error;
};

static const struct gf_value *value_of(const struct run *r, int32_t value)
{
    return &r->exec->plan->lowered.list.values[value];
}

/* A picture: the caller's memory for the pipeline's ends, the arena for what lies between. */
static struct gf_place picture_at(const struct run *r, int32_t value)
{
    const gf_plan *plan = r->exec->plan;
    int32_t input = gf_input_index(&plan->lowered.list, value);
    if (input != GF_NONE) {
        return r->exec->places[input];
    }
    if (value == plan->lowered.list.output) {
        return r->out;
    }
    return (struct gf_place){r->exec->arena + plan->buffers.offset[value],
                             gf_buffers_pitch(value_of(r, value))};
}

static void *block_at(const struct run *r, int32_t value)
{
    uint64_t offset = r->exec->plan->buffers.offset[value];
    if (offset == GF_NO_BUFFER) { /* a constant, used where it is: never written */
        return (void *)(uintptr_t)value_of(r, value)->constant;
    }
    return r->exec->arena + offset;
}

/* An operand of an APPLY. */
static struct gf_place value_at(const void *run, int32_t value)
{
    const struct run *r = run;
    const struct gf_value *v = value_of(r, value);
    if (!v->is_block) {
        return picture_at(r, value);
    }
    return (struct gf_place){block_at(r, value), v->width * (int64_t)gf_depth_size(v->depth)};
}

static gf_status run_pass(const struct run *r, const struct gf_pass *pass, gf_step_stats *stats)
{
    gf_exec *exec = r->exec;
    struct gf_place in = picture_at(r, pass->in);
    struct gf_run run = {.pass = pass,
                         .queue = exec->queue,
                         .threads = exec->plan->threads,
                         .team = exec->team,
                         .band_rows = exec->plan->options.band_rows,
                         .in = {in.data, in.pitch},
                         .scratch = exec->arena + exec->plan->buffers.scratch};
    int32_t second = pass->operand[GF_OPERAND_SECOND].value;
    if (second != GF_NONE) {
        struct gf_place place = picture_at(r, second);
        run.second.data = place.data;
        run.second.pitch = place.pitch;
    }
    struct gf_pass unstored;
    if (pass->out != GF_NONE) {
        struct gf_place out = picture_at(r, pass->out);
        run.out.data = out.data;
        run.out.pitch = out.pitch;
        if (!out.data) { /* the caller wants results only */
            unstored = *pass;
            unstored.out = GF_NONE;
            run.pass = &unstored;
        }
    }
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        run.blocks[i] = block_at(r, pass->blocks[i]);
        run.block_values[i] = *value_of(r, pass->blocks[i]);
        run.host_blocks[i] = run.block_values[i].constant;
    }
    for (int32_t i = 0; i < pass->n_taps; i++) {
        run.taps[i] = block_at(r, pass->taps[i].out);
    }
    const struct gf_path *path = gf_pass_path(run.pass, exec->queue.device);
    GF_TRY(path->run(path, &run, r->error));
    stats->bytes_read = run.bytes_read;
    stats->bytes_written = run.bytes_written;
    return GF_OK;
}

gf_status gf_run_apply(const gf_exec *exec, const struct gf_apply *apply,
                       struct gf_place (*at)(const void *from, int32_t value), const void *from,
                       gf_queue queue, gf_error *error)
{
    struct gf_apply_run run = {.queue = queue,
                               .threads = exec->plan->threads,
                               .team = exec->team,
                               .scratch = exec->arena ? exec->arena + exec->plan->buffers.scratch : NULL};
    gf_apply_run_values(&exec->plan->lowered.list, apply, &run);
    for (int32_t i = 0; i < gf_operand_count(apply->in); i++) {
        const struct gf_place place = at(from, apply->in[i]);
        run.in[i].data = place.data;
        run.in[i].pitch = place.pitch;
    }
    bool wanted = false;
    for (int32_t i = 0; i < gf_operand_count(apply->out); i++) {
        const struct gf_place place = at(from, apply->out[i]);
        run.out[i].data = place.data;
        run.out[i].pitch = place.pitch;
        wanted = wanted || place.data;
    }
    if (!wanted) {
        return GF_OK; /* the last step of a run that wants results only */
    }
    return queue.device < 0 ? apply->kernel->apply_cpu(&run, error) : apply->kernel->apply_cuda(&run, error);
}

static gf_status run_apply(const struct run *r, const struct gf_apply *apply, gf_step_stats *stats)
{
    const struct gf_value *values = r->exec->plan->lowered.list.values;
    for (int32_t i = 0; i < GF_MAX_OPERANDS; i++) {
        bool reads = apply->in[i] != GF_NONE && !values[apply->in[i]].is_block;
        bool makes = apply->out[i] != GF_NONE && !values[apply->out[i]].is_block;
        stats->bytes_read += reads ? gf_picture_bytes(&values[apply->in[i]]) : 0;
        stats->bytes_written += makes ? gf_picture_bytes(&values[apply->out[i]]) : 0;
    }
    return gf_run_apply(r->exec, apply, value_at, r, r->exec->queue, r->error);
}

static gf_image view_of(const struct run *r, int32_t value)
{
    const struct gf_value *v = value_of(r, value);
    struct gf_place place = picture_at(r, value);
    return (gf_image){.struct_size = sizeof(gf_image),
                      .shape = {v->width, v->height, v->channels, v->depth},
                      .pitch = place.pitch,
                      .data = place.data,
                      .device = r->exec->queue.device};
}

static gf_status run_call(const struct run *r, const struct gf_call *call, int32_t stage,
                          gf_step_stats *stats)
{
    gf_image in = view_of(r, call->in);
    gf_image out = view_of(r, call->out);
    stats->bytes_read = gf_picture_bytes(value_of(r, call->in));
    stats->bytes_written = gf_picture_bytes(value_of(r, call->out));
    if (!out.data) {
        return GF_OK; /* the last step of a run that wants results only */
    }
    gf_error said = GF_ERROR_INIT;
    bool host = r->exec->queue.device < 0;
    gf_status status = host ? call->host(&in, &out, call->args, &said)
                            : call->device(&in, &out, call->args, r->exec->queue.stream, &said);
    char who[160];
    snprintf(who, sizeof who, "the %s function of stage %d '%s'", host ? "host" : "device", stage + 1,
             r->exec->plan->pipeline->nodes[stage].type->name);
    return gf_callback_status(status, &said, who, r->error);
}

gf_status gf_exec_run_steps(gf_exec *exec, struct gf_place out, gf_error *error)
{
    const struct run r = {exec, out, error};
    const struct gf_steps *steps = &exec->plan->steps;
    for (int32_t s = 0; s < steps->n; s++) {
        const struct gf_step *step = &steps->step[s];
        gf_step_stats *stats = &exec->step_stats[s];
        *stats = (gf_step_stats){.struct_size = sizeof *stats};
        if (exec->progress && exec->progress(exec->progress_user, s, steps->n)) {
            return gf_fail(error, GF_ERROR_CANCELLED, "cancelled after step %d of %d", s, steps->n);
        }
        gf_status status = step->kind == GF_STEP_PASS ? run_pass(&r, step->u.pass, stats)
                           : step->kind == GF_STEP_APPLY
                               ? run_apply(&r, &step->u.apply, stats)
                               : run_call(&r, &step->u.call, step->first_stage, stats);
        if (status != GF_OK && !GF_FAULT(unwind_ignored)) {
            gf_error_stage(error, step->first_stage);
            return status;
        }
        GF_TRY(exec->backend->mark_record(exec->queue, exec->marks[GF_MARK_FIRST_STEP + s], error));
    }
    if (exec->progress && exec->progress(exec->progress_user, steps->n, steps->n)) {
        return gf_fail(error, GF_ERROR_CANCELLED, "cancelled after the last step");
    }
    return GF_OK;
}
