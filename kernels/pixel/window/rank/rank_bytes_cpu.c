/* Ranks of u8 on the CPU, at a cost that hardly depends on the radius: columns of 2 radius_y + 1 bytes are
 * counted, and windows are sums of such columns (rank_rows_search.h). State: a ring of lines, and the
 * columns' counts. */
#include "pixel/window/rank/rank_cpu.h"

#include "base/cpu_level.h"

#include <string.h>

static bool is_thin(const struct gf_cpu_window *window)
{
    return window->radius_y <= GF_RANK_THIN;
}

static size_t line_bytes(int64_t line_samples)
{
    return gf_cpu_padded((size_t)line_samples);
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)samples;
    const size_t columns = is_thin(window) ? 0 : (size_t)line_samples * GF_RANK_COLUMN * sizeof(uint16_t);
    return (size_t)(2 * window->radius_y + 1) * line_bytes(line_samples) + columns;
}

static uint8_t *ring_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const int64_t rows = 2 * tile->plan->window.radius_y + 1;
    return (uint8_t *)tile->state +
           (size_t)gf_rank_slot(tile, v, rows) * line_bytes(gf_cpu_line_samples(tile));
}

static uint16_t *columns_of(const struct gf_cpu_tile *tile)
{
    const size_t rows = (size_t)(2 * tile->plan->window.radius_y + 1);
    return (uint16_t *)(void *)((char *)tile->state + rows * line_bytes(gf_cpu_line_samples(tile)));
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const int64_t line = gf_cpu_line_samples(tile), first = tile->y0 - window->radius_y;
    uint8_t *row = ring_row(tile, v);
    if (!is_thin(window)) {
        if (v == first) {
            memset(columns_of(tile), 0, (size_t)line * GF_RANK_COLUMN * sizeof(uint16_t));
        }
        const bool full = v - first > 2 * window->radius_y;
        GF_LEVEL_BEST(&gf_rank_rows)->count(columns_of(tile), tile->line, full ? row : NULL, line);
    }
    memcpy(row, tile->line, (size_t)line);
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const struct gf_rank_args args = gf_rank_args_of(&tile->plan->pass->window);
    const int32_t channels = tile->plan->pass->window.channels_in;
    struct gf_rank_search search = {.columns = is_thin(window) ? NULL : columns_of(tile),
                                    .radius_x = args.radius_x,
                                    .radius_y = args.radius_y,
                                    .pixels = tile->x1 - tile->x0,
                                    .channels = channels,
                                    .index = (uint32_t)args.index,
                                    .n = (uint32_t)args.n};
    for (int64_t r = 0; is_thin(window) && r <= 2 * args.radius_y; r++) {
        search.rows[r] = ring_row(tile, y - args.radius_y + r);
    }
    GF_LEVEL_BEST(&gf_rank_rows)->search(&search, out, NULL);
}

void gf_rank_by_bytes(struct gf_cpu_window *window)
{
    enum { CACHE = 320 * 1024 }; /* columns are gone through again and again */
    window->state_bytes = state_bytes;
    window->ring_budget = gf_rank_budget(window, CACHE);
    window->feed = feed;
    window->emit = emit;
}
