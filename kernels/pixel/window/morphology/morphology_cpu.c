/* Least and greatest samples of rectangles on the CPU, at a cost that hardly depends on their size; those of
 * few rows in morphology_near_cpu.c.
 *
 * Across: the least of spans of 1, 4, 16, ... pixels, and of two to four such spans that overlap, in pieces
 * that stay in the first cache. Down: the blocks of van Herk and of Gil and Werman. Row r - (first row) of a
 * tile lies in slot r modulo h; once a block of h rows is complete each slot holds the least from it to the
 * block's end, which rows of the next block then replace; those are also gathered in a row of their own.
 * State: h slots, that row, a row that waits, a row of keys, two pieces. */
#include "pixel/window/morphology/morphology_cpu.h"
#include "base/planted_fault.h"

#include <string.h>

static size_t row_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    return gf_cpu_padded((size_t)samples * gf_least_size(window->line));
}

/* Rows of the state behind the slots. */
enum { GATHERED, WAITING, KEYS, OTHERS };

/* Samples of a piece: several times as many as it looks at beside its own. */
static int64_t piece_samples(const struct gf_pass *pass)
{
    const struct gf_morphology_args args = gf_morphology_args_of(&pass->window);
    const int64_t beside = (args.left + args.right) * (int64_t)pass->window.channels_in;
    const int64_t least = (int64_t)(4096 / gf_least_size(pass->window.depth_in));
    return least > 3 * beside ? least : 3 * beside;
}

size_t gf_morphology_piece(const struct gf_pass *pass)
{
    const struct gf_morphology_args args = gf_morphology_args_of(&pass->window);
    const int64_t beside = (args.left + args.right) * (int64_t)pass->window.channels_in;
    return gf_cpu_padded((size_t)(piece_samples(pass) + beside) * gf_least_size(pass->window.depth_in));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    (void)line_samples;
    return (size_t)(gf_morphology_rows(window->pass) + OTHERS) * row_bytes(window, samples) +
           2 * gf_morphology_piece(window->pass);
}

static void *state_row(const struct gf_cpu_tile *tile, int64_t row)
{
    return (char *)tile->state + (size_t)row * row_bytes(&tile->plan->window, tile->samples);
}

/* ---- across ---- */

/* to[i] = the least of the window of w pixels at i, from spans that are `span` wide: as many as it takes,
 * four at most. */
static void cover(const struct gf_cpu_plan *plan, const char *from, int64_t span, int64_t w, void *to,
                  int64_t n, uint32_t flip, uint32_t back)
{
    const int64_t pixel = (int64_t)gf_least_size(plan->window.line) * plan->pass->window.channels_in;
    const void *spans[4];
    for (int64_t i = 0; i < 4; i++) {
        spans[i] = from + (i * span < w - span ? i * span : w - span) * pixel;
    }
    gf_least_rows(plan)->of_four(spans, to, n, flip, back);
}

/* The least of each of n windows of w pixels, the first of which begins at `line`. */
static void across_piece(const struct gf_cpu_plan *plan, const char *line, int64_t w, char *to, int64_t n,
                         char *piece, char *other, uint32_t flip, uint32_t back)
{
    const int64_t channels = plan->pass->window.channels_in;
    int64_t span = 1;
    for (; 4 * span < w; span *= 4) {
        cover(plan, line, span, 4 * span, piece, n + (w - 4 * span) * channels, flip, 0);
        line = piece;
        piece = other;
        other = (char *)(uintptr_t)line;
        flip = 0;
    }
    cover(plan, line, span, w, to, n, flip, back);
}

void gf_morphology_across(const struct gf_cpu_plan *plan, const char *line, char *to, int64_t n, char *pieces,
                          bool floats, uint32_t flip, uint32_t back)
{
    const struct gf_morphology_args args = gf_morphology_args_of(&plan->pass->window);
    const int64_t w = args.left + args.right + 1, channels = plan->pass->window.channels_in;
    const int64_t size = (int64_t)gf_least_size(plan->window.line), most = piece_samples(plan->pass);
    char *other = pieces + gf_morphology_piece(plan->pass);

    for (int64_t at = 0; at < n; at += most) {
        const int64_t m = n - at < most ? n - at : most;
        const char *from = line + at * size;
        if (floats) {
            plan->rows->f32_keys((const float *)(const void *)from, (uint32_t *)(void *)other,
                                 m + (w - 1) * channels, flip);
            from = other;
        }
        across_piece(plan, from, w, to + at * size, m, pieces, other, floats ? 0 : flip, back);
    }
}

