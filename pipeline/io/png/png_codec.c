/* PNG: what is around the samples of a written file, and the codec's entry. The samples are in
 * png_segments.c; reading, by libpng, is in png_read.c. */
#include "io/png/png_private.h"
#include "io/png/png_segments.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static int write_chunk(struct gf_bytes_out *out, const void *name, const void *data, size_t size)
{
    uint8_t head[8], crc[4];
    gf_png_put_uint(head, (uint32_t)size);
    memcpy(head + 4, name, 4);
    uLong sum = crc32(crc32(0, NULL, 0), head + 4, 4);
    gf_png_put_uint(crc, (uint32_t)(size > 0 ? crc32(sum, data, (uInt)size) : sum));
    return gf_bytes_out_write(out, head, 8) && gf_bytes_out_write(out, data, size) &&
           gf_bytes_out_write(out, crc, 4);
}

static int write_header(const struct gf_encoder *encoder)
{
    static const uint8_t types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                    PNG_COLOR_TYPE_RGB_ALPHA};
    const gf_shape *shape = &encoder->shape;
    uint8_t header[13] = {0}; /* the last three: deflate, filters, not interlaced */
    gf_png_put_uint(header, (uint32_t)shape->width);
    gf_png_put_uint(header + 4, (uint32_t)shape->height);
    header[8] = shape->depth == GF_U16 ? 16 : 8;
    header[9] = types[shape->channels];
    return gf_bytes_out_write(encoder->out, "\x89PNG\r\n\x1a\n", 8) &&
           write_chunk(encoder->out, "IHDR", header, sizeof header);
}

static int write_metadata(const struct gf_encoder *encoder, const uint8_t *icc, size_t icc_size)
{
    const gf_metadata *metadata = encoder->metadata;
    struct gf_bytes_out *out = encoder->out;
    uint8_t b[32];
    int ok = 1;
    if (metadata->fields & GF_META_CICP) {
        ok = ok && write_chunk(out, gf_png_kept_names[GF_PNG_CICP], metadata->cicp, 4);
    }
    if (icc != NULL) {
        ok = ok && write_chunk(out, gf_png_kept_names[GF_PNG_ICCP], icc, icc_size);
    }
    if (metadata->fields & GF_META_SRGB && icc == NULL) { /* the format allows one or the other */
        ok = ok && write_chunk(out, gf_png_kept_names[GF_PNG_SRGB], &metadata->srgb_intent, 1);
    }
    if (metadata->fields & GF_META_GAMMA) {
        gf_png_put_uint(b, metadata->gamma);
        ok = ok && write_chunk(out, gf_png_kept_names[GF_PNG_GAMA], b, 4);
    }
    if (metadata->fields & GF_META_CHROMATICITIES) {
        for (int i = 0; i < 8; i++) {
            gf_png_put_uint(b + 4 * i, metadata->chromaticities[i]);
        }
        ok = ok && write_chunk(out, gf_png_kept_names[GF_PNG_CHRM], b, 32);
    }
    if (metadata->fields & GF_META_DENSITY) {
        gf_png_put_uint(b, metadata->density[0]);
        gf_png_put_uint(b + 4, metadata->density[1]);
        b[8] = metadata->density_unit;
        ok = ok && write_chunk(out, gf_png_kept_names[GF_PNG_PHYS], b, 9);
    }
    return ok;
}

/* Writes EXIF before the samples, or behind them where it was read there. */
static int write_exif(const struct gf_encoder *encoder, int last)
{
    const gf_metadata *metadata = encoder->metadata;
    if (metadata->exif == NULL || metadata->exif_size == 0 ||
        !(metadata->fields & GF_META_EXIF_LAST) != !last) {
        return 1;
    }
    return write_chunk(encoder->out, gf_png_kept_names[GF_PNG_EXIF], metadata->exif, metadata->exif_size);
}

static gf_status fits(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error)
{
    if (shape->width > PNG_UINT_31_MAX || shape->height > PNG_UINT_31_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: %s holds at most 2147483647 pixels each way, not %" PRId64 " x %" PRId64, label,
                       format->name, shape->width, shape->height);
    }
    return GF_OK;
}

static gf_status check_metadata(const struct gf_encoder *encoder, gf_error *error)
{
    if (encoder->metadata->exif_size > PNG_UINT_31_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: png does not hold EXIF of %zu bytes",
                       encoder->out->label, encoder->metadata->exif_size);
    }
    return GF_OK;
}

static gf_status begin(struct gf_encoder *encoder, gf_error *error)
{
    struct gf_png_segments *segments;
    uint8_t *icc = NULL; /* the packed iCCP chunk */
    size_t icc_size = 0;
    GF_TRY(check_metadata(encoder, error));
    GF_TRY(gf_png_segments_create(encoder, &segments, error));
    encoder->state = segments;
    if (encoder->metadata->icc != NULL && encoder->metadata->icc_size > 0) {
        GF_TRY(gf_png_pack_icc(encoder->metadata, encoder->out->label, &icc, &icc_size, error));
    }
    int ok = write_header(encoder) && write_metadata(encoder, icc, icc_size) && write_exif(encoder, 0);
    free(icc);
    return ok ? GF_OK : gf_bytes_out_fail(encoder->out, error);
}

static gf_status put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error)
{
    return gf_png_segments_rows(encoder->state, data, pitch, count, error);
}

static gf_status end(struct gf_encoder *encoder, gf_error *error)
{
    GF_TRY(gf_png_segments_end(encoder->state, error));
    return write_exif(encoder, 1) && write_chunk(encoder->out, "IEND", "", 0)
               ? GF_OK
               : gf_bytes_out_fail(encoder->out, error);
}

static void discard(struct gf_encoder *encoder)
{
    gf_png_segments_destroy(encoder->state);
    encoder->state = NULL;
}

const struct gf_codec gf_codec_png = {
    .format = {.name = "png",
               .suffixes = "png",
               .summary = "Portable Network Graphics: u8 and u16, 1 to 4 channels, ICC and EXIF",
               .reads = 1,
               .writes = 1,
               .channels = GF_ANY_CHANNELS,
               .depths = 1u << GF_U8 | 1u << GF_U16,
               .metadata = 1},
    .sniff = gf_png_sniff,
    .open = gf_png_open,
    .rows = gf_png_rows,
    .finish = gf_png_finish,
    .close = gf_png_close,
    .fits = fits,
    .begin = begin,
    .put_rows = put_rows,
    .late_exif = 1,
    .end = end,
    .discard = discard,
};
