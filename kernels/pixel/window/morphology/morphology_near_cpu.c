/* Rectangles of few rows on the CPU: down first, then across.
 *
 * A block of as many rows as the window has is made at once, from rows that lie where they are in the
 * picture, or in a ring where the window does not read the picture's own samples. Each is the least from it
 * to the block's end, and of what follows there (van Herk, Gil and Werman), some columns at a time, so that
 * nothing is kept between blocks. Across, morphology_cpu.c. State: the block, the ring, what lies outside the
 * picture, where rows lie, a row of keys, two pieces. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/ir/program.h"
#include "pixel/window/morphology/morphology_cpu.h"

#include <string.h>

/* Up to here a block's rows and what is made of them stay in the first cache, a few columns at a time, and
 * all of them in the second: narrower strips take longer. */
enum { MOST_ROWS = 64, MOST_COLUMNS = 512, MOST_BYTES = 512 * 1024 };

/* Does the window read rows where they lie? Only where what is outside is known without them. */
static bool reads_picture(const struct gf_cpu_window *window)
{
    const struct gf_pass *pass = window->pass;
    const int border = pass->window.border;
    return gf_cpu_window_reads_picture(window) && window->line != GF_F32 &&
           (border == GF_BORDER_REPLICATE || border == GF_BORDER_CONSTANT);
}

static int64_t block_rows(const struct gf_pass *pass)
{
    return gf_least(gf_morphology_rows(pass), pass->height);
}

static int64_t ring_rows(const struct gf_cpu_window *window)
{
    return reads_picture(window) ? 0 : gf_morphology_rows(window->pass) + block_rows(window->pass);
}

static size_t line_bytes(const struct gf_cpu_window *window, int64_t line_samples)
{
    return gf_cpu_padded((size_t)line_samples * gf_least_size(window->line));
}

static size_t pointer_bytes(const struct gf_pass *pass)
{
    return gf_cpu_padded((size_t)(gf_morphology_rows(pass) + block_rows(pass)) * sizeof(void *));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    enum { OUTSIDE, BESIDE, KEYS, OTHERS };
    const int64_t rows = block_rows(window->pass) + ring_rows(window) + OTHERS;
    (void)samples;
    return (size_t)rows * line_bytes(window, line_samples) + pointer_bytes(window->pass) +
           2 * gf_morphology_piece(window->pass);
}

/* The parts of the state. */
struct near {
    size_t pitch; /* of all rows */
    char *block, *ring;
    char *outside, *beside; /* what rows and columns outside the picture have; the latter with all bits
                             * flipped where rows of the block are */
    char *keys;
    const void **rows;
    char *pieces;
};

static struct near parts_of(const struct gf_cpu_tile *tile)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    struct near near = {.pitch = line_bytes(window, gf_cpu_line_samples(tile)), .block = tile->state};
    near.ring = near.block + (size_t)block_rows(window->pass) * near.pitch;
    near.outside = near.ring + (size_t)ring_rows(window) * near.pitch;
    near.beside = near.outside + near.pitch;
    near.keys = near.beside + near.pitch;
    near.rows = (const void **)(void *)(near.keys + near.pitch);
    near.pieces = (char *)near.rows + pointer_bytes(window->pass);
    return near;
}

/* Row v of what the window reads, made in the ring. */
static void make_row(const struct gf_cpu_tile *tile, int64_t v, char *slot)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const int64_t radius = plan->window.radius_x;
    const bool keys = plan->window.line == GF_F32;
    gf_cpu_make_line(tile, v, tile->x0 - radius, tile->x1 + radius, keys ? tile->line : slot);
    if (keys) {
        plan->rows->f32_keys(tile->line, (uint32_t *)(void *)slot, gf_cpu_line_samples(tile), 0);
    }
}

/* Columns of the line that lie in the picture, or all where rows are made. */
static void columns_of(const struct gf_cpu_tile *tile, int64_t *from, int64_t *to)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    *from = tile->x0 - window->radius_x;
    *to = tile->x1 + window->radius_x;
    if (reads_picture(window)) {
        *from = gf_greatest(*from, 0);
        *to = gf_least(*to, window->pass->width);
    }
}

