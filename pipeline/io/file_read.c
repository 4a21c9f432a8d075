/* Reading: open a file, memory or a function, know the format, deliver rows. */
#include "io/codec.h"
#include "io/exif.h"
#include "io/orient.h"
#include "io/pnm_text.h"

#include "base/sized.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gf_reader {
    struct gf_bytes_in in;
    gf_io_limits limits;
    struct gf_decoder decoder;
    const struct gf_codec *codec;
    int orientation; /* of the EXIF that came before the samples; 1: upright, or not told */
    size_t orientation_at;
    int32_t shrink;    /* by how much the picture is delivered smaller; 0: not */
    size_t early_exif; /* bytes of EXIF that came before the samples */
    gf_file_info info; /* of the upright picture */
    int64_t rows_left;
    int failed;      /* 1: nothing more can be had */
    int is_reread;   /* 1: what is read must be what was read before */
    int64_t number;  /* of the picture in the stream, less 1 */
    size_t labelled; /* bytes of the label without it */
};

gf_status gf_limits_take(const gf_io_limits *given, gf_io_limits *limits, gf_error *error)
{
    *limits = (gf_io_limits)GF_IO_LIMITS_INIT;
    if (given == NULL) {
        return GF_OK;
    }
    static const struct gf_sized sized = GF_SIZED(gf_io_limits, max_width);
    GF_TRY(gf_struct_in(&sized, given, limits, error));
    if (limits->page < 0 || limits->max_width < 1 || limits->max_height < 1 || limits->max_pixels < 1 ||
        limits->max_input_bytes < 1 || limits->max_metadata_bytes < 1 || limits->max_memory < 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "gf_io_limits: every limit must be at least 1, and page at least 0");
    }
    return GF_OK;
}

static void end(gf_reader *reader)
{
    if (reader->codec != NULL) {
        reader->codec->close(&reader->decoder);
    }
    gf_bytes_in_close(&reader->in);
}

/* Finds, after open, which way up the picture is. The limits hold for the upright picture, too. */
static gf_status take_orientation(gf_reader *reader, gf_error *error)
{
    const gf_metadata *metadata = &reader->decoder.metadata;
    int orientation = reader->decoder.orientation;
    reader->orientation_at = 0;
    if (orientation == 0) {
        orientation = gf_exif_orientation(metadata->exif, metadata->exif_size, &reader->orientation_at);
    }
    reader->orientation = orientation > 0 ? orientation : 1;
    gf_shape upright = gf_oriented(&reader->decoder.info.shape, reader->orientation);
    if (reader->decoder.info.whole || reader->orientation != 1) {
        GF_TRY(gf_check_whole(&reader->decoder, error));
    }
    return reader->orientation == 1
               ? GF_OK
               : gf_check_limits(&reader->limits, reader->in.label, upright.width, upright.height, 0, error);
}

static gf_status open_decoder(gf_reader *reader, gf_error *error)
{
    reader->decoder = (struct gf_decoder){.in = &reader->in,
                                          .limits = &reader->limits,
                                          .info = GF_FILE_INFO_INIT,
                                          .metadata = GF_METADATA_INIT};
    reader->decoder.info.format = &reader->codec->format;
    reader->decoder.info.file_bytes = reader->in.size == GF_SIZE_UNKNOWN ? 0 : reader->in.size;
    reader->decoder.info.pages = 1;
    GF_TRY(reader->codec->open(&reader->decoder, error));
    return reader->decoder.info.pages == 1 ? gf_check_page(&reader->decoder, error) : GF_OK;
}

/* The format, by the first bytes, and its header. */
static gf_status read_header(gf_reader *reader, gf_error *error)
{
    const uint8_t *head;
    size_t size = gf_bytes_in_peek(&reader->in, &head, GF_SNIFF_SIZE);
    const struct gf_codec *codec = gf_codec_sniff(head, size);
    gf_status status;
    if (codec != NULL && !codec->format.reads) {
        status = gf_fail(error, GF_ERROR_INPUT, "%s: is %s, and this build has no %s: rebuild with %s",
                         reader->in.label, codec->format.name, codec->format.name, codec->absent);
    } else if (codec != NULL) {
        reader->codec = codec;
        status = open_decoder(reader, error);
        status = status == GF_OK ? take_orientation(reader, error) : status;
    } else if (reader->in.errno_seen != 0 || reader->in.over_limit) {
        status = gf_bytes_in_fail(&reader->in, "the first bytes", error);
    } else if (size == 0) {
        status = gf_fail(error, GF_ERROR_INPUT, "%s: is empty", reader->in.label);
    } else {
        char names[128];
        gf_codec_names(0, names, sizeof names);
        status = gf_fail(error, GF_ERROR_INPUT, "%s: not a format that this build reads (%s)",
                         reader->in.label, names);
    }
    if (status != GF_OK) {
        end(reader);
    }
    return status;
}

