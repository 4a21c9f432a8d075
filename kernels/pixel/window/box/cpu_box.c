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
 * running beginning, two lines for the horizontal pass.
 *
 * Turns of the border (gf_border.h) along x are added to each row of sums; those along y, for integers, to
 * the running sums while the rows of the picture come in, for f32 to a row of their own. All of the picture
 * comes in before the first row is given, as the radius is at least its height then. */
#include "pixel/window/box/cpu_box.h"
#include "base/status.h"

#include <string.h>

/* ---- integers ---- */

static uint64_t integer_at(const struct gf_cpu_tile *tile, int64_t i)
{
    return tile->plan->window.line == GF_U8 ? ((const uint8_t *)tile->line)[i]
                                            : ((const uint16_t *)tile->line)[i];
}

/* Returns what the turns along x add to each sum of channel c. */
static uint64_t integer_turns(const struct gf_cpu_tile *tile, int32_t c)
{
    const struct gf_pass *pass = tile->plan->pass;
    const int border = pass->window.border;
    uint64_t sum = border == GF_BORDER_CONSTANT ? 2 * integer_at(tile, gf_box_line_at(tile, -1) + c) : 0;
    if (border != GF_BORDER_CONSTANT) {
        for (int64_t i = 0; i < pass->width; i += gf_border_turn_step(pass->width, border)) {
            sum += (uint64_t)gf_border_turn(i, pass->width, border) *
                   integer_at(tile, gf_box_line_at(tile, i) + c);
        }
    }
    return sum * (uint64_t)gf_box_turns(gf_box_args_of(tile)->turns_x);
}

static void integer_turns_across(const struct gf_cpu_tile *tile, void *row)
{
    const int32_t channels = tile->plan->pass->window.channels_in;
    const size_t size = gf_box_sums_of(&tile->plan->window).row_size;
    for (int32_t c = 0; c < channels; c++) {
        const uint64_t add = integer_turns(tile, c);
        for (int64_t i = c; i < tile->samples; i += channels) {
            if (size == sizeof(uint16_t)) {
                ((uint16_t *)row)[i] = (uint16_t)(((uint16_t *)row)[i] + add);
            } else if (size == sizeof(uint32_t)) {
                ((uint32_t *)row)[i] += (uint32_t)add;
            } else {
                ((uint64_t *)row)[i] += add;
            }
        }
    }
}

static size_t integer_state(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    const struct gf_box_sums s = gf_box_sums_of(window);
    (void)line_samples;
    return (size_t)gf_box_ring_rows(window) * gf_cpu_padded((size_t)samples * s.row_size) +
           gf_cpu_padded((size_t)samples * s.sum_size);
}

static void integer_feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    const struct gf_box_sums s = gf_box_sums_of(window);
    void *sums = gf_box_sums_row(tile);
    void *row = gf_box_ring_row(tile, v);
    int64_t first = tile->y0 - window->radius_y;
    bool leaves = v - gf_box_rows(window) >= first + GF_FAULT(box_drift);

    if (v == first) {
        memset(sums, 0, (size_t)tile->samples * s.sum_size);
    }
    int32_t channels = plan->pass->window.channels_in;
    for (int i = 0; i < tile->n_parts; i++) {
        struct gf_cpu_part part = tile->parts[i];
        size_t at = (size_t)(part.from * channels);
        plan->rows->box_across(window->line, part.line, (char *)row + at * s.row_size, s.row_size, part.n,
                               channels, 2 * window->radius_x + 1,
                               (const char *)tile->ahead + at * gf_depth_size(window->line));
    }
    if (gf_box_args_of(tile)->turns_x > 0) {
        integer_turns_across(tile, row);
    }
    if (gf_box_args_of(tile)->turns_y > 0 && gf_box_turn_of_row(tile, v) > 0) {
        const int64_t times = gf_box_turns(gf_box_args_of(tile)->turns_y) * gf_box_turn_of_row(tile, v);
        plan->rows->box_turn(sums, s.sum_size, row, s.row_size, (uint64_t)times, tile->samples);
    }
    plan->rows->box_down(sums, s.sum_size, row,
                         leaves ? gf_box_ring_row(tile, v - gf_box_rows(window)) : NULL, s.row_size,
                         tile->samples);
}

