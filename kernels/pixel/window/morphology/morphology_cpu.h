/* What the two ways of rectangles on the CPU share: morphology_cpu.c, which chooses and goes across first, so
 * that any number of rows costs the same, and morphology_near_cpu.c, which goes down first. */
#pragma once

#include "pixel/cpu/cpu_pass.h"
#include "pixel/window/morphology/cpu_least.h"
#include "pixel/window/morphology/morphology.h"

/* Rows of the window. */
static inline int64_t gf_morphology_rows(const struct gf_pass *pass)
{
    const struct gf_morphology_args args = gf_morphology_args_of(&pass->window);
    return (int64_t)args.up + args.down + 1;
}

/* Bytes of a piece; of those across takes two. */
size_t gf_morphology_piece(const struct gf_pass *pass);

/* to[i] = the least of the samples ^ flip of the row of the window that begins at line[i], ^ back; of f32
 * where `floats`, which become keys. pieces: two of them. */
void gf_morphology_across(const struct gf_cpu_plan *plan, const char *line, char *to, int64_t n, char *pieces,
                          bool floats, uint32_t flip, uint32_t back);

/* Makes *window, whose radii and pass are set, go down first; false: its windows are too large. */
bool gf_morphology_by_blocks(struct gf_cpu_window *window);
