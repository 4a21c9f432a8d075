/* Windows of the embedder on the CPU: a ring of lines, which the function reads as they are. State: the ring,
 * a pointer a row, and a row of f32. Shared: the first failure. */
#include "pixel/ir/own_window.h"

#include "base/gf_border.h"
#include "base/status.h"
#include "pixel/cpu/cpu_pass.h"

#include <string.h>

/* ---- failures ---- */

/* Zeroed before any row is made. Written by the thread that sets `failed` first, read after all have ended.
 */
struct outcome {
    bool failed; /* atomic */
    gf_status status;
    gf_error said;
};

static struct outcome *outcome_of(const struct gf_cpu_plan *plan)
{
    return plan->window_memory;
}

static void prepare(const struct gf_cpu_tile *tile, int phase, int thread, int threads)
{
    (void)phase, (void)threads;
    if (thread == 0) {
        *outcome_of(tile->plan) = (struct outcome){.status = GF_OK};
    }
}

static gf_status finish(const struct gf_cpu_plan *plan, gf_error *error)
{
    const struct gf_own_window_args args = gf_own_window_args_of(&plan->pass->window);
    struct outcome *outcome = outcome_of(plan);
    return gf_own_window_status(&args, outcome->status, &outcome->said, error);
}

/* ---- rows ---- */

static size_t line_bytes(const struct gf_cpu_window *window, int64_t samples)
{
    return gf_cpu_padded((size_t)samples * gf_depth_size(window->line));
}

static int64_t ring_rows(const struct gf_cpu_window *window)
{
    return 2 * window->radius_y + 1;
}

static size_t pointer_bytes(const struct gf_cpu_window *window)
{
    return gf_cpu_padded((size_t)ring_rows(window) * sizeof(void *));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    const struct gf_window *w = &window->pass->window;
    return (size_t)ring_rows(window) * line_bytes(window, line_samples) + pointer_bytes(window) +
           gf_cpu_padded((size_t)(samples / w->channels_in * w->channels_out) * sizeof(float));
}

static char *ring_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_window *window = &tile->plan->window;
    return (char *)tile->state +
           (size_t)gf_modulo(v, ring_rows(window)) * line_bytes(window, gf_cpu_line_samples(tile));
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    memcpy(ring_row(tile, v), tile->line,
           (size_t)gf_cpu_line_samples(tile) * gf_depth_size(tile->plan->window.line));
}

/* Returns what the function is given. */
static const void *given(const struct gf_cpu_plan *plan, const struct gf_own_window_args *args)
{
    const int8_t slot = plan->pass->window.blocks[0];
    return slot == GF_NONE ? args->args : plan->run->host_blocks[slot];
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_window *window = &plan->window;
    const struct gf_window *w = &plan->pass->window;
    const struct gf_own_window_args args = gf_own_window_args_of(w);
    const int64_t pixels = tile->samples / w->channels_in, made = pixels * w->channels_out;
    const size_t beside = (size_t)(window->radius_x * w->channels_in) * gf_depth_size(window->line);
    struct outcome *outcome = outcome_of(plan);
    char *next =
        (char *)tile->state + (size_t)ring_rows(window) * line_bytes(window, gf_cpu_line_samples(tile));
    const void **in = (const void **)(void *)next;
    float *floats = (float *)(void *)(next + pointer_bytes(window));

    if (__atomic_load_n(&outcome->failed, __ATOMIC_RELAXED)) {
        memset(out, 0, (size_t)made * gf_depth_size(w->depth_out)); /* programs and taps run over it yet */
        return;
    }
    for (int64_t k = 0; k <= (int64_t)args.up + args.down; k++) {
        in[k] = ring_row(tile, y - args.up + k) + beside;
    }
    const bool is_f32 = w->depth_out == GF_F32;
    const gf_window_row row = {sizeof row, w->depth_in, w->channels_in,       w->channels_out,
                               pixels,     in,          is_f32 ? floats : out};
    gf_error said = GF_ERROR_INIT;
    const gf_status status = args.host(&row, given(plan, &args), &said);
    if (status != GF_OK) {
        if (!__atomic_exchange_n(&outcome->failed, true, __ATOMIC_RELAXED)) {
            outcome->status = status;
            outcome->said = said;
        }
        memset(row.out, 0, (size_t)made * gf_depth_size(w->depth_out));
    }
    if (is_f32) {
        plan->rows->from_f32(floats, out, GF_F32, made);
    }
}

static const struct gf_cpu_window cpu_window = {.depths = GF_CPU_SAME_DEPTHS,
                                                .state_bytes = state_bytes,
                                                .phases = 1,
                                                .shared_bytes = (sizeof(struct outcome) + 63) / 64 * 64,
                                                .prepare = prepare,
                                                .feed = feed,
                                                .emit = emit,
                                                .finish = finish};

/* ---- what others know of it ---- */

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_own_window_args args = gf_own_window_args_of(window);
    *halo = (struct gf_halo){args.left, args.right, args.up, args.down, .align = 1};
}

static const char *title_of(const struct gf_window *window)
{
    return gf_own_window_args_of(window).name;
}

const struct gf_kernel gf_kernel_own_window = {
    .name = "own window",
    .kind = GF_KERNEL_WINDOW,
    .paths = {.cpu = gf_paths_cpu},
    .window = {.halo = halo_of, .title = title_of, .cpu_window = &cpu_window},
    .judge = gf_judge_own_window,
};
