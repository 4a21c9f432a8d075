/* The statistics tap: counts, extremes with their first positions, and sums. */
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_tap.h"

#include <string.h>

/* Extremes of a channel: u8 and u16 as they are, f32 as keys; position y * width + x. */
struct extremes {
    uint64_t count, nan, sum, square;
    uint32_t least, greatest;
    int64_t at_least, at_greatest;
};

/* A thread's state: extremes by channel, then for f32 the column sums of the cells that the tile is in:
 * sums [strip * channels], squares [strip * channels]. */
static double *column_sums(void *state)
{
    return (double *)(void *)((struct extremes *)state + GF_MAX_CHANNELS);
}

/* The first pixel in [0, n) of a channel whose value (f32: key) is v. */
static int64_t find(const struct gf_cpu_tap *tap, const void *row, int32_t c, uint32_t v)
{
    int64_t i = c;
    if (tap->depth == GF_U8) {
        while (((const uint8_t *)row)[i] != v) {
            i += tap->channels;
        }
    } else if (tap->depth == GF_U16) {
        while (((const uint16_t *)row)[i] != v) {
            i += tap->channels;
        }
    } else {
        while (gf_float_key(((const float *)row)[i]) != v) {
            i += tap->channels;
        }
    }
    return i / tap->channels;
}

/* A new extreme beats the old one if it lies further out, or as far and earlier. */
static bool beats_least(const struct extremes *e, uint32_t v, int64_t at)
{
    return e->at_least < 0 || v < e->least || (v == e->least && (at < e->at_least) != GF_FAULT(stats_tie));
}

static bool beats_greatest(const struct extremes *e, uint32_t v, int64_t at)
{
    return e->at_greatest < 0 || v > e->greatest || (v == e->greatest && at < e->at_greatest);
}

static void join(struct extremes *all, uint32_t least, int64_t at_least, uint32_t greatest,
                 int64_t at_greatest)
{
    if (beats_least(all, least, at_least)) {
        all->least = least;
        all->at_least = at_least;
    }
    if (beats_greatest(all, greatest, at_greatest)) {
        all->greatest = greatest;
        all->at_greatest = at_greatest;
    }
}

static void stats_row(const struct gf_cpu_tap *tap, void *state, const void *row,
                      const struct gf_cpu_piece *at)
{
    struct extremes *all = state;
    int64_t start = (tap->top + at->y) * tap->width + at->x, n = at->n;

    for (int32_t c = 0; c < tap->channels; c++) {
        struct extremes *e = &all[c];
        struct gf_row_extremes r;
        int64_t nan = 0;
        if (!(tap->tap->mask >> c & 1)) {
            continue;
        }
        if (e->count == 0) { /* the state begins as zeros */
            e->at_least = e->at_greatest = -1;
        }
        if (tap->depth == GF_U8) {
            r = tap->rows->u8_stats((const uint8_t *)row + c, n, tap->channels, &e->sum, &e->square);
        } else if (tap->depth == GF_U16) {
            r = tap->rows->u16_stats((const uint16_t *)row + c, n, tap->channels, &e->sum, &e->square);
        } else {
            r = tap->rows->f32_extremes((const float *)row + c, n, tap->channels, &nan);
        }
        e->nan += (uint64_t)nan;
        e->count += (uint64_t)(n - nan);
        if (n > nan && beats_least(e, r.least, start)) {
            e->at_least = start + find(tap, row, c, r.least);
            e->least = r.least;
        }
        if (n > nan && beats_greatest(e, r.greatest, start)) {
            e->at_greatest = start + find(tap, row, c, r.greatest);
            e->greatest = r.greatest;
        }
    }
    if (tap->cells) {
        double *sums = column_sums(state) + at->offset * tap->channels;
        tap->rows->f32_columns(row, sums, sums + tap->strip * tap->channels, n * tap->channels);
    }
}

