/* The sort on the CPU of keys alone, of 32 or 64 bits: quicksort by vectors (array/sort/sort_quick.h).
 * Several threads first split the keys together, round by round, until there are more segments than threads:
 * each counts a share, gets its places, and writes. Then whoever is free sorts the next segment. Equal keys
 * have equal bits, but for NaN, which keep their order: so it is as good as stable. */
#include "array/sort/sort_cpu.h"
#include "array/sort/sort_lines.h"
#include "array/sort/sort_order.h"
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum { QUICK_PAYS = 1 << 17, SHARES = 2 /* of a round, a thread */ };

struct segment {
    int64_t from, n, pivot;
};

struct quick {
    const struct gf_sort_call *call;
    const struct gf_sort_lines *lines;
    struct gf_sort_code code;
    size_t size;
    int32_t threads;
    struct segment *segments, *halves; /* of this round, and of the next */
    struct gf_sort_counts *counts;     /* of shares, those of a segment one after the other; then places */
    int32_t count, shares;             /* segments, and shares of each */
    const char *source;                /* keys, or after the first round codes */
    char *target, *spare;
};

static const struct gf_sort_lines *lines_for(const struct gf_sort_call *call)
{
    return &GF_LEVEL_BEST(gf_sort_lines)[gf_depth_size(call->array.options.type) / 8];
}

bool gf_sort_is_quick(const struct gf_sort_call *call)
{
    return call->value_size == 0 && call->ignored == 0 && gf_depth_size(call->array.options.type) >= 4 &&
           lines_for(call)->sort;
}

/* Signed integers are their own codes, unsigned ones have the sign turned over; to descend all is. */
static struct gf_sort_code code_for(const struct gf_sort_call *call)
{
    const gf_depth type = call->array.options.type;
    const uint64_t sign = type == GF_U32 ? 0x80000000U : type == GF_U64 ? 0x8000000000000000U : 0;
    return (struct gf_sort_code){call->descending ? ~sign : sign, type == GF_F32 || type == GF_F64};
}

/* Lays out scratch memory, or with memory NULL only measures it. */
static size_t lay_out(const struct gf_sort_call *call, char *memory, struct quick *q)
{
    const size_t n = (size_t)call->array.n, size = gf_depth_size(call->array.options.type);
    size_t used = 0;
    q->threads = gf_array_threads(&call->array, QUICK_PAYS);
    const size_t most = q->threads > 1 ? (size_t)q->threads * 2 * SHARES : 0;
    q->spare = gf_scratch_take(memory, &used, n * size);
    q->segments = gf_scratch_take(memory, &used, most * sizeof *q->segments);
    q->halves = gf_scratch_take(memory, &used, most * sizeof *q->halves);
    q->counts = gf_scratch_take(memory, &used, most * sizeof *q->counts);
    return used;
}

size_t gf_sort_quick_scratch(const struct gf_sort_call *call)
{
    struct quick q;
    return lay_out(call, NULL, &q);
}

/* ---- A round --------------------------------------------------------------------------------------------- */

static bool has_codes(const struct quick *q)
{
    return q->source != q->call->array.in || q->count > 1;
}

static void find_pivot(void *argument, int i, int n)
{
    struct quick *q = argument;
    struct segment *s = &q->segments[i];
    (void)n;
    s->pivot =
        s->n == 0 ? 0 : q->lines->pivot(q->source + (size_t)s->from * q->size, s->n, q->code, has_codes(q));
}

/* Finds where share i of all begins and ends. */
static void bounds(const struct quick *q, int i, int64_t *from, int64_t *to)
{
    const struct segment *s = &q->segments[i / q->shares];
    *from = s->from + gf_array_share(s->n, i % q->shares, q->shares);
    *to = s->from + gf_array_share(s->n, i % q->shares + 1, q->shares);
}

static void count_share(void *argument, int i, int n)
{
    struct quick *q = argument;
    int64_t from, to;
    (void)n;
    bounds(q, i, &from, &to);
    q->counts[i] = q->lines->count(q->source + (size_t)from * q->size, to - from,
                                   q->segments[i / q->shares].pivot, q->code, has_codes(q));
}

