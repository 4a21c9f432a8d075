#define _GNU_SOURCE /* sysconf */
#include "parts.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

struct part {
    void (*work)(const void *argument, int64_t from, int64_t to);
    const void *argument;
    int64_t from, to;
    pthread_t thread;
    bool started;
};

static void *run(void *argument)
{
    const struct part *part = argument;
    part->work(part->argument, part->from, part->to);
    return NULL;
}

void parts_run(int64_t n, int32_t threads, void (*work)(const void *argument, int64_t from, int64_t to),
               const void *argument)
{
    struct part parts[MOST_THREADS];
    long wanted = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    int count = (int)(wanted < 1 ? 1 : wanted > MOST_THREADS ? MOST_THREADS : wanted);
    int64_t size = n / count / 64 * 64;
    for (int i = 0; i < count; i++) {
        parts[i] = (struct part){
            .work = work, .argument = argument, .from = size * i, .to = i + 1 < count ? size * (i + 1) : n};
        parts[i].started = i > 0 && pthread_create(&parts[i].thread, NULL, run, &parts[i]) == 0;
    }
    for (int i = 0; i < count; i++) {
        if (!parts[i].started) {
            run(&parts[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        if (parts[i].started) {
            pthread_join(parts[i].thread, NULL);
        }
    }
}
