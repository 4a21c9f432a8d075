/* EXIF and XMP in APP1, ICC profiles in APP2 and IPTC in APP13 segments, read and written. */
#include "jpeg_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int next_byte(j_decompress_ptr jpeg)
{
    if (jpeg->src->bytes_in_buffer == 0) {
        jpeg->src->fill_input_buffer(jpeg);
    }
    jpeg->src->bytes_in_buffer--;
    return *jpeg->src->next_input_byte++;
}

static void fail(struct gf_jpeg_reader *reader, gf_status status)
{
    reader->fence.status = status;
    gf_jpeg_stop(&reader->fence);
}

static gf_status fail_size(const struct gf_decoder *decoder, uint64_t size, gf_error *error)
{
    return gf_fail(error, GF_ERROR_LIMIT,
                   "%s: claims %" PRIu64 " bytes of metadata, beyond max_metadata_bytes, %" PRIu64,
                   decoder->in->label, size, decoder->limits->max_metadata_bytes);
}

/* `block` with room for `size` bytes. The caller keeps it where gf_jpeg_forget finds it at once, since
 * reading may end by longjmp. */
static uint8_t *room(struct gf_jpeg_reader *reader, uint8_t *block, size_t size)
{
    uint8_t *place = realloc(block, size + 1);
    if (place == NULL) {
        fail(reader, gf_fail(reader->fence.error, GF_ERROR_MEMORY, "%s: no memory for its metadata",
                             reader->decoder->in->label));
    }
    return place;
}

/* Of a segment `known` bytes are in `head` and `size` in the stream. */
static void take(struct gf_jpeg_reader *reader, uint8_t *place, const uint8_t *head, size_t known,
                 size_t size)
{
    memcpy(place, head, known);
    for (size_t i = 0; i < size; i++) {
        place[known + i] = (uint8_t)next_byte(&reader->jpeg);
    }
}

static void take_exif(struct gf_jpeg_reader *reader, const uint8_t *head, size_t known, size_t size)
{
    struct gf_jpeg_kept *kept = &reader->kept;
    kept->exif_bytes = kept->exif_size = known + size;
    if (known + size > reader->decoder->limits->max_metadata_bytes) {
        fail(reader, fail_size(reader->decoder, known + size, reader->fence.error));
    }
    kept->exif = room(reader, NULL, known + size);
    take(reader, kept->exif, head, known, size);
}

/* Whether a profile is of any use is known only behind its segments, so one that is too long is no error yet.
 */
static void take_piece(struct gf_jpeg_reader *reader, const uint8_t *head, size_t known, size_t size)
{
    struct gf_jpeg_kept *kept = &reader->kept;
    int number = head[12], count = head[13];
    const size_t bytes = known - GF_JPEG_ICC_HEAD + size;
    kept->icc_bytes += bytes;
    int is_wrong = number == 0 || number > count || (kept->count != 0 && kept->count != count) ||
                   kept->pieces[number].bytes != NULL;
    kept->damaged |= is_wrong;
    if (is_wrong || kept->icc_bytes > reader->decoder->limits->max_metadata_bytes) {
        reader->jpeg.src->skip_input_data(&reader->jpeg, (long)size);
        return;
    }
    kept->count = count;
    kept->pieces[number].size = bytes;
    kept->pieces[number].bytes = room(reader, NULL, bytes);
    take(reader, kept->pieces[number].bytes, head + GF_JPEG_ICC_HEAD, known - GF_JPEG_ICC_HEAD, size);
}

/* XMP and IPTC, marker and length with them, behind what came before. */
static void take_whole(struct gf_jpeg_reader *reader, const uint8_t *head, size_t known, size_t size)
{
    struct gf_jpeg_kept *kept = &reader->kept;
    const size_t length = 2 + known + size, before = kept->segments_size;
    const uint8_t marker[4] = {0xff, (uint8_t)reader->jpeg.unread_marker, (uint8_t)(length >> 8),
                               (uint8_t)length};
    kept->too_much |= before + 2 + length > reader->decoder->limits->max_metadata_bytes;
    if (kept->too_much) {
        reader->jpeg.src->skip_input_data(&reader->jpeg, (long)size);
        return;
    }
    kept->segments = room(reader, kept->segments, before + 2 + length);
    kept->segments_size = before + 2 + length;
    memcpy(kept->segments + before, marker, sizeof marker);
    take(reader, kept->segments + before + sizeof marker, head, known, size);
}

