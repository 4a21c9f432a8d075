/* What others may know of a resize stage's parameters: gf_pipeline_fix_size. */
#ifndef GF_FILTERS_RESIZE_STAGE_H
#define GF_FILTERS_RESIZE_STAGE_H

#include "gpufilter/types.h"

#include <stdbool.h>

/* Whether all of the picture is made as large as is asked for: not with fit=cover, which cuts some off. */
bool gf_resize_keeps_all(const void *params);

/* Asks for that size, whatever the picture; one of `whole` that is read 2, 4 or 8 times smaller, its sides
 * rounded up, is as large as it is, and not as its samples are. */
void gf_resize_fix(void *params, const gf_shape *whole, const gf_shape *size);

#endif
