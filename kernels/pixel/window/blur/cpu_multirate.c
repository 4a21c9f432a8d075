/* Gaussians of a large sigma on the CPU. Before the tiles, in four phases, the coarse grid is made and
 * blurred in scratch that all threads share; a tile then only interpolates. Every sum is a chain of rows:
 * along a row the pixels lie split by their place between two coarse samples, so that neighbouring sums read
 * neighbours. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/multirate.h"

#include <string.h>

enum { ACROSS, DOWN, BLUR_ACROSS, BLUR_DOWN, PHASES };

/* The grids of multirate.h, [row][channel][column] each. */
struct grids {
    const float *weights;
    int64_t step, radius, channels;
    struct gf_multirate_grids size;
    bool down;
    float *across, *coarse, *smooth, *smoother;
};

static struct grids grids_make(const struct gf_pass *pass, float *memory)
{
    const struct gf_multirate_args *args = &pass->window.args.multirate;
    struct grids g = {.step = args->step,
                      .radius = args->radius,
                      .channels = pass->window.channels_in,
                      .size = gf_multirate_grids_make(pass),
                      .down = args->down,
                      .across = memory};
    if (memory) {
        const int64_t wide = g.size.wide * g.channels, narrow = g.size.narrow * g.channels;
        g.coarse = g.down ? g.across + g.size.source_rows * wide : g.across;
        g.smooth = g.coarse + (g.down ? g.size.rows : g.size.source_rows) * wide;
        g.smoother = g.down ? g.smooth + g.size.rows * narrow : g.smooth;
    }
    return g;
}

static size_t shared_bytes(const struct gf_pass *pass)
{
    const struct gf_multirate_grids g = gf_multirate_grids_make(pass);
    const struct gf_window *window = &pass->window;
    int64_t floats = g.source_rows * g.wide + g.rows * g.narrow;
    floats += window->args.multirate.down ? g.rows * g.wide + g.narrow_rows * g.narrow : 0;
    return gf_cpu_padded((size_t)(floats * window->channels_in) * sizeof(float));
}

static struct grids grids_of(const struct gf_cpu_plan *plan)
{
    int8_t slot = plan->pass->window.blocks[0];
    struct grids g = grids_make(plan->pass, plan->window_memory);
    g.weights = plan->run->host_blocks[slot] ? plan->run->host_blocks[slot] : plan->run->blocks[slot];
    return g;
}

/* ---- what a thread needs: a line, the same split, and pointers to rows ---- */

struct room {
    float *line, *split;
    const float **rows;
    int64_t plane; /* elements of a plane of split */
};

/* Pixels of a line that is sampled down: whole steps. */
static int64_t line_pixels(const struct grids *g)
{
    return (g->size.wide + 9) * g->step;
}

static struct room room_make(const struct grids *g, void *memory)
{
    struct room room = {.line = memory, .plane = g->size.wide + 9};
    room.split = room.line + line_pixels(g) * g->channels;
    room.rows =
        (const float **)(void *)((char *)memory +
                                 gf_cpu_padded((size_t)(line_pixels(g) * (g->channels + 1)) * sizeof(float)));
    return room;
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)samples;
    (void)line_samples;
    struct grids g = grids_make(window->pass, NULL);
    size_t floats = (size_t)(line_pixels(&g) * (g.channels + 1));
    return gf_cpu_padded(floats * sizeof(float)) + (size_t)(9 * g.step + 1) * sizeof(float *);
}

/* Makes what a row of one pixel becomes in a step: in a turned pass, for each of n numbers of a line. */
static void step_of_rows(const struct gf_cpu_tile *tile, float *line, int64_t n, const float *weights,
                         int64_t taps, const float **pointers)
{
    if (tile->plan->window.upright) {
        gf_cpu_upright_chain(tile->plan->rows, line, n, tile->plan->pass->window.channels_in, NULL, weights,
                             taps, pointers);
    }
}

/* The line of a pass that was turned. Its rows are sampled across before it is extended beyond the picture,
 * which repeats pixels. */
static void make_upright_line(const struct gf_cpu_tile *tile, const struct grids *g, const struct room *room,
                              int64_t start, int64_t end)
{
    const struct gf_pass *pass = tile->plan->pass;
    const int64_t channels = g->channels;
    float *picture = room->line - start * channels;
    gf_cpu_load(tile, 0, 0, pass->width, picture, false);
    step_of_rows(tile, picture, pass->width * channels, g->weights + gf_multirate_at_decimation(g->step),
                 9 * g->step + 1, room->rows);
    for (int64_t x = start; x < end; x++) {
        if (x < 0 || x >= pass->width) {
            int64_t from = gf_border_index(x, pass->width, pass->window.border);
            memcpy(picture + x * channels, picture + from * channels, (size_t)channels * sizeof *picture);
        }
    }
}

