/* The CPU's reduction by key: threads take chunks in order and find their runs, as run_length does. A chunk
 * reduces the runs that begin in it, and of those of more than a leaf the leaves that do, so that a run of
 * everything is everybody's work; parts of leaves are joined when all are there. */
#include "array/common/turns.h"
#include "array/keyed/reduce_by_key_call.h"
#include "array/keyed/runs_cpu.h"
#include "array/reduce/reduce_forest.h"
#include "array/reduce/reduce_leaf.h"
#include "array/reduce/reduce_result.h"
#include "array/segmented/segmented_lines.h"
#include "base/cpu_level.h"
#include "base/team.h"

#include <string.h>

struct slot {
    struct gf_reduce_part part;
    int64_t base, run; /* of the leaf's run: where it begins, its number; base -1: no leaf */
};

struct job {
    const struct gf_reduce_by_key_call *call;
    struct gf_runs_cpu runs;
    gf_segmented_line line;
    size_t size, result; /* bytes of a value, of a result */
    struct slot *slots;
    struct gf_turns turns;
    struct gf_runs_before before; /* of the chunk whose turn it is */
};

size_t gf_reduce_by_key_cpu_scratch(const struct gf_array_call *call)
{
    return (size_t)gf_segment_slots(call->n) * sizeof(struct slot);
}

/* Returns where the run of key `from` - 1 ends: there, or at the first later key that begins another, but not
 * behind `limit`. */
static int64_t end_of_run(const struct job *job, int64_t from, int64_t limit)
{
    uint8_t flags[GF_COMPACT_BLOCK];
    for (int32_t n, step = 64; from < limit; from += n, step = GF_COMPACT_BLOCK) {
        n = limit - from < step ? (int32_t)(limit - from) : step;
        if (job->runs.heads(job->runs.keys, from, n, flags) > 0) {
            return from + (const uint8_t *)memchr(flags, 1, (size_t)n) - flags;
        }
    }
    return limit;
}

static struct gf_reduce_call alone(const struct job *job, int64_t base, int64_t run)
{
    const struct gf_reduce_by_key_call *call = job->call;
    struct gf_reduce_call own = {.array = call->array, .op = call->op};
    own.array.in = (const char *)call->array.in + (size_t)base * job->size;
    own.array.out = (char *)call->array.out + (size_t)run * job->result;
    return own;
}

/* A leaf of a long run, from its element `first` on. Returns where it ends. */
static int64_t take_leaf(const struct job *job, int64_t base, int64_t run, int64_t first, int64_t end)
{
    const struct gf_reduce_call own = alone(job, base, run);
    const int64_t n = end - base - first < GF_REDUCE_LEAF ? end - base - first : GF_REDUCE_LEAF;
    struct slot *slot = &job->slots[gf_segment_slot(base + first, first == 0)];
    slot->part = gf_reduce_cpu_leaf(&own, first, n);
    slot->run = run;
    slot->base = base;
    return base + first + n;
}

/* Run number `run`: the chunk has its leaves that begin from `from` on, before `stop`. Its end is looked for
 * from `known` on. */
static void take_long(const struct job *job, int64_t base, int64_t run, int64_t from, int64_t stop,
                      int64_t known)
{
    const int64_t n = job->runs.n;
    while (from < stop) {
        const int64_t limit = n - from < GF_REDUCE_LEAF ? n : from + GF_REDUCE_LEAF;
        const int64_t end = limit <= known ? limit : end_of_run(job, known > from ? known : from + 1, limit);
        const int64_t done = take_leaf(job, base, run, from - base, end);
        if (done < from + GF_REDUCE_LEAF || done >= n || end_of_run(job, done, done + 1) == done) {
            return; /* the run ends here */
        }
        from = done;
    }
}

/* Runs [first, last) of the chunk, each of which begins and ends in it. */
static void take_whole(const struct job *job, const struct gf_runs_chunk *chunk, int32_t first, int32_t last,
                       int64_t number)
{
    enum { AT_ONCE = 256 };
    int64_t offsets[AT_ONCE + 1];
    while (first < last) {
        const int32_t count = last - first < AT_ONCE ? last - first : AT_ONCE;
        for (int32_t i = 0; i <= count; i++) {
            offsets[i] = chunk->first + chunk->starts[first + i];
        }
        const int64_t done = job->line(job->call->array.in, offsets, count,
                                       (char *)job->call->array.out + (size_t)(number + first) * job->result);
        if (done < count) {
            take_long(job, offsets[done], number + first + done, offsets[done], offsets[done + 1],
                      offsets[done + 1]);
        }
        first += (int32_t)done + (done < count);
    }
}