/* Takes what is known once the header is. The EXIF is the codec's copy: the picture is delivered upright, so
 * it says so. */
static void take_info(gf_reader *reader)
{
    gf_metadata *metadata = &reader->decoder.metadata;
    reader->info = reader->decoder.info;
    reader->info.shape = gf_oriented(&reader->info.shape, reader->orientation);
    reader->info.whole |= reader->orientation != 1;
    reader->info.orientation = reader->orientation;
    reader->info.icc_size = metadata->icc_size;
    reader->info.exif_size = reader->early_exif = metadata->exif_size;
    reader->rows_left = reader->info.shape.height;
    if (reader->orientation != 1 && reader->orientation_at > 0) {
        gf_exif_reset((void *)(uintptr_t)metadata->exif, reader->orientation_at);
    }
    if (gf_orientation_transposes(reader->orientation)) {
        uint32_t along_x = metadata->density[0];
        metadata->density[0] = metadata->density[1];
        metadata->density[1] = along_x;
    }
}

gf_status gf_origin_open(struct gf_bytes_in *in, const struct gf_origin *from, uint64_t most, gf_error *error)
{
    const char *path = from->path;
    if (from->source != NULL) {
        return from->source->read != NULL ? gf_bytes_in_open_source(in, from->source, most, error)
                                          : gf_fail(error, GF_ERROR_ARGUMENT, "gf_byte_source.read is NULL");
    }
    if (from->is_memory) {
        return from->data != NULL || from->size == 0
                   ? gf_bytes_in_open_memory(in, from->data, from->size, path, most, error)
                   : gf_fail(error, GF_ERROR_ARGUMENT, "%s: %zu bytes at NULL", from->call, from->size);
    }
    if (path == NULL || path[0] == '\0') {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the input's path is %s", path == NULL ? "NULL" : "empty");
    }
    return gf_bytes_in_open(in, path, most, error);
}

static gf_status begin(gf_reader *reader, const struct gf_origin *from, const gf_io_limits *limits,
                       gf_error *error)
{
    GF_TRY(gf_limits_take(limits, &reader->limits, error));
    GF_TRY(gf_origin_open(&reader->in, from, reader->limits.max_input_bytes, error));
    GF_TRY(read_header(reader, error));
    take_info(reader);
    return GF_OK;
}

static gf_status create(const struct gf_origin *from, const gf_io_limits *limits, gf_reader **out,
                        gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: reader is NULL", from->call);
    }
    *out = NULL; /* so that there is no reader on failure */
    gf_reader *reader = calloc(1, sizeof *reader);
    GF_TRY(gf_need_memory(reader != NULL, error));
    gf_status status = begin(reader, from, limits, error);
    if (status != GF_OK) {
        free(reader);
        return status;
    }
    *out = reader;
    return GF_OK;
}

gf_status gf_reader_open(const char *path, const gf_io_limits *limits, gf_reader **reader, gf_error *error)
{
    return create(&(struct gf_origin){.call = "gf_reader_open", .path = path}, limits, reader, error);
}

gf_status gf_reader_open_memory(const void *data, size_t size, const char *name, const gf_io_limits *limits,
                                gf_reader **reader, gf_error *error)
{
    const struct gf_origin from = {
        .call = "gf_reader_open_memory", .is_memory = 1, .data = data, .size = size, .path = name};
    return create(&from, limits, reader, error);
}

gf_status gf_reader_open_callback(const gf_byte_source *source, const gf_io_limits *limits,
                                  gf_reader **reader, gf_error *error)
{
    if (reader != NULL) {
        *reader = NULL;
    }
    GF_STRUCT_TAKE(gf_byte_source, user, taken, GF_BYTE_SOURCE_INIT, source, error);
    const struct gf_origin from = {.call = "gf_reader_open_callback", .source = &taken};
    return create(&from, limits, reader, error);
}

