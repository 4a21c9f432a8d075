/* Medians of 3 x 3 over rows where they lie in the picture: what sees no border is found of the picture
 * itself, and the pixels on the left and right of short rows that are put together. (Those of larger windows
 * take longer by short rows than what is saved.) State: those rows, what is found of them, the columns that
 * they take, a row of the constant border. */
#include "base/cpu_level.h"
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/ir/program.h"
#include "pixel/window/rank/rank_cpu.h"

#include <string.h>

enum {
    SIDE = 3, /* rows of a window, at most */
    COLUMNS =
        6 * (SIDE / 2), /* of a short row: `radius` pixels on each side, which see as many on either side */
    SHORT = COLUMNS * GF_MAX_CHANNELS * sizeof(uint16_t) + 64, /* bytes of it */
    LEAST_FOUND = 64 /* bytes of a vector, which take no longer than fewer */
};

struct beside {
    _Alignas(64) char rows[SIDE][SHORT];
    char found[SHORT];
    int64_t columns[COLUMNS]; /* -1: outside, where the border is constant */
    int64_t a, b;             /* pixels [a, b) of the tile see no border */
    int64_t left, n;          /* columns of the left side, and of both */
};

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)samples;
    return gf_cpu_padded(sizeof(struct beside)) +
           gf_cpu_padded((size_t)line_samples * gf_depth_size(window->line));
}

static char *outside_of(const struct gf_cpu_tile *tile)
{
    return (char *)tile->state + gf_cpu_padded(sizeof(struct beside));
}

static void add_columns(const struct gf_cpu_window *window, struct beside *beside, int64_t from, int64_t to)
{
    const struct gf_pass *pass = window->pass;
    for (int64_t x = from - window->radius_x; from < to && x < to + window->radius_x; x++) {
        beside->columns[beside->n++] = gf_border_index(x, pass->width, pass->window.border);
    }
}

static void begin_tile(const struct gf_cpu_tile *tile, struct beside *beside)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const struct gf_window *w = &window->pass->window;
    const int64_t radius = window->radius_x;
    beside->a = gf_least(tile->x1, gf_greatest(tile->x0, radius));
    beside->b = gf_greatest(beside->a, gf_least(tile->x1, window->pass->width - radius));
    beside->n = 0;
    add_columns(window, beside, tile->x0, beside->a);
    beside->left = beside->n;
    add_columns(window, beside, beside->b, tile->x1);
    for (int64_t i = 0; w->border == GF_BORDER_CONSTANT && i < gf_cpu_line_samples(tile); i++) {
        const float fill = gf_quantise_to(w->fill[i % w->channels_in], w->depth_in);
        if (window->line == GF_U8) {
            ((uint8_t *)outside_of(tile))[i] = (uint8_t)fill;
        } else {
            ((uint16_t *)(void *)outside_of(tile))[i] = (uint16_t)fill;
        }
    }
}

/* Row v of the picture from column 0 on, or NULL. */
static const char *row_of(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_pass *pass = tile->plan->pass;
    const int64_t y = gf_border_index(v, pass->height, pass->window.border);
    return y < 0 ? NULL : gf_cpu_source(tile, 0, y);
}

static inline __attribute__((always_inline)) void take_columns(const struct beside *beside, const char *row,
                                                               const char *outside, char *to, size_t pixel)
{
    for (int64_t i = 0; i < beside->n; i++) {
        const int64_t x = beside->columns[i];
        memcpy(to + (size_t)i * pixel, row && x >= 0 ? row + (size_t)x * pixel : outside, pixel);
    }
}

/* The pixels at the picture's left and right. */
static void find_beside(const struct gf_cpu_tile *tile, struct beside *beside, const char *const *rows,
                        void *out)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const int64_t r = window->radius_y, channels = window->pass->window.channels_in;
    const size_t size = gf_depth_size(window->line), pixel = size * (size_t)channels;
    const void *from[SIDE];
    for (int64_t i = 0; i <= 2 * r; i++) {
        char *to = beside->rows[i];
        from[i] = to;
        if (pixel == 1) {
            take_columns(beside, rows[i], outside_of(tile), to, 1);
        } else if (pixel == 3) {
            take_columns(beside, rows[i], outside_of(tile), to, 3);
        } else {
            take_columns(beside, rows[i], outside_of(tile), to, pixel);
        }
    }
    const int64_t n = gf_greatest((beside->n - 2 * r) * channels, LEAST_FOUND / (int64_t)size);
    GF_LEVEL_BEST(&gf_rank_rows)->median[window->line][r - 1](from, beside->found, n, channels, beside->rows);
    const size_t left = (size_t)(beside->a - tile->x0) * pixel,
                 right = (size_t)(tile->x1 - beside->b) * pixel;
    memcpy(out, beside->found, left);
    memcpy((char *)out + (size_t)(beside->b - tile->x0) * pixel, beside->found + (size_t)beside->left * pixel,
           right);
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const int64_t r = window->radius_y, channels = window->pass->window.channels_in;
    const size_t pixel = gf_depth_size(window->line) * (size_t)channels;
    struct beside *beside = tile->state;
    const char *rows[SIDE];
    const void *from[SIDE];
    if (y == tile->y0) {
        begin_tile(tile, beside);
    }
    const size_t begin = beside->a < beside->b ? (size_t)(beside->a - r) * pixel : 0;
    for (int64_t i = 0; i <= 2 * r; i++) {
        rows[i] = row_of(tile, y - r + i - (GF_FAULT(rank_row) && i == 2 * r));
        from[i] = rows[i] ? rows[i] + begin : outside_of(tile);
    }
    if (beside->a < beside->b) {
        const char *ahead = row_of(tile, y + r + 1);
        GF_LEVEL_BEST(&gf_rank_rows)
            ->median[window->line][r - 1](from, (char *)out + (size_t)(beside->a - tile->x0) * pixel,
                                          (beside->b - beside->a) * channels, channels,
                                          ahead ? ahead + begin : outside_of(tile));
    }
    if (beside->n > 0) {
        find_beside(tile, beside, rows, out);
    }
}

bool gf_rank_by_rows(struct gf_cpu_window *window)
{
    if (window->radius_y > SIDE / 2 || window->line == GF_F32 || !gf_cpu_window_reads_picture(window)) {
        return false;
    }
    window->state_bytes = state_bytes;
    window->feed = NULL;
    window->emit = emit;
    return true;
}
