/* clahe on the CPU, a channel after the other: threads count tiles and make their tables, then mix rows. For
 * u8 the tables of four neighbours are one of words, made anew at each row of tiles. */
#include "base/gf_border.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "pixel/cpu/cpu_rows.h"
#include "pixel/ir/solve.h"
#include "pixel/whole/clahe/clahe.h"

#include <string.h>

enum {
    COPIES = 4,    /* of the counts of u8: repeated values do not wait for each other */
    MORE_BINS = 3, /* behind those of f32: below, above, NaN */
    PIECE = 1024   /* pixels whose bins are found at once */
};

struct work {
    const struct gf_apply_run *run;
    const struct gf_cpu_rows *rows;
    struct gf_clahe_args args;
    const struct gf_value *in;
    int32_t channel, bins;
    bool copies;     /* rows are copied first: this is the first channel of several */
    float lo, scale; /* f32: of bins */
    float inverse_x, inverse_y;
    int64_t first_x[GF_CLAHE_MOST_TILES + 2], first_y[GF_CLAHE_MOST_TILES + 2]; /* pixels of cells */
    unsigned char *tables; /* [tiles][bins + MORE_BINS], samples */
    float *part;           /* of each column */
    unsigned char *own;    /* of threads, own_size bytes each */
    size_t own_size;
};

static size_t table_size(const struct work *work)
{
    return (size_t)(work->bins + MORE_BINS) * gf_depth_size(work->in->depth);
}

static void *table_of(const struct work *work, int32_t across, int32_t down)
{
    return work->tables + (size_t)(down * work->args.across + across) * table_size(work);
}

static const char *row_at(const struct work *work, int64_t y)
{
    return (const char *)work->run->in[0].data + y * work->run->in[0].pitch;
}

/* ---- tables ---- */

static void count_bytes(const uint8_t *row, int64_t n, uint32_t *counts)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, row + i, sizeof word);
        counts[word & 255]++;
        counts[256 + (word >> 8 & 255)]++;
        counts[512 + (word >> 16 & 255)]++;
        counts[768 + (word >> 24 & 255)]++;
        counts[word >> 32 & 255]++;
        counts[256 + (word >> 40 & 255)]++;
        counts[512 + (word >> 48 & 255)]++;
        counts[768 + (word >> 56)]++;
    }
    for (; i < n; i++) {
        counts[row[i]]++;
    }
}

/* Pixels [x, end) of a row, all inside the picture. */
static void count_row(const struct work *work, const char *row, int64_t x, int64_t end, uint32_t *counts)
{
    const int32_t channels = work->in->channels;
    if (work->in->depth == GF_U8 && channels == 1) {
        count_bytes((const uint8_t *)row + x, end - x, counts);
        return;
    }
    if (work->in->depth == GF_F32) {
        int32_t bins[PIECE];
        for (int64_t n = 0; x < end; x += n) {
            n = end - x < PIECE ? end - x : PIECE;
            work->rows->f32_bins((const float *)row + x * channels + work->channel, bins, n, channels,
                                 work->lo, work->scale, work->bins);
            for (int64_t i = 0; i < n; i++) {
                counts[bins[i]]++;
            }
        }
        return;
    }
    for (; x < end; x++) {
        const int64_t i = x * channels + work->channel;
        counts[work->in->depth == GF_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i]]++;
    }
}

