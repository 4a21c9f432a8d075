#include "plan/plan.h"

#include "base/device.h"
#include "base/planted_fault.h"
#include "base/processors.h"
#include "base/sized.h"
#include "gpufilter/inputs.h"
#include "lang/pipeline.h"
#include "pixel/ir/kernel_table.h"
#include "plan/bands.h"
#include "plan/choose.h"
#include "plan/plan_check.h"
#include "plan/staged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making a plan ---- */

static gf_status decide_device(gf_plan *plan, gf_error *error)
{
    if (plan->options.device == GF_DEVICE_AUTO) {
        plan->device = gf_choose_device(plan, plan->reason, sizeof plan->reason);
        return GF_OK;
    }
    plan->device = plan->options.device;
    snprintf(plan->reason, sizeof plan->reason, plan->n_stages > 0 ? "as asked" : "there are no stages");
    if (plan->device < 0) {
        return GF_OK;
    }
    if (!gf_has_cuda()) {
        return gf_fail(error, GF_ERROR_DEVICE, "device %s:%d: %s", gf_device_kind(plan->device), plan->device,
                       gf_cuda_missing());
    }
    for (int32_t i = 0; i < plan->lowered.list.n_ops; i++) {
        const struct gf_op *op = &plan->lowered.list.ops[i];
        if (!gf_op_has_device(op)) {
            const gf_stage_type *type = plan->pipeline->nodes[op->stage].type;
            gf_fail(error, GF_ERROR_UNSUPPORTED, "stage %d '%s' has no device function: use the CPU",
                    op->stage + 1, type->name);
            gf_error_stage(error, op->stage);
            return GF_ERROR_UNSUPPORTED;
        }
    }
    return GF_OK;
}

static gf_status bind(gf_plan *plan, gf_error *error)
{
    GF_TRY(gf_lower(plan->pipeline->nodes, plan->n_stages, plan->inputs, plan->n_inputs, plan->options.alpha,
                    &plan->lowered, error));
    const struct gf_fuse_options fuse = {.no_fuse = plan->options.no_fuse != 0,
                                         .cpu = plan->options.device < 0,
                                         .gpu = plan->options.device >= 0 ||
                                                (plan->options.device == GF_DEVICE_AUTO && gf_has_cuda())};
    GF_TRY(gf_fuse(&plan->lowered.list, &fuse, &plan->steps, error));
    GF_TRY(gf_bands_find(plan, &plan->steps, &plan->bands, error));
    GF_TRY(decide_device(plan, error));
    const struct gf_view whole = gf_plan_view(plan);
    GF_TRY(gf_buffers_make(&whole, plan->device, gf_buffers_scratch(&whole, plan->device), &plan->buffers,
                           error));
    GF_TRY(gf_bands_choose(plan, &plan->bands, &plan->memory, error));
    plan->pieces = gf_plan_pieces(plan);
    plan->memory += gf_plan_piece_bytes(plan);
    return GF_OK;
}

/* Makes a plan from a copy of the pipeline, which it then holds, and checked arguments. */
static gf_status create(gf_context *context, gf_pipeline *pipeline, int32_t n_stages,
                        const struct gf_plan_shapes *shapes, const gf_plan_options *options, gf_plan **plan,
                        gf_error *error)
{
    gf_plan *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    gf_error why = GF_ERROR_INIT;
    gf_refs_hold(&pipeline->refs);
    made->context = gf_context_hold(context);
    made->pipeline = pipeline;
    made->n_stages = n_stages;
    made->options = *options;
    made->input = shapes->of[0];
    made->n_inputs = shapes->n;
    for (int32_t i = 0; i < shapes->n; i++) {
        made->inputs[i] = (struct gf_input){gf_pipeline_input_name(pipeline, i), shapes->of[i]};
    }
    made->threads = options->threads ? options->threads : gf_processors();
    gf_status status = bind(made, &why);
    if (status != GF_OK) {
        gf_plan_destroy(&made);
        gf_pipeline_locate(pipeline, &why);
        gf_error_copy(error, &why);
        return status;
    }
    *plan = made;
    return GF_OK;
}

/* Logs plans that the caller asked for, not those that plans are made of. */
static void log_plan(const gf_plan *plan)
{
    char number[16] = "";
    if (plan->device >= 0) {
        snprintf(number, sizeof number, ":%d", plan->device);
    }
    gf_context_log(plan->context, GF_LOG_INFO, "device %s%s: %s", gf_device_kind(plan->device), number,
                   plan->reason);
}

