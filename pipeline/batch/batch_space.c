/* Pictures and execs of a batch, within its memory. Those who need a space get one in the order in which they
 * asked. What was used is kept for the next picture of the same shape, until the memory is wanted. */
#include "base/status.h"
#include "batch/batch.h"
#include "context/context.h"
#include "gpufilter/device.h"

#include <stdlib.h>

/* ---- one space ---- */

static gf_status allocate(gf_batch *batch, gf_shape shape, void **memory, gf_image *image, gf_error *error)
{
    int64_t row = gf_image_row_bytes(shape.width, shape.channels, shape.depth);
    int64_t pitch = (row + 63) / 64 * 64;
    *image =
        (gf_image){.struct_size = sizeof *image, .shape = shape, .pitch = pitch, .device = GF_DEVICE_CPU};
    const size_t bytes = (size_t)pitch * (size_t)shape.height;
    *memory = gf_context_allocate(batch->context, bytes + 2 * (size_t)GF_BATCH_PAGE);
    if (!*memory) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory: a picture needs %zu bytes", bytes);
    }
    image->data = (void *)(((uintptr_t)*memory + GF_BATCH_PAGE - 1) / GF_BATCH_PAGE * GF_BATCH_PAGE);
    return GF_OK;
}

static gf_status make(gf_batch *batch, struct gf_batch_plan *plan, struct gf_batch_space **space,
                      gf_error *error)
{
    struct gf_batch_space *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    *space = made;
    made->plan = plan;
    made->pinned_by = GF_DEVICE_CPU;
    made->execs = calloc((size_t)batch->n_units, sizeof *made->execs);
    GF_TRY(gf_need_memory(made->execs != NULL, error));
    if (plan->in_bands) {
        return GF_OK;
    }
    GF_TRY(allocate(batch, plan->shape, &made->in_memory, &made->in, error));
    return plan->makes ? allocate(batch, gf_plan_output(plan->plan), &made->out_memory, &made->out, error)
                       : GF_OK;
}

/* ---- pinned pictures ---- */

static uint64_t bytes_of(const gf_image *image)
{
    return image->data ? (uint64_t)image->pitch * (uint64_t)image->shape.height : 0;
}

static void unpin(gf_batch *batch, struct gf_batch_space *space)
{
    if (space->pinned_by < 0) {
        return;
    }
    gf_memory_unpin(space->pinned_by, space->in.data, NULL);
    if (space->out.data) {
        gf_memory_unpin(space->pinned_by, space->out.data, NULL);
    }
    space->pinned_by = GF_DEVICE_CPU;
    pthread_mutex_lock(&batch->lock);
    batch->pinned -= bytes_of(&space->in) + bytes_of(&space->out);
    pthread_mutex_unlock(&batch->lock);
}

/* At most half of the memory limit is taken from what the system can swap or move. */
static bool may_pin(gf_batch *batch, uint64_t bytes)
{
    pthread_mutex_lock(&batch->lock);
    const bool may = batch->pinned + bytes <= batch->options.memory_limit / 2;
    batch->pinned += may ? bytes : 0;
    pthread_mutex_unlock(&batch->lock);
    return may;
}

void gf_batch_space_pin(gf_batch *batch, struct gf_batch_space *space, gf_device device)
{
    enum { USES = 2 }; /* pinning takes about as long as the copies that it saves a run */
    const uint64_t in = bytes_of(&space->in), out = bytes_of(&space->out);
    if (device < 0 || !in || space->pinned_by >= 0 || ++space->gpu_runs != USES ||
        !may_pin(batch, in + out)) {
        return;
    }
    space->pinned_by = device;
    bool pinned = gf_memory_pin(device, space->in.data, in, NULL) == GF_OK;
    if (pinned && out && gf_memory_pin(device, space->out.data, out, NULL) != GF_OK) {
        gf_memory_unpin(device, space->in.data, NULL);
        pinned = false;
    }
    if (!pinned) {
        space->pinned_by = GF_DEVICE_CPU;
        pthread_mutex_lock(&batch->lock);
        batch->pinned -= in + out;
        pthread_mutex_unlock(&batch->lock);
    }
}

static void free_space(gf_batch *batch, struct gf_batch_space *space)
{
    unpin(batch, space);
    for (int32_t i = 0; space->execs && i < batch->n_units; i++) {
        gf_exec_destroy(&space->execs[i]);
    }
    free(space->execs);
    gf_context_release(batch->context, space->in_memory);
    gf_context_release(batch->context, space->out_memory);
    free(space);
}

/* ---- those that are kept, under the lock ---- */

static struct gf_batch_space *take_idle(gf_batch *batch, const struct gf_batch_plan *plan)
{
    for (struct gf_batch_space **at = &batch->idle; *at; at = &(*at)->next) {
        struct gf_batch_space *space = *at;
        if (space->plan == plan) {
            *at = space->next;
            batch->n_idle--;
            return space;
        }
    }
    return NULL;
}

/* The one that is idle for longest. */
static struct gf_batch_space *take_oldest(gf_batch *batch)
{
    struct gf_batch_space **at = &batch->idle;
    while ((*at)->next) {
        at = &(*at)->next;
    }
    struct gf_batch_space *space = *at;
    *at = NULL;
    batch->n_idle--;
    batch->numbers.memory -= space->plan->bytes;
    return space;
}

/* ---- taking and leaving ---- */

