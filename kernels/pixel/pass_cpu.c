/* The driver: cuts a pass into tiles, gives threads their buffers, marches. */
#include "pixel/pass_cpu.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/cpu_float_mode.h"
#include "pixel/cpu_pass.h"

#include <string.h>

enum {
    POINT_STRIP = 32768,     /* samples of a strip without a window */
    STREAM_BYTES = 64 << 20, /* of a picture that no cache holds until it is read again */
    LEAST_STRIP = 256        /* samples below which a strip is not narrowed */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t round_up(int64_t a, int64_t b)
{
    return divide_up(a, b) * b;
}

/* ---- geometry: all that depends on pass, threads and options alone ---- */

static size_t state_bytes(const struct gf_cpu_plan *plan, int64_t strip)
{
    int64_t channels = plan->pass->window.channels_in;
    const struct gf_cpu_window *window = &plan->window;
    if (!plan->has_window) {
        return 0;
    }
    return window->state_bytes(window, strip * channels, (strip + 2 * window->radius_x) * channels);
}

/* Pixels of a strip: the whole width, or what keeps the ring within its budget. */
static int64_t choose_strip(const struct gf_cpu_plan *plan)
{
    const struct gf_pass *pass = plan->pass;
    int64_t channels = greatest(pass->pre.channels_in, pass->post.channels_out);
    int64_t floor = greatest(LEAST_STRIP / channels, 1);

    if (!plan->has_window) {
        return least(pass->width, POINT_STRIP / channels);
    }
    int64_t strip = pass->width;
    while (strip > floor && state_bytes(plan, strip) > (size_t)plan->window.ring_budget) {
        strip = greatest(divide_up(strip, 2), floor);
    }
    return strip;
}

/* Rows of a band: a few bands a thread, each several times the 2 r rows that it computes again. */
static int64_t choose_band(const struct gf_cpu_plan *plan, int32_t threads)
{
    int64_t height = plan->pass->height;
    int64_t halo = plan->has_window ? 2 * plan->window.radius_y : 0;
    int64_t fair = divide_up(height, threads);

    if (threads <= 1) {
        return height;
    }
    return greatest(least(fair, greatest(divide_up(fair, 4), 16 * (halo + 1))), 1);
}

static void choose_buffers(struct gf_cpu_plan *plan)
{
    const struct gf_pass *pass = plan->pass;
    size_t strip = (size_t)plan->strip_width;
    size_t line = strip + 2 * (size_t)plan->window.radius_x;
    size_t input = (size_t)pass->window.channels_in * sizeof(float);

    plan->line_bytes = plan->has_window ? gf_cpu_padded(line * input) : 0;
    plan->centre_bytes = plan->has_window ? gf_cpu_padded(strip * input) : 0;
    plan->state_bytes = gf_cpu_padded(state_bytes(plan, plan->strip_width));
    size_t widest =
        (size_t)greatest(greatest(pass->pre.channels_out, pass->post.channels_in), pass->post.channels_out);
    plan->row_bytes = gf_cpu_padded(strip * widest * sizeof(float));
    for (int i = 0; i < pass->n_taps; i++) {
        plan->tap_bytes[i] = gf_cpu_padded(gf_cpu_tap_bytes(pass, &pass->taps[i], plan->strip_width));
        plan->cell_bytes[i] = gf_cpu_padded(gf_cpu_tap_cell_bytes(pass, &pass->taps[i]));
    }
}

static gf_status choose_geometry(struct gf_cpu_plan *plan, const struct gf_pass *pass,
                                 gf_cpu_describe_fn describe, int32_t threads,
                                 const struct gf_cpu_options *options, gf_error *error)
{
    plan->pass = pass;
    plan->has_window = describe != NULL;
    if (describe) {
        GF_TRY(describe(pass, &plan->window, error));
    } else {
        plan->window.line = pass->pre.depth_out;
    }
    plan->strip_width = options && options->strip_width > 0 ? options->strip_width : choose_strip(plan);
    plan->band_height =
        options && options->band_height > 0 ? options->band_height : choose_band(plan, threads);
    for (int i = 0; i < pass->n_taps; i++) {
        if (gf_cpu_tap_has_cells(pass, &pass->taps[i])) {
            plan->strip_width = round_up(plan->strip_width, GF_CELL_W);
            plan->band_height = round_up(plan->band_height, GF_CELL_H);
        }
    }
    plan->strip_width = least(plan->strip_width, pass->width);
    plan->band_height = least(plan->band_height, pass->height);
    plan->strips = divide_up(pass->width, plan->strip_width);
    plan->bands = divide_up(pass->height, plan->band_height);
    choose_buffers(plan);
    int64_t limit = options && options->stream_bytes > 0 ? options->stream_bytes : STREAM_BYTES;
    int64_t bytes =
        pass->width * pass->height * pass->post.channels_out * (int64_t)gf_depth_size(pass->post.depth_out);
    plan->streams = pass->out != GF_NONE && pass->n_taps == 0 && bytes > limit;
    return GF_OK;
}

static size_t shared_bytes(const struct gf_cpu_plan *plan)
{
    size_t bytes = 0;
    for (int i = 0; i < plan->pass->n_taps; i++) {
        bytes += plan->cell_bytes[i];
    }
    return bytes;
}

static size_t thread_bytes(const struct gf_cpu_plan *plan)
{
    size_t bytes = plan->line_bytes + plan->centre_bytes + plan->state_bytes + 2 * plan->row_bytes +
                   gf_cpu_padded(GF_CPU_WORK * sizeof(float));
    for (int i = 0; i < plan->pass->n_taps; i++) {
        bytes += plan->tap_bytes[i];
    }
    return bytes;
}

size_t gf_pass_cpu_scratch(const struct gf_pass *pass, gf_cpu_describe_fn describe, int32_t threads,
                           const struct gf_cpu_options *options)
{
    struct gf_cpu_plan plan;
    memset(&plan, 0, sizeof plan);
    if (choose_geometry(&plan, pass, describe, threads, options, NULL) != GF_OK) {
        return 0; /* running it says why */
    }
    return shared_bytes(&plan) + (size_t)threads * thread_bytes(&plan);
}

/* ---- one thread ---- */

static void give_buffers(struct gf_cpu_tile *tile, const struct gf_cpu_plan *plan, int thread)
{
    char *next = (char *)plan->run->scratch + shared_bytes(plan) + (size_t)thread * thread_bytes(plan);

    memset(tile, 0, sizeof *tile);
    tile->plan = plan;
    tile->line = next;
    next += plan->line_bytes;
    tile->centre = next;
    next += plan->centre_bytes;
    tile->state = next;
    next += plan->state_bytes;
    tile->row = next;
    next += plan->row_bytes;
    tile->last = next;
    next += plan->row_bytes;
    tile->work = (float *)(void *)next;
    next += gf_cpu_padded(GF_CPU_WORK * sizeof(float));
    for (int i = 0; i < plan->pass->n_taps; i++) {
        tile->taps[i] = next;
        next += plan->tap_bytes[i];
    }
}

/* The row as the post program reads it: the source itself where nothing comes before. */
static const void *row_before_post(const struct gf_cpu_tile *tile, int64_t y, void *wanted)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_program *pre = &plan->pass->pre;
    void *row = wanted ? wanted : tile->row;