/* Turns counts into the places where the low codes and the NaN of each share begin. */
static void place_shares(struct quick *q)
{
    int64_t nan = 0, all = 0;
    for (int32_t i = 0; i < q->count * q->shares; i++) {
        all += q->counts[i].nan;
    }
    for (int32_t k = 0; k < q->count; k++) {
        const struct segment *s = &q->segments[k];
        int64_t low = s->from;
        for (int32_t i = k * q->shares; i < (k + 1) * q->shares; i++) {
            const struct gf_sort_counts count = q->counts[i];
            q->counts[i] = (struct gf_sort_counts){low, q->call->array.n - all + nan};
            low += count.low;
            nan += count.nan;
        }
        q->halves[2 * k] = (struct segment){s->from, low - s->from, 0};
        q->halves[2 * k + 1] = (struct segment){low, s->from + s->n - (q->count == 1 ? all : 0) - low, 0};
    }
}

/* The high codes of a share end as many places from the end of the half as those of the shares in front. */
static void split_share(void *argument, int i, int n)
{
    struct quick *q = argument;
    const int32_t k = i / q->shares;
    const struct segment *low = &q->halves[2 * k], *high = low + 1;
    const bool last = i % q->shares + 1 == q->shares;
    int64_t from, to, nan_to = 0;
    (void)n;
    bounds(q, i, &from, &to);
    const int64_t begun = from - low->from, ended = to - low->from;
    const int64_t low_to = last ? low->from + low->n : q->counts[i + 1].low;
    const int64_t end = low->n + high->n; /* and the NaN of the first round behind it */
    const int64_t first_nan = q->counts[k * q->shares].nan;
    nan_to = last ? first_nan + (q->segments[k].n - end) : q->counts[i + 1].nan;
    const int64_t above = begun - (q->counts[i].low - low->from) - (q->counts[i].nan - first_nan);
    const int64_t above_to = ended - (low_to - low->from) - (nan_to - first_nan);
    char *to_high = q->target + (size_t)high->from * q->size;
    struct gf_sort_halves halves = {.low = q->target + (size_t)q->counts[i].low * q->size,
                                    .low_end = q->target + (size_t)low_to * q->size,
                                    .high = to_high + (size_t)(high->n - above_to) * q->size,
                                    .high_end = to_high + (size_t)(high->n - above) * q->size,
                                    .nan = q->target + (size_t)q->counts[i].nan * q->size};
    q->lines->split(q->source + (size_t)from * q->size, to - from, q->segments[k].pivot, q->code,
                    has_codes(q), &halves);
}

static void run_round(struct quick *q, struct gf_team *team)
{
    q->shares = q->threads * SHARES / q->count;
    q->shares = q->shares < 1 ? 1 : q->shares;
    gf_team_run(team, q->count, find_pivot, q);
    gf_team_run(team, q->count * q->shares, count_share, q);
    place_shares(q);
    gf_team_run(team, q->count * q->shares, split_share, q);
    if (q->count == 1) {
        const struct segment *high = &q->halves[1];
        const size_t codes = (size_t)(high->from + high->n) * q->size;
        memcpy((char *)q->call->array.out + codes, q->target + codes,
               (size_t)q->call->array.n * q->size - codes);
    }
    struct segment *done = q->segments;
    q->segments = q->halves;
    q->halves = done;
    q->count *= 2;
}

/* ---- All ------------------------------------------------------------------------------------------------- */

static void finish_segment(void *argument, int i, int n)
{
    struct quick *q = argument;
    const struct segment *s = &q->segments[i];
    const size_t at = (size_t)s->from * q->size;
    (void)n;
    q->lines->finish((char *)(uintptr_t)q->source + at, s->n - (GF_FAULT(sort_segment) && s->n > 0),
                     (char *)q->call->array.out + at, q->spare + at, q->code, gf_sort_depth(s->n));
}

void gf_sort_quick(const struct gf_sort_call *call)
{
    const struct gf_array_call *array = &call->array;
    struct quick q = {.call = call,
                      .lines = lines_for(call),
                      .code = code_for(call),
                      .size = gf_depth_size(array->options.type),
                      .source = array->in,
                      .count = 1};
    lay_out(call, array->scratch, &q);
    if (q.threads == 1) {
        q.lines->sort(array->in, array->n, array->out, q.spare, q.code, gf_sort_depth(array->n));
        return;
    }
    struct gf_team *team = gf_team_create(q.threads);
    q.segments[0] = (struct segment){0, array->n, 0};
    q.target = q.spare;
    while (q.count <= q.threads) {
        char *written = q.target;
        run_round(&q, team);
        q.source = written;
        q.target = written == q.spare ? array->out : q.spare;
    }
    gf_team_run(team, q.count, finish_segment, &q);
    gf_team_destroy(team);
}