/* Frees a list of spaces, and the plans that they were the last to use. Outside of the lock. */
static void free_list(gf_batch *batch, struct gf_batch_space *list)
{
    while (list) {
        struct gf_batch_space *next = list->next;
        struct gf_batch_plan *plan = list->plan;
        free_space(batch, list);
        gf_batch_plan_leave(batch, plan);
        list = next;
    }
}

static void put_idle(gf_batch *batch, struct gf_batch_space *space)
{
    space->next = batch->idle;
    batch->idle = space;
    batch->n_idle++;
}

/* Takes, under the lock and at its turn, an idle space, or memory for a new one that is counted from now on,
 * and in both cases memory for what the item holds beside it. What has to go is added to *old. False:
 * neither. */
static bool try_take(gf_batch *batch, struct gf_batch_plan *plan, uint64_t held,
                     struct gf_batch_space **space, struct gf_batch_space **old)
{
    gf_batch_numbers *numbers = &batch->numbers;
    *space = take_idle(batch, plan);
    const uint64_t more = held + (*space ? 0 : plan->bytes);
    while (batch->idle && more > 0 && numbers->memory + more > batch->options.memory_limit) {
        struct gf_batch_space *oldest = take_oldest(batch);
        oldest->next = *old;
        *old = oldest;
    }
    if (batch->n_busy > 0 && more > 0 && numbers->memory + more > batch->options.memory_limit) {
        if (*space) {
            put_idle(batch, *space);
        }
        return false;
    }
    plan->users += !*space; /* the new space */
    numbers->memory += more;
    numbers->most_memory = numbers->memory > numbers->most_memory ? numbers->memory : numbers->most_memory;
    return true;
}

static void give_up(gf_batch *batch, struct gf_batch_plan *plan, uint64_t held, struct gf_batch_space *space)
{
    pthread_mutex_lock(&batch->lock);
    batch->n_busy--;
    batch->numbers.memory -= plan->bytes + held;
    pthread_cond_broadcast(&batch->room);
    pthread_mutex_unlock(&batch->lock);
    if (space) {
        free_space(batch, space);
    }
    gf_batch_plan_leave(batch, plan);
}

gf_status gf_batch_space_take(gf_batch *batch, struct gf_batch_plan *plan, uint64_t held,
                              struct gf_batch_space **space, gf_error *error)
{
    struct gf_batch_space *old = NULL;
    pthread_mutex_lock(&batch->lock);
    int64_t ticket = batch->tickets++;
    bool taken = false;
    *space = NULL;
    while (!taken && !(ticket == batch->served && atomic_load(&batch->cancelled))) {
        taken = ticket == batch->served && try_take(batch, plan, held, space, &old);
        if (!taken) {
            pthread_cond_wait(&batch->room, &batch->lock);
        }
    }
    batch->n_busy += taken;
    batch->served++;
    pthread_cond_broadcast(&batch->room);
    pthread_mutex_unlock(&batch->lock);
    free_list(batch, old);
    if (!taken) {
        return gf_fail(error, GF_ERROR_CANCELLED, "the batch was cancelled");
    }
    gf_status status = *space ? GF_OK : make(batch, plan, space, error);
    if (status != GF_OK) {
        give_up(batch, plan, held, *space);
        *space = NULL;
        return status;
    }
    (*space)->held = held;
    return GF_OK;
}

void gf_batch_space_leave(gf_batch *batch, struct gf_batch_space *space)
{
    if (!space) {
        return;
    }
    struct gf_batch_space *old = NULL;
    pthread_mutex_lock(&batch->lock);
    put_idle(batch, space);
    batch->numbers.memory -= space->held;
    batch->n_busy--;
    if (batch->n_idle > batch->options.workers + batch->options.plans) {
        old = take_oldest(batch);
    }
    pthread_cond_broadcast(&batch->room);
    pthread_mutex_unlock(&batch->lock);
    free_list(batch, old);
}

void gf_batch_space_free_idle(gf_batch *batch)
{
    free_list(batch, batch->idle);
    batch->idle = NULL;
}

/* ---- execs ---- */

static int stops(void *user, int32_t done, int32_t steps)
{
    gf_batch *batch = user;
    (void)done, (void)steps;
    return atomic_load(&batch->cancelled);
}

static gf_status make_exec(gf_batch *batch, struct gf_batch_space *space, int32_t unit, gf_error *error)
{
    const gf_batch_options *o = &batch->options;
    gf_plan *plan = NULL;
    GF_TRY(gf_batch_plan_bind(batch, space->plan, unit, &plan, error));
    GF_TRY(gf_exec_create(plan, &space->execs[unit], error));
    gf_exec_set_progress(space->execs[unit], stops, batch);
    pthread_mutex_lock(&batch->lock);
    batch->numbers.execs++;
    pthread_mutex_unlock(&batch->lock);
    if (!o->prepare) {
        return GF_OK;
    }
    gf_error said = GF_ERROR_INIT;
    gf_status status = o->prepare(o->user, space->execs[unit], &said);
    return gf_callback_status(status, &said, "gf_batch_options.prepare", error);
}

void gf_batch_space_drop_exec(struct gf_batch_space *space, int32_t unit)
{
    gf_exec_destroy(&space->execs[unit]);
}

gf_status gf_batch_space_exec(gf_batch *batch, struct gf_batch_space *space, int32_t unit, gf_exec **exec,
                              gf_error *error)
{
    gf_status status = space->execs[unit] ? GF_OK : make_exec(batch, space, unit, error);
    if (status != GF_OK) {
        gf_batch_space_drop_exec(space, unit);
    }
    *exec = space->execs[unit];
    return status;
}
