/* The tap that adds up the samples of each column, or of each row. */
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_tap.h"

#include <string.h>

/* Elements of a channel's row of the block: sums, and behind those of f32 counts of NaN. */
static int64_t sums_of(const struct gf_cpu_tap *tap)
{
    return tap->depth == GF_F32 ? tap->tap->bins / 2 : tap->tap->bins;
}

static uint64_t *channel_of(const struct gf_cpu_tap *tap, int32_t c)
{
    return (uint64_t *)tap->out + (int64_t)c * tap->tap->bins;
}

static bool is_measured(const struct gf_cpu_tap *tap, int32_t c)
{
    return tap->tap->mask >> c & 1;
}

static void add(uint64_t *to, uint64_t more)
{
    __atomic_fetch_add(to, more, __ATOMIC_RELAXED);
}

/* Few samples are NaN: they are looked for where a row has some. */
static void count_nan(const struct gf_cpu_tap *tap, const float *row, const struct gf_cpu_piece *at)
{
    for (int64_t i = 0; i < at->n * tap->channels; i++) {
        int32_t c = (int32_t)(i % tap->channels);
        if (row[i] != row[i] && is_measured(tap, c)) {
            int64_t place = tap->tap->of_rows ? tap->top + at->y : at->x + i / tap->channels;
            add(&channel_of(tap, c)[sums_of(tap) + place], 1);
        }
    }
}

/* ---- columns: a thread's state has those of a tile ---- */

/* Integers: `wide` [strip * channels], behind it as many narrow ones that the latest rows went to. f32: the
 * columns of the cells that the tile is in. */
struct columns {
    int64_t rows; /* in the narrow ones */
    int64_t unused;
    uint64_t wide[];
};

static void widen(const struct gf_cpu_tap *tap, struct columns *columns, int64_t samples)
{
    void *narrow = columns->wide + tap->strip * tap->channels;
    for (int64_t i = 0; i < samples && tap->depth == GF_U8; i++) {
        columns->wide[i] += ((uint16_t *)narrow)[i];
    }
    for (int64_t i = 0; i < samples && tap->depth == GF_U16; i++) {
        columns->wide[i] += ((uint32_t *)narrow)[i];
    }
    memset(narrow, 0, (size_t)samples * (tap->depth == GF_U8 ? sizeof(uint16_t) : sizeof(uint32_t)));
    columns->rows = 0;
}

static void add_columns(const struct gf_cpu_tap *tap, struct columns *columns, const void *row,
                        const struct gf_cpu_piece *at)
{
    enum { MOST = 256 }; /* rows that 16 bits hold of u8; 32 bits hold more of u16 */
    int64_t first = at->offset * tap->channels, n = at->n * tap->channels;
    void *narrow = columns->wide + tap->strip * tap->channels;
    if (tap->depth == GF_F32) {
        double *sums = (double *)(void *)columns->wide;
        if (tap->rows->f32_sums(row, sums + first, n)) {
            count_nan(tap, row, at);
        }
        return;
    }
    if (columns->rows == MOST && !GF_FAULT(profile_narrow)) {
        widen(tap, columns, tap->strip * tap->channels);
    }
    columns->rows++;
    if (tap->depth == GF_U8) {
        tap->rows->u8_columns(row, (uint16_t *)narrow + first, n);
    } else {
        tap->rows->u16_columns(row, (uint32_t *)narrow + first, n);
    }
}

/* f32: [cells down][width * channels]. */
static void end_cells(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t y, int64_t n)
{
    if (!tap->tap->of_rows) {
        double *sums = (double *)(void *)((struct columns *)state)->wide;
        size_t bytes = (size_t)(n * tap->channels) * sizeof *sums;
        memcpy(tap->cells + (y / GF_CELL_H * tap->width + x) * tap->channels, sums, bytes);
        memset(sums, 0, bytes);
    }
}

static void end_tile(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t n)
{
    struct columns *columns = state;
    if (tap->tap->of_rows || tap->depth == GF_F32) {
        return;
    }
    widen(tap, columns, n * tap->channels);
    for (int32_t c = 0; c < tap->channels; c++) {
        uint64_t *to = channel_of(tap, c) + x;
        for (int64_t i = 0; i < n && is_measured(tap, c); i++) {
            add(&to[i], columns->wide[i * tap->channels + c]);
        }
    }
    memset(columns->wide, 0, (size_t)(n * tap->channels) * sizeof *columns->wide);
}

/* f32: cells below each other, from the top. */
static void finish_columns(const struct gf_cpu_tap *tap)
{
    int64_t down = (tap->height + GF_CELL_H - 1) / GF_CELL_H, samples = tap->width * tap->channels;
    for (int64_t cell = 0; cell < down; cell++) {
        const double *from = tap->cells + (GF_FAULT(profile_cells) ? down - 1 - cell : cell) * samples;
        for (int32_t c = 0; c < tap->channels; c++) {
            double *to = (double *)(void *)channel_of(tap, c);
            for (int64_t x = 0; x < tap->width && is_measured(tap, c); x++) {
                to[x] = gf_canonical_double(to[x] + from[x * tap->channels + c]);
            }
        }
    }
}