/* Samples of a tile by bin; returns how many there are. */
static uint32_t count_tile(const struct work *work, int32_t across, int32_t down, uint32_t *counts)
{
    const int64_t left = across * work->args.tile_w, right = left + work->args.tile_w;
    const int64_t top = down * work->args.tile_h, width = work->in->width;
    const int32_t bins = work->bins;
    memset(counts, 0, (size_t)(bins == 256 ? COPIES * 256 : bins + MORE_BINS) * sizeof *counts);
    for (int64_t y = top; y < top + work->args.tile_h; y++) {
        const char *row = row_at(work, gf_border_index(y, work->in->height, GF_BORDER_REFLECT101));
        if (left < width) {
            count_row(work, row, left, right < width ? right : width, counts);
        }
        for (int64_t x = left > width ? left : width; x < right - GF_FAULT(clahe_extended); x++) {
            const int64_t inside = gf_border_index(x, width, GF_BORDER_REFLECT101);
            count_row(work, row, inside, inside + 1, counts);
        }
    }
    const uint32_t area = (uint32_t)(work->args.tile_w * work->args.tile_h);
    if (bins == 256) {
        for (int32_t i = 0; i < 256; i++) {
            counts[i] += counts[256 + i] + counts[512 + i] + counts[768 + i];
        }
        return area;
    }
    counts[0] += counts[bins]; /* below: infinite */
    counts[bins - 1] += counts[bins + 1];
    return area - counts[bins + 2];
}

static void make_table(const struct work *work, const uint32_t *counts, uint32_t n, void *table)
{
    const int32_t bins = work->bins;
    const float scale = (float)gf_depth_white(work->in->depth) / (float)n;
    uint32_t over = 0, sum = 0, limit = gf_clahe_limit(work->args.clip, n, bins);
    for (int32_t i = 0; i < bins; i++) {
        over += counts[i] > limit ? counts[i] - limit : 0;
    }
    const struct gf_clahe_share share = gf_clahe_share_make(limit, over, bins);
    for (int32_t i = 0; i < bins; i++) {
        sum += gf_clahe_clipped(&share, counts[i], i);
        const float entry = gf_clahe_entry(sum, scale, n, i);
        if (work->in->depth == GF_U8) {
            ((uint8_t *)table)[i] = gf_quantise_u8(entry);
        } else if (work->in->depth == GF_U16) {
            ((uint16_t *)table)[i] = gf_quantise_u16(entry);
        } else {
            ((float *)table)[i] = entry;
        }
    }
    if (work->in->depth == GF_F32) {
        float *more = (float *)table + bins;
        more[0] = ((float *)table)[0];
        more[1] = ((float *)table)[bins - 1];
        more[2] = gf_bits_float(GF_CANONICAL_NAN);
    }
}

static void make_tables(void *argument, int i, int n)
{
    const struct work *work = argument;
    const int32_t tiles = work->args.across * work->args.down;
    uint32_t *counts = (uint32_t *)(work->own + (size_t)i * work->own_size);
    for (int32_t t = tiles * i / n; t < tiles * (i + 1) / n; t++) {
        const int32_t across = t % work->args.across, down = t / work->args.across;
        const uint32_t counted = count_tile(work, across, down, counts);
        make_table(work, counts, counted, table_of(work, across, down));
    }
}

/* ---- cells ---- */

/* The pixels of a thread's rows that lie between the middles of four tiles. */
struct cell {
    const void *tables[4]; /* of the tiles, a, b, c, d */
    const uint32_t *quads; /* of u8 instead */
    int64_t x, n, y, end;
    int32_t down;
};

static struct cell cell_at(const struct work *work, int32_t across, int32_t down)
{
    const int32_t left = across > 0 ? across - 1 : 0, above = down > 0 ? down - 1 : 0;
    const int32_t right = across < work->args.across ? across : work->args.across - 1;
    const int32_t below = down < work->args.down ? down : work->args.down - 1;
    return (struct cell){.tables = {table_of(work, left, above), table_of(work, right, above),
                                    table_of(work, left, below), table_of(work, right, below)},
                         .x = work->first_x[across],
                         .n = work->first_x[across + 1] - work->first_x[across],
                         .down = down};
}

static void make_quads(const struct cell *cell, uint32_t *quads)
{
    const uint8_t *a = cell->tables[0], *b = cell->tables[1], *c = cell->tables[2], *d = cell->tables[3];
    for (int32_t i = 0; i < 256; i++) {
        quads[i] = (uint32_t)a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16 | (uint32_t)d[i] << 24;
    }
}

