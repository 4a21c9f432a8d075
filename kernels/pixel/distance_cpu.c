/* distance on the CPU. Bands of lines first say where their columns have sites; then each band is worked on
 * by itself. Of a line, blocks whose sites are all near are settled by looking around; what is left comes
 * from the lower envelope of the costs of all columns, between two sites in the line at a time. */
#include "pixel/distance.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "pixel/distance_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND = GF_DISTANCE_BAND, BLOCK = GF_DISTANCE_BLOCK, RETRY = 16, ALIGN = 64 };

/* A column whose sites are the best of pixels from `start` on, and how far its own is. */
struct best {
    int32_t from, start, gap;
};

struct work {
    const struct gf_apply_run *run;
    const struct gf_distance_rows *rows;
    struct gf_distance_args args;
    int64_t n, lines, bands;  /* of a line: pixels; transposed where the nearest are looked for */
    bool small;               /* no squared distance reaches 2^31 */
    int32_t *before, *behind; /* by band and column: the last site above it, the first below, or -1 */
    uint64_t *bits;           /* by band and column: its sites; NULL: not wanted */
    unsigned char *own;       /* the first thread's, `each` bytes */
    size_t each;
};

/* What a thread has of its own. */
struct part {
    const struct work *work;
    uint8_t *site;
    int32_t *last, *gap, *cost;
    uint32_t *places;
    struct best *stack;
    struct gf_distance_near near;
};

