/* Separable windows on the CPU: a ring of 2 r + 1 middle rows. State: ring, an f32 row (u16 output), tap
 * pointers. */
#include "base/gf_border.h"
#include "base/status.h"
#include "pixel/cpu_pass.h"

static int64_t taps_y(const struct gf_cpu_window *window)
{
    return 2 * window->radius_y + 1;
}

/* Bytes of a middle row: s16 for u8 lines, else f32. */
static size_t middle_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    return gf_cpu_padded((size_t)samples * (window->line == GF_U8 ? sizeof(int16_t) : sizeof(float)));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)line_samples;
    size_t row = middle_bytes(window, samples);
    size_t f32_row = gf_cpu_padded((size_t)samples * sizeof(float));
    return (size_t)taps_y(window) * (row + sizeof(void *)) + f32_row;
}

static void *middle_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    size_t slot = (size_t)gf_modulo(v, taps_y(window));
    return (char *)tile->state + slot * middle_bytes(window, tile->samples);
}

/* Weights of an axis: block 0 or 1 of the window. */
static const void *weights(const struct gf_cpu_plan *plan, int axis)
{
    int8_t slot = plan->pass->window.blocks[axis];
    return plan->run->host_blocks[slot] ? plan->run->host_blocks[slot] : plan->run->blocks[slot];
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_window *window = &plan->pass->window;
    int64_t taps = 2 * plan->window.radius_x + 1;
    void *row = middle_row(tile, v);

    for (int i = 0; i < tile->n_parts; i++) {
        struct gf_cpu_part part = tile->parts[i];
        int64_t at = part.from * window->channels_in;
        int64_t n = part.n * window->channels_in;
        const char *ahead = (const char *)tile->ahead + (size_t)at * gf_depth_size(plan->window.line);
        if (plan->window.line == GF_U8) {
            plan->rows->u8_across(part.line, (int16_t *)row + at, n, window->channels_in, weights(plan, 0),
                                  taps, window->args.separable.shift_x, ahead);
        } else {
            plan->rows->f32_across(part.line, (float *)row + at, n, window->channels_in, weights(plan, 0),
                                   taps, ahead);
        }
    }
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_window *window = &plan->pass->window;
    int64_t taps = taps_y(&plan->window);
    char *f32_row = (char *)tile->state + (size_t)taps * middle_bytes(&plan->window, tile->samples);
    const void **rows =
        (const void **)(void *)(f32_row + gf_cpu_padded((size_t)tile->samples * sizeof(float)));
    const void *const *constant = (const void *const *)rows;

    for (int64_t k = 0; k < taps; k++) {
        rows[k] = middle_row(tile, y - plan->window.radius_y + k);
    }
    if (plan->window.line == GF_U8) {
        plan->rows->u8_down((const int16_t *const *)constant, out, tile->samples, weights(plan, 1), taps,
                            window->args.separable.shift_y);
    } else if (window->depth_out == GF_F32) {
        plan->rows->f32_down((const float *const *)constant, out, tile->samples, weights(plan, 1), taps);
    } else {
        plan->rows->f32_down((const float *const *)constant, (float *)(void *)f32_row, tile->samples,
                             weights(plan, 1), taps);
        plan->rows->from_f32((float *)(void *)f32_row, out, window->depth_out, tile->samples);
    }
}

gf_status gf_separable_describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    const struct gf_window *w = &pass->window;
    bool bytes = w->depth_in == GF_U8 && w->depth_out == GF_U8;
    bool words = w->depth_in == GF_U16 && (w->depth_out == GF_U16 || w->depth_out == GF_F32);
    bool floats = w->depth_in == GF_F32 && w->depth_out == GF_F32;

    if (!bytes && !words && !floats) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "separable windows do not turn %s into %s",
                       gf_depth_name(w->depth_in), gf_depth_name(w->depth_out));
    }
    window->line = bytes ? GF_U8 : GF_F32;
    window->radius_x = w->args.separable.radius_x;
    window->radius_y = w->args.separable.radius_y;
    window->ring_budget = 512 * 1024;
    window->in_parts = true;
    window->state_bytes = state_bytes;
    window->feed = feed;
    window->emit = emit;
    return GF_OK;
}
