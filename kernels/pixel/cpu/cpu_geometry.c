/* How a pass is cut into tiles, and the memory that takes: all that depends on pass, threads and options
 * alone. */
#include "base/gf_num.h"
#include "base/status.h"
#include "pixel/cpu/cpu_pass.h"

#include <string.h>

enum {
    POINT_STRIP = 32768,     /* samples of a strip without a window */
    RING_BYTES = 512 << 10,  /* of a tile's rows, which are gone through again and again */
    STREAM_BYTES = 64 << 20, /* of a picture that no cache holds until it is read again */
    LEAST_STRIP = 256        /* samples below which a strip is not narrowed */
};

static int64_t round_up(int64_t a, int64_t b)
{
    return gf_divide_up(a, b) * b;
}

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
    int64_t channels = gf_greatest(pass->pre.channels_in, pass->post.channels_out);
    int64_t floor = gf_greatest(LEAST_STRIP / channels, 1);

    if (!plan->has_window) {
        return gf_least(pass->width, POINT_STRIP / channels);
    }
    int64_t strip = pass->width;
    while (strip > floor && state_bytes(plan, strip) > (size_t)plan->window.ring_budget) {
        strip = gf_greatest(gf_divide_up(strip, 2), floor);
    }
    return strip;
}

/* Rows of a band: a few bands a thread, each several times the 2 r rows that it computes again. */
static int64_t choose_band(const struct gf_cpu_plan *plan, int32_t threads)
{
    int64_t height = plan->pass->height;
    int64_t halo = plan->has_window ? 2 * plan->window.radius_y : 0;
    int64_t fair = gf_divide_up(height, threads);

    if (threads <= 1) {
        return height;
    }
    return gf_greatest(gf_least(fair, gf_greatest(gf_divide_up(fair, 4), 16 * (halo + 1))), 1);
}

static void choose_buffers(struct gf_cpu_plan *plan)
{
    const struct gf_pass *pass = plan->pass;
    size_t strip = (size_t)plan->strip_width;
    size_t line = strip + 2 * (size_t)plan->window.radius_x;
    size_t input = (size_t)pass->window.channels_in * sizeof(float);

    plan->line_bytes = plan->has_window ? gf_cpu_padded(line * input) : 0;
    plan->centre_bytes = plan->has_window ? gf_cpu_padded(strip * input) : 0;
    plan->moved_bytes =
        pass->map.move.kernel
            ? gf_cpu_padded(strip * (size_t)pass->pre.channels_in * gf_depth_size(pass->pre.depth_in))
            : 0;
    plan->state_bytes = gf_cpu_padded(state_bytes(plan, plan->strip_width));
    size_t widest = (size_t)gf_greatest(gf_greatest(pass->pre.channels_out, pass->post.channels_in),
                                        pass->post.channels_out);
    plan->row_bytes = gf_cpu_padded(strip * widest * sizeof(float));
    for (int i = 0; i < pass->n_taps; i++) {
        const struct gf_cpu_measure *measure = pass->taps[i].kernel->tap.cpu;
        plan->tap_bytes[i] = gf_cpu_padded(measure->bytes(pass, &pass->taps[i], plan->strip_width));
        plan->cell_bytes[i] = gf_cpu_padded(gf_cpu_tap_cell_bytes(pass, &pass->taps[i]));
    }
}

/* What is known of the pass's window before it is cut into tiles. */
static gf_status make_window(struct gf_cpu_window *window, const struct gf_pass *pass, bool upright,
                             gf_error *error)
{
    const struct gf_window *w = &pass->window;
    struct gf_halo halo;
    w->kernel->window.halo(w, &halo);
    *window = *w->kernel->window.cpu_window;
    if (w->depth_in > GF_F32 || !(window->depths[w->depth_in] >> w->depth_out & 1) ||
        (window->channels > 0 && w->channels_in > window->channels)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "the window '%s' does not turn %d channels of %s into %s",
                       w->kernel->name, (int)w->channels_in, gf_depth_name(w->depth_in),
                       gf_depth_name(w->depth_out));
    }
    const bool same =
        window->lines == GF_CPU_LINES_SAME || (window->lines == GF_CPU_LINES_BYTES && w->depth_in == GF_U8);
    window->pass = pass;
    window->upright = upright;
    window->line = same ? w->depth_in : GF_F32;
    window->radius_x = gf_greatest(halo.left, halo.right);
    window->radius_y = gf_greatest(halo.up, halo.down);
    window->ring_budget = window->ring_budget ? window->ring_budget : RING_BYTES;
    return window->describe ? window->describe(pass, window, error) : GF_OK;
}

gf_status gf_cpu_geometry(struct gf_cpu_plan *plan, const struct gf_pass *pass, int32_t threads,
                          const struct gf_cpu_options *options, gf_error *error)
{
    plan->pass = pass;
    plan->has_window = pass->window.kernel != NULL;
    plan->window.line = pass->pre.depth_out;
    if (plan->has_window) {
        GF_TRY(make_window(&plan->window, pass, options && options->upright, error));
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
    plan->strip_width = gf_least(plan->strip_width, pass->width);
    plan->band_height = gf_least(plan->band_height, pass->height);
    plan->strips = gf_divide_up(pass->width, plan->strip_width);
    plan->bands = gf_divide_up(pass->height, plan->band_height);
    choose_buffers(plan);
    int64_t limit = options && options->stream_bytes > 0 ? options->stream_bytes : STREAM_BYTES;
    int64_t bytes =
        pass->width * pass->height * pass->post.channels_out * (int64_t)gf_depth_size(pass->post.depth_out);
    const bool only_moves = pass->map.move.kernel && pass->pre.n == 0; /* taps read what is not yet stored */
    plan->streams = pass->out != GF_NONE && (pass->n_taps == 0 || only_moves) && bytes > limit;
    return GF_OK;
}

size_t gf_cpu_shared_bytes(const struct gf_cpu_plan *plan)
{
    size_t bytes = plan->window.shared_bytes;
    for (int i = 0; i < plan->pass->n_taps; i++) {
        bytes += plan->cell_bytes[i];
    }
    return bytes;
}

size_t gf_cpu_thread_bytes(const struct gf_cpu_plan *plan)
{
    size_t bytes = plan->line_bytes + plan->centre_bytes + plan->moved_bytes + plan->state_bytes +
                   2 * plan->row_bytes + gf_cpu_padded(GF_CPU_WORK * sizeof(float));
    for (int i = 0; i < plan->pass->n_taps; i++) {
        bytes += plan->tap_bytes[i];
    }
    return bytes;
}

size_t gf_pass_cpu_scratch(const struct gf_pass *pass, int32_t threads, const struct gf_cpu_options *options)
{
    struct gf_cpu_plan plan;
    memset(&plan, 0, sizeof plan);
    if (gf_cpu_geometry(&plan, pass, threads, options, NULL) != GF_OK) {
        return 0; /* running it says why */
    }
    return gf_cpu_shared_bytes(&plan) + (size_t)threads * gf_cpu_thread_bytes(&plan);
}
