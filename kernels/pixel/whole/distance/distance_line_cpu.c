/* distance on the CPU, along a line. Blocks whose sites are all near are settled by looking around; what is
 * left comes from the lower envelope of the costs of all columns, between two sites in the line at a time. */
#include "base/planted_fault.h"
#include "pixel/whole/distance/distance_cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND = GF_DISTANCE_BAND, BLOCK = GF_DISTANCE_BLOCK };

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
static inline __attribute__((always_inline)) int64_t
envelope_of(const struct gf_distance_part *part, int64_t a, int64_t b, enum gf_distance_metric metric)
{
    struct gf_distance_best *stack = part->stack;
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
            stack[++top] = (struct gf_distance_best){(int32_t)u, (int32_t)start, (int32_t)h};
        }
    }
    return top + 1;
}

static int64_t envelope(const struct gf_distance_part *part, int64_t a, int64_t b)
{
    const enum gf_distance_metric metric = (enum gf_distance_metric)part->work->args.metric;
    return metric == GF_DISTANCE_L1           ? envelope_of(part, a, b, GF_DISTANCE_L1)
           : metric == GF_DISTANCE_CHESSBOARD ? envelope_of(part, a, b, GF_DISTANCE_CHESSBOARD)
                                              : envelope_of(part, a, b, GF_DISTANCE_L2);
}

static void store_none(const struct gf_distance_work *work, int64_t n, void *out)
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
static void store_span(const struct gf_distance_work *work, int64_t first, int64_t end,
                       const struct gf_distance_best *best, void *out)
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
static void store_envelope(const struct gf_distance_part *part, int64_t count, int64_t a, int64_t b,
                           void *out)
{
    const struct gf_distance_work *work = part->work;
    const bool roots = work->small && work->args.metric == GF_DISTANCE_L2;
    for (int64_t i = 0; i < count; i++) {
        const struct gf_distance_best *best = &part->stack[i];
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
static void store_far(const struct gf_distance_part *part, void *out)
{
    const struct gf_distance_work *work = part->work;
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
        /* far in the next line, too: a look near by would fail there, or gain nothing */
        memset(part->near.far + (a + BLOCK - 1) / BLOCK, 1,
               (size_t)((b + 1) / BLOCK - (a + BLOCK - 1) / BLOCK));
    }
}

/* The first site at or below a row of a column; there is one. */
static int64_t site_from(const struct gf_distance_work *work, int64_t row, int64_t column)
{
    int64_t band = row > 0 ? row / BAND : 0, at = band * work->n + column;
    uint64_t bits = row > 0 ? work->bits[at] >> (row % BAND) : work->bits[at];
    if (bits) {
        return (row > 0 ? row : 0) + __builtin_ctzll(bits);
    }
    return work->behind[at];
}

void gf_distance_places(const struct gf_distance_part *part, int64_t line, uint32_t *places)
{
    const struct gf_distance_work *work = part->work;
    const int64_t width = work->lines;
    const int64_t count = envelope(part, 0, work->n - 1);
    if (count == 0) {
        store_none(work, work->n, places);
    }
    for (int64_t i = 0; i < count; i++) {
        const struct gf_distance_best *best = &part->stack[i];
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

void gf_distance_line(const struct gf_distance_part *part, bool again, void *out)
{
    const struct gf_distance_work *work = part->work;
    struct gf_distance_near near = part->near;
    const enum gf_distance_metric metric = (enum gf_distance_metric)work->args.metric;
    const bool left = work->rows->near(part->gap, work->n, metric, again, &near);
    work->rows->settled(&near, work->n, metric, out);
    if (left) {
        store_far(part, out);
    }
}
