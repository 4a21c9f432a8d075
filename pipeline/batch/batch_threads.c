/* Batches: their threads and their queue. */
#include "batch/batch.h"

#include "base/processors.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/team.h"
#include "context/context.h"
#include "lang/pipeline.h"

#include <stdlib.h>

/* ---- threads ---- */

/* The next item; false: there will be none. */
static bool take(gf_batch *batch, gf_batch_item *item)
{
    pthread_mutex_lock(&batch->lock);
    while (batch->waiting == 0 && !batch->closing) {
        pthread_cond_wait(&batch->came, &batch->lock);
    }
    bool taken = batch->waiting > 0;
    if (taken) {
        *item = batch->queue[batch->first];
        batch->first = (batch->first + 1) % batch->options.queue;
        batch->waiting--;
        batch->running++;
        pthread_cond_broadcast(&batch->room);
    }
    pthread_mutex_unlock(&batch->lock);
    return taken;
}

static void *work(void *argument)
{
    gf_batch *batch = argument;
    gf_batch_item item;
    while (take(batch, &item)) {
        gf_batch_item_run(batch, &item);
        pthread_mutex_lock(&batch->lock);
        batch->running--;
        pthread_cond_broadcast(&batch->ended);
        pthread_mutex_unlock(&batch->lock);
    }
    return NULL;
}

static bool is_worker(const gf_batch *batch)
{
    for (int32_t i = 0; i < batch->n_threads; i++) {
        if (pthread_equal(batch->threads[i], pthread_self())) {
            return true;
        }
    }
    return false;
}

/* ---- making ---- */

static gf_status check(const gf_batch_options *o, const gf_pipeline *pipeline, gf_error *error)
{
    if (!pipeline && !o->plan) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "pipeline is NULL, and so is gf_batch_options.plan");
    }
    const struct {
        const char *name;
        int32_t value, most;
    } numbers[] = {{"workers", o->workers, GF_MOST_THREADS},
                   {"threads", o->threads, GF_MOST_THREADS},
                   {"queue", o->queue, 1 << 20},
                   {"plans", o->plans, 1 << 20},
                   {"runs", o->runs, GF_MOST_THREADS},
                   {"n_devices", o->n_devices, 1024}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].value < 0 || numbers[i].value > numbers[i].most) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_options.%s is %d: must be from 0 to %d",
                           numbers[i].name, (int)numbers[i].value, (int)numbers[i].most);
        }
    }
    return o->expected >= 0
               ? GF_OK
               : gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_options.expected is %lld: must not be negative",
                         (long long)o->expected);
}

/* Fills in what the zeros stand for. */
static void complete(gf_batch *batch)
{
    gf_batch_options *o = &batch->options;
    int32_t gpus = 0;
    for (int32_t i = 0; i < batch->n_units; i++) {
        gpus += batch->units[i].device >= 0;
    }
    o->devices = NULL;
    o->runs = o->runs ? o->runs : 3;
    if (!o->workers) { /* while some wait for a disk or a GPU, others keep the processors busy */
        int64_t processors = gf_processors(),
                workers = processors + (processors + 1) / 2 + (int64_t)gpus * o->runs;
        o->workers = workers < GF_MOST_THREADS ? (int32_t)workers : GF_MOST_THREADS;
    }
    o->threads = o->threads ? o->threads : 1;
    o->queue = o->queue ? o->queue : 2 * o->workers;
    o->plans = o->plans ? o->plans : 16;
    o->memory_limit = o->memory_limit ? o->memory_limit : gf_batch_memory() / 2;
    o->expected = o->expected ? o->expected : 1000000;
    batch->at_once = o->workers;
    batch->numbers.workers = o->workers;
    batch->numbers.memory_limit = o->memory_limit;
}

static gf_status start(gf_batch *batch, gf_error *error)
{
    batch->queue = calloc((size_t)batch->options.queue, sizeof *batch->queue);
    batch->threads = calloc((size_t)batch->options.workers, sizeof *batch->threads);
    GF_TRY(gf_need_memory(batch->queue && batch->threads, error));
    pthread_mutex_lock(&batch->lock); /* they look for themselves among the threads, when all are known */
    while (batch->n_threads < batch->options.workers &&
           gf_thread_create(&batch->threads[batch->n_threads], work, batch)) {
        batch->n_threads++;
    }
    batch->numbers.workers = batch->n_threads;
    pthread_mutex_unlock(&batch->lock);
    return batch->n_threads > 0 ? GF_OK
                                : gf_fail(error, GF_ERROR_MEMORY,
                                          "no thread can be had for the batch: the system refuses one");
}

static gf_status set_up(gf_batch *batch, const gf_pipeline *pipeline, gf_error *error)
{
    const gf_batch_options *o = &batch->options;
    GF_TRY(check(o, pipeline, error));
    if (pipeline) {
        gf_pipeline *copy = NULL;
        GF_TRY(gf_pipeline_copy(pipeline, &copy, error));
        batch->pipeline = copy;
    }
    GF_TRY(gf_batch_units_find(batch, o->devices, o->n_devices, error));
    complete(batch);
    return start(batch, error);
}

