/* Counting sort on the CPU, for keys of 8 or 16 bits without values: equal keys have equal bits, so the
 * output is written from the counts alone. One read, one write. */
#include "array/sort/sort_cpu.h"
#include "array/sort/sort_order.h"
#include "base/team.h"

#include <string.h>

/* A type's number of values: the ranks. */
static int64_t ranks_of(const struct gf_sort_call *call)
{
    return (int64_t)1 << (8 * gf_depth_size(call->array.options.type));
}

static size_t bins_bytes(const struct gf_sort_call *call)
{
    return (size_t)ranks_of(call) * sizeof(int64_t);
}

bool gf_sort_counts(const struct gf_sort_call *call)
{
    return gf_depth_size(call->array.options.type) <= 2 && call->value_size == 0 && call->ignored == 0 &&
           call->array.n >= ranks_of(call);
}

size_t gf_sort_count_scratch(const struct gf_sort_call *call)
{
    return (size_t)gf_array_threads(&call->array, GF_ARRAY_PAYS) * bins_bytes(call);
}

/* Neighbours in the input are often equal: four sets of 8-bit bins keep one count from waiting for the one
 * before. */
static void count_8(const uint8_t *keys, int64_t from, int64_t to, uint8_t flip, int64_t *bins)
{
    int64_t more[3][256] = {{0}};
    int64_t i = from;
    for (; i + 4 <= to; i += 4) {
        bins[gf_rank_8(keys[i], flip)]++;
        more[0][gf_rank_8(keys[i + 1], flip)]++;
        more[1][gf_rank_8(keys[i + 2], flip)]++;
        more[2][gf_rank_8(keys[i + 3], flip)]++;
    }
    for (; i < to; i++) {
        bins[gf_rank_8(keys[i], flip)]++;
    }
    for (int rank = 0; rank < 256; rank++) {
        bins[rank] += more[0][rank] + more[1][rank] + more[2][rank];
    }
}

static void count_16(const uint16_t *keys, int64_t from, int64_t to, uint16_t flip, int64_t *bins)
{
    for (int64_t i = from; i < to; i++) {
        bins[gf_rank_16(keys[i], flip)]++;
    }
}

/* Writes output [from, to), where the runs of all ranks lie one after the other. */
static void write_runs(const struct gf_sort_call *call, uint64_t flip, const int64_t *counts, int64_t from,
                       int64_t to)
{
    int64_t begin = 0;
    for (int64_t rank = 0; rank < ranks_of(call) && begin < to; rank++) {
        int64_t end = begin + counts[rank];
        int64_t i = begin > from ? begin : from, stop = end < to ? end : to;
        uint64_t bits = (uint64_t)rank ^ flip;
        if (call->array.options.type == GF_U8) {
            memset((uint8_t *)call->array.out + i, (uint8_t)bits, (size_t)(stop > i ? stop - i : 0));
        } else {
            for (; i < stop; i++) {
                ((uint16_t *)call->array.out)[i] = (uint16_t)bits;
            }
        }
        begin = end;
    }
}

struct counting {
    const struct gf_sort_call *call;
    uint64_t flip;
    int64_t *bins; /* of the first thread, then of the next; in the end of all in the first's place */
};

static void count_share(void *argument, int thread, int threads)
{
    const struct counting *c = argument;
    const struct gf_array_call *array = &c->call->array;
    int64_t from = gf_array_share(array->n, thread, threads),
            to = gf_array_share(array->n, thread + 1, threads);
    int64_t *bins = c->bins + thread * ranks_of(c->call);
    memset(bins, 0, bins_bytes(c->call));
    if (array->options.type == GF_U8) {
        count_8(array->in, from, to, (uint8_t)c->flip, bins);
    } else {
        count_16(array->in, from, to, (uint16_t)c->flip, bins);
    }
}

static void write_share(void *argument, int thread, int threads)
{
    const struct counting *c = argument;
    int64_t n = c->call->array.n;
    write_runs(c->call, c->flip, c->bins, gf_array_share(n, thread, threads),
               gf_array_share(n, thread + 1, threads));
}

void gf_sort_count(const struct gf_sort_call *call)
{
    struct counting c = {call, gf_sort_flip(call->array.options.type, call->descending), call->array.scratch};
    int64_t ranks = ranks_of(call);
    int32_t threads = gf_array_threads(&call->array, GF_ARRAY_PAYS);
    struct gf_team *team = gf_team_create(threads);
    gf_team_run(team, threads, count_share, &c);
    for (int32_t thread = 1; thread < threads; thread++) {
        for (int64_t rank = 0; rank < ranks; rank++) {
            c.bins[rank] += c.bins[thread * ranks + rank];
        }
    }
    gf_team_run(team, threads, write_share, &c);
    gf_team_destroy(team);
}
