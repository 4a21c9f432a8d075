#include "base/team.h"

#include "base/thread.h"

#include <stdlib.h>

struct gf_team {
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t begun, ended;
    void (*work)(void *argument, int i, int n);
    void *argument;
    int n, next, left; /* calls: in all, not begun, not ended */
    bool stop;
    int threads; /* beside the caller's */
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
    struct gf_team *team = calloc(1, sizeof *team + (size_t)threads * sizeof team->thread[0]);
    if (!team) {
        return NULL;
    }
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begun, NULL);
    pthread_cond_init(&team->ended, NULL);
    while (team->threads < threads - 1 && gf_thread_create(&team->thread[team->threads], serve, team)) {
        team->threads++;
    }
    return team;
}

void gf_team_run(struct gf_team *team, int n, void (*work)(void *argument, int i, int n), void *argument)
{
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->argument = argument;
    team->n = team->left = n;
    team->next = 0;
    if (n > 1) {
        pthread_cond_broadcast(&team->begun);
    }
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
