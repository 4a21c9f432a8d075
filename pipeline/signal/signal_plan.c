#include "signal/signal_plan.h"

#include "base/device.h"
#include "base/processors.h"
#include "base/sized.h"
#include "gpufilter/inputs.h"
#include "lang/pipeline.h"
#include "signal/signal_choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gf_status check(const gf_signal_shape *shape, const gf_signal_options *options, gf_error *error)
{
    if (shape->frames < -1 || shape->frames > GF_SIGNAL_FRAMES) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a signal has 0 to 2^48 frames, or -1, not %lld",
                       (long long)shape->frames);
    }
    if (shape->channels < 1 || shape->channels > GF_SIGNAL_CHANNELS) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a signal has 1 to %d channels, not %d", GF_SIGNAL_CHANNELS,
                       shape->channels);
    }
    if (!(shape->rate >= 0 && shape->rate < 1e12)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the rate of a signal is from 0, unknown, to 10^12 Hz");
    }
    if (options->device < GF_DEVICE_AUTO || options->threads < 0 || options->threads > 1024) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "device %d, threads %d: there is no such device or number",
                       options->device, options->threads);
    }
    if (options->device >= 0 && !gf_has_cuda()) {
        return gf_fail(error, GF_ERROR_DEVICE, "device %s:%d: %s", gf_device_kind(options->device),
                       options->device, gf_cuda_missing());
    }
    return GF_OK;
}

static gf_status take_other(gf_signal_plan *plan, const char *name, const gf_signal_input *in,
                            const gf_signal_options *options, gf_error *error)
{
    const gf_signal_shape *shape = &in->shape;
    GF_TRY(check(shape, options, error));
    if (shape->frames < 0 || (shape->frames > 0 && !in->data) ||
        (shape->channels > 1 && in->pitch < shape->frames)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_signal_options has no whole signal for '%s'", name);
    }
    plan->others[plan->n_others++] =
        (struct gf_signal_other){name, in->data, in->pitch, shape->frames, shape->channels, shape->rate};
    return GF_OK;
}

/* What else stages read. */
static gf_status take_others(gf_signal_plan *plan, const gf_signal_options *options, gf_error *error)
{
    const int32_t n = gf_pipeline_input_count(plan->pipeline) - 1;
    const int32_t given = options->n_other_inputs;
    if (given < 0 || given > n || (given > 0 && !options->other_inputs)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stages name %d other signals, and other_inputs has %d", n,
                       given);
    }
    plan->others = calloc((size_t)n + 1, sizeof *plan->others);
    GF_TRY(gf_need_memory(plan->others != NULL, error));
    for (int32_t i = 0; i < given; i++) {
        GF_TRY(take_other(plan, gf_pipeline_input_name(plan->pipeline, i + 1), &options->other_inputs[i],
                          options, error));
    }
    return options->in ? take_other(plan, "in", options->in, options, error) : GF_OK;
}

static gf_status bind(gf_signal_plan *plan, const gf_signal_options *options, gf_error *error)
{
    GF_TRY(take_others(plan, options, error));
    GF_TRY(gf_lower_signal(plan->pipeline->nodes, options->first, plan->pipeline->n, plan->input.channels,
                           plan->input.rate, plan->others, plan->n_others, &plan->chain, error));
    plan->output = (gf_signal_shape){plan->input.frames, plan->chain.channels, plan->chain.rate};
    const int32_t n = plan->pipeline->n;
    plan->is_picture = n > 0 && plan->pipeline->nodes[n - 1].type->flags & GF_STAGE_PICTURE;
    plan->widest = plan->is_picture ? 1 : plan->output.channels;
    for (int32_t i = 0; i < plan->chain.n; i++) {
        const struct gf_signal_node *node = &plan->chain.nodes[i].node;
        const struct gf_signal_barrier *barrier = gf_signal_barrier_of(node);
        const int32_t channels = gf_signal_channels(plan, i);
        plan->widest = channels > plan->widest ? channels : plan->widest;
        plan->together = plan->together || node->kernel->outputs;
        plan->output.frames = plan->output.frames < 0 || (barrier && barrier->open)
                                  ? -1
                                  : node->kernel->length(node->args, plan->output.frames);
    }
    if (options->device == GF_DEVICE_AUTO) {
        plan->device = gf_signal_choose_device(plan, options->may_repeat != 0);
    } else {
        snprintf(plan->reason, sizeof plan->reason, "%s", options->reason ? options->reason : "as asked");
    }
    if (plan->chain.n == 0 && plan->device >= 0) {
        plan->device = GF_DEVICE_CPU;
        snprintf(plan->reason, sizeof plan->reason, "nothing is computed");
    }
    return GF_OK;
}