static void integer_emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    const struct gf_box_sums s = gf_box_sums_of(window);
    (void)y;
    if (s.sum_size == sizeof(uint16_t)) {
        plan->rows->mean16(gf_box_sums_row(tile), out, tile->samples, s.divider16);
    } else if (s.sum_size == sizeof(uint32_t)) {
        plan->rows->mean32(gf_box_sums_row(tile), out, window->line, tile->samples, s.divider32);
    } else {
        plan->rows->mean64(gf_box_sums_row(tile), out, window->line, tile->samples, s.divider);
    }
}

/* Sums of 16, 32 or 64 bits, where they and a divider fit, and rows of no more; no divider beyond 2^62. */
static bool choose_sums(struct gf_box_sums *s, const struct gf_pass *pass, uint64_t white)
{
    const struct gf_box_args *args = &pass->window.args.box;
    const int border = pass->window.border;
    uint64_t across = (uint64_t)gf_box_width(args->radius_x, args->turns_x, pass->width, border);
    uint64_t down = (uint64_t)gf_box_width(args->radius_y, args->turns_y, pass->height, border);
    if (across > UINT64_MAX / white / down) {
        return false;
    }
    uint64_t area = across * down;
    uint64_t largest = area * white;
    bool narrow = white == 255 && across * white <= UINT16_MAX;
    s->row_size = narrow ? sizeof(uint16_t) : sizeof(uint32_t);
    if (narrow && largest <= UINT16_MAX &&
        gf_divider16_make((uint32_t)area, (uint32_t)largest, &s->divider16)) {
        s->sum_size = sizeof(uint16_t);
        return true;
    }
    if (largest <= UINT32_MAX && gf_divider32_make((uint32_t)area, (uint32_t)largest, &s->divider32)) {
        s->sum_size = sizeof(uint32_t);
        return true;
    }
    s->row_size = s->sum_size = sizeof(uint64_t);
    return gf_divider_make(area, largest, &s->divider);
}

static gf_status describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    const struct gf_window *w = &pass->window;
    bool integers = w->depth_in == GF_U8 || w->depth_in == GF_U16;
    struct gf_box_sums sums = {.row_size = sizeof(float)};

    window->in_parts = integers;
    if (!integers) {
        gf_box_f32_describe(window);
    }
    if (integers && !choose_sums(&sums, pass, w->depth_in == GF_U8 ? 255 : 65535)) {
        return gf_fail(error, GF_ERROR_LIMIT, "a box of radius %d and %d has a sum beyond 2^62",
                       (int)w->args.box.radius_x, (int)w->args.box.radius_y);
    }
    if (w->args.box.floors) {
        sums.divider.half = sums.divider32.half = sums.divider16.half = 0;
    }
    window->own = gf_args_of(&sums, sizeof sums);
    return GF_OK;
}

static const struct gf_cpu_window cpu_window = {.depths = GF_CPU_SAME_DEPTHS,
                                                .describe = describe,
                                                .ring_budget = 32 * 1024 * 1024,
                                                .state_bytes = integer_state,
                                                .feed = integer_feed,
                                                .emit = integer_emit};

/* f32 is added in blocks of the window's height, anchored at row 0; integer sums are exact. */
static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_box_args *args = &window->args.box;
    *halo = (struct gf_halo){.left = args->radius_x,
                             .right = args->radius_x,
                             .up = args->radius_y,
                             .down = args->radius_y,
                             .align = window->depth_in == GF_F32 ? 2 * (int64_t)args->radius_y + 1 : 1,
                             .turns_x = args->turns_x,
                             .turns_y = args->turns_y};
}

static bool turn(struct gf_window *window)
{
    const struct gf_box_args args = window->args.box;
    window->args.box =
        (struct gf_box_args){args.radius_y, args.radius_x, args.turns_y, args.turns_x, args.floors};
    return true;
}

const struct gf_kernel gf_kernel_box = {
    .name = "box",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_box},
    .window = {.halo = halo_of, .work = GF_WORK_BOX, .cpu_window = &cpu_window, .turn = turn},
    .judge = gf_judge_box,
};
