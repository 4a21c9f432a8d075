#include "exec/feed.h"

#include "base/status.h"
#include "base/thread.h"

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

static gf_status rows_of(struct gf_feed *feed, struct gf_place to, int64_t count)
{
    return gf_source_rows(feed->source, to, count, &feed->error);
}

static struct gf_place place_of(const struct gf_feed *feed, int64_t index)
{
    struct gf_place place = feed->whole;
    if (!place.data) {
        return (struct gf_place){feed->buffer[index % GF_FEED_DEPTH], feed->pitch};
    }
    place.data = (uint8_t *)place.data + gf_band_at(feed->plan, index).first * place.pitch;
    return place;
}

/* Makes band `index`: what the band before has of it is kept, the rest comes from the source. */
static gf_status fill(struct gf_feed *feed, int64_t index)
{
    if (feed->source->whole) {
        return index ? GF_OK : rows_of(feed, feed->whole, feed->plan->input.height);
    }
    struct gf_band at = gf_band_at(feed->plan, index);
    struct gf_place rows = place_of(feed, index);
    int64_t kept = 0;
    if (index > 0) {
        struct gf_band before = gf_band_at(feed->plan, index - 1);
        struct gf_place from = place_of(feed, index - 1);
        kept = before.first + before.rows - at.first;
        if (!feed->whole.data) {
            memcpy(rows.data, (uint8_t *)from.data + (at.first - before.first) * feed->pitch,
                   (size_t)(kept * feed->pitch));
        }
    }
    rows.data = (uint8_t *)rows.data + kept * rows.pitch;
    return rows_of(feed, rows, at.rows - kept);
}

/* Whether the next band has to wait for its buffer. */
static bool is_full(const struct gf_feed *feed)
{
    return !feed->whole.data && feed->filled >= feed->released + GF_FEED_DEPTH;
}

static void *run(void *argument)
{
    struct gf_feed *feed = argument;
    pthread_mutex_lock(&feed->lock);
    while (feed->filled < feed->plan->bands.count && feed->status == GF_OK && !feed->stop) {
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

gf_status gf_feed_take(struct gf_feed *feed, struct gf_place *rows, gf_error *error)
{
    pthread_mutex_lock(&feed->lock);
    if (!feed->threaded && feed->filled <= feed->released) {
        feed->status = fill(feed, feed->filled);
        feed->filled += feed->status == GF_OK;
    }
    while (feed->filled <= feed->released && feed->status == GF_OK) {
        pthread_cond_wait(&feed->changed, &feed->lock);
    }
    bool there = feed->filled > feed->released;
    int64_t index = feed->released;
    gf_status status = feed->status;
    pthread_mutex_unlock(&feed->lock);
    if (!there) { /* the thread has ended: the error is no longer its */
        gf_error_copy(error, &feed->error);
        return status;
    }
    *rows = place_of(feed, index);
    return GF_OK;
}

void gf_feed_release(struct gf_feed *feed)
{
    pthread_mutex_lock(&feed->lock);
    feed->released++;
    pthread_cond_signal(&feed->changed);
    pthread_mutex_unlock(&feed->lock);
}

/* Without it, bands are made when they are taken. */
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

gf_status gf_feed_again(struct gf_feed *feed, gf_error *error)
{
    stop_thread(feed);
    feed->released = 0;
    if (feed->whole.data) { /* which stays */
        return GF_OK;
    }
    feed->filled = 0;
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