static size_t take(size_t *used, int64_t count, size_t size)
{
    size_t at = *used;
    *used += ((size_t)count * size + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

/* Sets up `part` in memory at `base`, unless that is NULL; returns the bytes that it takes. */
static size_t lay_out(const struct work *work, unsigned char *base, struct part *part)
{
    size_t used = 0;
    int64_t n = work->n, blocks = (n + BLOCK - 1) / BLOCK;
    int64_t rows = work->lines < BAND ? work->lines : BAND;
    size_t site = take(&used, rows * n, 1), last = take(&used, n, 4), gap = take(&used, n, 4);
    size_t places = take(&used, work->args.nearest ? rows * n : 0, 4);
    size_t stack = take(&used, n, sizeof(struct best)), own = take(&used, n + 2 * GF_DISTANCE_PAD, 2);
    size_t cost = take(&used, work->small ? n : 0, 4);
    size_t best = take(&used, blocks * BLOCK, 2), far = take(&used, blocks, 1);
    if (base) {
        *part = (struct part){.work = work,
                              .site = base + site,
                              .last = (int32_t *)(base + last),
                              .gap = (int32_t *)(base + gap),
                              .cost = (int32_t *)(base + cost),
                              .places = (uint32_t *)(base + places),
                              .stack = (struct best *)(base + stack),
                              .near = {(uint16_t *)(base + own), (uint16_t *)(base + best), base + far}};
    }
    return used;
}

/* Fills all of `work` but what it does, in memory at `base` unless that is NULL; returns the bytes. */
static size_t begin(const struct gf_apply_run *run, unsigned char *base, struct work *work)
{
    const struct gf_value *in = &run->in_values[0];
    *work = (struct work){.run = run, .rows = GF_LEVEL_BEST(&gf_distance_rows)};
    gf_args_get(&run->apply->args, &work->args, sizeof work->args);
    work->n = work->args.nearest ? in->height : in->width;
    work->lines = work->args.nearest ? in->width : in->height;
    work->bands = (work->lines + BAND - 1) / BAND;
    work->small = work->n < 32768 && work->lines < 32768;
    size_t used = 0;
    bool wants_bits = work->args.nearest && work->args.metric == GF_DISTANCE_CHESSBOARD;
    size_t before = take(&used, work->bands * work->n, 4), behind = take(&used, work->bands * work->n, 4);
    size_t bits = take(&used, wants_bits ? work->bands * work->n : 0, 8);
    work->each = lay_out(work, NULL, NULL);
    if (base) {
        work->before = (int32_t *)(base + before);
        work->behind = (int32_t *)(base + behind);
        work->bits = wants_bits ? (uint64_t *)(base + bits) : NULL;
        work->own = base + used;
    }
    return used + (size_t)run->threads * work->each;
}

/* ---- down the columns ---- */

static const char *samples_at(const struct work *work, int64_t x, int64_t y)
{
    const struct gf_value *in = &work->run->in_values[0];
    return (const char *)work->run->in[0].data + y * work->run->in[0].pitch +
           x * in->channels * (int64_t)gf_depth_size(in->depth);
}

static int32_t rows_of(const struct work *work, int64_t band)
{
    int64_t left = work->lines - band * BAND;
    return (int32_t)(left < BAND ? left : BAND);
}

/* The sites of a band's lines. */
static void find_sites(const struct part *part, int64_t band)
{
    const struct work *work = part->work;
    const struct gf_value *in = &work->run->in_values[0];
    const int32_t rows = rows_of(work, band);
    if (!work->args.nearest) {
        for (int32_t r = 0; r < rows; r++) {
            work->rows->sites(samples_at(work, 0, band * BAND + r), in->depth, in->channels, work->n,
                              part->site + r * work->n);
        }
        return;
    }
    for (int64_t y = 0; y < work->n; y++) {
        uint8_t across[BAND];
        work->rows->sites(samples_at(work, band * BAND, y), in->depth, in->channels, rows, across);
        for (int32_t r = 0; r < rows; r++) {
            part->site[r * work->n + y] = across[r];
        }
    }
}

static void find_ends(void *argument, int i, int n)
{
    const struct work *work = argument;
    struct part part;
    lay_out(work, work->own + (size_t)i * work->each, &part);
    for (int64_t band = i; band < work->bands; band += n) {
        const int64_t at = band * work->n;
        const int32_t rows = rows_of(work, band);
        find_sites(&part, band);
        work->rows->ends(part.site, work->n, rows, work->n, (int32_t)(band * BAND), work->behind + at,
                         work->before + at);
        for (int64_t x = 0; work->bits && x < work->n; x++) {
            uint64_t bits = 0;
            for (int32_t r = 0; r < rows; r++) {
                bits |= (uint64_t)part.site[r * work->n + x] << r;
            }
            work->bits[at + x] = bits;
        }
    }
}

/* What `mine` has of a band, in order: what the bands before it had last, for each column. */
static void carry(const struct work *work, int32_t *mine, int64_t band, int64_t step, int32_t *last)
{
    for (int64_t x = 0; x < work->n; x++) {
        last[x] = -1;
    }
    for (; band >= 0 && band < work->bands; band += step) {
        int32_t *row = mine + band * work->n;
        for (int64_t x = 0; x < work->n; x++) {
            int32_t own = row[x];
            row[x] = last[x];
            last[x] = own < 0 ? last[x] : own;
        }
    }
}

/* ---- along a line ---- */

/* The last pixel for which the site in column i is not worse than that in column u > i; g and h are their
 * gaps. The first is the better one somewhere at or behind pixel 0. */
static int64_t meeting(enum gf_distance_metric metric, int64_t i, int64_t g, int64_t u, int64_t h)
{
    int64_t middle = (i + u) / 2;
    if (metric == GF_DISTANCE_L1) {
        return h >= g + u - i ? INT64_C(1) << 40 : (h - g + u + i) / 2;
    }
    if (metric == GF_DISTANCE_CHESSBOARD) {
        return g <= h ? (i + h > middle ? i + h : middle) : (u - g < middle ? u - g : middle);
    }
    if (u - i == 1) {
        return ((h - g) * (h + g) + u + i) / 2;
    }
    int64_t more = (u - i) * (u + i) + (h - g) * (h + g), twice = 2 * (u - i);
    /* exact in f64 below 2^53; and a quotient that is no integer is then too far from one to become it */
    return more < INT64_C(1) << 53 ? (int64_t)((double)more / (double)twice) : more / twice;
}

/* Fills the stack with the columns of [a, b] that are best somewhere, in order; returns how many they are. Of
 * equal columns the left one is kept. */
static inline __attribute__((always_inline)) int64_t envelope_of(const struct part *part, int64_t a,
                                                                 int64_t b, enum gf_distance_metric metric)
{
    struct best *stack = part->stack;
    int64_t top = -1;
    for (int64_t u = a; u <= b; u++) {
        const int64_t signed_gap = part->gap[u], h = signed_gap < 0 ? -signed_gap : signed_gap;
        if (h == GF_DISTANCE_FAR) {
            continue;
        }
        while (top >= 0) {
            const int64_t start = stack[top].start, from = stack[top].from;
            if (gf_distance_cost(metric, from > start ? from - start : start - from, stack[top].gap) <=
                gf_distance_cost(metric, u - start, h)) {
                break;
            }
            top--;
        }
        int64_t start = a;
        if (top >= 0) {
            start = 1 + meeting(metric, stack[top].from, stack[top].gap, u, h) + GF_FAULT(distance_meeting);
        }
        if (start <= b) {
            stack[++top] = (struct best){(int32_t)u, (int32_t)start, (int32_t)h};
        }
    }
    return top + 1;
}

static int64_t envelope(const struct part *part, int64_t a, int64_t b)
{
    const enum gf_distance_metric metric = (enum gf_distance_metric)part->work->args.metric;
    return metric == GF_DISTANCE_L1           ? envelope_of(part, a, b, GF_DISTANCE_L1)
           : metric == GF_DISTANCE_CHESSBOARD ? envelope_of(part, a, b, GF_DISTANCE_CHESSBOARD)
                                              : envelope_of(part, a, b, GF_DISTANCE_L2);
}

static void store_none(const struct work *work, int64_t n, void *out)
{
    for (int64_t x = 0; x < n; x++) {
        if (work->args.nearest) {
            ((uint32_t *)out)[x] = UINT32_MAX;
        } else if (work->args.metric == GF_DISTANCE_SQUARED) {
            ((uint64_t *)out)[x] = GF_DISTANCE_NONE;
        } else {
            ((float *)out)[x] = INFINITY;
        }
    }
}

/* Pixels first to end - 1 of a row, whose nearest site is in that column. */
static void store_span(const struct work *work, int64_t first, int64_t end, const struct best *best,
                       void *out)
{
    const enum gf_distance_metric metric = (enum gf_distance_metric)work->args.metric;
    for (int64_t x = first; x < end; x++) {
        uint64_t cost = gf_distance_cost(metric, llabs(x - best->from), best->gap);
        if (metric == GF_DISTANCE_SQUARED) {
            ((uint64_t *)out)[x] = cost;
        } else {
            ((float *)out)[x] = metric == GF_DISTANCE_L2 ? gf_distance_root(cost) : (float)cost;
        }
    }
}

/* Pixels a to b, from the stack. */
static void store_envelope(const struct part *part, int64_t count, int64_t a, int64_t b, void *out)
{
    const struct work *work = part->work;
    const bool roots = work->small && work->args.metric == GF_DISTANCE_L2;
    for (int64_t i = 0; i < count; i++) {
        const struct best *best = &part->stack[i];
        const int64_t end = i + 1 < count ? best[1].start : b + 1;
        const int32_t from = best->from, down = roots ? best->gap * best->gap : 0;
        for (int32_t x = best->start; roots && x < end; x++) {
            part->cost[x] = (x - from) * (x - from) + down;
        }
        if (!roots) {
            store_span(work, best->start, end, best, out);
        }
    }
    if (count == 0) {
        store_none(work, work->n, out);
    } else if (roots) {
        work->rows->roots(part->cost + a, b + 1 - a, (float *)out + a);
    }
}

/* The blocks that are not settled, and what else lies between the sites of the line on both sides of them. */
static void store_far(const struct part *part, void *out)
{
    const struct work *work = part->work;
    int64_t done = 0; /* the site at which the last envelope ended */
    for (int64_t x = 0; x < work->n;) {
        if (!part->near.far[x / BLOCK]) {
            x += BLOCK;
            continue;
        }
        int64_t a = x > done ? x : done, b = x + BLOCK < work->n ? x + BLOCK - 1 : work->n - 1;
        while (a > 0 && part->gap[a] != 0) {
            a--;
        }
        while (b < work->n - 1 && part->gap[b] != 0) {
            b++;
        }
        store_envelope(part, envelope(part, a, b), a, b, out);
        x = b < work->n - 1 ? (b + 1) / BLOCK * BLOCK : work->n;
        done = b;
        /* in the next line, too, it would be looked at in vain, or for nothing */
        memset(part->near.far + (a + BLOCK - 1) / BLOCK, 1,
               (size_t)((b + 1) / BLOCK - (a + BLOCK - 1) / BLOCK));
    }
}

/* The first site at or below a row of a column; there is one. */
static int64_t site_from(const struct work *work, int64_t row, int64_t column)
{
    int64_t band = row > 0 ? row / BAND : 0, at = band * work->n + column;
    uint64_t bits = row > 0 ? work->bits[at] >> (row % BAND) : work->bits[at];
    if (bits) {
        return (row > 0 ? row : 0) + __builtin_ctzll(bits);
    }
    return work->behind[at];
}

static void find_places(const struct part *part, int64_t line, uint32_t *places)
{
    const struct work *work = part->work;
    const int64_t width = work->lines;
    const int64_t count = envelope(part, 0, work->n - 1);
    if (count == 0) {
        store_none(work, work->n, places);
    }
    for (int64_t i = 0; i < count; i++) {
        const struct best *best = &part->stack[i];
        const int64_t end = i + 1 < count ? best[1].start : work->n;
        for (int64_t x = best->start; x < end; x++) {
            int64_t row = line + part->gap[best->from];
            if (work->bits) { /* all of that column that are not further away are as near */
                const int64_t dx = x > best->from ? x - best->from : best->from - x;
                row = site_from(work, line - (dx > best->gap ? dx : best->gap), best->from);
            }
            places[x] = (uint32_t)(best->from * width + row);
        }
    }
}

/* ---- bands ---- */

static void store_places(const struct part *part, int64_t band)
{
    const struct work *work = part->work;
    const int32_t rows = rows_of(work, band);
    for (int64_t y = 0; y < work->n; y++) {
        uint32_t *to =
            (uint32_t *)((char *)work->run->out[0].data + y * work->run->out[0].pitch) + band * BAND;
        for (int32_t r = 0; r < rows; r++) {
            to[r] = part->places[r * work->n + y];
        }
    }
}

static void solve_line(const struct part *part, bool again, void *out)
{
    const struct work *work = part->work;
    struct gf_distance_near near = part->near;
    const enum gf_distance_metric metric = (enum gf_distance_metric)work->args.metric;
    const bool left = work->rows->near(part->gap, work->n, metric, again, &near);
    work->rows->settled(&near, work->n, metric, out);
    if (left) {
        store_far(part, out);
    }
}

static void solve_bands(void *argument, int i, int n)
{
    const struct work *work = argument;
    struct part part;
    lay_out(work, work->own + (size_t)i * work->each, &part);
    for (int64_t band = i; band < work->bands; band += n) {
        const int64_t at = band * work->n;
        const int32_t rows = rows_of(work, band);
        find_sites(&part, band);
        work->rows->below(part.site, work->n, rows, work->n);
        memcpy(part.last, work->before + at, (size_t)work->n * sizeof *part.last);
        for (int32_t r = 0; r < rows; r++) {
            const int64_t line = band * BAND + r;
            work->rows->gaps(part.site + r * work->n, work->n, (int32_t)line, part.last, work->behind + at,
                             part.gap);
            if (work->args.nearest) {
                find_places(&part, line, part.places + r * work->n);
            } else {
                solve_line(&part, r % RETRY == 0,
                           (char *)work->run->out[0].data + line * work->run->out[0].pitch);
            }
        }
        if (work->args.nearest) {
            store_places(&part, band);
        }
    }
}

static size_t distance_scratch(const struct gf_apply_run *run)
{
#if GF_HAVE_CUDA
    if (run->queue.device >= 0) {
        return gf_distance_cuda_scratch(run);
    }
#endif
    struct work work;
    return begin(run, NULL, &work);
}

static gf_status distance_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct work work;
    struct part part;
    begin(run, run->scratch, &work);
    const int parts = work.bands < run->threads ? (int)work.bands : run->threads;
    gf_team_run(run->team, parts, find_ends, &work);
    lay_out(&work, work.own, &part);
    carry(&work, work.before, GF_FAULT(distance_seam), 1, part.last);
    carry(&work, work.behind, work.bands - 1, -1, part.last);
    gf_team_run(run->team, parts, solve_bands, &work);
    return GF_OK;
}

const struct gf_kernel gf_kernel_distance = {
    .name = "distance",
    .kind = GF_KERNEL_WHOLE,
    .apply_cpu = distance_cpu,
    .apply_cuda = GF_CUDA_FN(gf_distance_cuda),
    .apply_scratch = distance_scratch,
    .judge = gf_judge_distance,
    .words = "distances to the nearest 0, down columns and along rows",
};
