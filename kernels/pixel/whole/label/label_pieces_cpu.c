/* Pieces of a picture and how they connect: see label_pieces.h. Union-find over labels, whose roots are those
 * of the first pieces of their regions. */
#include "array/compact/compact_rows.h"
#include "base/planted_fault.h"
#include "pixel/whole/label/label_pieces.h"

#include <stdbool.h>
#include <string.h>

static int64_t words_of(const struct gf_label_work *work)
{
    return (work->width + 63) / 64;
}

void gf_label_bits(const struct gf_label_work *work, int64_t y, uint64_t *bits)
{
    const struct gf_value *in = &work->run->in_values[0];
    const size_t size = gf_depth_size(in->depth) * (size_t)in->channels;
    const char *row = gf_label_row(work, y);
    uint8_t flags[GF_COMPACT_BLOCK];
    uint64_t words[GF_COMPACT_BLOCK / 64];
    for (int64_t x = 0; x < work->width; x += GF_COMPACT_BLOCK) {
        const int64_t n = work->width - x < GF_COMPACT_BLOCK ? work->width - x : GF_COMPACT_BLOCK;
        work->rows->flags(row + (size_t)x * size, in->depth, in->channels, n, flags);
        memset(flags + n, 0, (size_t)(GF_COMPACT_BLOCK - n));
        gf_compact_rows_best()->bits(flags, (uint8_t *)words);
        memcpy(bits + x / 64, words, (size_t)(n + 63) / 64 * sizeof *words);
    }
}

/* ---- places of bits ---- */

/* The first one from x on that is set, or `end`. flip: UINT64_MAX for the first that is not. */
static inline int64_t next_bit(const uint64_t *bits, int64_t x, int64_t end, uint64_t flip)
{
    if (x >= end) {
        return end;
    }
    uint64_t word = (bits[x / 64] ^ flip) & UINT64_MAX << x % 64;
    for (x &= ~INT64_C(63); word == 0; word = bits[x / 64] ^ flip) {
        x += 64;
        if (x >= end) {
            return end;
        }
    }
    x += __builtin_ctzll(word);
    return x < end ? x : end;
}

/* The last one up to x that is set, or -1. */
static inline int64_t last_bit(const uint64_t *bits, int64_t x, uint64_t flip)
{
    if (x < 0) {
        return -1;
    }
    uint64_t word = (bits[x / 64] ^ flip) & UINT64_MAX >> (63 - x % 64);
    for (x &= ~INT64_C(63); word == 0; word = bits[x / 64] ^ flip) {
        x -= 64;
        if (x < 0) {
            return -1;
        }
    }
    return x + 63 - __builtin_clzll(word);
}

static uint32_t new_label(struct gf_label_work *work, struct gf_label_part *part)
{
    const uint32_t label = part->labels++;
    work->parent[label] = label;
    work->area[label] = 0;
    return label;
}

/* ---- pieces of a row, from those of the row above ---- */

/* A row whose pieces are made, from left to right. */
struct row {
    struct gf_label_work *work;
    struct gf_label_part *part;
    const uint64_t *bits;
    struct gf_label_piece *begin, *last; /* of its pieces, the latter one before begin: there is none yet */
    int64_t loose;                       /* the last pixel of the next run that touches none */
};

/* Those of bits that touch one of `above`, and the last pixels of runs that have none such. A run is a number
 * of ones; what is added to one of them carries to its end. */
static void touch(const struct gf_label_work *work, const struct gf_label_part *part, const uint64_t *above,
                  const uint64_t *bits)
{
    const int64_t words = words_of(work);
    const bool corners = work->args.connectivity == 8;
    uint64_t carry = 0;
    for (int64_t i = 0; i < words; i++) {
        const uint64_t word = bits[i], next = i + 1 < words ? bits[i + 1] << 63 : 0;
        uint64_t near = above[i], sum;
        if (corners) {
            near |= near << 1 | near >> 1 | (i > 0 ? above[i - 1] >> 63 : 0) |
                    (i + 1 < words ? above[i + 1] << 63 : 0);
        }
        const uint64_t touching = word & near;
        const bool first = __builtin_add_overflow(word, touching, &sum);
        const bool second = __builtin_add_overflow(sum, carry, &sum);
        carry = first | second;
        part->touching[i] = touching;
        part->loose[i] = word & ~(word >> 1 | next) & sum & ~touching;
    }
}

