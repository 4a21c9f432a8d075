#include "plan/plan.h"

#include "base/planted_fault.h"
#include "lang/pipeline.h"
#include "pixel/kernel_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- checks ---- */

/* Bytes of a picture, and of all buffers of the longest pipeline, are counted in 64 bits. */
#define MOST_PIXELS ((int64_t)1 << 48)

static gf_status check_shape(const gf_shape *shape, gf_error *error)
{
    if (shape->width < 1 || shape->height < 1 || shape->width > INT32_MAX || shape->height > INT32_MAX) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture is 1 to %d pixels wide and high, not %lld x %lld",
                       INT32_MAX, (long long)shape->width, (long long)shape->height);
    }
    if (shape->width > MOST_PIXELS / shape->height) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture has at most %lld pixels, not %lld x %lld",
                       (long long)MOST_PIXELS, (long long)shape->width, (long long)shape->height);
    }
    if (shape->channels < 1 || shape->channels > 4) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture has 1 to 4 channels, not %d", shape->channels);
    }
    if (!(gf_depth_white(shape->depth) > 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture is u8, u16 or f32, not %s",
                       gf_depth_name(shape->depth));
    }
    return GF_OK;
}

static gf_status check_options(const gf_plan_options *options, gf_error *error)
{
    if (options->struct_size != sizeof *options) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_plan_options.struct_size is %u, must be %zu",
                       options->struct_size, sizeof *options);
    }
    if (options->device < GF_DEVICE_AUTO) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "device %d: must be auto (-3), reference (-2), cpu (-1) or the number of a GPU",
                       options->device);
    }
    if (options->alpha < GF_ALPHA_STRAIGHT || options->alpha > GF_ALPHA_NONE) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "alpha %d: must be straight, premul or none",
                       (int)options->alpha);
    }
    if (options->threads < 0 || options->band_rows < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "threads and band_rows must not be negative");
    }
    if (options->stream_rows < GF_STREAM_CHOSEN) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stream_rows %lld: must be -1 or more",
                       (long long)options->stream_rows);
    }
    if (options->runs < 0 || !(options->busy_ms >= 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "runs and busy_ms must not be negative");
    }
    return GF_OK;
}

/* ---- making a plan ---- */

static int32_t core_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (int32_t)cores;
}

static gf_status decide_device(gf_plan *plan, gf_error *error)
{
    if (plan->options.device == GF_DEVICE_AUTO) {
        gf_choose_device(plan);
        return GF_OK;
    }
    plan->device = plan->options.device;
    snprintf(plan->reason, sizeof plan->reason, plan->n_stages > 0 ? "as asked" : "there are no stages");
    if (plan->device < 0) {
        return GF_OK;
    }
    if (!gf_has_cuda()) {
        return gf_fail(error, GF_ERROR_DEVICE, "device %s:%d: this build has no CUDA backend",
                       gf_device_kind(plan->device), plan->device);
    }
    for (int32_t i = 0; i < plan->lowered.list.n_ops; i++) {
        const struct gf_op *op = &plan->lowered.list.ops[i];
        if (op->kind == GF_OP_CALL && !op->u.call.device) {
            const gf_stage_type *type = plan->pipeline->nodes[op->stage].type;
            gf_fail(error, GF_ERROR_UNSUPPORTED, "stage %d '%s' has no device function: use the CPU",
                    op->stage + 1, type->name);
            if (error) {
                error->stage = op->stage;
            }
            return GF_ERROR_UNSUPPORTED;
        }
    }
    return GF_OK;
}

static gf_status bind(gf_plan *plan, gf_error *error)
{
    GF_TRY(gf_lower(plan->pipeline->nodes, plan->n_stages, &plan->input, plan->options.alpha, &plan->lowered,
                    error));
    GF_TRY(gf_fuse(&plan->lowered.list, plan->options.no_fuse != 0, &plan->steps, error));
    GF_TRY(gf_bands_find(plan, error));
    GF_TRY(decide_device(plan, error));
    GF_TRY(gf_buffers_make(&plan->lowered.list, &plan->steps, plan->device, plan->threads, &plan->buffers,
                           error));
    return gf_bands_choose(plan, error);
}

gf_status gf_plan_create_prefix(gf_context *context, const gf_pipeline *pipeline, int32_t n_stages,
                                const gf_shape *input, const gf_plan_options *options, gf_plan **plan,
                                gf_error *error)
{
    static const gf_plan_options defaults = GF_PLAN_OPTIONS_INIT;
    if (!context || !pipeline || !input || !plan) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context, pipeline, input and plan must not be NULL");
    }
    options = options ? options : &defaults;
    GF_TRY(check_options(options, error));
    GF_TRY(check_shape(input, error));
    gf_plan *made = calloc(1, sizeof *made);
    if (!made) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    made->context = context;
    made->pipeline = pipeline;
    made->n_stages = n_stages;
    made->options = *options;
    made->input = *input;
    made->threads = options->threads ? options->threads : core_count();
    gf_status status = bind(made, error);
    if (status != GF_OK) {
        gf_plan_destroy(&made);
        gf_pipeline_locate(pipeline, error);
        return status;
    }
    *plan = made;
    return GF_OK;
}

