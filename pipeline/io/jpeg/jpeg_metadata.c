/* EXIF and XMP in APP1, ICC profiles in APP2 and IPTC in APP13 segments, read and written. */
#include "io/jpeg/jpeg_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void gf_jpeg_watch(struct gf_jpeg_reader *reader)
{
    jpeg_save_markers(&reader->jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_save_markers(&reader->jpeg, JPEG_APP0 + 2, 0xffff);
    jpeg_save_markers(&reader->jpeg, JPEG_APP0 + 13, 0xffff);
}

static gf_status fail_size(const struct gf_decoder *decoder, uint64_t size, gf_error *error)
{
    return gf_fail(error, GF_ERROR_LIMIT,
                   "%s: claims %" PRIu64 " bytes of metadata, beyond max_metadata_bytes, %" PRIu64,
                   decoder->in->label, size, decoder->limits->max_metadata_bytes);
}

static void append(struct gf_jpeg_kept *kept, struct gf_jpeg_block *block, const void *bytes, size_t size)
{
    uint8_t *longer = kept->no_memory ? NULL : realloc(block->bytes, block->size + size + 1);
    if (longer == NULL) {
        kept->no_memory = 1;
        return;
    }
    memcpy(longer + block->size, bytes, size);
    block->bytes = longer;
    block->size += size;
}

/* What the segments of a profile are, by number, and what is wrong with them. */
struct pieces {
    jpeg_saved_marker_ptr number[256];
    int count;     /* as the first of them says */
    int damaged;   /* they contradict each other */
    uint64_t size; /* of all */
};

static void take_piece(struct pieces *pieces, jpeg_saved_marker_ptr segment)
{
    const int number = segment->data[12], count = segment->data[13];
    pieces->damaged |= number == 0 || number > count || (pieces->count != 0 && pieces->count != count) ||
                       pieces->number[number] != NULL;
    pieces->count = count;
    pieces->number[number] = segment;
    pieces->size += segment->data_length - GF_JPEG_ICC_HEAD;
}

/* XMP or IPTC, marker and length with it. */
static void take_whole(struct gf_jpeg_reader *reader, const struct jpeg_marker_struct *segment)
{
    struct gf_jpeg_kept *kept = &reader->kept;
    const unsigned length = segment->data_length + 2;
    const uint8_t head[4] = {0xff, segment->marker, (uint8_t)(length >> 8), (uint8_t)length};
    kept->too_much |= kept->segments.size + length + 2 > reader->decoder->limits->max_metadata_bytes;
    if (!kept->too_much) {
        append(kept, &kept->segments, head, sizeof head);
        append(kept, &kept->segments, segment->data, segment->data_length);
    }
}

static int is(const struct jpeg_marker_struct *segment, int number, const char *mark, size_t size,
              size_t head)
{
    return segment->marker == JPEG_APP0 + number && segment->data_length >= head &&
           memcmp(segment->data, mark, size) == 0;
}

static void take_all(struct gf_jpeg_reader *reader, struct pieces *pieces)
{
    struct gf_jpeg_kept *kept = &reader->kept;
    for (jpeg_saved_marker_ptr at = reader->jpeg.marker_list; at != NULL; at = at->next) {
        const int is_exif = is(at, 1, GF_JPEG_EXIF, GF_JPEG_EXIF_HEAD, GF_JPEG_EXIF_HEAD);
        if (is_exif && kept->exif.bytes == NULL) {
            append(kept, &kept->exif, at->data + GF_JPEG_EXIF_HEAD, at->data_length - GF_JPEG_EXIF_HEAD);
        } else if (is_exif) {
            gf_add_note(reader->decoder->note, "EXIF: a second one, dropped");
        } else if (is(at, 2, GF_JPEG_ICC, sizeof GF_JPEG_ICC, GF_JPEG_ICC_HEAD)) {
            take_piece(pieces, at);
        } else if (is(at, 1, GF_JPEG_XMP, sizeof GF_JPEG_XMP - 1, sizeof GF_JPEG_XMP) ||
                   is(at, 13, GF_JPEG_IPTC, sizeof GF_JPEG_IPTC, sizeof GF_JPEG_IPTC)) {
            take_whole(reader, at);
        }
    }
}

/* Puts the pieces together. What is wrong with them, or NULL. */
static const char *join(struct gf_jpeg_kept *kept, const struct pieces *pieces)
{
    for (int i = 1; i <= pieces->count; i++) {
        if (pieces->number[i] == NULL) {
            return "a segment is missing";
        }
        append(kept, &kept->icc, pieces->number[i]->data + GF_JPEG_ICC_HEAD,
               pieces->number[i]->data_length - GF_JPEG_ICC_HEAD);
    }
    const int is_profile = kept->icc.size >= 132 && memcmp(kept->icc.bytes + 36, "acsp", 4) == 0;
    return is_profile || kept->no_memory ? NULL : "not an ICC profile";
}

gf_status gf_jpeg_collect(struct gf_jpeg_reader *reader, gf_error *error)
{
    struct gf_jpeg_kept *kept = &reader->kept;
    struct gf_decoder *decoder = reader->decoder;
    gf_metadata *metadata = &decoder->metadata;
    const uint64_t most = decoder->limits->max_metadata_bytes;
    struct pieces pieces = {0};
    take_all(reader, &pieces);
    const struct gf_jpeg_block exif = kept->exif;
    const uint64_t bytes = exif.size + pieces.size;
    if (exif.size > most) {
        return fail_size(decoder, exif.size, error);
    }
    if (exif.bytes != NULL &&
        (exif.size < 8 || (memcmp(exif.bytes, "II*\0", 4) != 0 && memcmp(exif.bytes, "MM\0*", 4) != 0))) {
        gf_add_note(decoder->note, "EXIF: not an EXIF structure, dropped");
    } else {
        metadata->exif = exif.bytes;
        metadata->exif_size = exif.size;
    }
    const char *wrong = reader->jpeg.num_components == 4 ? "for CMYK" : NULL;
    wrong = wrong == NULL && pieces.damaged ? "its segments contradict each other" : wrong;
    if (wrong == NULL && bytes > most) {
        return fail_size(decoder, bytes, error);
    }
    wrong = wrong == NULL && pieces.count > 0 ? join(kept, &pieces) : wrong;
    if (wrong != NULL && (pieces.size > 0 || pieces.damaged)) {
        gf_add_note(decoder->note, "ICC profile: %s, dropped", wrong);
    } else if (wrong == NULL) {
        metadata->icc = kept->icc.bytes;
        metadata->icc_size = kept->icc.size;
    }
    if (kept->too_much || bytes + kept->segments.size > most) {
        gf_add_note(decoder->note, "XMP and IPTC: beyond max_metadata_bytes, %" PRIu64 ", dropped", most);
    } else {
        metadata->segments = kept->segments.bytes;
        metadata->segments_size = kept->segments.size;
    }
    return kept->no_memory
               ? gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its metadata", decoder->in->label)
               : GF_OK;
}

void gf_jpeg_forget(struct gf_jpeg_kept *kept)
{
    free(kept->exif.bytes);
    free(kept->icc.bytes);
    free(kept->segments.bytes);
}

static void write_bytes(j_compress_ptr jpeg, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        jpeg_write_m_byte(jpeg, ((const uint8_t *)bytes)[i]);
    }
}

