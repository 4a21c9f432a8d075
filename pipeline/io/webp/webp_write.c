/* Pictures to WebP, at once: without loss, or with a quality. */
#include "io/webp/webp_private.h"

#include "base/status.h"
#include "io/segments.h"

#include <inttypes.h>
#include <stdlib.h>

#include <webp/encode.h>
#include <webp/mux.h>

#define LOSSLESS_LEVEL 6 /* of 0 to 9, as libwebp's own program has it */

gf_status gf_webp_fits(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error)
{
    if (shape->width > WEBP_MAX_DIMENSION || shape->height > WEBP_MAX_DIMENSION) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: %s holds at most %d pixels each way, not %" PRId64 " x %" PRId64
                       "; png holds more",
                       label, format->name, WEBP_MAX_DIMENSION, shape->width, shape->height);
    }
    return GF_OK;
}

/* Metadata may be gone when the samples come: the file's parts are put together then, so they are copied. */
gf_status gf_webp_begin(struct gf_encoder *encoder, gf_error *error)
{
    const gf_metadata *metadata = encoder->metadata;
    const size_t most = metadata->segments != NULL ? metadata->segments_size : 0;
    uint8_t *xmp = most > 0 ? malloc(most) : NULL;
    const size_t size =
        xmp != NULL ? gf_segments_join(metadata, 0xe1, GF_SEGMENT_XMP, sizeof GF_SEGMENT_XMP, xmp) : 0;
    int done = xmp != NULL || most == 0;
    const struct {
        const char name[5];
        WebPData data;
    } chunks[] = {{"ICCP", {metadata->icc, metadata->icc_size}},
                  {"EXIF", {metadata->exif, metadata->exif_size}},
                  {"XMP ", {xmp, size}}};
    for (int i = 0; i < 3 && done; i++) {
        if (chunks[i].data.bytes == NULL || chunks[i].data.size == 0) {
            continue;
        }
        encoder->state = encoder->state != NULL ? encoder->state : WebPMuxNew();
        done = encoder->state != NULL &&
               WebPMuxSetChunk(encoder->state, chunks[i].name, &chunks[i].data, 1) == WEBP_MUX_OK;
    }
    free(xmp);
    return done ? GF_OK
                : gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its metadata", encoder->out->label);
}

void gf_webp_discard(struct gf_encoder *encoder)
{
    WebPMuxDelete(encoder->state);
    encoder->state = NULL;
}

static void fill(const gf_shape *shape, const uint8_t *data, int64_t pitch, WebPPicture *picture)
{
    const int64_t c = shape->channels;
    for (int64_t y = 0; y < shape->height; y++) {
        const uint8_t *from = data + y * pitch;
        uint32_t *to = picture->argb + y * picture->argb_stride;
        for (int64_t x = 0; x < shape->width; x++, from += c) {
            const uint32_t alpha = c == 4 ? from[3] : 255;
            to[x] = alpha << 24 | (uint32_t)from[0] << 16 | (uint32_t)from[c > 1 ? 1 : 0] << 8 |
                    from[c > 1 ? 2 : 0];
        }
    }
}

/* The bytes with the metadata around them. */
static int write_all(struct gf_encoder *encoder, const WebPMemoryWriter *coded, gf_status *status,
                     gf_error *error)
{
    WebPData picture = {coded->mem, coded->size}, whole = {NULL, 0};
    int done = 1;
    if (encoder->state != NULL) {
        done = WebPMuxSetImage(encoder->state, &picture, 0) == WEBP_MUX_OK &&
               WebPMuxAssemble(encoder->state, &whole) == WEBP_MUX_OK;
        picture = whole;
    }
    if (done && !gf_bytes_out_write(encoder->out, picture.bytes, picture.size)) {
        *status = gf_bytes_out_fail(encoder->out, error);
    }
    WebPDataClear(&whole);
    return done;
}

gf_status gf_webp_put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                           gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    const int quality = encoder->options->webp_quality;
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter coded;
    gf_status status = GF_OK;
    (void)count;
    WebPMemoryWriterInit(&coded);
    int done = WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, (float)quality) && WebPPictureInit(&picture);
    if (done && quality == 0) {
        done = WebPConfigLosslessPreset(&config, LOSSLESS_LEVEL);
        config.exact = 1; /* colour where alpha is 0, too */
    }
    if (!done) {
        return gf_fail(error, GF_ERROR_INTERNAL, "%s: libwebp is of another version", encoder->out->label);
    }
    picture.use_argb = 1;
    picture.width = (int)shape->width;
    picture.height = (int)shape->height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &coded;
    done = WebPPictureAlloc(&picture);
    if (done) {
        fill(shape, data, pitch, &picture);
        done = WebPEncode(&config, &picture) && write_all(encoder, &coded, &status, error);
    }
    if (!done) {
        const int memory =
            picture.error_code == VP8_ENC_OK || picture.error_code <= VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY;
        status = gf_fail(error, memory ? GF_ERROR_MEMORY : GF_ERROR_INTERNAL, "%s: %s (libwebp's error %d)",
                         encoder->out->label, memory ? "no memory for WebP" : "cannot be coded",
                         (int)picture.error_code);
    }
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&coded);
    return status;
}
