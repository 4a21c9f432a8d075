#include "pixel/cpu_tap.h"

#include "base/planted_fault.h"
#include "pixel/solve.h"

#include <string.h>

enum {
    COPIES = 8,        /* of small tables: repeated values do not wait for each other */
    COPIED_BINS = 1024 /* tables up to this size are copied */
};

/* Head of a histogram's state; the tables follow: u32 [copies][channels][bins + 3]. */
struct counts {
    uint64_t pending;  /* pixels since the tables were emptied */
    int32_t bins[256]; /* f32: of a piece of a row */
};

/* Head of a range's state. */
struct range {
    struct gf_row_extremes channel[GF_MAX_CHANNELS];
};

static int64_t table_rows(int32_t bins)
{
    return bins <= COPIED_BINS ? COPIES : 1;
}

static bool is_floats(const struct gf_pass *pass)
{
    return pass->post.depth_out == GF_F32;
}

bool gf_cpu_tap_has_cells(const struct gf_pass *pass, const struct gf_tap *tap)
{
    return tap->kind == GF_TAP_STATS && is_floats(pass);
}

size_t gf_cpu_tap_bytes(const struct gf_pass *pass, const struct gf_tap *tap, int64_t strip)
{
    size_t channels = (size_t)pass->post.channels_out;
    if (tap->kind == GF_TAP_HIST) {
        size_t table = ((size_t)tap->bins + 3) * channels * sizeof(uint32_t);
        return sizeof(struct counts) + table * (size_t)table_rows(tap->bins);
    }
    if (tap->kind == GF_TAP_RANGE) {
        return sizeof(struct range);
    }
    size_t columns = gf_cpu_tap_has_cells(pass, tap) ? (size_t)strip * channels * 2 * sizeof(double) : 0;
    return GF_MAX_CHANNELS * sizeof(struct gf_cpu_extremes) + columns;
}

size_t gf_cpu_tap_cell_bytes(const struct gf_pass *pass, const struct gf_tap *tap)
{
    size_t across = (size_t)((pass->width + GF_CELL_W - 1) / GF_CELL_W);
    size_t down = (size_t)((pass->height + GF_CELL_H - 1) / GF_CELL_H);
    size_t channels = (size_t)pass->post.channels_out;
    return gf_cpu_tap_has_cells(pass, tap) ? across * down * channels * 2 * sizeof(double) : 0;
}

static struct gf_rect clipped(struct gf_rect r, int64_t width, int64_t height)
{
    if (r.w == 0) {
        return (struct gf_rect){0, 0, width, height};
    }
    int64_t x = r.x > 0 ? r.x : 0;
    int64_t y = r.y > 0 ? r.y : 0;
    int64_t right = r.x + r.w < width ? r.x + r.w : width;
    int64_t bottom = r.y + r.h < height ? r.y + r.h : height;
    if (right <= x || bottom <= y) {
        return (struct gf_rect){0, 0, 0, 0};
    }
    return (struct gf_rect){x, y, right - x, bottom - y};
}

void gf_cpu_tap_make(struct gf_cpu_tap *made, const struct gf_run *run, int i, const struct gf_cpu_rows *rows,
                     int64_t strip, double *cells)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *tap = &pass->taps[i];
    struct gf_rect roi = {0, 0, 0, 0};
    size_t channels = (size_t)pass->post.channels_out;

    if (tap->roi != GF_NONE) {
        roi = pass->rois[tap->roi];
    }
    *made = (struct gf_cpu_tap){.tap = tap,
                                .rows = rows,
                                .depth = pass->post.depth_out,
                                .channels = pass->post.channels_out,
                                .width = pass->width,
                                .height = pass->height,
                                .roi = clipped(roi, pass->width, pass->height),
                                .strip = strip,
                                .cells = cells,
                                .out = run->taps[i]};
    if (tap->range != GF_NONE) {
        made->range = run->blocks[tap->range] ? run->blocks[tap->range] : run->host_blocks[tap->range];
    }
    if (tap->kind == GF_TAP_HIST) {
        memset(made->out, 0, channels * ((size_t)tap->bins + 3) * sizeof(uint64_t));
    } else if (tap->kind == GF_TAP_RANGE) {
        struct gf_row_extremes none = {UINT32_MAX, 0};
        for (size_t c = 0; c < channels; c++) { /* keys until finish */
            memcpy((char *)made->out + c * sizeof none, &none, sizeof none);
        }
    } else {
        struct gf_stats_block *out = made->out;
        memset(out, 0, channels * sizeof *out);
        for (size_t c = 0; c < channels; c++) {
            out[c].at_least = tap->mask >> c & 1 ? -1 : 0;
            out[c].at_greatest = out[c].at_least;
        }
    }
}