/* The columns of one channel of a cell, folded in pairs; missing ones are +0. */
static double fold_columns(const double *columns, int64_t n, int64_t channels)
{
    double sums[GF_CELL_W] = {0.0};
    for (int64_t j = 0; j < n; j++) {
        sums[j] = columns[j * channels];
    }
    for (int64_t half = GF_CELL_W / 2; half > 0; half /= 2) {
        for (int64_t j = 0; j < half; j++) {
            sums[j] += sums[GF_FAULT(stats_fold_order) ? 2 * half - 1 - j : j + half];
        }
    }
    return sums[0];
}

static int64_t cells_across(const struct gf_cpu_tap *tap)
{
    return (tap->width + GF_CELL_W - 1) / GF_CELL_W;
}

static int64_t cell_count(const struct gf_cpu_tap *tap)
{
    return cells_across(tap) * ((tap->height + GF_CELL_H - 1) / GF_CELL_H);
}

/* The cells of the rows that the band answers for. */
static int64_t own_cells(const struct gf_cpu_tap *tap)
{
    return (tap->part->own.count + GF_CELL_H - 1) / GF_CELL_H * cells_across(tap);
}

static void end_cells(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t y, int64_t n)
{
    double *sums = column_sums(state);
    double *squares = sums + tap->strip * tap->channels;
    int64_t cells = cell_count(tap);

    for (int64_t at = 0; at < n; at += GF_CELL_W) { /* x is a multiple of GF_CELL_W */
        int64_t cell = y / GF_CELL_H * cells_across(tap) + (x + at) / GF_CELL_W;
        int64_t columns = n - at < GF_CELL_W ? n - at : GF_CELL_W;
        for (int32_t c = 0; c < tap->channels; c++) {
            int64_t i = at * tap->channels + c;
            tap->cells[2 * c * cells + cell] = fold_columns(sums + i, columns, tap->channels);
            tap->cells[(2 * c + 1) * cells + cell] = fold_columns(squares + i, columns, tap->channels);
        }
    }
    memset(sums, 0, (size_t)(n * tap->channels) * sizeof *sums);
    memset(squares, 0, (size_t)(n * tap->channels) * sizeof *squares);
}

/* Extremes are kept in the output as they are here (u8, u16 values, f32 keys, exact in f64) until the last
 * band is finished. */
static void merge(const struct gf_cpu_tap *tap, void *state)
{
    const struct extremes *own = state;
    struct gf_stats_block *out = tap->out;

    for (int32_t c = 0; c < tap->channels; c++) {
        if (!(tap->tap->mask >> c & 1) || own[c].count + own[c].nan == 0) {
            continue;
        }
        struct extremes all = {.least = (uint32_t)out[c].least,
                               .greatest = (uint32_t)out[c].greatest,
                               .at_least = out[c].count > 0 ? out[c].at_least : -1,
                               .at_greatest = out[c].count > 0 ? out[c].at_greatest : -1};
        out[c].count += own[c].count;
        out[c].nan += own[c].nan;
        out[c].sum_u += own[c].sum;
        out[c].square_u += own[c].square;
        if (own[c].count > 0) {
            join(&all, own[c].least, own[c].at_least, own[c].greatest, own[c].at_greatest);
            out[c].least = all.least;
            out[c].greatest = all.greatest;
            out[c].at_least = all.at_least;
            out[c].at_greatest = all.at_greatest;
        }
    }
}

/* Adds cells to the tree over the `before` cells of the bands above. */
static void grow(double *trees, uint64_t before, double *cells, int64_t n)
{
    for (int level = 0; n > 0; level++, before = GF_FAULT(stats_band) ? 0 : before / 2) {
        int64_t i = 0, made = 0;
        if (before % 2 != 0) {
            cells[made++] = trees[level] + cells[i++];
        }
        for (; i + 1 < n; i += 2) {
            cells[made++] = cells[i] + cells[i + 1];
        }
        if (i < n) {
            trees[level] = cells[i];
        }
        n = made;
    }
}

/* The parts that wait, joined: the last of every level goes up as it is. */
static double join_trees(const double *trees, uint64_t cells)
{
    int level = __builtin_ctzll(cells);
    double all = trees[level];
    while (++level < GF_STATS_LEVELS) {
        all = cells >> level & 1 ? trees[level] + all : all;
    }
    return gf_canonical_double(all);
}

