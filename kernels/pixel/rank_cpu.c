/* Ranks on the CPU: each neighbourhood is gathered as keys (gf_float_key), and the wanted one selected.
 * State: a ring of 2 radius_y + 1 lines, and a neighbourhood. */
#include "base/gf_num.h"
#include "base/status.h"
#include "pixel/cpu_pass.h"
#include "pixel/rank.h"

#include <string.h>

static size_t row_bytes(int64_t samples)
{
    return gf_cpu_padded((size_t)samples * sizeof(uint32_t));
}

static size_t state_bytes(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples)
{
    const struct gf_rank_args args = gf_rank_args_of(&window->pass->window);
    return (size_t)(2 * window->radius_y + 1) * row_bytes(line_samples) + row_bytes(samples) +
           row_bytes(args.n);
}

static int64_t line_samples(const struct gf_cpu_tile *tile)
{
    const struct gf_cpu_plan *plan = tile->plan;
    return tile->samples + 2 * plan->window.radius_x * plan->pass->window.channels_in;
}

static uint32_t *ring_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const int64_t rows = 2 * tile->plan->window.radius_y + 1;
    const int64_t slot = (v + tile->plan->window.radius_y - tile->y0) % rows;
    return (uint32_t *)(void *)((char *)tile->state + (size_t)slot * row_bytes(line_samples(tile)));
}

static void feed(const struct gf_cpu_tile *tile, int64_t v)
{
    const float *line = tile->line;
    uint32_t *keys = ring_row(tile, v);
    for (int64_t i = 0; i < line_samples(tile); i++) {
        keys[i] = gf_float_key(line[i]);
    }
}

/* The key of that index among n, which change places. */
static uint32_t select_key(uint32_t *keys, int64_t n, int64_t index)
{
    int64_t from = 0, to = n - 1;
    while (from < to) {
        const uint32_t middle = keys[from + (to - from) / 2];
        int64_t i = from, j = to;
        while (i <= j) {
            while (keys[i] < middle) {
                i++;
            }
            while (keys[j] > middle) {
                j--;
            }
            if (i <= j) {
                const uint32_t other = keys[i];
                keys[i++] = keys[j];
                keys[j--] = other;
            }
        }
        if (index <= j) {
            to = j;
        } else if (index >= i) {
            from = i;
        } else {
            return middle;
        }
    }
    return keys[index];
}

static void emit(const struct gf_cpu_tile *tile, int64_t y, void *out)
{
    const struct gf_window *window = &tile->plan->pass->window;
    const struct gf_rank_args args = gf_rank_args_of(window);
    const int64_t rows = 2 * tile->plan->window.radius_y + 1, channels = window->channels_in;
    char *behind = (char *)tile->state + (size_t)rows * row_bytes(line_samples(tile));
    float *made = window->depth_out == GF_F32 ? out : (void *)behind;
    uint32_t *found = (uint32_t *)(void *)(behind + row_bytes(tile->samples));

    for (int64_t i = 0; i < tile->samples; i++) {
        int64_t n = 0;
        for (int64_t v = y - args.radius_y; v <= y + args.radius_y; v++) {
            const uint32_t *keys = ring_row(tile, v) + i;
            for (int64_t u = 0; u <= 2 * (int64_t)args.radius_x; u++) {
                found[n++] = keys[u * channels];
            }
        }
        made[i] = gf_key_float(select_key(found, n, args.index));
    }
    if (made != out) {
        tile->plan->rows->from_f32(made, out, window->depth_out, tile->samples);
    }
}

static gf_status describe(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error)
{
    const struct gf_window *w = &pass->window;
    const struct gf_rank_args args = gf_rank_args_of(w);
    if (w->depth_in != w->depth_out ||
        (w->depth_in != GF_U8 && w->depth_in != GF_U16 && w->depth_in != GF_F32)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "rank windows do not turn %s into %s",
                       gf_depth_name(w->depth_in), gf_depth_name(w->depth_out));
    }
    window->line = GF_F32;
    window->radius_x = args.radius_x;
    window->radius_y = args.radius_y;
    window->pass = pass;
    window->ring_budget = 512 * 1024;
    window->state_bytes = state_bytes;
    window->feed = feed;
    window->emit = emit;
    return GF_OK;
}

static void halo_of(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_rank_args args = gf_rank_args_of(window);
    *halo = (struct gf_halo){args.radius_x, args.radius_x, args.radius_y, args.radius_y, .align = 1};
}

static enum gf_work work_of(const struct gf_window *window)
{
    (void)window;
    return GF_WORK_BOX;
}

static bool turn(struct gf_window *window)
{
    const struct gf_rank_args args = gf_rank_args_of(window);
    const struct gf_rank_args turned = {args.radius_y, args.radius_x, args.index, args.n};
    window->args.own = gf_args_of(&turned, sizeof turned);
    return true;
}

const struct gf_kernel gf_kernel_rank = {
    .name = "rank",
    .kind = GF_KERNEL_WINDOW,
    .cpu = gf_paths_cpu,
    .cuda = GF_CUDA_FN(gf_paths_cuda_rank),
    .halo = halo_of,
    .work = work_of,
    .describe = describe,
    .turn = turn,
    .judge = gf_judge_rank,
};
