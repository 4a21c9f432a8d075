/* Every call of io.h and io_memory.h that returns a status answers NULL, no bytes, memory that it cannot have
 * and a second end with GF_ERROR_ARGUMENT and a line of text, whatever else it is given. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include "gpufilter/io_memory.h"

static gf_picture *picture;
static gf_reader *reader;
static gf_writer *writer;
static void *png;
static size_t png_size;

static gf_status read_nothing(void *user, void *buffer, size_t size, size_t *got, gf_error *error)
{
    (void)user, (void)buffer, (void)size, (void)got, (void)error;
    return GF_OK;
}

static gf_status write_nothing(void *user, const void *bytes, size_t size, gf_error *error)
{
    (void)user, (void)bytes, (void)size, (void)error;
    return GF_OK;
}

static const gf_byte_source good_source = {sizeof good_source, NULL, 0, read_nothing, NULL, NULL};
static const gf_byte_source no_read = GF_BYTE_SOURCE_INIT;
static const gf_byte_source no_source_size = {0, NULL, 0, read_nothing, NULL, NULL};
static const gf_byte_sink good_sink = {sizeof good_sink, NULL, write_nothing, NULL};
static const gf_byte_sink no_write = GF_BYTE_SINK_INIT;
static const gf_byte_sink no_sink_size = {0, NULL, write_nothing, NULL};

static int opened, made; /* where a call must leave NULL, it may not leave these */

static void begin(void)
{
    reader = (gf_reader *)&opened;
    writer = (gf_writer *)&made;
}

/* ---- the calls ---- */

#define SHAPE (&picture->image.shape)
#define IMAGE (&picture->image)

static gf_picture *out;
static void *bytes;
static size_t size;
static gf_image image;

static gf_status write_image(gf_device device, void *data, int64_t pitch, int64_t rows, gf_error *error)
{
    image = *IMAGE;
    image.device = device;
    image.data = data;
    image.pitch = pitch;
    image.shape.height = rows;
    gf_status to_file = gf_io_write(in_folder("x.png"), &image, NULL, NULL, NULL);
    gf_status status = gf_io_write_memory("png", &image, NULL, NULL, &bytes, &size, error);
    return to_file == status ? status : GF_ERROR_INTERNAL;
}

static gf_status read_rows(void *data, int64_t pitch, int64_t count, gf_error *error)
{
    gf_reader *own = NULL;
    gf_status status = gf_reader_open_memory(png, png_size, NULL, NULL, &own, error);
    CHECK_EQ_INT(status, GF_OK);
    gf_source source = gf_reader_source(own);
    status = source.rows(source.user, data, pitch, count, error);
    gf_reader_close(&own);
    return status;
}

static gf_status commit_twice(gf_error *error)
{
    gf_writer *own = NULL;
    CHECK_EQ_INT(gf_writer_open_callback(&good_sink, "png", SHAPE, NULL, NULL, &own, error), GF_OK);
    gf_sink sink = gf_writer_sink(own);
    CHECK_EQ_INT(sink.rows(sink.user, IMAGE->data, IMAGE->pitch, IMAGE->shape.height, error), GF_OK);
    CHECK_EQ_INT(gf_writer_commit(&own, error), GF_OK);
    CHECK(own == NULL);
    return gf_writer_commit(&own, error);
}

static gf_status commit_aborted(gf_error *error)
{
    gf_writer *own = NULL;
    CHECK_EQ_INT(gf_writer_open_callback(&good_sink, "png", SHAPE, NULL, NULL, &own, error), GF_OK);
    gf_writer_abort(&own);
    gf_writer_abort(&own);
    gf_writer_abort(NULL);
    return gf_writer_commit(&own, error);
}

static gf_status exif_of_null(gf_error *error)
{
    gf_writer *own = NULL;
    CHECK_EQ_INT(gf_writer_open_callback(&good_sink, "png", SHAPE, NULL, NULL, &own, error), GF_OK);
    gf_status status = gf_writer_set_exif(own, NULL, 10, error);
    gf_writer_abort(&own);
    return status;
}

