#include "io/png/png_runs.h"

#include <string.h>

#if GF_HAVE_ISAL

#include <isa-l/igzip_lib.h>

#define LEVEL      1 /* the lowest with codes made for the bytes */
#define NEAR_BITS  2 /* matches at a distance of up to 4 bytes: further ones make photographs larger */
#define BLOCK_HEAD 5 /* of a stored block, which has at most 65535 bytes */

struct gf_png_runs {
    struct isal_zstream stream;
    uint8_t memory[ISAL_DEF_LVL1_SMALL];
};

struct gf_png_runs *gf_png_runs_make(struct gf_budget *budget)
{
    return gf_budget_alloc(budget, sizeof(struct gf_png_runs));
}

void gf_png_runs_free(struct gf_png_runs *runs, struct gf_budget *budget)
{
    gf_budget_free(budget, runs);
}

/* It stores where codes would take more room. */
size_t gf_png_runs_bound(struct gf_png_runs *runs, size_t size)
{
    (void)runs;
    return size + (size / 65535 + 1) * BLOCK_HEAD + 64;
}

size_t gf_png_runs_segment(struct gf_png_runs *runs, const uint8_t *bytes, size_t size, bool last,
                           uint8_t *out, size_t room)
{
    struct isal_zstream *stream = &runs->stream;
    isal_deflate_stateless_init(stream);
    stream->level = LEVEL;
    stream->level_buf = runs->memory;
    stream->level_buf_size = sizeof runs->memory;
    stream->hist_bits = NEAR_BITS;
    stream->flush = last ? NO_FLUSH : FULL_FLUSH;
    stream->end_of_stream = last;
    stream->next_in = (uint8_t *)(uintptr_t)bytes; /* which is not written */
    stream->avail_in = (uint32_t)size;
    stream->next_out = out;
    stream->avail_out = (uint32_t)room;
    return isal_deflate_stateless(stream) == COMP_OK && stream->avail_in == 0 ? room - stream->avail_out : 0;
}

uint32_t gf_png_adler(const uint8_t *bytes, size_t size)
{
    return isal_adler32(1, bytes, size);
}

#else

#include "io/png/png_zlib.h"

#define RUNS_LEAST 64 /* one byte of so many in runs: worth looking for them */

struct gf_png_runs {
    z_stream search, plain; /* for runs, and not even for those */
    bool search_made, plain_made;
};

struct gf_png_runs *gf_png_runs_make(struct gf_budget *budget)
{
    struct gf_png_runs *runs = gf_budget_alloc(budget, sizeof *runs);
    if (runs == NULL) {
        return NULL;
    }
    memset(runs, 0, sizeof *runs);
    runs->search_made = gf_png_zlib_make(&runs->search, 1, Z_RLE, budget);
    runs->plain_made = gf_png_zlib_make(&runs->plain, 1, Z_HUFFMAN_ONLY, budget);
    if (!runs->search_made || !runs->plain_made) {
        gf_png_runs_free(runs, budget);
        return NULL;
    }
    return runs;
}

void gf_png_runs_free(struct gf_png_runs *runs, struct gf_budget *budget)
{
    if (runs == NULL) {
        return;
    }
    if (runs->search_made) {
        deflateEnd(&runs->search);
    }
    if (runs->plain_made) {
        deflateEnd(&runs->plain);
    }
    gf_budget_free(budget, runs);
}

size_t gf_png_runs_bound(struct gf_png_runs *runs, size_t size)
{
    uLong bound = deflateBound(&runs->search, (uLong)size), plain = deflateBound(&runs->plain, (uLong)size);
    return (bound > plain ? bound : plain) + 64; /* the end of a segment is no more than that */
}

/* Tells whether there are enough bytes like the three before them. */
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

size_t gf_png_runs_segment(struct gf_png_runs *runs, const uint8_t *bytes, size_t size, bool last,
                           uint8_t *out, size_t room)
{
    z_stream *stream = has_runs(bytes, size) ? &runs->search : &runs->plain;
    return gf_png_zlib_run(stream, bytes, size, NULL, 0, last, out, room);
}

uint32_t gf_png_adler(const uint8_t *bytes, size_t size)
{
    return (uint32_t)adler32(adler32(0, NULL, 0), bytes, (uInt)size);
}

#endif
