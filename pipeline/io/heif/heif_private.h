/* What the parts of the HEIF codec share. */
#pragma once

#include "io/codec.h"
#include "io/heif/heif_library.h"

#define GF_HEIF_LIBRARY "libheif.so.1"

struct gf_heif_reader {
    const struct gf_heif_library *heif;
    uint8_t *held; /* the file; NULL where it lies in memory anyway */
    struct heif_context *context;
    struct heif_image_handle *image;
    uint8_t *icc, *exif, *xmp; /* the last as a JPEG has it */
};

/* Profile, EXIF, XMP and the numbers of colours. */
gf_status gf_heif_take_metadata(struct gf_decoder *decoder, gf_error *error);

gf_status gf_heif_open(struct gf_decoder *decoder, gf_error *error);
gf_status gf_heif_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);
void gf_heif_close(struct gf_decoder *decoder);
