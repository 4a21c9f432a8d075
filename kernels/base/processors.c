#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT_S */
#include "base/processors.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, TEXT_ROOM = 8192 };

int32_t gf_processors_affinity(void)
{
    cpu_set_t sets[8]; /* of 1024 processors each: as many as the kernel can be built for */
    long count = sched_getaffinity(getpid(), sizeof sets, sets) == 0 ? CPU_COUNT_S(sizeof sets, sets)
                                                                     : sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (int32_t)count;
}

/* ---- control groups ---- */

/* The beginning of a file as a string; false: it cannot be read. */
static bool read_text(const char *path, char *text, size_t room)
{
    size_t length = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    for (ssize_t n = 1; n > 0 && length + 1 < room; length += n > 0 ? (size_t)n : 0) {
        n = read(file, text + length, room - 1 - length);
    }
    close(file);
    text[length] = '\0';
    return length > 0;
}

/* The number that a file of a group begins with; 0: there is none, as in "max". *second: the one behind it.
 */
static long long read_number(const char *group, const char *name, long long *second)
{
    char path[PATH_ROOM + 32], text[64], *end;
    snprintf(path, sizeof path, "%s/%s", group, name);
    if (!read_text(path, text, sizeof text)) {
        return 0;
    }
    long long number = strtoll(text, &end, 10);
    if (second) {
        *second = strtoll(end, NULL, 10);
    }
    return number;
}

/* Returns what one group allows by itself. */
static int32_t quota_of(const char *group, bool version_2)
{
    long long period = 0, quota;
    if (version_2) {
        quota = read_number(group, "cpu.max", &period);
    } else {
        quota = read_number(group, "cpu.cfs_quota_us", NULL);
        period = read_number(group, "cpu.cfs_period_us", NULL);
    }
    if (quota <= 0 || period <= 0 || quota / period >= INT32_MAX) {
        return INT32_MAX;
    }
    return (int32_t)(quota / period + (quota % period != 0));
}

/* The least of a group and of all above it. In a container the path may be the host's, and only its end, the
 * mount itself, can be seen. */
static int32_t least_quota(const char *root, const char *path, size_t length, bool version_2)
{
    char group[PATH_ROOM];
    int32_t least = INT32_MAX;
    int mount =
        snprintf(group, sizeof group, "%s/sys/fs/cgroup%s", root, version_2 ? "" : "/cpu"); /* or a link */
    if (mount < 0 || (size_t)mount + length >= sizeof group) {
        return INT32_MAX;
    }
    memcpy(group + mount, path, length);
    group[(size_t)mount + length] = '\0';
    for (char *end = group; end; *end = '\0') {
        int32_t quota = quota_of(group, version_2);
        least = quota < least ? quota : least;
        end = strrchr(group + mount, '/');
        if (!end) {
            break;
        }
    }
    return least;
}

static bool has_cpu(const char *controllers, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t n = strcspn(controllers + at, ",:");
        if (n == 3 && !memcmp(controllers + at, "cpu", 3)) {
            return true;
        }
        at += n + 1;
    }
    return false;
}

int32_t gf_processors_quota(const char *root)
{
    char name[PATH_ROOM], text[TEXT_ROOM];
    int32_t least = INT32_MAX;
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    if (!read_text(name, text, sizeof text)) {
        return INT32_MAX;
    }
    for (const char *line = text; *line;) { /* number:controllers:path; version 2 has none to name */
        size_t length = strcspn(line, "\n");
        const char *controllers = memchr(line, ':', length);
        const char *path =
            controllers ? memchr(controllers + 1, ':', length - (size_t)(controllers + 1 - line)) : NULL;
        if (path) {
            size_t named = (size_t)(path - controllers - 1);
            if (named == 0 || has_cpu(controllers + 1, named)) {
                size_t rest = length - (size_t)(path + 1 - line);
                int32_t quota = least_quota(root, path + 1, rest, named == 0);
                least = quota < least ? quota : least;
            }
        }
        line += length + (line[length] == '\n');
    }
    return least;
}

/* ---- once a process ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int32_t processors; /* written once */

static void find(void)
{
    int32_t affinity = gf_processors_affinity(), quota = gf_processors_quota("");
    int32_t least = quota < affinity ? quota : affinity;
    processors = least < GF_MOST_PROCESSORS ? least : GF_MOST_PROCESSORS;
}

int32_t gf_processors(void)
{
    pthread_once(&once, find);
    return processors;
}