static void write_segments(j_compress_ptr jpeg, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0, length; at < size; at += 2 + length) {
        length = size - at >= 4 ? (size_t)bytes[at + 2] << 8 | bytes[at + 3] : 0;
        if (length < 2 || length > size - at - 2 || bytes[at] != 0xff ||
            (bytes[at + 1] != JPEG_APP0 + 1 && bytes[at + 1] != JPEG_APP0 + 13)) {
            struct gf_jpeg_fence *fence = jpeg->client_data;
            fence->status = gf_fail(fence->error, GF_ERROR_ARGUMENT,
                                    "gf_metadata.segments: there is no APP1 or APP13 at byte %zu", at);
            gf_jpeg_stop(fence);
        }
        jpeg_write_marker(jpeg, bytes[at + 1], bytes + at + 4, (unsigned)length - 2);
    }
}

void gf_jpeg_write_metadata(j_compress_ptr jpeg, const gf_metadata *metadata)
{
    if (metadata->exif != NULL && metadata->exif_size > 0) {
        jpeg_write_m_header(jpeg, JPEG_APP0 + 1, (unsigned)(GF_JPEG_EXIF_HEAD + metadata->exif_size));
        write_bytes(jpeg, GF_JPEG_EXIF, GF_JPEG_EXIF_HEAD);
        write_bytes(jpeg, metadata->exif, metadata->exif_size);
    }
    write_segments(jpeg, metadata->segments, metadata->segments != NULL ? metadata->segments_size : 0);
    const size_t most = GF_JPEG_SEGMENT - GF_JPEG_ICC_HEAD;
    size_t size = metadata->icc != NULL ? metadata->icc_size : 0, count = (size + most - 1) / most;
    const uint8_t *profile = metadata->icc;
    for (size_t i = 0; i < count; i++) {
        size_t part = size - i * most < most ? size - i * most : most;
        const uint8_t place[2] = {(uint8_t)(i + 1), (uint8_t)count};
        jpeg_write_m_header(jpeg, JPEG_APP0 + 2, (unsigned)(GF_JPEG_ICC_HEAD + part));
        write_bytes(jpeg, GF_JPEG_ICC, sizeof GF_JPEG_ICC);
        write_bytes(jpeg, place, 2);
        write_bytes(jpeg, profile + i * most, part);
    }
}
