/* A ragged loop on the CPU: threads take parts of the line that segments and items make, each segment's items
 * and then its end, so that neither one segment of everything nor millions of empty ones leave threads
 * without work. Segments that are summed or compared are cut into leaves, and belong to the part in which a
 * leaf begins. */
#include "array/ragged/ragged_call.h"
#include "array/reduce/reduce_forest.h"
#include "array/reduce/reduce_lines.h"
#include "array/reduce/reduce_result.h"
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"

enum { PARTS = 8 /* a thread */, LEAST = 1 << 13 /* segments and items of a part */ };

struct job {
    const struct gf_ragged_call *call;
    const struct gf_reduce_lines *lines;
    const int32_t *counts;
    int64_t nx;
    int64_t *offsets; /* nx + 1 */
    uint64_t *slots;
    int64_t *sums;     /* of the counts of a thread's share */
    uint64_t *sums_to; /* the output of GF_RAGGED_SUM, else NULL */
    int64_t parts, next;
};

static int64_t count_of(const struct job *job, int64_t ix)
{
    return job->counts[ix] > 0 ? job->counts[ix] : 0;
}

/* ---- Offsets ------------------------------------------------------------------------------------------- */

static void add_counts(void *argument, int thread, int threads)
{
    const struct job *job = argument;
    const int64_t end = gf_array_share(job->nx, thread + 1, threads);
    int64_t sum = 0;
    for (int64_t ix = gf_array_share(job->nx, thread, threads); ix < end; ix++) {
        sum += count_of(job, ix);
    }
    job->sums[thread] = sum;
}

static void place_counts(void *argument, int thread, int threads)
{
    const struct job *job = argument;
    const int64_t end = gf_array_share(job->nx, thread + 1, threads);
    int64_t sum = 0;
    for (int i = 0; i < thread; i++) {
        sum += job->sums[i];
    }
    for (int64_t ix = gf_array_share(job->nx, thread, threads); ix < end; ix++) {
        const int64_t count = count_of(job, ix);
        job->offsets[ix] = sum;
        sum += count;
        if (job->sums_to && count > GF_REDUCE_LEAF) { /* parts add to it */
            job->sums_to[ix] = 0;
        }
    }
    if (thread == threads - 1) {
        job->offsets[job->nx] = sum;
    }
}

/* ---- Items --------------------------------------------------------------------------------------------- */

#define FILL(T)                                                                                              \
    for (int64_t i = k; i < end; i++) {                                                                      \
        ((T *)out)[i] = (T)value;                                                                            \
    }
#define REPEAT(T)                                                                                            \
    do {                                                                                                     \
        const T run = ((const T *)call->values)[ix];                                                         \
        for (int64_t i = k; i < end; i++) {                                                                  \
            ((T *)out)[i] = run;                                                                             \
        }                                                                                                    \
    } while (0)

static void fill(const struct gf_ragged_call *call, int64_t k, int64_t end)
{
    const int64_t value = call->options.value;
    void *out = call->array.out;
    switch (call->array.options.type) {
    case GF_F32:
        FILL(float)
        break;
    case GF_F64:
        FILL(double)
        break;
    case GF_S32:
    case GF_U32:
        FILL(uint32_t)
        break;
    default:
        FILL(uint64_t)
        break;
    }
}

/* Items k to end - 1, of segment ix, which begins at `base`. */
static void take_items(const struct gf_ragged_call *call, int64_t ix, int64_t base, int64_t k, int64_t end)
{
    void *out = call->array.out;
    if (call->options.body == GF_RAGGED_FILL) {
        fill(call, k, end);
    } else if (call->options.body == GF_RAGGED_EXPAND) {
        for (int64_t i = k; i < end; i++) {
            ((uint32_t *)out)[i] = (uint32_t)ix;
            call->iy_out[i] = (uint32_t)(i - base);
        }
    } else if (gf_depth_size(call->array.options.type) == 4) {
        REPEAT(uint32_t);
    } else {
        REPEAT(uint64_t);
    }
}

