/* Pictures to TIFF: strips of whole rows, deflated after the predictor that suits the samples. */
#include "io/tiff/tiff_private.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRIP_SIZE ((int64_t)1 << 18)
#define CLASSIC_MAX                                                                                          \
    4200000000.0 /* bytes of samples; with strips that do not shrink 2^32 is still above it                  \
                  */

struct writer {
    struct gf_tiff_bytes bytes;
    TIFF *tiff;
    uint8_t *strip;
    uint8_t *exif; /* a copy: its directories come last */
    size_t row_size;
    int64_t rows, filled; /* that a strip has; that are in it */
    int64_t left;         /* of the picture */
    uint32_t number;      /* of the strip */
};

static gf_status explain(const struct gf_encoder *encoder, gf_error *error)
{
    const struct writer *writer = encoder->state;
    if (encoder->out->errno_seen != 0) {
        return gf_bytes_out_fail(encoder->out, error);
    }
    if (writer->bytes.no_memory || writer->bytes.message[0] == '\0') {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for TIFF", encoder->out->label);
    }
    return gf_fail(error, GF_ERROR_INTERNAL, "%s: libtiff: %s", encoder->out->label, writer->bytes.message);
}

static int put_layout(const struct gf_encoder *encoder, TIFF *tiff, int64_t rows)
{
    const gf_shape *shape = &encoder->shape;
    const int is_float = shape->depth == GF_F32 || shape->depth == GF_F64,
              has_alpha = shape->channels % 2 == 0;
    const uint16_t unassociated = EXTRASAMPLE_UNASSALPHA;
    const int bits = (int)gf_depth_size(shape->depth) * 8;
    int ok = TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)shape->width) &&
             TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)shape->height) &&
             TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits) &&
             TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, (int)shape->channels) &&
             TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
             TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
             TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                          shape->channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK) &&
             TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)rows);
    if (ok && has_alpha) {
        ok = TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &unassociated);
    }
    if (ok && TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE)) {
        ok = TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
             TIFFSetField(tiff, TIFFTAG_PREDICTOR, is_float ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    }
    return ok;
}

/* What lives no longer than this call. */
static bool take_metadata(const struct gf_encoder *encoder)
{
    struct writer *writer = encoder->state;
    const gf_metadata *metadata = encoder->metadata;
    if (metadata->exif != NULL && metadata->exif_size > 0) {
        writer->exif = malloc(metadata->exif_size);
        if (writer->exif == NULL) {
            return false;
        }
        memcpy(writer->exif, metadata->exif, metadata->exif_size);
        gf_tiff_put_exif_texts(writer->tiff, metadata->exif, metadata->exif_size);
    }
    return gf_tiff_put_metadata(writer->tiff, metadata);
}

gf_status gf_tiff_begin(struct gf_encoder *encoder, gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for TIFF", encoder->out->label);
    }
    encoder->state = writer;
    writer->bytes.out = encoder->out;
    writer->bytes.held_from = encoder->out->through ? 0 : UINT64_MAX;
    writer->row_size = (size_t)shape->width * (size_t)shape->channels * gf_depth_size(shape->depth);
    const int is_big = (double)writer->row_size * (double)shape->height > CLASSIC_MAX;
    writer->bytes.head_size = is_big ? 16 : 8;
    writer->left = shape->height;
    writer->rows = STRIP_SIZE / (int64_t)writer->row_size;
    writer->rows = writer->rows < 1 ? 1 : writer->rows < shape->height ? writer->rows : shape->height;
    writer->strip = malloc((size_t)writer->rows * writer->row_size);
    writer->bytes.no_memory = writer->strip == NULL;
    writer->tiff = writer->strip != NULL ? gf_tiff_open(&writer->bytes, is_big ? "w8" : "w4") : NULL;
    if (writer->tiff == NULL || !put_layout(encoder, writer->tiff, writer->rows)) {
        return explain(encoder, error);
    }
    writer->bytes.no_memory = !take_metadata(encoder);
    return writer->bytes.errors == 0 && !writer->bytes.no_memory ? GF_OK : explain(encoder, error);
}

gf_status gf_tiff_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                           gf_error *error)
{
    struct writer *writer = encoder->state;
    for (int64_t y = 0; y < count; y++) {
        memcpy(writer->strip + (size_t)writer->filled++ * writer->row_size, (const uint8_t *)data + y * pitch,
               writer->row_size);
        writer->left--;
        if (writer->filled == writer->rows || writer->left == 0) {
            const tmsize_t size = (tmsize_t)((size_t)writer->filled * writer->row_size);
            if (TIFFWriteEncodedStrip(writer->tiff, writer->number++, writer->strip, size) != size) {
                return explain(encoder, error);
            }
            writer->filled = 0;
        }
    }
    return GF_OK;
}

gf_status gf_tiff_end(struct gf_encoder *encoder, gf_error *error)
{
    struct writer *writer = encoder->state;
    struct gf_tiff_bytes *bytes = &writer->bytes;
    if (!TIFFFlushData(writer->tiff)) {
        return explain(encoder, error);
    }
    bytes->held_from = encoder->out->through ? 0 : bytes->size;
    if (!gf_tiff_put_exif(writer->tiff, bytes, writer->exif, encoder->metadata->exif_size) ||
        !TIFFWriteDirectory(writer->tiff) || bytes->errors > 0) {
        return explain(encoder, error);
    }
    if (!gf_bytes_out_write(encoder->out, bytes->held, (size_t)(bytes->size - bytes->held_from)) ||
        (!encoder->out->through && !gf_bytes_out_patch(encoder->out, bytes->head, bytes->head_size))) {
        return gf_bytes_out_fail(encoder->out, error);
    }
    return GF_OK;
}

void gf_tiff_discard(struct gf_encoder *encoder)
{
    struct writer *writer = encoder->state;
    if (writer != NULL) {
        writer->bytes.is_over = 1; /* libtiff would write what it has */
        if (writer->tiff != NULL) {
            TIFFCleanup(writer->tiff);
        }
        free(writer->bytes.held);
        free(writer->strip);
        free(writer->exif);
        free(writer);
        encoder->state = NULL;
    }
}
