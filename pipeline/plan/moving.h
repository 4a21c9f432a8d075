/* Decides which moves of pixels (pixel/map/move/move.h) become how a pass loads, so that what comes before
 * and behind them is done in one read and one write of memory. */
#pragma once

#include "plan/fuse.h"

/* Can a pass load through it at all? Rows have to lie along rows: what swaps them reads and writes by tiles,
 * which no pass does. */
bool gf_moving_loads(const struct gf_op_list *list, const struct gf_apply *apply);

/* Does the pass make the same whether its points come before that move or behind it, and then one step of
 * both? They must look at nothing but a pixel's own samples and at blocks, and all pixels must come from
 * inside the picture: beside it there may be a fill that is not to go through them, and more pixels to go
 * through them than there were. A move that the pass loads through already becomes one with this. */
bool gf_moving_passes(const struct gf_op_list *list, const struct gf_pass *pass, const struct gf_apply *apply,
                      const struct gf_fuse_options *options);

/* The pass loads through the move as well, and has its size. */
void gf_moving_set(const struct gf_op_list *list, struct gf_pass *pass, const struct gf_apply *apply);

/* Is it worthwhile that the op joins a pass that loads through a move? */
bool gf_moving_joins(const struct gf_op_list *list, const struct gf_pass *pass, const struct gf_op *op,
                     const struct gf_fuse_options *options);
