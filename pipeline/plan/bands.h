/* Plans in bands of rows: whether, and how high.
 *
 *   input rows   |.........above.|=====own======|.below.........|      one band
 *                                 |...............above.|=====own=====...   the next
 *
 * What windows read beyond a band's own rows, its neighbours read and compute again: band.h says which rows
 * of which value. Every sweep over the bands (sweeps.h) has its own copy of the steps: band_view.h. */
#pragma once

#include "plan/plan.h"

/* Finds whether the plan's steps can be cut, whatever the device, and in how many sweeps: the plan at once,
 * with what is known before the height is chosen. Sets the sweep of each of `steps`, the plan's. */
gf_status gf_bands_find(const gf_plan *plan, struct gf_steps *steps, struct gf_bands *bands, gf_error *error);

/* band_height.c: into which bands the plan is cut, by its options, now that its device and what bands_find
 * said are in it; *memory: what an exec takes. GF_ERROR_MEMORY when even the lowest bands exceed the limit.
 */
gf_status gf_bands_choose(const gf_plan *plan, struct gf_bands *chosen, uint64_t *memory, gf_error *error);

/* Returns what results take beside buffers, which plan->memory counts: blocks on the host, with bands those
 * of a band, too, and fields as far as stages tell. */
uint64_t gf_plan_result_bytes(const gf_plan *plan, bool whole);
