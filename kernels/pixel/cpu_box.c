/* Box means on the CPU, at a cost that does not depend on the radius.
 *
 * Integers: horizontal running sums, and a row of vertical running sums to which the row that enters is
 * added and from which the row that leaves is subtracted; exact modulo a power of 2 wherever they start, so
 * that they are as narrow as the largest sum allows. State: ring of w + 1 rows, the row of sums.
 *
 * f32: a running sum would depend on where it started. Instead blocks of w virtual rows anchored at
 * multiples of w, as horizontally: the window of y begins at row a = y - r; it is the end of a's block plus
 * the beginning of the next. The ring holds the block that a is in as sums from each row to the block's
 * end, and, in the rows that a has passed, the next block as it comes in. State: ring of w rows, the
 * running beginning, two lines for the horizontal pass. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/cpu_pass.h"

#include <string.h>

static int64_t width_y(const struct gf_cpu_window *window)
{
    return 2 * window->radius_y + 1;
}

/* Rows of a ring; of integers one leaves while another enters. */
static int64_t ring_rows(const struct gf_cpu_window *window)
{
    return width_y(window) + (window->line != GF_F32);
}

static size_t row_bytes(const struct gf_cpu_tile *tile)
{
    return gf_cpu_padded((size_t)tile->samples * tile->plan->window.row_size);
}

static void *ring_row(const struct gf_cpu_tile *tile, int64_t v)
{
    return (char *)tile->state + (size_t)gf_modulo(v, ring_rows(&tile->plan->window)) * row_bytes(tile);
}

/* The row behind the ring: integer sums, or the running beginning of a block. */
static void *sums_row(const struct gf_cpu_tile *tile)
{
    return (char *)tile->state + (size_t)ring_rows(&tile->plan->window) * row_bytes(tile);
}

/* ---- integers ---- */

static size_t integer_state(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)line_samples;
    return (size_t)ring_rows(window) * gf_cpu_padded((size_t)samples * window->row_size) +
           gf_cpu_padded((size_t)samples * window->sum_size);
}

static void integer_feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    void *sums = sums_row(tile);
    void *row = ring_row(tile, v);
    int64_t first = tile->y0 - window->radius_y;
    bool leaves = v - width_y(window) >= first + GF_FAULT(box_drift);

    if (v == first) {
        memset(sums, 0, (size_t)tile->samples * window->sum_size);
    }
    int32_t channels = plan->pass->window.channels_in;
    for (int i = 0; i < tile->n_parts; i++) {
        struct gf_cpu_part part = tile->parts[i];
        size_t at = (size_t)(part.from * channels);
        plan->rows->box_across(window->line, part.line, (char *)row + at * window->row_size, window->row_size,
                               part.n, channels, 2 * window->radius_x + 1,
                               (const char *)tile->ahead + at * gf_depth_size(window->line));
    }
    plan->rows->box_down(sums, window->sum_size, row, leaves ? ring_row(tile, v - width_y(window)) : NULL,
                         window->row_size, tile->samples);
}

static void integer_emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    (void)y;
    if (window->sum_size == sizeof(uint16_t)) {
        plan->rows->mean16(sums_row(tile), out, tile->samples, window->divider16);
    } else if (window->sum_size == sizeof(uint32_t)) {
        plan->rows->mean32(sums_row(tile), out, window->line, tile->samples, window->divider32);
    } else {
        plan->rows->mean64(sums_row(tile), out, window->line, tile->samples, window->divider);
    }
}

