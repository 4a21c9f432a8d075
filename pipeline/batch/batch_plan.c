/* Plans of a batch: one a shape and kind, kept while they are used and, a few of them, after that. */
#include "base/status.h"
#include "batch/batch.h"
#include "plan/plan.h"

#include <stdlib.h>

/* ---- making ---- */

static gf_status ask(gf_batch *batch, const struct gf_batch_plan *made, const gf_plan_options *options,
                     gf_plan **plan, gf_error *error)
{
    const gf_batch_options *o = &batch->options;
    if (!o->plan) {
        return gf_plan_create(batch->context, batch->pipeline, &made->shape, options, plan, error);
    }
    gf_error said = GF_ERROR_INIT;
    gf_status status = o->plan(o->user, made->kind, &made->shape, options, plan, &said);
    GF_TRY(gf_callback_status(status, &said, "gf_batch_options.plan", error));
    return *plan ? GF_OK : gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_options.plan made no plan");
}

static uint64_t picture_bytes(gf_shape shape)
{
    uint64_t row = (uint64_t)gf_image_row_bytes(shape.width, shape.channels, shape.depth);
    return (row + 63) / 64 * 64 * (uint64_t)shape.height + 2 * (uint64_t)GF_BATCH_PAGE;
}

static void take_in(struct gf_batch_plan *made)
{
    const struct gf_op_list *list = &made->plan->lowered.list;
    made->makes = list->input != list->output;
    made->bytes = gf_plan_memory(made->plan);
    if (!made->in_bands) {
        made->bytes += picture_bytes(made->shape);
        made->bytes += made->makes ? picture_bytes(gf_plan_output(made->plan)) : 0;
    }
}

/* Whole, or, where that takes more memory than there may be, in bands. */
static gf_status fill(gf_batch *batch, struct gf_batch_plan *made, gf_error *error)
{
    const gf_batch_options *o = &batch->options;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = batch->choosing ? GF_DEVICE_AUTO : batch->units[0].device;
    options.alpha = o->alpha;
    options.no_fuse = o->no_fuse;
    options.threads = o->threads;
    options.runs = o->expected;
    made->bound = calloc((size_t)batch->n_units, sizeof *made->bound);
    GF_TRY(gf_need_memory(made->bound != NULL, error));
    GF_TRY(ask(batch, made, &options, &made->plan, error));
    take_in(made);
    made->whole_bytes = made->bytes;
    if (made->bytes > o->memory_limit) {
        gf_plan *whole = made->plan;
        options.memory_limit = o->memory_limit;
        options.stream_rows = GF_STREAM_CHOSEN;
        made->plan = NULL;
        gf_plan_destroy(&whole);
        GF_TRY(ask(batch, made, &options, &made->plan, error));
        made->in_bands = true;
        take_in(made);
    }
    made->plan->sleeps = true;
    made->on_gpu = !batch->choosing || gf_plan_device(made->plan) >= 0;
    return GF_OK;
}

void gf_batch_plan_free(gf_batch *batch, struct gf_batch_plan *plan)
{
    if (!plan) {
        return;
    }
    for (int32_t i = 0; plan->bound && i < batch->n_units; i++) {
        gf_plan_destroy(&plan->bound[i]);
    }
    free(plan->bound);
    gf_plan_destroy(&plan->plan);
    free(plan);
}

/* ---- keeping, all under the lock ---- */

static bool is_for(const struct gf_batch_plan *plan, int32_t kind, const gf_shape *shape)
{
    return plan->kind == kind && plan->shape.width == shape->width && plan->shape.height == shape->height &&
           plan->shape.channels == shape->channels && plan->shape.depth == shape->depth;
}

/* Finds it and puts it first. */
static struct gf_batch_plan *find(gf_batch *batch, int32_t kind, const gf_shape *shape)
{
    for (struct gf_batch_plan **at = &batch->plans; *at; at = &(*at)->next) {
        struct gf_batch_plan *plan = *at;
        if (is_for(plan, kind, shape)) {
            *at = plan->next;
            plan->next = batch->plans;
            batch->plans = plan;
            return plan;
        }
    }
    return NULL;
}

/* Takes out the plan that nobody has used for longest, where there are more unused ones than are kept. */
static struct gf_batch_plan *take_out(gf_batch *batch)
{
    struct gf_batch_plan **last = NULL;
    int32_t unused = 0;
    for (struct gf_batch_plan **at = &batch->plans; *at; at = &(*at)->next) {
        unused += (*at)->users == 0;
        last = (*at)->users == 0 ? at : last;
    }
    if (unused <= batch->options.plans) {
        return NULL;
    }
    struct gf_batch_plan *plan = *last;
    *last = plan->next;
    return plan;
}

struct gf_batch_plan *gf_batch_plan_drop(gf_batch *batch, struct gf_batch_plan *plan)
{
    plan->users--;
    return take_out(batch);
}

void gf_batch_plan_leave(gf_batch *batch, struct gf_batch_plan *plan)
{
    if (plan) {
        pthread_mutex_lock(&batch->lock);
        struct gf_batch_plan *old = gf_batch_plan_drop(batch, plan);
        pthread_mutex_unlock(&batch->lock);
        gf_batch_plan_free(batch, old);
    }
}

/* ---- asking ---- */

static gf_status make(gf_batch *batch, int32_t kind, const gf_shape *shape, struct gf_batch_plan **plan,
                      gf_error *error)
{
    struct gf_batch_plan *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    made->shape = *shape;
    made->kind = kind;
    gf_status status = fill(batch, made, error);
    if (status != GF_OK) {
        gf_batch_plan_free(batch, made);
        return status;
    }
    pthread_mutex_lock(&batch->lock);
    made->users = 1;
    made->next = batch->plans;
    batch->plans = made;
    batch->numbers.plans++;
    pthread_mutex_unlock(&batch->lock);
    *plan = made;
    return GF_OK;
}

gf_status gf_batch_plan_take(gf_batch *batch, int32_t kind, const gf_shape *shape,
                             struct gf_batch_plan **plan, gf_error *error)
{
    gf_status status = GF_OK;
    pthread_mutex_lock(&batch->planning);
    pthread_mutex_lock(&batch->lock);
    *plan = find(batch, kind, shape);
    if (*plan) {
        (*plan)->users++;
    }
    pthread_mutex_unlock(&batch->lock);
    if (!*plan) {
        status = make(batch, kind, shape, plan, error);
    }
    pthread_mutex_unlock(&batch->planning);
    return status;
}

gf_status gf_batch_plan_bind(gf_batch *batch, struct gf_batch_plan *plan, int32_t unit, gf_plan **bound,
                             gf_error *error)
{
    gf_device device = batch->units[unit].device;
    gf_status status = GF_OK;
    *bound = plan->plan;
    if (gf_plan_device(plan->plan) != device) {
        pthread_mutex_lock(&batch->planning);
        if (!plan->bound[unit]) {
            status =
                gf_plan_rebind(plan->plan, device, "it takes part in the batch", &plan->bound[unit], error);
            if (status == GF_OK) { /* once, before anybody runs it */
                plan->bound[unit]->sleeps = true;
            }
        }
        *bound = plan->bound[unit];
        pthread_mutex_unlock(&batch->planning);
    }
    return status;
}
