/* zlib for segments of a PNG: raw deflate, a segment in one call. */
#pragma once

#include "io/budget.h"

#include <stdbool.h>
#include <zlib.h>

/* false: no memory. To be ended by deflateEnd where it is made. */
static inline bool gf_png_zlib_make(z_stream *stream, int level, int strategy, struct gf_budget *budget)
{
    stream->zalloc = gf_budget_zalloc;
    stream->zfree = gf_budget_zfree;
    stream->opaque = budget;
    return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy) == Z_OK;
}

/* `size` bytes to out, behind what the dictionary holds (dictionary NULL: nothing); the last end the stream,
 * others end on a byte boundary. Returns how many bytes it wrote; 0: it failed. */
static inline size_t gf_png_zlib_run(z_stream *stream, const uint8_t *bytes, size_t size,
                                     const uint8_t *dictionary, size_t dictionary_size, bool last,
                                     uint8_t *out, size_t room)
{
    bool good = deflateReset(stream) == Z_OK;
    if (dictionary != NULL) {
        good = good && deflateSetDictionary(stream, dictionary, (uInt)dictionary_size) == Z_OK;
    }
    stream->next_in = (uint8_t *)(uintptr_t)bytes; /* only read */
    stream->avail_in = (uInt)size;
    stream->next_out = out;
    stream->avail_out = (uInt)room;
    const int result = deflate(stream, last ? Z_FINISH : Z_SYNC_FLUSH);
    good = good && result == (last ? Z_STREAM_END : Z_OK) && stream->avail_in == 0 && stream->avail_out > 0;
    return good ? room - stream->avail_out : 0;
}
