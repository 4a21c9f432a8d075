/* Gradients on the CPU: three rows each of differences and of smoothed samples. */
#include "base/gf_border.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/window/gradient/gradient.h"

static size_t middle_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    return gf_cpu_padded((size_t)samples * (window->line == GF_U8 ? sizeof(int16_t) : sizeof(float)));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)line_samples;
    return 6 * middle_bytes(window, samples);
}

/* kind 0: differences, 1: sums. */
static void *middle_row(const struct gf_cpu_tile *tile, int64_t v, int kind)
{
    size_t slot = (size_t)gf_modulo(v, 3) * 2 + (size_t)kind;
    return (char *)tile->state + slot * middle_bytes(&tile->plan->window, tile->samples);
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_gradient_args args = gf_gradient_args_of(&plan->pass->window);
    int64_t step = plan->pass->window.channels_in;
    if (plan->window.line == GF_U8) {
        plan->rows->u8_gradient_across(&args, tile->line, middle_row(tile, v, 0), middle_row(tile, v, 1),
                                       tile->samples, step);
    } else {
        plan->rows->f32_gradient_across(&args, tile->line, middle_row(tile, v, 0), middle_row(tile, v, 1),
                                        tile->samples, step);
    }
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_gradient_args args = gf_gradient_args_of(&plan->pass->window);
    int32_t channels = plan->pass->window.channels_in;
    int64_t pixels = tile->x1 - tile->x0;
    if (plan->window.line == GF_U8) {
        const int16_t *d[3], *s[3];
        for (int k = 0; k < 3; k++) {
            d[k] = middle_row(tile, y - 1 + k, 0);
            s[k] = middle_row(tile, y - 1 + k, 1);
        }
        plan->rows->u8_gradient_down(&args, d, s, out, pixels, channels);
    } else {
        const float *d[3], *s[3];
        for (int k = 0; k < 3; k++) {
            d[k] = middle_row(tile, y - 1 + k, 0);
            s[k] = middle_row(tile, y - 1 + k, 1);
        }
        plan->rows->f32_gradient_down(&args, d, s, out, pixels, channels);
    }
}

static const struct gf_cpu_window cpu_window = {
    .depths = {[GF_U8] = 1 << GF_S16, [GF_U16] = 1 << GF_F32, [GF_F32] = 1 << GF_F32},
    .lines = GF_CPU_LINES_BYTES,
    .state_bytes = state_bytes,
    .feed = feed,
    .emit = emit};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    (void)window;
    *halo = (struct gf_halo){.left = 1, .right = 1, .up = 1, .down = 1, .align = 1};
}

const struct gf_kernel gf_kernel_gradient = {
    .name = "gradient",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_gradient},
    .window = {.halo = halo_of, .work = GF_WORK_GRADIENT, .cpu_window = &cpu_window},
    .judge = gf_judge_gradient,
};