static int begins(const uint8_t *head, size_t known, const char *mark, size_t size)
{
    return known >= size && memcmp(head, mark, size) == 0;
}

/* libjpeg calls this at the length of an APP1, APP2 or APP13. */
static boolean take_segment(j_decompress_ptr jpeg)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    const int number = jpeg->unread_marker - JPEG_APP0;
    uint8_t head[GF_JPEG_HEAD];
    size_t size = (size_t)next_byte(jpeg) << 8, known = 0;
    size |= (size_t)next_byte(jpeg);
    if (size < 2) {
        ERREXIT(jpeg, JERR_BAD_LENGTH);
    }
    size -= 2;
    while (known < sizeof head && known < size && !reader->opened) {
        head[known++] = (uint8_t)next_byte(jpeg);
    }
    size -= known;
    if (number == 1 && begins(head, known, GF_JPEG_EXIF, GF_JPEG_EXIF_HEAD)) {
        if (reader->kept.exif == NULL) {
            take_exif(reader, head + GF_JPEG_EXIF_HEAD, known - GF_JPEG_EXIF_HEAD, size);
            return TRUE;
        }
        gf_add_note(reader->decoder->note, "EXIF: a second one, dropped");
    } else if (number == 2 && known >= GF_JPEG_ICC_HEAD &&
               begins(head, known, GF_JPEG_ICC, sizeof GF_JPEG_ICC)) {
        take_piece(reader, head, known, size);
        return TRUE;
    } else if ((number == 1 && begins(head, known, GF_JPEG_XMP, sizeof GF_JPEG_XMP - 1)) ||
               (number == 13 && begins(head, known, GF_JPEG_IPTC, sizeof GF_JPEG_IPTC))) {
        take_whole(reader, head, known, size);
        return TRUE;
    }
    jpeg->src->skip_input_data(jpeg, (long)size);
    return TRUE;
}

void gf_jpeg_watch(struct gf_jpeg_reader *reader)
{
    reader->jpeg.client_data = reader;
    jpeg_set_marker_processor(&reader->jpeg, JPEG_APP0 + 1, take_segment);
    jpeg_set_marker_processor(&reader->jpeg, JPEG_APP0 + 2, take_segment);
    jpeg_set_marker_processor(&reader->jpeg, JPEG_APP0 + 13, take_segment);
}

/* The profile whole, or NULL and in *wrong why not; *wrong NULL: no memory. */
static uint8_t *join(struct gf_jpeg_kept *kept, const char **wrong)
{
    size_t size = 0;
    *wrong = kept->damaged ? "its segments contradict each other" : NULL;
    for (int i = 1; i <= kept->count && *wrong == NULL; i++) {
        size += kept->pieces[i].size;
        *wrong = kept->pieces[i].bytes == NULL ? "a segment is missing" : NULL;
    }
    uint8_t *profile = *wrong == NULL ? malloc(size + 1) : NULL;
    if (profile == NULL) {
        return NULL;
    }
    uint8_t *at = profile;
    for (int i = 1; i <= kept->count; i++) {
        memcpy(at, kept->pieces[i].bytes, kept->pieces[i].size);
        at += kept->pieces[i].size;
    }
    if (size < 132 || memcmp(profile + 36, "acsp", 4) != 0) {
        *wrong = "not an ICC profile";
        free(profile);
        return NULL;
    }
    kept->icc_size = size;
    return profile;
}

