/* Bilateral means on the CPU: a ring of 2 r + 1 rows of f32, a plane a channel. State: ring, planes that come
 * out, a row of pixels, and by tap a pointer, a weight and a step. */
#include "base/gf_border.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/window/bilateral/bilateral.h"

#include <string.h>

static int64_t taps_of(const struct gf_bilateral_args *args)
{
    int64_t taps = 0;
    for (int32_t dy = -args->radius_y; dy <= args->radius_y; dy++) {
        taps += 2 * gf_bilateral_chord(args->radius, dy) + 1;
    }
    return taps;
}

static size_t bytes_of(int64_t samples)
{
    return gf_cpu_padded((size_t)samples * sizeof(float));
}

/* What the state is made of, in its order. */
struct parts {
    float *ring, *planes, *row, *near;
    const float **at;
    int64_t line; /* samples of a line */
    size_t bytes;
};

static struct parts parts_of(const struct gf_cpu_window *window, void *state, int64_t samples,
                             int64_t line_samples)
{
    const struct gf_bilateral_args args = gf_bilateral_args_of(&window->pass->window);
    const int64_t taps = taps_of(&args);
    struct parts p = {.ring = state, .line = line_samples};
    char *next = state;
    next += bytes_of((2 * window->radius_y + 1) * line_samples);
    p.planes = (float *)(void *)next;
    next += bytes_of(samples);
    p.row = (float *)(void *)next;
    next += bytes_of(samples);
    p.near = (float *)(void *)next;
    next += bytes_of(taps);
    p.at = (const float **)(void *)next;
    next += gf_cpu_padded((size_t)taps * sizeof *p.at);
    p.bytes = (size_t)(next - (char *)state);
    return p;
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    static _Alignas(64) char nowhere[64]; /* offsets alone are wanted */
    return parts_of(window, nowhere, samples, line_samples).bytes;
}

static struct parts parts_of_tile(const struct gf_cpu_tile *tile)
{
    return parts_of(&tile->plan->window, tile->state, tile->samples, gf_cpu_line_samples(tile));
}

static float *ring_row(const struct gf_cpu_tile *tile, const struct parts *p, int64_t v)
{
    return p->ring + gf_modulo(v, 2 * tile->plan->window.radius_y + 1) * p->line;
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct parts p = parts_of_tile(tile);
    const int64_t channels = tile->plan->pass->window.channels_in, pixels = p.line / channels;
    const float *line = tile->line;
    float *to = ring_row(tile, &p, v);
    if (channels == 1) {
        memcpy(to, line, (size_t)pixels * sizeof *to);
        return;
    }
    for (int64_t c = 0; c < channels; c++) {
        for (int64_t i = 0; i < pixels; i++) {
            to[c * pixels + i] = line[i * channels + c];
        }
    }
}

/* Finds where the taps of row y lie, and what they weigh. */
static void aim(const struct gf_cpu_tile *tile, const struct gf_bilateral_args *args, const struct parts *p,
                int64_t y)
{
    int64_t k = 0;
    for (int32_t dy = -args->radius_y; dy <= args->radius_y; dy++) {
        const float *row = ring_row(tile, p, y + dy) + args->radius;
        const int32_t chord = gf_bilateral_chord(args->radius, dy);
        for (int32_t dx = -chord; dx <= chord; dx++, k++) {
            p->at[k] = row + dx;
            if (y == tile->y0) {
                p->near[k] = gf_bilateral_near(args->fall, dx * dx + dy * dy);
            }
        }
    }
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_window *window = &plan->pass->window;
    const struct gf_bilateral_args args = gf_bilateral_args_of(window);
    const struct parts p = parts_of_tile(tile);
    const int64_t channels = window->channels_in, pixels = tile->samples / channels;
    const struct gf_row_bilateral todo = {.pixels = pixels,
                                          .taps = taps_of(&args),
                                          .plane = p.line / channels,
                                          .out_plane = pixels,
                                          .channels = (int32_t)channels,
                                          .finite = window->depth_in != GF_F32,
                                          .channel = args.channel,
                                          .reach = args.reach,
                                          .centre = ring_row(tile, &p, y) + args.radius,
                                          .at = p.at,
                                          .near = p.near,
                                          .out = channels == 1 ? p.row : p.planes};
    aim(tile, &args, &p, y);
    plan->rows->bilateral(&todo);
    for (int64_t c = 0; channels > 1 && c < channels; c++) {
        for (int64_t i = 0; i < pixels; i++) {
            p.row[i * channels + c] = p.planes[c * pixels + i];
        }
    }
    plan->rows->from_f32(p.row, out, window->depth_out, tile->samples);
}

static const struct gf_cpu_window cpu_window = {.depths = GF_CPU_SAME_DEPTHS,
                                                .channels = GF_BILATERAL_CHANNELS,
                                                .lines = GF_CPU_LINES_F32,
                                                .state_bytes = state_bytes,
                                                .feed = feed,
                                                .emit = emit};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_bilateral_args args = gf_bilateral_args_of(window);
    *halo = (struct gf_halo){args.radius, args.radius, args.radius_y, args.radius_y, .align = 1};
}

/* A tap, whose weight is found out, takes about as long as ten of a separable window. */
static double times_of(const struct gf_window *window)
{
    const struct gf_bilateral_args args = gf_bilateral_args_of(window);
    return 10 * (double)taps_of(&args);
}

const struct gf_kernel gf_kernel_bilateral = {
    .name = "bilateral",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_bilateral},
    .window = {.halo = halo_of, .work = GF_WORK_TAP_F32, .work_times = times_of, .cpu_window = &cpu_window},
    .judge = gf_judge_bilateral,
};