gf_status gf_batch_create(gf_context *context, const gf_pipeline *pipeline, const gf_batch_options *options,
                          gf_batch **batch, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_batch_options, user);
    gf_batch_options taken = GF_BATCH_OPTIONS_INIT;
    if (batch) {
        *batch = NULL;
    }
    if (!context || !batch) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context and batch must not be NULL");
    }
    GF_TRY(options ? gf_struct_in(&sized, options, &taken, error) : GF_OK);
    gf_batch *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    made->context = gf_context_hold(context);
    made->options = taken;
    pthread_mutex_init(&made->planning, NULL);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->came, NULL);
    pthread_cond_init(&made->room, NULL);
    pthread_cond_init(&made->ended, NULL);
    gf_status status = set_up(made, pipeline, error);
    if (status != GF_OK) {
        gf_batch_destroy(&made);
        return status;
    }
    *batch = made;
    return GF_OK;
}

void gf_batch_destroy(gf_batch **pointer)
{
    gf_batch *batch = pointer ? *pointer : NULL;
    if (!batch) {
        return;
    }
    *pointer = NULL;
    gf_batch_cancel(batch);
    pthread_mutex_lock(&batch->lock);
    batch->closing = true;
    pthread_cond_broadcast(&batch->came);
    pthread_mutex_unlock(&batch->lock);
    for (int32_t i = 0; i < batch->n_threads; i++) {
        pthread_join(batch->threads[i], NULL);
    }
    gf_batch_space_free_idle(batch);
    while (batch->plans) {
        struct gf_batch_plan *plan = batch->plans;
        batch->plans = plan->next;
        gf_batch_plan_free(batch, plan);
    }
    gf_pipeline *pipeline = (gf_pipeline *)(uintptr_t)batch->pipeline;
    gf_pipeline_destroy(&pipeline);
    pthread_cond_destroy(&batch->ended);
    pthread_cond_destroy(&batch->room);
    pthread_cond_destroy(&batch->came);
    pthread_mutex_destroy(&batch->lock);
    pthread_mutex_destroy(&batch->planning);
    gf_context_destroy(&batch->context);
    free(batch->threads);
    free(batch->queue);
    free(batch->units);
    free(batch);
}

/* ---- items ---- */

/* Under the lock: waits for a place in the queue. */
static gf_status wait_for_place(gf_batch *batch, bool may_wait, gf_error *error)
{
    while (batch->waiting == batch->options.queue && may_wait && !atomic_load(&batch->cancelled)) {
        pthread_cond_wait(&batch->room, &batch->lock);
    }
    if (atomic_load(&batch->cancelled)) {
        return gf_fail(error, GF_ERROR_CANCELLED, "the batch was cancelled");
    }
    return batch->waiting < batch->options.queue
               ? GF_OK
               : gf_fail(error, GF_ERROR_LIMIT,
                         "the queue of %d items (gf_batch_options.queue) is full, and a function of an item "
                         "cannot wait for it",
                         (int)batch->options.queue);
}

gf_status gf_batch_add(gf_batch *batch, const gf_batch_item *item, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_batch_item, check);
    gf_batch_item taken = GF_BATCH_ITEM_INIT;
    if (!batch) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "batch is NULL");
    }
    GF_TRY(gf_struct_in(&sized, item, &taken, error));
    if (!taken.open == !taken.in) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_item has %s: it must have one of open and in",
                       taken.in ? "both open and in" : "neither open nor in");
    }
    bool may_wait = !is_worker(batch);
    pthread_mutex_lock(&batch->lock);
    gf_status status = wait_for_place(batch, may_wait, error);
    if (status == GF_OK) {
        batch->queue[(batch->first + batch->waiting) % batch->options.queue] = taken;
        batch->waiting++;
        pthread_cond_signal(&batch->came);
    }
    pthread_mutex_unlock(&batch->lock);
    return status;
}

gf_status gf_batch_finish(gf_batch *batch, gf_error *error)
{
    if (!batch) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "batch is NULL");
    }
    if (is_worker(batch)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a function of an item cannot wait for all items");
    }
    pthread_mutex_lock(&batch->lock);
    while (batch->waiting > 0 || batch->running > 0) {
        pthread_cond_wait(&batch->ended, &batch->lock);
    }
    pthread_mutex_unlock(&batch->lock);
    return GF_OK;
}

void gf_batch_cancel(gf_batch *batch)
{
    if (batch) {
        pthread_mutex_lock(&batch->lock);
        atomic_store(&batch->cancelled, true);
        pthread_cond_broadcast(&batch->room);
        pthread_mutex_unlock(&batch->lock);
    }
}

/* ---- how far it is ---- */

gf_status gf_batch_stats(gf_batch *batch, gf_batch_numbers *numbers)
{
    static const struct gf_sized sized = GF_SIZED(gf_batch_numbers, memory_limit);
    if (!batch) {
        return GF_ERROR_ARGUMENT;
    }
    GF_TRY(gf_struct_check(&sized, numbers, NULL));
    pthread_mutex_lock(&batch->lock);
    gf_batch_numbers made = batch->numbers;
    made.waiting = batch->waiting;
    made.running = batch->running;
    pthread_mutex_unlock(&batch->lock);
    return gf_struct_out(&sized, numbers, &made, NULL);
}

gf_status gf_batch_device(gf_batch *batch, int32_t index, gf_device *device, int64_t *runs)
{
    if (!batch || !device || !runs) {
        return GF_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= batch->n_units) {
        return GF_ERROR_DEVICE;
    }
    pthread_mutex_lock(&batch->lock);
    *device = batch->units[index].device;
    *runs = batch->units[index].runs;
    pthread_mutex_unlock(&batch->lock);
    return GF_OK;
}