gf_status gf_plan_create(gf_context *context, const gf_pipeline *pipeline, const gf_shape *input,
                         const gf_plan_options *options, gf_plan **plan, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_plan_options, device);
    gf_plan_options taken = GF_PLAN_OPTIONS_INIT;
    if (plan) {
        *plan = NULL;
    }
    if (!context || !pipeline || !input || !plan) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context, pipeline, input and plan must not be NULL");
    }
    GF_TRY(options ? gf_struct_in(&sized, options, &taken, error) : GF_OK);
    GF_TRY(gf_plan_check_options(&taken, error));
    struct gf_plan_shapes shapes;
    GF_TRY(gf_plan_take_shapes(pipeline, input, &taken, &shapes, error));
    gf_pipeline *copy = NULL;
    GF_TRY(gf_pipeline_copy(pipeline, &copy, error));
    gf_status status = create(context, copy, copy->n, &shapes, &taken, plan, error);
    gf_pipeline_destroy(&copy);
    if (status == GF_OK) {
        log_plan(*plan);
    }
    return status;
}

gf_status gf_plan_create_like(const gf_plan *plan, int32_t n_stages, const gf_plan_options *options,
                              gf_plan **made, gf_error *error)
{
    GF_TRY(gf_plan_check_options(options, error));
    struct gf_plan_shapes shapes = {.n = plan->n_inputs};
    for (int32_t i = 0; i < plan->n_inputs; i++) {
        shapes.of[i] = plan->inputs[i].shape;
    }
    return create(plan->context, plan->pipeline, n_stages, &shapes, options, made, error);
}

gf_status gf_plan_rebind(const gf_plan *plan, gf_device device, const char *reason, gf_plan **rebound,
                         gf_error *error)
{
    if (!plan || !rebound) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "plan and rebound must not be NULL");
    }
    gf_plan_options options = plan->options;
    options.device = device;
    gf_plan *made = NULL;
    gf_status status = gf_plan_create_like(plan, plan->n_stages, &options, &made, error);
    if (status == GF_OK && reason) {
        snprintf(made->reason, sizeof made->reason, "%s", reason);
    }
    if (status == GF_OK) {
        log_plan(made);
    }
    *rebound = made;
    return status;
}

const gf_plan *gf_plan_hold(const gf_plan *plan)
{
    gf_refs_hold(&((gf_plan *)(uintptr_t)plan)->refs); /* const is what a plan says, not who holds it */
    return plan;
}

void gf_plan_release(const gf_plan *plan)
{
    gf_plan *held = (gf_plan *)(uintptr_t)plan;
    gf_plan_destroy(&held);
}

void gf_plan_destroy(gf_plan **plan)
{
    gf_plan *held = plan ? *plan : NULL;
    if (!held) {
        return;
    }
    *plan = NULL;
    if (!gf_refs_drop(&held->refs)) {
        return;
    }
    gf_buffers_free(&held->buffers);
    gf_steps_free(&held->steps);
    gf_lowered_free(&held->lowered);
    gf_pipeline_destroy(&held->pipeline);
    gf_context_destroy(&held->context);
    free(held);
}

/* ---- asking a plan ---- */

static gf_shape shape_of(const gf_plan *plan, int32_t value)
{
    const struct gf_value *v = &plan->lowered.list.values[value];
    return (gf_shape){v->width, v->height, v->channels, v->depth};
}

gf_device gf_plan_device(const gf_plan *plan)
{
    return plan ? plan->device : GF_DEVICE_AUTO;
}

const char *gf_plan_device_reason(const gf_plan *plan)
{
    return plan ? plan->reason : NULL;
}

gf_shape gf_plan_input(const gf_plan *plan)
{
    return plan ? plan->input : (gf_shape){0};
}

gf_shape gf_plan_input_at(const gf_plan *plan, int32_t index)
{
    return plan && index >= 0 && index < plan->n_inputs ? plan->inputs[index].shape : (gf_shape){0};
}

gf_shape gf_plan_output(const gf_plan *plan)
{
    return plan ? shape_of(plan, plan->lowered.list.output) : (gf_shape){0};
}

int gf_plan_measures_only(const gf_plan *plan)
{
    return plan && plan->lowered.list.output == plan->lowered.list.input && plan->n_stages > 0;
}

int32_t gf_plan_result_count(const gf_plan *plan)
{
    return plan ? plan->lowered.n_results : 0;
}

int32_t gf_plan_result_channels(const gf_plan *plan, int32_t index)
{
    const bool is_there = plan && index >= 0 && index < plan->lowered.n_results;
    return is_there ? __builtin_popcount(plan->lowered.results[index].channels) : 0;
}

const char *gf_plan_note(const gf_plan *plan)
{
    return plan ? plan->lowered.note : "";
}

