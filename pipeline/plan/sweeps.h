/* Sweeps over the bands of a plan: what a step needs of the whole picture is measured in one sweep and used
 * in the next, which computes again what comes before.
 *
 *   blur,threshold:otsu,median     sweep 0:  blur -> counts          then, on the host: counts -> threshold
 *                                  sweep 1:  blur -> threshold, ...
 *
 *   threshold,label                sweep 0:  threshold -> regions so far   then: regions -> their numbers
 *                                  sweep 1:  threshold -> label
 *
 * Every step belongs to the sweep that can run it first (gf_step.sweep): its taps measure in that one. A
 * plan that waits for nothing has one. Blocks are solved on the host between sweeps. */
#pragma once

#include "plan/fuse.h"

/* Sets the sweep of every step; *count: how many there are. */
gf_status gf_sweeps_find(const struct gf_op_list *list, struct gf_steps *steps, int32_t *count,
                         gf_error *error);
