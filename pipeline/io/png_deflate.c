#include "png_deflate.h"

#include <string.h>

#define RUNS_LEAST 64 /* one byte of so many in runs: worth looking for them */

static int make_stream(z_stream *stream, int level, int strategy, struct gf_budget *budget)
{
    stream->zalloc = gf_budget_zalloc;
    stream->zfree = gf_budget_zfree;
    stream->opaque = budget;
    return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy) == Z_OK;
}

/* The default looks for runs only, and where there are none not even for those. */
int gf_png_deflate_make(struct gf_png_deflate *deflate, int level, struct gf_budget *budget)
{
    int strategy = level < 0 ? Z_RLE : level == 0 ? Z_DEFAULT_STRATEGY : Z_FILTERED;
    memset(deflate, 0, sizeof *deflate);
    deflate->level = level;
    deflate->search_made = make_stream(&deflate->search, level < 0 ? 1 : level, strategy, budget);
    deflate->plain_made = level < 0 && make_stream(&deflate->plain, 1, Z_HUFFMAN_ONLY, budget);
    return deflate->search_made && (deflate->plain_made || level >= 0);
}

void gf_png_deflate_free(struct gf_png_deflate *deflate)
{
    if (deflate->search_made) {
        deflateEnd(&deflate->search);
    }
    if (deflate->plain_made) {
        deflateEnd(&deflate->plain);
    }
}

size_t gf_png_deflate_bound(struct gf_png_deflate *deflate, size_t size)
{
    uLong bound = deflateBound(&deflate->search, (uLong)size);
    uLong plain = deflate->plain_made ? deflateBound(&deflate->plain, (uLong)size) : 0;
    return (bound > plain ? bound : plain) + 64; /* the end of a segment is no more than that */
}

/* Whether there are enough bytes like the three before them. */
static int has_runs(const uint8_t *bytes, size_t size)
{
    size_t runs = 0;
    for (size_t from = 3; from < size; from += 128) {
        size_t to = size - from < 128 ? size : from + 128;
        uint8_t some = 0;
        for (size_t i = from; i < to; i++) {
            some = (uint8_t)(some + ((bytes[i] == bytes[i - 1]) & (bytes[i] == bytes[i - 2]) &
                                     (bytes[i] == bytes[i - 3])));
        }
        runs += some;
    }
    return runs > size / RUNS_LEAST;
}

void gf_png_deflate_segment(struct gf_png_deflate *with, const uint8_t *bytes, size_t size,
                            const uint8_t *window, int last, struct gf_png_chunk *chunk)
{
    z_stream *stream = with->level >= 0 || has_runs(bytes, size) ? &with->search : &with->plain;
    int good = deflateReset(stream) == Z_OK;
    if (with->level > 0 && window != NULL) {
        good = good && deflateSetDictionary(stream, window, (uInt)GF_PNG_WINDOW) == Z_OK;
    }
    stream->next_in = (uint8_t *)(uintptr_t)bytes; /* only read */
    stream->avail_in = (uInt)size;
    stream->next_out = chunk->data + GF_PNG_FRONT;
    stream->avail_out = (uInt)chunk->room;
    int result = deflate(stream, last ? Z_FINISH : Z_SYNC_FLUSH);
    chunk->good =
        good && result == (last ? Z_STREAM_END : Z_OK) && stream->avail_in == 0 && stream->avail_out > 0;
    chunk->used = chunk->room - stream->avail_out;
    chunk->adler = (uint32_t)adler32(adler32(0, NULL, 0), bytes, (uInt)size);
    uint8_t *name = chunk->data + 4, *data = chunk->data + GF_PNG_FRONT;
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