void gf_cpu_tap_begin(const struct gf_cpu_tap *tap, void *state)
{
    if (tap->tap->kind == GF_TAP_RANGE) {
        struct range *r = state;
        for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
            r->channel[c] = (struct gf_row_extremes){UINT32_MAX, 0};
        }
        return;
    }
    if (tap->tap->kind == GF_TAP_HIST) {
        size_t table = ((size_t)tap->tap->bins + 3) * (size_t)tap->channels * sizeof(uint32_t);
        memset(state, 0, sizeof(struct counts) + table * (size_t)table_rows(tap->tap->bins));
        return;
    }
    size_t columns = tap->cells ? (size_t)(tap->strip * tap->channels) * 2 * sizeof(double) : 0;
    memset(state, 0, GF_MAX_CHANNELS * sizeof(struct gf_cpu_extremes) + columns);
}

/* ---- histogram ---- */

/* Adds a thread's tables to the output and empties them; `shared`: other threads may do the same meanwhile.
 */
static void empty_tables(const struct gf_cpu_tap *tap, struct counts *state, bool shared)
{
    size_t row = (size_t)tap->tap->bins + 3;
    size_t n = row * (size_t)tap->channels;
    uint32_t *tables = (uint32_t *)(state + 1);
    uint64_t *out = tap->out;

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < (size_t)table_rows(tap->tap->bins); k++) {
            if (tap->tap->mask >> (i / row) & 1 && shared) {
                __atomic_fetch_add(&out[i], tables[k * n + i], __ATOMIC_RELAXED);
            } else if (tap->tap->mask >> (i / row) & 1) {
                out[i] += tables[k * n + i];
            }
            tables[k * n + i] = 0;
        }
    }
    state->pending = 0;
}

/* Counting is slow enough for the processor's own prefetch to fall asleep: asks for what comes `ahead` bytes
 * later. The address may be any; a wrong one is ignored. */
static inline void prefetch(const void *p, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)p + ahead));
}

/* One channel: eight samples in turn, each to its own table. */
static void count_u8(const uint8_t *row, int64_t n, uint32_t *tables)
{
    enum { ROW = 259 };
    int64_t i = 0;
    for (; i + COPIES <= n; i += COPIES) { /* written out: a compiler's unrolling is not certain */
        if (i % 64 == 0) {
            prefetch(row + i, 1024);
        }
        tables[0 * ROW + row[i + 0]]++;
        tables[1 * ROW + row[i + 1]]++;
        tables[2 * ROW + row[i + 2]]++;
        tables[3 * ROW + row[i + 3]]++;
        tables[4 * ROW + row[i + 4]]++;
        tables[5 * ROW + row[i + 5]]++;
        tables[6 * ROW + row[i + 6]]++;
        tables[7 * ROW + row[i + 7]]++;
    }
    for (; i < n - GF_FAULT(wide_tail); i++) {
        tables[row[i]]++;
    }
}

/* n pixels; integer samples are their bins. */
static void count_integers(const struct gf_cpu_tap *tap, struct counts *state, const void *row, int64_t n)
{
    int64_t bins = tap->tap->bins + 3;
    int64_t channels = tap->channels;
    uint32_t *tables = (uint32_t *)(state + 1);
    int64_t copies = table_rows(tap->tap->bins) - 1;

    if (tap->two_values) {
        int64_t high = tap->rows->u8_count(row, n, tap->values[1]);
        tables[tap->values[0]] += (uint32_t)(n - high);
        tables[tap->values[1]] += (uint32_t)high;
    } else if (tap->depth == GF_U8 && channels == 1) {
        count_u8(row, n, tables);
    } else if (tap->depth == GF_U8) {
        const uint8_t *v = row;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t c = 0; c < channels; c++) {
                tables[((i & copies) * channels + c) * bins + *v++]++;
            }
        }
    } else {
        const uint16_t *v = row;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t c = 0; c < channels; c++) {
                tables[c * bins + *v++]++;
            }
        }
    }
}

/* Bins of n samples of a channel; `copies` tables lie `table` counts apart. */
static void count_bins(const int32_t *bins, int64_t n, uint32_t *counts, size_t table, int64_t copies)
{
    int64_t i = 0;
    for (; copies == COPIES && i + 4 <= n; i += 4) {
        uint32_t *half = counts + (i & 4) * (int64_t)table;
        int32_t a = bins[i], b = bins[i + 1], c = bins[i + 2], d = bins[i + 3]; /* before any store */
        half[a]++;
        half[table + (size_t)b]++;
        half[2 * table + (size_t)c]++;
        half[3 * table + (size_t)d]++;
    }
    for (; i < n; i++) {
        counts[bins[i]]++;
    }
}

