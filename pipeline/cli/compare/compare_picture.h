/* Draws where two pictures differ. */
#pragma once

#include "compare/compare.h"
#include "gpufilter/io.h"

/* Writes a u8 picture of the compared area: white is the largest difference, black what is within the
 * tolerance; what differs by more is at least 1. Gray or RGB; alpha's difference is drawn in every channel.
 * Says its own errors. */
gf_status write_difference(const char *path, const gf_image *a, const gf_image *b,
                           const struct comparison *comparison);

/* Removes an older picture, which would pass for one of pictures that cannot be drawn, with a note. */
void remove_difference(const char *path);
