/* The segmented sort on the CPU. Segments that are long beside a thread's share are sorted by all threads,
 * one after the other. The others are shared out by their elements, and each is sorted by one thread: the
 * shortest by insertion, which is the fastest there and takes no memory. */
#include "array/sort/sort_call.h"
#include "array/sort/sort_order.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum {
    SHORT = 64, /* elements that are sorted by insertion, at most */
    SHARES = 4, /* parts of a thread's share from which on a segment is long */
    LONG_LEAST = 1 << 16
};

struct job {
    const struct gf_segmented_sort_call *call;
    uint64_t flip;
    int threads;
    int64_t longest; /* of the segments that one thread sorts */
    char *scratch;   /* of each thread `bytes`; or of all of them together */
    size_t bytes;
};

/* ---- By insertion -------------------------------------------------------------------------------------- */

/* Sorts n keys of K; the values, which follow them, are V's, or none. */
#define INSERT(name, K, size, V, VALUE)                                                                      \
    static void insert_##name##size(const void *from, const void *values_from, int64_t n, void *to,          \
                                    void *values_to, uint64_t flip_bits)                                     \
    {                                                                                                        \
        const K *in = from, flip = (K)flip_bits;                                                             \
        const V *values = values_from;                                                                       \
        K *out = to;                                                                                         \
        V *values_out = values_to;                                                                           \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const K key = in[i], rank = gf_rank_##name(key, flip);                                           \
            const V value = VALUE ? values[i] : 0;                                                           \
            int64_t at = i;                                                                                  \
            for (; at > 0 && rank < gf_rank_##name(out[at - 1], flip); at--) {                               \
                out[at] = out[at - 1];                                                                       \
                if (VALUE) {                                                                                 \
                    values_out[at] = values_out[at - 1];                                                     \
                }                                                                                            \
            }                                                                                                \
            out[at] = key;                                                                                   \
            if (VALUE) {                                                                                     \
                values_out[at] = value;                                                                      \
            }                                                                                                \
        }                                                                                                    \
    }
#define INSERT_ALL(name, K)                                                                                  \
    INSERT(name, K, 0, uint32_t, 0)                                                                          \
    INSERT(name, K, 4, uint32_t, 1)                                                                          \
    INSERT(name, K, 8, uint64_t, 1)

INSERT_ALL(8, uint8_t)
INSERT_ALL(16, uint16_t)
INSERT_ALL(32, uint32_t)
INSERT_ALL(64, uint64_t)
INSERT_ALL(f32, uint32_t)
INSERT_ALL(f64, uint64_t)

#define INSERTS(name)                                                                                        \
    {                                                                                                        \
        insert_##name##0, insert_##name##4, insert_##name##8                                                 \
    }
static void (*const inserts[][3])(const void *, const void *, int64_t, void *, void *, uint64_t) = {
    [GF_U8] = INSERTS(8),   [GF_U16] = INSERTS(16),  [GF_S16] = INSERTS(16),
    [GF_U32] = INSERTS(32), [GF_S32] = INSERTS(32),  [GF_U64] = INSERTS(64),
    [GF_S64] = INSERTS(64), [GF_F32] = INSERTS(f32), [GF_F64] = INSERTS(f64),
};

/* ---- Segments ------------------------------------------------------------------------------------------ */

static gf_status sort_segment(const struct job *job, int64_t i, int threads, char *scratch, gf_error *error)
{
    const struct gf_segmented_sort_call *call = job->call;
    const gf_depth type = call->sort.array.options.type;
    const size_t at = (size_t)call->offsets[i], value = (size_t)call->sort.value_size;
    struct gf_sort_call s = call->sort;
    s.array.n = call->offsets[i + 1] - call->offsets[i];
    if (s.array.n == 0) {
        return GF_OK;
    }
    s.array.in = (const char *)s.array.in + at * gf_depth_size(type);
    s.array.out = (char *)s.array.out + at * gf_depth_size(type);
    if (value > 0) {
        s.values = (const char *)s.values + at * value;
        s.values_out = (char *)s.values_out + at * value;
    }
    if (s.array.n <= SHORT) {
        inserts[type][value / 4](s.array.in, s.values, s.array.n, s.array.out, s.values_out, job->flip);
        return GF_OK;
    }
    s.array.options.threads = threads;
    s.array.scratch = scratch;
    s.array.scratch_bytes = job->bytes;
    return gf_sort_cpu(&s.array, error);
}