    if (plan->has_window) {
        plan->window.emit(tile, y, row);
        return row;
    }
    if (gf_cpu_program_is_copy(&plan->pre)) {
        int64_t pixel = (int64_t)gf_depth_size(pre->depth_in) * pre->channels_in;
        return (const char *)plan->run->in.data + y * plan->run->in.pitch + tile->x0 * pixel;
    }
    gf_cpu_load(tile, y, tile->x0, tile->x1, row);
    return row;
}

/* What KEEP gives back: the window's input. */
static void set_centre(const struct gf_cpu_tile *tile, struct gf_cpu_span *span)
{
    const struct gf_cpu_plan *plan = tile->plan;
    span->centre = tile->centre;
    span->centre_depth = plan->window.line;
    if (gf_cpu_program_is_copy(&plan->pre)) {
        int64_t pixel = (int64_t)gf_depth_size(plan->pre.depth_in) * plan->pre.channels_in;
        span->centre = (const char *)plan->run->in.data + span->y * plan->run->in.pitch + tile->x0 * pixel;
        span->centre_depth = plan->pre.depth_in;
    } else {
        gf_cpu_load(tile, span->y, tile->x0, tile->x1, tile->centre);
    }
}

/* Row y of the tile to the picture, or to tile->last where the pass stores none. */
static void make_row(const struct gf_cpu_tile *tile, int64_t y)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_program *post = &plan->pass->post;
    int64_t pixels = tile->x1 - tile->x0;
    int64_t pixel = (int64_t)gf_depth_size(post->depth_out) * post->channels_out;
    void *out = tile->last;

    bool stores = plan->pass->out != GF_NONE;
    if (stores) {
        out = (char *)plan->run->out.data + y * plan->run->out.pitch + tile->x0 * pixel;
    }
    bool copy = gf_cpu_program_is_copy(&plan->post);
    bool streams = copy && plan->has_window && plan->streams;
    const void *row = row_before_post(tile, y, copy && !streams ? out : NULL);
    if (streams) {
        plan->rows->stream(out, row, (size_t)(pixels * pixel));
    } else if (!copy || (row != out && stores &&
                         post->depth_out == GF_F32)) { /* a copied f32 picture becomes canonical */
        struct gf_cpu_span span = {.x = tile->x0,
                                   .y = y,
                                   .n = pixels,
                                   .centre_depth = post->depth_out,
                                   .work = tile->work,
                                   .streams = plan->streams};
        if (plan->post.has_keep) {
            set_centre(tile, &span);
        }
        gf_cpu_program_run(&plan->post, &span, row, out, post->depth_out);
    } else if (row != out && stores) {
        memcpy(out, row, (size_t)(pixels * pixel));
    } else if (row != out) {
        out = (void *)(uintptr_t)row; /* only read below */
    }
    for (int i = 0; i < plan->pass->n_taps; i++) {
        gf_cpu_tap_row(&plan->taps[i], tile->taps[i], out, tile->x0, y, pixels);
        if (GF_FAULT(tap_twice) && y == tile->y0 && y > 0) {
            gf_cpu_tap_row(&plan->taps[i], tile->taps[i], out, tile->x0, y, pixels);
        }
    }
    if (GF_FAULT(one_pixel) && stores && plan->has_window && tile->x0 == 0 && y == plan->pass->height / 2) {
        ((unsigned char *)out)[pixels / 2 * pixel] ^= 1;
    }
}

