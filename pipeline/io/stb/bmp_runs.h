/* Run-length coding of BMP: 4 or 8 bits, the lowest row first. */
#pragma once

#include "io/stb/bmp_head.h"

/* Reads a whole picture. Pixels that the file leaves out are of the palette's first colour. */
gf_status gf_bmp_read_runs(struct gf_decoder *decoder, const struct gf_bmp_head *head, uint8_t *data,
                           int64_t pitch, gf_error *error);
