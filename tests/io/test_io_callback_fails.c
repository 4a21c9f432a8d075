/* Functions of the caller that fail, or do what they must not, while a picture goes through them. */
#define _DEFAULT_SOURCE
#include "byte_stream.h"

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
        CHECK_STR(error.message, said ? "the tape is torn"
                                      : "spool: its function to begin again failed and did not say why");
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
        size = needed(formats[i], bytes, size);
        for (int fails = 1; (size_t)fails * 13 < size; fails++) {
            const gf_status status = fails % 2 ? GF_ERROR_CANCELLED : GF_ERROR_OUTPUT;
            gf_error error = GF_ERROR_INIT;
            in = (struct stream){
                .bytes = bytes, .size = size, .portion = 13, .fails = fails, .status = status};
            in.text = fails % 3 ? NULL : "the line is cut";
            const gf_byte_source source = source_of(&in, "socket 5");
            CHECK_EQ_INT(read_stream(&source, &none, &error), status);
            CHECK_EQ_INT(error.code, status);
            CHECK_STR(error.message,
                      in.text ? in.text : "socket 5: its read function failed and did not say why");
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
            CHECK_STR(error.message, status == GF_OK ? ""
                                     : out.text      ? out.text
                                                : "socket 6: its write function failed and did not say why");
            free(out.bytes);
        }
        CHECK_MSG(fails > 1 && fails < 1000, "%s: %d calls", formats[i], fails);
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
    CHECK_STR(error.message, "input: its read function returned 5, which is no gf_status");
    CHECK_EQ_INT(write_stream(&sink, "pnm", picture, &error), GF_ERROR_ARGUMENT);
    CHECK_STR(error.message, "output: its write function returned -12, which is no gf_status");
    gf_picture_destroy(&picture);
}

/* The same while rows go through a plan: on whatever thread it happens, the call says what the function said.
 */
static void streams_fail(void)
{
    gf_picture *picture = picture_for("npy", 300, 400);
    void *bytes = NULL;
    size_t size = 0;
    REQUIRE(gf_io_write_memory("npy", &picture->image, NULL, NULL, &bytes, &size, NULL) == GF_OK);
    for (int writing = 0; writing < 2; writing++) {
        gf_error error = GF_ERROR_INIT;
        struct stream in = {.bytes = bytes, .size = size, .portion = 1000}, out = {0};
        struct stream *stream = writing ? &out : &in;
        gf_reader *reader = NULL;
        stream->fails = writing ? 1 : 200;
        stream->status = writing ? GF_ERROR_CANCELLED : GF_ERROR_DEVICE;
        stream->text = "the line is cut";
        const gf_byte_source source = source_of(&in, NULL);
        REQUIRE(gf_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
        CHECK_EQ_INT(run_chain(reader, &out, &error), stream->status);
        CHECK_EQ_INT(error.code, stream->status);
        CHECK_STR(error.message, "the line is cut");
        gf_reader_close(&reader);
        free(out.bytes);
    }
    gf_io_free_memory(bytes);
    gf_picture_destroy(&picture);
}

static const struct check_case cases[] = {
    {"a source that cannot begin again", again_fails}, {"a function that fails to read", reading_fails},
    {"a function that fails to write", writing_fails}, {"a function that gives too much", too_many_bytes},
    {"a function that returns no status", no_status},  {"functions that fail behind a plan", streams_fail},
};

CHECK_MAIN(cases)
