/* One item of a batch, from its first function to its last. */
#include "base/sized.h"
#include "base/status.h"
#include "batch/batch.h"
#include "exec/exec.h"

#include <errno.h>
#include <inttypes.h>

/* An item under way. */
struct passage {
    gf_batch *batch;
    const gf_batch_item *item;
    struct gf_batch_plan *plan;
    struct gf_batch_space *space;
    int32_t unit; /* that it has; -1: none */
    gf_exec *exec;
    gf_source source; /* of the item; no rows: there is a picture */
    gf_sink sink;
    gf_image in, out; /* no data: it is read or written by rows */
    bool has_sink;
    gf_batch_outcome outcome;
};

static gf_status fail_cancelled(gf_error *error)
{
    return gf_fail(error, GF_ERROR_CANCELLED, "the batch was cancelled");
}

static bool is_cancelled(const struct passage *p)
{
    return atomic_load(&p->batch->cancelled);
}

/* ---- rows, so few at a time that nobody waits long for a batch that is cancelled ---- */

static int64_t portion(gf_shape shape, int32_t whole, int64_t count)
{
    int64_t few = 1 + (INT64_C(1) << 18) / (shape.width * shape.channels);
    return !whole && few < count ? few : count;
}

static gf_status read_rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct passage *p = user;
    int64_t most = portion(p->source.shape, p->source.whole, count);
    for (int64_t y = 0, n; y < count; y += n) {
        gf_error said = GF_ERROR_INIT;
        n = most < count - y ? most : count - y;
        if (is_cancelled(p)) {
            return fail_cancelled(error);
        }
        gf_status status = p->source.rows(p->source.user, (char *)data + y * pitch, pitch, n, &said);
        GF_TRY(gf_callback_status(status, &said, "the source", error));
    }
    return GF_OK;
}

static gf_status read_again(void *user, gf_error *error)
{
    struct passage *p = user;
    return p->source.again(p->source.user, error);
}

static gf_status write_rows(void *user, const void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct passage *p = user;
    int64_t most = portion(p->outcome.out, p->sink.whole, count);
    for (int64_t y = 0, n; y < count; y += n) {
        gf_error said = GF_ERROR_INIT;
        n = most < count - y ? most : count - y;
        if (is_cancelled(p)) {
            return fail_cancelled(error);
        }
        gf_status status = p->sink.rows(p->sink.user, (const char *)data + y * pitch, pitch, n, &said);
        GF_TRY(gf_callback_status(status, &said, "the sink", error));
    }
    return GF_OK;
}

/* ---- phases ---- */

static gf_status open_input(struct passage *p, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_image, device);
    const gf_batch_item *item = p->item;
    if (is_cancelled(p)) {
        return fail_cancelled(error);
    }
    if (!item->open) {
        GF_TRY(gf_struct_in(&sized, item->in, &p->in, error));
        p->outcome.in = p->in.shape;
        return GF_OK;
    }
    gf_error said = GF_ERROR_INIT;
    gf_status status = item->open(item->user, &p->source, &said);
    GF_TRY(gf_callback_status(status, &said, "gf_batch_item.open", error));
    if (!p->source.rows) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_item.open gave a source without rows");
    }
    p->outcome.in = p->source.shape;
    return GF_OK;
}

static gf_status open_output(struct passage *p, gf_error *error)
{
    const gf_batch_item *item = p->item;
    if (!item->output) {
        return GF_OK;
    }
    gf_error said = GF_ERROR_INIT;
    gf_status status = item->output(item->user, p->plan->plan, &p->sink, &said);
    GF_TRY(gf_callback_status(status, &said, "gf_batch_item.output", error));
    p->has_sink = p->sink.rows != NULL;
    return GF_OK;
}

/* Bytes beside the space: a decoder's, in bands those of pictures that a source or a sink has only as a
 * whole, and of a check as many as of the space. */
static uint64_t held_beside(const struct passage *p)
{
    bool in, out, streams = p->source.rows && p->plan->in_bands;
    uint64_t bytes = streams ? gf_stream_memory(p->plan->plan, &p->source, &p->sink, &in, &out) : 0;
    uint64_t checking = p->item->check ? p->plan->bytes : 0;
    return p->source.held + checking + (bytes > p->plan->bytes ? bytes - p->plan->bytes : 0);
}

