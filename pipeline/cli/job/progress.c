#define _POSIX_C_SOURCE 200809L
#include "job/progress.h"

#include "base/message.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_MS = 2000, STEP_MS = 200 };

static struct {
    atomic_bool shown;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct timespec began;
    bool ended; /* the three below under the lock */
    const char *what;
    int64_t done, of;
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct timespec after(struct timespec time, long ms)
{
    time.tv_sec += ms / 1000;
    time.tv_nsec += ms % 1000 * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void draw(void)
{
    char text[CLI_STATUS_SIZE], share[24] = "";
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (progress.of > 0) {
        snprintf(share, sizeof share, " %d%%", (int)(100.0 * (double)progress.done / (double)progress.of));
    }
    snprintf(text, sizeof text, "%s%s, %" PRId64 " s", progress.what, share,
             (int64_t)(now.tv_sec - progress.began.tv_sec));
    cli_status(text);
}

static void *watch(void *nothing)
{
    struct timespec next = after(progress.began, QUIET_MS);
    pthread_mutex_lock(&progress.lock);
    while (!progress.ended) {
        if (pthread_cond_timedwait(&progress.wake, &progress.lock, &next) != 0 && !progress.ended) {
            draw();
            clock_gettime(CLOCK_MONOTONIC, &next);
            next = after(next, STEP_MS);
        }
    }
    pthread_mutex_unlock(&progress.lock);
    return nothing;
}

void progress_begin(const char *what)
{
    sigset_t all, old;
    pthread_condattr_t monotonic;
    if (cli_verbosity() == CLI_QUIET || !isatty(STDERR_FILENO)) {
        return;
    }
    progress.what = what;
    progress.ended = false;
    clock_gettime(CLOCK_MONOTONIC, &progress.began);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&progress.wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    atomic_store(&progress.shown, pthread_create(&progress.thread, NULL, watch, NULL) == 0);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void progress_end(void)
{
    if (!atomic_exchange(&progress.shown, false)) {
        return;
    }
    pthread_mutex_lock(&progress.lock);
    progress.ended = true;
    pthread_cond_signal(&progress.wake);
    pthread_mutex_unlock(&progress.lock);
    pthread_join(progress.thread, NULL);
    pthread_cond_destroy(&progress.wake);
    cli_status("");
}

int progress_is_shown(void)
{
    return atomic_load(&progress.shown);
}

void progress_set(const char *what, int64_t done, int64_t of)
{
    if (progress_is_shown()) {
        pthread_mutex_lock(&progress.lock);
        progress.what = what;
        progress.done = done;
        progress.of = of;
        pthread_mutex_unlock(&progress.lock);
    }
}
