/* What taps measured of the bands of a picture, put together. */
#pragma once

#include "plan/band_view.h"

/* Adds what the taps of a sweep measured of the band where it is placed to what they measured of those above:
 * blocks by the value's number; `whole` are zero before the first band. */
void gf_fold_blocks(const struct gf_band_view *view, void *const *part, void *const *whole);

/* Called before the first band of a sweep. */
void gf_fold_clear(const struct gf_band_view *view, void *const *whole);
