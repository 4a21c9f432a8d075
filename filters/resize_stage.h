/* What others may know of a resize stage's parameters: gf_pipeline_fix_size, gf_pipeline_fix_part. */
#ifndef GF_FILTERS_RESIZE_STAGE_H
#define GF_FILTERS_RESIZE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether all of the picture is made as large as is asked for: not with fit=cover, which cuts some off. */
bool gf_resize_keeps_all(const void *params);

/* Asks for that size, whatever the picture. */
void gf_resize_fix(void *params, int64_t width, int64_t height);

/* Asks that it be made of that part of the picture: x, y, width and height. */
void gf_resize_fix_part(void *params, const double part[4]);

#endif