static gf_status picture_behind_rows(gf_error *error)
{
    gf_reader *own = NULL;
    CHECK_EQ_INT(gf_reader_open_memory(png, png_size, NULL, NULL, &own, error), GF_OK);
    gf_source source = gf_reader_source(own);
    CHECK_EQ_INT(source.rows(source.user, IMAGE->data, IMAGE->pitch, 1, error), GF_OK);
    out = picture;
    gf_status status = gf_reader_picture(own, &out, error);
    CHECK(out == NULL);
    gf_reader_close(&own);
    gf_reader_close(&own);
    gf_reader_close(NULL);
    return status;
}

static gf_file_info info = GF_FILE_INFO_INIT, no_info;
static const gf_format *format;
static const gf_shape none;
static const gf_io_limits no_limits;
static const gf_write_options no_options;
static const gf_metadata no_metadata;

/* One line a call: gf_status (*)(gf_error *error). */
#define CALLS(CALL)                                                                                          \
    CALL(gf_picture_create(NULL, &out, error))                                                               \
    CALL(gf_picture_create(SHAPE, NULL, error))                                                              \
    CALL(gf_picture_create(&none, &out, error))                                                              \
    CALL(gf_picture_create_pinned(NULL, GF_DEVICE_CPU, &out, error))                                         \
    CALL(gf_picture_create_pinned(SHAPE, GF_DEVICE_CPU, NULL, error))                                        \
    CALL(gf_picture_set_metadata(NULL, NULL, error))                                                         \
    CALL(gf_picture_set_metadata(picture, &no_metadata, error))                                              \
    CALL(gf_io_format_for(NULL, "png", &format, error))                                                      \
    CALL(gf_io_format_for(NULL, NULL, &format, error))                                                       \
    CALL(gf_io_format_for("a.png", NULL, NULL, error))                                                       \
    CALL(gf_io_format_holds(NULL, SHAPE, "a.png", error))                                                    \
    CALL(gf_io_format_holds(gf_io_format(0), NULL, "a.png", error))                                          \
    CALL(gf_io_format_holds(gf_io_format(0), SHAPE, NULL, error))                                            \
    CALL(gf_io_format_holds(gf_io_format(0), &none, "a.png", error))                                         \
    CALL(gf_io_probe(NULL, NULL, &info, error))                                                              \
    CALL(gf_io_probe("", NULL, &info, error))                                                                \
    CALL(gf_io_probe("a.png", NULL, NULL, error))                                                            \
    CALL(gf_io_probe("a.png", NULL, &no_info, error))                                                        \
    CALL(gf_io_probe("a.png", &no_limits, &info, error))                                                     \
    CALL(gf_io_read(NULL, NULL, &out, error))                                                                \
    CALL(gf_io_read("", NULL, &out, error))                                                                  \
    CALL(gf_io_read("a.png", NULL, NULL, error))                                                             \
    CALL(gf_io_read("a.png", &no_limits, &out, error))                                                       \
    CALL(gf_io_read_memory(NULL, 1, NULL, NULL, &out, error))                                                \
    CALL(gf_io_read_memory(png, png_size, NULL, NULL, NULL, error))                                          \
    CALL(gf_io_read_memory(png, png_size, NULL, &no_limits, &out, error))                                    \
    CALL(gf_reader_open(NULL, NULL, &reader, error))                                                         \
    CALL(gf_reader_open("", NULL, &reader, error))                                                           \
    CALL(gf_reader_open("a.png", NULL, NULL, error))                                                         \
    CALL(gf_reader_open_memory(NULL, 1, NULL, NULL, &reader, error))                                         \
    CALL(gf_reader_open_memory(png, png_size, NULL, NULL, NULL, error))                                      \
    CALL(gf_reader_open_callback(NULL, NULL, &reader, error))                                                \
    CALL(gf_reader_open_callback(&no_read, NULL, &reader, error))                                            \
    CALL(gf_reader_open_callback(&no_source_size, NULL, &reader, error))                                     \
    CALL(gf_reader_open_callback(&good_source, &no_limits, &reader, error))                                  \
    CALL(gf_reader_open_callback(&good_source, NULL, NULL, error))                                           \
    CALL(gf_reader_finish(NULL, error))                                                                      \
    CALL(gf_reader_picture(NULL, &out, error))                                                               \
    CALL(picture_behind_rows(error))                                                                         \
    CALL(read_rows(NULL, 64, 5, error))                                                                      \
    CALL(read_rows(IMAGE->data, 8, 5, error))                                                                \
    CALL(read_rows(IMAGE->data, INT64_MIN, 5, error))                                                        \
    CALL(read_rows(IMAGE->data, INT64_MAX, 5, error))                                                        \
    CALL(read_rows(IMAGE->data, INT64_MAX / 4, 5, error))                                                    \
    CALL(gf_io_write(NULL, IMAGE, NULL, NULL, error))                                                        \
    CALL(gf_io_write("", IMAGE, NULL, NULL, error))                                                          \
    CALL(gf_io_write("a.png", NULL, NULL, NULL, error))                                                      \
    CALL(gf_io_write("a.png", IMAGE, &no_metadata, NULL, error))                                             \
    CALL(gf_io_write("a.png", IMAGE, NULL, &no_options, error))                                              \
    CALL(gf_io_write_memory(NULL, IMAGE, NULL, NULL, &bytes, &size, error))                                  \
    CALL(gf_io_write_memory("png", NULL, NULL, NULL, &bytes, &size, error))                                  \
    CALL(gf_io_write_memory("png", IMAGE, NULL, NULL, NULL, &size, error))                                   \
    CALL(gf_io_write_memory("png", IMAGE, NULL, NULL, &bytes, NULL, error))                                  \
    CALL(gf_io_write_memory("png", IMAGE, &no_metadata, NULL, &bytes, &size, error))                         \
    CALL(gf_io_write_memory("png", IMAGE, NULL, &no_options, &bytes, &size, error))                          \
    CALL(write_image(GF_DEVICE_CPU, NULL, 64, 7, error))                                                     \
    CALL(write_image(0, IMAGE->data, 64, 7, error))                                                          \
    CALL(write_image(GF_DEVICE_CPU, IMAGE->data, 26, 7, error))                                              \
    CALL(write_image(GF_DEVICE_CPU, IMAGE->data, INT64_MAX, 7, error))                                       \
    CALL(write_image(GF_DEVICE_CPU, IMAGE->data, INT64_MAX - 63, 2, error))                                  \
    CALL(write_image(GF_DEVICE_CPU, IMAGE->data, 64, -1, error))                                             \
    CALL(gf_io_write_bytes(NULL, "x", 1, NULL, error))                                                       \
    CALL(gf_io_write_bytes("", "x", 1, NULL, error))                                                         \
    CALL(gf_io_write_bytes("x", NULL, 1, NULL, error))                                                       \
    CALL(gf_io_write_bytes("x", "x", 1, &no_options, error))                                                 \
    CALL(gf_writer_open(NULL, SHAPE, NULL, NULL, &writer, error))                                            \
    CALL(gf_writer_open("", SHAPE, NULL, NULL, &writer, error))                                              \
    CALL(gf_writer_open("a.png", NULL, NULL, NULL, &writer, error))                                          \
    CALL(gf_writer_open("a.png", SHAPE, NULL, NULL, NULL, error))                                            \
    CALL(gf_writer_open_callback(NULL, "png", SHAPE, NULL, NULL, &writer, error))                            \
    CALL(gf_writer_open_callback(&no_write, "png", SHAPE, NULL, NULL, &writer, error))                       \
    CALL(gf_writer_open_callback(&no_sink_size, "png", SHAPE, NULL, NULL, &writer, error))                   \
    CALL(gf_writer_open_callback(&good_sink, NULL, SHAPE, NULL, NULL, &writer, error))                       \
    CALL(gf_writer_open_callback(&good_sink, "png", NULL, NULL, NULL, &writer, error))                       \
    CALL(gf_writer_open_callback(&good_sink, "png", SHAPE, NULL, NULL, NULL, error))                         \
    CALL(gf_writer_set_exif(NULL, "II*", 3, error))                                                          \
    CALL(exif_of_null(error))                                                                                \
    CALL(gf_writer_commit(NULL, error))                                                                      \
    CALL(commit_twice(error))                                                                                \
    CALL(commit_aborted(error))

