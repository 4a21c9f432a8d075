/* Writing: open a file or a function, take rows, then commit or abort. */
#include "io/codec.h"

#include "base/sized.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gf_writer {
    struct gf_bytes_out out;
    struct gf_encoder encoder;
    gf_write_options options;
    gf_metadata metadata; /* shallow */
    const struct gf_codec *codec;
    int64_t rows_left;
    int failed; /* 1: nothing more is taken */
};

static const char *const channels_called[] = {"", "gray", "gray + alpha", "RGB", "RGBA"};

/* The numbers of channels a format holds, in words: "gray and RGB". */
static void channel_names(const gf_format *format, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t n = 1, left = format->channels >> 1; left != 0 && length < size; n++, left >>= 1) {
        if (left & 1u) {
            const char *comma = length == 0 ? "" : left == 1 ? " and " : ", ";
            length += (size_t)snprintf(text + length, size - length, "%s%s", comma, channels_called[n]);
        }
    }
}

gf_status gf_io_format_holds(const gf_format *format, const gf_shape *shape, const char *path,
                             gf_error *error)
{
    if (format == NULL || shape == NULL || path == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_format_holds: format, shape or path is NULL");
    }
    char label[GF_LABEL_SIZE], names[64];
    const struct gf_codec *codec = gf_codec_of(format);
    const int64_t least = codec != NULL && codec->may_be_empty ? 0 : 1;
    gf_label(label, path, "standard output");
    if (shape->width < least || shape->height < least || shape->channels < 1 || shape->channels > 4 ||
        gf_depth_size(shape->depth) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: cannot write %" PRId64 " x %" PRId64 " pixels, %d channels, depth %s", label,
                       shape->width, shape->height, (int)shape->channels, gf_depth_name(shape->depth));
    }
    if ((format->depths >> shape->depth & 1u) == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: %s does not hold %s; the nearest it holds is %s",
                       label, format->name, gf_depth_name(shape->depth),
                       gf_depth_name(gf_io_nearest_depth(format, shape->depth)));
    }
    if ((format->channels >> shape->channels & 1u) == 0) {
        channel_names(format, names, sizeof names);
        const int has_alpha = shape->channels == 2 || shape->channels == 4;
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: %s holds %s, not %s; png holds that%s", label,
                       format->name, names, channels_called[shape->channels],
                       has_alpha ? ", and the stage alpha:over or alpha:drop takes alpha away" : "");
    }
    return codec != NULL && codec->fits != NULL ? codec->fits(format, shape, label, error) : GF_OK;
}

static const struct gf_sized sized_options = GF_SIZED(gf_write_options, png_level);

static gf_status take_options(gf_writer *writer, const gf_metadata *metadata, const gf_write_options *options,
                              gf_error *error)
{
    static const struct gf_sized sized_metadata = GF_SIZED(gf_metadata, icc_size);
    writer->metadata = (gf_metadata)GF_METADATA_INIT;
    writer->options = (gf_write_options)GF_WRITE_OPTIONS_INIT;
    GF_TRY(metadata ? gf_struct_in(&sized_metadata, metadata, &writer->metadata, error) : GF_OK);
    GF_TRY(options ? gf_struct_in(&sized_options, options, &writer->options, error) : GF_OK);
    if (writer->options.png_level < -1 || writer->options.png_level > 9) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "png_level %d is outside -1 to 9",
                       (int)writer->options.png_level);
    }
    if (writer->options.png_palette < GF_PNG_PALETTE_OFF || writer->options.png_palette > GF_PNG_PALETTE_ON) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "png_palette %d is outside 0 to 2",
                       (int)writer->options.png_palette);
    }
    if (writer->options.jpeg_quality < 1 || writer->options.jpeg_quality > 100) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "jpeg_quality %d is outside 1 to 100",
                       (int)writer->options.jpeg_quality);
    }
    if (writer->options.webp_quality < 0 || writer->options.webp_quality > 100) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "webp_quality %d is outside 0 to 100",
                       (int)writer->options.webp_quality);
    }
    if (writer->options.threads < 0 || writer->options.threads > 1024) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "threads %d is outside 0 to 1024",
                       (int)writer->options.threads);
    }
    return GF_OK;
}

static void free_state(gf_writer *writer)
{
    if (writer->codec->discard != NULL) {
        writer->codec->discard(&writer->encoder);
    }
}

static void discard(gf_writer *writer)
{
    free_state(writer);
    gf_bytes_out_abort(&writer->out);
}

/* `path` is the sink's name where there is a sink. */
static gf_status begin(gf_writer *writer, const char *path, const gf_byte_sink *sink, const gf_shape *shape,
                       gf_error *error)
{
    const gf_format *format = NULL;
    GF_TRY(gf_io_format_for(path, writer->options.format, &format, error));
    GF_TRY(gf_io_format_holds(format, shape, path, error));
    writer->codec = gf_codec_of(format);
    writer->rows_left = shape->height;
    GF_TRY(sink != NULL ? gf_bytes_out_open_sink(&writer->out, sink, &writer->options, error)
                        : gf_bytes_out_open(&writer->out, path, &writer->options, error));
    writer->encoder = (struct gf_encoder){.out = &writer->out,
                                          .format = format,
                                          .shape = *shape,
                                          .metadata = &writer->metadata,
                                          .options = &writer->options};
    gf_status status = writer->codec->begin(&writer->encoder, error);
    if (status != GF_OK) {
        discard(writer);
    }
    writer->metadata.icc = NULL; /* written; the caller's no longer */
    writer->metadata.icc_size = 0;
    return status;
}