/* A plan, and space for it. In bands the output is opened before, as only then it tells what it holds. */
static gf_status find_space(struct passage *p, gf_error *error)
{
    double began = gf_now_ms();
    const int32_t kind = p->item->opened_kind ? *p->item->opened_kind : p->item->kind;
    GF_TRY(gf_batch_plan_take(p->batch, kind, &p->outcome.in, &p->plan, error));
    p->outcome.out = gf_plan_output(p->plan->plan);
    if (p->item->check && p->plan->whole_bytes > p->batch->options.memory_limit / 2) {
        return gf_fail(error, GF_ERROR_MEMORY,
                       "a picture that is checked is held as a whole: %" PRIu64
                       " bytes are needed, the memory limit is %" PRIu64,
                       2 * p->plan->whole_bytes, p->batch->options.memory_limit);
    }
    if (p->plan->in_bands && p->source.rows) {
        GF_TRY(open_output(p, error));
    }
    gf_status status = gf_batch_space_take(p->batch, p->plan, held_beside(p), &p->space, error);
    p->outcome.wait_ms = gf_now_ms() - began;
    return status;
}

static gf_status read_input(struct passage *p, gf_error *error)
{
    double began = gf_now_ms();
    if (p->plan->in_bands || !p->source.rows) {
        return GF_OK;
    }
    p->in = p->space->in;
    gf_status status = read_rows(p, p->in.data, p->in.pitch, p->in.shape.height, error);
    p->outcome.read_ms = gf_now_ms() - began;
    return status;
}

/* The caller's picture, or one of the space, or none where nobody wants it. */
static gf_status choose_out(struct passage *p, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_image, device);
    if (p->item->output) {
        p->out = p->plan->makes ? p->space->out : (gf_image){0};
        return GF_OK;
    }
    return p->item->out ? gf_struct_in(&sized, p->item->out, &p->out, error) : GF_OK;
}

static gf_status run_bands(struct passage *p, gf_error *error)
{
    gf_source source = p->source;
    gf_sink sink = {sizeof sink, p->sink.whole, write_rows, p};
    if (!source.rows) { /* a picture of the caller, which is there anyway */
        gf_image *out = p->item->out ? &p->out : NULL;
        GF_TRY(choose_out(p, error));
        return gf_exec_run(p->exec, &p->in, out, error);
    }
    source.rows = read_rows;
    source.again = p->source.again ? read_again : NULL;
    source.user = p;
    return gf_exec_stream(p->exec, &source, p->has_sink ? &sink : NULL, error);
}

static gf_status run_whole(struct passage *p, gf_error *error)
{
    GF_TRY(choose_out(p, error));
    return gf_exec_run(p->exec, &p->in, p->out.data ? &p->out : NULL, error);
}

/* Runs on the unit that the item has, and leaves it. */
static gf_status run_on_unit(struct passage *p, gf_error *error)
{
    const double began = gf_now_ms();
    double run = began;
    p->outcome.device = p->batch->units[p->unit].device;
    gf_status status = gf_batch_space_exec(p->batch, p->space, p->unit, &p->exec, error);
    if (status == GF_OK) {
        if (p->source.rows) { /* else the picture is the caller's, and not that of the space */
            gf_batch_space_pin(p->batch, p->space, p->outcome.device);
        }
        run = gf_now_ms();
        status = p->plan->in_bands ? run_bands(p, error) : run_whole(p, error);
    }
    const double end = gf_now_ms();
    p->outcome.run_ms += end - began;
    gf_batch_unit_leave(p->batch, p->unit, p->plan, end - run, status);
    return status;
}

static gf_status run(struct passage *p, gf_error *error)
{
    double began = gf_now_ms();
    p->unit = gf_batch_unit_take(p->batch, p->plan);
    p->outcome.wait_ms += gf_now_ms() - began;
    if (p->unit < 0) {
        return fail_cancelled(error);
    }
    gf_status status = run_on_unit(p, error);
    int32_t cpu = gf_batch_unit_cpu(p->batch);
    bool device_failed = p->outcome.device >= 0 && (status == GF_ERROR_DEVICE || status == GF_ERROR_MEMORY);
    if (device_failed) {
        gf_batch_space_drop_exec(p->space, p->unit);
    }
    if (device_failed && cpu >= 0 && !p->plan->in_bands) { /* the picture is still there */
        p->unit = cpu;
        p->outcome.fell_back = 1;
        pthread_mutex_lock(&p->batch->lock);
        p->batch->units[cpu].running++;
        pthread_mutex_unlock(&p->batch->lock);
        status = run_on_unit(p, error);
    }
    return status;
}