gf_status gf_reader_shrink(gf_reader *reader, int32_t factor, gf_error *error)
{
    if (reader == NULL || (factor != 1 && factor != 2 && factor != 4 && factor != 8)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_reader_shrink: %s",
                       reader == NULL ? "reader is NULL" : "the factor must be 1, 2, 4 or 8");
    }
    if (reader->failed || reader->shrink || reader->rows_left != reader->info.shape.height) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: it can be shrunk once, before its first row is read",
                       reader->in.label);
    }
    if (factor == 1) {
        return GF_OK;
    }
    const gf_shape *shape = &reader->info.shape;
    const int can =
        reader->codec->shrink != NULL; /* a picture that is turned would begin with a part of a sample */
    if (!can || (reader->orientation != 1 && (shape->width % factor != 0 || shape->height % factor != 0))) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s: %s is read in its own size; %s", reader->in.label,
                       reader->codec->format.name,
                       can ? "EXIF turns it, and a side does not divide" : "jpeg can be smaller");
    }
    gf_status status = reader->codec->shrink(&reader->decoder, factor, error);
    reader->failed = status != GF_OK;
    reader->shrink = factor;
    reader->info.shape = gf_oriented(&reader->decoder.info.shape, reader->orientation);
    reader->rows_left = reader->info.shape.height;
    return status;
}

void gf_reader_close(gf_reader **reader)
{
    if (reader != NULL && *reader != NULL) {
        end(*reader);
        free(*reader);
        *reader = NULL;
    }
}

const gf_file_info *gf_reader_info(const gf_reader *reader)
{
    return reader != NULL ? &reader->info : NULL;
}

const gf_metadata *gf_reader_metadata(const gf_reader *reader)
{
    return reader != NULL ? &reader->decoder.metadata : NULL;
}

const char *gf_reader_note(const gf_reader *reader)
{
    return reader != NULL ? reader->decoder.note : NULL;
}

static gf_status deliver(gf_reader *reader, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    const struct gf_codec *codec = reader->codec;
    const gf_shape *shape = &reader->info.shape;
    if (reader->failed || (count < 1 && shape->height > 0) || count > reader->rows_left) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: %" PRId64 " rows, but %" PRId64 " can be had",
                       reader->in.label, count, reader->failed ? 0 : reader->rows_left);
    }
    if (reader->info.whole && count != shape->height) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: its rows come all at once, not %" PRId64,
                       reader->in.label, count);
    }
    GF_TRY(gf_check_rows(reader->in.label, shape, data, pitch, count, error));
    reader->rows_left -= count;
    if (reader->orientation == 1) {
        return codec->rows(&reader->decoder, data, pitch, count, error);
    }
    gf_image upright = {sizeof upright, *shape, pitch, data, GF_DEVICE_CPU};
    return gf_orient_rows(&reader->decoder, codec->rows, reader->orientation, &upright, error);
}

static gf_status rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    gf_reader *reader = user;
    gf_status status = deliver(reader, data, pitch, count, error);
    reader->failed |= status != GF_OK;
    return status;
}

/* Opens the decoder once more. */
static gf_status again(void *user, gf_error *error)
{
    gf_reader *reader = user;
    reader->failed = 1;
    GF_TRY(gf_bytes_in_again(&reader->in, error));
    reader->codec->close(&reader->decoder);
    GF_TRY(open_decoder(reader, error));
    if (reader->shrink) {
        GF_TRY(reader->codec->shrink(&reader->decoder, reader->shrink, error));
    }
    const gf_shape *is = &reader->decoder.info.shape, *was = &reader->info.shape;
    if (is->width != was->width || is->height != was->height || is->channels != was->channels ||
        is->depth != was->depth || reader->decoder.info.whole) {
        return gf_bytes_in_fail_changed(&reader->in, error);
    }
    reader->rows_left = was->height;
    reader->is_reread = 1;
    reader->failed = 0;
    return GF_OK;
}

gf_source gf_reader_source(gf_reader *reader)
{
    if (reader == NULL) {
        return (gf_source){0};
    }
    int repeats = reader->in.start >= 0 && !reader->info.whole;
    return (gf_source){.struct_size = sizeof(gf_source),
                       .whole = reader->info.whole,
                       .shape = reader->info.shape,
                       .rows = rows,
                       .again = repeats ? again : NULL,
                       .user = reader,
                       .held = reader->decoder.held +
                               (reader->orientation != 1 ? gf_orient_bytes(&reader->decoder) : 0)};
}

