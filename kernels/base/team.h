/* A few threads for work that comes again and again beside other work: they sleep in between, where those of
 * OpenMP spin for milliseconds and take processors from whoever else is at work. For one caller at a time. */
#ifndef GF_BASE_TEAM_H
#define GF_BASE_TEAM_H

struct gf_team;

/* For `threads` threads, the caller's among them; of those that cannot be had the others do the work. NULL:
 * no memory. */
struct gf_team *gf_team_create(int threads);

/* Calls work(argument, i, n) for each i of 0 to n - 1, on any thread, and waits for all. */
void gf_team_run(struct gf_team *team, int n, void (*work)(void *argument, int i, int n), void *argument);

/* NULL-safe. */
void gf_team_destroy(struct gf_team *team);

#endif