/* ---- the phases ---- */

/* Columns of the coarse grid left of *from and right of *to are as these two: they see nothing but the
 * border. */
static void different_columns(const struct gf_pass *pass, const struct grids *g, int64_t *from, int64_t *to)
{
    const bool fills = pass->window.border == GF_BORDER_CONSTANT;
    *from = 0;
    *to = g->size.wide - 1;
    if (!fills && pass->window.border != GF_BORDER_REPLICATE) {
        return;
    }
    while (*from < *to && gf_multirate_start(*from + 1, g->step, g->radius) + 9 * g->step <= -fills) {
        ++*from;
    }
    while (*to > *from && gf_multirate_start(*to - 1, g->step, g->radius) >= pass->width - 1 + fills) {
        --*to;
    }
}

/* Row y of the picture (height: the row of fill) to a row of coarse samples. */
static void sample_across(const struct gf_cpu_tile *tile, const struct grids *g, int64_t y)
{
    const struct gf_cpu_rows *rows = tile->plan->rows;
    struct room room = room_make(g, tile->state);
    int64_t from, to;
    different_columns(tile->plan->pass, g, &from, &to);
    const int64_t columns = to - from + 1;
    const int64_t start = gf_multirate_start(from, g->step, g->radius) + GF_FAULT(multirate_anchor);
    const int64_t end = start + (columns + 9) * g->step;

    if (tile->plan->window.upright) {
        make_upright_line(tile, g, &room, start, end);
    } else {
        gf_cpu_make_line(tile, y < tile->plan->pass->height ? y : -1, start, end, room.line);
    }
    for (int64_t i = 0; i <= 9 * g->step; i++) {
        room.rows[i] = room.split + i % g->step * room.plane + i / g->step;
    }
    for (int64_t c = 0; c < g->channels; c++) {
        float *out = g->across + (y * g->channels + c) * g->size.wide;
        rows->split(room.line + c, room.split, room.plane, columns + 9, g->step, g->channels);
        rows->f32_down(room.rows, out + from, columns, g->weights + gf_multirate_at_decimation(g->step),
                       9 * g->step + 1);
        for (int64_t k = 0; k < from; k++) {
            out[k] = out[from];
        }
        for (int64_t k = to + 1; k < g->size.wide; k++) {
            out[k] = out[to];
        }
    }
}

/* Row k of the coarse grid from rows of the picture that are sampled down. */
static void sample_down(const struct gf_cpu_tile *tile, const struct grids *g, int64_t k)
{
    const struct gf_pass *pass = tile->plan->pass;
    struct room room = room_make(g, tile->state);
    int64_t start = gf_multirate_start(k, g->step, g->radius);
    int64_t size = g->channels * g->size.wide;

    for (int64_t i = 0; i <= 9 * g->step; i++) {
        int64_t y = gf_border_index(start + i, pass->height, pass->window.border);
        room.rows[i] = g->across + (y < 0 ? pass->height : y) * size;
    }
    tile->plan->rows->f32_down(room.rows, g->coarse + k * size, size,
                               g->weights + gf_multirate_at_decimation(g->step), 9 * g->step + 1);
}

static void blur_across(const struct gf_cpu_tile *tile, const struct grids *g, int64_t k)
{
    struct room room = room_make(g, tile->state);
    step_of_rows(tile, g->coarse + k * g->channels * g->size.wide, g->channels * g->size.wide,
                 g->weights + gf_multirate_at_blur(g->step), 2 * g->radius + 1, room.rows);
    for (int64_t c = 0; c < g->channels; c++) {
        const float *from = g->coarse + (k * g->channels + c) * g->size.wide;
        tile->plan->rows->f32_across(from, g->smooth + (k * g->channels + c) * g->size.narrow, g->size.narrow,
                                     1, g->weights + gf_multirate_at_blur(g->step), 2 * g->radius + 1, from);
    }
}

static void blur_down(const struct gf_cpu_tile *tile, const struct grids *g, int64_t k)
{
    struct room room = room_make(g, tile->state);
    int64_t size = g->channels * g->size.narrow;
    for (int64_t i = 0; i <= 2 * g->radius; i++) {
        room.rows[i] = g->smooth + (k + i) * size;
    }
    tile->plan->rows->f32_down(room.rows, g->smoother + k * size, size,
                               g->weights + gf_multirate_at_blur(g->step), 2 * g->radius + 1);
}

