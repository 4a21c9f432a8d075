/* The chunks kept as metadata: from raw bytes to gf_metadata, and an iCCP back. */
#include "io/png/png_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ICC_HEADER 128 /* bytes; then a count of tags */

const png_byte gf_png_kept_names[GF_PNG_KEPT][5] = {
    [GF_PNG_ICCP] = "iCCP", [GF_PNG_EXIF] = "eXIf", [GF_PNG_GAMA] = "gAMA", [GF_PNG_SRGB] = "sRGB",
    [GF_PNG_CHRM] = "cHRM", [GF_PNG_PHYS] = "pHYs", [GF_PNG_CICP] = "cICP",
};

int gf_png_kept(const void *name)
{
    for (int i = 0; i < GF_PNG_KEPT; i++) {
        if (memcmp(gf_png_kept_names[i], name, 4) == 0) {
            return i;
        }
    }
    return -1;
}

/* Inflates the rest of a profile whose first ICC_HEADER bytes are in `head`. NULL: fine. */
static const char *inflate_rest(z_stream *stream, const uint8_t *head, uint8_t *profile, size_t size)
{
    memcpy(profile, head, ICC_HEADER);
    stream->next_out = profile + ICC_HEADER;
    stream->avail_out = (uInt)(size - ICC_HEADER);
    int result = inflate(stream, Z_FINISH);
    return result == Z_STREAM_END && stream->avail_out == 0 ? NULL : "its deflate stream is damaged";
}

/* The profile in `stream`; its own header tells its size before memory is taken for it.
 * *wrong is set, and GF_OK returned, where the chunk is to be dropped. */
static gf_status inflate_profile(struct gf_png_reader *reader, z_stream *stream, const char **wrong,
                                 gf_error *error)
{
    struct gf_decoder *decoder = reader->decoder;
    uint8_t head[ICC_HEADER];
    stream->next_out = head;
    stream->avail_out = sizeof head;
    int result = inflate(stream, Z_SYNC_FLUSH);
    if ((result != Z_OK && result != Z_STREAM_END) || stream->avail_out != 0) {
        *wrong = "its deflate stream is damaged or short";
        return GF_OK;
    }
    size_t size = gf_png_uint(head);
    if (size < ICC_HEADER + 4 || memcmp(head + 36, "acsp", 4) != 0) {
        *wrong = "not an ICC profile";
        return GF_OK;
    }
    if (size > decoder->limits->max_metadata_bytes) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: claims an ICC profile of %zu bytes, beyond max_metadata_bytes, %" PRIu64,
                       decoder->in->label, size, decoder->limits->max_metadata_bytes);
    }
    uint8_t *profile = malloc(size);
    if (profile == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its ICC profile", decoder->in->label);
    }
    *wrong = inflate_rest(stream, head, profile, size);
    if (*wrong != NULL) {
        free(profile);
        return GF_OK;
    }
    reader->icc = profile;
    decoder->metadata.icc = profile;
    decoder->metadata.icc_size = size;
    return GF_OK;
}

/* iCCP: name, 0, method 0, deflate. */
static gf_status take_icc(struct gf_png_reader *reader, const uint8_t *data, size_t size, const char **wrong,
                          gf_error *error)
{
    const uint8_t *end = size > 0 ? memchr(data, 0, size < 80 ? size : 80) : NULL;
    if (end == NULL || end == data || size - (size_t)(end - data) < 2 || end[1] != 0) {
        *wrong = "malformed";
        return GF_OK;
    }
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    stream.zalloc = gf_budget_zalloc;
    stream.zfree = gf_budget_zfree;
    stream.opaque = &reader->core.budget;
    stream.next_in = (z_const Bytef *)(end + 2);
    stream.avail_in = (uInt)(size - (size_t)(end + 2 - data));
    gf_status status = GF_OK;
    if (inflateInit(&stream) == Z_OK) {
        status = inflate_profile(reader, &stream, wrong, error);
        inflateEnd(&stream);
    } else {
        *wrong = "cannot be inflated";
    }
    if (status == GF_OK) {
        status = gf_png_memory(&reader->core, reader->decoder->in->label, error);
    }
    if (status == GF_OK && *wrong == NULL) {
        memcpy(reader->decoder->metadata.icc_name, data, (size_t)(end - data) + 1);
    }
    return status;
}

static gf_status take_exif(struct gf_png_reader *reader, const uint8_t *data, size_t size, const char **wrong,
                           gf_error *error)
{
    if (size < 8 || (memcmp(data, "II*\0", 4) != 0 && memcmp(data, "MM\0*", 4) != 0)) {
        *wrong = "not an EXIF structure";
        return GF_OK;
    }
    reader->exif = malloc(size);
    if (reader->exif == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its EXIF", reader->decoder->in->label);
    }
    reader->decoder->metadata.exif = memcpy(reader->exif, data, size);
    reader->decoder->metadata.exif_size = size;
    return GF_OK;
}

