/* E4: a breadth-first search level by level. */
#pragma once

#include "bench/bench.h"

/* Measures searches of the panels' graphs that stop at a level, for as many levels as `values` says at most;
 * what a level takes is the difference to the search that stops before it. So nothing in the search itself
 * takes the time, and a search in one launch has levels, too. */
gf_status bench_levels_run(struct bench_result *result, const struct bench_options *options);

extern const struct bench_study bench_levels;

/* Finds what the levels of a row took, since the row of the line before it: by the difference of medians, and
 * what it may be by their quartiles. The first row's has the beginning of the search, too. False: no time. */
bool bench_level_span(const struct bench_result *result, int line, int index, struct bench_span *us);

/* What bench_levels judges: `high` a bound, `a` a series. */
enum { LEVELS_ONE, LEVELS_EVEN, LEVELS_RATE }; /* bench_claim.low */

/* Picks at most `most` depths of 1 to `last`, evenly spaced, with both if there are two; returns how many. */
int bench_depths(int32_t last, int most, int32_t *depths);
