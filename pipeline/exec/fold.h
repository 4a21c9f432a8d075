/* What taps measured of the bands of a picture, put together. */
#ifndef GF_EXEC_FOLD_H
#define GF_EXEC_FOLD_H

#include "plan/plan.h"

/* Adds the part that a band's taps measured to the whole: blocks by value, NULL where no result needs one.
 * `first`: the band begins at that row of the picture; the first band, at row 0, sets what the whole is.
 * Bands come from the top down. */
void gf_fold_blocks(const gf_plan *plan, void *const *part, int64_t first, void **whole);

#endif
