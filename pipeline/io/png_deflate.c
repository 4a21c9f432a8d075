#include "png_deflate.h"

#include <string.h>

int gf_png_deflate_make(struct gf_png_deflate *deflate, int level, struct gf_budget *budget)
{
    z_stream *stream = &deflate->stream;
    memset(deflate, 0, sizeof *deflate);
    deflate->level = level;
    if (level < 0) {
        deflate->runs = gf_png_runs_make(budget);
        return deflate->runs != NULL;
    }
    stream->zalloc = gf_budget_zalloc;
    stream->zfree = gf_budget_zfree;
    stream->opaque = budget;
    deflate->stream_made = deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8,
                                        level == 0 ? Z_DEFAULT_STRATEGY : Z_FILTERED) == Z_OK;
    return deflate->stream_made;
}

void gf_png_deflate_free(struct gf_png_deflate *deflate, struct gf_budget *budget)
{
    gf_png_runs_free(deflate->runs, budget);
    if (deflate->stream_made) {
        deflateEnd(&deflate->stream);
    }
}

size_t gf_png_deflate_bound(struct gf_png_deflate *deflate, size_t size)
{
    return deflate->runs != NULL
               ? gf_png_runs_bound(deflate->runs, size)
               : deflateBound(&deflate->stream, (uLong)size) + 64; /* and the end of a segment */
}

/* What bytes become by zlib; 0: it failed. */
static size_t deflate_segment(struct gf_png_deflate *with, const uint8_t *bytes, size_t size,
                              const uint8_t *window, int last, uint8_t *out, size_t room)
{
    z_stream *stream = &with->stream;
    int good = deflateReset(stream) == Z_OK;
    if (with->level > 0 && window != NULL) {
        good = good && deflateSetDictionary(stream, window, (uInt)GF_PNG_WINDOW) == Z_OK;
    }
    stream->next_in = (uint8_t *)(uintptr_t)bytes; /* only read */
    stream->avail_in = (uInt)size;
    stream->next_out = out;
    stream->avail_out = (uInt)room;
    int result = deflate(stream, last ? Z_FINISH : Z_SYNC_FLUSH);
    good = good && result == (last ? Z_STREAM_END : Z_OK) && stream->avail_in == 0 && stream->avail_out > 0;
    return good ? room - stream->avail_out : 0;
}

void gf_png_deflate_segment(struct gf_png_deflate *with, const uint8_t *bytes, size_t size,
                            const uint8_t *window, int last, struct gf_png_chunk *chunk)
{
    uint8_t *name = chunk->data + 4, *data = chunk->data + GF_PNG_FRONT;
    chunk->used = with->runs != NULL ? gf_png_runs_segment(with->runs, bytes, size, last, data, chunk->room)
                                     : deflate_segment(with, bytes, size, window, last, data, chunk->room);
    chunk->adler = gf_png_adler(bytes, size);
    if (window != NULL) {
        name += 2;
    } else { /* zlib's header: deflate, 32 KiB; how hard was tried; a multiple of 31 */
        static const uint8_t tried[11] = {0x01, 0x01, 0x01, 0x5e, 0x5e, 0x5e, 0x5e, 0x9c, 0xda, 0xda, 0xda};
        data[-2] = 0x78;
        data[-1] = tried[with->level + 1];
    }
    memcpy(name, "IDAT", 4);
    chunk->crc = (uint32_t)crc32(crc32(0, NULL, 0), name, (uInt)(data + chunk->used - name));
}
