/* The claims on nested loops that are about all rows of an experiment. */
#pragma once

#include "bench/bench_ragged.h"

/* bench_study.judge of the studies of ragged loops. */
enum bench_verdict bench_ragged_judge(const struct bench_result *result, const struct bench_claim *claim,
                                      char *why, size_t size);

/* Returns what N4's rows say is the threshold of an nx. */
int64_t bench_threshold_of(const struct bench_result *result, int64_t nx);
