/* Stages of pictures on signals: those whose ops do to a sample of f32 what only that sample says. */
#ifndef GF_FILTERS_SIGNAL_POINTS_H
#define GF_FILTERS_SIGNAL_POINTS_H

#include "signal/signal_lowering.h"

struct gf_lowered; /* lower/lowering.h */

/* Appends a node for the first of n stages and for those behind it that join its program; returns how many
 * they are. Fails with a sentence that says why where the first one is no such stage. */
int32_t gf_signal_lower_points(gf_signal_lowering *l, const struct gf_stage_node *nodes, int32_t n);

void gf_signal_points_free(struct gf_lowered *points); /* NULL is fine */

#endif
