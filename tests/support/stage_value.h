/* stage_value.h: what values drawn one by one and at random share. */
#ifndef STAGE_VALUE_H
#define STAGE_VALUE_H

#include "stage_cases.h"

/* Channels that can be named, by the number of them in the picture: words separated by '|'. */
extern const char *const stage_channel_sets[5];

/* Tells whether the row has an interval. */
bool stage_param_bounded(const gf_param *row);

/* Tells whether the row is that of a roi's edge, which a stage without a roi refuses. */
bool stage_param_is_feather(const gf_param *row);

/* Word i of several that are separated by '|'; false past the last. */
bool stage_word(const char *words, int32_t i, struct gf_text *text);

#endif
