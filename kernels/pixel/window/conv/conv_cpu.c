/* Correlation on the CPU: a ring of rows of f32, and the chains of cpu_rows_separable.h with a row for every
 * tap. State: the ring, a row of results, and by tap a pointer and a weight. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/window/conv/conv.h"

#include <string.h>

static size_t line_bytes(int64_t samples)
{
    return gf_cpu_padded((size_t)samples * sizeof(float));
}

struct parts {
    char *ring;
    float *row, *weights;
    const float **at;
    size_t line; /* bytes of a row of the ring */
    size_t bytes;
};

static struct parts parts_of(const struct gf_cpu_window *window, void *state, int64_t samples,
                             int64_t line_samples)
{
    const struct gf_conv_args args = gf_conv_args_of(&window->pass->window);
    const size_t taps = (size_t)gf_conv_rows(&args) * (size_t)gf_conv_columns(&args);
    struct parts p = {.ring = state, .line = line_bytes(line_samples)};
    char *next = p.ring + (size_t)(2 * window->radius_y + 1) * p.line;
    p.row = (float *)(void *)next;
    next += line_bytes(samples);
    p.weights = (float *)(void *)next;
    next += gf_cpu_padded(taps * sizeof *p.weights);
    p.at = (const float **)(void *)next;
    next += gf_cpu_padded(taps * sizeof *p.at);
    p.bytes = (size_t)(next - p.ring);
    return p;
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    static _Alignas(64) char nowhere[64]; /* sizes alone are wanted */
    return parts_of(window, nowhere, samples, line_samples).bytes;
}

static char *ring_row(const struct gf_cpu_tile *tile, const struct parts *p, int64_t v)
{
    return p->ring + (size_t)gf_modulo(v, 2 * tile->plan->window.radius_y + 1) * p->line;
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const int64_t n = gf_cpu_line_samples(tile);
    const struct parts p = parts_of(&tile->plan->window, tile->state, tile->samples, n);
    memcpy(ring_row(tile, &p, v), tile->line, (size_t)n * sizeof(float));
}

/* Finds where the taps of row y lie; returns how many. For integers a weight of 0 changes no sum. */
static int64_t aim(const struct gf_cpu_tile *tile, const struct parts *p, int64_t y)
{
    const struct gf_window *window = &tile->plan->pass->window;
    const struct gf_conv_args args = gf_conv_args_of(window);
    const float *weight = tile->plan->run->blocks[window->blocks[0]];
    const bool all = window->depth_in == GF_F32 && !GF_FAULT(conv_zero);
    const int64_t channels = window->channels_in;
    int64_t taps = 0;
    for (int64_t dy = -args.up; dy <= args.down; dy++) {
        const float *row = (const float *)(const void *)ring_row(tile, p, y + dy);
        for (int64_t dx = -args.left; dx <= args.right; dx++, weight++) {
            if (all || *weight != 0 || (taps == 0 && dy == args.down && dx == args.right)) {
                p->at[taps] = row + (tile->plan->window.radius_x + dx) * channels;
                p->weights[taps++] = *weight;
            }
        }
    }
    return taps - (GF_FAULT(conv_tap) && taps > 1);
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const gf_depth depth = plan->pass->window.depth_out;
    const struct parts p = parts_of(&plan->window, tile->state, tile->samples, gf_cpu_line_samples(tile));
    const int64_t taps = aim(tile, &p, y);
    float *made = depth == GF_F32 ? out : p.row;
    plan->rows->f32_down(p.at, made, tile->samples, p.weights, taps);
    if (made != out) {
        plan->rows->from_f32(made, out, depth, tile->samples);
    }
}

static const struct gf_cpu_window cpu_window = {
    .depths =
        {[GF_U8] = 1 << GF_U8 | 1 << GF_F32, [GF_U16] = 1 << GF_U16 | 1 << GF_F32, [GF_F32] = 1 << GF_F32},
    .lines = GF_CPU_LINES_F32,
    .state_bytes = state_bytes,
    .feed = feed,
    .emit = emit};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_conv_args args = gf_conv_args_of(window);
    *halo = (struct gf_halo){args.left, args.right, args.up, args.down, .align = 1};
}

const struct gf_kernel gf_kernel_conv = {
    .name = "conv",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_conv},
    .window = {.halo = halo_of, .work = GF_WORK_TAP_F32, .work_by_taps = true, .cpu_window = &cpu_window},
    .judge = gf_judge_conv,
};