static void prepare(const struct gf_cpu_tile *tile, int phase, int thread, int threads)
{
    struct grids g = grids_of(tile->plan);
    int64_t n = phase == ACROSS        ? g.size.source_rows
                : phase == BLUR_ACROSS ? g.size.rows
                : !g.down              ? 0
                : phase == DOWN        ? g.size.rows
                                       : g.size.narrow_rows;
    for (int64_t k = n * thread / threads; k < n * (thread + 1) / threads; k++) {
        switch (phase) {
        case ACROSS:
            sample_across(tile, &g, k);
            break;
        case DOWN:
            sample_down(tile, &g, k);
            break;
        case BLUR_ACROSS:
            blur_across(tile, &g, k);
            break;
        default:
            blur_down(tile, &g, k);
        }
    }
}

/* ---- interpolation ---- */

/* The weights of one place between two coarse samples. */
static const float *phase_weights(const struct grids *g, int64_t place, float weights[GF_MULTIRATE_TAPS])
{
    for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
        weights[j] = g->weights[j * g->step + place];
    }
    return weights;
}

/* n coarse samples from column k on of channel c, in row y of the picture. */
static const float *interpolate_down(const struct gf_cpu_rows *rows, const struct grids *g, int64_t y,
                                     int64_t c, int64_t k, int64_t n, float *out)
{
    const float *at = g->smoother + ((g->down ? y / g->step : y) * g->channels + c) * g->size.narrow + k;
    const float *taps[GF_MULTIRATE_TAPS];
    float weights[GF_MULTIRATE_TAPS];

    if (!g->down) {
        return at;
    }
    for (int64_t j = 0; j < GF_MULTIRATE_TAPS; j++) {
        taps[j] = at + j * g->channels * g->size.narrow;
    }
    rows->f32_down(taps, out, n, phase_weights(g, y % g->step, weights), GF_MULTIRATE_TAPS);
    return out;
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_rows *rows = tile->plan->rows;
    struct grids g = grids_of(tile->plan);
    struct room room = room_make(&g, tile->state);
    int64_t first = tile->x0 / g.step, n = (tile->x1 - 1) / g.step + 1 - first; /* whole steps */
    float weights[GF_MULTIRATE_TAPS];
    const int64_t place = n > 1 ? 0 : tile->x0 - first * g.step; /* places that the strip has */
    const int64_t end = n > 1 ? g.step : tile->x1 - first * g.step;

    for (int64_t c = 0; c < g.channels; c++) {
        const float *coarse = interpolate_down(rows, &g, y, c, first, n + GF_MULTIRATE_TAPS - 1, room.line);
        for (int64_t p = place; p < end; p++) {
            rows->f32_across(coarse, room.split + p * room.plane, n, 1, phase_weights(&g, p, weights),
                             GF_MULTIRATE_TAPS, coarse);
        }
        rows->join(room.split, room.plane, (float *)out + c, tile->x0 - first * g.step, tile->x1 - tile->x0,
                   g.step, g.channels);
    }
    step_of_rows(tile, out, (tile->x1 - tile->x0) * g.channels, phase_weights(&g, 0, weights),
                 GF_MULTIRATE_TAPS, room.rows);
}

static gf_status describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    (void)error;
    window->radius_x = window->radius_y = 0;
    window->shared_bytes = shared_bytes(pass);
    return GF_OK;
}

static const struct gf_cpu_window cpu_window = {.depths = {[GF_F32] = 1 << GF_F32},
                                                .describe = describe,
                                                .ring_budget = INT64_MAX,
                                                .state_bytes = state_bytes,
                                                .phases = PHASES,
                                                .prepare = prepare,
                                                .emit = emit};

/* What lies between the first pixel that a coarse sample is made from and the pixel that it is made for. */
static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_multirate_args *m = &window->args.multirate;
    int64_t step = m->step, reach = m->radius * step + step * 9 / 2;
    int64_t before = reach + GF_MULTIRATE_BEFORE * step + step - 1;
    int64_t after = reach + GF_MULTIRATE_AFTER * step;
    *halo = (struct gf_halo){.left = before,
                             .right = after,
                             .up = m->down ? before : 0,
                             .down = m->down ? after : 0,
                             .align = m->down ? step : 1};
}

static bool turn(struct gf_window *window)
{
    const bool turns = window->border != GF_BORDER_CONSTANT && window->args.multirate.down;
    window->args.multirate.down = false;
    return turns;
}

const struct gf_kernel gf_kernel_multirate = {
    .name = "multirate",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_multirate},
    .window = {.halo = halo_of, .work = GF_WORK_MULTIRATE, .cpu_window = &cpu_window, .turn = turn},
    .judge = gf_judge_multirate,
};