#define NAME(call) #call,
static const char *const names[] = {CALLS(NAME)};

enum { COUNT = sizeof names / sizeof *names };

static gf_status call(int number, gf_error *error)
{
    int at = 0;
#define RUN(call)                                                                                            \
    if (number == at++) {                                                                                    \
        return call;                                                                                         \
    }
    CALLS(RUN)
    return GF_ERROR_INTERNAL;
}

static void every_call(void)
{
    picture = make_picture(9, 7, 3, GF_U8);
    REQUIRE(picture != NULL);
    REQUIRE(gf_io_write_memory("png", IMAGE, NULL, NULL, &png, &png_size, NULL) == GF_OK);
    for (int i = 0; i < COUNT; i++) {
        gf_error error = GF_ERROR_INIT;
        begin();
        out = (gf_picture *)&opened;
        bytes = &opened;
        size = 1;
        gf_status status = call(i, &error);
        CHECK_MSG(status == GF_ERROR_ARGUMENT && error.code == status, "%s: %d", names[i], (int)status);
        CHECK_MSG(error.message[0] != '\0' && strchr(error.message, '\n') == NULL, "%s: \"%s\"", names[i],
                  error.message);
        CHECK_MSG(strstr(names[i], "&reader") == NULL || reader == NULL, "%s: a reader is left", names[i]);
        CHECK_MSG(strstr(names[i], "&writer") == NULL || writer == NULL, "%s: a writer is left", names[i]);
        CHECK_MSG(strstr(names[i], "&out") == NULL || strstr(names[i], "(NULL, &out") || out == NULL,
                  "%s: a picture is left", names[i]);
        CHECK_MSG(strstr(names[i], "&bytes, &size") == NULL || (bytes == NULL && size == 0),
                  "%s: bytes are left", names[i]);
        begin();
        CHECK_EQ_INT(call(i, NULL), GF_ERROR_ARGUMENT); /* the error may be NULL, too */
    }
    CHECK(help_folder[0] != '\0' && count_entries(help_folder) == 0);
}

