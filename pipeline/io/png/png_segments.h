/* The samples of a PNG on their way into IDAT chunks. Rows are filtered, and the filtered bytes cut into
 * segments of a fixed size. Each is compressed by itself, on any thread, and ends on a byte boundary, so that
 * they join to one deflate stream; the bytes of a file depend on neither threads nor on how the rows were
 * delivered. */
#pragma once

#include "io/codec.h"

#define GF_PNG_SEGMENT ((size_t)1 << 18) /* filtered bytes */

struct gf_png_segments;

/* Works for the encoder's level and threads, and rows of that shape; takes all memory that is needed until
 * the end, which grows with the threads and the length of a row only. `plain`: no filter, as suits numbers of
 * colours, of which neighbours tell nothing. *out is NULL on failure. */
gf_status gf_png_segments_create(const struct gf_encoder *encoder, const gf_shape *shape, int plain,
                                 struct gf_png_segments **out, gf_error *error);

/* Takes the next rows, and writes chunks whenever all segments are full. After a failure only destroy. */
gf_status gf_png_segments_rows(struct gf_png_segments *segments, const void *data, int64_t pitch,
                               int64_t count, gf_error *error);

/* Writes, after the last row, what is left. */
gf_status gf_png_segments_end(struct gf_png_segments *segments, gf_error *error);

/* NULL-safe. */
void gf_png_segments_destroy(struct gf_png_segments *segments);

/* Stores a number as PNG does. */
void gf_png_put_uint(uint8_t bytes[4], uint32_t value);
