/* Least and greatest samples of rectangles on the CPU, at a cost that hardly depends on their size.
 *
 * Samples are compared as keys (gf_float_key), inverted for the greatest. Across: the least of spans of 1, 2,
 * 4,
 * ... pixels, and of two such spans that overlap (log2 of the width steps). Down: the blocks of van Herk and
 * of Gil and Werman. Row r - (first row) of a tile lies in slot r modulo h; once a block of h rows is
 * complete each slot holds the least from it to the block's end, which rows of the next block then replace;
 * those are also gathered in a row of their own. State: h slots, that row, a row that waits, a row of f32. */
#include "base/gf_num.h"
#include "base/status.h"
#include "pixel/cpu_pass.h"
#include "pixel/morphology.h"

#include <string.h>

static struct gf_morphology_args args_of(const struct gf_window *window)
{
    struct gf_morphology_args args;
    gf_args_get(&window->args.own, &args, sizeof args);
    return args;
}

static size_t row_bytes(int64_t samples)
{
    return gf_cpu_padded((size_t)samples * sizeof(uint32_t));
}

/* Rows of the state beside the slots. */
enum { GATHERED, WAITING, FLOATS, OTHERS };

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)line_samples;
    return (size_t)(2 * window->radius_y + 1 + OTHERS) * row_bytes(samples);
}

static void *state_row(const struct gf_cpu_tile *tile, int64_t row)
{
    return (char *)tile->state + (size_t)row * row_bytes(tile->samples);
}

static inline uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* to[i] = the lesser of a[i] and b[i]; `to` may be a, or lie before both. */
static void lesser_row(const uint32_t *a, const uint32_t *b, uint32_t *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        to[i] = lesser(a[i], b[i]);
    }
}

/* The line, from f32 to the keys of the tile's samples, each the least of its row of the window. */
static uint32_t *take_line(const struct gf_cpu_tile *tile, const struct gf_morphology_args *args)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const int64_t channels = plan->pass->window.channels_in;
    const int64_t w = args->left + args->right + 1;
    int64_t n = tile->samples + 2 * plan->window.radius_x * channels;
    uint32_t *keys = tile->line;
    const float *line = tile->line;

    for (int64_t i = 0; i < n; i++) {
        keys[i] = gf_float_key(line[i]) ^ args->invert;
    }
    int64_t span = 1;
    for (; 2 * span <= w; span *= 2) {
        n -= span * channels;
        lesser_row(keys, keys + span * channels, keys, n);
    }
    const uint32_t *first = keys + (plan->window.radius_x - args->left) * channels;
    lesser_row(first, first + (w - span) * channels, keys, tile->samples);
    return keys;
}

/* Row number r, from 0, of those that windows of the tile see. */
static void push(const struct gf_cpu_tile *tile, int64_t r, int64_t h, const uint32_t *keys)
{
    const size_t bytes = (size_t)tile->samples * sizeof *keys;
    const int64_t slot = r % h;
    uint32_t *gathered = state_row(tile, h + GATHERED);
    memcpy(state_row(tile, slot), keys, bytes);
    if (slot == 0) {
        memcpy(gathered, keys, bytes);
    } else {
        lesser_row(gathered, keys, gathered, tile->samples);
    }
    for (int64_t i = h - 2; slot == h - 1 && i >= 0; i--) {
        lesser_row(state_row(tile, i), state_row(tile, i + 1), state_row(tile, i), tile->samples);
    }
}

/* The frame feeds as many rows above as below: of an even height one row too early, or one too late. */
static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_morphology_args args = args_of(&tile->plan->pass->window);
    const int64_t h = args.up + args.down + 1, first = tile->y0 - args.up;
    const uint32_t *keys = take_line(tile, &args);

    if (args.down >= args.up) {
        if (v >= first) {
            push(tile, v - first, h, keys);
        }
        return;
    }
    uint32_t *waiting = state_row(tile, h + WAITING);
    if (v > first) {
        push(tile, v - 1 - first, h, waiting);
    }
    memcpy(waiting, keys, (size_t)tile->samples * sizeof *keys);
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_window *window = &tile->plan->pass->window;
    const struct gf_morphology_args args = args_of(window);
    const int64_t h = args.up + args.down + 1, slot = (y - tile->y0) % h;
    const uint32_t *begun = state_row(tile, slot), *gathered = state_row(tile, h + GATHERED);
    float *made = window->depth_out == GF_F32 ? out : state_row(tile, h + FLOATS);

    for (int64_t i = 0; i < tile->samples; i++) {
        uint32_t key = slot == 0 ? begun[i] : lesser(begun[i], gathered[i]);
        made[i] = gf_key_float(key ^ args.invert);
    }
    if (made != out) {
        tile->plan->rows->from_f32(made, out, window->depth_out, tile->samples);
    }
}

static gf_status describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    const struct gf_window *w = &pass->window;
    const struct gf_morphology_args args = args_of(w);
    if (w->depth_in != w->depth_out ||
        (w->depth_in != GF_U8 && w->depth_in != GF_U16 && w->depth_in != GF_F32)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "morphology windows do not turn %s into %s",
                       gf_depth_name(w->depth_in), gf_depth_name(w->depth_out));
    }
    window->line = GF_F32;
    window->radius_x = args.left > args.right ? args.left : args.right;
    window->radius_y = args.up > args.down ? args.up : args.down;
    window->ring_budget = 512 * 1024;
    window->state_bytes = state_bytes;
    window->feed = feed;
    window->emit = emit;
    return GF_OK;
}

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_morphology_args args = args_of(window);
    *halo = (struct gf_halo){args.left, args.right, args.up, args.down, .align = 1};
}

static enum gf_work work_of(const struct gf_window *window)
{
    (void)window;
    return GF_WORK_BOX; /* about as much */
}

static bool turn(struct gf_window *window)
{
    const struct gf_morphology_args args = args_of(window);
    const struct gf_morphology_args turned = {args.up, args.down, args.left, args.right, args.invert};
    window->args.own = gf_args_of(&turned, sizeof turned);
    return true;
}

const struct gf_kernel gf_kernel_morphology = {
    .name = "morphology",
    .kind = GF_KERNEL_WINDOW,
    .cpu = gf_paths_cpu,
    .cuda = GF_CUDA_FN(gf_paths_cuda_morphology),
    .halo = halo_of,
    .work = work_of,
    .describe = describe,
    .turn = turn,
    .judge = gf_judge_morphology,
};