static void march(struct gf_cpu_tile *tile)
{
    const struct gf_cpu_plan *plan = tile->plan;
    int64_t radius = plan->has_window ? plan->window.radius_y : 0;
    int64_t channels = plan->has_window ? plan->pass->window.channels_in : plan->pass->pre.channels_out;

    tile->samples = (tile->x1 - tile->x0) * channels;
    int64_t first = tile->y0 - radius + (GF_FAULT(band_seam) && tile->y0 > 0 && radius > 0);
    for (int64_t v = first; v < tile->y1 + radius; v++) {
        if (plan->has_window) {
            gf_cpu_fill_line(tile, v);
            plan->window.feed(tile, v);
        }
        if (v >= tile->y0 + radius) {
            make_row(tile, v - radius);
        }
    }
    for (int i = 0; i < plan->pass->n_taps; i++) {
        gf_cpu_tap_end_tile(&plan->taps[i], tile->taps[i], tile->x0, tile->y1, tile->x1 - tile->x0);
    }
    if (plan->streams) {
        plan->rows->fence();
    }
}

static void march_tile(struct gf_cpu_tile *tile, int64_t index)
{
    const struct gf_cpu_plan *plan = tile->plan;
    tile->x0 = index % plan->strips * plan->strip_width;
    tile->x0 += GF_FAULT(strip_seam) && tile->x0 > 0;
    tile->y0 = index / plan->strips * plan->band_height;
    tile->x1 = least(tile->x0 + plan->strip_width, plan->pass->width);
    tile->y1 = least(tile->y0 + plan->band_height, plan->pass->height);
    march(tile);
}

