/* bench_pass: device time of chains on pictures that stay in device memory, fused and unfused, beside a copy
 * measured in the same run. Four buffer sets rotate, so that no picture is found in the cache.
 *
 *   bench_pass [--device cpu|cuda] [--chains N] [WIDTH HEIGHT]   --chains: only the first N */
#include "base/device.h"
#include "gpufilter/gpufilter.h"
#include "plan_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 4, RUNS = 40, WARM = 8, MAX_STEPS = 32 };

struct chain {
    const char *text;
    int32_t channels;
    gf_depth depth;
};

static const struct chain chains[] = {
    {"gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist", 3, GF_U8},
    {"gray", 3, GF_U8},
    {"blur:sigma=1.1:radius=2", 1, GF_U8},
    {"blur:sigma=2:radius=6", 1, GF_U8},
    {"blur:sigma=1.1:radius=2", 3, GF_U8},
    {"blur:sigma=1.1:radius=2", 1, GF_F32},
    {"blur:sigma=2:radius=6", 1, GF_F32},
    {"blur:sigma=1.1:radius=2", 1, GF_U16},
    {"blur:sigma=20", 1, GF_F32},
    {"box:radius=7", 1, GF_U8},
    {"sobel", 1, GF_U8},
    {"threshold:0.5", 1, GF_U8},
    {"threshold:otsu", 1, GF_U8},
    {"equalize", 1, GF_U8},
    {"hist", 1, GF_U8},
    {"hist", 3, GF_U8},
    {"stats", 1, GF_U8},
    {"stats", 1, GF_F32},
    {"hist,stats", 1, GF_U8},
    {"invert,contrast:1.3,brightness:0.1,gamma:1.2,invert,contrast:0.8,brightness:-0.1,threshold:0.4", 1,
     GF_U8},
    {"invert,contrast:1.3,brightness:0.1,contrast:1.1,invert,contrast:0.8,brightness:-0.1,threshold:0.4", 1,
     GF_F32},
};

struct set {
    gf_image in, out;
};

static gf_context *context;
static const struct gf_backend *backend;
static gf_device device;
static gf_error error = GF_ERROR_INIT;

static void must(gf_status status)
{
    if (status != GF_OK) {
        fprintf(stderr, "bench_pass: %s\n", error.message);
        exit(1);
    }
}

static gf_image image(const gf_shape *shape)
{
    gf_image made = {sizeof made, *shape, 0, NULL, device};
    made.pitch = (shape->width * shape->channels * (int64_t)gf_depth_size(shape->depth) + 255) / 256 * 256;
    must(backend->allocate(device, (size_t)(made.pitch * shape->height), &made.data, &error));
    return made;
}

static void fill(const gf_image *picture)
{
    gf_image host = *picture;
    struct plan_random random;
    gf_queue queue = {device, NULL};
    host.data = malloc((size_t)(host.pitch * host.shape.height));
    host.device = GF_DEVICE_CPU;
    plan_random_seed(&random, 1, 1);
    plan_random_picture(&random, PLAN_NOISE, false, &host);
    must(backend->copy(queue, GF_COPY_UPLOAD, picture->data, picture->pitch, host.data, host.pitch,
                       (size_t)host.pitch, host.shape.height, &error));
    must(backend->wait(queue, &error));
    free(host.data);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return values[n / 2];
}