gf_status gf_jpeg_collect(struct gf_jpeg_reader *reader, gf_error *error)
{
    struct gf_jpeg_kept *kept = &reader->kept;
    struct gf_decoder *decoder = reader->decoder;
    const uint8_t *exif = kept->exif;
    if (kept->too_much ||
        kept->exif_bytes + kept->icc_bytes + kept->segments_size > decoder->limits->max_metadata_bytes) {
        gf_add_note(decoder->note, "XMP and IPTC: beyond max_metadata_bytes, %" PRIu64 ", dropped",
                    decoder->limits->max_metadata_bytes);
    } else {
        decoder->metadata.segments = kept->segments;
        decoder->metadata.segments_size = kept->segments_size;
    }
    if (exif != NULL &&
        (kept->exif_size < 8 || (memcmp(exif, "II*\0", 4) != 0 && memcmp(exif, "MM\0*", 4) != 0))) {
        gf_add_note(decoder->note, "EXIF: not an EXIF structure, dropped");
    } else if (exif != NULL) {
        decoder->metadata.exif = exif;
        decoder->metadata.exif_size = kept->exif_size;
    }
    if (kept->icc_bytes == 0 && !kept->damaged) {
        return GF_OK;
    }
    const char *wrong = NULL;
    uint64_t bytes = kept->exif_bytes + kept->icc_bytes;
    if (reader->jpeg.num_components == 4) {
        wrong = "for CMYK";
    } else if (!kept->damaged && bytes > decoder->limits->max_metadata_bytes) {
        return fail_size(decoder, bytes, error);
    } else {
        kept->icc = join(kept, &wrong);
    }
    if (wrong != NULL) {
        gf_add_note(decoder->note, "ICC profile: %s, dropped", wrong);
    } else if (kept->icc == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its ICC profile", decoder->in->label);
    }
    decoder->metadata.icc = kept->icc;
    decoder->metadata.icc_size = kept->icc != NULL ? kept->icc_size : 0;
    return GF_OK;
}

void gf_jpeg_forget(struct gf_jpeg_kept *kept)
{
    free(kept->exif);
    free(kept->icc);
    free(kept->segments);
    for (int i = 0; i < 256; i++) {
        free(kept->pieces[i].bytes);
    }
}

static void write_bytes(j_compress_ptr jpeg, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        jpeg_write_m_byte(jpeg, ((const uint8_t *)bytes)[i]);
    }
}

gf_status gf_jpeg_check_segments(const gf_metadata *metadata, const char *label, gf_error *error)
{
    const uint8_t *bytes = metadata->segments;
    const size_t size = bytes != NULL ? metadata->segments_size : 0;
    for (size_t at = 0, length; at < size; at += 2 + length) {
        length = size - at >= 4 ? (size_t)bytes[at + 2] << 8 | bytes[at + 3] : 0;
        if (length < 2 || length > size - at - 2 || bytes[at] != 0xff ||
            (bytes[at + 1] != JPEG_APP0 + 1 && bytes[at + 1] != JPEG_APP0 + 13)) {
            return gf_fail(error, GF_ERROR_ARGUMENT,
                           "%s: gf_metadata.segments: there is no APP1 or APP13 at byte %zu", label, at);
        }
    }
    return GF_OK;
}

void gf_jpeg_write_metadata(j_compress_ptr jpeg, const gf_metadata *metadata)
{
    if (metadata->exif != NULL && metadata->exif_size > 0) {
        jpeg_write_m_header(jpeg, JPEG_APP0 + 1, (unsigned)(GF_JPEG_EXIF_HEAD + metadata->exif_size));
        write_bytes(jpeg, GF_JPEG_EXIF, GF_JPEG_EXIF_HEAD);
        write_bytes(jpeg, metadata->exif, metadata->exif_size);
    }
    const uint8_t *segment = metadata->segments;
    for (size_t left = segment != NULL ? metadata->segments_size : 0, length; left > 0; left -= 2 + length) {
        length = (size_t)segment[2] << 8 | segment[3];
        jpeg_write_m_header(jpeg, segment[1], (unsigned)(length - 2));
        write_bytes(jpeg, segment + 4, length - 2);
        segment += 2 + length;
    }
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
