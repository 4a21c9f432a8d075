/* Turning and mirroring, by the eight orientations of EXIF. */
#pragma once

#include "io/codec.h"

/* Tells whether rows of the stored picture are columns of the upright one; orientation 1 to 8. */
int gf_orientation_transposes(int orientation);

/* The shape of a stored picture when it is upright. */
gf_shape gf_oriented(const gf_shape *stored, int orientation);

/* Bytes that gf_orient_rows takes beside the picture. */
uint64_t gf_orient_bytes(const struct gf_decoder *decoder);

/* Decodes all rows of a picture stored with this orientation, 2 to 8, into an upright image of shape
 * gf_oriented. Takes memory for a band of rows, or, where a codec delivers all at once, of all: within
 * max_memory. */
gf_status gf_orient_rows(struct gf_decoder *decoder,
                         gf_status (*rows)(struct gf_decoder *decoder, void *data, int64_t pitch,
                                           int64_t count, gf_error *error),
                         int orientation, const gf_image *upright, gf_error *error);
