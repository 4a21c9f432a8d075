/* Pictures in memory and through functions of the caller: what files give and take, and how they fail. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include "gpufilter/gpufilter.h"
#include "gpufilter/io_memory.h"

static const char *const formats[] = {"png", "npy", "pnm", "pfm", "jpeg", "bmp", "tga", "hdr"};

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

static gf_status fail_now(const struct stream *stream, gf_error *error)
{
    CHECK(error != NULL && error->message[0] == '\0');
    if (stream->text != NULL) {
        error->code = GF_ERROR_INTERNAL; /* the status counts */
        snprintf(error->message, sizeof error->message, "%s", stream->text);
    }
    return stream->status;
}

static gf_status give(void *user, void *buffer, size_t size, size_t *got, gf_error *error)
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

static gf_status give_again(void *user, gf_error *error)
{
    struct stream *stream = user;
    if (stream->status != GF_OK) {
        return fail_now(stream, error);
    }
    stream->at = 0;
    stream->ends = 0;
    return GF_OK;
}

static gf_status take(void *user, const void *bytes, size_t size, gf_error *error)
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

static gf_byte_source source_of(struct stream *stream, const char *name)
{
    return (gf_byte_source){sizeof(gf_byte_source), name, 0, give, NULL, stream};
}

static gf_byte_sink sink_of(struct stream *stream, const char *name)
{
    return (gf_byte_sink){sizeof(gf_byte_sink), name, take, stream};
}

/* A picture with metadata that the format holds; NULL: the build has not the format. */
static gf_picture *picture_for(const char *name, int64_t width, int64_t height)
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

static void same_metadata(const gf_metadata *m, const gf_metadata *n)
{
    CHECK_EQ_INT(m->fields, n->fields);
    CHECK(m->icc_size == n->icc_size && (m->icc_size == 0 || !memcmp(m->icc, n->icc, m->icc_size)));
    CHECK(m->exif_size == n->exif_size && (m->exif_size == 0 || !memcmp(m->exif, n->exif, m->exif_size)));
    CHECK_EQ_INT(m->density[0], n->density[0]);
}

static void same_as(const gf_picture *expected, gf_status status, gf_picture *picture, const gf_error *error,
                    const char *what)
{
    CHECK_MSG(status == GF_OK, "%s: %s", what, error->message);
    if (status == GF_OK) {
        CHECK_MSG(same_pictures(&expected->image, &picture->image), "%s: other samples", what);
        same_metadata(&expected->metadata, &picture->metadata);
        CHECK_STR(picture->note, expected->note);
    }
    gf_picture_destroy(&picture);
}

static gf_status read_stream(const gf_byte_source *source, gf_picture **picture, gf_error *error)
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