/* Pixels of the row from `first` to end - 1 have that label, a root. */
static void add_piece(struct row *row, int64_t first, int64_t end, uint32_t label)
{
    struct gf_label_sums sums;
    row->work->rows->count(row->bits, first, end, &sums);
    row->work->area[label] += (uint32_t)sums.count;
    if (row->last >= row->begin && row->last->label == label) {
        row->last->end = (uint32_t)end;
    } else {
        *++row->last = (struct gf_label_piece){(uint32_t)first, (uint32_t)end, label};
    }
}

/* The next run that touches none is a piece, with a new label. */
static void add_loose(struct row *row)
{
    const int64_t end = row->loose + 1;
    add_piece(row, last_bit(row->bits, row->loose, UINT64_MAX) + 1, end, new_label(row->work, row->part));
    row->loose = next_bit(row->part->loose, end, row->work->width, 0);
}

/* What a piece above touches has its label: runs from the first to the last that it touches, but for those
 * between them that touch none. The first may be the last one of the piece before. */
static void add_touched(struct row *row, const struct gf_label_piece *above)
{
    const struct gf_label_work *work = row->work;
    const int64_t reach = work->args.connectivity == 8, width = work->width;
    const int64_t left = above->first > 0 ? above->first - reach : 0;
    const int64_t right = above->end + reach < width ? above->end + reach : width;
    int64_t first = next_bit(row->part->touching, left, right, 0);
    if (first == right) {
        return;
    }
    const int64_t done = row->last >= row->begin ? row->last->end : 0;
    const int64_t end = next_bit(row->bits, last_bit(row->part->touching, right - 1, 0), width, UINT64_MAX);
    uint32_t label = gf_label_find(work->parent, above->label);
    if (first < done) {
        label = row->last->label = gf_label_unite(work->parent, row->last->label, label);
        first = next_bit(row->bits, done, end, 0);
    } else {
        first = last_bit(row->bits, first, UINT64_MAX) + 1;
    }
    while (row->loose < end) {
        const int64_t before = last_bit(row->bits, last_bit(row->bits, row->loose, UINT64_MAX), 0);
        if (before >= first) {
            add_piece(row, first, before + 1, label);
        }
        const int64_t behind = row->loose + 1;
        add_loose(row);
        first = first < behind ? next_bit(row->bits, behind, end, 0) : first;
    }
    if (first < end) {
        add_piece(row, first, end, label);
    }
}

static void pieces_of_bits(struct gf_label_work *work, struct gf_label_part *part, int64_t y)
{
    const uint64_t *above = part->bits[(y - 1) & 1], *bits = part->bits[y & 1];
    struct row row = {.work = work, .part = part, .bits = bits, .begin = work->pieces + work->begin[y]};
    row.last = row.begin - 1;
    if (y == part->first) {
        memset(part->bits[(y - 1) & 1], 0, (size_t)words_of(work) * sizeof *above);
    }
    gf_label_bits(work, y, part->bits[y & 1]);
    touch(work, part, above, bits);
    row.loose = next_bit(part->loose, 0, work->width, 0);
    if (y > part->first) {
        for (uint32_t i = work->begin[y - 1]; i < work->end[y - 1]; i++) {
            add_touched(&row, &work->pieces[i]);
        }
    }
    while (row.loose < work->width) {
        add_loose(&row);
    }
    work->end[y] = (uint32_t)(row.last + 1 - work->pieces);
}

/* ---- where only equal samples belong together, pieces are runs of one value ---- */

static void take_line(const struct gf_label_work *work, const struct gf_label_part *part, int64_t y)
{
    for (int64_t x = 0; x < work->width; x++) {
        part->lines[y & 1][x] = gf_label_sample(work, x, y);
    }
}

