/* HEIF and AVIF to pictures: the file is held, and decoded at once to RGB by libheif. */
#include "io/heif/heif_private.h"

#include "base/status.h"
#include "io/alpha_divide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What libheif said. */
static gf_status explain(const struct gf_decoder *decoder, struct heif_error said, gf_error *error)
{
    const char *label = decoder->in->label, *text = said.message != NULL ? said.message : "";
    char shown[GF_LABEL_SIZE];
    gf_label(shown, text, "-");
    if (said.code == heif_error_Memory_allocation_error &&
        said.subcode != heif_suberror_Security_limit_exceeded) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for HEIF", label);
    }
    if (said.code == heif_error_Memory_allocation_error) {
        return gf_fail(error, GF_ERROR_LIMIT, "%s: beyond a limit of libheif: %s", label, shown);
    }
    return gf_fail(error, GF_ERROR_INPUT,
                   said.code == heif_error_Unsupported_feature || said.code == heif_error_Unsupported_filetype
                       ? "%.200s: a kind of HEIF that libheif does not read: %s"
                       : "%.200s: damaged HEIF: %s",
                   label, shown);
}

static gf_status no_memory(const struct gf_decoder *decoder, gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for HEIF", decoder->in->label);
}

/* Of the pictures of the file the one that is asked for; the first is the one that the file calls primary. */
static gf_status choose(struct gf_decoder *decoder, heif_item_id *id, gf_error *error)
{
    const struct gf_heif_reader *reader = decoder->state;
    const int count = reader->heif->context_get_number_of_top_level_images(reader->context);
    decoder->info.pages = count > 0 ? count : 1;
    const struct heif_error said = reader->heif->context_get_primary_image_ID(reader->context, id);
    if (said.code != heif_error_Ok) {
        return explain(decoder, said, error);
    }
    GF_TRY(gf_check_page(decoder, error));
    int64_t left = decoder->limits->page - 1; /* of others, before the one */
    if (left < 1) {
        return GF_OK;
    }
    heif_item_id *ids = malloc((size_t)count * sizeof *ids);
    if (ids == NULL) {
        return no_memory(decoder, error);
    }
    const int got = reader->heif->context_get_list_of_top_level_image_IDs(reader->context, ids, count);
    const heif_item_id primary = *id;
    for (int i = 0; i < got && left > 0; i++) {
        left -= ids[i] != primary;
        *id = left == 0 ? ids[i] : *id;
    }
    free(ids);
    return GF_OK;
}

/* What decoding takes beside the picture, at most: planes, their turned copy, RGB; and those of alpha. */
static gf_status plan_memory(struct gf_decoder *decoder, gf_error *error)
{
    const gf_shape *shape = &decoder->info.shape;
    decoder->held = (uint64_t)(shape->width * shape->height) * gf_depth_size(shape->depth) *
                    (shape->channels == 4 ? 8 : 6);
    if (decoder->held > decoder->limits->max_memory) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the picture, beyond max_memory, %" PRIu64,
                       decoder->in->label, decoder->held, decoder->limits->max_memory);
    }
    return GF_OK;
}

static gf_status take_shape(struct gf_decoder *decoder, gf_error *error)
{
    const struct gf_heif_reader *reader = decoder->state;
    const struct gf_heif_library *heif = reader->heif;
    gf_file_info *info = &decoder->info;
    const int64_t width = heif->image_handle_get_width(reader->image),
                  height = heif->image_handle_get_height(reader->image);
    const int bits = heif->image_handle_get_luma_bits_per_pixel(reader->image);
    if (width < 1 || height < 1 || bits < 1 || bits > 16) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: damaged HEIF: %" PRId64 " x %" PRId64 " pixels of %d bits a sample",
                       decoder->in->label, width, height, bits);
    }
    info->shape = (gf_shape){.width = width,
                             .height = height,
                             .channels = heif->image_handle_has_alpha_channel(reader->image) ? 4 : 3,
                             .depth = bits > 8 ? GF_U16 : GF_U8};
    info->stored_bits = (uint32_t)bits;
    info->whole = decoder->expands = 1;
    decoder->orientation = 1; /* libheif turns it, by what counts here; EXIF's does not */
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, width, height, 0, error));
    return plan_memory(decoder, error);
}

