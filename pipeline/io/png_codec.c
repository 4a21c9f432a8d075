/* PNG: pictures to files, and the codec's entry. Reading is in png_read.c. */
#include "png_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define IDAT_SIZE ((size_t)1 << 16)

struct writer {
    struct gf_png core; /* first */
    struct gf_encoder *encoder;
    uint8_t *icc; /* the packed iCCP chunk */
    size_t icc_size;
    const uint8_t *data; /* of the rows call that runs */
    int64_t pitch, count;
};

static void write_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct writer *writer = png_get_io_ptr(png);
    if (!gf_bytes_out_write(writer->encoder->out, bytes, size)) {
        writer->core.status = gf_bytes_out_fail(writer->encoder->out, writer->core.error);
        png_error(png, "write");
    }
}

static void flush_bytes(png_structp png)
{
    (void)png; /* commit flushes */
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static gf_status explain(const struct writer *writer, gf_error *error)
{
    if (writer->core.status != GF_OK) {
        return writer->core.status;
    }
    GF_TRY(gf_png_memory(&writer->core, writer->encoder->out->label, error));
    return gf_fail(error, GF_ERROR_INTERNAL, "%s: libpng: %s", writer->encoder->out->label,
                   writer->core.message);
}

static void put_uint(uint8_t *b, uint32_t value)
{
    b[0] = (uint8_t)(value >> 24);
    b[1] = (uint8_t)(value >> 16);
    b[2] = (uint8_t)(value >> 8);
    b[3] = (uint8_t)value;
}

/* As raw chunks: libpng would judge and change some of them. */
static void write_metadata(png_structp png, const struct writer *writer)
{
    const gf_metadata *metadata = writer->encoder->metadata;
    uint8_t b[32];
    if (metadata->fields & GF_META_CICP) {
        png_write_chunk(png, gf_png_kept_names[GF_PNG_CICP], metadata->cicp, 4);
    }
    if (writer->icc != NULL) {
        png_write_chunk(png, gf_png_kept_names[GF_PNG_ICCP], writer->icc, writer->icc_size);
    }
    if (metadata->fields & GF_META_SRGB) {
        png_write_chunk(png, gf_png_kept_names[GF_PNG_SRGB], &metadata->srgb_intent, 1);
    }
    if (metadata->fields & GF_META_GAMMA) {
        put_uint(b, metadata->gamma);
        png_write_chunk(png, gf_png_kept_names[GF_PNG_GAMA], b, 4);
    }
    if (metadata->fields & GF_META_CHROMATICITIES) {
        for (int i = 0; i < 8; i++) {
            put_uint(b + 4 * i, metadata->chromaticities[i]);
        }
        png_write_chunk(png, gf_png_kept_names[GF_PNG_CHRM], b, 32);
    }
    if (metadata->fields & GF_META_DENSITY) {
        put_uint(b, metadata->density[0]);
        put_uint(b + 4, metadata->density[1]);
        b[8] = metadata->density_unit;
        png_write_chunk(png, gf_png_kept_names[GF_PNG_PHYS], b, 9);
    }
    if (metadata->exif != NULL && metadata->exif_size > 0) {
        png_write_chunk(png, gf_png_kept_names[GF_PNG_EXIF], metadata->exif, metadata->exif_size);
    }
}

/* The default looks for runs only, in differences of rows. Photographs, 512 x 512 RGB u8: 13 ms
 * and 445 kB, where deflate level 1 with its best single filter takes 15 ms and 464 kB, level 6
 * with all filters 57 ms and 448 kB; noisy u16 takes half the time of level 1 at 2 % less. Drawings
 * that repeat themselves come out larger (a page of letters 1.2 times level 1); a caller who
 * cares names a level, and gets the search over filters and matches that libpng is known for. */
static void choose_compression(png_structp png, int level)
{
    int fast = level < 0;
    png_set_compression_level(png, fast ? 1 : level);
    png_set_compression_strategy(png, fast ? Z_RLE : level == 0 ? Z_DEFAULT_STRATEGY : Z_FILTERED);
    png_set_compression_mem_level(png, 8);
    png_set_compression_buffer_size(png, IDAT_SIZE);
    png_set_filter(png, PNG_FILTER_TYPE_BASE,
                   fast         ? PNG_FILTER_UP
                   : level == 0 ? PNG_FILTER_NONE
                                : PNG_ALL_FILTERS);
}

static void header_step(void *argument)
{
    static const int types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
    struct writer *writer = argument;
    const gf_shape *shape = &writer->encoder->shape;
    png_structp png = writer->core.png;
    const uint16_t one = 1;
    png_set_write_fn(png, writer, write_bytes, flush_bytes);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    choose_compression(png, writer->encoder->options->png_level);
    png_set_IHDR(png, writer->core.info, (png_uint_32)shape->width, (png_uint_32)shape->height,
                 shape->depth == GF_U16 ? 16 : 8, types[shape->channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, writer->core.info);
    write_metadata(png, writer);
    if (shape->depth == GF_U16 && *(const uint8_t *)&one == 1) {
        png_set_swap(png);
    }
}

static gf_status check(const struct gf_encoder *encoder, gf_error *error)
{
    const gf_shape *shape = &encoder->shape;
    if (shape->width > PNG_UINT_31_MAX || shape->height > PNG_UINT_31_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: png holds at most 2147483647 pixels each way, not %" PRId64 " x %" PRId64,
                       encoder->out->label, shape->width, shape->height);
    }
    if (encoder->metadata->exif_size > PNG_UINT_31_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: png does not hold EXIF of %zu bytes",
                       encoder->out->label, encoder->metadata->exif_size);
    }
    return GF_OK;
}

