#include "io/stb/bmp_runs.h"

#include "base/status.h"

#include <inttypes.h>
#include <string.h>

enum { END_OF_ROW = 0, END_OF_PICTURE = 1, MOVE = 2 }; /* behind a zero; a larger number: so many pixels */

struct cursor {
    struct gf_decoder *decoder;
    const struct gf_bmp_head *head;
    uint8_t *data;
    int64_t pitch, x, y; /* y: rows from the lowest on */
    int ended;           /* the input has no more bytes */
    int clipped;         /* pixels went past the end of their row */
};

static unsigned take(struct cursor *at)
{
    int byte = gf_bytes_in_byte(at->decoder->in);
    at->ended |= byte < 0;
    return byte < 0 ? 0 : (unsigned)byte;
}

/* `count` pixels: from one byte of the file again and again, or from as many as they need. Some writers code
 * the bytes that pad a row, too, so what lies behind its end is left out. */
static gf_status put_pixels(struct cursor *at, int64_t count, int repeated, unsigned byte, gf_error *error)
{
    const gf_shape *shape = &at->decoder->info.shape;
    const int64_t room = shape->width - at->x;
    int narrow = at->head->bits == 4;
    if (at->y >= shape->height) {
        return gf_bmp_fail(at->decoder, error,
                           "%" PRId64 " pixels at column %" PRId64 " of row %" PRId64
                           " from below leave the picture",
                           count, at->x, at->y);
    }
    uint8_t *pixel = at->data + (shape->height - 1 - at->y) * at->pitch + 3 * at->x;
    for (int64_t i = 0; i < count; i++, pixel += 3) {
        if (!repeated && (!narrow || i % 2 == 0)) {
            byte = take(at);
        }
        if (i < room) {
            memcpy(pixel, at->head->palette[!narrow ? byte : i % 2 == 0 ? byte >> 4 : byte & 15], 3);
        }
    }
    at->clipped |= count > room;
    at->x += count < room ? count : room;
    return GF_OK;
}

static gf_status move(struct cursor *at, int64_t right, int64_t up, gf_error *error)
{
    const gf_shape *shape = &at->decoder->info.shape;
    at->x += right;
    at->y += up;
    return at->x <= shape->width && at->y <= shape->height
               ? GF_OK
               : gf_bmp_fail(at->decoder, error, "a move to column %" PRId64 " of row %" PRId64 " from below",
                             at->x, at->y);
}

/* Puts as many pixels as bytes, or half bytes, follow; their bytes are even in number. */
static gf_status put_literal(struct cursor *at, unsigned count, gf_error *error)
{
    unsigned bytes = at->head->bits == 4 ? (count + 1) / 2 : count;
    GF_TRY(put_pixels(at, count, 0, 0, error));
    if (bytes % 2 != 0) {
        take(at);
    }
    return GF_OK;
}

static void clear(const struct cursor *at)
{
    const gf_shape *shape = &at->decoder->info.shape;
    for (int64_t y = 0; y < shape->height; y++) {
        for (int64_t x = 0; x < shape->width; x++) {
            memcpy(at->data + y * at->pitch + 3 * x, at->head->palette[0], 3);
        }
    }
}

gf_status gf_bmp_read_runs(struct gf_decoder *decoder, const struct gf_bmp_head *head, uint8_t *data,
                           int64_t pitch, gf_error *error)
{
    struct cursor at = {.decoder = decoder, .head = head, .data = data, .pitch = pitch};
    gf_status status = GF_OK;
    clear(&at);
    while (status == GF_OK) {
        unsigned count = take(&at), what = take(&at);
        if (at.ended) {
            break;
        }
        if (count > 0) {
            status = put_pixels(&at, count, 1, what, error);
        } else if (what == END_OF_PICTURE) {
            if (at.clipped) {
                gf_add_note(decoder->note, "runs that go past the end of their row, cut off there");
            }
            return GF_OK;
        } else if (what == END_OF_ROW) {
            status = move(&at, -at.x, 1, error);
        } else if (what == MOVE) {
            unsigned right = take(&at);
            status = move(&at, right, take(&at), error);
        } else {
            status = put_literal(&at, what, error);
        }
    }
    return at.ended ? gf_bytes_in_fail(decoder->in, "the samples", error) : status;
}