gf_status gf_plan_create(gf_context *context, const gf_pipeline *pipeline, const gf_shape *input,
                         const gf_plan_options *options, gf_plan **plan, gf_error *error)
{
    return gf_plan_create_prefix(context, pipeline, pipeline ? pipeline->n : 0, input, options, plan, error);
}

gf_status gf_plan_rebind(const gf_plan *plan, gf_device device, const char *reason, gf_plan **rebound,
                         gf_error *error)
{
    gf_plan_options options = plan->options;
    options.device = device;
    GF_TRY(gf_plan_create_prefix(plan->context, plan->pipeline, plan->n_stages, &plan->input, &options,
                                 rebound, error));
    if (reason) {
        snprintf((*rebound)->reason, sizeof(*rebound)->reason, "%s", reason);
    }
    return GF_OK;
}

void gf_plan_destroy(gf_plan **plan)
{
    if (!plan || !*plan) {
        return;
    }
    gf_buffers_free(&(*plan)->buffers);
    gf_steps_free(&(*plan)->steps);
    gf_lowered_free(&(*plan)->lowered);
    free(*plan);
    *plan = NULL;
}

/* ---- asking a plan ---- */

static gf_shape shape_of(const gf_plan *plan, int32_t value)
{
    const struct gf_value *v = &plan->lowered.list.values[value];
    return (gf_shape){v->width, v->height, v->channels, v->depth};
}

gf_device gf_plan_device(const gf_plan *plan)
{
    return plan->device;
}

const char *gf_plan_device_reason(const gf_plan *plan)
{
    return plan->reason;
}

gf_shape gf_plan_input(const gf_plan *plan)
{
    return plan->input;
}

gf_shape gf_plan_output(const gf_plan *plan)
{
    return shape_of(plan, plan->lowered.list.output);
}

int gf_plan_measures_only(const gf_plan *plan)
{
    return plan->lowered.list.output == plan->lowered.list.input && plan->n_stages > 0;
}

int32_t gf_plan_result_count(const gf_plan *plan)
{
    return plan->lowered.n_results;
}

uint64_t gf_plan_memory(const gf_plan *plan)
{
    return plan->memory;
}

gf_status gf_plan_bands(const gf_plan *plan, gf_band_info *info)
{
    if (info->struct_size != sizeof *info) {
        return GF_ERROR_ARGUMENT;
    }
    const struct gf_bands *bands = &plan->bands;
    *info = (gf_band_info){.struct_size = sizeof *info,
                           .reason = bands->reason,
                           .count = bands->count,
                           .rows = bands->height,
                           .above = bands->above,
                           .below = bands->below,
                           .sweeps = bands->sweeps,
                           .holds_input = bands->holds_input,
                           .waits = bands->sweeps > 1 ? bands->waits : ""};
    return GF_OK;
}

int32_t gf_plan_step_count(const gf_plan *plan)
{
    return plan->steps.n;
}

uint64_t gf_picture_bytes(const struct gf_value *picture)
{
    return (uint64_t)picture->width * (uint64_t)picture->height * (uint64_t)picture->channels *
           gf_depth_size(picture->depth);
}

static void describe_pass(const gf_plan *plan, const struct gf_pass *pass, gf_step_info *info)
{
    const struct gf_value *values = plan->lowered.list.values;
    info->kind = "pass";
    info->bytes_read = gf_picture_bytes(&values[pass->in]) + GF_FAULT(explain_bytes);
    info->bytes_written = pass->out == GF_NONE ? 0 : gf_picture_bytes(&values[pass->out]);
    if (pass->window.kernel) {
        struct gf_halo halo;
        pass->window.kernel->halo(&pass->window, &halo);
        info->halo_x = halo.left > halo.right ? halo.left : halo.right;
        info->halo_y = halo.up > halo.down ? halo.up : halo.down;
    }
}

static void append(char *label, size_t size, const char *text)
{
    size_t length = strlen(label);
    snprintf(label + length, size - length, "%s%s", length ? " + " : "", text);
}

gf_status gf_plan_step(const gf_plan *plan, int32_t index, gf_step_info *info)
{
    if (index < 0 || index >= plan->steps.n || info->struct_size != sizeof *info) {
        return GF_ERROR_ARGUMENT;
    }
    const struct gf_step *step = &plan->steps.step[index];
    *info = (gf_step_info){.struct_size = sizeof *info,
                           .kind = step->kind == GF_STEP_SOLVE ? "solve" : "call",
                           .first_stage = step->first_stage,
                           .last_stage = step->last_stage};
    if (step->kind == GF_STEP_PASS) {
        describe_pass(plan, step->u.pass, info);
    } else if (step->kind == GF_STEP_CALL) {
        info->bytes_read = gf_picture_bytes(&plan->lowered.list.values[step->u.call.in]);
        info->bytes_written = gf_picture_bytes(&plan->lowered.list.values[step->u.call.out]);
    }
    for (int32_t s = info->first_stage; s <= info->last_stage; s++) {
        append(info->label, sizeof info->label, plan->pipeline->nodes[s].type->name);
    }
    if (step->kind == GF_STEP_SOLVE) {
        size_t length = strlen(info->label);
        snprintf(info->label + length, sizeof info->label - length, " (%s)", step->u.solve.kernel->name);
    }
    return GF_OK;
}
