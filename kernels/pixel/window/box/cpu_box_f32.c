/* Box means of f32 on the CPU: see cpu_box.c. */
#include "pixel/window/box/cpu_box.h"

#include <string.h>

static size_t float_state(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    return (size_t)(gf_box_rows(window) + 2) * gf_cpu_padded((size_t)samples * sizeof(float)) +
           2 * sizeof(float) * (size_t)line_samples;
}

/* Behind the running beginning: what a turn of the border adds down each column, then room for a row's sums.
 */
static float *turn_row(const struct gf_cpu_tile *tile)
{
    return (float *)(void *)((char *)gf_box_sums_row(tile) + gf_box_row_bytes(tile));
}

/* Returns what the turns along x add to each sum of channel c. */
static float float_turns(const struct gf_cpu_tile *tile, int32_t c)
{
    const struct gf_pass *pass = tile->plan->pass;
    const int border = pass->window.border;
    const float *line = tile->line;
    float sum = -0.0F; /* -0 + x is x, whatever x */
    if (border == GF_BORDER_CONSTANT) {
        sum = 2.0F * line[gf_box_line_at(tile, -1) + c];
    } else {
        for (int64_t i = 0; i < pass->width; i += gf_border_turn_step(pass->width, border)) {
            sum += (float)gf_border_turn(i, pass->width, border) * line[gf_box_line_at(tile, i) + c];
        }
    }
    return sum * (float)gf_box_turns(gf_box_args_of(tile)->turns_x);
}

static void float_turns_across(const struct gf_cpu_tile *tile, float *row)
{
    const int32_t channels = tile->plan->pass->window.channels_in;
    for (int32_t c = 0; c < channels; c++) {
        const float add = float_turns(tile, c);
        for (int64_t i = c; i < tile->samples; i += channels) {
            row[i] = row[i] + add;
        }
    }
}

static void add_to_turn(const struct gf_cpu_tile *tile, int64_t v, const float *row)
{
    float *turn = turn_row(tile);
    for (int64_t i = 0; v == tile->y0 - tile->plan->window.radius_y && i < tile->samples; i++) {
        turn[i] = -0.0F;
    }
    if (gf_box_turn_of_row(tile, v) > 0) {
        tile->plan->rows->f32_turn(turn, row, (float)gf_box_turn_of_row(tile, v), tile->samples);
    }
}

/* Turns rows [v, end of v's block] of the ring into sums from each to the block's end. */
static void sum_backwards(const struct gf_cpu_tile *tile, int64_t v)
{
    int64_t w = gf_box_rows(&tile->plan->window);
    int64_t last = v - gf_modulo(v, w) + w - 1;
    for (int64_t i = last - 1; i >= v; i--) {
        float *row = gf_box_ring_row(tile, i);
        tile->plan->rows->f32_add(row, gf_box_ring_row(tile, i + 1), row, tile->samples);
    }
}

static void float_feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    int64_t w = gf_box_rows(window);
    float *row = gf_box_ring_row(tile, v);
    float *beginning = gf_box_sums_row(tile);
    float *work = (float *)(void *)((char *)turn_row(tile) + gf_box_row_bytes(tile));

    plan->rows->box_across_f32(tile->line, row, work, tile->x0 - window->radius_x, tile->x1 - tile->x0,
                               plan->pass->window.channels_in, 2 * window->radius_x + 1);
    if (gf_box_args_of(tile)->turns_x > 0) {
        float_turns_across(tile, row);
    }
    if (gf_box_args_of(tile)->turns_y > 0) {
        add_to_turn(tile, v, row);
    }
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
    const struct gf_pass *pass = plan->pass;
    const struct gf_box_args *args = gf_box_args_of(tile);
    const int border = pass->window.border;
    float area = (float)(gf_box_width(args->radius_x, args->turns_x, pass->width, border) *
                         gf_box_width(args->radius_y, args->turns_y, pass->height, border));

    if (gf_modulo(a, gf_box_rows(&plan->window)) == 0) {
        memcpy(out, gf_box_sums_row(tile), (size_t)tile->samples * sizeof(float));
    } else {
        plan->rows->f32_add(gf_box_ring_row(tile, a), gf_box_sums_row(tile), out, tile->samples);
    }
    if (args->turns_y > 0) {
        plan->rows->f32_turn(out, turn_row(tile), (float)gf_box_turns(args->turns_y), tile->samples);
    }
    plan->rows->f32_divide(out, tile->samples, area);
}