/* Median milliseconds of device time for one run of the chain. */
static double time_chain(const struct chain *chain, const gf_shape *size, int32_t no_fuse, int32_t *steps,
                         double *megabytes)
{
    gf_shape shape = {size->width, size->height, chain->channels, chain->depth};
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    struct set sets[SETS];
    double times[RUNS];
    options.device = device;
    options.no_fuse = no_fuse;
    must(gf_pipeline_parse(chain->text, NULL, 0, &pipeline, &error));
    must(gf_plan_create(context, pipeline, &shape, &options, &plan, &error));
    must(gf_exec_create(plan, &exec, &error));
    gf_shape made = gf_plan_output(plan);
    for (int i = 0; i < SETS; i++) {
        sets[i].in = image(&shape);
        sets[i].out = image(&made);
        fill(&sets[i].in);
    }
    for (int i = 0; i < RUNS + WARM; i++) {
        gf_image *out = gf_plan_measures_only(plan) ? NULL : &sets[i % SETS].out;
        must(gf_exec_enqueue(exec, &sets[i % SETS].in, out, NULL, &error));
        must(gf_exec_finish(exec, &error));
        gf_run_stats stats = {.struct_size = sizeof stats};
        must(gf_exec_run_stats(exec, &stats));
        times[i >= WARM ? i - WARM : 0] = stats.kernels_ms;
    }
    *steps = gf_plan_step_count(plan);
    *megabytes = 0;
    for (int32_t s = 0; s < *steps; s++) {
        gf_step_info info = {.struct_size = sizeof info};
        must(gf_plan_step(plan, s, &info));
        *megabytes += (double)(info.bytes_read + info.bytes_written) * 1e-6;
    }
    for (int i = 0; i < SETS; i++) {
        backend->release(device, sets[i].in.data);
        backend->release(device, sets[i].out.data);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    return median(times, RUNS);
}

/* GB/s of a copy of 1 GiB in memory of the device, bytes read and written. */
static double copy_speed(void)
{
    const size_t size = (size_t)1 << 30;
    void *from, *to, *start, *end;
    double times[11];
    gf_queue queue = {device, NULL};
    must(backend->allocate(device, size, &from, &error));
    must(backend->allocate(device, size, &to, &error));
    must(backend->mark_create(device, &start, &error));
    must(backend->mark_create(device, &end, &error));
    for (int i = 0; i < 11; i++) {
        must(backend->mark_record(queue, start, &error));
        must(backend->copy(queue, GF_COPY_DEVICE, to, (int64_t)size, from, (int64_t)size, size, 1, &error));
        must(backend->mark_record(queue, end, &error));
        must(backend->wait(queue, &error));
        must(backend->mark_elapsed(start, end, &times[i], &error));
    }
    backend->mark_destroy(device, start);
    backend->mark_destroy(device, end);
    backend->release(device, from);
    backend->release(device, to);
    return 2 * (double)size * 1e-6 / median(times, 11);
}

int main(int argc, char **argv)
{
    gf_shape size = {7680, 4320, 1, GF_U8};
    device = 0;
    if (argc > 2 && !strcmp(argv[1], "--device")) {
        device = !strcmp(argv[2], "cpu") ? GF_DEVICE_CPU : 0;
        argv += 2;
        argc -= 2;
    }
    size_t count = sizeof chains / sizeof *chains;
    if (argc > 2 && !strcmp(argv[1], "--chains")) {
        size_t asked = (size_t)strtoul(argv[2], NULL, 10);
        count = asked < count ? asked : count;
        argv += 2;
        argc -= 2;
    }
    if (argc > 2) {
        size.width = strtol(argv[1], NULL, 10);
        size.height = strtol(argv[2], NULL, 10);
    }
    backend = gf_backend_for(device);
    if (!backend) {
        fprintf(stderr, "bench_pass: this build has no CUDA backend\n");
        return 1;
    }
    must(gf_context_create(NULL, &context, &error));
    double copy = copy_speed();
    printf(
        "copy %.0f GB/s; %lld x %lld; microseconds: median of %d, floor = bytes of the fused plan / copy\n",
        copy, (long long)size.width, (long long)size.height, RUNS);
    printf("%9s %9s %6s %9s %6s  %s\n", "fused", "floor", "B", "unfused", "ratio", "chain");
    for (size_t i = 0; i < count; i++) {
        int32_t steps, unfused_steps;
        double megabytes, unfused_megabytes;
        double fused = time_chain(&chains[i], &size, 0, &steps, &megabytes);
        double unfused = time_chain(&chains[i], &size, 1, &unfused_steps, &unfused_megabytes);
        double floor_ms = megabytes / copy;
        printf("%9.1f %9.1f %6.2f %9.1f %6.2f  %s (%d x %s, %d steps, %d unfused)\n", fused * 1e3,
               floor_ms * 1e3, floor_ms / fused, unfused * 1e3, fused / unfused, chains[i].text,
               chains[i].channels, gf_depth_name(chains[i].depth), steps, unfused_steps);
        fflush(stdout);
    }
    gf_context_destroy(&context);
    return 0;
}
