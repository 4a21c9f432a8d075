/* What the box windows of integers (cpu_box.c) and of f32 (cpu_box_f32.c) share on the CPU. */
#pragma once

#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_pass.h"

/* Bytes of a sum over a row of the window, and of one over all of it; of integers the divider of that one. */
struct gf_box_sums {
    size_t row_size, sum_size;
    struct gf_divider divider;
    struct gf_divider32 divider32;
    struct gf_divider16 divider16;
};

static inline struct gf_box_sums gf_box_sums_of(const struct gf_cpu_window *window)
{
    struct gf_box_sums sums;
    gf_args_get(&window->own, &sums, sizeof sums);
    return sums;
}

/* Fills in the functions of f32; radii and line are set. */
void gf_box_f32_describe(struct gf_cpu_window *window);

static inline const struct gf_box_args *gf_box_args_of(const struct gf_cpu_tile *tile)
{
    return &tile->plan->pass->window.args.box;
}

static inline int64_t gf_box_rows(const struct gf_cpu_window *window)
{
    return 2 * window->radius_y + 1;
}

/* Rows of a ring; for integers one leaves while another enters. */
static inline int64_t gf_box_ring_rows(const struct gf_cpu_window *window)
{
    return gf_box_rows(window) + (window->line != GF_F32);
}

static inline size_t gf_box_row_bytes(const struct gf_cpu_tile *tile)
{
    return gf_cpu_padded((size_t)tile->samples * gf_box_sums_of(&tile->plan->window).row_size);
}

static inline void *gf_box_ring_row(const struct gf_cpu_tile *tile, int64_t v)
{
    return (char *)tile->state +
           (size_t)gf_modulo(v, gf_box_ring_rows(&tile->plan->window)) * gf_box_row_bytes(tile);
}

/* The row behind the ring: integer sums, or the running beginning of a block. */
static inline void *gf_box_sums_row(const struct gf_cpu_tile *tile)
{
    return (char *)tile->state + (size_t)gf_box_ring_rows(&tile->plan->window) * gf_box_row_bytes(tile);
}

/* Returns how often virtual row v occurs in a turn of the border along y: once for all of the fill. */
static inline int32_t gf_box_turn_of_row(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_pass *pass = tile->plan->pass;
    if (pass->window.border == GF_BORDER_CONSTANT) {
        return v == -1 ? 2 : 0;
    }
    return v >= 0 && v < pass->height ? gf_border_turn(v, pass->height, pass->window.border) : 0;
}

/* The first sample of pixel x in tile->line. */
static inline int64_t gf_box_line_at(const struct gf_cpu_tile *tile, int64_t x)
{
    return (x - tile->x0 + tile->plan->window.radius_x) * tile->plan->pass->window.channels_in;
}

static inline int64_t gf_box_turns(int32_t wanted)
{
    return wanted - (wanted > 0 && GF_FAULT(box_turn));
}
