#include "exec/feed.h"

#include "base/status.h"
#include "base/team.h"

#include <string.h>

gf_status gf_source_rows(const gf_source *source, struct gf_place to, int64_t count, gf_error *error)
{
    gf_error said = GF_ERROR_INIT;
    gf_status status = source->rows(source->user, to.data, to.pitch, count, &said);
    return gf_callback_status(status, &said, "the source", error);
}

gf_status gf_source_again(const gf_source *source, gf_error *error)
{
    gf_error said = GF_ERROR_INIT;
    gf_status status = source->again(source->user, &said);
    return gf_callback_status(status, &said, "the source, asked for its first row again,", error);
}

/* The next rows of the source, to where they belong. */
static gf_status read_rows(struct gf_feed *feed, struct gf_place to, int64_t count)
{
    gf_status status = count > 0 ? gf_source_rows(feed->source, to, count, &feed->error) : GF_OK;
    feed->read += status == GF_OK ? count : 0;
    return status;
}

static struct gf_place row_at(struct gf_place place, int64_t row)
{
    place.data = (uint8_t *)place.data + row * place.pitch;
    return place;
}

/* Returns where band `index`, which begins at that row, lies. */
static struct gf_place place_of(const struct gf_feed *feed, int64_t index, int64_t first)
{
    return feed->whole.data ? row_at(feed->whole, first)
                            : (struct gf_place){feed->buffer[index % GF_FEED_DEPTH], feed->pitch};
}

/* Reads on to that row; what nobody needs goes to a buffer that is free, and is lost. */
static gf_status read_to(struct gf_feed *feed, int64_t index, int64_t row)
{
    if (feed->whole.data) {
        return read_rows(feed, row_at(feed->whole, feed->read), row - feed->read);
    }
    while (feed->read < row) {
        int64_t count = row - feed->read, room = feed->plan->bands.height;
        GF_TRY(read_rows(feed, place_of(feed, index, 0), count < room ? count : room));
    }
    return GF_OK;
}

/* Makes band `index`: what the band before has of it is kept, the rest comes from the source. Behind the last
 * band, all that is left. */
static gf_status fill(struct gf_feed *feed, int64_t index)
{
    int64_t height = feed->plan->input.height;
    if (feed->source->whole || index == feed->plan->bands.count) {
        return read_to(feed, index, height);
    }
    gf_band_find(feed->plan, &feed->plan->bands, feed->sweep, index, &feed->band);
    struct gf_rows rows = feed->band.rows[feed->plan->lowered.list.input];
    if (rows.count == 0) {
        return GF_OK;
    }
    GF_TRY(read_to(feed, index, feed->whole.data ? gf_rows_end(rows) : rows.first));
    struct gf_place to = place_of(feed, index, rows.first);
    int64_t kept = feed->read - rows.first;
    if (!feed->whole.data && kept > 0) { /* the two may lie in one buffer, and overlap */
        memmove(to.data, row_at(feed->from, rows.first - feed->before.first).data,
                (size_t)(kept * feed->pitch));
    }
    feed->before = rows;
    feed->from = to;
    return read_rows(feed, row_at(to, kept), gf_rows_end(rows) - feed->read);
}

/* Tells whether the next band has to wait for its buffer. */
static bool is_full(const struct gf_feed *feed)
{
    return !feed->whole.data && feed->filled >= feed->released + GF_FEED_DEPTH;
}

static void *run(void *argument)
{
    struct gf_feed *feed = argument;
    pthread_mutex_lock(&feed->lock);
    while (feed->filled <= feed->plan->bands.count && feed->status == GF_OK && !feed->stop) {
        if (is_full(feed)) {
            pthread_cond_wait(&feed->changed, &feed->lock);
            continue;
        }
        pthread_mutex_unlock(&feed->lock);
        gf_status status = fill(feed, feed->filled);
        pthread_mutex_lock(&feed->lock);
        feed->status = status;
        feed->filled += status == GF_OK;
        pthread_cond_signal(&feed->changed);
    }
    pthread_mutex_unlock(&feed->lock);
    return NULL;
}

