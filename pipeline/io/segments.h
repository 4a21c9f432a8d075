/* XMP and the like as gf_metadata.segments has them, for formats that keep them otherwise than a JPEG. */
#pragma once

#include "gpufilter/io.h"

/* What stands before them in a JPEG, with its terminator. */
#define GF_SEGMENT_XMP "http://ns.adobe.com/xap/1.0/"

/* Bytes of a segment behind its marker and its length. */
#define GF_SEGMENT_MOST 65533

/* Bytes of the segment that gf_segment_put makes of `size` bytes behind a mark. */
size_t gf_segment_size(size_t mark_size, size_t size);

/* Writes a segment of at most GF_SEGMENT_MOST bytes, mark included; returns where it ends. */
uint8_t *gf_segment_put(uint8_t *to, uint8_t marker, const char *mark, size_t mark_size, const void *data,
                        size_t size);

/* Copies what all segments with a mark hold, one behind the other, as a JPEG cuts what is long; returns its
 * size, at most segments_size. */
size_t gf_segments_join(const gf_metadata *metadata, uint8_t marker, const char *mark, size_t mark_size,
                        uint8_t *joined);