/* ---- f32, a pass that was turned: axis 0 is along the line, axis 1 what comes first ---- */

static size_t upright_state(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)window;
    return 2 * sizeof(float) * (size_t)line_samples + gf_cpu_padded((size_t)samples * sizeof(float));
}

/* `first` plus, one after the other, n - 1 times `next`; from the left or, as ends of blocks, from the right.
 */
static void sum_same(const struct gf_cpu_tile *tile, const float *next, float *sum, int64_t n,
                     int64_t samples, bool backwards)
{
    for (int64_t i = 1; i < n; i++) {
        tile->plan->rows->f32_add(backwards ? next : sum, backwards ? sum : next, sum, samples);
    }
}

/* The line's samples become what their rows become: the end of a block of radius samples, the beginning of
 * the next one with the pixel, and turns. With a constant border the pixel alone is not the fill. */
static void upright_sums(const struct gf_cpu_tile *tile, float *line, int64_t n)
{
    enum { SAMPLES = 64 * GF_MAX_CHANNELS };
    const struct gf_pass *pass = tile->plan->pass;
    const struct gf_box_args *args = gf_box_args_of(tile);
    const struct gf_cpu_rows *rows = tile->plan->rows;
    const bool fills = pass->window.border == GF_BORDER_CONSTANT;
    const int64_t most = (int64_t)64 * pass->window.channels_in;
    float others[SAMPLES], end[SAMPLES];
    for (int64_t at = 0; at < n; at += most) {
        const int64_t m = n - at < most ? n - at : most;
        for (int64_t i = 0; i < m; i++) {
            others[i] = fills ? pass->window.fill[i % pass->window.channels_in] : line[at + i];
            end[i] = others[i];
        }
        sum_same(tile, others, end, args->radius_y, m, true);
        sum_same(tile, others, line + at, args->radius_y + 1, m, false);
        if (args->radius_y > 0) {
            rows->f32_add(end, line + at, line + at, m);
        }
        const float in_turn = fills ? 2.0F : (float)gf_border_turn(0, 1, pass->window.border);
        for (int64_t i = 0; args->turns_y > 0 && i < m; i++) {
            line[at + i] = line[at + i] + (float)gf_box_turns(args->turns_y) * (in_turn * others[i]);
        }
    }
}

static void upright_feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const int64_t radius = plan->window.radius_x, channels = plan->pass->window.channels_in;
    float *work = tile->state;
    float *row = work + 2 * (tile->samples + 2 * radius * channels);
    (void)v;
    upright_sums(tile, tile->line, tile->samples + 2 * radius * channels);
    plan->rows->box_across_f32(tile->line, row, work, tile->x0 - radius, tile->x1 - tile->x0,
                               (int32_t)channels, 2 * radius + 1);
    if (gf_box_args_of(tile)->turns_x > 0) {
        float_turns_across(tile, row);
    }
}

static void upright_emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_box_args *args = gf_box_args_of(tile);
    const int border = plan->pass->window.border;
    const float *row = (const float *)tile->state + 2 * gf_cpu_line_samples(tile);
    (void)y;
    memcpy(out, row, (size_t)tile->samples * sizeof *row);
    plan->rows->f32_divide(out, tile->samples,
                           (float)(gf_box_width(args->radius_x, args->turns_x, plan->pass->width, border) *
                                   gf_box_width(args->radius_y, args->turns_y, plan->pass->height, border)));
}

void gf_box_f32_describe(struct gf_cpu_window *window)
{
    window->state_bytes = float_state;
    window->feed = float_feed;
    window->emit = float_emit;
    if (window->upright) {
        window->radius_y = 0;
        window->ring_budget = INT64_MAX;
        window->state_bytes = upright_state;
        window->feed = upright_feed;
        window->emit = upright_emit;
    }
}
