/* How much memory a batch may take when nobody says. */
#define _DEFAULT_SOURCE
#include "batch/batch.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* The number in a file; UINT64_MAX where there is none, as "max" means. */
static uint64_t number_in(const char *path)
{
    unsigned long long number = 0;
    FILE *file = fopen(path, "re");
    bool good = file && fscanf(file, "%llu", &number) == 1;
    if (file) {
        fclose(file);
    }
    return good ? number : UINT64_MAX;
}

static uint64_t resource(int which)
{
    struct rlimit limit;
    return getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t gf_batch_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_C(1) << 30;
    /* The first two are as a container sees its own control group, version 2 or 1. */
    bytes = least(bytes, number_in("/sys/fs/cgroup/memory.max"));
    bytes = least(bytes, number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    bytes = least(bytes, resource(RLIMIT_DATA));
    return least(bytes, resource(RLIMIT_AS));
}