gf_status gf_signal_plan_create(gf_context *context, const gf_pipeline *pipeline,
                                const gf_signal_shape *input, const gf_signal_options *options,
                                gf_signal_plan **plan, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_signal_options, threads);
    gf_signal_options taken = GF_SIGNAL_OPTIONS_INIT;
    if (plan) {
        *plan = NULL;
    }
    if (!context || !pipeline || !input || !plan) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context, pipeline, input and plan must not be NULL");
    }
    GF_TRY(options ? gf_struct_in(&sized, options, &taken, error) : GF_OK);
    GF_TRY(check(input, &taken, error));
    if (taken.first < 0 || taken.first > pipeline->n) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "first is %d, and there are %d stages", taken.first,
                       pipeline->n);
    }
    gf_signal_plan *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    gf_error why = GF_ERROR_INIT;
    made->context = gf_context_hold(context);
    made->input = *input;
    made->device = taken.device == GF_DEVICE_AUTO ? GF_DEVICE_CPU : taken.device;
    made->threads = taken.threads ? taken.threads : gf_processors();
    gf_status status = gf_pipeline_copy(pipeline, &made->pipeline, &why);
    status = status == GF_OK ? bind(made, &taken, &why) : status;
    if (status != GF_OK) {
        gf_pipeline_locate(pipeline, &why);
        gf_signal_plan_destroy(&made);
        return gf_error_copy(error, &why);
    }
    *plan = made;
    return GF_OK;
}

void gf_signal_plan_destroy(gf_signal_plan **plan)
{
    gf_signal_plan *held = plan ? *plan : NULL;
    if (!held) {
        return;
    }
    *plan = NULL;
    if (gf_refs_drop(&held->refs)) {
        gf_lowered_signal_free(&held->chain);
        gf_pipeline_destroy(&held->pipeline);
        free(held->others);
        gf_context_destroy(&held->context);
        free(held);
    }
}

gf_signal_shape gf_signal_plan_output(const gf_signal_plan *plan)
{
    return plan ? plan->output : (gf_signal_shape){0};
}

gf_device gf_signal_plan_device(const gf_signal_plan *plan)
{
    return plan ? plan->device : GF_DEVICE_AUTO;
}

int32_t gf_signal_next_barrier(const gf_signal_plan *plan, int32_t i)
{
    while (i < plan->chain.n && !gf_signal_barrier_of(&plan->chain.nodes[i].node)) {
        i++;
    }
    return i;
}

void gf_signal_advance(const gf_signal_plan *plan, struct gf_signal_place *places, int32_t first, int32_t end,
                       int64_t frames, bool ends)
{
    places[first].have += frames;
    places[first].total = ends ? places[first].have : -1;
    for (int32_t i = first; i < end; i++) {
        const struct gf_signal_node *node = &plan->chain.nodes[i].node;
        struct gf_signal_place *out = &places[i + 1];
        if (ends) {
            out->total = out->have = node->kernel->length(node->args, places[i].total);
        } else {
            out->total = -1;
            int64_t ready = node->kernel->ready(node->args, places[i].have);
            ready -= plan->device >= 0 ? ready % GF_SIGNAL_STEP : 0;
            out->have = ready > out->have ? ready : out->have;
        }
    }
}