static void free_buffers(struct gf_feed *feed)
{
    for (int i = 0; i < GF_FEED_DEPTH; i++) {
        gf_context_release(feed->plan->context, feed->buffer[i]);
    }
    gf_band_free(&feed->band);
}

gf_status gf_feed_begin(struct gf_feed *feed, const gf_plan *plan, const gf_source *source,
                        struct gf_place whole, gf_error *error)
{
    const struct gf_op_list *list = &plan->lowered.list;
    *feed = (struct gf_feed){.plan = plan,
                             .source = source,
                             .whole = whole,
                             .pitch = gf_buffers_pitch(&list->values[list->input]),
                             .error = GF_ERROR_INIT};
    size_t bytes = (size_t)(feed->pitch * plan->bands.height);
    GF_TRY(gf_band_create(plan, &feed->band, error));
    for (int i = 0; i < GF_FEED_DEPTH && !whole.data; i++) {
        feed->buffer[i] = gf_context_allocate(plan->context, bytes);
        if (!feed->buffer[i]) {
            free_buffers(feed);
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory: a band of the input needs %zu bytes",
                           bytes);
        }
    }
    pthread_mutex_init(&feed->lock, NULL);
    pthread_cond_init(&feed->changed, NULL);
    feed->threaded = gf_thread_create(&feed->thread, run, feed);
    return GF_OK;
}

/* Waits until band `index` is there, or what is behind the last. */
static gf_status await_band(struct gf_feed *feed, int64_t index, gf_error *error)
{
    pthread_mutex_lock(&feed->lock);
    while (!feed->threaded && feed->filled <= index && feed->status == GF_OK) {
        feed->status = fill(feed, feed->filled);
        feed->filled += feed->status == GF_OK;
    }
    while (feed->filled <= index && feed->status == GF_OK) {
        pthread_cond_wait(&feed->changed, &feed->lock);
    }
    bool there = feed->filled > index;
    gf_status status = feed->status;
    pthread_mutex_unlock(&feed->lock);
    if (!there) { /* the thread has ended: the error is no longer its */
        gf_error_copy(error, &feed->error);
        return status;
    }
    return GF_OK;
}

gf_status gf_feed_take(struct gf_feed *feed, struct gf_rows rows, struct gf_place *place, gf_error *error)
{
    int64_t index = feed->released; /* which only this thread changes */
    GF_TRY(await_band(feed, index, error));
    *place = place_of(feed, index, rows.first);
    return GF_OK;
}

gf_status gf_feed_drain(struct gf_feed *feed, gf_error *error)
{
    return await_band(feed, feed->plan->bands.count, error);
}

void gf_feed_release(struct gf_feed *feed)
{
    pthread_mutex_lock(&feed->lock);
    feed->released++;
    pthread_cond_signal(&feed->changed);
    pthread_mutex_unlock(&feed->lock);
}

/* Without the thread, bands are made when they are taken. */
static void stop_thread(struct gf_feed *feed)
{
    if (feed->threaded) {
        pthread_mutex_lock(&feed->lock);
        feed->stop = true;
        pthread_cond_signal(&feed->changed);
        pthread_mutex_unlock(&feed->lock);
        pthread_join(feed->thread, NULL);
        feed->threaded = feed->stop = false;
    }
}

gf_status gf_feed_again(struct gf_feed *feed, int32_t sweep, gf_error *error)
{
    stop_thread(feed);
    feed->released = 0;
    feed->sweep = sweep;
    if (feed->whole.data) { /* which stays */
        return GF_OK;
    }
    feed->filled = feed->read = 0;
    feed->before = (struct gf_rows){0};
    GF_TRY(gf_source_again(feed->source, error));
    feed->threaded = gf_thread_create(&feed->thread, run, feed);
    return GF_OK;
}

void gf_feed_end(struct gf_feed *feed)
{
    stop_thread(feed);
    pthread_cond_destroy(&feed->changed);
    pthread_mutex_destroy(&feed->lock);
    free_buffers(feed);
}
