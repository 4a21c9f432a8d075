/* gf_io_probe and gf_io_read: open, know the format, decode into a picture. */
#include "codec.h"
#include "exif.h"
#include "orient.h"

#include "base/status.h"

#include <string.h>

/* A reading in progress. */
struct reading {
    struct gf_bytes_in in;
    gf_io_limits limits;
    struct gf_decoder decoder;
    const struct gf_codec *codec;
    int orientation; /* of the EXIF that came before the samples; 1: upright, or not told */
    size_t orientation_at;
};

static gf_status take_limits(const gf_io_limits *given, gf_io_limits *limits, gf_error *error)
{
    *limits = (gf_io_limits)GF_IO_LIMITS_INIT;
    if (given == NULL) {
        return GF_OK;
    }
    if (given->struct_size != sizeof *given) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_limits.struct_size is not set");
    }
    if (given->max_width < 1 || given->max_height < 1 || given->max_pixels < 1 ||
        given->max_input_bytes < 1 || given->max_metadata_bytes < 1 || given->max_memory < 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_limits: every limit must be at least 1");
    }
    *limits = *given;
    return GF_OK;
}

static void end_reading(struct reading *reading)
{
    if (reading->codec != NULL) {
        reading->codec->close(&reading->decoder);
    }
    gf_bytes_in_close(&reading->in);
}

/* After open: which way up it is. The limits hold for the upright picture, too. */
static gf_status take_orientation(struct reading *reading, gf_error *error)
{
    const gf_metadata *metadata = &reading->decoder.metadata;
    int orientation = gf_exif_orientation(metadata->exif, metadata->exif_size, &reading->orientation_at);
    reading->orientation = orientation != 0 ? orientation : 1;
    gf_shape upright = gf_oriented(&reading->decoder.info.shape, reading->orientation);
    return reading->orientation == 1 ? GF_OK
                                     : gf_check_limits(&reading->limits, reading->in.label, upright.width,
                                                       upright.height, 0, error);
}

static gf_status begin_reading(struct reading *reading, const char *path, const gf_io_limits *limits,
                               gf_error *error)
{
    memset(reading, 0, sizeof *reading);
    if (path == NULL || path[0] == '\0') {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the input's path is %s", path == NULL ? "NULL" : "empty");
    }
    GF_TRY(take_limits(limits, &reading->limits, error));
    GF_TRY(gf_bytes_in_open(&reading->in, path, reading->limits.max_input_bytes, error));
    const uint8_t *head;
    size_t size = gf_bytes_in_peek(&reading->in, &head, GF_SNIFF_SIZE);
    const struct gf_codec *codec = gf_codec_sniff(head, size);
    gf_status status;
    if (codec != NULL && codec->absent != NULL) {
        status = gf_fail(error, GF_ERROR_INPUT, "%s: is %s, and this build has no %s: rebuild with %s",
                         reading->in.label, codec->format.name, codec->format.name, codec->absent);
    } else if (codec != NULL) {
        reading->codec = codec;
        reading->decoder = (struct gf_decoder){.in = &reading->in,
                                               .limits = &reading->limits,
                                               .info = GF_FILE_INFO_INIT,
                                               .metadata = GF_METADATA_INIT};
        reading->decoder.info.format = &codec->format;
        reading->decoder.info.file_bytes = reading->in.size == GF_SIZE_UNKNOWN ? 0 : reading->in.size;
        status = codec->open(&reading->decoder, error);
        status = status == GF_OK ? take_orientation(reading, error) : status;
    } else if (size == 0 || reading->in.errno_seen != 0 || reading->in.over_limit) {
        status = gf_bytes_in_fail(&reading->in, "the first byte", error);
    } else {
        char names[128];
        gf_codec_names(0, names, sizeof names);
        status = gf_fail(error, GF_ERROR_INPUT, "%s: not a format that this build reads (%s)",
                         reading->in.label, names);
    }
    if (status != GF_OK) {
        end_reading(reading);
    }
    return status;
}

gf_status gf_io_probe(const char *path, const gf_io_limits *limits, gf_file_info *out, gf_error *error)
{
    if (out == NULL || out->struct_size != sizeof *out) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_probe: out is NULL or its struct_size is not set");
    }
    struct reading reading;
    GF_TRY(begin_reading(&reading, path, limits, error));
    *out = reading.decoder.info;
    out->shape = gf_oriented(&out->shape, reading.orientation);
    out->whole |= reading.orientation != 1;
    out->icc_size = reading.decoder.metadata.icc_size;
    out->exif_size = reading.decoder.metadata.exif_size;
    end_reading(&reading);
    return GF_OK;
}

/* The picture is upright now, so its own copy of the EXIF says so. */
static gf_status keep_metadata(struct reading *reading, gf_picture *picture, gf_error *error)
{
    const gf_metadata *metadata = &reading->decoder.metadata;
    size_t at;
    int late = gf_exif_orientation(metadata->exif, metadata->exif_size, &at);
    if (late > 1 && reading->orientation == 1) {
        gf_add_note(reading->decoder.note, "EXIF behind the samples: its orientation, %d, is not applied",
                    late);
    }
    memcpy(picture->note, reading->decoder.note, sizeof picture->note);
    GF_TRY(gf_picture_set_metadata(picture, metadata, error));
    if (reading->orientation != 1) {
        gf_exif_reset((void *)(uintptr_t)picture->metadata.exif, reading->orientation_at);
    }
    return GF_OK;
}

static gf_status decode(struct reading *reading, gf_picture **out, gf_error *error)
{
    struct gf_decoder *decoder = &reading->decoder;
    const struct gf_codec *codec = reading->codec;
    gf_shape upright = gf_oriented(&decoder->info.shape, reading->orientation);
    GF_TRY(gf_picture_create(&upright, out, error));
    gf_image *image = &(*out)->image;
    if (reading->orientation == 1) {
        GF_TRY(codec->rows(decoder, image->data, image->pitch, image->shape.height, error));
    } else {
        GF_TRY(gf_orient_rows(decoder, codec->rows, reading->orientation, image, error));
    }
    if (codec->finish != NULL) {
        GF_TRY(codec->finish(decoder, error));
    }
    return keep_metadata(reading, *out, error);
}

gf_status gf_io_read(const char *path, const gf_io_limits *limits, gf_picture **out, gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_read: out is NULL");
    }
    *out = NULL;
    struct reading reading;
    GF_TRY(begin_reading(&reading, path, limits, error));
    gf_status status = decode(&reading, out, error);
    if (status != GF_OK) {
        gf_picture_destroy(out);
    }
    end_reading(&reading);
    return status;
}
