/* One segment of a PNG's filtered bytes to one IDAT chunk. */
#pragma once

#include "io/png/png_runs.h"

#include <zlib.h>

#define GF_PNG_WINDOW ((size_t)1 << 15) /* bytes that deflate looks back */
#define GF_PNG_FRONT  10                /* of a chunk: length, name, and zlib's header in the first */
#define GF_PNG_BACK   8                 /* Adler-32 in the last, CRC */

/* What a thread compresses with. */
struct gf_png_deflate {
    int level;                /* as gf_write_options.png_level */
    struct gf_png_runs *runs; /* level -1; else NULL */
    z_stream stream;          /* the others */
    bool stream_made;
};

struct gf_png_chunk {
    uint8_t *data;  /* room for FRONT, gf_png_deflate_bound and BACK bytes */
    size_t room;    /* gf_png_deflate_bound */
    size_t used;    /* of data, from FRONT on; 0: compressing failed */
    uint32_t crc;   /* of the chunk's name and data */
    uint32_t adler; /* of the filtered bytes */
};

/* false: no memory; to be freed all the same. Memory comes through the budget, which must be empty of limits
 * that matter: deflate's is known. */
bool gf_png_deflate_make(struct gf_png_deflate *deflate, int level, struct gf_budget *budget);
void gf_png_deflate_free(struct gf_png_deflate *deflate, struct gf_budget *budget);

/* Bytes that `size` bytes become at most. */
size_t gf_png_deflate_bound(struct gf_png_deflate *deflate, size_t size);

/* Compresses bytes to a chunk without its length and CRC. `window`: the GF_PNG_WINDOW bytes before them, NULL
 * for the first segment, which begins with zlib's header. The last ends the stream. */
void gf_png_deflate_segment(struct gf_png_deflate *deflate, const uint8_t *bytes, size_t size,
                            const uint8_t *window, bool last, struct gf_png_chunk *chunk);
