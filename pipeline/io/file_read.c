/* gf_io_probe and gf_io_read: open, know the format, decode into a picture. */
#include "codec.h"

#include "base/status.h"

#include <string.h>

/* A reading in progress. */
struct reading {
    struct gf_bytes_in in;
    gf_io_limits limits;
    struct gf_decoder decoder;
    const struct gf_codec *codec;
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
    out->icc_size = reading.decoder.metadata.icc_size;
    out->exif_size = reading.decoder.metadata.exif_size;
    end_reading(&reading);
    return GF_OK;
}

static gf_status decode(struct reading *reading, gf_picture **out, gf_error *error)
{
    struct gf_decoder *decoder = &reading->decoder;
    GF_TRY(gf_picture_create(&decoder->info.shape, out, error));
    gf_image *image = &(*out)->image;
    GF_TRY(reading->codec->rows(decoder, image->data, image->pitch, image->shape.height, error));
    if (reading->codec->finish != NULL) {
        GF_TRY(reading->codec->finish(decoder, error));
    }
    memcpy((*out)->note, decoder->note, sizeof decoder->note);
    return gf_picture_set_metadata(*out, &decoder->metadata, error);
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
