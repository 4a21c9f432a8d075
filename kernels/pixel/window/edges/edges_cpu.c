/* Edges on the CPU: three lines make a row of gradients, three rows of their squares a row of ridges. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/window/edges/edges.h"

#include <string.h>

/* The state: three lines, then rows of slopes, a pixel wider on each side than the tile. */
enum { LINES = 3, GX = 0, GY, SQUARE, PARTS, WORK = 3 /* row of slopes */, ROWS = 4 };

static size_t line_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    const int64_t beside = 2 * window->radius_x * window->pass->window.channels_in;
    return gf_cpu_padded((size_t)(samples + beside) * gf_depth_size(window->line));
}

static size_t part_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    const int64_t pixels = samples / window->pass->window.channels_in + 2;
    return gf_cpu_padded((size_t)pixels * (window->line == GF_U8 ? sizeof(float) : sizeof(double)));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)line_samples;
    return LINES * line_bytes(window, samples) + (size_t)ROWS * PARTS * part_bytes(window, samples);
}

static void *kept_line(const struct gf_cpu_tile *tile, int64_t v)
{
    return (char *)tile->state + (size_t)gf_modulo(v, LINES) * line_bytes(&tile->plan->window, tile->samples);
}

/* gx, gy or the square of row y, or of WORK. */
static void *part_of(const struct gf_cpu_tile *tile, int64_t slot, int part)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    return (char *)tile->state + LINES * line_bytes(window, tile->samples) +
           (size_t)(slot * PARTS + part) * part_bytes(window, tile->samples);
}

/* The part's pixel x0. */
static const void *inner_part(const struct gf_cpu_tile *tile, int64_t y, int part)
{
    const size_t size = tile->plan->window.line == GF_U8 ? sizeof(float) : sizeof(double);
    return (const char *)part_of(tile, gf_modulo(y, WORK), part) + size;
}

/* Outside the picture nothing is as strong as any edge. */
static void clear_outside(const struct gf_cpu_tile *tile, void *square, int64_t n)
{
    const bool left = tile->x0 == 0;
    const bool right = tile->x1 == tile->plan->pass->width && !GF_FAULT(edges_outside);
    if (tile->plan->window.line == GF_U8) {
        ((float *)square)[0] = left ? 0 : ((float *)square)[0];
        ((float *)square)[n - 1] = right ? 0 : ((float *)square)[n - 1];
    } else {
        ((double *)square)[0] = left ? 0 : ((double *)square)[0];
        ((double *)square)[n - 1] = right ? 0 : ((double *)square)[n - 1];
    }
}

static void make_slopes(const struct gf_cpu_tile *tile, int64_t y)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_edges_args args = gf_edges_args_of(&plan->pass->window);
    const int32_t channels = plan->pass->window.channels_in;
    const int64_t n = tile->x1 - tile->x0 + 2;
    void *to[PARTS], *work[PARTS];
    for (int i = 0; i < PARTS; i++) {
        to[i] = part_of(tile, gf_modulo(y, WORK), i);
        work[i] = part_of(tile, WORK, i);
    }
    if (y < 0 || y >= plan->pass->height) {
        memset(to[SQUARE], 0, part_bytes(&plan->window, tile->samples));
        return;
    }
    if (plan->window.line == GF_U8) {
        const uint8_t *lines[] = {kept_line(tile, y - 1), kept_line(tile, y), kept_line(tile, y + 1)};
        plan->rows->u8_slopes(lines, to, work, n, channels, args.mask);
    } else {
        const float *lines[] = {kept_line(tile, y - 1), kept_line(tile, y), kept_line(tile, y + 1)};
        plan->rows->f32_slopes(lines, to, work, n, channels, args.mask);
    }
    clear_outside(tile, to[SQUARE], n);
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    memcpy(kept_line(tile, v), tile->line, line_bytes(&tile->plan->window, tile->samples));
    if (v >= tile->y0) {
        make_slopes(tile, v - 1);
    }
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_edges_args args = gf_edges_args_of(&plan->pass->window);
    const void *slope[] = {inner_part(tile, y, GX), inner_part(tile, y, GY)};
    const void *square[] = {inner_part(tile, y - 1, SQUARE), inner_part(tile, y, SQUARE),
                            inner_part(tile, y + 1, SQUARE)};
    const int64_t n = tile->x1 - tile->x0;
    if (plan->window.line == GF_U8) {
        plan->rows->u8_ridges(slope, square, out, n, args.low, args.high);
    } else {
        plan->rows->f32_ridges(slope, square, out, n, args.low, args.high);
    }
}

static const struct gf_cpu_window cpu_window = {
    .depths = {[GF_U8] = 1 << GF_U8, [GF_U16] = 1 << GF_U8, [GF_F32] = 1 << GF_U8},
    .lines = GF_CPU_LINES_BYTES,
    .ring_budget = 128 * 1024,
    .state_bytes = state_bytes,
    .feed = feed,
    .emit = emit};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    (void)window;
    *halo = (struct gf_halo){.left = 2, .right = 2, .up = 2, .down = 2, .align = 1};
}

const struct gf_kernel gf_kernel_edges = {
    .name = "edges",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_edges},
    .window = {.halo = halo_of, .work = GF_WORK_EDGES, .cpu_window = &cpu_window},
    .judge = gf_judge_edges,
};