static uint32_t pieces_of_line(const float *line, int64_t width, struct gf_label_piece *pieces)
{
    uint32_t n = 0;
    for (int64_t x = 0; x < width;) {
        int64_t end = x + 1;
        if (line[x] < 0 || line[x] > 0) { /* NaN is not inside */
            while (end < width && line[end] == line[x]) {
                end++;
            }
            pieces[n++] = (struct gf_label_piece){(uint32_t)x, (uint32_t)end, UINT32_MAX};
        }
        x = end;
    }
    return n;
}

static void pieces_of_values(struct gf_label_work *work, struct gf_label_part *part, int64_t y)
{
    const uint32_t reach = work->args.connectivity == 8, ends = y > part->first ? work->end[y - 1] : 0;
    struct gf_label_piece *pieces = work->pieces;
    uint32_t above = y > part->first ? work->begin[y - 1] : 0;
    take_line(work, part, y);
    const float *values = part->lines[y & 1], *values_above = part->lines[(y - 1) & 1];
    work->end[y] = work->begin[y] + pieces_of_line(values, work->width, pieces + work->begin[y]);
    for (uint32_t i = work->begin[y]; i < work->end[y]; i++) {
        struct gf_label_piece *own = &pieces[i];
        while (above < ends && pieces[above].end + reach <= own->first) {
            above++;
        }
        for (uint32_t k = above; k < ends && pieces[k].first < own->end + reach; k++) {
            if (values_above[pieces[k].first] == values[own->first]) {
                own->label = own->label == UINT32_MAX
                                 ? gf_label_find(work->parent, pieces[k].label)
                                 : gf_label_unite(work->parent, own->label, pieces[k].label);
            }
        }
        own->label = own->label == UINT32_MAX ? new_label(work, part) : own->label;
        work->area[own->label] += own->end - own->first;
    }
}

void gf_label_find_pieces(struct gf_label_work *work, struct gf_label_part *part)
{
    part->labels = part->at;
    for (int64_t y = part->first; y < part->end; y++) {
        work->begin[y] = y > part->first ? work->end[y - 1] : part->at;
        if (work->args.equal) {
            pieces_of_values(work, part, y);
        } else {
            pieces_of_bits(work, part, y);
        }
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

/* A label that is no root any more is noted. */
static void join_labels(struct gf_label_work *work, uint32_t first, uint32_t second)
{
    const uint32_t a = walk(work->parent, first), b = walk(work->parent, second), high = a < b ? b : a;
    if (a != b) {
        work->parent[high] = a < b ? a : b;
        work->joined[work->n_joined++].at = high;
    }
}

/* Does a piece touch one of the row above, which lies over it or at its corners? */
static bool meet(const struct gf_label_work *work, const struct gf_label_part *part,
                 const struct gf_label_piece *above, const struct gf_label_piece *own)
{
    const uint32_t reach = work->args.connectivity == 8, left = above->first - (above->first > 0 ? reach : 0);
    const uint32_t first = left > own->first ? left : own->first;
    const uint32_t end = above->end + reach < own->end ? above->end + reach : own->end;
    if (work->args.equal) {
        return first < end &&
               part->lines[(part->first - 1) & 1][above->first] == part->lines[part->first & 1][own->first];
    }
    return first < end && next_bit(part->touching, first, end, 0) < end;
}

/* The first row of a part and the one above. */
static void join_rows(struct gf_label_work *work, const struct gf_label_part *part)
{
    const int64_t y = part->first;
    const uint32_t reach = work->args.connectivity == 8, ends = work->end[y - 1];
    const struct gf_label_piece *pieces = work->pieces;
    uint32_t above = work->begin[y - 1];
    if (work->args.equal) {
        take_line(work, part, y - 1);
        take_line(work, part, y);
    } else {
        gf_label_bits(work, y - 1, part->bits[0]);
        gf_label_bits(work, y, part->bits[1]);
        touch(work, part, part->bits[0], part->bits[1]);
    }
    for (uint32_t own = work->begin[y]; own < work->end[y]; own++) {
        while (above < ends && pieces[above].end + reach <= pieces[own].first) {
            above++;
        }
        for (uint32_t k = above; k < ends && pieces[k].first < pieces[own].end + reach; k++) {
            if (meet(work, part, &pieces[k], &pieces[own])) {
                join_labels(work, pieces[k].label, pieces[own].label);
            }
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