/* Marks EXIF that came behind the samples, and says which orientation is not applied, for that or because it
 * means nothing. */
static void note_exif(gf_reader *reader)
{
    gf_metadata *metadata = &reader->decoder.metadata;
    size_t at;
    const int orientation = gf_exif_orientation(metadata->exif, metadata->exif_size, &at);
    if (orientation < 0) {
        gf_add_note(reader->decoder.note, "EXIF: an orientation that is no number from 1 to 8, not applied");
    }
    if (reader->early_exif > 0 || metadata->exif_size == 0) {
        return;
    }
    metadata->fields |= GF_META_EXIF_LAST;
    if (orientation > 1) {
        gf_add_note(reader->decoder.note, "EXIF behind the samples: its orientation, %d, is not applied",
                    orientation);
    }
}

gf_status gf_reader_finish(gf_reader *reader, gf_error *error)
{
    if (reader == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_reader_finish: reader is NULL");
    }
    if (reader->failed || reader->rows_left != 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: %" PRId64 " rows were not read", reader->in.label,
                       reader->rows_left);
    }
    gf_status status = reader->is_reread ? gf_bytes_in_check_same(&reader->in, error) : GF_OK;
    if (status == GF_OK && reader->codec->finish != NULL) {
        status = reader->codec->finish(&reader->decoder, error);
    }
    reader->failed = status != GF_OK;
    if (status == GF_OK) {
        note_exif(reader);
    }
    return status;
}

/* White space between pictures belongs to none. Fails where something follows that begins no picture, or
 * cannot be read. */
static gf_status find_next(gf_reader *reader, int32_t *there, gf_error *error)
{
    struct gf_bytes_in *in = &reader->in;
    const uint8_t *head;
    size_t size = gf_bytes_in_peek(in, &head, GF_SNIFF_SIZE);
    while (size > 0 && gf_pnm_is_space(*head)) {
        gf_bytes_in_byte(in);
        size = gf_bytes_in_peek(in, &head, GF_SNIFF_SIZE);
    }
    *there = size > 0 && gf_codec_sniff(head, size) == reader->codec;
    if (in->errno_seen != 0 || in->over_limit) {
        return gf_bytes_in_fail(in, "the next picture", error);
    }
    return size == 0 || *there
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT, "%s: what follows the picture does not begin with P1 to P6",
                         in->label);
}

/* What was read counts no more: limits and places begin behind it. */
static void begin_anew(struct gf_bytes_in *in)
{
    const uint64_t passed = in->taken - (in->end - in->begin);
    in->size -= in->size != GF_SIZE_UNKNOWN ? passed : 0;
    in->start += in->start >= 0 ? (int64_t)passed : 0;
    in->taken = in->end - in->begin;
    in->over_limit = 0;
}

/* Messages name the picture of a stream. */
static void count_picture(gf_reader *reader)
{
    char *label = reader->in.label;
    reader->labelled = reader->number == 0 ? strlen(label) : reader->labelled;
    snprintf(label + reader->labelled, GF_LABEL_SIZE - reader->labelled, ", picture %lld",
             (long long)(++reader->number + 1));
}

gf_status gf_reader_next(gf_reader *reader, int32_t *there, gf_error *error)
{
    if (reader == NULL || there == NULL || reader->failed || reader->rows_left != 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_reader_next: no picture was read to its end before");
    }
    *there = 0;
    if (reader->in.fd < 0 || strcmp(reader->codec->format.name, "pnm") != 0) {
        return GF_OK;
    }
    begin_anew(&reader->in);
    count_picture(reader);
    gf_status status = find_next(reader, there, error);
    reader->failed = status != GF_OK;
    if (!*there || reader->failed) {
        return status;
    }
    begin_anew(&reader->in);
    reader->codec->close(&reader->decoder);
    status = open_decoder(reader, error);
    status = status == GF_OK ? take_orientation(reader, error) : status;
    reader->failed = status != GF_OK;
    reader->is_reread = 0;
    if (status == GF_OK) {
        take_info(reader);
    }
    return status;
}