/* ---- rows ---- */

static int64_t cells_across(int64_t width)
{
    return (width + GF_CELL_W - 1) / GF_CELL_W;
}

/* f32: [channels][height][cells across]. */
static double *cell_of(const struct gf_cpu_tap *tap, int32_t c, int64_t y, int64_t cell)
{
    return tap->cells + (c * tap->height + y) * cells_across(tap->width) + cell;
}

static void fold_row(const struct gf_cpu_tap *tap, const float *row, const struct gf_cpu_piece *at)
{
    bool nan = false;
    for (int64_t x = at->x, end = at->x + at->n; x < end;) {
        double sums[GF_MAX_CHANNELS];
        int64_t first = x % GF_CELL_W, left = end - x;
        int64_t n = left < GF_CELL_W - first ? left : GF_CELL_W - first;
        nan |= tap->rows->f32_fold(row + (x - at->x) * tap->channels, first, n, tap->channels, sums);
        for (int32_t c = 0; c < tap->channels; c++) {
            *cell_of(tap, c, at->y, x / GF_CELL_W) = sums[c];
        }
        x += n;
    }
    if (nan) {
        count_nan(tap, row, at);
    }
}

static void add_rows(const struct gf_cpu_tap *tap, const void *row, const struct gf_cpu_piece *at)
{
    uint64_t sums[GF_MAX_CHANNELS] = {0};
    if (tap->depth == GF_F32) {
        fold_row(tap, row, at);
        return;
    }
    tap->rows->int_sums(row, tap->depth == GF_U16, at->n, tap->channels, sums);
    for (int32_t c = 0; c < tap->channels; c++) {
        if (is_measured(tap, c)) {
            add(&channel_of(tap, c)[tap->top + at->y], sums[c]);
        }
    }
}

/* f32: the cells of each row that the region has. Those beside it hold nothing. */
static void finish_rows(const struct gf_cpu_tap *tap)
{
    int64_t first = tap->roi.x / GF_CELL_W, end = cells_across(tap->roi.x + tap->roi.w);
    for (int32_t c = 0; c < tap->channels; c++) {
        double *to = (double *)(void *)channel_of(tap, c);
        for (int64_t y = tap->roi.y; y < tap->roi.y + tap->roi.h && is_measured(tap, c); y++) {
            double *cells = cell_of(tap, c, y, 0);
            memset(cells, 0, (size_t)first * sizeof *cells);
            memset(cells + end, 0, (size_t)(cells_across(tap->width) - end) * sizeof *cells);
            to[tap->top + y] = gf_cpu_fold_cells(cells, cells_across(tap->width));
        }
    }
}

/* ---- the tap ---- */

static void profile_row(const struct gf_cpu_tap *tap, void *state, const void *row,
                        const struct gf_cpu_piece *at)
{
    if (tap->tap->of_rows) {
        add_rows(tap, row, at);
    } else {
        add_columns(tap, state, row, at);
    }
}

static void merge(const struct gf_cpu_tap *tap, void *state)
{
    (void)tap, (void)state; /* tiles have added theirs */
}

static void finish(const struct gf_cpu_tap *tap)
{
    if (tap->depth == GF_F32 && tap->tap->of_rows) {
        finish_rows(tap);
    } else if (tap->depth == GF_F32) {
        finish_columns(tap);
    }
}

static size_t bytes(const struct gf_pass *pass, const struct gf_tap *tap, int64_t strip)
{
    size_t samples = (size_t)strip * (size_t)pass->post.channels_out;
    return tap->of_rows ? 0 : sizeof(struct columns) + samples * (sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t cell_bytes(const struct gf_pass *pass, const struct gf_tap *tap)
{
    int64_t cells = tap->of_rows ? cells_across(pass->width) * pass->height
                                 : (pass->height + GF_CELL_H - 1) / GF_CELL_H * pass->width;
    return (size_t)(cells * pass->post.channels_out) * sizeof(double);
}

static const struct gf_cpu_measure measure = {.bytes = bytes,
                                              .row = profile_row,
                                              .merge = merge,
                                              .finish = finish,
                                              .end_cells = end_cells,
                                              .cell_bytes = cell_bytes,
                                              .by_place = true,
                                              .end_tile = end_tile};

const struct gf_kernel gf_kernel_profile = {
    .name = "profile",
    .kind = GF_KERNEL_TAP,
    .words = "add up",
    .tap = {.block_depth = GF_U64,
            .work = {GF_WORK_STATS_INT, GF_WORK_STATS_INT, GF_WORK_STATS_F32},
            .cpu = &measure,
            .cuda = gf_cuda_measure_profile,
            .by_cells = true},
    .judge = gf_judge_profile,
};