/* ---- all threads ---- */

/* What thread number `thread` of `threads` does: every threads-th tile. */
static void work(const struct gf_cpu_plan *plan, int thread, int threads)
{
    struct gf_cpu_tile tile;
    gf_float_mode saved;

    gf_float_mode_set(&saved);
    give_buffers(&tile, plan, thread);
    for (int i = 0; i < plan->pass->n_taps; i++) {
        gf_cpu_tap_begin(&plan->taps[i], tile.taps[i]);
    }
    for (int64_t index = thread; index < plan->bands * plan->strips; index += threads) {
        march_tile(&tile, index);
    }
    for (int i = 0; i < plan->pass->n_taps; i++) {
#ifdef _OPENMP
#pragma omp critical(gf_cpu_tap)
#endif
        gf_cpu_tap_merge(&plan->taps[i], tile.taps[i]);
    }
    gf_float_mode_restore(&saved);
}

static gf_status check_pass(const struct gf_run *run, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    gf_depth ends[4] = {pass->pre.depth_in, pass->pre.depth_out, pass->post.depth_in, pass->post.depth_out};

    for (int i = 0; i < 4; i++) {
        if (ends[i] != GF_U8 && ends[i] != GF_U16 && ends[i] != GF_F32 && ends[i] != GF_S16) {
            return gf_fail(error, GF_ERROR_UNSUPPORTED, "no pass on the CPU works on %s",
                           gf_depth_name(ends[i]));
        }
    }
    if (run->threads < 1) {
        return gf_fail(error, GF_ERROR_INTERNAL, "a pass on %d threads", (int)run->threads);
    }
    return GF_OK;
}

gf_status gf_pass_cpu(struct gf_run *run, gf_cpu_describe_fn describe, const struct gf_cpu_options *options,
                      gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    struct gf_cpu_plan plan;
    char *cells = run->scratch;
    int threads = run->threads;
    gf_float_mode saved;

    memset(&plan, 0, sizeof plan);
    GF_TRY(check_pass(run, error));
    GF_TRY(choose_geometry(&plan, pass, describe, run->threads, options, error));
    plan.run = run;
    plan.rows = options && options->rows ? options->rows : gf_cpu_rows_best();
    gf_float_mode_set(&saved);
    gf_cpu_program_make(&plan.pre, &pass->pre, run, plan.rows);
    gf_cpu_program_make(&plan.post, &pass->post, run, plan.rows);
    gf_float_mode_restore(&saved);
    if (plan.pre.has_keep || (plan.post.has_keep && !plan.has_window)) {
        return gf_fail(error, GF_ERROR_INTERNAL, "KEEP without a window before it");
    }
    for (int i = 0; i < pass->n_taps; i++) {
        gf_cpu_tap_make(&plan.taps[i], run, i, plan.rows, plan.strip_width,
                        plan.cell_bytes[i] ? (double *)(void *)cells : NULL);
        plan.taps[i].two_values = gf_cpu_program_ends_in_step(&plan.post, plan.taps[i].values);
        cells += plan.cell_bytes[i];
    }
    if (plan.bands * plan.strips < threads) {
        threads = (int)(plan.bands * plan.strips);
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads)
#endif
    for (int thread = 0; thread < threads; thread++) {
        work(&plan, thread, threads);
    }
    gf_float_mode_set(&saved);
    for (int i = 0; i < pass->n_taps; i++) {
        gf_cpu_tap_finish(&plan.taps[i]);
    }
    gf_float_mode_restore(&saved);
    uint64_t area = (uint64_t)pass->width * (uint64_t)pass->height;
    run->bytes_read = area * (uint64_t)pass->pre.channels_in * gf_depth_size(pass->pre.depth_in);
    run->bytes_written = pass->out == GF_NONE
                             ? 0
                             : area * (uint64_t)pass->post.channels_out * gf_depth_size(pass->post.depth_out);
    return GF_OK;
}