/* What may be NULL, may. */
static void harmless(void)
{
    gf_error error = GF_ERROR_INIT;
    out = NULL;
    CHECK_EQ_INT(gf_io_read_memory(NULL, 0, NULL, NULL, &out, &error), GF_ERROR_INPUT);
    CHECK_STR(error.message, "memory: is empty");
    CHECK_EQ_INT(gf_io_read_memory("", 0, "-", NULL, &out, &error), GF_ERROR_INPUT);
    CHECK_STR(error.message, "memory: is empty");
    CHECK_EQ_INT(gf_reader_open_callback(&good_source, NULL, &reader, &error), GF_ERROR_INPUT);
    CHECK_STR(error.message, "input: is empty");
    CHECK_EQ_INT(gf_io_write_memory("xyz", IMAGE, NULL, NULL, &bytes, &size, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "memory: cannot write format \"xyz\"; this build writes png, ");
    CHECK_EQ_INT(gf_io_write_bytes(in_folder("empty"), NULL, 0, NULL, &error), GF_OK);
    CHECK_EQ_INT(gf_picture_set_metadata(picture, NULL, &error), GF_OK);
    CHECK(gf_io_nearest_depth(NULL, GF_F32) == GF_F32);
    gf_io_encoders(NULL, 10);
    CHECK(gf_io_read_time(NULL) == 0 && gf_reader_info(NULL) == NULL && gf_reader_metadata(NULL) == NULL);
    CHECK(gf_reader_note(NULL) == NULL && gf_reader_source(NULL).rows == NULL);
    CHECK(gf_writer_sink(NULL).rows == NULL && gf_io_format(1000) == NULL);
    gf_io_free_memory(NULL);
    gf_picture_destroy(NULL);
    gf_picture_destroy(&picture);
    gf_picture_destroy(&picture);
    gf_io_free_memory(png);
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"every call answers what it cannot take", every_call},
    {"what may be NULL or empty", harmless},
};

CHECK_MAIN(cases)