static gf_status create(const char *path, const gf_byte_sink *sink, const gf_shape *shape,
                        const gf_metadata *metadata, const gf_write_options *options, gf_writer **out,
                        gf_error *error)
{
    gf_writer *writer = calloc(1, sizeof *writer);
    GF_TRY(gf_need_memory(writer != NULL, error));
    gf_status status = take_options(writer, metadata, options, error);
    status = status == GF_OK ? begin(writer, path, sink, shape, error) : status;
    if (status != GF_OK) {
        free(writer);
        return status;
    }
    *out = writer;
    return GF_OK;
}

gf_status gf_writer_open(const char *path, const gf_shape *shape, const gf_metadata *metadata,
                         const gf_write_options *options, gf_writer **out, gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_writer_open: writer is NULL");
    }
    *out = NULL;
    if (path == NULL || path[0] == '\0') {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the output's path is %s", path == NULL ? "NULL" : "empty");
    }
    return create(path, NULL, shape, metadata, options, out, error);
}

gf_status gf_writer_open_callback(const gf_byte_sink *sink, const char *format, const gf_shape *shape,
                                  const gf_metadata *metadata, const gf_write_options *options,
                                  gf_writer **out, gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_writer_open_callback: writer is NULL");
    }
    *out = NULL;
    GF_STRUCT_TAKE(gf_byte_sink, user, taken, GF_BYTE_SINK_INIT, sink, error);
    if (taken.write == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_byte_sink.write is NULL");
    }
    if (format == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_writer_open_callback: format is NULL");
    }
    gf_write_options own = GF_WRITE_OPTIONS_INIT;
    GF_TRY(options ? gf_struct_in(&sized_options, options, &own, error) : GF_OK);
    own.format = format;
    return create(taken.name != NULL ? taken.name : "output", &taken, shape, metadata, &own, out, error);
}

static gf_status rows(void *user, const void *data, int64_t pitch, int64_t count, gf_error *error)
{
    gf_writer *writer = user;
    if (writer->failed || count < 0 || count > writer->rows_left) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: %" PRId64 " rows, but %" PRId64 " are left to write",
                       writer->out.label, count, writer->failed ? 0 : writer->rows_left);
    }
    const gf_shape *shape = &writer->encoder.shape;
    GF_TRY(gf_check_rows(writer->out.label, shape, data, pitch, count, error));
    if (writer->codec->format.whole && count != shape->height) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: %s is written in one piece, not %" PRId64 " rows",
                       writer->out.label, writer->codec->format.name, count);
    }
    gf_status status = writer->codec->put_rows(&writer->encoder, data, pitch, count, error);
    writer->rows_left -= status == GF_OK ? count : 0;
    writer->failed = status != GF_OK;
    return status;
}

gf_sink gf_writer_sink(gf_writer *writer)
{
    return writer != NULL ? (gf_sink){sizeof(gf_sink), writer->codec->format.whole, rows, writer}
                          : (gf_sink){0};
}

gf_status gf_writer_set_exif(gf_writer *writer, const void *exif, size_t size, gf_error *error)
{
    if (writer == NULL || (exif == NULL && size > 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_writer_set_exif: writer or exif is NULL");
    }
    if (!writer->codec->late_exif ||
        (writer->metadata.exif_size > 0 && !(writer->metadata.fields & GF_META_EXIF_LAST))) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "%s: %s has its EXIF before the samples, which are written", writer->out.label,
                       writer->codec->format.name);
    }
    writer->metadata.exif = exif;
    writer->metadata.exif_size = size;
    writer->metadata.fields |= GF_META_EXIF_LAST;
    return GF_OK;
}

static gf_status commit(gf_writer *writer, gf_error *error)
{
    gf_status status = GF_OK;
    if (writer->failed) {
        status = gf_fail(error, GF_ERROR_ARGUMENT, "%s: rows were not written", writer->out.label);
    } else if (writer->rows_left != 0) {
        status = gf_fail(error, GF_ERROR_ARGUMENT, "%s: %" PRId64 " rows are missing", writer->out.label,
                         writer->rows_left);
    } else if (writer->codec->end != NULL) {
        status = writer->codec->end(&writer->encoder, error);
    }
    if (status != GF_OK) {
        discard(writer);
        return status;
    }
    free_state(writer);
    return gf_bytes_out_commit(&writer->out, error);
}

gf_status gf_writer_commit(gf_writer **writer, gf_error *error)
{
    if (writer == NULL || *writer == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "gf_writer_commit: writer is NULL, as it is after a commit or an abort");
    }
    gf_status status = commit(*writer, error);
    free(*writer);
    *writer = NULL;
    return status;
}

void gf_writer_abort(gf_writer **writer)
{
    if (writer != NULL && *writer != NULL) {
        discard(*writer);
        free(*writer);
        *writer = NULL;
    }
}