/* The chunk's last run, which may go on behind it. */
static void take_last(const struct job *job, const struct gf_runs_chunk *chunk, int64_t run)
{
    const int64_t n = job->runs.n, stop = chunk->first + chunk->n;
    int64_t offsets[2] = {chunk->first + chunk->starts[chunk->count - 1], 0};
    const int64_t limit = n - offsets[0] <= GF_REDUCE_LEAF ? n : offsets[0] + GF_REDUCE_LEAF + 1;
    offsets[1] = limit <= stop ? stop : end_of_run(job, stop, limit);
    if (job->line(job->call->array.in, offsets, 1,
                  (char *)job->call->array.out + (size_t)run * job->result) == 0) {
        take_long(job, offsets[0], run, offsets[0], stop, stop);
    }
}

static void take_chunk(const struct job *job, const struct gf_runs_chunk *chunk, struct gf_runs_before before)
{
    const int64_t room = job->call->capacity - (int64_t)before.runs;
    const int64_t stop = chunk->first + (chunk->count > 0 ? (int32_t)chunk->starts[0] : chunk->n);
    const size_t key = gf_depth_size(job->call->key);
    if (before.runs > 0 && room >= 0) { /* a run goes on here, a long one if a leaf of it begins */
        const int64_t from =
            before.last + (chunk->first - before.last + GF_REDUCE_LEAF - 1) / GF_REDUCE_LEAF * GF_REDUCE_LEAF;
        take_long(job, before.last, (int64_t)before.runs - 1, from, stop, stop);
    }
    if (room <= 0 || chunk->count == 0) {
        return;
    }
    const int32_t count = chunk->count < room ? chunk->count : (int32_t)room;
    if (job->call->unique) {
        memcpy((char *)job->call->unique + (size_t)before.runs * key, chunk->keys, (size_t)count * key);
    }
    take_whole(job, chunk, 0, count < chunk->count ? count : count - 1, (int64_t)before.runs);
    if (count == chunk->count) {
        take_last(job, chunk, (int64_t)before.runs + count - 1);
    }
}

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    struct gf_runs_chunk chunk;
    (void)thread;
    (void)threads;
    for (int64_t c; (c = gf_turn_take(&job->turns)) * GF_RUNS_CHUNK < job->runs.n;) {
        gf_runs_cpu_take(&job->runs, c * GF_RUNS_CHUNK, job->call->unique != NULL, &chunk);
        gf_turn_wait(&job->turns, c);
        const struct gf_runs_before before = job->before;
        job->before.runs += (uint64_t)chunk.count;
        if (chunk.count > 0) {
            job->before.last = chunk.first + chunk.starts[chunk.count - 1];
        }
        gf_turn_pass(&job->turns);
        take_chunk(job, &chunk, before);
    }
}

static void join_leaves(const struct job *job, int64_t base, int64_t run)
{
    struct gf_reduce_call own = alone(job, base, run);
    struct gf_reduce_forest forest = {.leaves = 0};
    for (int64_t first = 0; base + first < job->runs.n; first += GF_REDUCE_LEAF) {
        const struct slot *slot = &job->slots[gf_segment_slot(base + first, first == 0)];
        if (slot->base != base) {
            break;
        }
        gf_reduce_forest_add(&forest, own.op, slot->part, 0);
        own.array.n += (int64_t)slot->part.n;
    }
    struct gf_reduce_part all = gf_reduce_forest_join(&forest, own.op);
    gf_reduce_cpu_place(&own, &all);
    gf_reduce_write(own.op, own.array.options.type, &all, own.array.out);
}

gf_status gf_reduce_by_key_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_reduce_by_key_call *call = gf_reduce_by_key_call_of(array);
    const int64_t slots = gf_segment_slots(array->n);
    struct job job = {
        .call = call, .runs = gf_runs_cpu_of(call->keys, array->n, call->key), .slots = array->scratch};
    (void)error;
    job.line = GF_LEVEL_BEST(gf_segmented_lines)[array->options.type][call->op];
    job.size = gf_depth_size(array->options.type);
    job.result = gf_depth_size(gf_reduce_result(call->op, array->options.type));
    for (int64_t i = 0; i < slots; i++) {
        job.slots[i].base = -1;
    }
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), work, &job);
    for (int64_t i = 1; i < slots; i += 2) { /* first leaves */
        if (job.slots[i].base >= 0) {
            join_leaves(&job, job.slots[i].base, job.slots[i].run);
        }
    }
    *call->runs = job.before.runs;
    return GF_OK;
}
