/* Ranks of u16 and f32 on the CPU. So many rows of windows are made at a time (a chunk), from samples whose
 * distinct values are numbered in ascending order. Such a number is a code: one of 256 groups of equally
 * many, and a place in it. Groups are found as bytes are in rank_bytes_cpu.c. Then the counts of that group's
 * places are brought to the window, from where it was when they were last asked for, and searched.
 *
 * Memory: about 21 bytes a sample that windows of a chunk see, and the counts of columns. */
#include "pixel/window/rank/rank_codes_cpu.h"
#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/window/rank/rank_cpu.h"

#include <string.h>

enum { LEAST_CHUNK = 32, GROUPS = 256, KINDS_16 = 65536 };

static int64_t chunk_rows(const struct gf_cpu_window *window)
{
    const int64_t height = window->pass->height, radius = gf_rank_args_of(&window->pass->window).radius_y;
    const int64_t wanted = radius > LEAST_CHUNK ? radius : LEAST_CHUNK;
    return wanted < height ? wanted : height;
}

/* The parts of the state. */
struct layout {
    int64_t line, rows; /* samples of a line, rows that a chunk's windows see */
    int64_t stride;     /* samples from one column to the next */
    uint32_t *ring;     /* keys by rows */
    struct gf_rank_chunk *chunk;
    uint16_t *columns; /* counts of groups; not in thin windows */
    uint8_t *groups;   /* by columns */
    uint8_t *lines;    /* 2 GF_RANK_THIN + 1 rows of groups */
    uint8_t *found;    /* group of each sample of the row that is made, and its place */
    uint32_t *places;
    void *first, *second; /* what is sorted; then keys by code and codes by columns; counts */
    size_t bytes;
};

static struct layout layout_of(const struct gf_cpu_window *window, int64_t samples, int64_t line, void *state)
{
    const struct gf_rank_args args = gf_rank_args_of(&window->pass->window);
    const bool sorts = window->line == GF_F32;
    struct layout l = {.line = line, .rows = 2 * (int64_t)args.radius_y + chunk_rows(window)};
    char *next = state;
    l.stride = l.rows % 256 == 0 ? l.rows + 16 : l.rows; /* columns do not share the sets of the caches */
    const size_t all = (size_t)line * (size_t)l.rows, by_columns = (size_t)line * (size_t)l.stride;
    const size_t kinds = sorts ? all : KINDS_16;
    const size_t codes = (kinds + by_columns) * sizeof(uint32_t);
    const size_t counts = gf_rank_counts_bytes(kinds);
    const size_t sorted = sorts ? all * sizeof(uint64_t) : KINDS_16 * sizeof(uint32_t);
    const size_t thick = args.radius_y > GF_RANK_THIN ? (size_t)line * GF_RANK_COLUMN * sizeof(uint16_t) : 0;
    const size_t parts[] = {all * sizeof(uint32_t),
                            sizeof(struct gf_rank_chunk),
                            thick,
                            by_columns,
                            (2 * GF_RANK_THIN + 1) * gf_cpu_padded((size_t)line),
                            (size_t)samples,
                            (size_t)samples * sizeof(uint32_t),
                            codes > sorted ? codes : sorted,
                            counts > sorted ? counts : sorted};
    void *at[sizeof parts / sizeof *parts];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        at[i] = state ? next : NULL;
        next = state ? next + gf_cpu_padded(parts[i]) : next;
        l.bytes += gf_cpu_padded(parts[i]);
    }
    l.ring = at[0];
    l.chunk = at[1];
    l.columns = thick ? at[2] : NULL;
    l.groups = at[3];
    l.lines = at[4];
    l.found = at[5];
    l.places = at[6];
    l.first = at[7];
    l.second = at[8];
    return l;
}

static struct layout layout(const struct gf_cpu_tile *tile)
{
    return layout_of(&tile->plan->window, tile->samples, gf_cpu_line_samples(tile), tile->state);
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    return layout_of(window, samples, line_samples, NULL).bytes;
}

