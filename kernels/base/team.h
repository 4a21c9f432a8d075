/* Threads of the library: they take no signals, which are for the program's. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* false: no thread can be had; the caller does the work itself. */
bool gf_thread_create(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* Threads for work that comes again and again. They sleep in between: threads that wait by turning in a loop
 * take the processors from whoever else is at work. For one caller at a time. */
struct gf_team;

/* Makes a team of `threads` threads, the caller's among them. They are started by the first run that has work
 * for them; the others do the work of those that cannot be had. NULL is the caller alone: one thread is asked
 * for, or there is no memory. So is a team in a process that was forked from the one that made it. */
struct gf_team *gf_team_create(int threads);

/* Calls work(argument, i, n) for each i of 0 to n - 1, on any thread, several at a time or not, and waits for
 * all. What is written by the caller before and by the calls is seen by the calls and by the caller after. */
void gf_team_run(struct gf_team *team, int n, void (*work)(void *argument, int i, int n), void *argument);

/* NULL-safe. */
void gf_team_destroy(struct gf_team *team);

/* The same by a team of n threads that is made for it. */
void gf_team_run_once(int n, void (*work)(void *argument, int i, int n), void *argument);
