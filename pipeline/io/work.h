/* Tasks in two phases, done in the order of their numbers by a few threads and by whoever waits for them. No
 * thread waits busily. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gf_work_thread {
    struct gf_work *work;
    int worker;
    pthread_t thread;
};

struct gf_work {
    /* Does a phase, 0 or 1, of a task; `worker` is 0 for a thread that waits, up to `threads` for the others.
     */
    void (*run)(void *user, int64_t task, int phase, int worker);
    void *user;
    struct gf_work_thread *thread;
    int threads;          /* that there are */
    pthread_mutex_t lock; /* of what follows, and of states */
    pthread_cond_t changed;
    int64_t submitted, begun[2]; /* tasks, by phase */
    bool stop;
};

/* Starts up to `threads` threads; where there are fewer, or none, whoever waits does the rest. 0: no memory,
 * and nothing to end. */
int gf_work_begin(struct gf_work *work, int threads,
                  void (*run)(void *user, int64_t task, int phase, int worker), void *user);

/* Lets the next task be done. */
void gf_work_submit(struct gf_work *work);

/* A state that some phase reaches: a number that only grows, shared through `work`. */
void gf_work_reach(struct gf_work *work, int *state, int value);

/* Waits for a state. Meanwhile does phases up to `most`; -1: none, as a phase that waits for an earlier task
 * must. */
void gf_work_await(struct gf_work *work, const int *state, int value, int most);

/* Waits for what is under way; what is not begun will not be. */
void gf_work_end(struct gf_work *work);