/* The cells of a channel: sums, or squares. */
static double sum_cells(const struct gf_cpu_tap *tap, double *cells, double *trees, uint64_t before)
{
    const struct gf_pass_part *part = tap->part;
    if (!part->continues && !part->goes_on) {
        return gf_cpu_fold_cells(cells, cell_count(tap));
    }
    int64_t n = own_cells(tap);
    grow(trees, before, cells + part->own.first / GF_CELL_H * cells_across(tap), n);
    return before + (uint64_t)n > 0 ? join_trees(trees, before + (uint64_t)n) : 0;
}

static void finish(const struct gf_cpu_tap *tap)
{
    struct gf_stats_block *out = tap->out;

    for (int32_t c = 0; c < tap->channels; c++) {
        if (!(tap->tap->mask >> c & 1)) {
            continue;
        }
        if (out[c].count == 0) {
            out[c].at_least = out[c].at_greatest = -1;
        }
        if (!tap->cells) {
            continue;
        }
        if (out[c].count > 0 && !tap->part->goes_on) {
            out[c].least = gf_key_float((uint32_t)out[c].least);
            out[c].greatest = gf_key_float((uint32_t)out[c].greatest);
        }
        double *cells = tap->cells + 2 * c * cell_count(tap);
        out[c].sum_f = sum_cells(tap, cells, out[c].sums, out[c].cells);
        out[c].square_f = sum_cells(tap, cells + cell_count(tap), out[c].squares, out[c].cells);
        out[c].cells += (uint64_t)own_cells(tap); /* none where the picture is no band */
    }
}

static size_t bytes(const struct gf_pass *pass, const struct gf_tap *tap, int64_t strip)
{
    size_t sums = gf_cpu_tap_has_cells(pass, tap) ? 2 * (size_t)strip * (size_t)pass->post.channels_out : 0;
    return GF_MAX_CHANNELS * sizeof(struct extremes) + sums * sizeof(double);
}

static size_t cell_bytes(const struct gf_pass *pass, const struct gf_tap *tap)
{
    size_t across = (size_t)((pass->width + GF_CELL_W - 1) / GF_CELL_W);
    size_t down = (size_t)((pass->height + GF_CELL_H - 1) / GF_CELL_H);
    (void)tap;
    return across * down * (size_t)pass->post.channels_out * 2 * sizeof(double);
}

/* For integers, whose sums are exact. The first of equal extremes stays. */
static void fold_stats(const struct gf_value *block, const void *band, int64_t offset, void *whole)
{
    const struct gf_stats_block *part = band;
    for (int32_t c = 0; c < block->channels; c++) {
        struct gf_stats_block *all = (struct gf_stats_block *)whole + c;
        if (part[c].count == 0) {
            continue;
        }
        if (all->count == 0 || part[c].least < all->least) {
            all->least = part[c].least;
            all->at_least = part[c].at_least + offset;
        }
        if (all->count == 0 || part[c].greatest > all->greatest) {
            all->greatest = part[c].greatest;
            all->at_greatest = part[c].at_greatest + offset;
        }
        all->count += part[c].count;
        all->sum_u += part[c].sum_u;
        all->square_u += part[c].square_u;
    }
}

static const struct gf_cpu_measure measure = {
    .bytes = bytes,
    .row = stats_row,
    .merge = merge,
    .finish = finish,
    .end_cells = end_cells,
    .cell_bytes = cell_bytes,
};

const struct gf_kernel gf_kernel_stats = {
    .name = "stats",
    .kind = GF_KERNEL_TAP,
    .tap = {.block_depth = GF_U64,
            .block_row = GF_STATS_WORDS,
            .work = {GF_WORK_STATS_INT, GF_WORK_STATS_INT, GF_WORK_STATS_F32},
            .cpu = &measure,
            .cuda = gf_cuda_measure_stats,
            .by_cells = true,
            .fold = fold_stats},
    .judge = gf_judge_stats,
};
