/* Functions that give and take the bytes of a file, and pictures through them: for tests of io_memory.h. */
#ifndef BYTE_STREAM_H
#define BYTE_STREAM_H

#include "io_help.h"

#include "gpufilter/gpufilter.h"
#include "gpufilter/io_memory.h"

static const char *const formats[] = {"png", "npy", "pnm",  "pfm",  "jpeg", "bmp",
                                      "tga", "hdr", "tiff", "webp", "fits"};

enum { FORMATS = sizeof formats / sizeof *formats };

/* A function that gives `size` bytes, `portion` at a time, and one that takes them. Call number `fails`, from
 * 1 on, fails with `status` and `text`; 0: none does. */
struct stream {
    unsigned char *bytes;
    size_t size, at, portion;
    int calls, fails, ends; /* ends: how often it said that there are no more */
    gf_status status;
    const char *text;
};

static inline gf_status fail_now(const struct stream *stream, gf_error *error)
{
    CHECK(error != NULL && error->message[0] == '\0');
    if (stream->text != NULL) {
        error->code = GF_ERROR_INTERNAL; /* the status counts */
        snprintf(error->message, sizeof error->message, "%s", stream->text);
    }
    return stream->status;
}

static inline gf_status give(void *user, void *buffer, size_t size, size_t *got, gf_error *error)
{
    struct stream *stream = user;
    CHECK(size > 0 && *got == 0);
    CHECK_MSG(stream->fails == 0 || stream->calls < stream->fails, "it is asked again behind a failure");
    CHECK_MSG(stream->ends == 0, "it is asked again behind the end");
    if (++stream->calls == stream->fails) {
        return fail_now(stream, error);
    }
    size_t left = stream->size - stream->at, part = stream->portion < left ? stream->portion : left;
    part = part < size ? part : size;
    memcpy(buffer, stream->bytes + stream->at, part);
    stream->at += part;
    stream->ends += part == 0;
    *got = part;
    return GF_OK;
}

static inline gf_status give_again(void *user, gf_error *error)
{
    struct stream *stream = user;
    if (stream->status != GF_OK) {
        return fail_now(stream, error);
    }
    stream->at = 0;
    stream->ends = 0;
    return GF_OK;
}

static inline gf_status take(void *user, const void *bytes, size_t size, gf_error *error)
{
    struct stream *stream = user;
    CHECK(size > 0 && bytes != NULL);
    CHECK_MSG(stream->fails == 0 || stream->calls < stream->fails, "it is called again behind a failure");
    if (++stream->calls == stream->fails) {
        return fail_now(stream, error);
    }
    stream->bytes = realloc(stream->bytes, stream->size + size);
    memcpy(stream->bytes + stream->size, bytes, size);
    stream->size += size;
    return GF_OK;
}

static inline gf_byte_source source_of(struct stream *stream, const char *name)
{
    return (gf_byte_source){sizeof(gf_byte_source), name, 0, give, NULL, stream};
}

static inline gf_byte_sink sink_of(struct stream *stream, const char *name)
{
    return (gf_byte_sink){sizeof(gf_byte_sink), name, take, stream};
}

/* How many bytes of a file are needed: zeros fill the last block of a FITS, and nobody misses them. */
static inline size_t needed(const char *name, const void *bytes, size_t size)
{
    while (strcmp(name, "fits") == 0 && ((const char *)bytes)[size - 1] == 0) {
        size--;
    }
    return size;
}

/* A picture with metadata that the format holds; NULL: the build has not the format. */
static inline gf_picture *picture_for(const char *name, int64_t width, int64_t height)
{
    unsigned char icc[3001], exif[77];
    gf_metadata metadata;
    const gf_format *format = NULL;
    if (gf_io_format_for("x", name, &format, NULL) != GF_OK) {
        return NULL;
    }
    gf_picture *picture = make_picture(width, height, 3, gf_io_nearest_depth(format, GF_U8));
    fill_metadata(&metadata, icc, exif);
    CHECK_EQ_INT(gf_picture_set_metadata(picture, format->metadata ? &metadata : NULL, NULL), GF_OK);
    return picture;
}

