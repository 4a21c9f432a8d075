/* Work that threads share by equal parts of an interval. */
#pragma once

#include <stdint.h>

/* Calls work(argument, from, to) for parts of [0, n), each but the last a multiple of 64, by `threads`
 * threads; 0: one a processor of the process. Returns when all are done. Where no thread can be started, the
 * caller does the work. */
void parts_run(int64_t n, int32_t threads, void (*work)(const void *argument, int64_t from, int64_t to),
               const void *argument);

/* The processors of the process, as the library counts them; 0: unknown. */
int parts_processors(void);
