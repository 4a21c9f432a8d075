/* ICC profile, density, XMP and Photoshop's resources in the tags of a TIFF, read and written. */
#include "io/tiff/tiff_private.h"

#include "base/status.h"
#include "io/segments.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In front of what a JPEG has in its segments and a TIFF in tags; "Exif" is none of them. */
static const struct {
    uint32_t tag;
    uint8_t marker;
    const char *mark;
    size_t size; /* of the mark, with its terminator */
} kept[] = {
    {TIFFTAG_XMLPACKET, 0xe1, GF_SEGMENT_XMP, sizeof GF_SEGMENT_XMP},
    {TIFFTAG_PHOTOSHOP, 0xed, "Photoshop 3.0", 14},
};
/* Above this many pixels a metre floats of a centimetre are no whole numbers any more. */
#define MOST_DENSITY 4000000

enum { KEPT = sizeof kept / sizeof kept[0] };

static void take_density(struct gf_tiff_reader *reader)
{
    gf_metadata *metadata = &reader->decoder->metadata;
    uint16_t unit = RESUNIT_INCH;
    float stored[2] = {0, 0};
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    if (!TIFFGetField(reader->tiff, TIFFTAG_XRESOLUTION, &stored[0]) ||
        !TIFFGetField(reader->tiff, TIFFTAG_YRESOLUTION, &stored[1])) {
        return;
    }
    const double scale = unit == RESUNIT_INCH ? 10000.0 / 254 : unit == RESUNIT_CENTIMETER ? 100 : 1;
    const double x = floor((double)stored[0] * scale + 0.5), y = floor((double)stored[1] * scale + 0.5);
    if (x >= 1 && x < MOST_DENSITY && y >= 1 && y < MOST_DENSITY && (scale > 1 || x != y)) {
        metadata->density[0] = (uint32_t)x;
        metadata->density[1] = (uint32_t)y;
        metadata->density_unit = scale > 1;
        metadata->fields |= GF_META_DENSITY;
    }
}

static void take_segments(struct gf_tiff_reader *reader, uint64_t room)
{
    gf_metadata *metadata = &reader->decoder->metadata;
    const void *data[KEPT] = {NULL};
    uint32_t size[KEPT] = {0};
    size_t all = 0;
    for (int i = 0; i < KEPT; i++) {
        if (TIFFGetField(reader->tiff, kept[i].tag, &size[i], &data[i]) && size[i] > 0) {
            if (size[i] > GF_SEGMENT_MOST - kept[i].size || all + size[i] > room) {
                gf_add_note(reader->decoder->note, "%s of %" PRIu32 " bytes, too long, dropped",
                            i == 0 ? "XMP" : "Photoshop's resources", size[i]);
                size[i] = 0;
            }
            all += size[i] > 0 ? gf_segment_size(kept[i].size, size[i]) : 0;
        }
    }
    reader->segments = all > 0 ? malloc(all) : NULL;
    reader->bytes.no_memory |= all > 0 && reader->segments == NULL;
    uint8_t *to = reader->segments;
    for (int i = 0; i < KEPT && to != NULL; i++) {
        if (size[i] > 0) {
            to = gf_segment_put(to, kept[i].marker, kept[i].mark, kept[i].size, data[i], size[i]);
        }
    }
    metadata->segments = reader->segments;
    metadata->segments_size = reader->segments != NULL ? all : 0;
}

gf_status gf_tiff_collect(struct gf_tiff_reader *reader, gf_error *error)
{
    struct gf_decoder *decoder = reader->decoder;
    const uint64_t most = decoder->limits->max_metadata_bytes;
    uint32_t size = 0;
    const void *icc = NULL;
    take_density(reader);
    if (TIFFGetField(reader->tiff, TIFFTAG_ICCPROFILE, &size, &icc) && size > 0) {
        if (size > most) {
            return gf_fail(error, GF_ERROR_LIMIT,
                           "%s: claims %" PRIu32 " bytes of metadata, beyond max_metadata_bytes, %" PRIu64,
                           decoder->in->label, size, most);
        }
        if (size < 132 || memcmp((const char *)icc + 36, "acsp", 4) != 0) {
            gf_add_note(decoder->note, "ICC profile: not an ICC profile, dropped");
        } else {
            decoder->metadata.icc = icc;
            decoder->metadata.icc_size = size;
        }
    }
    gf_tiff_take_exif(reader, most - decoder->metadata.icc_size);
    take_segments(reader, most - decoder->metadata.icc_size - decoder->metadata.exif_size);
    return reader->bytes.no_memory || decoder->in->errno_seen != 0 ? gf_tiff_explain(reader, error) : GF_OK;
}

bool gf_tiff_put_metadata(TIFF *tiff, const gf_metadata *metadata)
{
    if (metadata->icc != NULL && metadata->icc_size > 0) {
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)metadata->icc_size, metadata->icc);
    }
    if ((metadata->fields & GF_META_DENSITY) != 0 && metadata->density[0] < MOST_DENSITY &&
        metadata->density[1] < MOST_DENSITY) {
        const double unit = metadata->density_unit == 1 ? 100 : 1;
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit > 1 ? RESUNIT_CENTIMETER : RESUNIT_NONE);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, metadata->density[0] / unit);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, metadata->density[1] / unit);
    }
    uint8_t *joined = metadata->segments_size > 0 ? malloc(metadata->segments_size) : NULL;
    for (int i = 0; i < KEPT && joined != NULL; i++) {
        const size_t size = gf_segments_join(metadata, kept[i].marker, kept[i].mark, kept[i].size, joined);
        if (size > 0) {
            TIFFSetField(tiff, kept[i].tag, (uint32_t)size, joined);
        }
    }
    free(joined);
    return joined != NULL || metadata->segments_size == 0;
}