static gf_status check(struct passage *p, gf_error *error)
{
    gf_error said = GF_ERROR_INIT;
    if (!p->item->check) {
        return GF_OK;
    }
    gf_status status =
        p->item->check(p->item->user, p->exec->plan, p->exec, &p->in, p->out.data ? &p->out : NULL, &said);
    return gf_callback_status(status, &said, "gf_batch_item.check", error);
}

static gf_status write_output(struct passage *p, gf_error *error)
{
    double began = gf_now_ms();
    gf_status status = GF_OK;
    if (!p->plan->in_bands || !p->source.rows) {
        status = open_output(p, error);
        const gf_image *image = p->out.data ? &p->out : &p->in;
        if (status == GF_OK && p->has_sink) {
            status = write_rows(p, image->data, image->pitch, image->shape.height, error);
        }
    }
    if (status == GF_OK && p->item->done) {
        gf_error said = GF_ERROR_INIT;
        status = p->item->done(p->item->user, p->exec, &said);
        status = gf_callback_status(status, &said, "gf_batch_item.done", error);
    }
    p->outcome.write_ms = gf_now_ms() - began;
    return status;
}

static void count(gf_batch *batch, const struct passage *p, gf_status status)
{
    gf_batch_numbers *numbers = &batch->numbers;
    pthread_mutex_lock(&batch->lock);
    numbers->done += status == GF_OK;
    numbers->cancelled += status == GF_ERROR_CANCELLED;
    numbers->failed += status != GF_OK && status != GF_ERROR_CANCELLED;
    numbers->in_bands += status == GF_OK && p->plan->in_bands;
    pthread_mutex_unlock(&batch->lock);
}

/* Waits until another item may be under way; tells whether it is then the only one, to its end. */
static bool enter(gf_batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    while (batch->begun >= batch->at_once && !atomic_load(&batch->cancelled)) {
        pthread_cond_wait(&batch->room, &batch->lock);
    }
    batch->begun++;
    const bool alone = batch->at_once == 1;
    pthread_mutex_unlock(&batch->lock);
    return alone;
}

/* As many as had enough descriptors may be under way, and one more after some that went well with that. */
static void leave(gf_batch *batch, bool lacked)
{
    enum { WELL = 64 };
    pthread_mutex_lock(&batch->lock);
    batch->begun--;
    if (lacked) {
        const int32_t others = batch->begun > 1 ? batch->begun : 1;
        batch->at_once = others < batch->at_once ? others : batch->at_once;
        batch->n_well = 0;
    } else if (batch->at_once < batch->options.workers && ++batch->n_well == WELL) {
        batch->at_once++;
        batch->n_well = 0;
    }
    pthread_cond_broadcast(&batch->room);
    pthread_mutex_unlock(&batch->lock);
}

static gf_status pass(struct passage *p, gf_error *error)
{
    GF_TRY(open_input(p, error));
    GF_TRY(find_space(p, error));
    GF_TRY(read_input(p, error));
    GF_TRY(run(p, error));
    GF_TRY(check(p, error));
    return write_output(p, error);
}

/* Takes it from its first function on; false: it has to begin again. */
static bool try_item(gf_batch *batch, const gf_batch_item *item)
{
    struct passage p = {.batch = batch, .item = item, .unit = -1};
    gf_error error = GF_ERROR_INIT;
    p.outcome.struct_size = sizeof p.outcome;
    p.outcome.device = GF_DEVICE_AUTO;
    const bool alone = enter(batch);
    gf_status status = pass(&p, &error);
    const bool lacked = status != GF_OK && (error.system == EMFILE || error.system == ENFILE);
    const bool over = !lacked || alone || !item->again || is_cancelled(&p);
    if (over) {
        count(batch, &p, status);
        p.outcome.status = status;
        p.outcome.error = &error;
    } else {
        item->again(item->user);
    }
    if (over && item->end) {
        item->end(item->user, &p.outcome);
    }
    gf_batch_space_leave(batch, p.space);
    gf_batch_plan_leave(batch, p.plan);
    leave(batch, lacked);
    return over;
}

void gf_batch_item_run(gf_batch *batch, const gf_batch_item *item)
{
    while (!try_item(batch, item)) {
    }
}
