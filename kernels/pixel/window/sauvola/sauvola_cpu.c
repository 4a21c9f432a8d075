/* Levels by mean and spread on the CPU. Integers: both sums of a row run along it, and those of a window run
 * down, as in cpu_box.c. f32: sums in f64, of each row from left to right, then of the rows from top to
 * bottom, so that they do not depend on where they begin. State: a ring of rows, the sums of a window; a row
 * is all its sums, then all its sums of squares. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/window/sauvola/sauvola.h"

#include <string.h>

static bool runs(const struct gf_cpu_window *window)
{
    return window->line != GF_F32;
}

/* For integers one row leaves while another enters. */
static int64_t ring_rows(const struct gf_cpu_window *window)
{
    return 2 * window->radius_y + 1 + runs(window);
}

static size_t sum_size(const struct gf_cpu_window *window)
{
    const struct gf_sauvola_args args = gf_sauvola_args_of(&window->pass->window);
    return gf_sauvola_is_narrow(&args, window->line) ? sizeof(uint32_t) : sizeof(uint64_t);
}

static size_t row_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    return gf_cpu_padded(2 * (size_t)samples * sum_size(window));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)line_samples;
    return (size_t)(ring_rows(window) + 1) * row_bytes(window, samples);
}

static void *ring_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    return (char *)tile->state + (size_t)gf_modulo(v, ring_rows(window)) * row_bytes(window, tile->samples);
}

static void *sums_row(const struct gf_cpu_tile *tile)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    return (char *)tile->state + (size_t)ring_rows(window) * row_bytes(window, tile->samples);
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    const int64_t first = tile->y0 - window->radius_y, gone = v - 2 * window->radius_y - 1;
    const size_t size = sum_size(window);
    void *row = ring_row(tile, v), *sums = sums_row(tile);

    plan->rows->moments_across(window->line, tile->line, row, size, tile->samples,
                               plan->pass->window.channels_in, 2 * window->radius_x + 1);
    if (!runs(window)) {
        return;
    }
    if (v == first) {
        memset(sums, 0, row_bytes(window, tile->samples));
    }
    plan->rows->box_down(sums, size, row,
                         gone >= first + GF_FAULT(sauvola_drift) ? ring_row(tile, gone) : NULL, size,
                         2 * tile->samples);
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    const struct gf_sauvola_args args = gf_sauvola_args_of(&plan->pass->window);
    void *sums = sums_row(tile);
    if (!runs(window)) {
        memcpy(sums, ring_row(tile, y - window->radius_y), row_bytes(window, tile->samples));
        for (int64_t v = y - window->radius_y + 1; v <= y + window->radius_y; v++) {
            plan->rows->f64_add(sums, ring_row(tile, v), 2 * tile->samples);
        }
    }
    plan->rows->sauvola(window->line, sums, sum_size(window), out, tile->samples, &args);
}

static const struct gf_cpu_window cpu_window = {.depths = GF_CPU_SAME_DEPTHS,
                                                .ring_budget = 32 * 1024 * 1024,
                                                .state_bytes = state_bytes,
                                                .feed = feed,
                                                .emit = emit};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_sauvola_args args = gf_sauvola_args_of(window);
    *halo = (struct gf_halo){args.radius_x, args.radius_x, args.radius_y, args.radius_y, .align = 1};
}

/* In boxes: two sums, two divisions and a root of f64; of f32 two sums of each side. */
static double work_times(const struct gf_window *window)
{
    const struct gf_sauvola_args args = gf_sauvola_args_of(window);
    const double sides = 2.0 * args.radius_x + 2.0 * args.radius_y + 2.0;
    return window->depth_in == GF_F32 ? 4 + sides / 2 : 4;
}

const struct gf_kernel gf_kernel_sauvola = {
    .name = "sauvola",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_sauvola},
    .window = {.halo = halo_of, .work = GF_WORK_BOX, .work_times = work_times, .cpu_window = &cpu_window},
    .judge = gf_judge_sauvola,
};