/* ---- Leaves -------------------------------------------------------------------------------------------- */

static bool is_number(const struct gf_ragged_call *call)
{
    return call->options.body == GF_RAGGED_SEGMENT_SUM && gf_reduce_is_float(call->array.options.type);
}

/* The n numbers from iy on. */
static uint64_t add_numbers(int64_t iy, int64_t n)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += (uint64_t)(iy + i);
    }
    return sum;
}

/* Returns what is known of the n values from the k-th on. */
static uint64_t leaf(const struct job *job, int64_t k, int64_t n)
{
    const struct gf_ragged_call *call = job->call;
    const gf_depth type = call->array.options.type;
    const char *in =
        n > 0 && call->values ? (const char *)call->values + (size_t)k * gf_depth_size(type) : NULL;
    switch (call->options.body) {
    case GF_RAGGED_SEGMENT_SUM:
        return job->lines->sum ? job->lines->sum(in, n) : gf_double_bits(job->lines->number(in, n));
    default:
        return job->lines->rank(in, n, call->options.body == GF_RAGGED_SEGMENT_MAX);
    }
}

static struct gf_reduce_part part_of(const struct gf_ragged_call *call, uint64_t word)
{
    struct gf_reduce_part part = gf_reduce_empty(gf_ragged_op(call->options.body));
    part.n = 1;
    part.index = 0;
    part.bits = part.rank = word;
    part.number = is_number(call) ? gf_bits_double(word) : 0.0;
    return part;
}

static void write_result(const struct gf_ragged_call *call, int64_t ix, const struct gf_reduce_part *part)
{
    const gf_depth type = call->array.options.type;
    const gf_reduce_op op = gf_ragged_op(call->options.body);
    char *out = (char *)call->array.out;
    gf_reduce_write(op, type, part,
                    out + (size_t)ix * gf_depth_size(gf_ragged_result(call->options.body, type)));
}

/* A segment of one leaf or none. */
static void take_small(const struct job *job, int64_t ix, int64_t k, int64_t n)
{
    const gf_reduce_op op = gf_ragged_op(job->call->options.body);
    const struct gf_reduce_part part = n > 0 ? part_of(job->call, leaf(job, k, n)) : gf_reduce_empty(op);
    write_result(job->call, ix, &part);
}

/* The leaves of segment ix, of n > 4096 items, that begin in [begin, end) of the line. */
static void take_leaves(const struct job *job, int64_t ix, int64_t n, int64_t begin, int64_t end)
{
    const int64_t base = job->offsets[ix], first = begin - base - ix;
    uint64_t *slots = job->slots ? job->slots + gf_ragged_slot(base) : NULL, sum = 0;
    for (int64_t l = first > 0 ? (first + GF_REDUCE_LEAF - 1) / GF_REDUCE_LEAF : 0;; l++) {
        const int64_t iy = l * GF_REDUCE_LEAF, left = n - iy;
        if (left <= 0 || base + ix + iy >= end) {
            break;
        }
        const int64_t some = left < GF_REDUCE_LEAF ? left : GF_REDUCE_LEAF;
        if (slots) {
            slots[l] = leaf(job, base + iy, some);
        } else {
            sum += add_numbers(iy, some);
        }
    }
    if (!slots) {
        __atomic_fetch_add(job->sums_to + ix, sum * (uint64_t)job->call->options.value, __ATOMIC_RELAXED);
    }
}

static void join_leaves(const struct job *job, int64_t ix, int64_t n)
{
    struct gf_reduce_forest forest = {.leaves = 0};
    const uint64_t *slots = job->slots + gf_ragged_slot(job->offsets[ix]);
    const gf_reduce_op op = gf_ragged_op(job->call->options.body);
    for (int64_t l = 0; l * GF_REDUCE_LEAF < n; l++) {
        gf_reduce_forest_add(&forest, op, part_of(job->call, slots[l]), 0);
    }
    const struct gf_reduce_part all = gf_reduce_forest_join(&forest, op);
    write_result(job->call, ix, &all);
}

