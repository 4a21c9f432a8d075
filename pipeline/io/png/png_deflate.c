#include "io/png/png_deflate.h"

#include "io/png/png_zlib.h"

#include <string.h>

bool gf_png_deflate_make(struct gf_png_deflate *deflate, int level, struct gf_budget *budget)
{
    memset(deflate, 0, sizeof *deflate);
    deflate->level = level;
    if (level < 0) {
        deflate->runs = gf_png_runs_make(budget);
        return deflate->runs != NULL;
    }
    deflate->stream_made =
        gf_png_zlib_make(&deflate->stream, level, level == 0 ? Z_DEFAULT_STRATEGY : Z_FILTERED, budget);
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

void gf_png_deflate_segment(struct gf_png_deflate *with, const uint8_t *bytes, size_t size,
                            const uint8_t *window, bool last, struct gf_png_chunk *chunk)
{
    uint8_t *name = chunk->data + 4, *data = chunk->data + GF_PNG_FRONT;
    chunk->used = with->runs != NULL
                      ? gf_png_runs_segment(with->runs, bytes, size, last, data, chunk->room)
                      : gf_png_zlib_run(&with->stream, bytes, size, with->level > 0 ? window : NULL,
                                        GF_PNG_WINDOW, last, data, chunk->room);
    chunk->adler = gf_png_adler(1, bytes, size);
    if (window != NULL) {
        name += 2;
    } else { /* zlib's header: deflate, 32 KiB; how hard was tried; a multiple of 31 */
        static const uint8_t tried[11] = {0x01, 0x01, 0x01, 0x5e, 0x5e, 0x5e, 0x5e, 0x9c, 0xda, 0xda, 0xda};
        data[-2] = 0x78;
        data[-1] = tried[with->level + 1];
    }
    memcpy(name, "IDAT", 4);
    chunk->crc = gf_png_crc(0, name, (size_t)(data + chunk->used - name));
}
