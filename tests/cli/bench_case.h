/* Rows for tests of what `gpufilter bench` makes of them. */
#ifndef TESTS_CLI_BENCH_CASE_H
#define TESTS_CLI_BENCH_CASE_H

#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

/* Line `series` at n: a median, and quartiles a tenth off. */
static inline struct bench_row row(int series, int64_t n, double us)
{
    struct bench_row r = {.series = series, .n = n, .x = (double)n, .timed = true, .verdict = PRIM_RIGHT};
    snprintf(r.x_word, sizeof r.x_word, "%d", (int)n);
    r.time_us = us;
    r.q1_us = 0.9 * us;
    r.q3_us = 1.1 * us;
    r.gbps = (double)n / us;
    r.fraction = 0.25;
    return r;
}

static inline int count_of(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; at && (at = strstr(at, word)) != NULL; at++) {
        n++;
    }
    return n;
}

#endif
