/* Small runs beside a process that never sleeps, on two processors: several threads must not cost more than
 * one. Threads that wait by turning in a loop took 13 to 18 times as long. The measured ratios are printed.
 */
#define _GNU_SOURCE /* sched_setaffinity, clock_gettime */
#include "check.h"
#include "gpufilter/gpufilter.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 480, ROUNDS = 21, RUNS = 10, BOUND = 3 }; /* 210 runs on either side */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* From now on there are two processors; false: there is only one. */
static bool keep_two(void)
{
    cpu_set_t all, two;
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        return false;
    }
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&two) < 2; i++) {
        if (CPU_ISSET(i, &all)) {
            CPU_SET(i, &two);
        }
    }
    return CPU_COUNT(&two) == 2 && sched_setaffinity(0, sizeof two, &two) == 0;
}

/* A chain, bound for a number of threads. */
struct side {
    gf_plan *plan;
    gf_exec *exec;
    double times[ROUNDS];
};

static gf_status open_side(struct side *side, gf_context *context, const gf_pipeline *pipeline,
                           const gf_shape *shape, int32_t threads, gf_error *error)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.threads = threads;
    gf_status status = gf_plan_create(context, pipeline, shape, &options, &side->plan, error);
    return status == GF_OK ? gf_exec_create(side->plan, &side->exec, error) : status;
}

static gf_status run_round(struct side *side, int round, const gf_image *in, gf_image *out, gf_error *error)
{
    double start = now_ms();
    gf_status status = GF_OK;
    for (int i = 0; i < RUNS && status == GF_OK; i++) {
        status = gf_exec_run(side->exec, in, out, error);
    }
    side->times[round] = now_ms() - start;
    return status;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, compare);
    return times[ROUNDS / 2];
}

/* Turns of one thread and of two, so that both meet the same other load: how many times as long two take, by
 * medians. 0 after describing what went wrong. */
static double measure(const char *text, const char *beside)
{
    double ratio = 0;
    const gf_shape shape = {WIDTH, HEIGHT, 1, GF_U8};
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    struct side sides[2] = {{0}, {0}};
    uint8_t *memory = calloc(2, WIDTH * HEIGHT);
    gf_image in = {sizeof in, shape, WIDTH, memory, GF_DEVICE_CPU};
    gf_image out = {sizeof out, shape, WIDTH, memory + WIDTH * HEIGHT, GF_DEVICE_CPU};
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status == GF_OK ? gf_pipeline_parse(text, NULL, 0, &pipeline, &error) : status;
    for (int i = 0; i < 2 && status == GF_OK; i++) {
        status = open_side(&sides[i], context, pipeline, &shape, i + 1, &error);
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        memory[i] = (uint8_t)(i * 2654435761U >> 24);
    }
    for (int i = 0; i < 2 * ROUNDS && status == GF_OK; i++) {
        status = run_round(&sides[i % 2], i / 2, &in, &out, &error);
    }
    CHECK_MSG(status == GF_OK, "%s: %s", text, error.message);
    if (status == GF_OK) {
        double one = median(sides[0].times), two = median(sides[1].times);
        ratio = two / one;
        printf("# %-12s %s: a run by one thread %7.3f ms, by two %7.3f ms: %.2f times\n", text, beside,
               one / RUNS, two / RUNS, ratio);
    }
    for (int i = 0; i < 2; i++) {
        gf_exec_destroy(&sides[i].exec);
        gf_plan_destroy(&sides[i].plan);
    }
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    free(memory);
    return ratio;
}

static const char *const chains[] = {"blur:sigma=1", "equalize", "sobel", "box:3", "invert", "stats"};

/* Returns how many threads of the whole system run or want to, this one apart, over some moments. */
static int others_running(void)
{
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        int running = 1;
        FILE *file = fopen("/proc/loadavg", "r");
        if (file) {
            if (fscanf(file, "%*f %*f %*f %d/", &running) != 1) {
                running = 1;
            }
            fclose(file);
        }
        sum += running - 1;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return (sum + 10) / 20;
}

/* The bound is generous, and there are three turns. Where more than `busy` other processes run, a thread that
 * holds a part of the work may have to wait for them, whatever the library does: then nothing is said. */
static void measure_all(const char *beside, int busy)
{
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        double ratio = BOUND + 1;
        for (int turn = 0; turn < 3 && ratio > BOUND; turn++) {
            ratio = measure(chains[i], beside);
        }
        int others = ratio > BOUND ? others_running() : 0;
        if (others > busy) {
            SKIP("%s: %d other processes run, and %d were meant to", chains[i], others, busy);
        }
        CHECK_MSG(ratio <= BOUND, "%s %s: two threads take %.2f times as long as one", chains[i], beside,
                  ratio);
    }
}

static void alone(void)
{
    if (!keep_two()) {
        SKIP("there is one processor");
    }
    measure_all("alone", 0);
}

static void beside_a_busy_process(void)
{
    if (!keep_two()) {
        SKIP("there is one processor");
    }
    fflush(stdout);
    pid_t busy = fork();
    if (busy == 0) {
        for (;;) {
        }
    }
    REQUIRE(busy > 0);
    measure_all("beside one busy process", 1);
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
}

static const struct check_case cases[] = {
    {"two threads cost little more than one, alone", alone},
    {"two threads cost little more than one, beside a process that is always busy", beside_a_busy_process},
};

CHECK_MAIN(cases)
