/* match on the CPU. A thread goes down a tile of places: sums of columns move on by adding the row that comes
 * and taking away the one that goes, and along a row likewise. Products come from transforms of squares, a
 * whole tile at once, or, where places are few, one by one. */
#include "pixel/whole/match/match_cpu.h"

#include "base/cpu_level.h"
#include "base/team.h"
#include "pixel/whole/match/match_score.h"

#include <string.h>

enum { TILE = 512, DEEP = 16 }; /* of products one by one */

static size_t squares_size(const struct gf_match_work *work)
{
    return work->side ? gf_match_squares_own(work) : 0;
}

static size_t sums_size(const struct gf_match_work *work)
{
    return gf_match_padded(
        (size_t)((work->channels + 1) * (work->wide + work->tile) + work->deep * work->tile) *
        sizeof(uint64_t));
}

/* How so many threads go about it; returns nanoseconds. */
static double choose(const struct gf_value *in, int64_t across, int64_t down, int32_t threads,
                     struct gf_match_work *work)
{
    *work = (struct gf_match_work){.rows = GF_LEVEL_BEST(&gf_match_rows),
                                   .width = in->width,
                                   .height = in->height,
                                   .across = across,
                                   .down = down,
                                   .places = in->width - across + 1,
                                   .lines = in->height - down + 1,
                                   .channels = in->channels,
                                   .digits = in->depth == GF_U16 ? 2 : 1,
                                   .threads = threads,
                                   .tile = TILE,
                                   .deep = DEEP};
    const double nanoseconds = gf_match_squares_choose(work);
    work->tiles = (work->places + work->tile - 1) / work->tile;
    work->bands = (work->lines + work->deep - 1) / work->deep;
    work->threads = (int32_t)gf_least(threads, work->tiles * work->bands);
    work->wide = work->tile + across - 1;
    return nanoseconds;
}

/* Fills all of `work` but the template, its memory at `base`, unless that is NULL; returns the bytes. */
static size_t begin(const struct gf_apply_run *run, unsigned char *base, struct gf_match_work *work)
{
    choose(&run->in_values[0], run->in_values[1].width, run->in_values[1].height, run->threads, work);
    const size_t shared = work->side ? gf_match_squares_shared(work) : 0;
    work->run = run;
    work->spectra = (double *)base;
    work->own = base ? base + shared : NULL;
    work->each = squares_size(work) + sums_size(work) + gf_match_padded((size_t)work->tile * sizeof(float));
    return shared + (size_t)work->threads * work->each;
}

static struct gf_match_part part_of(const struct gf_match_work *work, int i)
{
    struct gf_match_part part = {.work = work};
    unsigned char *own = work->own + (size_t)i * work->each;
    part.squares = (double *)own;
    part.columns = (uint64_t *)(own + squares_size(work));
    part.sums = part.columns + (work->channels + 1) * work->wide;
    part.products = part.sums + (work->channels + 1) * work->tile;
    part.scores = (float *)((unsigned char *)part.columns + sums_size(work));
    return part;
}

static const void *row_of(const struct gf_match_work *work, int32_t operand, int64_t y, int64_t x)
{
    const struct gf_plane *plane = &work->run->in[operand];
    return (const char *)plane->data + y * plane->pitch +
           x * work->channels * (int64_t)gf_depth_size(work->run->in_values[0].depth);
}

/* ---- the template ---- */

static void measure(struct gf_match_work *work)
{
    struct gf_match_template *t = &work->t;
    const gf_depth depth = work->run->in_values[0].depth;
    uint64_t squares = 0;
    t->n = (uint64_t)(work->across * work->down);
    for (int64_t y = 0; y < work->down; y++) {
        const void *row = row_of(work, 1, y, 0);
        for (int64_t i = 0; i < work->across * work->channels; i++) {
            const uint64_t v = depth == GF_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
            t->sum[i % work->channels] += v;
            squares += v * v;
        }
    }
    gf_match_wide own = 0;
    for (int32_t c = 0; c < work->channels; c++) {
        own += (gf_match_wide)t->sum[c] * t->sum[c];
    }
    const gf_match_wide b = (gf_match_wide)gf_match_difference(t->n, squares, own);
    const gf_match_wide white = depth == GF_U8 ? 255 : 65535;
    t->b[0] = (uint64_t)b;
    t->b[1] = (uint64_t)(b >> 64);
    t->narrow = white * white * t->n * t->n * (uint64_t)work->channels < (gf_match_wide)1 << 52;
}

/* ---- sums of columns and rows ---- */

