/* The few colours of a picture, for a PNG with a palette: rows become numbers of colours, a byte a pixel,
 * since only the last row tells how many bits those take. */
#pragma once

#include "gpufilter/io.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GF_PNG_COLOURS 256

struct gf_png_palette {
    gf_shape shape;
    int64_t rows;     /* that are taken */
    uint8_t *numbers; /* of all pixels, in the order of the first ones of each colour */
    uint8_t *row;     /* room for one row of samples */
    int32_t count;
    uint32_t colours[GF_PNG_COLOURS]; /* the samples, the first in the lowest byte */
    uint16_t
        slots[4 * GF_PNG_COLOURS]; /* 1 + a colour's number, at the place of its hash or behind it; 0: none */
};

/* How the picture is stored. */
struct gf_png_packed {
    int32_t bits;      /* of a pixel: 1, 2, 4 or 8 */
    size_t row;        /* bytes */
    size_t plte, trns; /* bytes of these chunks; 0: there is none */
    uint8_t colours[3 * GF_PNG_COLOURS], alphas[GF_PNG_COLOURS];
};

/* Tells whether pictures of that shape can have one: u8, and not gray with alpha, which would be read as
 * RGBA. */
bool gf_png_palette_holds(const gf_shape *shape);

/* NULL: no memory. */
struct gf_png_palette *gf_png_palette_make(const gf_shape *shape);

/* NULL-safe. */
void gf_png_palette_free(struct gf_png_palette *palette);

/* Takes rows until one has a colour too many, and returns how many it took. */
int64_t gf_png_palette_rows(struct gf_png_palette *palette, const uint8_t *data, int64_t pitch,
                            int64_t count);

/* Returns the samples of a row that it took. They last until the next call. */
const uint8_t *gf_png_palette_row(struct gf_png_palette *palette, int64_t y);

/* Behind the last row: packs the numbers into rows of few bits, at the beginning of `numbers`. Gray becomes
 * gray of as few bits as hold it exactly; colours become a palette, those that are not opaque first. */
void gf_png_palette_pack(struct gf_png_palette *palette, struct gf_png_packed *packed);