static gf_status write_stream(const gf_byte_sink *sink, const char *format, const gf_picture *picture,
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

/* ---- equal to files ---- */

static void every_format(void)
{
    for (int i = 0; i < FORMATS; i++) {
        gf_picture *picture = picture_for(formats[i], 301, 203), *file = NULL, *again = NULL;
        gf_write_options options = GF_WRITE_OPTIONS_INIT;
        gf_error error = GF_ERROR_INIT;
        struct stream out = {0};
        void *bytes = NULL;
        size_t size = 0, held = 0;
        if (picture == NULL) {
            continue;
        }
        options.format = formats[i];
        const char *path = in_folder("file");
        REQUIRE(gf_io_write(path, &picture->image, &picture->metadata, &options, &error) == GF_OK);
        unsigned char *written = get_file(path, &size);
        REQUIRE(gf_io_read(path, NULL, &file, &error) == GF_OK);
        CHECK_EQ_INT(
            gf_io_write_memory(formats[i], &picture->image, &picture->metadata, NULL, &bytes, &held, &error),
            GF_OK);
        CHECK_MSG(held == size && !memcmp(bytes, written, size), "%s: other bytes in memory", formats[i]);
        const gf_byte_sink sink = sink_of(&out, NULL);
        CHECK_EQ_INT(write_stream(&sink, formats[i], picture, &error), GF_OK);
        CHECK_MSG(out.size == size && !memcmp(out.bytes, written, size), "%s: other bytes", formats[i]);
        gf_status status = gf_io_read_memory(bytes, held, NULL, NULL, &again, &error);
        same_as(file, status, again, &error, formats[i]);
        const size_t portions[] = {1, 7, 4099, size};
        for (int k = 0; k < 4; k++) {
            struct stream in = {.bytes = written, .size = size, .portion = portions[k]};
            gf_byte_source source = source_of(&in, NULL);
            source.size = k % 2 ? size : 0;
            status = read_stream(&source, &again, &error);
            same_as(file, status, again, &error, formats[i]);
        }
        gf_io_free_memory(bytes);
        free(written);
        free(out.bytes);
        gf_picture_destroy(&picture);
        gf_picture_destroy(&file);
    }
}

/* What a file of these bytes is refused with, memory and a function are: the same words behind the name. */
static void check_refusal(const unsigned char *bytes, size_t size, const gf_io_limits *limits)
{
    gf_error by_file = GF_ERROR_INIT, by_memory = GF_ERROR_INIT, by_function = GF_ERROR_INIT;
    gf_picture *picture = read_bytes(bytes, size, limits, &by_file);
    gf_reader *reader = NULL;
    CHECK(picture == NULL);
    CHECK_EQ_INT(gf_io_read_memory(bytes, size, "upload", limits, &picture, &by_memory), by_file.code);
    struct stream in = {.bytes = (unsigned char *)(uintptr_t)bytes, .size = size, .portion = 1000};
    gf_byte_source source = source_of(&in, "upload");
    source.size = size;
    gf_status status = gf_reader_open_callback(&source, limits, &reader, &by_function);
    status = status == GF_OK ? gf_reader_picture(reader, &picture, &by_function) : status;
    gf_reader_close(&reader);
    CHECK_EQ_INT(status, by_file.code);
    const char *words = strstr(by_file.message, "/bytes: ");
    CHECK_MSG(words && !strncmp(by_memory.message, "upload: ", 8) &&
                  !strcmp(by_memory.message + 8, words + 8),
              "%s, of the file %s", by_memory.message, by_file.message);
    CHECK_STR(by_function.message, by_memory.message);
}

static void cut_memory(void)
{
    for (int i = 0; i < FORMATS; i++) {
        gf_picture *picture = picture_for(formats[i], 9, 7);
        void *bytes = NULL;
        size_t size = 0;
        if (picture == NULL) {
            continue;
        }
        REQUIRE(gf_io_write_memory(formats[i], &picture->image, NULL, NULL, &bytes, &size, NULL) == GF_OK);
        for (size_t cut = 0; cut < size; cut++) {
            unsigned char *exact = malloc(cut + (cut == 0)); /* so that a sanitizer sees a byte beyond */
            memcpy(exact, bytes, cut);
            check_refusal(exact, cut, NULL);
            free(exact);
        }
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        limits.max_input_bytes = size - 1;
        check_refusal(bytes, size, &limits);
        limits.max_input_bytes = size;
        limits.max_width = 8;
        check_refusal(bytes, size, &limits);
        gf_io_free_memory(bytes);
        gf_picture_destroy(&picture);
    }
    check_refusal((const unsigned char *)"no picture", 10, NULL);
}

/* A function that does not say its size meets the limit when it has given as much. */
static void limit_of_unknown_size(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = picture_for("pnm", 40, 30);
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    struct stream in = {.portion = 100};
    void *bytes = NULL;
    gf_reader *reader = NULL;
    REQUIRE(gf_io_write_memory("pnm", &picture->image, NULL, NULL, &bytes, &in.size, &error) == GF_OK);
    in.bytes = bytes;
    limits.max_input_bytes = in.size - 1;
    const gf_byte_source source = source_of(&in, "a\nname");
    REQUIRE(gf_reader_open_callback(&source, &limits, &reader, &error) == GF_OK);
    CHECK_EQ_INT(gf_reader_info(reader)->file_bytes, 0);
    gf_picture_destroy(&picture);
    CHECK_EQ_INT(gf_reader_picture(reader, &picture, &error), GF_ERROR_LIMIT);
    CHECK_STR(error.message, "a?name: more bytes than max_input_bytes, 3612");
    gf_reader_close(&reader);
    gf_io_free_memory(bytes);
}

/* ---- rows ---- */

/* A chain of two sweeps in narrow bands from source to writer; the bytes in `out`. */
static void run_chain(gf_reader *reader, struct stream *out, int again)
{
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_writer *writer = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_source source = gf_reader_source(reader);
    CHECK_EQ_INT(source.again != NULL, again);
    options.device = GF_DEVICE_CPU;
    options.threads = 2;
    options.stream_rows = 16;
    options.memory_limit = again ? 200000 : 0; /* too little to hold the input from sweep to sweep */
    const gf_byte_sink sink = sink_of(out, NULL);
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status ? status : gf_pipeline_parse("equalize,blur:1", NULL, 0, &pipeline, &error);
    status = status ? status : gf_plan_create(context, pipeline, &source.shape, &options, &plan, &error);
    status = status ? status : gf_exec_create(plan, &exec, &error);
    gf_shape shape = plan != NULL ? gf_plan_output(plan) : source.shape;
    status = status ? status : gf_writer_open_callback(&sink, "png", &shape, NULL, NULL, &writer, &error);
    gf_sink rows = writer != NULL ? gf_writer_sink(writer) : (gf_sink){0};
    status = status ? status : gf_exec_stream(exec, &source, &rows, &error);
    status = status ? status : gf_reader_finish(reader, &error);
    status = status ? status : gf_writer_commit(&writer, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    gf_writer_abort(&writer);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

static void streams(void)
{
    gf_picture *picture = picture_for("png", 300, 400);
    gf_error error = GF_ERROR_INIT;
    struct stream in = {.portion = 1000}, in_again = {.portion = 77}, outs[3] = {{0}};
    void *bytes = NULL;
    gf_reader *reader = NULL;
    REQUIRE(gf_io_write_memory("png", &picture->image, NULL, NULL, &bytes, &in.size, &error) == GF_OK);
    in.bytes = bytes;
    in_again.bytes = bytes;
    in_again.size = in.size;
    REQUIRE(gf_reader_open_memory(bytes, in.size, NULL, NULL, &reader, &error) == GF_OK);
    CHECK_EQ_INT(gf_reader_info(reader)->file_bytes, in.size);
    run_chain(reader, &outs[0], 1);
    gf_reader_close(&reader);
    gf_byte_source source = source_of(&in, NULL);
    REQUIRE(gf_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
    run_chain(reader, &outs[1], 0);
    gf_reader_close(&reader);
    source = source_of(&in_again, NULL);
    source.again = give_again;
    REQUIRE(gf_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
    run_chain(reader, &outs[2], 1);
    CHECK(in_again.calls > 2 * (int)(in.size / 77)); /* it was read twice */
    gf_reader_close(&reader);
    for (int i = 0; i < 3; i++) {
        CHECK(outs[i].size > 0 && outs[i].size == outs[0].size &&
              !memcmp(outs[i].bytes, outs[0].bytes, outs[0].size));
    }
    for (int i = 0; i < 3; i++) {
        free(outs[i].bytes);
    }
    gf_io_free_memory(bytes);
    gf_picture_destroy(&picture);
}

/* A source that cannot begin again, though it said so. */
static void again_fails(void)
{
    gf_picture *picture = picture_for("npy", 30, 40);
    struct stream in = {.portion = 1000};
    void *bytes = NULL;
    REQUIRE(gf_io_write_memory("npy", &picture->image, NULL, NULL, &bytes, &in.size, NULL) == GF_OK);
    for (int said = 0; said < 2; said++) {
        gf_error error = GF_ERROR_INIT;
        gf_reader *reader = NULL;
        in = (struct stream){.bytes = bytes, .size = in.size, .portion = 1000};
        gf_byte_source source = source_of(&in, "spool");
        source.again = give_again;
        REQUIRE(gf_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
        in.status = GF_ERROR_DEVICE;
        in.text = said ? "the tape is torn" : NULL;
        gf_source rows = gf_reader_source(reader);
        CHECK_EQ_INT(rows.again(rows.user, &error), GF_ERROR_DEVICE);
        CHECK_EQ_INT(error.code, GF_ERROR_DEVICE);
        CHECK_STR(error.message,
                  said ? "the tape is torn" : "spool: its function to begin again failed: device failure");
        CHECK_EQ_INT(gf_reader_finish(reader, &error), GF_ERROR_ARGUMENT);
        gf_reader_close(&reader);
    }
    gf_io_free_memory(bytes);
    gf_picture_destroy(&picture);
}

/* ---- functions that fail ---- */

/* What a function fails with is what the call says, wherever it fails. */
static void reading_fails(void)
{
    for (int i = 0; i < FORMATS; i++) {
        gf_picture *picture = picture_for(formats[i], 33, 21), *none = NULL;
        struct stream in = {.size = 0};
        void *bytes = NULL;
        size_t size = 0;
        if (picture == NULL) {
            continue;
        }
        REQUIRE(gf_io_write_memory(formats[i], &picture->image, NULL, NULL, &bytes, &size, NULL) == GF_OK);
        for (int fails = 1; (size_t)fails * 13 < size; fails++) {
            const gf_status status = fails % 2 ? GF_ERROR_CANCELLED : GF_ERROR_OUTPUT;
            gf_error error = GF_ERROR_INIT;
            in = (struct stream){
                .bytes = bytes, .size = size, .portion = 13, .fails = fails, .status = status};
            in.text = fails % 3 ? NULL : "the line is cut";
            const gf_byte_source source = source_of(&in, "socket 5");
            CHECK_EQ_INT(read_stream(&source, &none, &error), status);
            CHECK_EQ_INT(error.code, status);
            CHECK_STR(error.message, in.text ? in.text
                                     : status == GF_ERROR_CANCELLED
                                         ? "socket 5: its read function failed: cancelled"
                                         : "socket 5: its read function failed: "
                                           "output not written");
        }
        CHECK_MSG(in.fails > 5, "%s: %d calls", formats[i], in.fails);
        gf_io_free_memory(bytes);
        gf_picture_destroy(&picture);
    }
}

static void writing_fails(void)
{
    for (int i = 0; i < FORMATS; i++) {
        gf_picture *picture = picture_for(formats[i], 500, 400); /* more than any buffer */
        gf_status status = GF_ERROR_OUTPUT;
        if (picture == NULL) {
            continue;
        }
        int fails = 0;
        while (status != GF_OK && fails < 1000) {
            gf_error error = GF_ERROR_INIT;
            struct stream out = {.fails = ++fails,
                                 .status = fails % 2 ? GF_ERROR_MEMORY : GF_ERROR_CANCELLED};
            out.text = fails % 3 ? "the peer went away" : NULL;
            const gf_byte_sink sink = sink_of(&out, "socket 6");
            status = write_stream(&sink, formats[i], picture, &error);
            CHECK(status == (out.calls < fails ? GF_OK : out.status) && status == error.code);
            CHECK_STR(error.message, status == GF_OK                 ? ""
                                     : out.text                      ? out.text
                                     : out.status == GF_ERROR_MEMORY ? "socket 6: its write function failed: "
                                                                       "out of memory"
                                                                     : "socket 6: its write function failed: "
                                                                       "cancelled");
            free(out.bytes);
        }
        CHECK_MSG(fails > 2 && fails < 1000, "%s: %d calls", formats[i], fails);
        gf_picture_destroy(&picture);
    }
}

static gf_status give_too_many(void *user, void *buffer, size_t size, size_t *got, gf_error *error)
{
    (void)user;
    (void)buffer;
    (void)error;
    *got = size + 1;
    return GF_OK;
}

static void too_many_bytes(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_reader *reader = NULL;
    const gf_byte_source source = {sizeof source, NULL, 0, give_too_many, NULL, NULL};
    CHECK_EQ_INT(gf_reader_open_callback(&source, NULL, &reader, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "input: its read function gave 131073 bytes for 131072");
}

/* A status that is none, from either function. */
static void no_status(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = picture_for("pnm", 3, 2), *none = NULL;
    struct stream in = {.fails = 1, .status = (gf_status)5}, out = {.fails = 1, .status = (gf_status)-12};
    const gf_byte_source source = source_of(&in, NULL);
    const gf_byte_sink sink = sink_of(&out, NULL);
    CHECK_EQ_INT(read_stream(&source, &none, &error), GF_ERROR_ARGUMENT);
    CHECK_STR(error.message, "input: its read function failed: it returned 5, which is no gf_status");
    CHECK_EQ_INT(write_stream(&sink, "pnm", picture, &error), GF_ERROR_ARGUMENT);
    CHECK_STR(error.message, "output: its write function failed: it returned -12, which is no gf_status");
    gf_picture_destroy(&picture);
}

/* A source that reads another picture of the same kind before it gives the next bytes. */
static gf_status give_within(void *user, void *buffer, size_t size, size_t *got, gf_error *error)
{
    struct stream *stream = user;
    gf_picture *picture = NULL;
    gf_status status = gf_io_read_memory(stream->bytes, stream->size, NULL, NULL, &picture, error);
    gf_picture_destroy(&picture);
    return status == GF_OK ? give(user, buffer, size, got, error) : status;
}

static void one_within_another(void)
{
    for (int i = 0; i < FORMATS; i++) {
        gf_picture *picture = picture_for(formats[i], 150, 100), *file = NULL, *again = NULL;
        gf_error error = GF_ERROR_INIT;
        struct stream in = {.portion = 5000};
        void *bytes = NULL;
        if (picture == NULL) {
            continue;
        }
        REQUIRE(gf_io_write_memory(formats[i], &picture->image, NULL, NULL, &bytes, &in.size, NULL) == GF_OK);
        REQUIRE(gf_io_read_memory(bytes, in.size, NULL, NULL, &file, &error) == GF_OK);
        in.bytes = bytes;
        gf_byte_source source = source_of(&in, NULL);
        source.read = give_within;
        gf_status status = read_stream(&source, &again, &error);
        same_as(file, status, again, &error, formats[i]);
        gf_io_free_memory(bytes);
        gf_picture_destroy(&file);
        gf_picture_destroy(&picture);
    }
    if (help_folder[0] != '\0') {
        remove_folder(help_folder);
    }
}

static const struct check_case cases[] = {
    {"every format, as through a file", every_format},
    {"memory that ends early, and limits", cut_memory},
    {"a limit where the size is not known", limit_of_unknown_size},
    {"rows of memory and functions through a plan", streams},
    {"a source that cannot begin again", again_fails},
    {"a function that fails to read", reading_fails},
    {"a function that fails to write", writing_fails},
    {"a function that gives too much", too_many_bytes},
    {"a function that returns no status", no_status},
    {"a function that reads pictures itself", one_within_another},
};

CHECK_MAIN(cases)