/* The small ones: fixed size, fixed place. Returns what is wrong, or NULL. */
static const char *take_fixed(gf_metadata *metadata, int kind, const uint8_t *data, size_t size)
{
    static const struct {
        size_t size;
        uint32_t field;
    } shapes[GF_PNG_KEPT] = {[GF_PNG_GAMA] = {4, GF_META_GAMMA},
                             [GF_PNG_SRGB] = {1, GF_META_SRGB},
                             [GF_PNG_CHRM] = {32, GF_META_CHROMATICITIES},
                             [GF_PNG_PHYS] = {9, GF_META_DENSITY},
                             [GF_PNG_CICP] = {4, GF_META_CICP}};
    if (size != shapes[kind].size) {
        return "wrong size";
    }
    if (kind == GF_PNG_GAMA) {
        metadata->gamma = gf_png_uint(data);
    } else if (kind == GF_PNG_SRGB) {
        metadata->srgb_intent = data[0];
    } else if (kind == GF_PNG_CHRM) {
        for (int i = 0; i < 8; i++) {
            metadata->chromaticities[i] = gf_png_uint(data + 4 * i);
        }
    } else if (kind == GF_PNG_PHYS) {
        metadata->density[0] = gf_png_uint(data);
        metadata->density[1] = gf_png_uint(data + 4);
        metadata->density_unit = data[8];
    } else {
        memcpy(metadata->cicp, data, 4);
    }
    metadata->fields |= shapes[kind].field;
    return NULL;
}

gf_status gf_png_collect(struct gf_png_reader *reader, gf_error *error)
{
    png_unknown_chunkp chunks = NULL;
    int count = png_get_unknown_chunks(reader->core.png, reader->core.info, &chunks);
    struct gf_decoder *decoder = reader->decoder;
    unsigned seen = 0;
    for (int i = 0; i < count; i++) {
        int kind = gf_png_kept(chunks[i].name);
        int again = kind < 0 || (seen >> kind & 1u);
        seen |= kind < 0 ? 0u : 1u << kind;
        if (i < reader->collected || kind < 0) {
            continue;
        }
        const char *wrong = NULL;
        if (again) {
            wrong = "a second one";
        } else if (reader->damaged >> kind & 1u) {
            wrong = "CRC error";
        } else if (kind != GF_PNG_EXIF && (chunks[i].location & PNG_AFTER_IDAT)) {
            wrong = "behind the samples"; /* where a reader of rows no longer has use for it */
        } else if (kind == GF_PNG_ICCP) {
            GF_TRY(take_icc(reader, chunks[i].data, chunks[i].size, &wrong, error));
        } else if (kind == GF_PNG_EXIF) {
            GF_TRY(take_exif(reader, chunks[i].data, chunks[i].size, &wrong, error));
        } else {
            wrong = take_fixed(&decoder->metadata, kind, chunks[i].data, chunks[i].size);
        }
        if (wrong != NULL) {
            gf_add_note(decoder->note, "%s: %s, dropped", (const char *)gf_png_kept_names[kind], wrong);
        }
    }
    reader->collected = count;
    return GF_OK;
}

gf_status gf_png_pack_icc(const gf_metadata *metadata, const char *label, uint8_t **chunk, size_t *size,
                          gf_error *error)
{
    const char *name = metadata->icc_name[0] != '\0' ? metadata->icc_name : "icc";
    const char *stop = memchr(name, 0, 79);
    size_t length = stop != NULL ? (size_t)(stop - name) : 79;
    uLong bound = metadata->icc_size < PNG_UINT_31_MAX / 2 ? compressBound((uLong)metadata->icc_size) : 0;
    *chunk = bound != 0 ? malloc(length + 2 + bound) : NULL;
    if (*chunk == NULL) {
        return gf_fail(error, bound != 0 ? GF_ERROR_MEMORY : GF_ERROR_UNSUPPORTED,
                       "%s: %s an ICC profile of %zu bytes", label,
                       bound != 0 ? "no memory for" : "cannot write", metadata->icc_size);
    }
    memcpy(*chunk, name, length);
    (*chunk)[length] = 0;
    (*chunk)[length + 1] = 0;
    if (compress2(*chunk + length + 2, &bound, metadata->icc, (uLong)metadata->icc_size,
                  Z_BEST_COMPRESSION) != Z_OK) {
        free(*chunk);
        *chunk = NULL;
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory to compress the ICC profile", label);
    }
    *size = length + 2 + bound;
    return GF_OK;
}
