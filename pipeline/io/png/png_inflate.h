/* Inflating a PNG's samples: by ISA-L where the build has it, which takes half of zlib's time, or by zlib. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GF_PNG_INFLATE_LEAD = 16 }; /* bytes in front of `in` that stay as they were taken */

/* What is put in, and what is left of it. At the end of the stream `in` may point in front of where it began:
 * as many bytes of what came before were taken too early. */
struct gf_png_inflate {
    const uint8_t *in;
    size_t left;
    bool ended;        /* the last block has ended; what is left lies behind it */
    const char *fault; /* what is wrong with the stream, or NULL */
    void *state;
};

/* A stream without zlib's two bytes in front; `window_bits` are those that they tell. false: no memory. */
bool gf_png_inflate_begin(struct gf_png_inflate *stream, int window_bits);

/* Makes up to `room` bytes, fewer at the end of the input or of the stream, and where there is a fault. */
size_t gf_png_inflate_run(struct gf_png_inflate *stream, uint8_t *out, size_t room);

/* To be called after a failed begin, too. */
void gf_png_inflate_end(struct gf_png_inflate *stream);