/* A row of the cell, samples side by side; for f32 `in` is the picture as it is. */
static void mix(const struct work *work, const struct cell *cell, int64_t y, const void *in, void *out)
{
    const float part_y = gf_clahe_part((float)y, work->inverse_y, cell->down), *part = work->part + cell->x;
    const void *const *t = cell->tables;
    if (work->in->depth == GF_U8) {
        work->rows->clahe_u8(in, out, cell->n, cell->quads, part, part_y);
        return;
    }
    if (work->in->depth == GF_U16) {
        const uint16_t *const tables[4] = {t[0], t[1], t[2], t[3]};
        work->rows->clahe_u16(in, out, cell->n, tables, part, part_y);
        return;
    }
    const float *const tables[4] = {t[0], t[1], t[2], t[3]};
    for (int64_t i = 0; i < cell->n; i += PIECE) {
        int32_t bins[PIECE];
        const int64_t some = cell->n - i < PIECE ? cell->n - i : PIECE;
        const float *v = (const float *)in + i * work->in->channels + work->channel;
        work->rows->f32_bins(v, bins, some, work->in->channels, work->lo, work->scale, work->bins);
        work->rows->clahe_f32(bins, (float *)out + i, some, tables, part + i, part_y);
    }
}

/* n samples of `size` bytes, so many bytes apart. */
static void move(const char *from, size_t step_from, char *to, size_t step_to, int64_t n, size_t size)
{
    for (int64_t i = 0; i < n; i++, from += step_from, to += step_to) {
        memcpy(to, from, size);
    }
}

/* Branches by the size of a sample, so that what is copied is a constant. */
static void move_samples(const char *from, size_t step_from, char *to, size_t step_to, int64_t n, size_t size)
{
    if (size == 1) {
        move(from, step_from, to, step_to, n, 1);
    } else if (size == 2) {
        move(from, step_from, to, step_to, n, 2);
    } else {
        move(from, step_from, to, step_to, n, 4);
    }
}

/* line: room for two rows of the cell. */
static void mix_cell(const struct work *work, const struct cell *cell, char *line)
{
    const size_t size = gf_depth_size(work->in->depth), pixel = size * (size_t)work->in->channels;
    const size_t at = (size_t)work->channel * size;
    char *made = line + (size_t)cell->n * size;
    for (int64_t y = cell->y; y < cell->end; y++) {
        const char *in = row_at(work, y) + (size_t)cell->x * pixel;
        char *out = (char *)work->run->out[0].data + y * work->run->out[0].pitch + (size_t)cell->x * pixel;
        if (work->in->channels == 1) {
            mix(work, cell, y, in, out);
            continue;
        }
        if (work->copies) {
            memcpy(out, in, (size_t)cell->n * pixel);
        }
        if (work->in->depth == GF_F32) {
            mix(work, cell, y, in, made);
        } else {
            move_samples(in + at, pixel, line, size, cell->n, size);
            mix(work, cell, y, line, made);
        }
        move_samples(made, size, out + at, pixel, cell->n, size);
    }
}

static void mix_rows(void *argument, int i, int n)
{
    const struct work *work = argument;
    const int64_t first = work->in->height * i / n, end = work->in->height * (i + 1) / n;
    uint32_t *quads = (uint32_t *)(work->own + (size_t)i * work->own_size);
    for (int32_t down = 0; down <= work->args.down; down++) {
        const int64_t top = work->first_y[down], bottom = gf_least(end, work->first_y[down + 1]);
        for (int32_t across = 0; across <= work->args.across && bottom > first; across++) {
            struct cell cell = cell_at(work, across, down);
            cell.y = top > first ? top : first;
            cell.end = bottom;
            cell.quads = quads;
            if (work->in->depth == GF_U8 && cell.end > cell.y) {
                make_quads(&cell, quads);
            }
            mix_cell(work, &cell, (char *)(quads + 256));
        }
    }
}