int64_t gf_plan_result_rows(const gf_plan *plan, int32_t index)
{
    const bool is_there = plan && index >= 0 && index < plan->lowered.n_results;
    return is_there ? plan->lowered.results[index].rows : -1;
}

uint64_t gf_plan_memory(const gf_plan *plan)
{
    return plan ? plan->memory : 0;
}

gf_status gf_plan_bands(const gf_plan *plan, gf_band_info *info)
{
    static const struct gf_sized sized = GF_SIZED(gf_band_info, count);
    if (!plan) {
        return GF_ERROR_ARGUMENT;
    }
    const struct gf_bands *bands = &plan->bands;
    const gf_band_info made = {.struct_size = sizeof made,
                               .reason = bands->reason,
                               .count = bands->count,
                               .rows = bands->height,
                               .above = bands->above,
                               .below = bands->below,
                               .sweeps = bands->sweeps,
                               .holds_input = bands->holds_input,
                               .waits = bands->sweeps > 1 ? bands->waits : ""};
    return gf_struct_out(&sized, info, &made, NULL);
}

const char *gf_step_kind_name(gf_step_kind kind)
{
    static const char *const names[] = {"pass", "solve", "call", "map", "whole"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown kind";
}

int32_t gf_plan_step_count(const gf_plan *plan)
{
    return plan ? plan->steps.n : 0;
}

static void describe_pass(const gf_plan *plan, const struct gf_pass *pass, gf_step_info *info)
{
    const struct gf_value *values = plan->lowered.list.values;
    info->kind = GF_STEP_KIND_PASS;
    info->bytes_read = gf_pass_in_size(pass) + gf_pass_second_size(pass) + GF_FAULT(explain_bytes);
    info->bytes_written = pass->out == GF_NONE ? 0 : gf_picture_bytes(&values[pass->out]);
    if (pass->window.kernel) {
        struct gf_halo halo;
        pass->window.kernel->window.halo(&pass->window, &halo);
        info->halo_x = halo.left > halo.right ? halo.left : halo.right;
        info->halo_y = halo.up > halo.down ? halo.up : halo.down;
    }
}

static void describe_apply(const gf_plan *plan, const struct gf_apply *apply, gf_step_info *info)
{
    const struct gf_view whole = gf_plan_view(plan);
    const enum gf_kernel_kind kind = apply->kernel->kind;
    info->kind = kind == GF_KERNEL_SOLVE ? GF_STEP_KIND_SOLVE
                 : kind == GF_KERNEL_MAP ? GF_STEP_KIND_MAP
                                         : GF_STEP_KIND_WHOLE;
    gf_apply_bytes(&whole, apply, &info->bytes_read, &info->bytes_written);
}

static void describe_call(const gf_plan *plan, const struct gf_call *call, gf_step_info *info)
{
    info->kind = GF_STEP_KIND_CALL;
    info->bytes_read = gf_picture_bytes(&plan->lowered.list.values[call->in]);
    info->bytes_written = gf_picture_bytes(&plan->lowered.list.values[call->out]);
}

static void append(char *label, size_t size, const char *text)
{
    size_t length = strlen(label);
    snprintf(label + length, size - length, "%s%s", length ? " + " : "", text);
}

static gf_step_info describe_step(const gf_plan *plan, const struct gf_step *step)
{
    gf_step_info made = {
        .struct_size = sizeof made, .first_stage = step->first_stage, .last_stage = step->last_stage};
    gf_step_info *info = &made;
    switch (step->kind) {
    case GF_STEP_PASS:
        describe_pass(plan, step->u.pass, info);
        break;
    case GF_STEP_APPLY:
        describe_apply(plan, &step->u.apply, info);
        break;
    case GF_STEP_CALL:
        describe_call(plan, &step->u.call, info);
        break;
    }
    for (int32_t s = info->first_stage; s <= info->last_stage; s++) {
        append(info->label, sizeof info->label, plan->pipeline->nodes[s].type->name);
    }
    if (gf_step_solves(step)) {
        size_t length = strlen(info->label);
        snprintf(info->label + length, sizeof info->label - length, " (%s)", step->u.apply.kernel->name);
    }
    return made;
}

gf_status gf_plan_step(const gf_plan *plan, int32_t index, gf_step_info *info)
{
    static const struct gf_sized sized = GF_SIZED(gf_step_info, label);
    if (!plan || index < 0 || index >= plan->steps.n) {
        return GF_ERROR_ARGUMENT;
    }
    const gf_step_info made = describe_step(plan, &plan->steps.step[index]);
    return gf_struct_out(&sized, info, &made, NULL);
}
