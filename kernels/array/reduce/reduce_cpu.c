/* Reduction on the CPU: chunks of 2^8 leaves, each a complete subtree of the contract's tree, shared out to
 * threads; their parts join in order, so that the number of threads does not show. */
#include "array/reduce/reduce_call.h"
#include "array/reduce/reduce_forest.h"
#include "array/reduce/reduce_leaf.h"
#include "array/reduce/reduce_lines.h"
#include "array/reduce/reduce_result.h"
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <stdbool.h>

enum { CHUNK_LEVEL = 8 };
static const int64_t CHUNK = (int64_t)GF_REDUCE_LEAF << CHUNK_LEVEL;

static int64_t chunks_of(int64_t n)
{
    return n / CHUNK + (n % CHUNK != 0);
}

size_t gf_reduce_cpu_scratch(const struct gf_array_call *call)
{
    return (size_t)chunks_of(call->n) * sizeof(struct gf_reduce_part);
}

static const struct gf_reduce_lines *lines_for(gf_depth type)
{
    return &GF_LEVEL_BEST(gf_reduce_lines)[type];
}

/* The sum of integers, and of their squares, in 128 bits. A leaf of 64-bit integers may pass 64: its halves
 * are summed apart. */
static void exact_leaf(gf_depth type, const struct gf_reduce_lines *lines, const void *in, int64_t n,
                       struct gf_reduce_part *part)
{
    uint64_t words[2];
    if (gf_depth_size(type) == 8) {
        const uint64_t *p = in;
        gf_int128 sum = 0;
        for (int64_t i = 0; i < n; i++) {
            sum += type == GF_U64 ? (gf_int128)p[i] : (gf_int128)(int64_t)p[i];
        }
        part->sum = sum;
        return;
    }
    part->sum = (int64_t)lines->sum(in, n); /* of at most 4096 elements of 32 bits */
    lines->squares(in, n, words);
    part->squares = (gf_uint128)words[1] << 64 | words[0];
}

static void rank_leaf(gf_depth type, const struct gf_reduce_lines *lines, const void *in, int64_t n,
                      gf_reduce_op op, int64_t first, struct gf_reduce_part *part)
{
    int greatest = op == GF_REDUCE_MAX || op == GF_REDUCE_ARGMAX;
    uint64_t rank = lines->rank(in, n, greatest);
    bool nan = gf_reduce_is_float(type) && rank == (type == GF_F32 ? UINT32_MAX : UINT64_MAX);
    part->rank = nan ? UINT64_MAX : rank;
    part->index = nan ? -1 : first; /* of min and max only whether there is one matters */
}

struct gf_reduce_part gf_reduce_cpu_leaf(const struct gf_reduce_call *call, int64_t first, int64_t n)
{
    gf_depth type = call->array.options.type;
    const struct gf_reduce_lines *lines = lines_for(type);
    const char *in = (const char *)call->array.in + (size_t)first * gf_depth_size(type);
    struct gf_reduce_part part = gf_reduce_empty(call->op);
    part.n = (uint64_t)n;
    switch (call->op) {
    case GF_REDUCE_SUM:
        if (lines->sum) {
            part.bits = lines->sum(in, n);
        } else {
            part.number = lines->number(in, n);
        }
        break;
    case GF_REDUCE_PRODUCT:
        if (lines->product) {
            part.bits = lines->product(in, n);
        } else {
            part.number = lines->number_product(in, n);
        }
        break;
    case GF_REDUCE_AND:
        part.bits = lines->all(in, n);
        break;
    case GF_REDUCE_OR:
        part.bits = lines->any(in, n);
        break;
    case GF_REDUCE_XOR:
        part.bits = lines->odd(in, n);
        break;
    case GF_REDUCE_ANY:
        part.bits = lines->zeros(in, n) < n;
        break;
    case GF_REDUCE_ALL:
        part.bits = lines->zeros(in, n) == (GF_FAULT(reduce_truth) && n == GF_REDUCE_LEAF);
        break;
    case GF_REDUCE_MEAN:
    case GF_REDUCE_VAR:
        if (!gf_reduce_is_ordered(call->op, type)) {
            exact_leaf(type, lines, in, n, &part);
            break;
        }
        part.number = lines->number(in, n);
        part.moments.n = (double)n;
        part.moments.mean = part.number / (double)n;
        part.moments.m2 = call->op == GF_REDUCE_VAR ? lines->distance(in, n, part.moments.mean) : 0.0;
        break;
    default:
        rank_leaf(type, lines, in, n, call->op, first, &part);
        break;
    }
    return part;
}

void gf_reduce_cpu_place(const struct gf_reduce_call *call, struct gf_reduce_part *part)
{
    gf_depth type = call->array.options.type;
    const struct gf_reduce_lines *lines = lines_for(type);
    if (part->index >= 0 && (call->op == GF_REDUCE_ARGMIN || call->op == GF_REDUCE_ARGMAX)) {
        const char *in = (const char *)call->array.in + (size_t)part->index * gf_depth_size(type);
        part->index += lines->find(in, GF_REDUCE_LEAF, part->rank, call->op == GF_REDUCE_ARGMAX);
    }
}

static struct gf_reduce_part chunk(const struct gf_reduce_call *call, int64_t first)
{
    struct gf_reduce_forest forest = {.leaves = 0};
    int64_t end = call->array.n - first < CHUNK ? call->array.n : first + CHUNK;
    for (int64_t i = first; i < end; i += GF_REDUCE_LEAF) {
        int64_t n = end - i < GF_REDUCE_LEAF ? end - i : GF_REDUCE_LEAF;
        gf_reduce_forest_add(&forest, call->op, gf_reduce_cpu_leaf(call, i, n), 0);
    }
    return gf_reduce_forest_join(&forest, call->op);
}

/* What threads share. */
struct job {
    const struct gf_reduce_call *call;
    struct gf_reduce_part *parts; /* a chunk each */
    int64_t next;                 /* the first chunk that nobody has taken */
};

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    int64_t c, chunks = chunks_of(job->call->array.n);
    (void)thread;
    (void)threads;
    while ((c = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < chunks) {
        job->parts[c] = chunk(job->call, c * CHUNK);
    }
}

gf_status gf_reduce_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_reduce_call *call = gf_reduce_call_of(array);
    struct job job = {call, array->scratch, 0};
    struct gf_reduce_forest forest = {.leaves = 0};
    int64_t chunks = chunks_of(array->n);
    (void)error;
    int32_t threads = gf_array_readers(array);
    gf_team_run_once(chunks < threads ? (int)chunks : threads, work, &job);
    for (int64_t c = 0; c < chunks - (GF_FAULT(reduce_chunks) && chunks > 1); c++) {
        gf_reduce_forest_add(&forest, call->op, job.parts[c], CHUNK_LEVEL);
    }
    struct gf_reduce_part all = gf_reduce_forest_join(&forest, call->op);
    gf_reduce_cpu_place(call, &all);
    gf_reduce_write(call->op, array->options.type, &all, array->out);
    return GF_OK;
}
