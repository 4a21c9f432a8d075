/* Runs of a picture and how they hang together: see label_runs.h. Union-find over labels, whose roots are
 * those of the first runs of their regions. Where two runs meet, and how many runs there are, nobody can
 * guess: loops over them do without branches that depend on it. */
#include "array/compact_rows.h"
#include "base/planted_fault.h"
#include "pixel/label_runs.h"

#include <stdbool.h>
#include <string.h>

/* ---- runs ---- */

/* A bit for each of 64 samples, whether it is not 0; those from `width` on are not. */
static void bits_of_bytes(const uint8_t *row, int64_t width, uint64_t *bits)
{
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t word = 0;
        for (int64_t k = 0; k < 64 && x + k < width; k += 8) {
            uint64_t v = 0;
            memcpy(&v, row + x + k, width - x - k < 8 ? (size_t)(width - x - k) : sizeof v);
            /* the highest bit of each byte says whether it is not 0; a product brings the eight together */
            v = (((v & 0x7f7f7f7f7f7f7f7fU) + 0x7f7f7f7f7f7f7f7fU) | v) & 0x8080808080808080U;
            word |= (v * 0x0002040810204081U >> 56) << k;
        }
        *bits++ = word;
    }
}

static void bits_of_line(const float *line, int64_t width, uint64_t *bits)
{
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t word = 0;
        int64_t n = width - x < 64 ? width - x : 64;
        for (int64_t k = 0; k < n; k++) {
            word |= (uint64_t)(line[x + k] < 0 || line[x + k] > 0) << k; /* NaN is not */
        }
        *bits++ = word;
    }
}

/* Where bits change: the runs of 1. Returns how many there are; GF_LABEL_SLACK runs behind them are
 * overwritten. */
static uint32_t runs_of_bits(uint64_t *bits, int64_t width, struct gf_label_run *runs)
{
    const int32_t words = (int32_t)((width + 63) / 64);
    uint64_t last = 0;
    for (int32_t i = 0; i < words; i++) {
        const uint64_t word = bits[i];
        bits[i] = word ^ (word << 1 | last);
        last = word >> 63;
    }
    uint32_t *edges = &runs->first;
    int32_t n = gf_compact_rows_best()->pack_u32(0, (const uint8_t *)bits, words * 64, edges);
    edges[n] = (uint32_t)width; /* the end of a run that reaches it, if the picture ends with a word */
    return (uint32_t)(n + 1) / 2;
}

/* Runs of one value. */
static uint32_t runs_of_values(const float *line, int64_t width, struct gf_label_run *runs)
{
    uint32_t n = 0;
    for (int64_t x = 0; x < width;) {
        int64_t end = x + 1;
        if (line[x] < 0 || line[x] > 0) {
            while (end < width && line[end] == line[x]) {
                end++;
            }
            runs[n++] = (struct gf_label_run){(uint32_t)x, (uint32_t)end};
        }
        x = end;
    }
    return n;
}

static float *take_line(const struct gf_label_work *work, const struct gf_label_part *part, int64_t y)
{
    float *line = part->lines + (y & 1) * work->width;
    for (int64_t x = 0; x < work->width; x++) {
        line[x] = gf_label_sample(work, x, y);
    }
    return line;
}

static uint32_t find_row(const struct gf_label_work *work, const struct gf_label_part *part, int64_t y,
                         struct gf_label_run *runs)
{
    const struct gf_value *in = &work->run->in_values[0];
    if (work->args.equal) {
        return runs_of_values(take_line(work, part, y), work->width, runs);
    }
    if (in->depth == GF_U8 && in->channels == 1) {
        bits_of_bytes((const uint8_t *)work->run->in[0].data + y * work->run->in[0].pitch, work->width,
                      part->bits);
    } else {
        bits_of_line(take_line(work, part, y), work->width, part->bits);
    }
    return runs_of_bits(part->bits, work->width, runs);
}

/* ---- where runs meet ---- */

/* Pairs of runs of row y and the row above that meet, by the lower one, then the upper. Of two that are
 * looked at the one that ends first meets no other. */
static int64_t pairs_of_rows(const struct gf_label_work *work, int64_t y, struct gf_label_pair *pairs)
{
    const uint32_t reach = work->args.connectivity == 8, ends = work->end[y - 1], end = work->end[y];
    const struct gf_label_run *runs = work->runs;
    uint32_t above = work->begin[y - 1], own = work->begin[y];
    int64_t n = 0;
    while (above < ends && own < end) {
        const struct gf_label_run a = runs[above], b = runs[own];
        const uint32_t is_next = a.end < b.end;
        pairs[n] = (struct gf_label_pair){above, own};
        n += (a.first < b.end + reach) & (b.first < a.end + reach);
        above += is_next;
        own += 1 - is_next;
    }
    return n;
}

/* The same where runs of different values lie side by side, so that corners of two may meet one run; only
 * equal values belong together. */
