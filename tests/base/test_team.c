/* Threads of the library: work is done once whatever threads there are, also where pthread_create fails from
 * some call on; they are started once and gone in the end. */
#define _GNU_SOURCE /* nanosleep, alarm */
#include "base/team.h"
#include "check.h"
#include "gpufilter/gpufilter.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int threads_left; /* that pthread_create makes before it fails */
static int threads_made;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    if (threads_left == 0) {
        return EAGAIN;
    }
    threads_left--;
    threads_made++;
    return __real_pthread_create(thread, attributes, run, argument);
}

static void allow_threads(int count)
{
    threads_left = count;
    threads_made = 0;
}

/* Threads that this process has now. */
static int count_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
        count += entry->d_name[0] != '.';
    }
    if (tasks) {
        closedir(tasks);
    }
    return count;
}

static int threads_before; /* this one, and what a sanitizer has */

/* Tells whether the library's are gone. One that is joined may be seen for a moment more. */
static bool are_gone(void)
{
    for (int i = 0; i < 1000 && count_threads() > threads_before; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return count_threads() == threads_before;
}

/* ---- the team ---- */

enum { MOST_CALLS = 100 };

static void count_call(void *argument, int i, int n)
{
    int *counts = argument;
    __atomic_fetch_add(&counts[i], n, __ATOMIC_RELAXED);
}

static void check_runs(struct gf_team *team, const char *how)
{
    static const int numbers[] = {0, 1, 2, 3, 7, MOST_CALLS, 2};
    for (int turn = 0; turn < 300; turn++) {
        int counts[MOST_CALLS] = {0}, n = numbers[turn % 7], wrong = 0;
        gf_team_run(team, n, count_call, counts);
        for (int i = 0; i < MOST_CALLS; i++) {
            wrong += counts[i] != (i < n ? n : 0);
        }
        CHECK_MSG(wrong == 0, "%s: %d calls: %d were not made once", how, n, wrong);
    }
}

static void each_call_is_made_once(void)
{
    allow_threads(-1);
    struct gf_team *first = gf_team_create(2); /* with it ThreadSanitizer starts a thread of its own */
    check_runs(first, "first");
    gf_team_destroy(first);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* until its thread is gone */
    threads_before = count_threads();
    for (int threads = 0; threads <= 9; threads++) {
        char how[32];
        allow_threads(-1);
        snprintf(how, sizeof how, "%d threads", threads);
        struct gf_team *team = gf_team_create(threads);
        check_runs(team, how);
        gf_team_destroy(team);
        CHECK_EQ_INT(threads_made, threads > 1 ? threads - 1 : 0);
        CHECK(are_gone());
    }
}

static void missing_threads_are_done_without(void)
{
    for (int there = 0; there < 5; there++) {
        char how[32];
        allow_threads(there);
        snprintf(how, sizeof how, "%d of 4 threads", there);
        struct gf_team *team = gf_team_create(5);
        check_runs(team, how);
        gf_team_destroy(team);
        CHECK_EQ_INT(threads_made, there);
    }
}

/* A process that was forked has the team, but none of its threads: the caller does the work there, and
 * destroying it waits for nobody. */
static void forked_processes_have_no_threads(void)
{
    int status = 0;
    allow_threads(-1);
    struct gf_team *team = gf_team_create(3);
    check_runs(team, "before the fork");
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* until all sleep */
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int counts[MOST_CALLS] = {0};
        bool once = true;
        alarm(5);
        for (int turn = 0; turn < 20; turn++) {
            gf_team_run(team, MOST_CALLS, count_call, counts);
        }
        for (int i = 0; i < MOST_CALLS; i++) {
            once = once && counts[i] == 20 * MOST_CALLS;
        }
        gf_team_destroy(team);
        _exit(once ? 0 : 1);
    }
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the forked process: status %#x", status);
    check_runs(team, "after the fork");
    gf_team_destroy(team);
}

/* ---- chains ---- */

enum { WIDTH = 1000, HEIGHT = 1800, LOW = 60 }; /* enough for four threads, and for one */