static uint32_t *ring_row(const struct gf_cpu_tile *tile, const struct layout *l, int64_t v)
{
    return l->ring + gf_rank_slot(tile, v, l->rows) * l->line;
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct layout l = layout(tile);
    uint32_t *keys = ring_row(tile, &l, v);
    if (tile->plan->window.line == GF_U16) {
        const uint16_t *from = tile->line;
        for (int64_t i = 0; i < l.line; i++) {
            keys[i] = from[i];
        }
    } else {
        const float *from = tile->line;
        for (int64_t i = 0; i < l.line; i++) {
            keys[i] = gf_float_key(from[i]);
        }
    }
}

/* ---- a chunk ---- */

/* The codes of the rows that windows of rows [y, y + m) see. */
static void make_codes(const struct gf_cpu_tile *tile, const struct layout *l, int64_t y, int64_t m)
{
    const int64_t radius = gf_rank_args_of(&tile->plan->pass->window).radius_y;
    const bool sorts = tile->plan->window.line == GF_F32;
    struct gf_rank_coding coding = {.line = l->line,
                                    .rows = 2 * radius + m,
                                    .stride = l->stride,
                                    .groups = l->groups,
                                    .keys = l->first,
                                    .codes = (uint32_t *)l->first + (sorts ? l->line * l->rows : KINDS_16)};
    if (sorts) {
        uint64_t *items = l->first;
        for (int64_t r = 0; r < coding.rows; r++) {
            items = gf_rank_items(&coding, ring_row(tile, l, y - radius + r), r, items);
        }
        gf_rank_code_sorted(&coding, l->first, l->second, l->chunk);
        return;
    }
    uint32_t *table = l->second;
    memset(table, 0, KINDS_16 * sizeof *table);
    for (int64_t r = 0; r < coding.rows; r++) {
        const uint32_t *keys = ring_row(tile, l, y - radius + r);
        for (int64_t i = 0; i < l->line; i++) {
            table[keys[i]] = 1;
        }
    }
    gf_rank_code_table(&coding, table, KINDS_16, l->chunk);
    for (int64_t r = 0; r < coding.rows; r++) {
        gf_rank_code_row(&coding, table, ring_row(tile, l, y - radius + r), r);
    }
}

/* Row r of the chunk's groups, as a line; for thin windows it stays until it has left them. */
static uint8_t *group_line(const struct layout *l, int64_t r, int64_t slot)
{
    uint8_t *line = l->lines + (size_t)slot * gf_cpu_padded((size_t)l->line);
    for (int64_t i = 0; i < l->line; i++) {
        line[i] = l->groups[i * l->stride + r];
    }
    return line;
}

/* Rows [k, k + 2 radius] of the chunk are what windows see; all but the last were seen before, but for k = 0.
 */
static void move_down(const struct layout *l, int64_t k, int64_t radius)
{
    const struct gf_rank_rows *rows = GF_LEVEL_BEST(&gf_rank_rows);
    if (k == 0 && l->columns) {
        memset(l->columns, 0, (size_t)l->line * GF_RANK_COLUMN * sizeof *l->columns);
    }
    for (int64_t r = k == 0 ? 0 : k + 2 * radius; r <= k + 2 * radius; r++) {
        if (l->columns) {
            const uint8_t *leave = k > 0 ? group_line(l, k - 1, 1) : NULL;
            rows->count(l->columns, group_line(l, r, 0), leave, l->line);
        } else {
            (void)group_line(l, r, r % (2 * GF_RANK_THIN + 1));
        }
    }
}

/* ---- places within groups ---- */

static uint32_t find_place(const struct gf_rank_counts *shape, const uint32_t *counts, uint32_t index)
{
    uint32_t at = 0;
    for (int32_t level = shape->levels - 1; level >= 0; level--) {
        for (at *= 16; counts[shape->at[level] + at] <= index; at++) {
            index -= counts[shape->at[level] + at];
        }
    }
    return at - (GF_FAULT(rank_place) && at > 0);
}

/* The windows of a row of a channel: keys of those whose group and place in it are found. */
struct windows {
    const struct layout *l;
    int64_t side, channels, channel, top, height; /* rows of the chunk that they see */
};

