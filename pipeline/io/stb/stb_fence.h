/* stb_image and stb_image_write, fenced in:
 * - of the decoders only HDR is compiled;
 * - its memory is zeroed and comes from a budget; whatever it does not free, is freed;
 * - where the input ends while it wants more, it stops by longjmp; it would go on with zeros,
 *   without end;
 * - its assertions stop it the same way. */
#pragma once

#include "io/budget.h"
#include "io/codec.h"

/* What is decoded: the input from where it is. */
struct gf_stb_source {
    struct gf_bytes_in *in;
    const char *format; /* "HDR": as messages call it */
};

/* Shape of the picture whose file begins with these bytes; 0: not one that is read, and *why says why, a
 * constant. */
int gf_stb_info(const uint8_t *bytes, size_t size, int *width, int *height, int *channels, const char **why);

/* Decodes into memory of the budget: rows without gaps of f32 samples. *pixels is the caller's to give back
 * by gf_budget_free; NULL on failure. The file must have the shape. */
gf_status gf_stb_decode(const struct gf_stb_source *source, const gf_shape *shape, struct gf_budget *budget,
                        void **pixels, gf_error *error);

/* Encodes rows without gaps as "bmp", "tga" or "hdr". `scratch` is for hdr: 4 bytes for a pixel of a row. */
gf_status gf_stb_encode(struct gf_bytes_out *out, const char *format, const gf_shape *shape,
                        const void *pixels, void *scratch, gf_error *error);
