/* Runs of a picture and how they hang together: see label_runs.h. Union-find over runs, whose roots are the
 * first runs of their regions. */
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

/* Where bits change: the runs of 1. Returns how many there are. */
static uint32_t runs_of_bits(const uint64_t *bits, int64_t width, struct gf_label_run *runs)
{
    uint32_t *const edges = &runs->first, *to = edges;
    uint64_t last = 0;
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t word = *bits++, changes = word ^ (word << 1 | last);
        last = word >> 63;
        while (changes) {
            *to++ = (uint32_t)(x + __builtin_ctzll(changes));
            changes &= changes - 1;
        }
    }
    if (last) {
        *to++ = (uint32_t)width;
    }
    return (uint32_t)(to - edges) / 2;
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

static float *line_of(const struct gf_label_work *work, int part, int64_t y)
{
    return work->lines + (2 * part + (y & 1)) * work->width;
}

static uint32_t find_row(const struct gf_label_work *work, int part, int64_t y, struct gf_label_run *runs)
{
    const struct gf_value *in = &work->run->in_values[0];
    uint64_t *bits = work->bits + (work->width + 63) / 64 * part;
    if (in->depth == GF_U8 && in->channels == 1 && !work->args.equal) {
        bits_of_bytes((const uint8_t *)work->run->in[0].data + y * work->run->in[0].pitch, work->width, bits);
        return runs_of_bits(bits, work->width, runs);
    }
    float *line = line_of(work, part, y);
    for (int64_t x = 0; x < work->width; x++) {
        line[x] = gf_label_sample(work, x, y);
    }
    if (work->args.equal) {
        return runs_of_values(line, work->width, runs);
    }
    bits_of_line(line, work->width, bits);
    return runs_of_bits(bits, work->width, runs);
}

/* ---- union-find ---- */

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The same where parts meet, whose runs keep the roots that they have in their part. */
static uint32_t walk(const uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        i = parent[i];
    }
    return i;
}

/* Unites the runs of row y with those above that they meet. joins: another part's, and who is no root any
 * more is noted. above, own: samples of both rows, where only equal ones belong together; else NULL. */
static inline __attribute__((always_inline)) void unite_rows(struct gf_label_work *work, int64_t y,
                                                             bool joins, const float *above, const float *own)
{
    const uint32_t reach = work->args.connectivity == 8, end = work->end[y - 1];
    const struct gf_label_run *runs = work->runs;
    uint32_t *parent = work->parent, up = work->begin[y - 1];
    for (uint32_t i = work->begin[y]; i < work->end[y]; i++) {
        const uint32_t first = runs[i].first, last = runs[i].end + reach;
        uint32_t root = joins ? walk(parent, i) : i;
        while (up < end && runs[up].end + reach <= first) {
            up++;
        }
        for (uint32_t k = up; k < end && runs[k].first < last; k++) {
            if (own && own[first] != above[runs[k].first]) {
                continue;
            }
            uint32_t other = joins ? walk(parent, k) : find(parent, k);
            uint32_t high = other < root ? root : other;
            if (other != root) {
                root = other < root ? other : root;
                parent[high] = root;
                if (joins) {
                    work->joined[work->n_joined++].at = high;
                }
            }
        }
    }
}

void gf_label_find_runs(struct gf_label_work *work, int i)
{
    int64_t first = gf_label_first_row(work, i), end = gf_label_first_row(work, i + 1);
    uint32_t *parent = work->parent, at = (uint32_t)(first * work->most), all = at;
    for (int64_t y = first; y < end; y++) {
        work->begin[y] = all;
        all += find_row(work, i, y, work->runs + all);
        work->end[y] = all;
        for (uint32_t k = work->begin[y]; k < all; k++) {
            parent[k] = k;
        }
        if (y > first && work->args.equal) {
            unite_rows(work, y, false, line_of(work, i, y - 1), line_of(work, i, y));
        } else if (y > first) {
            unite_rows(work, y, false, NULL, NULL);
        }
    }
    for (uint32_t k = at; k < all; k++) {
        uint32_t root = parent[k] = parent[parent[k]], pixels = work->runs[k].end - work->runs[k].first;
        work->area[k] = root == k ? pixels : 0;
        work->area[root] += root == k ? 0 : pixels;
    }
}

/* ---- where parts meet ---- */

static float *take_line(const struct gf_label_work *work, int64_t y)
{
    float *line = line_of(work, 0, y);
    for (int64_t x = 0; x < work->width; x++) {
        line[x] = gf_label_sample(work, x, y);
    }
    return line;
}

void gf_label_join(struct gf_label_work *work)
{
    work->n_joined = 0;
    for (int i = 1; i < work->parts && !GF_FAULT(label_seam); i++) {
        int64_t y = gf_label_first_row(work, i);
        if (work->args.equal) {
            const float *above = take_line(work, y - 1);
            unite_rows(work, y, true, above, take_line(work, y));
        } else {
            unite_rows(work, y, true, NULL, NULL);
        }
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