static void add_column(const struct windows *w, int64_t column, uint8_t group, uint32_t step)
{
    const struct layout *l = w->l;
    const int64_t at = (column * w->channels + w->channel) * l->stride + w->top;
    const uint32_t *codes = l->chunk->codes + at;
    const struct gf_rank_column of = {l->groups + at, codes, w->height};
    uint32_t *counts = (uint32_t *)l->second + group * l->chunk->shape.size;
    GF_LEVEL_BEST(&gf_rank_rows)->add(&of, group, &l->chunk->shape, counts, step);
}

static void find_keys(const struct windows *w, int64_t pixels, uint32_t *made)
{
    const struct gf_rank_chunk *chunk = w->l->chunk;
    int64_t last[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
        last[i] = -1;
    }
    for (int64_t x = 0; x < pixels; x++) {
        const int64_t i = x * w->channels + w->channel;
        const uint8_t group = w->l->found[i];
        uint32_t *counts = (uint32_t *)w->l->second + group * chunk->shape.size;
        if (last[group] < 0 || 2 * (x - last[group]) > w->side) {
            memset(counts, 0, chunk->shape.size * sizeof *counts);
            for (int64_t k = 0; k < w->side; k++) {
                add_column(w, x + k, group, 1);
            }
        } else {
            for (int64_t at = last[group]; at < x; at++) {
                add_column(w, at + w->side, group, 1);
                add_column(w, at, group, UINT32_MAX);
            }
        }
        last[group] = x;
        made[i] = chunk->keys[group * chunk->width + find_place(&chunk->shape, counts, w->l->places[i])];
    }
}

/* ---- rows ---- */

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const struct gf_rank_args args = gf_rank_args_of(&tile->plan->pass->window);
    const struct layout l = layout(tile);
    const int64_t channels = tile->plan->pass->window.channels_in, pixels = tile->x1 - tile->x0;
    const int64_t chunk = chunk_rows(window), k = (y - tile->y0) % chunk;
    if (k == 0 && (y == tile->y0 || !GF_FAULT(rank_chunk))) {
        make_codes(tile, &l, y, tile->y1 - y < chunk ? tile->y1 - y : chunk);
    }
    move_down(&l, k, args.radius_y);
    struct gf_rank_search search = {.columns = l.columns,
                                    .radius_x = args.radius_x,
                                    .radius_y = args.radius_y,
                                    .pixels = pixels,
                                    .channels = channels,
                                    .index = (uint32_t)args.index,
                                    .n = (uint32_t)args.n};
    for (int64_t r = 0; !l.columns && r <= 2 * args.radius_y; r++) {
        search.rows[r] = l.lines + (size_t)((k + r) % (2 * GF_RANK_THIN + 1)) * gf_cpu_padded((size_t)l.line);
    }
    GF_LEVEL_BEST(&gf_rank_rows)->search(&search, l.found, l.places);
    uint32_t *keys = window->line == GF_F32 ? out : l.places;
    for (int64_t c = 0; c < channels && l.chunk->width > 1; c++) {
        const struct windows w = {&l, 2 * (int64_t)args.radius_x + 1, channels, c,
                                  k,  2 * (int64_t)args.radius_y + 1};
        find_keys(&w, pixels, keys);
    }
    for (int64_t i = 0; i < tile->samples; i++) {
        const uint32_t key = l.chunk->width > 1 ? keys[i] : l.chunk->keys[l.found[i]];
        if (window->line == GF_F32) {
            ((float *)out)[i] = gf_key_float(key);
        } else {
            ((uint16_t *)out)[i] = (uint16_t)key;
        }
    }
}

void gf_rank_by_codes(struct gf_cpu_window *window)
{
    enum { CACHE = 2 << 20 };
    window->radius_y +=
        chunk_rows(window) - 1; /* what all rows of a chunk see is there before its first is made */
    window->state_bytes = state_bytes;
    window->ring_budget = gf_rank_budget(window, CACHE);
    window->feed = feed;
    window->emit = emit;
}
