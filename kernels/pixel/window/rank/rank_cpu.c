/* Ranks on the CPU. Medians of 3 x 3, 5 x 5 and 7 x 7 by networks, over a ring of lines; all else by
 * counting. */
#include "pixel/window/rank/rank_cpu.h"
#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

#include <string.h>

/* ---- networks ---- */

static size_t line_bytes(const struct gf_cpu_window *window, int64_t line_samples)
{
    return gf_cpu_padded((size_t)line_samples * gf_depth_size(window->line));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)samples;
    return (size_t)(2 * window->radius_y + 1) * line_bytes(window, line_samples);
}

static void *ring_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const int64_t slot = gf_rank_slot(tile, v, 2 * window->radius_y + 1);
    return (char *)tile->state + (size_t)slot * line_bytes(window, gf_cpu_line_samples(tile));
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const int64_t line = gf_cpu_line_samples(tile);
    void *row = ring_row(tile, v);
    if (window->line != GF_F32) {
        const size_t pixel = gf_depth_size(window->line) * (size_t)window->pass->window.channels_in;
        for (int i = 0; i < tile->n_parts; i++) {
            const struct gf_cpu_part *part = &tile->parts[i];
            memcpy((char *)row + (size_t)part->from * pixel, part->line,
                   (size_t)(part->n + 2 * window->radius_x) * pixel);
        }
        return;
    }
    uint32_t *keys = row;
    const float *from = tile->line;
    for (int64_t i = 0; i < line; i++) {
        keys[i] = gf_float_key(from[i]);
    }
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const int64_t r = window->radius_y;
    const void *rows[7];
    for (int64_t i = 0; i <= 2 * r; i++) {
        rows[i] = ring_row(tile, y - r + i - (GF_FAULT(rank_row) && i == 2 * r));
    }
    GF_LEVEL_BEST(&gf_rank_rows)
        ->median[window->line][r - 1](rows, out, tile->samples, tile->plan->pass->window.channels_in,
                                      tile->ahead);
    uint32_t *keys = out;
    float *made = out;
    for (int64_t i = 0; window->line == GF_F32 && i < tile->samples; i++) {
        made[i] = gf_key_float(keys[i]);
    }
}

static bool has_network(const struct gf_rank_args *args)
{
    return args->radius_x == args->radius_y && args->radius_x >= 1 && args->radius_x <= 3 &&
           gf_rank_is_median(args);
}

static void by_network(struct gf_cpu_window *window)
{
    window->in_parts = window->line != GF_F32;
    window->state_bytes = state_bytes;
    window->feed = feed;
    window->emit = emit;
}

/* ---- the entry ---- */

static gf_status describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    const struct gf_window *w = &pass->window;
    const struct gf_rank_args args = gf_rank_args_of(w);
    (void)error;
    if (has_network(&args)) {
        if (!gf_rank_by_rows(window)) {
            by_network(window);
        }
    } else if (w->depth_in == GF_U8) {
        gf_rank_by_bytes(window);
    } else {
        gf_rank_by_codes(window);
    }
    return GF_OK;
}

static const struct gf_cpu_window cpu_window = {.depths = GF_CPU_SAME_DEPTHS, .describe = describe};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_rank_args args = gf_rank_args_of(window);
    *halo = (struct gf_halo){args.radius_x, args.radius_x, args.radius_y, args.radius_y, .align = 1};
}

/* On the CPU networks compare vectors of bytes. Counts of columns slide, so that the radius hardly matters
 * until the caches do not hold what windows see; with codes the columns are gone through as well. The GPU
 * looks at all samples of each window, from a tile or, beyond radius 7, from memory. */
static void works_of(const struct gf_window *window, double amounts[GF_WORKS])
{
    enum { NEAR = 7 };
    const struct gf_rank_args args = gf_rank_args_of(window);
    const double size = (double)gf_depth_size(window->depth_in), radius = args.radius_y;
    if (has_network(&args)) {
        amounts[GF_WORK_RANK_NETWORK] = size * radius;
    } else if (window->depth_in == GF_U8) {
        amounts[GF_WORK_RANK_BYTES] = 1 + radius / 800;
    } else {
        amounts[GF_WORK_RANK_CODES] = 1 + radius * radius / 19000;
    }
    const bool is_far = args.radius_x > NEAR;
    amounts[is_far ? GF_WORK_RANK_FAR : GF_WORK_RANK_NEAR] = (double)args.n;
}

static bool turn(struct gf_window *window)
{
    const struct gf_rank_args args = gf_rank_args_of(window);
    const struct gf_rank_args turned = {args.radius_y, args.radius_x, args.index, args.n};
    window->args.own = gf_args_of(&turned, sizeof turned);
    return true;
}

const struct gf_kernel gf_kernel_rank = {
    .name = "rank",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_rank},
    .window = {.halo = halo_of, .works = works_of, .cpu_window = &cpu_window, .turn = turn},
    .judge = gf_judge_rank,
};
