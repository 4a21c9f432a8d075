/* The samples of a large PNG, inflated ahead of libpng by a thread of their own: libpng, which filters them
 * back, gets the same stream in blocks that are stored, each a chunk IDAT. So the two take turns no longer,
 * and the inflating may be another library's. zlib's two bytes in front and its checksum behind go to libpng
 * as they are; checksums of chunks are looked at here. */
#pragma once

#include "io/bytes_in.h"

#include <stdbool.h>

/* A number as PNG stores it. */
static inline uint32_t gf_png_uint(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

enum {
    GF_PNG_AHEAD_FIRST = 2,         /* bytes of the first chunk that libpng gets */
    GF_PNG_AHEAD_LEAST = 1 << 20,   /* bytes of samples: with fewer nothing is to be gained */
    GF_PNG_AHEAD_BYTES = 512 * 1024 /* of memory, at most */
};

/* Why there is no more. */
enum gf_png_ahead_end {
    GF_PNG_AHEAD_DONE,    /* what follows is a chunk that has not been looked at */
    GF_PNG_AHEAD_CHUNK,   /* another chunk came before the end: `head` */
    GF_PNG_AHEAD_SHORT,   /* the input has no more: gf_bytes_in_fail */
    GF_PNG_AHEAD_DAMAGED, /* `fault` */
    GF_PNG_AHEAD_NO_MEMORY
};

struct gf_png_ahead;

/* Reads ahead from the first chunk IDAT on, whose head has been read and says `length`, at least
 * GF_PNG_AHEAD_FIRST. Until it has ended nobody else reads from `in`. `summed`: the checksum is looked at
 * here. NULL: no memory. */
struct gf_png_ahead *gf_png_ahead_begin(struct gf_bytes_in *in, uint32_t length, bool summed);

/* The head of the next chunk, its length and name. false: it has ended. */
bool gf_png_ahead_head(struct gf_png_ahead *ahead, uint8_t head[8]);

/* The next `size` bytes of the chunk, which has as many; the first chunk's without its head being asked for.
 * false: it has ended. */
bool gf_png_ahead_data(struct gf_png_ahead *ahead, uint8_t *bytes, size_t size);

/* In place of both, where libpng is to get no samples: up to `size` bytes of the stream. Returns how many;
 * fewer: it has ended. */
size_t gf_png_ahead_take(struct gf_png_ahead *ahead, uint8_t *to, size_t size);

/* What was behind the bytes that were taken. */
struct gf_png_ahead_rest {
    bool samples, bytes; /* more of the stream; something behind its checksum in the chunk */
    bool sum_is_right;   /* the checksum is there, and that of the stream */
};

/* Reads to the end. What libpng reads from there on is a stream without samples, with zlib's first bytes. */
void gf_png_ahead_settle(struct gf_png_ahead *ahead, struct gf_png_ahead_rest *rest);

/* After one of them was false, or settle. `head` and `fault` live as long as it does. */
enum gf_png_ahead_end gf_png_ahead_why(const struct gf_png_ahead *ahead, const uint8_t **head,
                                       const char **fault);

/* NULL-safe. Waits for a read that is under way. */
void gf_png_ahead_end(struct gf_png_ahead *ahead);