/* ---- Parts --------------------------------------------------------------------------------------------- */

/* The segment in which a place of the line lies: how many ends lie before it. */
static int64_t segment_of(const struct job *job, int64_t place)
{
    int64_t low = 0, high = job->nx;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (job->offsets[middle + 1] + middle < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void take_part(const struct job *job, int64_t begin, int64_t end)
{
    const struct gf_ragged_call *call = job->call;
    const bool folds = gf_ragged_is_fold(call->options.body);
    for (int64_t ix = segment_of(job, begin); ix < job->nx && job->offsets[ix] + ix < end; ix++) {
        const int64_t base = job->offsets[ix];
        const int64_t n = gf_ragged_there(call->items, base, job->offsets[ix + 1] - base);
        if (!folds) {
            const int64_t from = base > begin - ix ? base : begin - ix;
            const int64_t to = base + n < end - ix ? base + n : end - ix;
            take_items(call, ix, base, from, to);
        } else if (n > GF_REDUCE_LEAF) {
            take_leaves(job, ix, n, begin, end);
        } else if (base + ix >= begin && job->sums_to) {
            job->sums_to[ix] = add_numbers(0, n) * (uint64_t)call->options.value;
        } else if (base + ix >= begin) {
            take_small(job, ix, base, n);
        }
    }
}

static void take(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const int64_t line = job->nx + job->offsets[job->nx];
    (void)thread;
    (void)threads;
    for (int64_t i; (i = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < job->parts;) {
        const int64_t end = gf_array_share(line, (int32_t)(i + 1), (int32_t)job->parts);
        take_part(job, gf_array_share(line, (int32_t)i, (int32_t)job->parts),
                  end - (GF_FAULT(ragged_part) && i + 1 < job->parts));
    }
}

/* ---- The call ------------------------------------------------------------------------------------------ */

static size_t lay_out(const struct gf_ragged_call *call, struct job *job)
{
    void *const memory = call->array.scratch;
    const bool slots = gf_ragged_is_segment(call->options.body);
    size_t used = 0;
    job->offsets = gf_scratch_take(memory, &used, (size_t)(call->array.n + 1) * sizeof(int64_t));
    job->sums = gf_scratch_take(memory, &used, 256 * sizeof(int64_t)); /* gf_array_threads' most */
    if (slots) {
        job->slots = gf_scratch_take(memory, &used, (size_t)gf_ragged_slots(call->items) * sizeof(uint64_t));
    }
    return used;
}

size_t gf_ragged_cpu_scratch(const struct gf_array_call *array)
{
    struct job job = {.nx = 0};
    return lay_out(gf_ragged_call_of(array), &job);
}

gf_status gf_ragged_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_ragged_call *call = gf_ragged_call_of(array);
    struct job job = {.call = call, .counts = array->in, .nx = array->n};
    struct gf_array_call work = *array;
    (void)error;
    job.lines = &GF_LEVEL_BEST(gf_reduce_lines)[array->options.type];
    lay_out(call, &job);
    job.sums_to = call->options.body == GF_RAGGED_SUM ? array->out : NULL;
    int32_t threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    gf_team_run_once(threads, add_counts, &job);
    gf_team_run_once(threads, place_counts, &job);
    work.n = job.nx + job.offsets[job.nx];
    if (call->total) {
        *call->total = job.offsets[job.nx];
    }
    threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    const int64_t most = work.n / LEAST + 1;
    job.parts = most < (int64_t)threads * PARTS ? most : (int64_t)threads * PARTS;
    gf_team_run_once(threads, take, &job);
    for (int64_t ix = 0; gf_ragged_is_segment(call->options.body) && ix < job.nx; ix++) {
        const int64_t n = gf_ragged_there(call->items, job.offsets[ix], count_of(&job, ix));
        if (n > GF_REDUCE_LEAF) {
            join_leaves(&job, ix, n);
        }
    }
    return GF_OK;
}
