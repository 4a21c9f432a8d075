/* Search on the CPU: threads take chunks in the order of their index; a chunk behind the best place so far is
 * not read. */
#include "array/search/search_call.h"
#include "array/search/search_lines.h"
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"

static const int64_t CHUNK = (int64_t)GF_SEARCH_LINE * 64;

static const struct gf_search_lines *lines_for(gf_depth type)
{
    return &GF_LEVEL_BEST(gf_search_lines)[type];
}

/* The lowest match of [from, to), or INT64_MAX: lines are counted, which is fast, until one has a match. */
static int64_t first_in(const struct gf_search_call *call, const struct gf_search_lines *lines, int64_t from,
                        int64_t to)
{
    const struct gf_array_call *a = &call->array;
    size_t size = gf_depth_size(a->options.type);
    for (int64_t i = from; i < to; i += GF_SEARCH_LINE) {
        const char *in = (const char *)a->in + (size_t)i * size;
        int64_t n = to - i < GF_SEARCH_LINE ? to - i : GF_SEARCH_LINE;
        if (lines->count(in, n - GF_FAULT(search_line), call->test.least, call->test.span) > 0) {
            return i + lines->first(in, n, call->test.least, call->test.span);
        }
    }
    return INT64_MAX;
}

/* What threads share. */
struct job {
    const struct gf_search_call *call;
    const struct gf_search_lines *lines;
    int64_t next;  /* the first chunk that nobody has taken */
    int64_t best;  /* the lowest match so far, or INT64_MAX */
    int64_t count; /* of matches */
};

static void find_first(void *argument, int thread, int threads)
{
    struct job *job = argument;
    int64_t n = job->call->array.n, from;
    (void)thread;
    (void)threads;
    while ((from = CHUNK * __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < n) {
        int64_t known = __atomic_load_n(&job->best, __ATOMIC_RELAXED);
        if (from > known) {
            return;
        }
        int64_t at = first_in(job->call, job->lines, from, n - from < CHUNK ? n : from + CHUNK);
        while (at < known &&
               !__atomic_compare_exchange_n(&job->best, &known, at, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
    }
}

static int64_t count_in(const struct gf_search_call *call, const struct gf_search_lines *lines, int64_t from,
                        int64_t to)
{
    const struct gf_array_call *a = &call->array;
    size_t size = gf_depth_size(a->options.type);
    int64_t count = 0;
    for (int64_t i = from; i < to; i += GF_SEARCH_LINE) {
        int64_t n = to - i < GF_SEARCH_LINE ? to - i : GF_SEARCH_LINE;
        count += lines->count((const char *)a->in + (size_t)i * size, n, call->test.least, call->test.span);
    }
    return count;
}

static void count_all(void *argument, int thread, int threads)
{
    struct job *job = argument;
    int64_t n = job->call->array.n, from, count = 0;
    (void)thread;
    (void)threads;
    while ((from = CHUNK * __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < n) {
        count += count_in(job->call, job->lines, from, n - from < CHUNK ? n : from + CHUNK);
    }
    __atomic_fetch_add(&job->count, count, __ATOMIC_RELAXED);
}

gf_status gf_search_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    struct job job = {.call = call, .lines = lines_for(array->options.type), .best = INT64_MAX};
    if (call->mode == GF_SEARCH_ALL) {
        struct gf_compact_call all = gf_search_as_compact(call);
        return gf_compact_cpu(&all.array, error);
    }
    if (call->test.outside) {
        *call->found = call->mode == GF_SEARCH_FIRST ? -1 : 0;
    } else if (call->mode == GF_SEARCH_FIRST) {
        gf_team_run_once(gf_array_readers(array), find_first, &job);
        *call->found = job.best == INT64_MAX ? -1 : job.best;
    } else {
        gf_team_run_once(gf_array_readers(array), count_all, &job);
        *call->found = job.count;
    }
    return GF_OK;
}
