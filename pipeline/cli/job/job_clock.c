/* The clock of a job. */
#define _POSIX_C_SOURCE 200809L
#include "job/job.h"

#include <time.h>

double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}