/* ---- the whole ---- */

static int part_count(const struct gf_apply_run *run)
{
    const int64_t height = run->in_values[0].height;
    return height < run->threads ? (int)height : run->threads;
}

/* Bytes that each thread has: counts of a tile, or lines and quads. */
static size_t own_size(const struct work *work)
{
    const size_t row = (size_t)work->in->width * gf_depth_size(work->in->depth);
    const size_t counts = (size_t)(work->bins == 256 ? COPIES * 256 : work->bins + MORE_BINS) * 4;
    const size_t lines = 2 * row + 256 * sizeof(uint32_t);
    return ((counts > lines ? counts : lines) + 63) / 64 * 64;
}

static struct work begin(const struct gf_apply_run *run)
{
    struct work work = {.run = run, .rows = gf_cpu_rows_best(), .in = &run->in_values[0]};
    gf_args_get(&run->apply->args, &work.args, sizeof work.args);
    work.bins = gf_clahe_bins(work.in->depth);
    work.inverse_x = 1.0F / (float)work.args.tile_w;
    work.inverse_y = 1.0F / (float)work.args.tile_h;
    work.own_size = own_size(&work);
    return work;
}

static size_t clahe_scratch(const struct gf_apply_run *run)
{
    if (run->queue.device >= 0) {
        return gf_clahe_cuda_scratch(run);
    }
    const struct work work = begin(run);
    const size_t tiles = (size_t)work.args.across * (size_t)work.args.down;
    return work.own_size * (size_t)part_count(run) + (size_t)work.in->width * sizeof(float) +
           tiles * table_size(&work);
}

static gf_status clahe_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct work work = begin(run);
    const float *range = run->in[1].data;
    const int64_t width = work.in->width;
    const uint32_t all = (1U << work.in->channels) - 1;
    work.own = run->scratch;
    work.part = (float *)(work.own + work.own_size * (size_t)part_count(run));
    work.tables = (unsigned char *)(work.part + width);
    gf_clahe_cells(work.args.across, work.args.tile_w, width, work.inverse_x, work.first_x);
    gf_clahe_cells(work.args.down, work.args.tile_h, work.in->height, work.inverse_y, work.first_y);
    for (int64_t x = 0; x < width; x++) {
        work.part[x] = gf_clahe_part((float)x, work.inverse_x, gf_clahe_cell((float)x, work.inverse_x));
    }
    work.copies = (work.args.mask & all) != all;
    for (; work.channel < work.in->channels; work.channel++) {
        if (!(work.args.mask >> work.channel & 1)) {
            continue;
        }
        if (work.in->depth == GF_F32) {
            const float hi = range[2 * work.channel + 1];
            work.lo = range[2 * work.channel];
            work.scale = gf_range_scale(work.lo, hi, work.bins);
        }
        gf_team_run(run->team, part_count(run), make_tables, &work);
        gf_team_run(run->team, part_count(run), mix_rows, &work);
        work.copies = false;
    }
    return GF_OK;
}

static void clahe_works(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                        double amounts[GF_WORKS])
{
    struct gf_clahe_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const double channels = __builtin_popcount(args.mask & ((1U << in->channels) - 1));
    (void)out;
    amounts[GF_WORK_CLAHE_BIN] += channels * args.across * args.down * gf_clahe_bins(in->depth);
    amounts[GF_WORK_CLAHE_MIX] += channels * (double)in->width * (double)in->height;
}

const struct gf_kernel gf_kernel_clahe = {
    .name = "clahe",
    .kind = GF_KERNEL_WHOLE,
    .words = "tiles equalised, their tables mixed by place",
    .apply = {.cpu = clahe_cpu, .cuda = gf_clahe_cuda, .scratch = clahe_scratch, .works = clahe_works},
    .judge = gf_judge_clahe,
};
