#include "png_deflate.h"

#include "png_code.h"

#include <string.h>

#define RUNS_LEAST 64 /* one byte of so many in runs: worth looking for them */

int gf_png_deflate_make(struct gf_png_deflate *deflate, int level, struct gf_budget *budget)
{
    memset(deflate, 0, sizeof *deflate);
    deflate->level = level;
    if (level < 0) {
        return 1;
    }
    deflate->stream.zalloc = gf_budget_zalloc;
    deflate->stream.zfree = gf_budget_zfree;
    deflate->stream.opaque = budget;
    deflate->made = deflateInit2(&deflate->stream, level, Z_DEFLATED, -MAX_WBITS, 8,
                                 level == 0 ? Z_DEFAULT_STRATEGY : Z_FILTERED) == Z_OK;
    return deflate->made;
}

void gf_png_deflate_free(struct gf_png_deflate *deflate)
{
    if (deflate->made) {
        deflateEnd(&deflate->stream);
    }
}

size_t gf_png_deflate_bound(struct gf_png_deflate *deflate, size_t size)
{
    return deflate->level < 0 ? gf_png_code_bound(size)
                              : deflateBound(&deflate->stream, (uLong)size) + 64; /* the end of a segment */
}

/* Bytes like the three before them: whether there are enough, and whether most are differences near 0, which
 * have short codes of their own. */
static enum gf_png_runs find_runs(const uint8_t *bytes, size_t size)
{
    size_t runs = 0, near = 0;
    for (size_t from = 3; from < size; from += 128) {
        size_t to = size - from < 128 ? size : from + 128;
        uint8_t some = 0, small = 0;
        for (size_t i = from; i < to; i++) {
            uint8_t same =
                (bytes[i] == bytes[i - 1]) & (bytes[i] == bytes[i - 2]) & (bytes[i] == bytes[i - 3]);
            some = (uint8_t)(some + same);
            small = (uint8_t)(small + (same & ((uint8_t)(bytes[i] + 2) < 5)));
        }
        runs += some;
        near += small;
    }
    return runs <= size / RUNS_LEAST ? GF_PNG_NO_RUNS : 2 * near > runs ? GF_PNG_LONG_RUNS : GF_PNG_ALL_RUNS;
}

/* By zlib. */
static int deflate_segment(struct gf_png_deflate *with, const uint8_t *bytes, size_t size,
                           const uint8_t *window, int last, struct gf_png_chunk *chunk)
{
    z_stream *stream = &with->stream;
    int good = deflateReset(stream) == Z_OK;
    if (with->level > 0 && window != NULL) {
        good = good && deflateSetDictionary(stream, window, (uInt)GF_PNG_WINDOW) == Z_OK;
    }
    stream->next_in = (uint8_t *)(uintptr_t)bytes; /* only read */
    stream->avail_in = (uInt)size;
    stream->next_out = chunk->data + GF_PNG_FRONT;
    stream->avail_out = (uInt)chunk->room;
    int result = deflate(stream, last ? Z_FINISH : Z_SYNC_FLUSH);
    chunk->used = chunk->room - stream->avail_out;
    return good && result == (last ? Z_STREAM_END : Z_OK) && stream->avail_in == 0 && stream->avail_out > 0;
}

void gf_png_deflate_segment(struct gf_png_deflate *with, const uint8_t *bytes, size_t size,
                            const uint8_t *window, int last, struct gf_png_chunk *chunk)
{
    if (with->level < 0) {
        chunk->used =
            gf_png_code(bytes, size, find_runs(bytes, size), last, chunk->data + GF_PNG_FRONT, chunk->room);
        chunk->good = chunk->used > 0;
    } else {
        chunk->good = deflate_segment(with, bytes, size, window, last, chunk);
    }
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