static gf_status begin(struct gf_encoder *encoder, gf_error *error)
{
    GF_TRY(check(encoder, error));
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer != NULL) {
        encoder->state = writer;
        writer->encoder = encoder;
        writer->core.budget.limit = UINT64_MAX;
        writer->core.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, writer, gf_png_error,
                                                     ignore_warning, writer, gf_png_malloc, gf_png_free);
        writer->core.info = writer->core.png != NULL ? png_create_info_struct(writer->core.png) : NULL;
    }
    if (writer == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for PNG", encoder->out->label);
    }
    if (writer->core.info == NULL) {
        return explain(writer, error);
    }
    if (encoder->metadata->icc != NULL && encoder->metadata->icc_size > 0) {
        GF_TRY(
            gf_png_pack_icc(encoder->metadata, encoder->out->label, &writer->icc, &writer->icc_size, error));
    }
    return gf_png_guard(&writer->core, header_step, writer, error) ? GF_OK : explain(writer, error);
}

static void rows_step(void *argument)
{
    struct writer *writer = argument;
    for (int64_t y = 0; y < writer->count; y++) {
        png_write_row(writer->core.png, writer->data + y * writer->pitch);
    }
}

static gf_status put_rows(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error)
{
    struct writer *writer = encoder->state;
    writer->data = data;
    writer->pitch = pitch;
    writer->count = count;
    return gf_png_guard(&writer->core, rows_step, writer, error) ? GF_OK : explain(writer, error);
}

static void end_step(void *argument)
{
    struct writer *writer = argument;
    png_write_end(writer->core.png, NULL);
}

static gf_status end(struct gf_encoder *encoder, gf_error *error)
{
    struct writer *writer = encoder->state;
    return gf_png_guard(&writer->core, end_step, writer, error) ? GF_OK : explain(writer, error);
}

static void discard(struct gf_encoder *encoder)
{
    struct writer *writer = encoder->state;
    if (writer != NULL) {
        png_destroy_write_struct(&writer->core.png, &writer->core.info);
        free(writer->icc);
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
               .depths = 1u << GF_U8 | 1u << GF_U16},
    .sniff = gf_png_sniff,
    .open = gf_png_open,
    .rows = gf_png_rows,
    .finish = gf_png_finish,
    .close = gf_png_close,
    .begin = begin,
    .put_rows = put_rows,
    .end = end,
    .discard = discard,
};