/* Sums of 16, 32 or 64 bits, where they and a divider fit, and rows of no more; no divider beyond 2^62. */
static bool choose_sums(struct gf_cpu_window *window, uint64_t white)
{
    uint64_t across = 2 * (uint64_t)window->radius_x + 1;
    uint64_t down = (uint64_t)width_y(window);
    if (across > UINT64_MAX / white / down) {
        return false;
    }
    uint64_t area = across * down;
    uint64_t largest = area * white;
    bool narrow = white == 255 && across * white <= UINT16_MAX;
    window->row_size = narrow ? sizeof(uint16_t) : sizeof(uint32_t);
    if (narrow && largest <= UINT16_MAX &&
        gf_divider16_make((uint32_t)area, (uint32_t)largest, &window->divider16)) {
        window->sum_size = sizeof(uint16_t);
        return true;
    }
    if (largest <= UINT32_MAX && gf_divider32_make((uint32_t)area, (uint32_t)largest, &window->divider32)) {
        window->sum_size = sizeof(uint32_t);
        return true;
    }
    window->row_size = window->sum_size = sizeof(uint64_t);
    return gf_divider_make(area, largest, &window->divider);
}

/* ---- f32 ---- */

static size_t float_state(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    return (size_t)(width_y(window) + 1) * gf_cpu_padded((size_t)samples * sizeof(float)) +
           2 * sizeof(float) * (size_t)line_samples;
}

/* Turns rows [v, end of v's block] of the ring into sums from each to the block's end. */
static void sum_backwards(const struct gf_cpu_tile *tile, int64_t v)
{
    int64_t w = width_y(&tile->plan->window);
    int64_t last = v - gf_modulo(v, w) + w - 1;
    for (int64_t i = last - 1; i >= v; i--) {
        float *row = ring_row(tile, i);
        tile->plan->rows->f32_add(row, ring_row(tile, i + 1), row, tile->samples);
    }
}

static void float_feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    int64_t w = width_y(window);
    float *row = ring_row(tile, v);
    float *beginning = sums_row(tile);
    float *work = (float *)(void *)((char *)beginning + row_bytes(tile));

    plan->rows->box_across_f32(tile->line, row, work, tile->x0 - window->radius_x, tile->x1 - tile->x0,
                               plan->pass->window.channels_in, 2 * window->radius_x + 1);
    int64_t first = tile->y0 - window->radius_y; /* the first row that this tile feeds */
    if (gf_modulo(v, w) == 0 || v == first) {
        memcpy(beginning, row, (size_t)tile->samples * sizeof *row);
    } else {
        plan->rows->f32_add(beginning, row, beginning, tile->samples);
    }
    /* Complete blocks, and the part of the first block that this tile reads, are summed backwards once
     * their last row is here. For a whole block `beginning` is its sum and stays for the next emit. */
    if (gf_modulo(v, w) == w - 1) {
        int64_t block = v - w + 1;
        sum_backwards(tile, block > first ? block : first);
    }
}

static void float_emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    int64_t a = y - plan->window.radius_y;
    float area = (float)((2 * plan->window.radius_x + 1) * width_y(&plan->window));

    if (gf_modulo(a, width_y(&plan->window)) == 0) {
        memcpy(out, sums_row(tile), (size_t)tile->samples * sizeof(float));
    } else {
        plan->rows->f32_add(ring_row(tile, a), sums_row(tile), out, tile->samples);
    }
    plan->rows->f32_divide(out, tile->samples, area);
}

gf_status gf_box_describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    const struct gf_window *w = &pass->window;
    bool integers = w->depth_in == GF_U8 || w->depth_in == GF_U16;

    if (w->depth_in != w->depth_out || (!integers && w->depth_in != GF_F32)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "box windows do not turn %s into %s",
                       gf_depth_name(w->depth_in), gf_depth_name(w->depth_out));
    }
    window->line = w->depth_in;
    window->radius_x = w->args.box.radius_x;
    window->radius_y = w->args.box.radius_y;
    window->ring_budget = 32 * 1024 * 1024;
    window->state_bytes = integers ? integer_state : float_state;
    window->row_size = sizeof(float);
    window->in_parts = integers;
    window->feed = integers ? integer_feed : float_feed;
    window->emit = integers ? integer_emit : float_emit;
    if (integers && !choose_sums(window, w->depth_in == GF_U8 ? 255 : 65535)) {
        return gf_fail(error, GF_ERROR_LIMIT, "a box of radius %d and %d has a sum beyond 2^62",
                       (int)w->args.box.radius_x, (int)w->args.box.radius_y);
    }
    return GF_OK;
}
