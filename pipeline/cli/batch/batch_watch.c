/* The watcher of a batch: five times a second it looks how far the batch is. */
#define _POSIX_C_SOURCE 200809L /* pthread_condattr_setclock */
#include "base/message.h"
#include "batch/batch_run.h"

#include <signal.h>
#include <time.h>

enum { TICK_MS = 200, SYNC_MS = 1000, QUIET_MS = 1000 };

static struct batch *_Atomic watched; /* by the signal handler; one at a time */

static void on_signal(int number)
{
    struct batch *batch = atomic_load(&watched);
    if (batch) { /* the watcher looks at the next tick: nothing that wakes it may be called here */
        atomic_store(&batch->signal, number);
    }
}

static void wait_tick(struct batch *batch)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&batch->lock);
    if (!atomic_load(&batch->closing)) {
        pthread_cond_timedwait(&batch->wake, &batch->lock, &until);
    }
    pthread_mutex_unlock(&batch->lock);
}

static void *watch(void *argument)
{
    struct batch *batch = argument;
    double synced = now_ms();
    bool told = false;
    while (!atomic_load(&batch->closing)) {
        wait_tick(batch);
        if (atomic_load(&batch->signal) && !told) {
            told = true;
            gf_batch_cancel(batch->queue);
        }
        if (batch->tells_line && now_ms() - batch->began >= QUIET_MS) {
            batch_tell_line(batch);
        }
        if (now_ms() - synced >= SYNC_MS) {
            synced = now_ms();
            gf_status status = journal_sync(&batch->journal);
            if (status != GF_OK) {
                batch_stop(batch, status);
            }
        }
    }
    return NULL;
}

void batch_watch_begin(struct batch *batch)
{
    sigset_t all, old;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&batch->wake, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    batch->is_watched = pthread_create(&batch->watcher, NULL, watch, batch) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (batch->is_watched) { /* else a signal ends the program as ever */
        atomic_store(&watched, batch);
        signals_first(on_signal);
    }
}

void batch_watch_end(struct batch *batch)
{
    if (batch->is_watched) {
        signals_first(NULL);
        atomic_store(&watched, NULL);
        pthread_mutex_lock(&batch->lock);
        atomic_store(&batch->closing, true);
        pthread_cond_signal(&batch->wake);
        pthread_mutex_unlock(&batch->lock);
        pthread_join(batch->watcher, NULL);
        batch->is_watched = false;
        cli_status("");
        pthread_cond_destroy(&batch->wake);
    }
}
