#include "io/work.h"

#include "base/team.h"

#include <stdlib.h>

/* Does one phase of one task, the first phase before the second; false: there is nothing to do. Holds the
 * lock but for the work itself. */
static bool do_one(struct gf_work *work, int most, int worker)
{
    for (int phase = 0; phase <= most; phase++) {
        int64_t ready = phase == 0 ? work->submitted : work->begun[0];
        if (work->begun[phase] < ready && !work->stop) {
            int64_t task = work->begun[phase]++;
            pthread_mutex_unlock(&work->lock);
            work->run(work->user, task, phase, worker);
            pthread_mutex_lock(&work->lock);
            return true;
        }
    }
    return false;
}

static void *serve(void *argument)
{
    const struct gf_work_thread *self = argument;
    struct gf_work *work = self->work;
    pthread_mutex_lock(&work->lock);
    while (!work->stop) {
        if (!do_one(work, 1, self->worker)) {
            pthread_cond_wait(&work->changed, &work->lock);
        }
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

int gf_work_begin(struct gf_work *work, int threads,
                  void (*run)(void *user, int64_t task, int phase, int worker), void *user)
{
    *work = (struct gf_work){.run = run, .user = user};
    work->thread = threads > 0 ? calloc((size_t)threads, sizeof *work->thread) : NULL;
    if (threads > 0 && work->thread == NULL) {
        return 0;
    }
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->changed, NULL);
    for (bool created = true; created && work->threads < threads; work->threads += created) {
        struct gf_work_thread *next = &work->thread[work->threads];
        next->work = work;
        next->worker = work->threads + 1;
        created = gf_thread_create(&next->thread, serve, next);
    }
    return 1;
}

void gf_work_submit(struct gf_work *work)
{
    pthread_mutex_lock(&work->lock);
    work->submitted++;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
}

void gf_work_reach(struct gf_work *work, int *state, int value)
{
    pthread_mutex_lock(&work->lock);
    *state = value;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
}

void gf_work_await(struct gf_work *work, const int *state, int value, int most)
{
    pthread_mutex_lock(&work->lock);
    while (*state < value) {
        if (!do_one(work, most, 0)) {
            pthread_cond_wait(&work->changed, &work->lock);
        }
    }
    pthread_mutex_unlock(&work->lock);
}

void gf_work_end(struct gf_work *work)
{
    pthread_mutex_lock(&work->lock);
    work->stop = true;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
    for (int i = 0; i < work->threads; i++) {
        pthread_join(work->thread[i].thread, NULL);
    }
    free(work->thread);
    pthread_cond_destroy(&work->changed);
    pthread_mutex_destroy(&work->lock);
}