gf_status gf_heif_open(struct gf_decoder *decoder, gf_error *error)
{
    const gf_io_limits *limits = decoder->limits;
    struct gf_heif_reader *reader = calloc(1, sizeof *reader);
    const uint8_t *bytes;
    uint64_t size;
    decoder->state = reader;
    if (reader == NULL) {
        return no_memory(decoder, error);
    }
    reader->heif = gf_heif_library();
    if (reader->heif == NULL) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: HEIF and AVIF are read by libheif, and " GF_HEIF_LIBRARY
                       " cannot be opened: install libheif1 (Debian, Ubuntu) or libheif",
                       decoder->in->label);
    }
    GF_TRY(gf_bytes_in_hold(decoder->in, limits->max_memory, &reader->held, &bytes, &size, error));
    decoder->info.compression = memcmp(bytes + 8, "avi", 3) == 0  ? "AV1"
                                : memcmp(bytes + 8, "he", 2) == 0 ? "HEVC"
                                                                  : NULL;
    reader->context = reader->heif->context_alloc();
    if (reader->context == NULL) {
        return no_memory(decoder, error);
    }
    const int64_t side = limits->max_width > limits->max_height ? limits->max_width : limits->max_height;
    reader->heif->context_set_maximum_image_size_limit(reader->context, (int)(side < 65536 ? side : 65536));
    reader->heif->context_set_max_decoding_threads(reader->context, 0);
    struct heif_error said =
        reader->heif->context_read_from_memory_without_copy(reader->context, bytes, (size_t)size, NULL);
    if (said.code != heif_error_Ok) {
        return explain(decoder, said, error);
    }
    heif_item_id id = 0;
    GF_TRY(choose(decoder, &id, error));
    said = reader->heif->context_get_image_handle(reader->context, id, &reader->image);
    if (said.code != heif_error_Ok) {
        return explain(decoder, said, error);
    }
    GF_TRY(take_shape(decoder, error));
    return gf_heif_take_metadata(decoder, error);
}

/* ---- samples ---- */

/* A row of more than 8 bits, as little-endian pairs of bytes, at full scale. */
static void take_deep_row(const uint8_t *from, uint16_t *to, int64_t count, uint32_t most)
{
    for (int64_t i = 0; i < count; i++) {
        const uint32_t sample = from[2 * i] | (uint32_t)from[2 * i + 1] << 8;
        to[i] = (uint16_t)gf_scale_sample(sample < most ? sample : most, most, 65535);
    }
}

static gf_status take_rows(const struct gf_decoder *decoder, const struct heif_image *image, void *data,
                           int64_t pitch, gf_error *error)
{
    const struct gf_heif_reader *reader = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    const struct gf_heif_library *heif = reader->heif;
    int stride = 0;
    const uint8_t *plane = heif->image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    const int bits = heif->image_get_bits_per_pixel_range(image, heif_channel_interleaved);
    const int is_deep = shape->depth == GF_U16;
    if (plane == NULL || heif->image_get_width(image, heif_channel_interleaved) != shape->width ||
        heif->image_get_height(image, heif_channel_interleaved) != shape->height || bits < 1 || bits > 16 ||
        (bits > 8) != is_deep) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: damaged HEIF: its samples make another picture than it says", decoder->in->label);
    }
    const int64_t count = shape->width * shape->channels;
    for (int64_t y = 0; y < shape->height; y++) {
        uint8_t *row = (uint8_t *)data + y * pitch;
        if (is_deep) {
            take_deep_row(plane + y * stride, (uint16_t *)(void *)row, count, (1u << bits) - 1);
        } else {
            memcpy(row, plane + y * stride, (size_t)count);
        }
        if (shape->channels == 4 && heif->image_handle_is_premultiplied_alpha(reader->image)) {
            gf_alpha_divide(shape, row, 3);
        }
    }
    return GF_OK;
}

gf_status gf_heif_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    const struct gf_heif_reader *reader = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    const int has_alpha = shape->channels == 4;
    const enum heif_chroma chroma =
        shape->depth == GF_U8
            ? (has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
            : (has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE);
    struct heif_image *image = NULL;
    struct heif_decoding_options *options = reader->heif->decoding_options_alloc();
    (void)count; /* all of them */
    if (options == NULL) {
        return no_memory(decoder, error);
    }
#if LIBHEIF_NUMERIC_VERSION >= 0x010d0000
    options->strict_decoding = options->version >= 3;
#endif
    const struct heif_error said =
        reader->heif->decode_image(reader->image, &image, heif_colorspace_RGB, chroma, options);
    reader->heif->decoding_options_free(options);
    const gf_status status = said.code == heif_error_Ok ? take_rows(decoder, image, data, pitch, error)
                                                        : explain(decoder, said, error);
    if (image != NULL) {
        reader->heif->image_release(image);
    }
    return status;
}

void gf_heif_close(struct gf_decoder *decoder)
{
    struct gf_heif_reader *reader = decoder->state;
    if (reader != NULL) {
        if (reader->image != NULL) {
            reader->heif->image_handle_release(reader->image);
        }
        if (reader->context != NULL) {
            reader->heif->context_free(reader->context);
        }
        free(reader->held);
        free(reader->icc);
        free(reader->exif);
        free(reader->xmp);
        free(reader);
        decoder->state = NULL;
    }
}
