/* What taps measured of the bands of a picture, put together. */
#ifndef GF_EXEC_FOLD_H
#define GF_EXEC_FOLD_H

#include "plan/plan.h"

/* Adds what the taps of a sweep measured of a band to what they measured of those above: blocks by value.
 * `first`: the band begins at that row of the picture; the first band, at row 0, sets what the whole is. */
void gf_fold_blocks(const gf_plan *plan, int32_t sweep, void *const *part, int64_t first, void **whole);

#endif