/* A row that comes into the sums of columns, while that of `goes` leaves them; -1: none does. */
static void take_row(const struct gf_match_part *part, int64_t y, int64_t goes)
{
    const struct gf_match_work *work = part->work;
    work->rows->slide(row_of(work, 0, y, part->x), goes < 0 ? NULL : row_of(work, 0, goes, part->x),
                      work->run->in_values[0].depth, work->channels, part->n + work->across - 1, work->wide,
                      part->columns);
}

static void sum_along(const struct gf_match_part *part)
{
    const struct gf_match_work *work = part->work;
    for (int32_t k = 0; k <= work->channels; k++) {
        const uint64_t *columns = part->columns + k * work->wide;
        uint64_t sum = 0;
        for (int64_t x = 0; x < work->across; x++) {
            sum += columns[x];
        }
        part->sums[k * work->tile] = sum;
        for (int64_t x = 1; x < part->n; x++) {
            sum += columns[x + work->across - 1] - columns[x - 1];
            part->sums[k * work->tile + x] = sum;
        }
    }
}

/* The sums of products of a tile, place by place. */
static void multiply(const struct gf_match_part *part, int64_t first, int64_t end)
{
    const struct gf_match_work *work = part->work;
    for (int64_t i = 0; i < (end - first) * part->n; i++) {
        const int64_t y = first + i / part->n, x = part->x + i % part->n;
        part->products[i] = 0;
        for (int64_t r = 0; r < work->down; r++) {
            part->products[i] +=
                work->rows->multiply(row_of(work, 0, y + r, x), row_of(work, 1, r, 0),
                                     work->run->in_values[0].depth, work->across * work->channels);
        }
    }
}

/* ---- the run ---- */

/* Rows `first` to `end` of a tile. */
static void march(const struct gf_match_part *part, int64_t first, int64_t end)
{
    const struct gf_match_work *work = part->work;
    const struct gf_plane *out = &work->run->out[0];
    struct gf_match_row row = {part->products, part->sums, part->sums + work->channels * work->tile,
                               work->tile};
    memset(part->columns, 0, (size_t)((work->channels + 1) * work->wide) * sizeof *part->columns);
    if (work->side) {
        gf_match_squares_multiply(part, first, end);
    } else {
        multiply(part, first, end);
    }
    for (int64_t y = first; y < first + work->down - 1; y++) {
        take_row(part, y, -1);
    }
    for (int64_t y = first; y < end; y++) {
        take_row(part, y + work->down - 1, y > first ? y - 1 : -1);
        row.products = part->products + (y - first) * part->n;
        sum_along(part);
        work->rows->score(&work->t, &row, work->channels, part->n, part->scores);
        memcpy((char *)out->data + y * out->pitch + part->x * (int64_t)sizeof(float), part->scores,
               (size_t)part->n * sizeof(float));
    }
}

static void run_units(void *argument, int i, int n)
{
    const struct gf_match_work *work = argument;
    struct gf_match_part part = part_of(work, i);
    for (int64_t unit = i; unit < work->tiles * work->bands; unit += n) {
        const int64_t first = unit / work->tiles * work->deep, left = work->lines - first;
        part.x = unit % work->tiles * work->tile;
        part.n = work->places - part.x < work->tile ? work->places - part.x : work->tile;
        march(&part, first, first + (left < work->deep ? left : work->deep));
    }
}

static size_t match_scratch(const struct gf_apply_run *run)
{
    struct gf_match_work work;
    return run->queue.device >= 0 ? gf_match_cuda_scratch(run) : begin(run, NULL, &work);
}

static gf_status match_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_match_work work;
    (void)error;
    begin(run, run->scratch, &work);
    measure(&work);
    if (work.side) {
        const struct gf_match_part part = part_of(&work, 0);
        gf_match_squares_begin(&work, &part);
    }
    gf_team_run(run->team, work.threads, run_units, &work);
    return GF_OK;
}

static void match_works(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                        double amounts[GF_WORKS])
{
    const double digits = in->depth == GF_U16 ? 4 : 1;
    const int64_t across = in->width - out->width + 1, down = in->height - out->height + 1;
    struct gf_match_work work;
    (void)apply;
    amounts[GF_WORK_MATCH] += choose(in, across, down, 1, &work);
    amounts[GF_WORK_MATCH_PRODUCT] +=
        (double)out->width * (double)out->height * in->channels * digits * (double)across * (double)down;
}

const struct gf_kernel gf_kernel_match = {
    .name = "match",
    .kind = GF_KERNEL_WHOLE,
    .words = "correlation with a template",
    .apply = {.cpu = match_cpu, .cuda = gf_match_cuda, .scratch = match_scratch, .works = match_works},
    .judge = gf_judge_match,
};
