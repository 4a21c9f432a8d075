/* WebP to pictures: the file is held, and decoded at once into the picture's own memory. */
#include "io/webp/webp_private.h"

#include "base/status.h"
#include "io/segments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

struct reader {
    uint8_t *held; /* the file; NULL where it lies in memory anyway */
    uint8_t *exif; /* a copy, which may be changed */
    uint8_t *xmp;  /* as a JPEG has it */
    WebPDemuxer *demuxer;
    WebPIterator frame;
};

static gf_status damaged(const struct gf_decoder *decoder, const char *what, gf_error *error)
{
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged WebP: %s", decoder->in->label, what);
}

static gf_status take_exif(struct gf_decoder *decoder, const uint8_t *bytes, size_t size, gf_error *error)
{
    struct reader *reader = decoder->state;
    const size_t head = size >= 6 && memcmp(bytes, "Exif\0", 6) == 0 ? 6 : 0; /* as some write it */
    bytes += head;
    size -= head;
    if (size < 8 || (memcmp(bytes, "II*\0", 4) != 0 && memcmp(bytes, "MM\0*", 4) != 0)) {
        gf_add_note(decoder->note, "EXIF: not an EXIF structure, dropped");
        return GF_OK;
    }
    reader->exif = malloc(size);
    if (reader->exif == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its metadata", decoder->in->label);
    }
    memcpy(reader->exif, bytes, size);
    decoder->metadata.exif = reader->exif;
    decoder->metadata.exif_size = size;
    return GF_OK;
}

static gf_status take_xmp(struct gf_decoder *decoder, const WebPData *xmp, uint64_t room, gf_error *error)
{
    struct reader *reader = decoder->state;
    const size_t mark = sizeof GF_SEGMENT_XMP;
    if (xmp->size > GF_SEGMENT_MOST - mark || xmp->size > room) {
        gf_add_note(decoder->note, "XMP of %zu bytes, too long, dropped", xmp->size);
        return GF_OK;
    }
    reader->xmp = malloc(gf_segment_size(mark, xmp->size));
    if (reader->xmp == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for its metadata", decoder->in->label);
    }
    gf_segment_put(reader->xmp, 0xe1, GF_SEGMENT_XMP, mark, xmp->bytes, xmp->size);
    decoder->metadata.segments = reader->xmp;
    decoder->metadata.segments_size = gf_segment_size(mark, xmp->size);
    return GF_OK;
}

static gf_status take_metadata(struct gf_decoder *decoder, gf_error *error)
{
    static const char names[3][5] = {"ICCP", "EXIF", "XMP "};
    const struct reader *reader = decoder->state;
    const uint64_t most = decoder->limits->max_metadata_bytes;
    WebPData data[3] = {{NULL, 0}};
    uint64_t all = 0;
    for (int i = 0; i < 3; i++) {
        WebPChunkIterator chunk;
        if (WebPDemuxGetChunk(reader->demuxer, names[i], 1, &chunk)) {
            data[i] = chunk.chunk;
            WebPDemuxReleaseChunkIterator(&chunk); /* the bytes are the file's */
        }
        all += i < 2 ? data[i].size : 0;
    }
    if (all > most) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: claims %" PRIu64 " bytes of metadata, beyond max_metadata_bytes, %" PRIu64,
                       decoder->in->label, all, most);
    }
    if (data[0].size >= 132 && memcmp(data[0].bytes + 36, "acsp", 4) == 0) {
        decoder->metadata.icc = data[0].bytes;
        decoder->metadata.icc_size = data[0].size;
    } else if (data[0].size > 0) {
        gf_add_note(decoder->note, "ICC profile: not an ICC profile, dropped");
    }
    if (data[2].size > 0) {
        GF_TRY(take_xmp(decoder, &data[2], most - all, error));
    }
    return data[1].size > 0 ? take_exif(decoder, data[1].bytes, data[1].size, error) : GF_OK;
}

static gf_status take_shape(struct gf_decoder *decoder, gf_error *error)
{
    struct reader *reader = decoder->state;
    gf_file_info *info = &decoder->info;
    WebPBitstreamFeatures features;
    const int frames = (int)WebPDemuxGetI(reader->demuxer, WEBP_FF_FRAME_COUNT);
    const WebPData *data = &reader->frame.fragment;
    if (!WebPDemuxGetFrame(reader->demuxer, 1, &reader->frame) || !reader->frame.complete ||
        WebPGetFeatures(data->bytes, data->size, &features) != VP8_STATUS_OK ||
        features.width != reader->frame.width || features.height != reader->frame.height) {
        return damaged(decoder, "it has no whole picture", error);
    }
    if (frames > 1) {
        gf_add_note(decoder->note, "animated: the first of %d frames", frames);
    }
    info->shape = (gf_shape){.width = features.width,
                             .height = features.height,
                             .channels = features.has_alpha ? 4 : 3,
                             .depth = GF_U8};
    info->stored_bits = 8;
    info->whole = decoder->expands = 1;
    info->compression = features.format == 2 ? "lossless" : "lossy";
    /* What is decoded without loss is held as pixels of four bytes, alpha of the others as one and, where
     * that is without loss, as such pixels, too. */
    decoder->held = (uint64_t)features.width * (uint64_t)features.height *
                    (features.format == 2 ? 4
                     : features.has_alpha ? 5
                                          : 0);
    GF_TRY(gf_check_limits(decoder->limits, decoder->in->label, features.width, features.height, 0, error));
    if (decoder->held > decoder->limits->max_memory) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the picture, beyond max_memory, %" PRIu64,
                       decoder->in->label, decoder->held, decoder->limits->max_memory);
    }
    return GF_OK;
}

gf_status gf_webp_open(struct gf_decoder *decoder, gf_error *error)
{
    struct reader *reader = calloc(1, sizeof *reader);
    const uint8_t *bytes;
    uint64_t size;
    if (reader == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for WebP", decoder->in->label);
    }
    decoder->state = reader;
    GF_TRY(gf_bytes_in_hold(decoder->in, decoder->limits->max_memory, &reader->held, &bytes, &size, error));
    const WebPData data = {bytes, (size_t)size};
    reader->demuxer = WebPDemux(&data);
    if (reader->demuxer == NULL) {
        return damaged(decoder, "its chunks contradict each other, or it ends early", error);
    }
    GF_TRY(take_shape(decoder, error));
    return take_metadata(decoder, error);
}

gf_status gf_webp_rows(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    const struct reader *reader = decoder->state;
    const gf_shape *shape = &decoder->info.shape;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config) || pitch > INT32_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: libwebp takes no rows that far apart",
                       decoder->in->label);
    }
    config.output.colorspace = shape->channels == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA =
        (WebPRGBABuffer){.rgba = data,
                         .stride = (int)pitch,
                         .size = (size_t)(pitch * (count - 1) + shape->width * shape->channels)};
    const VP8StatusCode code = WebPDecode(reader->frame.fragment.bytes, reader->frame.fragment.size, &config);
    if (code == VP8_STATUS_OUT_OF_MEMORY) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for WebP", decoder->in->label);
    }
    return code == VP8_STATUS_OK ? GF_OK : damaged(decoder, "its samples are wrong, or end early", error);
}

void gf_webp_close(struct gf_decoder *decoder)
{
    struct reader *reader = decoder->state;
    if (reader != NULL) {
        WebPDemuxReleaseIterator(&reader->frame);
        WebPDemuxDelete(reader->demuxer);
        free(reader->held);
        free(reader->exif);
        free(reader->xmp);
        free(reader);
        decoder->state = NULL;
    }
}
