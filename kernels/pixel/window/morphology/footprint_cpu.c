/* Least and greatest samples of runs on the CPU. Each row keeps the least of its spans of 1, 2, 4, ...
 * pixels, levels 0, 1, 2, ...; a run is two spans that overlap, wherever it lies and however long it is, and
 * a pixel the least of its runs (E. Urbach and M. Wilkinson, 2008). State: a ring of rows of levels, where
 * each span of the window lies, a row of keys. */
#include "base/gf_border.h"
#include "pixel/window/morphology/cpu_least.h"
#include "pixel/window/morphology/footprint.h"

static size_t row_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    return gf_cpu_padded((size_t)samples * gf_least_size(window->line));
}

static int64_t ring_rows(const struct gf_cpu_window *window)
{
    return 2 * window->radius_y + 1;
}

static int64_t levels_of(const struct gf_footprint_args *args)
{
    return gf_span_level(args->longest) + 1;
}

static size_t pointer_bytes(const struct gf_footprint_args *args)
{
    return gf_cpu_padded(2 * (size_t)args->runs * sizeof(void *));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    const struct gf_footprint_args args = gf_footprint_args_of(&window->pass->window);
    return (size_t)(ring_rows(window) * levels_of(&args)) * row_bytes(window, line_samples) +
           pointer_bytes(&args) + row_bytes(window, samples);
}

static char *level_row(const struct gf_cpu_tile *tile, int64_t levels, int64_t v, int64_t level)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    const int64_t row = gf_modulo(v, ring_rows(window)) * levels + level;
    return (char *)tile->state + (size_t)row * row_bytes(window, gf_cpu_line_samples(tile));
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_least *rows = gf_least_rows(plan);
    const struct gf_footprint_args args = gf_footprint_args_of(&plan->pass->window);
    const int64_t levels = levels_of(&args), step = plan->pass->window.channels_in;
    int64_t n = gf_cpu_line_samples(tile);
    char *row = level_row(tile, levels, v, 0);

    if (plan->window.line == GF_F32) {
        plan->rows->f32_keys(tile->line, (uint32_t *)(void *)row, n, args.invert);
    } else {
        const void *line[4] = {tile->line, tile->line, tile->line, tile->line};
        rows->of_four(line, row, n, args.invert, 0);
    }
    for (int64_t level = 1, span = step; level < levels; level++, span *= 2) {
        const char *shorter = row;
        row = level_row(tile, levels, v, level);
        n -= span;
        const char *further = shorter + span * (int64_t)gf_least_size(plan->window.line);
        const void *spans[4] = {shorter, further, shorter, further};
        rows->of_four(spans, row, n, 0, 0);
    }
}

/* Finds where the spans of row y's window lie, for the tile's first pixel. Returns how many there are. */
static int64_t find_spans(const struct gf_cpu_tile *tile, const struct gf_footprint_args *args, int64_t y,
                          const void **spans)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_run *run = plan->run;
    const int8_t slot = plan->pass->window.blocks[0];
    const int16_t *next = run->host_blocks[slot] ? run->host_blocks[slot] : run->blocks[slot];
    const int64_t pixel = (int64_t)gf_least_size(plan->window.line) * plan->pass->window.channels_in;
    int64_t n = 0;

    for (int32_t i = 0; i < args->runs - (GF_FAULT(footprint_run) && args->runs > 1);
         i++, next += GF_RUN_NUMBERS) {
        const int32_t length = next[GF_RUN_TO] - next[GF_RUN_FROM] + 1, level = gf_span_level(length);
        const char *row = level_row(tile, levels_of(args), y + next[GF_RUN_ROW], level);
        row += (plan->window.radius_x + next[GF_RUN_FROM]) * pixel;
        spans[n++] = row;
        if (length > 1 << level) {
            spans[n++] = row + (length - (1 << level)) * pixel;
        }
    }
    return n;
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_footprint_args args = gf_footprint_args_of(&plan->pass->window);
    const int64_t rows = ring_rows(&plan->window) * levels_of(&args);
    char *next = (char *)tile->state + (size_t)rows * row_bytes(&plan->window, gf_cpu_line_samples(tile));
    const void **spans = (const void **)(void *)next;
    const int64_t n = find_spans(tile, &args, y, spans);

    if (plan->window.line != GF_F32) {
        gf_least_rows(plan)->of_all(spans, n, out, tile->samples, args.invert);
        return;
    }
    uint32_t *keys = (uint32_t *)(void *)(next + pointer_bytes(&args));
    gf_least_rows(plan)->of_all(spans, n, keys, tile->samples, 0);
    plan->rows->keys_f32(keys, out, tile->samples, args.invert);
}

static const struct gf_cpu_window cpu_window = {
    .depths = GF_CPU_SAME_DEPTHS, .state_bytes = state_bytes, .feed = feed, .emit = emit};

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_footprint_args args = gf_footprint_args_of(window);
    *halo = (struct gf_halo){args.left, args.right, args.up, args.down, .align = 1};
}

const struct gf_kernel gf_kernel_footprint = {
    .name = "footprint",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_footprint},
    .window = {.halo = halo_of,
               .work = GF_WORK_TAP_U8, /* a row of a shape takes about as long as a tap across and one down */
               .work_by_taps = true,
               .cpu_window = &cpu_window},
    .judge = gf_judge_footprint,
};
