/* Search on the CPU: threads take chunks in the order of their index; a chunk behind the best place so far is
 * not read. */
#include "array/search_call.h"
#include "array/search_lines.h"
#include "base/cpu_level.h"
#include "base/planted_fault.h"

static const int64_t CHUNK = (int64_t)GF_SEARCH_LINE * 64;

static const struct gf_search_lines *lines_for(gf_depth type)
{
#ifndef GF_ROWS_BASELINE_ONLY
    switch (gf_cpu_level()) {
    case GF_CPU_AVX512:
        return &gf_search_lines_avx512[type];
    case GF_CPU_AVX2:
        return &gf_search_lines_avx2[type];
    default:
        break;
    }
#endif
    return &gf_search_lines_baseline[type];
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

static int64_t find_first(const struct gf_search_call *call, const struct gf_search_lines *lines,
                          int32_t threads)
{
    int64_t best = INT64_MAX, n = call->array.n, chunks = (n + CHUNK - 1) / CHUNK;
    (void)threads; /* without OpenMP */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
#endif
    for (int64_t c = 0; c < chunks; c++) {
        int64_t from = c * CHUNK, known = __atomic_load_n(&best, __ATOMIC_RELAXED);
        if (from > known) {
            continue;
        }
        int64_t at = first_in(call, lines, from, n - from < CHUNK ? n : from + CHUNK);
        while (at < known &&
               !__atomic_compare_exchange_n(&best, &known, at, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
    }
    return best == INT64_MAX ? -1 : best;
}

static int64_t count_all(const struct gf_search_call *call, const struct gf_search_lines *lines,
                         int32_t threads)
{
    int64_t count = 0, n = call->array.n, chunks = (n + CHUNK - 1) / CHUNK;
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : count)
#endif
    for (int64_t c = 0; c < chunks; c++) {
        int64_t from = c * CHUNK;
        count += count_in(call, lines, from, n - from < CHUNK ? n : from + CHUNK);
    }
    return count;
}

gf_status gf_search_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    const struct gf_search_lines *lines = lines_for(array->options.type);
    int32_t threads = gf_array_threads(array);
    if (call->mode == GF_SEARCH_ALL) {
        struct gf_compact_call all = gf_search_as_compact(call);
        return gf_compact_cpu(&all.array, error);
    }
    if (call->test.outside) {
        *call->found = call->mode == GF_SEARCH_FIRST ? -1 : 0;
    } else if (call->mode == GF_SEARCH_FIRST) {
        *call->found = find_first(call, lines, threads);
    } else {
        *call->found = count_all(call, lines, threads);
    }
    return GF_OK;
}