/* The row that is fed, each sample the least of its row of the window. */
static void take_row(const struct gf_cpu_tile *tile, const struct gf_morphology_args *args, char *to)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const int64_t size = (int64_t)gf_least_size(plan->window.line);
    const int64_t channels = plan->pass->window.channels_in;
    const int64_t skip = (plan->window.radius_x - args->left) * channels;
    char *pieces = state_row(tile, gf_morphology_rows(plan->pass) + OTHERS);

    for (int i = 0; i < tile->n_parts; i++) {
        const struct gf_cpu_part *part = &tile->parts[i];
        gf_morphology_across(plan, (const char *)part->line + skip * size, to + part->from * channels * size,
                             part->n * channels, pieces, plan->window.line == GF_F32, args->invert, 0);
    }
}

/* ---- down ---- */

/* Once row number r, from 0, of those that windows of the tile see is in its slot. */
static void end_block(const struct gf_cpu_tile *tile, int64_t r, int64_t h)
{
    const struct gf_cpu_least *rows = gf_least_rows(tile->plan);
    for (int64_t i = h - 2; r % h == h - 1 && i >= GF_FAULT(least_block); i--) {
        rows->lower(state_row(tile, i), state_row(tile, i + 1), tile->samples);
    }
}

/* The frame feeds as many rows above as below: for an even height one row too early, or one too late. */
static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_morphology_args args = gf_morphology_args_of(&tile->plan->pass->window);
    const int64_t h = gf_morphology_rows(tile->plan->pass), first = tile->y0 - args.up;
    const int64_t late = args.down < args.up && !GF_FAULT(least_late);
    const int64_t r = v - late - first; /* the row that takes its slot */

    if (late && r >= 0) {
        memcpy(state_row(tile, r % h), state_row(tile, h + WAITING),
               row_bytes(&tile->plan->window, tile->samples));
    }
    if (late || r >= 0) {
        take_row(tile, &args, state_row(tile, late ? h + WAITING : r % h));
    }
    if (r >= 0) {
        end_block(tile, r, h);
    }
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_least *rows = gf_least_rows(plan);
    const struct gf_morphology_args args = gf_morphology_args_of(&plan->pass->window);
    const int64_t h = gf_morphology_rows(plan->pass), slot = (y - tile->y0) % h;
    const bool keys = plan->window.line == GF_F32;
    const void *begun = state_row(tile, slot);
    const void *entered = state_row(tile, (slot + h - 1) % h); /* the window's last row */
    void *gathered = state_row(tile, h + GATHERED), *made = keys ? state_row(tile, h + KEYS) : out;
    const uint32_t flip = keys ? 0 : args.invert;

    if (slot == 0) {
        rows->of_all(&begun, 1, made, tile->samples, flip);
    } else if (slot == 1) {
        memcpy(gathered, entered, row_bytes(&plan->window, tile->samples));
        const void *both[2] = {begun, entered};
        rows->of_all(both, 2, made, tile->samples, flip);
    } else {
        rows->gather(gathered, entered, begun, made, tile->samples, flip, tile->ahead);
    }
    if (keys) {
        plan->rows->keys_f32(made, out, tile->samples, args.invert);
    }
}

/* ---- the entry ---- */

static gf_status describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    (void)pass, (void)error;
    if (!gf_morphology_by_blocks(window)) {
        window->in_parts = true;
        window->state_bytes = state_bytes;
        window->feed = feed;
        window->emit = emit;
    }
    return GF_OK;
}

static const struct gf_cpu_window cpu_window = {.depths = GF_CPU_SAME_DEPTHS, .describe = describe};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_morphology_args args = gf_morphology_args_of(window);
    *halo = (struct gf_halo){args.left, args.right, args.up, args.down, .align = 1};
}

static bool turn(struct gf_window *window)
{
    const struct gf_morphology_args args = gf_morphology_args_of(window);
    const struct gf_morphology_args turned = {args.up, args.down, args.left, args.right, args.invert};
    window->args.own = gf_args_of(&turned, sizeof turned);
    return true;
}

const struct gf_kernel gf_kernel_morphology = {
    .name = "morphology",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_morphology},
    .window = {.halo = halo_of,
               .work = GF_WORK_BOX, /* about as much */
               .cpu_window = &cpu_window,
               .turn = turn},
    .judge = gf_judge_morphology,
};
