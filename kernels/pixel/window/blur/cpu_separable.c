/* Separable windows on the CPU: a ring of 2 r + 1 middle rows. State: ring, an f32 row (u16 output), tap
 * pointers. For a pass that was turned (cpu_upright.c): the line's middle values, or the one middle row; the
 * same otherwise. */
#include "base/gf_border.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/ir/kernel_table.h"

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

/* Weights of an axis: block 0 or 1 of the window. */
static const void *weights(const struct gf_cpu_plan *plan, int axis)
{
    int8_t slot = plan->pass->window.blocks[axis];
    return plan->run->host_blocks[slot] ? plan->run->host_blocks[slot] : plan->run->blocks[slot];
}

/* ---- a pass that was turned: axis 0 is along the line, axis 1 what comes first ---- */

static size_t upright_state(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    const struct gf_separable_args *args = &window->pass->window.args.separable;
    int64_t radius = args->radius_x > args->radius_y ? args->radius_x : args->radius_y;
    return middle_bytes(window, line_samples) + gf_cpu_padded((size_t)samples * sizeof(float)) +
           (size_t)(2 * radius + 1) * sizeof(void *);
}

/* Middle values of a line of u8, as those of rows: Q7. */
static void upright_middle(const struct gf_cpu_tile *tile, int16_t *middle, int64_t n)
{
    const struct gf_window *window = &tile->plan->pass->window;
    const int32_t radius = window->args.separable.radius_y, shift = window->args.separable.shift_y;
    const int16_t *w = weights(tile->plan, 1);
    const uint8_t *line = tile->line;
    int32_t all = 0;
    for (int64_t k = 0; k <= 2 * (int64_t)radius; k++) {
        all += w[k];
    }
    const bool fills = window->border == GF_BORDER_CONSTANT;
    const int32_t weight = fills ? w[radius] : all;
    int32_t start[GF_MAX_CHANNELS];
    for (int32_t c = 0; c < window->channels_in; c++) {
        start[c] = (1 << (shift - 8)) + (all - weight) * (int32_t)gf_quantise_u8(window->fill[c]);
    }
    for (int64_t i = 0; i < n; i += window->channels_in) {
        for (int32_t c = 0; c < window->channels_in; c++) {
            middle[i + c] = (int16_t)((weight * line[i + c] + start[c]) >> (shift - 7));
        }
    }
}

static const void **upright_pointers(const struct gf_cpu_tile *tile, float **f32_row)
{
    char *row = (char *)tile->state + middle_bytes(&tile->plan->window, gf_cpu_line_samples(tile));
    *f32_row = (float *)(void *)row;
    return (const void **)(void *)(row + gf_cpu_padded((size_t)tile->samples * sizeof(float)));
}

static void upright_feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_window *window = &plan->pass->window;
    float *f32_row, *line = tile->line;
    const float **pointers = (const float **)(void *)upright_pointers(tile, &f32_row);
    (void)v;
    if (plan->window.line == GF_U8) {
        upright_middle(tile, tile->state, gf_cpu_line_samples(tile));
        return;
    }
    float fill[GF_MAX_CHANNELS];
    for (int32_t c = 0; c < window->channels_in; c++) {
        fill[c] = gf_quantise_to(window->fill[c], window->depth_in);
    }
    gf_cpu_upright_chain(plan->rows, line, gf_cpu_line_samples(tile), window->channels_in,
                         window->border == GF_BORDER_CONSTANT ? fill : NULL, weights(plan, 1),
                         2 * (int64_t)window->args.separable.radius_y + 1, pointers);
    plan->rows->f32_across(line, tile->state, tile->samples, window->channels_in, weights(plan, 0),
                           2 * plan->window.radius_x + 1, line);
}

static void upright_emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_window *window = &plan->pass->window;
    const int64_t taps = 2 * plan->window.radius_x + 1;
    float *f32_row;
    const void **pointers = upright_pointers(tile, &f32_row);
    (void)y;
    if (plan->window.line != GF_U8) {
        plan->rows->from_f32(tile->state, out, window->depth_out, tile->samples);
        return;
    }
    for (int64_t k = 0; k < taps; k++) {
        pointers[k] = (const int16_t *)tile->state + k * window->channels_in;
    }
    plan->rows->u8_down((const int16_t *const *)(void *)pointers, out, tile->samples, weights(plan, 0), taps,
                        window->args.separable.shift_x);
}

/* ---- rows ---- */

static void *middle_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    size_t slot = (size_t)gf_modulo(v, taps_y(window));
    return (char *)tile->state + slot * middle_bytes(window, tile->samples);
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

static gf_status describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    (void)pass, (void)error;
    if (window->upright) {
        window->radius_y = 0;
        window->ring_budget = INT64_MAX;
        window->in_parts = false;
        window->state_bytes = upright_state;
        window->feed = upright_feed;
        window->emit = upright_emit;
    }
    return GF_OK;
}

static const struct gf_cpu_window cpu_window = {
    .depths = {[GF_U8] = 1 << GF_U8, [GF_U16] = 1 << GF_U16 | 1 << GF_F32, [GF_F32] = 1 << GF_F32},
    .lines = GF_CPU_LINES_BYTES,
    .describe = describe,
    .in_parts = true,
    .state_bytes = state_bytes,
    .feed = feed,
    .emit = emit};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_separable_args *args = &window->args.separable;
    *halo = (struct gf_halo){.left = args->radius_x,
                             .right = args->radius_x,
                             .up = args->radius_y,
                             .down = args->radius_y,
                             .align = 1};
}

static void works_of(const struct gf_window *window, double amounts[GF_WORKS])
{
    static const enum gf_work tap[] = {
        [GF_U8] = GF_WORK_TAP_U8, [GF_U16] = GF_WORK_TAP_U16, [GF_F32] = GF_WORK_TAP_F32};
    const struct gf_separable_args *args = &window->args.separable;
    amounts[tap[window->depth_in]] = 2.0 * args->radius_x + 1 + 2.0 * args->radius_y + 1;
}

static bool turn(struct gf_window *window)
{
    const struct gf_separable_args args = window->args.separable;
    const int8_t across = window->blocks[0];
    window->args.separable =
        (struct gf_separable_args){args.radius_y, args.radius_x, args.shift_y, args.shift_x};
    window->blocks[0] = window->blocks[1];
    window->blocks[1] = across;
    return true;
}

const struct gf_kernel gf_kernel_separable = {
    .name = "separable",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_separable},
    .window = {.halo = halo_of, .works = works_of, .cpu_window = &cpu_window, .turn = turn},
    .judge = gf_judge_separable,
};