static int64_t length_of(const struct job *job, int64_t i)
{
    return job->call->offsets[i + 1] - job->call->offsets[i];
}

/* The first segment that begins at `place` or behind it. */
static int64_t first_from(const struct job *job, int64_t place)
{
    int64_t low = 0, high = job->call->segments;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (job->call->offsets[middle] < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Those segments that begin in a thread's share of the elements. Sorts of one thread do not fail. */
static void sort_share(void *argument, int thread, int threads)
{
    const struct job *job = argument;
    const int64_t n = job->call->sort.array.n;
    const int64_t end =
        thread + 1 == threads ? job->call->segments : first_from(job, gf_array_share(n, thread + 1, threads));
    const int64_t begin = first_from(job, gf_array_share(n, thread, threads));
    for (int64_t i = begin; i < end - (GF_FAULT(segmented_sort_share) && end > begin); i++) {
        if (length_of(job, i) <= job->longest) {
            (void)sort_segment(job, i, 1, job->scratch + (size_t)thread * job->bytes, NULL);
        }
    }
}

/* ---- The call ------------------------------------------------------------------------------------------ */

/* Bytes for a sort of n elements or fewer: with narrow keys alone by counting, or as if there were values. */
static size_t sort_bytes(const struct gf_array_call *array, int64_t n, int threads)
{
    struct gf_sort_call most = gf_segmented_sort_call_of(array)->sort;
    most.array.n = n;
    most.array.options.threads = threads;
    const size_t counted = gf_sort_cpu_scratch(&most.array);
    most.value_size = most.value_size > 0 || gf_depth_size(array->options.type) > 2 ? most.value_size : 4;
    const size_t moved = gf_sort_cpu_scratch(&most.array);
    return (moved > counted ? moved : counted) +
           GF_ARRAY_ALIGNMENT; /* parts of fewer elements round up too */
}

static size_t lay_out(const struct gf_array_call *array, void *memory, struct job *job)
{
    size_t used = 0;
    *job = (struct job){.call = gf_segmented_sort_call_of(array)};
    job->flip = gf_sort_flip(array->options.type, job->call->sort.descending);
    job->threads = gf_array_threads(array, GF_ARRAY_PAYS / 8);
    job->longest = array->n / job->threads / SHARES;
    job->longest = job->longest < LONG_LEAST ? LONG_LEAST : job->longest;
    job->longest = job->threads == 1 || job->longest > array->n ? array->n : job->longest;
    job->bytes = (sort_bytes(array, job->longest, 1) + GF_ARRAY_ALIGNMENT - 1) / GF_ARRAY_ALIGNMENT *
                 GF_ARRAY_ALIGNMENT;
    const size_t shares = job->bytes * (size_t)job->threads, all = sort_bytes(array, array->n, job->threads);
    job->scratch = gf_scratch_take(memory, &used, shares > all ? shares : all);
    return used;
}

size_t gf_segmented_sort_cpu_scratch(const struct gf_array_call *array)
{
    struct job job;
    return lay_out(array, NULL, &job);
}

gf_status gf_segmented_sort_cpu(const struct gf_array_call *array, gf_error *error)
{
    struct job job;
    lay_out(array, array->scratch, &job);
    for (int64_t i = 0; job.longest < array->n && i < job.call->segments; i++) {
        if (length_of(&job, i) > job.longest) {
            GF_TRY(sort_segment(&job, i, job.threads, job.scratch, error));
        }
    }
    gf_team_run_once(job.threads, sort_share, &job);
    return GF_OK;
}
