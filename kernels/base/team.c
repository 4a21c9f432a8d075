#define _GNU_SOURCE /* pthread_sigmask, getpid */
#include "base/team.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

bool gf_thread_create(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool created = pthread_create(thread, NULL, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return created;
}

struct gf_team {
    pthread_mutex_t lock; /* of all that follows, but what only the caller uses */
    pthread_cond_t begun, ended;
    void (*work)(void *argument, int i, int n);
    void *argument;
    int n, next, left; /* calls: in all, not begun, not ended */
    bool stop;
    int most, threads; /* beside the caller's, and of them those that are started: the caller's to know */
    pid_t process;     /* that has the threads; one that was forked from it has only the memory */
    pthread_t thread[];
};

/* Makes calls until none is left to begin. Holds the lock but for the calls. */
static void take_part(struct gf_team *team)
{
    while (team->next < team->n) {
        int i = team->next++;
        pthread_mutex_unlock(&team->lock);
        team->work(team->argument, i, team->n);
        pthread_mutex_lock(&team->lock);
        if (--team->left == 0) {
            pthread_cond_signal(&team->ended);
        }
    }
}

static void *serve(void *argument)
{
    struct gf_team *team = argument;
    pthread_mutex_lock(&team->lock);
    while (!team->stop) {
        take_part(team);
        if (!team->stop) {
            pthread_cond_wait(&team->begun, &team->lock);
        }
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

struct gf_team *gf_team_create(int threads)
{
    struct gf_team *team =
        threads > 1 ? calloc(1, sizeof *team + (size_t)threads * sizeof team->thread[0]) : NULL;
    if (!team) {
        return NULL;
    }
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begun, NULL);
    pthread_cond_init(&team->ended, NULL);
    team->most = threads - 1;
    team->process = getpid();
    return team;
}

/* Threads for n calls: wakes those that sleep, starts those that are missing. */
static void call_up(struct gf_team *team, int n)
{
    int wanted = n - 1 < team->most ? n - 1 : team->most;
    if (wanted < team->threads) {
        for (int i = 0; i < wanted; i++) {
            pthread_cond_signal(&team->begun);
        }
        return;
    }
    pthread_cond_broadcast(&team->begun);
    while (team->threads < wanted && gf_thread_create(&team->thread[team->threads], serve, team)) {
        team->threads++;
    }
}

void gf_team_run(struct gf_team *team, int n, void (*work)(void *argument, int i, int n), void *argument)
{
    if (!team || n <= 1 || team->process != getpid()) {
        for (int i = 0; i < n; i++) {
            work(argument, i, n);
        }
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->argument = argument;
    team->n = team->left = n;
    team->next = 0;
    pthread_mutex_unlock(&team->lock);
    call_up(team, n);
    pthread_mutex_lock(&team->lock);
    take_part(team);
    while (team->left > 0) {
        pthread_cond_wait(&team->ended, &team->lock);
    }
    pthread_mutex_unlock(&team->lock);
}

void gf_team_destroy(struct gf_team *team)
{
    if (!team) {
        return;
    }
    if (team->process != getpid()) { /* sleepers that are not there would be waited for */
        free(team);
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->stop = true;
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->threads; i++) {
        pthread_join(team->thread[i], NULL);
    }
    pthread_cond_destroy(&team->ended);
    pthread_cond_destroy(&team->begun);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

void gf_team_run_once(int n, void (*work)(void *argument, int i, int n), void *argument)
{
    struct gf_team *team = gf_team_create(n);
    gf_team_run(team, n, work, argument);
    gf_team_destroy(team);
}
