#include "io/png/png_inflate.h"

#include <stdlib.h>

#if GF_HAVE_ISAL

#include <isa-l/igzip_lib.h>

bool gf_png_inflate_begin(struct gf_png_inflate *stream, int window_bits)
{
    *stream = (struct gf_png_inflate){.state = malloc(sizeof(struct inflate_state))};
    if (stream->state != NULL) {
        struct inflate_state *state = stream->state;
        isal_inflate_init(state);
        state->crc_flag = ISAL_DEFLATE;
        state->hist_bits = (uint32_t)window_bits;
    }
    return stream->state != NULL;
}

static const char *fault_of(int result)
{
    return result >= 0                       ? NULL
           : result == ISAL_INVALID_BLOCK    ? "invalid block"
           : result == ISAL_INVALID_SYMBOL   ? "invalid code"
           : result == ISAL_INVALID_LOOKBACK ? "invalid distance too far back"
                                             : "invalid stream";
}

size_t gf_png_inflate_run(struct gf_png_inflate *stream, uint8_t *out, size_t room)
{
    struct inflate_state *state = stream->state;
    state->next_in = (uint8_t *)(uintptr_t)stream->in; /* which is not written */
    state->avail_in = (uint32_t)stream->left;
    state->next_out = out;
    state->avail_out = (uint32_t)room;
    stream->fault = fault_of(isal_inflate(state));
    stream->in = state->next_in;
    stream->left = state->avail_in;
    stream->ended = state->block_state == ISAL_BLOCK_FINISH;
    if (stream->ended) { /* it keeps whole bytes that lie behind its last bit */
        stream->in -= state->read_in_length / 8;
        stream->left += (size_t)(state->read_in_length / 8);
        state->read_in_length %= 8;
    }
    return room - state->avail_out;
}

void gf_png_inflate_end(struct gf_png_inflate *stream)
{
    free(stream->state);
    stream->state = NULL;
}

#else

#include <zlib.h>

bool gf_png_inflate_begin(struct gf_png_inflate *stream, int window_bits)
{
    z_stream *z = calloc(1, sizeof *z);
    *stream = (struct gf_png_inflate){0};
    if (z == NULL || inflateInit2(z, -window_bits) != Z_OK) {
        free(z);
        return false;
    }
    stream->state = z;
    return true;
}

size_t gf_png_inflate_run(struct gf_png_inflate *stream, uint8_t *out, size_t room)
{
    z_stream *z = stream->state;
    z->next_in = (Bytef *)(uintptr_t)stream->in; /* which is not written */
    z->avail_in = (uInt)stream->left;
    z->next_out = out;
    z->avail_out = (uInt)room;
    const int result = inflate(z, Z_NO_FLUSH);
    stream->in = z->next_in;
    stream->left = z->avail_in;
    stream->ended = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        stream->fault = z->msg != NULL ? z->msg : "out of memory";
    }
    return room - z->avail_out;
}

void gf_png_inflate_end(struct gf_png_inflate *stream)
{
    if (stream->state != NULL) {
        inflateEnd(stream->state);
        free(stream->state);
        stream->state = NULL;
    }
}

#endif
