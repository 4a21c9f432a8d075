#include "base/parts.h"

#include "gpufilter/pipeline.h"

#include <pthread.h>
#include <stdbool.h>

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

int parts_processors(void)
{
    gf_context *context = NULL;
    gf_device_description cpu = {.struct_size = sizeof cpu};
    if (gf_context_create(NULL, &context, NULL) == GF_OK) {
        gf_device_describe(context, 0, 0, &cpu, NULL);
    }
    gf_context_destroy(&context);
    return cpu.units;
}

void parts_run(int64_t n, int32_t threads, void (*work)(const void *argument, int64_t from, int64_t to),
               const void *argument)
{
    struct part parts[MOST_THREADS];
    int count = threads > 0 ? threads : parts_processors();
    count = count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : count;
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
