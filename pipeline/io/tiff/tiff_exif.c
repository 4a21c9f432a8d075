/* EXIF of a TIFF, whose directories are the file's own. */
#include "io/exif_copy.h"
#include "io/tiff/tiff_private.h"

#include <stdlib.h>
#include <string.h>

static int read_file(void *user, uint64_t at, void *to, size_t size)
{
    struct gf_tiff_bytes *bytes = user;
    if (bytes->held == NULL) {
        return gf_bytes_in_at(bytes->in, at, to, size) == size;
    }
    if (at > bytes->size || size > bytes->size - at) {
        return 0;
    }
    memcpy(to, bytes->held + at, size);
    return 1;
}

void gf_tiff_take_exif(struct gf_tiff_reader *reader, uint64_t room)
{
    uint8_t head[4] = {0};
    struct gf_exif_source source = {.read = read_file, .user = &reader->bytes};
    struct gf_exif_bytes made = {.most = room};
    read_file(&reader->bytes, 0, head, sizeof head);
    source.little = head[0] == 'I';
    source.big = head[2] == '+' || head[3] == '+';
    source.root = TIFFCurrentDirOffset(reader->tiff);
    if (!gf_exif_extract(&source, &made)) {
        if (!made.no_memory) {
            gf_add_note(reader->decoder->note, "EXIF: %s, dropped",
                        made.too_many ? "beyond max_metadata_bytes" : "damaged");
        }
        reader->bytes.no_memory |= made.no_memory;
        free(made.bytes);
        return;
    }
    reader->exif = made.bytes;
    reader->decoder->metadata.exif = made.bytes;
    reader->decoder->metadata.exif_size = made.size;
}

void gf_tiff_put_exif_texts(TIFF *tiff, const void *exif, size_t size)
{
    struct gf_exif_source source;
    char text[1024];
    uint16_t tag = 0;
    if (!gf_exif_source_of(exif, size, &source)) {
        return;
    }
    for (int i = 0; (tag = gf_exif_text(&source, i, text, sizeof text)) != 0; i++) {
        if (*text != '\0') {
            TIFFSetField(tiff, tag, text);
        }
    }
}

bool gf_tiff_put_exif(TIFF *tiff, struct gf_tiff_bytes *bytes, const void *exif, size_t size)
{
    static const uint8_t zero = 0;
    struct gf_exif_source source;
    uint64_t place[2];
    if (!gf_exif_source_of(exif, size, &source)) {
        return true;
    }
    bool done = bytes->size % 2 == 0 || gf_tiff_append(bytes, &zero, 1);
    struct gf_exif_bytes made = {.base = bytes->size,
                                 .little = gf_host_is_little(),
                                 .big = bytes->head_size == 16,
                                 .most = UINT32_MAX};
    if (!gf_exif_copy(&source, &made, &place[0], &place[1]) && made.no_memory) {
        bytes->no_memory = 1;
        done = false;
    }
    done = done && (made.size == 0 || gf_tiff_append(bytes, made.bytes, made.size));
    for (int i = 0; i < 2 && done; i++) {
        done = place[i] == 0 || TIFFSetField(tiff, i == 0 ? TIFFTAG_EXIFIFD : TIFFTAG_GPSIFD, place[i]);
    }
    free(made.bytes);
    return done;
}