static int64_t pairs_of_equal(const struct gf_label_work *work, const struct gf_label_part *part, int64_t y,
                              struct gf_label_pair *pairs)
{
    const uint32_t reach = work->args.connectivity == 8, end = work->end[y - 1];
    const struct gf_label_run *runs = work->runs;
    const float *rows[2] = {part->lines, part->lines + work->width};
    const float *values = rows[y & 1], *values_above = rows[1 - (y & 1)];
    uint32_t above = work->begin[y - 1];
    int64_t n = 0;
    for (uint32_t own = work->begin[y]; own < work->end[y]; own++) {
        const struct gf_label_run b = runs[own];
        while (above < end && runs[above].end + reach <= b.first) {
            above++;
        }
        for (uint32_t k = above; k < end && runs[k].first < b.end + reach; k++) {
            pairs[n] = (struct gf_label_pair){k, own};
            n += values_above[runs[k].first] == values[b.first];
        }
    }
    return n;
}

static int64_t find_pairs(const struct gf_label_work *work, const struct gf_label_part *part, int64_t y)
{
    return work->args.equal ? pairs_of_equal(work, part, y, part->pairs)
                            : pairs_of_rows(work, y, part->pairs);
}

/* ---- union-find ---- */

enum { NONE = UINT32_MAX };

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Gives the runs of row y the labels of those above that they meet, and unites those; or new labels. */
static void label_row(struct gf_label_work *work, struct gf_label_part *part, int64_t y)
{
    uint32_t *parent = work->parent, *labels = work->labels;
    const uint32_t begin = work->begin[y], end = work->end[y];
    const int64_t n = y > part->first ? find_pairs(work, part, y) : 0;
    memset(labels + begin, 0xff, (end - begin) * sizeof *labels); /* NONE */
    for (int64_t i = 0; i < n; i++) {
        const uint32_t root = find(parent, labels[part->pairs[i].above]), own = labels[part->pairs[i].own];
        const uint32_t low = root < own ? root : own;
        if (own != NONE && own != root) { /* seldom */
            parent[root < own ? own : root] = low;
        }
        labels[part->pairs[i].own] = low; /* a root until the next run's turn */
    }
    uint32_t last = NONE, pixels = 0; /* neighbours often have one label, to which they are added at once */
    for (uint32_t run = begin; run < end; run++) {
        if (labels[run] == NONE) {
            labels[run] = parent[part->labels] = part->labels;
            work->area[part->labels++] = 0;
        }
        labels[run] = parent[labels[run]]; /* so that the next row hardly has to look further */
        if (labels[run] != last && last != NONE) {
            work->area[last] += pixels;
            pixels = 0;
        }
        last = labels[run];
        pixels += work->runs[run].end - work->runs[run].first;
    }
    if (last != NONE) {
        work->area[last] += pixels;
    }
}

void gf_label_find_runs(struct gf_label_work *work, struct gf_label_part *part)
{
    uint32_t all = part->at;
    part->labels = part->at;
    for (int64_t y = part->first; y < part->end; y++) {
        work->begin[y] = all;
        all += find_row(work, part, y, work->runs + all);
        work->end[y] = all;
        label_row(work, part, y);
    }
    for (uint32_t k = part->at; k < part->labels; k++) {
        const uint32_t root = work->parent[k] = work->parent[work->parent[k]], pixels = work->area[k];
        work->area[k] = root == k ? pixels : 0;
        work->area[root] += root == k ? 0 : pixels;
    }
}

/* ---- where parts meet ---- */

/* Labels keep the roots that they have in their part. */
static uint32_t walk(const uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        i = parent[i];
    }
    return i;
}

/* Who is no root any more is noted. */
static void join_rows(struct gf_label_work *work, const struct gf_label_part *part)
{
    if (work->args.equal) {
        take_line(work, part, part->first - 1);
        take_line(work, part, part->first);
    }
    const int64_t n = find_pairs(work, part, part->first);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t a = walk(work->parent, work->labels[part->pairs[i].above]);
        const uint32_t b = walk(work->parent, work->labels[part->pairs[i].own]);
        if (a != b) {
            const uint32_t high = a < b ? b : a;
            work->parent[high] = a < b ? a : b;
            work->joined[work->n_joined++].at = high;
        }
    }
}

void gf_label_join(struct gf_label_work *work)
{
    work->n_joined = 0;
    for (int i = 1; i < work->n_parts && !GF_FAULT(label_seam); i++) {
        join_rows(work, &work->parts[i]);
    }
    for (uint32_t i = 0; i < work->n_joined; i++) {
        struct gf_label_joined *joined = &work->joined[i];
        joined->root = walk(work->parent, joined->at);
        joined->sums = (struct gf_region){.left = UINT32_MAX, .top = UINT32_MAX, .least = UINT32_MAX};
        work->area[joined->root] += work->area[joined->at];
    }
    for (uint32_t i = 0; i < work->n_joined; i++) { /* the root of its part again */
        uint32_t at = work->joined[i].at;
        work->parent[at] = at;
        work->area[at] = gf_label_mark(i);
    }
}
