/* Hysteresis on the CPU, 64 pixels at a time: a word of bits takes from its eight neighbours what of its
 * edges they reach. Threads do that in rows of their own, down and up again, and then wherever something
 * changed; last what reaches across their seams is followed by one of them. */
#include "base/planted_fault.h"
#include "base/status.h"
#include "base/team.h"
#include "pixel/cpu/cpu_rows.h"
#include "pixel/window/edges/edges.h"

#include <string.h>

struct work {
    const struct gf_apply_run *run;
    const struct gf_cpu_rows *rows;
    int64_t width, height, words; /* words: of a row, with an empty one on each side */
    uint64_t *any, *reached;      /* bits of edges, and of those that are reached */
    const uint64_t *none;         /* a row of nothing */
    uint32_t *changed;            /* words to be followed, and whether one is among them */
    unsigned char *waits;
};

/* Rows that are looked at together, and the words of them that are to be followed. */
struct part {
    const struct work *work;
    int64_t first, end;
    uint32_t *stack;
    int64_t n;
};

static struct part part_of(const struct work *work, int64_t first, int64_t end)
{
    return (struct part){work, first, end, work->changed + first * work->words, 0};
}

static int64_t first_row(const struct work *work, int i, int n)
{
    return work->height / n * i + (work->height % n < i ? work->height % n : i);
}

/* Returns all of the runs of `any` that `from`, which is part of them, touches. */
static uint64_t fill_runs(uint64_t any, uint64_t from)
{
    from |= any & ~(any + from); /* a carry runs up to the end of its run */
    for (int step = 1; step < 64; step *= 2) {
        from |= any & (from >> step);
        any &= any >> step;
    }
    return from;
}

/* Tells whether more of word x of row y is reached by now. */
static bool take(const struct part *part, int64_t x, int64_t y)
{
    const struct work *work = part->work;
    const int64_t at = y * work->words + x;
    const uint64_t any = work->any[at], *own = work->reached + at;
    if (any == *own) {
        return false;
    }
    const uint64_t *up = y > part->first ? own - work->words : work->none + x;
    const uint64_t *down = y + 1 < part->end ? own + work->words : work->none + x;
    const uint64_t here = up[0] | down[0];
    const uint64_t left = up[-1] | own[-1] | down[-1], right = up[1] | own[1] | down[1];
    const uint64_t beside = here | here << 1 | here >> 1 | left >> 63 | right << 63;
    const uint64_t reached = fill_runs(any, *own | (beside & any));
    if (reached == *own) {
        return false;
    }
    work->reached[at] = reached;
    return true;
}

static void take_or_follow(struct part *part, int64_t x, int64_t y)
{
    const int64_t at = y * part->work->words + x;
    if (take(part, x, y) && !part->work->waits[at]) {
        part->work->waits[at] = 1;
        part->stack[part->n++] = (uint32_t)at;
    }
}

static void follow(struct part *part)
{
    const struct work *work = part->work;
    while (part->n > 0) {
        const int64_t at = part->stack[--part->n], x = at % work->words, y = at / work->words;
        work->waits[at] = 0;
        for (int64_t v = y > part->first ? y - 1 : y; v <= y + 1 && v < part->end; v++) {
            for (int64_t u = x > 1 ? x - 1 : x; u <= x + 1 && u < work->words - 1; u++) {
                take_or_follow(part, u, v);
            }
        }
    }
}

static void reach_rows(void *argument, int i, int n)
{
    const struct work *work = argument;
    struct part part = part_of(work, first_row(work, i, n), first_row(work, i + 1, n));
    const struct gf_plane *in = &work->run->in[0];
    for (int64_t y = part.first; y < part.end; y++) {
        uint64_t *any = work->any + y * work->words, *reached = work->reached + y * work->words;
        any[0] = any[work->words - 1] = reached[0] = reached[work->words - 1] = 0;
        memset(work->waits + y * work->words, 0, (size_t)work->words);
        work->rows->edges_to_bits((const uint8_t *)in->data + y * in->pitch, any + 1, reached + 1,
                                  work->width);
    }
    for (int64_t y = part.first; y < part.end; y++) {
        for (int64_t x = 1; x < work->words - 1; x++) {
            take(&part, x, y);
        }
    }
    for (int64_t y = part.end - 1; y >= part.first; y--) {
        for (int64_t x = work->words - 2; x > 0; x--) {
            take_or_follow(&part, x, y);
        }
    }
    follow(&part);
}

static void reach_across_seams(const struct work *work, int parts)
{
    struct part all = part_of(work, 0, work->height);
    for (int i = 1; i < parts && !GF_FAULT(hysteresis_seam); i++) {
        const int64_t y = first_row(work, i, parts);
        for (int64_t x = 1; x < work->words - 1; x++) {
            take_or_follow(&all, x, y);
            take_or_follow(&all, x, y - 1);
        }
    }
    follow(&all);
}

static void store_rows(void *argument, int i, int n)
{
    const struct work *work = argument;
    const struct gf_plane *out = &work->run->out[0];
    const int64_t end = first_row(work, i + 1, n);
    for (int64_t y = first_row(work, i, n); y < end; y++) {
        work->rows->bits_to_white(work->reached + y * work->words + 1, (char *)out->data + y * out->pitch,
                                  work->run->out_values[0].depth, work->width);
    }
}

static int64_t row_words(const struct gf_apply_run *run)
{
    return (run->in_values[0].width + 63) / 64 + 2;
}

static size_t hysteresis_scratch(const struct gf_apply_run *run)
{
    if (run->queue.device >= 0) {
        return gf_hysteresis_cuda_scratch(run);
    }
    const size_t words = (size_t)row_words(run), all = words * (size_t)run->in_values[0].height;
    return (2 * all + words) * sizeof(uint64_t) + all * (sizeof(uint32_t) + 1);
}

static gf_status hysteresis_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct work work = {.run = run,
                        .rows = gf_cpu_rows_best(),
                        .width = run->in_values[0].width,
                        .height = run->in_values[0].height,
                        .words = row_words(run),
                        .any = run->scratch};
    const int64_t all = work.words * work.height;
    work.reached = work.any + all;
    work.none = memset(work.reached + all, 0, (size_t)work.words * sizeof(uint64_t));
    work.changed = (uint32_t *)(work.reached + all + work.words);
    work.waits = (unsigned char *)(work.changed + all);
    const int parts = work.height < run->threads ? (int)work.height : run->threads;
    gf_team_run(run->team, parts, reach_rows, &work);
    reach_across_seams(&work, parts);
    gf_team_run(run->team, parts, store_rows, &work);
    return GF_OK;
}

const struct gf_kernel gf_kernel_hysteresis = {
    .name = "hysteresis",
    .kind = GF_KERNEL_WHOLE,
    .words = "edges that hang together with a strong one",
    .apply = {.cpu = hysteresis_cpu, .cuda = gf_hysteresis_cuda, .scratch = hysteresis_scratch},
    .judge = gf_judge_hysteresis,
};
