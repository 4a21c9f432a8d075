/* Draws where two pictures differ. */
#ifndef GF_CLI_COMPARE_PICTURE_H
#define GF_CLI_COMPARE_PICTURE_H

#include "compare.h"
#include "gpufilter/io.h"

/* Writes a u8 picture of the compared area: white is the largest difference, black none; what
 * differs at all is at least 1. Gray or RGB; alpha's difference is drawn in every channel. Says
 * its own errors. */
gf_status write_difference(const char *path, const gf_image *a, const gf_image *b,
                           const struct comparison *comparison);

#endif