static void count_floats(const struct gf_cpu_tap *tap, struct counts *state, const float *row, int64_t n)
{
    const int64_t piece = sizeof state->bins / sizeof state->bins[0];
    int32_t bins = tap->tap->bins;
    size_t table = ((size_t)bins + 3) * (size_t)tap->channels;

    for (int32_t c = 0; c < tap->channels; c++) {
        if (!(tap->tap->mask >> c & 1)) {
            continue;
        }
        float lo = tap->range ? tap->range[2 * c] : tap->tap->lo;
        float hi = tap->range ? tap->range[2 * c + 1] : tap->tap->hi;
        float scale = gf_range_scale(lo, hi, bins);
        uint32_t *counts = (uint32_t *)(state + 1) + (size_t)c * ((size_t)bins + 3);
        for (int64_t at = 0; at < n; at += piece) {
            int64_t m = n - at < piece ? n - at : piece;
            tap->rows->f32_bins(row + at * tap->channels + c, state->bins, m, tap->channels, lo, scale, bins);
            for (int64_t i = 0; i < m * tap->channels; i += 16) {
                prefetch(row + at * tap->channels + i, sizeof(float) * (size_t)(m * tap->channels));
            }
            count_bins(state->bins, m, counts, table, table_rows(bins));
        }
    }
}

static void count_row(const struct gf_cpu_tap *tap, struct counts *state, const void *row, int64_t n)
{
    if (state->pending + (uint64_t)n > UINT32_MAX) {
        empty_tables(tap, state, true);
    }
    state->pending += (uint64_t)n;
    if (tap->depth == GF_F32) {
        count_floats(tap, state, row, n);
    } else {
        count_integers(tap, state, row, n);
    }
}

/* ---- all taps ---- */

static void range_row(const struct gf_cpu_tap *tap, struct range *state, const float *row, int64_t n)
{
    for (int32_t c = 0; c < tap->channels; c++) {
        struct gf_row_extremes e = tap->rows->f32_finite(row + c, n, tap->channels);
        struct gf_row_extremes *all = &state->channel[c];
        all->least = e.least < all->least ? e.least : all->least;
        all->greatest = e.greatest > all->greatest ? e.greatest : all->greatest;
    }
}

void gf_cpu_tap_row(const struct gf_cpu_tap *tap, void *state, const void *row, int64_t x, int64_t y,
                    int64_t n)
{
    int64_t left = tap->roi.x > x ? tap->roi.x : x;
    int64_t right = tap->roi.x + tap->roi.w < x + n ? tap->roi.x + tap->roi.w : x + n;
    bool inside = y >= tap->roi.y && y < tap->roi.y + tap->roi.h && left < right;
    size_t offset = inside ? (size_t)((left - x) * tap->channels) * gf_depth_size(tap->depth) : 0;
    const void *first = (const char *)row + offset;

    if (inside && tap->tap->kind == GF_TAP_HIST) {
        count_row(tap, state, first, right - left);
    } else if (inside && tap->tap->kind == GF_TAP_RANGE) {
        range_row(tap, state, first, right - left);
    } else if (inside) {
        gf_cpu_stats_row(tap, state, first, left, y, right - left, left - x);
    }
    if (tap->cells && (y + 1) % GF_CELL_H == 0) {
        gf_cpu_stats_end_cells(tap, state, x, y, n);
    }
}

void gf_cpu_tap_end_tile(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t end, int64_t n)
{
    if (tap->cells && end % GF_CELL_H != 0) {
        gf_cpu_stats_end_cells(tap, state, x, end - 1, n);
    }
}

void gf_cpu_tap_merge(const struct gf_cpu_tap *tap, void *state)
{
    if (tap->tap->kind == GF_TAP_HIST) {
        empty_tables(tap, state, false);
    } else if (tap->tap->kind == GF_TAP_STATS) {
        gf_cpu_stats_merge(tap, state);
    } else {
        struct gf_row_extremes all[GF_MAX_CHANNELS];
        const struct range *own = state;
        memcpy(all, tap->out, (size_t)tap->channels * sizeof all[0]);
        for (int32_t c = 0; c < tap->channels; c++) {
            struct gf_row_extremes e = own->channel[c];
            all[c].least = e.least < all[c].least ? e.least : all[c].least;
            all[c].greatest = e.greatest > all[c].greatest ? e.greatest : all[c].greatest;
        }
        memcpy(tap->out, all, (size_t)tap->channels * sizeof all[0]);
    }
}

void gf_cpu_tap_finish(const struct gf_cpu_tap *tap)
{
    if (tap->tap->kind == GF_TAP_STATS) {
        gf_cpu_stats_finish(tap);
    } else if (tap->tap->kind == GF_TAP_RANGE) {
        for (int32_t c = 0; c < tap->channels; c++) {
            struct gf_row_extremes e;
            float range[2] = {0.0F, 0.0F};
            char *out = (char *)tap->out + (size_t)c * sizeof e;
            memcpy(&e, out, sizeof e);
            if (e.least != UINT32_MAX && tap->tap->mask >> c & 1) {
                range[0] = gf_key_float(e.least);
                range[1] = gf_key_float(e.greatest);
            }
            memcpy(out, range, sizeof range);
        }
    }
}
