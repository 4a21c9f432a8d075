/* Segmented reduction on the CPU. Segments and elements lie on one line, each segment's elements and then its
 * end (expand_cuda.cuh has the same); threads take chunks of it. A chunk has the segments that begin in it,
 * and of those of more than a leaf the leaves that do: their parts are joined when all are there. */
#include "array/reduce/reduce_forest.h"
#include "array/reduce/reduce_leaf.h"
#include "array/reduce/reduce_result.h"
#include "array/segmented/segmented_lines.h"
#include "array/segmented/segmented_reduce_call.h"
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"

enum { CHUNK = 1 << 15 }; /* places of the line */

struct slot {
    struct gf_reduce_part part;
    int64_t segment; /* of a long segment's first leaf; -1: no such leaf */
};

struct job {
    const struct gf_segmented_reduce_call *call;
    gf_segmented_line line;
    size_t size, result; /* bytes of an element, of a result */
    struct slot *slots;
    int64_t next; /* the first chunk that nobody has taken */
};

size_t gf_segmented_reduce_cpu_scratch(const struct gf_array_call *call)
{
    return (size_t)gf_segment_slots(call->n) * sizeof(struct slot);
}

/* Returns how many segments end before the place of the line. */
static int64_t segment_at(const struct gf_segmented_reduce_call *call, int64_t place)
{
    int64_t low = 0, high = call->segments;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (call->offsets[middle + 1] + middle < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The segment's own call, whose leaves are numbered from 0 on. */
static struct gf_reduce_call alone(const struct job *job, int64_t segment)
{
    const struct gf_segmented_reduce_call *call = job->call;
    struct gf_reduce_call own = {.array = call->array, .op = call->op};
    own.array.in = (const char *)call->array.in + (size_t)call->offsets[segment] * job->size;
    own.array.n = call->offsets[segment + 1] - call->offsets[segment];
    own.array.out = (char *)call->array.out + (size_t)segment * job->result;
    return own;
}

/* Those leaves of a long segment that begin from element `from` of it on and before `end`. */
static void take_leaves(const struct job *job, int64_t segment, int64_t from, int64_t end)
{
    const struct gf_reduce_call own = alone(job, segment);
    const int64_t base = job->call->offsets[segment];
    int64_t first = (from + GF_REDUCE_LEAF - 1) / GF_REDUCE_LEAF * GF_REDUCE_LEAF;
    for (; first < own.array.n && first < end; first += GF_REDUCE_LEAF) {
        const int64_t left = own.array.n - first;
        struct slot *slot = &job->slots[gf_segment_slot(base + first, first == 0)];
        slot->part = gf_reduce_cpu_leaf(&own, first, left < GF_REDUCE_LEAF ? left : GF_REDUCE_LEAF);
        slot->segment = first == 0 ? segment : -1;
    }
}

static void take_chunk(const struct job *job, int64_t begin, int64_t end)
{
    const struct gf_segmented_reduce_call *call = job->call;
    const int64_t *offsets = call->offsets;
    int64_t segment = segment_at(call, begin), last = segment_at(call, end);
    if (begin - segment > offsets[segment]) { /* it began before */
        if (offsets[segment + 1] - offsets[segment] > GF_REDUCE_LEAF) {
            take_leaves(job, segment, begin - segment - offsets[segment], end - segment - offsets[segment]);
        }
        segment++;
    }
    last += end - last > offsets[last]; /* begins before the end */
    while (segment < last) {
        segment += job->line(call->array.in, offsets + segment, last - segment,
                             (char *)call->array.out + (size_t)segment * job->result);
        if (segment < last) {
            take_leaves(job, segment, 0,
                        end - segment - offsets[segment] - GF_FAULT(segmented_last_leaf) * GF_REDUCE_LEAF);
            segment++;
        }
    }
}

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const int64_t line = job->call->segments + job->call->array.n;
    (void)thread;
    (void)threads;
    for (int64_t begin; (begin = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED) * CHUNK) < line;) {
        take_chunk(job, begin, line - begin < CHUNK ? line : begin + CHUNK);
    }
}

static void join_leaves(const struct job *job, int64_t segment)
{
    const struct gf_reduce_call own = alone(job, segment);
    const int64_t base = job->call->offsets[segment];
    struct gf_reduce_forest forest = {.leaves = 0};
    for (int64_t first = 0; first < own.array.n; first += GF_REDUCE_LEAF) {
        gf_reduce_forest_add(&forest, own.op, job->slots[gf_segment_slot(base + first, first == 0)].part, 0);
    }
    struct gf_reduce_part all = gf_reduce_forest_join(&forest, own.op);
    gf_reduce_cpu_place(&own, &all);
    gf_reduce_write(own.op, own.array.options.type, &all, own.array.out);
}

gf_status gf_segmented_reduce_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_reduce_call *call = gf_segmented_reduce_call_of(array);
    const int64_t slots = gf_segment_slots(array->n);
    struct gf_array_call shared = *array;
    struct job job = {.call = call, .slots = array->scratch};
    (void)error;
    job.line = GF_LEVEL_BEST(gf_segmented_lines)[array->options.type][call->op];
    job.size = gf_depth_size(array->options.type);
    job.result = gf_depth_size(gf_reduce_result(call->op, array->options.type));
    for (int64_t i = 0; i < slots; i++) {
        job.slots[i].segment = -1;
    }
    shared.n = array->n + call->segments;
    gf_team_run_once(gf_array_threads(&shared, GF_ARRAY_PAYS), work, &job);
    for (int64_t i = 0; i < slots; i++) {
        if (job.slots[i].segment >= 0) {
            join_leaves(&job, job.slots[i].segment);
        }
    }
    return GF_OK;
}
