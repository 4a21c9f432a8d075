/* The tap that counts. */
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_tap.h"
#include "pixel/ir/digit.h"
#include "pixel/ir/solve.h"

enum {
    COPIES = 8,         /* of small tables: repeated values do not wait for each other */
    COPIED_BINS = 4096, /* tables up to this size are copied */
    PIECE = 256         /* samples of a row whose bins are found at once */
};

/* Head of a thread's state; the tables follow: u32 [copies][channels][bins + 3]. */
struct counts {
    uint64_t pending;    /* pixels since the tables were emptied */
    int32_t bins[PIECE]; /* f32 */
};

static int64_t table_rows(int32_t bins)
{
    return bins <= COPIED_BINS ? COPIES : 1;
}

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

/* n samples in turn, each of `turn` neighbours to a table of its own: whole pixels, so that a table has one
 * channel. `skipped`: this sample of four is not measured; 4: all are. */
static inline __attribute__((always_inline)) void count_u8_by(const uint8_t *row, int64_t n, uint32_t *tables,
                                                              int turn, int skipped)
{
    enum { ROW = 259, AHEAD = 1024 };
    int64_t i = 0;
    for (; i + turn <= n; i += turn) {
        prefetch(row + i, AHEAD);
#pragma GCC unroll 12
        for (int k = 0; k < turn; k++) {
            if (k % 4 != skipped) {
                tables[k * ROW + row[i + k]]++;
            }
        }
    }
    for (int k = 0; i < n - GF_FAULT(wide_tail); i++, k++) {
        tables[k * ROW + row[i]]++;
    }
}

static void count_u8(const uint8_t *row, int64_t n, int64_t channels, bool has_alpha, uint32_t *tables)
{
    if (channels == 3) {
        count_u8_by(row, n, tables, 12, 4);
    } else if (channels == 4 && !has_alpha) {
        count_u8_by(row, n, tables, 8, 3);
    } else {
        count_u8_by(row, n, tables, 8, 4); /* of 1, 2 or 4 */
    }
}

/* n pixels; integer samples are their bins. */
static void count_integers(const struct gf_cpu_tap *tap, struct counts *state, const void *row, int64_t n)
{
    int64_t bins = tap->tap->bins + 3;
    int64_t channels = tap->channels;
    uint32_t *tables = (uint32_t *)(state + 1);
    if (tap->two_values) {
        int64_t high = tap->rows->u8_count(row, n, tap->values[1]);
        tables[tap->values[0]] += (uint32_t)(n - high);
        tables[tap->values[1]] += (uint32_t)high;
    } else if (tap->depth == GF_U8 && channels <= 4) {
        count_u8(row, n * channels, channels, tap->tap->mask >> 3 & 1, tables);
    } else if (tap->depth == GF_U8) {
        const uint8_t *v = row;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t c = 0; c < channels; c++) {
                tables[c * bins + *v++]++;
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

/* Bins of n samples of a channel by their digit at a shift (digit.h). picks: NULL for the first one. */
static inline __attribute__((always_inline)) void digit_bins(const float *row, int64_t step, int32_t *bins,
                                                             int64_t n, const struct gf_tap *tap,
                                                             const struct gf_pick *picks)
{
    const int32_t shift = (int32_t)tap->lo, none = tap->bins + 2;
    uint32_t keys[PIECE];
    int32_t digits[PIECE];
    for (int64_t i = 0; i < n; i++) {
        const float v = row[i * step];
        keys[i] = v == v ? gf_float_key(v) : UINT32_MAX; /* which no pick has */
        digits[i] = gf_digit(keys[i], shift);
        bins[i] = picks || v != v ? none : digits[i];
    }
    for (int32_t slot = picks ? tap->bins / GF_DIGIT_BINS : 0; slot-- > 0;) {
        const struct gf_pick pick = picks[slot];
        for (int64_t i = 0; i < n; i++) {
            bins[i] = gf_digits_alike(keys[i], &pick, shift) ? slot * GF_DIGIT_BINS + digits[i] : bins[i];
        }
    }
}

static void bins_of(const struct gf_cpu_tap *tap, const float *row, int32_t c, int32_t *bins, int64_t n)
{
    const struct gf_tap *t = tap->tap;
    if (t->hi < t->lo) {
        const struct gf_pick *picks = (const void *)tap->range;
        picks = picks ? picks + (ptrdiff_t)c * (t->bins / GF_DIGIT_BINS) : NULL;
        if (tap->channels == 1) {
            digit_bins(row, 1, bins, n, t, picks);
        } else {
            digit_bins(row + c, tap->channels, bins, n, t, picks);
        }
        return;
    }
    const float lo = tap->range ? tap->range[2 * c] : t->lo, hi = tap->range ? tap->range[2 * c + 1] : t->hi;
    tap->rows->f32_bins(row + c, bins, n, tap->channels, lo, gf_range_scale(lo, hi, t->bins), t->bins);
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
        uint32_t *counts = (uint32_t *)(state + 1) + (size_t)c * ((size_t)bins + 3);
        for (int64_t at = 0; at < n; at += piece) {
            int64_t m = n - at < piece ? n - at : piece;
            bins_of(tap, row + at * tap->channels, c, state->bins, m);
            for (int64_t i = 0; i < m * tap->channels; i += 16) {
                prefetch(row + at * tap->channels + i, sizeof(float) * (size_t)(m * tap->channels));
            }
            count_bins(state->bins, m, counts, table, table_rows(bins));
        }
    }
}

static void count_row(const struct gf_cpu_tap *tap, void *state, const void *row,
                      const struct gf_cpu_piece *at)
{
    struct counts *counts = state;
    if (counts->pending + (uint64_t)at->n > UINT32_MAX) {
        empty_tables(tap, counts, true);
    }
    counts->pending += (uint64_t)at->n;
    if (tap->depth == GF_F32) {
        count_floats(tap, counts, row, at->n);
    } else {
        count_integers(tap, counts, row, at->n);
    }
}

static void merge(const struct gf_cpu_tap *tap, void *state)
{
    empty_tables(tap, state, false);
}

static size_t bytes(const struct gf_pass *pass, const struct gf_tap *tap, int64_t strip)
{
    size_t table = ((size_t)tap->bins + 3) * (size_t)pass->post.channels_out * sizeof(uint32_t);
    (void)strip;
    return sizeof(struct counts) + table * (size_t)table_rows(tap->bins);
}

static void fold_counts(const struct gf_value *block, const void *part, int64_t offset, void *whole)
{
    const uint64_t *more = part;
    uint64_t *all = whole;
    (void)offset;
    for (int64_t i = 0; i < block->channels * block->width; i++) {
        all[i] += more[i];
    }
}

static const struct gf_cpu_measure measure = {.bytes = bytes, .row = count_row, .merge = merge};

const struct gf_kernel gf_kernel_hist = {
    .name = "hist",
    .kind = GF_KERNEL_TAP,
    .words = "count",
    .tap = {.block_depth = GF_U64,
            .block_row = 3 /* below, above, nan */,
            .work = {GF_WORK_HIST, GF_WORK_HIST_MANY, GF_WORK_HIST_F32},
            .cpu = &measure,
            .cuda = gf_cuda_measure_hist,
            .fold = fold_counts},
    .judge = gf_judge_hist,
};