static inline void same_metadata(const gf_metadata *m, const gf_metadata *n)
{
    CHECK_EQ_INT(m->fields, n->fields);
    CHECK(m->icc_size == n->icc_size && (m->icc_size == 0 || !memcmp(m->icc, n->icc, m->icc_size)));
    CHECK(m->exif_size == n->exif_size && (m->exif_size == 0 || !memcmp(m->exif, n->exif, m->exif_size)));
    CHECK_EQ_INT(m->density[0], n->density[0]);
}

static inline void same_as(const gf_picture *expected, gf_status status, gf_picture *picture,
                           const gf_error *error, const char *what)
{
    CHECK_MSG(status == GF_OK, "%s: %s", what, error->message);
    if (status == GF_OK) {
        CHECK_MSG(same_pictures(&expected->image, &picture->image), "%s: other samples", what);
        same_metadata(&expected->metadata, &picture->metadata);
        CHECK_STR(picture->note, expected->note);
    }
    gf_picture_destroy(&picture);
}

static inline gf_status read_stream(const gf_byte_source *source, gf_picture **picture, gf_error *error)
{
    gf_reader *reader = NULL;
    *picture = NULL;
    gf_status status = gf_reader_open_callback(source, NULL, &reader, error);
    CHECK((status == GF_OK) == (reader != NULL));
    status = status == GF_OK ? gf_reader_picture(reader, picture, error) : status;
    CHECK((status == GF_OK) == (*picture != NULL));
    gf_reader_close(&reader);
    return status;
}

static inline gf_status write_stream(const gf_byte_sink *sink, const char *format, const gf_picture *picture,
                                     gf_error *error)
{
    gf_writer *writer = NULL;
    const gf_image *image = &picture->image;
    gf_status status =
        gf_writer_open_callback(sink, format, &image->shape, &picture->metadata, NULL, &writer, error);
    CHECK((status == GF_OK) == (writer != NULL));
    if (status != GF_OK) {
        return status;
    }
    gf_sink rows = gf_writer_sink(writer);
    status = rows.rows(rows.user, image->data, image->pitch, image->shape.height, error);
    if (status != GF_OK) {
        CHECK_EQ_INT(gf_writer_commit(&writer, NULL), GF_ERROR_ARGUMENT);
        return status;
    }
    status = gf_writer_commit(&writer, error);
    CHECK(writer == NULL);
    return status;
}

/* A chain of two sweeps in bands of 16 rows from the reader to `out`, as PNG; where the reader's source can
 * give its rows again, in too little memory to hold them from sweep to sweep. */
static inline gf_status run_chain(gf_reader *reader, struct stream *out, gf_error *error)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_writer *writer = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_source source = gf_reader_source(reader);
    options.device = GF_DEVICE_CPU;
    options.threads = 2;
    options.stream_rows = 16;
    options.memory_limit = source.again != NULL ? 200000 : 0;
    const gf_byte_sink sink = sink_of(out, NULL);
    gf_status status = gf_context_create(NULL, &context, error);
    status = status ? status : gf_pipeline_parse("equalize,blur:1", NULL, 0, &pipeline, error);
    status = status ? status : gf_plan_create(context, pipeline, &source.shape, &options, &plan, error);
    status = status ? status : gf_exec_create(plan, &exec, error);
    gf_shape shape = plan != NULL ? gf_plan_output(plan) : source.shape;
    status = status ? status : gf_writer_open_callback(&sink, "png", &shape, NULL, NULL, &writer, error);
    gf_sink rows = writer != NULL ? gf_writer_sink(writer) : (gf_sink){0};
    status = status ? status : gf_exec_stream(exec, &source, &rows, error);
    status = status ? status : gf_reader_finish(reader, error);
    status = status ? status : gf_writer_commit(&writer, error);
    gf_writer_abort(&writer);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

#endif
