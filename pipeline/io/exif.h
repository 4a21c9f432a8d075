/* The one tag of EXIF that concerns samples: how the picture is to be turned. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Finds tag 0x0112 in the first directory of a TIFF structure. Returns its first value, 1 to 8, and where
 * the lower two of its bytes lie; 0 where there is none, or it is 0; -1 where what it says means nothing. */
int gf_exif_orientation(const void *exif, size_t size, size_t *at);

/* Writes orientation 1 where gf_exif_orientation found one. */
void gf_exif_reset(void *exif, size_t at);
