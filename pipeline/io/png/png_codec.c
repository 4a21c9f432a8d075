/* PNG: what is around the samples of a written file, and the codec's entry. The samples are in
 * png_segments.c; reading, by libpng, is in png_read.c. */
#include "io/png/png_palette.h"
#include "io/png/png_private.h"
#include "io/png/png_segments.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The palette waits for the last row, and with it all that is before the samples. */
struct writer {
    struct gf_png_segments *segments; /* NULL until it is known how samples are stored */
    struct gf_png_palette *palette;   /* NULL: none, or no more */
    uint8_t *icc, *exif; /* the packed iCCP chunk; EXIF that comes before the samples. NULL: none */
    size_t icc_size, exif_size;
};

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

static int write_header(const struct gf_encoder *encoder, const struct gf_png_packed *packed)
{
    static const uint8_t types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                    PNG_COLOR_TYPE_RGB_ALPHA};
    const gf_shape *shape = &encoder->shape;
    uint8_t header[13] = {0}; /* the last three: deflate, filters, not interlaced */
    gf_png_put_uint(header, (uint32_t)shape->width);
    gf_png_put_uint(header + 4, (uint32_t)shape->height);
    header[8] = packed != NULL ? (uint8_t)packed->bits : shape->depth == GF_U16 ? 16 : 8;
    header[9] = packed != NULL && packed->plte > 0 ? PNG_COLOR_TYPE_PALETTE : types[shape->channels];
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

static int write_palette(const struct gf_encoder *encoder, const struct gf_png_packed *packed)
{
    if (packed == NULL) {
        return 1;
    }
    return (packed->plte == 0 || write_chunk(encoder->out, "PLTE", packed->colours, packed->plte)) &&
           (packed->trns == 0 || write_chunk(encoder->out, "tRNS", packed->alphas, packed->trns));
}

static int write_exif(const struct gf_encoder *encoder, const void *exif, size_t size)
{
    return exif == NULL || size == 0 || write_chunk(encoder->out, gf_png_kept_names[GF_PNG_EXIF], exif, size);
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

static gf_status no_memory(const struct gf_encoder *encoder, gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for PNG", encoder->out->label);
}

/* Writes what is before the samples. `packed` NULL: they are stored as they come. */
static gf_status start(struct gf_encoder *encoder, const struct gf_png_packed *packed, gf_error *error)
{
    struct writer *writer = encoder->state;
    gf_shape shape = encoder->shape;
    if (packed != NULL) { /* filters see bytes */
        shape.width = (int64_t)packed->row;
        shape.channels = 1;
    }
    int plain = packed != NULL && (packed->plte > 0 || packed->bits < 8);
    GF_TRY(gf_png_segments_create(encoder, &shape, plain, &writer->segments, error));
    return write_header(encoder, packed) && write_metadata(encoder, writer->icc, writer->icc_size) &&
                   write_palette(encoder, packed) && write_exif(encoder, writer->exif, writer->exif_size)
               ? GF_OK
               : gf_bytes_out_fail(encoder->out, error);
}

static gf_status begin_palette(struct gf_encoder *encoder, gf_error *error)
{
    struct writer *writer = encoder->state;
    if (gf_png_palette_holds(&encoder->shape)) {
        writer->palette = gf_png_palette_make(&encoder->shape);
        return writer->palette != NULL ? GF_OK : no_memory(encoder, error);
    }
    return encoder->options->png_palette == GF_PNG_PALETTE_ON
               ? gf_fail(error, GF_ERROR_UNSUPPORTED,
                         "%s: no palette for %s; one holds u8, gray, RGB or RGBA", encoder->out->label,
                         encoder->shape.depth == GF_U8 ? "gray + alpha" : gf_depth_name(encoder->shape.depth))
               : GF_OK;
}

static gf_status begin(struct gf_encoder *encoder, gf_error *error)
{
    const gf_metadata *metadata = encoder->metadata;
    GF_TRY(check_metadata(encoder, error));
    struct writer *writer = encoder->state = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return no_memory(encoder, error);
    }
    if (metadata->icc != NULL && metadata->icc_size > 0) {
        GF_TRY(gf_png_pack_icc(metadata, encoder->out->label, &writer->icc, &writer->icc_size, error));
    }
    if (metadata->exif != NULL && metadata->exif_size > 0 && !(metadata->fields & GF_META_EXIF_LAST)) {
        writer->exif = malloc(metadata->exif_size); /* it is the caller's again before it may be written */
        if (writer->exif == NULL) {
            return no_memory(encoder, error);
        }
        memcpy(writer->exif, metadata->exif, metadata->exif_size);
        writer->exif_size = metadata->exif_size;
    }
    if (encoder->options->png_palette != GF_PNG_PALETTE_OFF) {
        GF_TRY(begin_palette(encoder, error));
    }
    return writer->palette != NULL ? GF_OK : start(encoder, NULL, error);
}

/* One colour too many: what was taken goes on as it would have without a palette. */
static gf_status give_up_palette(struct gf_encoder *encoder, gf_error *error)
{
    struct writer *writer = encoder->state;
    if (encoder->options->png_palette == GF_PNG_PALETTE_ON) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "%s: has more than 256 colours, the most that a palette holds; quantize:256 makes them "
            "fewer",
            encoder->out->label);
    }
    GF_TRY(start(encoder, NULL, error));
    for (int64_t y = 0; y < writer->palette->rows; y++) {
        GF_TRY(gf_png_segments_rows(writer->segments, gf_png_palette_row(writer->palette, y), 0, 1, error));
    }
    gf_png_palette_free(writer->palette);
    writer->palette = NULL;
    return GF_OK;
}

static gf_status put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error)
{
    struct writer *writer = encoder->state;
    struct gf_png_palette *palette = writer->palette;
    const char *rows = data;
    if (palette != NULL) {
        const int64_t taken = gf_png_palette_rows(palette, data, pitch, count);
        if (taken == count && palette->rows < encoder->shape.height) {
            return GF_OK;
        }
        if (taken == count) {
            struct gf_png_packed packed;
            gf_png_palette_pack(palette, &packed);
            GF_TRY(start(encoder, &packed, error));
            return gf_png_segments_rows(writer->segments, palette->numbers, (int64_t)packed.row,
                                        encoder->shape.height, error);
        }
        GF_TRY(give_up_palette(encoder, error));
        rows += taken * pitch;
        count -= taken;
    }
    return gf_png_segments_rows(writer->segments, rows, pitch, count, error);
}

static gf_status end(struct gf_encoder *encoder, gf_error *error)
{
    const struct writer *writer = encoder->state;
    const gf_metadata *metadata = encoder->metadata;
    const size_t late = metadata->fields & GF_META_EXIF_LAST ? metadata->exif_size : 0;
    GF_TRY(gf_png_segments_end(writer->segments, error));
    return write_exif(encoder, metadata->exif, late) && write_chunk(encoder->out, "IEND", "", 0)
               ? GF_OK
               : gf_bytes_out_fail(encoder->out, error);
}

static void discard(struct gf_encoder *encoder)
{
    struct writer *writer = encoder->state;
    if (writer != NULL) {
        gf_png_segments_destroy(writer->segments);
        gf_png_palette_free(writer->palette);
        free(writer->icc);
        free(writer->exif);
        free(writer);
        encoder->state = NULL;
    }
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
