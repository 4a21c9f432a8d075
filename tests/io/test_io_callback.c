/* Pictures in memory and through functions of the caller are what files give and take. */
#define _DEFAULT_SOURCE
#include "byte_stream.h"

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

/* Memory and a function are refused with what a file of these bytes is: the same words behind the name. */
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
        size = needed(formats[i], bytes, size);
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
    CHECK(gf_reader_source(reader).again != NULL);
    CHECK_MSG(run_chain(reader, &outs[0], &error) == GF_OK, "%s", error.message);
    gf_reader_close(&reader);
    gf_byte_source source = source_of(&in, NULL);
    REQUIRE(gf_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
    CHECK(gf_reader_source(reader).again == NULL);
    CHECK_MSG(run_chain(reader, &outs[1], &error) == GF_OK, "%s", error.message);
    gf_reader_close(&reader);
    source = source_of(&in_again, NULL);
    source.again = give_again;
    REQUIRE(gf_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
    CHECK_MSG(run_chain(reader, &outs[2], &error) == GF_OK, "%s", error.message);
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
    {"a function that reads pictures itself", one_within_another},
};

CHECK_MAIN(cases)