/* Runs a chain three times on `threads` threads; the picture it made is in `out`. */
static gf_status run_chain(const char *text, int64_t height, int32_t threads, const uint8_t *in, uint8_t *out,
                           gf_error *error)
{
    const gf_shape shape = {WIDTH, height, 1, GF_U8};
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_image from = {sizeof from, shape, WIDTH, (void *)(uintptr_t)in, GF_DEVICE_CPU};
    gf_image to = {sizeof to, shape, WIDTH, out, GF_DEVICE_CPU};
    options.device = GF_DEVICE_CPU;
    options.threads = threads;
    gf_status status = gf_context_create(NULL, &context, error);
    status = status == GF_OK ? gf_pipeline_parse(text, NULL, 0, &pipeline, error) : status;
    status = status == GF_OK ? gf_plan_create(context, pipeline, &shape, &options, &plan, error) : status;
    status = status == GF_OK ? gf_exec_create(plan, &exec, error) : status;
    for (int i = 0; i < 3 && status == GF_OK; i++) {
        status = gf_exec_run(exec, &from, &to, error);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

static const char *const chains[] = {"blur:sigma=1", "equalize", "blur:sigma=20",
                                     "box:9, stats, threshold:otsu", "sobel"};

static void chains_run_on_the_threads_there_are(void)
{
    threads_before = count_threads();
    static uint8_t in[WIDTH * HEIGHT], expected[WIDTH * HEIGHT], out[WIDTH * HEIGHT];
    gf_error error = GF_ERROR_INIT;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        in[i] = (uint8_t)(i * 2654435761U >> 24);
    }
    for (size_t c = 0; c < sizeof chains / sizeof chains[0]; c++) {
        allow_threads(0);
        CHECK_MSG(run_chain(chains[c], HEIGHT, 1, in, expected, &error) == GF_OK, "%s: %s", chains[c],
                  error.message);
        for (int there = 0; there < 4; there++) {
            allow_threads(there);
            memset(out, 0, sizeof out);
            CHECK_MSG(run_chain(chains[c], HEIGHT, 4, in, out, &error) == GF_OK, "%s: %s", chains[c],
                      error.message);
            CHECK_MEM(out, expected, sizeof out);
            CHECK_EQ_INT(threads_made, there); /* once for three runs */
            CHECK(are_gone());
        }
    }
    allow_threads(3);
    CHECK_MSG(run_chain("invert", LOW, 4, in, out, &error) == GF_OK, "invert: %s", error.message);
    CHECK_EQ_INT(threads_made, 0); /* waking one would take longer than the work */
}

/* ---- arrays ---- */

enum { COUNT = 3000000 };

static void arrays_run_on_the_threads_there_are(void)
{
    threads_before = count_threads();
    uint32_t *in = malloc(COUNT * sizeof *in), *sorted = malloc(COUNT * sizeof *in);
    gf_error error = GF_ERROR_INIT;
    uint64_t sum = 0, expected = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        in[i] = i * 2654435761U;
        expected += in[i];
    }
    for (int there = 0; there < 4; there++) {
        gf_sort_options sort = GF_SORT_OPTIONS_INIT;
        gf_reduce_options reduce = GF_REDUCE_OPTIONS_INIT;
        size_t bytes = 0, more = 0;
        gf_queue queue = {GF_DEVICE_CPU, NULL};
        sort.array.type = reduce.array.type = GF_U32;
        sort.array.threads = reduce.array.threads = 4;
        CHECK(gf_sort_scratch(GF_DEVICE_CPU, &sort, COUNT, &bytes, &error) == GF_OK);
        CHECK(gf_reduce_scratch(GF_DEVICE_CPU, &reduce, COUNT, &more, &error) == GF_OK);
        bytes = bytes > more ? bytes : more;
        void *scratch = aligned_alloc(256, (bytes + 255) / 256 * 256);
        allow_threads(there);
        CHECK(gf_sort(queue, &sort, in, NULL, COUNT, sorted, NULL, scratch, bytes, &error) == GF_OK);
        CHECK_EQ_INT(threads_made, there);
        allow_threads(there);
        CHECK(gf_reduce(queue, &reduce, in, COUNT, &sum, scratch, bytes, &error) == GF_OK);
        bool ordered = true;
        for (uint32_t i = 1; i < COUNT; i++) {
            ordered = ordered && sorted[i - 1] <= sorted[i];
        }
        CHECK_MSG(ordered, "%d threads: not in order", there);
        CHECK(sum == expected);
        CHECK(are_gone());
        free(scratch);
    }
    free(in);
    free(sorted);
}

static const struct check_case cases[] = {
    {"each call is made once, by any number of threads", each_call_is_made_once},
    {"threads that cannot be had are done without", missing_threads_are_done_without},
    {"a forked process has no threads of the team", forked_processes_have_no_threads},
    {"chains on the threads there are, started once", chains_run_on_the_threads_there_are},
    {"arrays on the threads there are", arrays_run_on_the_threads_there_are},
};

CHECK_MAIN(cases)
