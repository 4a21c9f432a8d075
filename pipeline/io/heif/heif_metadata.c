/* ICC profile, numbers of colours (nclx), EXIF and XMP of a HEIF. */
#include "io/heif/heif_private.h"

#include "base/status.h"
#include "io/exif.h"
#include "io/segments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64 };

static gf_status no_memory(const struct gf_decoder *decoder, gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its metadata", decoder->in->label);
}

static gf_status fail_size(const struct gf_decoder *decoder, uint64_t size, gf_error *error)
{
    return gf_fail(error, GF_ERROR_LIMIT,
                   "%s: claims %" PRIu64 " bytes of metadata, beyond max_metadata_bytes, %" PRIu64,
                   decoder->in->label, size, decoder->limits->max_metadata_bytes);
}

static gf_status take_profile(struct gf_decoder *decoder, gf_error *error)
{
    struct gf_heif_reader *reader = decoder->state;
    gf_metadata *metadata = &decoder->metadata;
    const size_t size = reader->heif->image_handle_get_raw_color_profile_size(reader->image);
    if (size > decoder->limits->max_metadata_bytes) {
        return fail_size(decoder, size, error);
    }
    if (size == 0) {
        return GF_OK;
    }
    reader->icc = malloc(size);
    if (reader->icc == NULL) {
        return no_memory(decoder, error);
    }
    const int done =
        reader->heif->image_handle_get_raw_color_profile(reader->image, reader->icc).code == heif_error_Ok;
    if (done && size >= 132 && memcmp(reader->icc + 36, "acsp", 4) == 0) {
        metadata->icc = reader->icc;
        metadata->icc_size = size;
    } else {
        gf_add_note(decoder->note, "ICC profile: not an ICC profile, dropped");
    }
    return GF_OK;
}

/* Primaries and transfer; what is delivered is RGB of all numbers. */
static void take_numbers(struct gf_decoder *decoder)
{
    const struct gf_heif_reader *reader = decoder->state;
    struct heif_color_profile_nclx *nclx = NULL;
    const struct heif_error said = reader->heif->image_handle_get_nclx_color_profile(reader->image, &nclx);
    if (said.code != heif_error_Ok || nclx == NULL) {
        return;
    }
    if (nclx->color_primaries != heif_color_primaries_unspecified &&
        nclx->transfer_characteristics != heif_transfer_characteristic_unspecified) {
        decoder->metadata.cicp[0] = (uint8_t)nclx->color_primaries;
        decoder->metadata.cicp[1] = (uint8_t)nclx->transfer_characteristics;
        decoder->metadata.cicp[3] = 1;
        decoder->metadata.fields |= GF_META_CICP;
    }
    reader->heif->nclx_color_profile_free(nclx);
}

/* In front of the TIFF structure stand four bytes, how far it is from their end, and there maybe "Exif". It
 * is kept as of a picture that lies upright: what turned it was not EXIF. */
static void keep_exif(struct gf_decoder *decoder, uint8_t *bytes, size_t size)
{
    const uint64_t offset =
        size >= 4
            ? ((uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3]) + 4
            : 0;
    uint8_t *tiff = bytes + (offset < size ? offset : 0);
    const size_t left = offset < size ? size - (size_t)offset : 0;
    size_t at = 0;
    if (left < 8 || (memcmp(tiff, "II*\0", 4) != 0 && memcmp(tiff, "MM\0*", 4) != 0)) {
        gf_add_note(decoder->note, "EXIF: not an EXIF structure, dropped");
        return;
    }
    if (gf_exif_orientation(tiff, left, &at) > 1) {
        gf_exif_reset(tiff, at);
    }
    decoder->metadata.exif = tiff;
    decoder->metadata.exif_size = left;
}

/* One block; how much of max_metadata_bytes is left is known. */
static gf_status take_block(struct gf_decoder *decoder, heif_item_id id, int is_exif, size_t size,
                            gf_error *error)
{
    struct gf_heif_reader *reader = decoder->state;
    const size_t mark = sizeof GF_SEGMENT_XMP;
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        return no_memory(decoder, error);
    }
    if (reader->heif->image_handle_get_metadata(reader->image, id, bytes).code != heif_error_Ok) {
        gf_add_note(decoder->note, "%s: cannot be had, dropped", is_exif ? "EXIF" : "XMP");
        free(bytes);
        return GF_OK;
    }
    if (is_exif) {
        reader->exif = bytes;
        keep_exif(decoder, bytes, size);
        return GF_OK;
    }
    reader->xmp = malloc(gf_segment_size(mark, size));
    if (reader->xmp != NULL) {
        gf_segment_put(reader->xmp, 0xe1, GF_SEGMENT_XMP, mark, bytes, size);
        decoder->metadata.segments = reader->xmp;
        decoder->metadata.segments_size = gf_segment_size(mark, size);
    }
    free(bytes);
    return reader->xmp != NULL ? GF_OK : no_memory(decoder, error);
}

gf_status gf_heif_take_metadata(struct gf_decoder *decoder, gf_error *error)
{
    const struct gf_heif_reader *reader = decoder->state;
    const struct gf_heif_library *heif = reader->heif;
    heif_item_id ids[MOST_BLOCKS];
    uint64_t all;
    GF_TRY(take_profile(decoder, error));
    take_numbers(decoder);
    all = decoder->metadata.icc_size;
    const int count =
        heif->image_handle_get_list_of_metadata_block_IDs(reader->image, NULL, ids, MOST_BLOCKS);
    for (int i = 0; i < count; i++) {
        const char *type = heif->image_handle_get_metadata_type(reader->image, ids[i]);
        const int is_exif = type != NULL && strcmp(type, "Exif") == 0;
        const char *content = heif->image_handle_get_metadata_content_type(reader->image, ids[i]);
        const int is_xmp = !is_exif && content != NULL && strcmp(content, "application/rdf+xml") == 0;
        const size_t size = heif->image_handle_get_metadata_size(reader->image, ids[i]);
        if (size == 0 || (is_exif ? reader->exif != NULL : !is_xmp || reader->xmp != NULL)) {
            continue;
        }
        if (is_exif && size > decoder->limits->max_metadata_bytes - all) {
            return fail_size(decoder, all + size, error);
        }
        if (is_xmp && (size > GF_SEGMENT_MOST - sizeof GF_SEGMENT_XMP ||
                       size > decoder->limits->max_metadata_bytes - all)) {
            gf_add_note(decoder->note, "XMP of %zu bytes, too long, dropped", size);
            continue;
        }
        GF_TRY(take_block(decoder, ids[i], is_exif, size, error));
        all += size;
    }
    return GF_OK;
}
