/* The headers of a BMP, as Microsoft and, for OS/2, IBM document them. */
#pragma once

#include "io/codec.h"

/* The bits of a pixel that are a sample of 0 to `most`; most is 0 where there are none. */
struct gf_bmp_field {
    int shift;
    uint32_t most;
};

struct gf_bmp_head {
    int bits;                     /* of a pixel: 1, 2, 4, 8 are those of an index; 16, 24, 32 */
    int runs;                     /* 1: indices are run-length coded (bmp_runs.h) */
    int down;                     /* 1: the top row comes first, else the lowest */
    struct gf_bmp_field field[4]; /* red, green, blue, alpha of 16 bits and more */
    uint8_t palette[256][3];      /* of fewer bits; entries that are missing are black */
};

/* Reads up to the samples, fills decoder->info and checks it. */
gf_status gf_bmp_read_head(struct gf_decoder *decoder, struct gf_bmp_head *head, gf_error *error);

/* Says that a BMP is damaged, or of a kind that is not read, and why. */
gf_status gf_bmp_fail(const struct gf_decoder *decoder, gf_error *error, const char *why, ...)
    __attribute__((format(printf, 3, 4)));