/* What lies outside the picture: the fill, or what never is the least. */
static void make_outside(const struct gf_cpu_tile *tile, const struct near *near, uint32_t flip)
{
    const struct gf_window *window = &tile->plan->pass->window;
    const int64_t channels = window->channels_in;
    memset(near->outside, flip ? 0 : 0xff, near->pitch);
    for (int64_t i = 0; window->border == GF_BORDER_CONSTANT && i < gf_cpu_line_samples(tile); i++) {
        const float fill = gf_quantise_to(window->fill[i % channels], window->depth_in);
        if (tile->plan->window.line == GF_U8) {
            ((uint8_t *)near->outside)[i] = (uint8_t)fill;
        } else {
            ((uint16_t *)(void *)near->outside)[i] = (uint16_t)fill;
        }
    }
    for (size_t i = 0; i < near->pitch; i++) {
        near->beside[i] = (char)(near->outside[i] ^ (char)flip);
    }
}

/* Where row v lies, from column `from` on. */
static const void *row_at(const struct gf_cpu_tile *tile, const struct near *near, int64_t v, int64_t from)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    if (!reads_picture(window)) {
        return near->ring + (size_t)gf_modulo(v, ring_rows(window)) * near->pitch;
    }
    const int64_t y = gf_border_index(v, window->pass->height, window->pass->window.border);
    return y < 0 ? near->outside : gf_cpu_source(tile, from, y);
}

/* Rows y and on of the block, each the least of its columns of the window. */
static void make_block(const struct gf_cpu_tile *tile, const struct near *near, int64_t y)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const struct gf_morphology_args args = gf_morphology_args_of(&window->pass->window);
    const size_t size = gf_least_size(window->line), channels = (size_t)window->pass->window.channels_in;
    const int64_t h = gf_morphology_rows(window->pass), m = gf_least(block_rows(window->pass), tile->y1 - y);
    const int64_t first = y - args.up - (args.down < args.up && GF_FAULT(least_late));
    int64_t from, to;
    columns_of(tile, &from, &to);

    if (y == tile->y0 && reads_picture(window)) {
        make_outside(tile, near, args.invert);
    }
    for (int64_t i = 0; i < h + m - 1; i++) {
        near->rows[i] = row_at(tile, near, first + i, from);
        if (!reads_picture(window) && (y == tile->y0 || i >= h - 1)) {
            make_row(tile, first + i, (char *)(uintptr_t)near->rows[i]);
        }
    }
    const size_t left = (size_t)(from - (tile->x0 - window->radius_x)) * channels * size;
    const size_t made = (size_t)(to - from) * channels * size;
    const size_t right = (size_t)gf_cpu_line_samples(tile) * size - left - made;
    gf_least_rows(tile->plan)
        ->down(near->rows, h, near->block + left, (int64_t)(near->pitch / size), m,
               (to - from) * (int64_t)channels, args.invert);
    for (int64_t i = 0; left + right > 0 && i < m; i++) {
        char *row = near->block + (size_t)i * near->pitch;
        memcpy(row, near->beside, left);
        memcpy(row + left + made, near->beside, right);
    }
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_morphology_args args = gf_morphology_args_of(&plan->pass->window);
    const int64_t number = (y - tile->y0) % block_rows(plan->pass);
    const int64_t skip = (plan->window.radius_x - args.left) * (int64_t)plan->pass->window.channels_in;
    const struct near near = parts_of(tile);
    const bool keys = plan->window.line == GF_F32;

    if (number == 0) {
        make_block(tile, &near, y);
    }
    /* The row is written faster than the processor would ask for it. */
    for (int64_t i = 0; i < tile->samples; i += 64) {
        __builtin_prefetch((const char *)out + i, 1);
    }
    const char *row =
        near.block + (size_t)number * near.pitch + (size_t)skip * gf_least_size(plan->window.line);
    gf_morphology_across(plan, row, keys ? near.keys : out, tile->samples, near.pieces, false, 0,
                         args.invert);
    if (keys) {
        plan->rows->keys_f32((const uint32_t *)(const void *)near.keys, out, tile->samples, 0);
    }
}

bool gf_morphology_by_blocks(struct gf_cpu_window *window)
{
    const struct gf_pass *pass = window->pass;
    const int64_t columns = 2 * window->radius_x + 1;
    const size_t state = state_bytes(window, 0, (pass->width + columns) * pass->window.channels_in);
    if (gf_morphology_rows(pass) > MOST_ROWS || columns > MOST_COLUMNS || state > MOST_BYTES) {
        return false;
    }
    window->state_bytes = state_bytes;
    window->feed = NULL;
    window->emit = emit;
    return true;
}
