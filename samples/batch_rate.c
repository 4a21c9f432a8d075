/* batch_rate: how many pictures a second go through a chain, from memory of the host and back, on each device
 * and on several at once.
 *
 *     batch_rate WIDTHxHEIGHT STAGES DEVICES...       DEVICES: cpu, 0, 1, 0,1, ...: a line for each word
 *
 * Pictures are RGB of u8 in pinned memory, a few of them, which are filtered again and again; what was made
 * is compared with what the CPU makes. The best of five rounds, a second each, counts. */
#define _POSIX_C_SOURCE 200809L
#include <gpufilter/gpufilter.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PICTURES = 24, ROUNDS = 5, MOST_DEVICES = 16 };

static gf_context *context;
static gf_picture *in[PICTURES], *out[PICTURES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the next two */
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static int busy[PICTURES], failed;
static void *expected; /* of all: they are the same picture */
static size_t bytes;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void end(void *user, const gf_batch_outcome *outcome)
{
    pthread_mutex_lock(&lock);
    if (outcome->status != GF_OK) {
        fprintf(stderr, "batch_rate: %s\n", outcome->error->message);
        failed = 1;
    }
    *(int *)user = 0;
    pthread_cond_signal(&freed);
    pthread_mutex_unlock(&lock);
}

/* Waits until the picture is on no way; false: some item has failed. */
static int take(int picture)
{
    pthread_mutex_lock(&lock);
    while (busy[picture] && !failed) {
        pthread_cond_wait(&freed, &lock);
    }
    int good = !failed;
    busy[picture] = good;
    pthread_mutex_unlock(&lock);
    return good;
}

/* The pictures, `times` times; seconds, or less than 0 where one failed. */
static double run(gf_batch *batch, int times)
{
    gf_error error = GF_ERROR_INIT;
    double began = now();
    for (int i = 0; i < times * PICTURES && take(i % PICTURES); i++) {
        gf_batch_item item = GF_BATCH_ITEM_INIT;
        item.in = &in[i % PICTURES]->image;
        item.out = &out[i % PICTURES]->image;
        item.end = end;
        item.user = &busy[i % PICTURES];
        if (gf_batch_add(batch, &item, &error) != GF_OK) {
            fprintf(stderr, "batch_rate: %s\n", error.message);
            return -1;
        }
    }
    gf_batch_finish(batch, &error);
    return failed ? -1 : now() - began;
}

static int same(void)
{
    for (int i = 0; i < PICTURES; i++) {
        if (memcmp(out[i]->image.data, expected, bytes) != 0) {
            return 0;
        }
    }
    return 1;
}

static int read_devices(const char *word, gf_device *devices)
{
    int n = 0;
    for (const char *at = word; *at && n < MOST_DEVICES; n++) {
        devices[n] = !strncmp(at, "cpu", 3) ? GF_DEVICE_CPU : (gf_device)atoi(at);
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return n;
}

static int measure(const gf_pipeline *pipeline, const char *word)
{
    gf_error error = GF_ERROR_INIT;
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    gf_device devices[MOST_DEVICES];
    gf_batch *batch = NULL;
    options.devices = devices;
    options.n_devices = read_devices(word, devices);
    if (gf_batch_create(context, pipeline, &options, &batch, &error) != GF_OK) {
        fprintf(stderr, "batch_rate: %s: %s\n", word, error.message);
        return 1;
    }
    for (int i = 0; i < PICTURES; i++) {
        memset(out[i]->image.data, 0, bytes);
    }
    double warm = run(batch, 2), best = -1;
    int times = warm > 0 ? 1 + (int)(2 / warm) : 0;
    for (int i = 0; i < ROUNDS && times > 0; i++) {
        double seconds = run(batch, times);
        best = seconds > 0 && (best < 0 || seconds < best) ? seconds : best;
    }
    int good = best > 0 && same();
    if (best > 0) {
        printf("%s: %.1f pictures/s, %s\n", word, times * PICTURES / best,
               good ? "the same bytes" : "OTHER BYTES");
    }
    for (int i = 0; i < options.n_devices; i++) {
        gf_device device;
        int64_t runs;
        if (options.n_devices > 1 && gf_batch_device(batch, i, &device, &runs) == GF_OK) {
            printf("    device %d: %lld runs\n", (int)device, (long long)runs);
        }
    }
    gf_batch_destroy(&batch);
    return !good;
}

/* Pictures of both kinds, and what the CPU makes. */
static gf_status prepare(const gf_pipeline *pipeline, gf_shape shape, gf_device device, gf_error *error)
{
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    gf_status status = gf_plan_create(context, pipeline, &shape, &options, &plan, error);
    gf_shape made = status == GF_OK ? gf_plan_output(plan) : shape;
    for (int i = 0; i < PICTURES && status == GF_OK; i++) {
        status = gf_picture_create_pinned(&shape, device, &in[i], error);
        status = status == GF_OK ? gf_picture_create_pinned(&made, device, &out[i], error) : status;
        size_t size = status == GF_OK ? (size_t)(in[i]->image.pitch * shape.height) : 0;
        for (size_t k = 0; k < size; k++) {
            ((unsigned char *)in[i]->image.data)[k] = (unsigned char)((k * 2654435761u >> 13) + k / 977);
        }
    }
    status = status == GF_OK ? gf_exec_create(plan, &exec, error) : status;
    if (status == GF_OK) {
        bytes = (size_t)(out[0]->image.pitch * made.height);
        memset(out[0]->image.data, 0, bytes);
        status = gf_exec_run(exec, &in[0]->image, &out[0]->image, error);
        expected = malloc(bytes);
        if (expected && status == GF_OK) {
            memcpy(expected, out[0]->image.data, bytes);
        }
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    return status;
}

int main(int argc, char **argv)
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    gf_shape shape = {0, 0, 3, GF_U8};
    gf_device devices[MOST_DEVICES];
    int bad = 0;
    if (argc < 4 ||
        sscanf(argv[1], "%lldx%lld", (long long *)&shape.width, (long long *)&shape.height) != 2) {
        fprintf(stderr, "usage: batch_rate WIDTHxHEIGHT STAGES DEVICES...\n");
        return 2;
    }
    read_devices(argv[3], devices);
    if (gf_context_create(NULL, &context, &error) == GF_OK &&
        gf_pipeline_parse(argv[2], NULL, 0, &pipeline, &error) == GF_OK &&
        prepare(pipeline, shape, devices[0], &error) == GF_OK) {
        for (int i = 3; i < argc; i++) {
            bad |= measure(pipeline, argv[i]);
        }
    }
    if (error.code != GF_OK) {
        fprintf(stderr, "batch_rate: %s\n", error.message);
    }
    for (int i = 0; i < PICTURES; i++) {
        gf_picture_destroy(&in[i]);
        gf_picture_destroy(&out[i]);
    }
    free(expected);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return error.code != GF_OK ? gf_status_exit_code(error.code) : bad;
}
