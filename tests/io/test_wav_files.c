/* WAV in files, through functions and beyond 4 GiB, and calls to the system that fail. Linked with
 * -Wl,--wrap=write,--wrap=pwrite,--wrap=fsync,--wrap=rename,--wrap=read. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "signal_help.h"

#include <errno.h>

/* ---- calls that fail ---- */

static int calls, fail_at, fail_with; /* fail_at 0: never */

static int fails(void)
{
    calls++;
    errno = fail_with;
    return fail_at != 0 && (fail_with == EINTR ? calls == fail_at : calls >= fail_at);
}

/* Declares __wrap_NAME, which fails as it is told. */
#define WRAP(type, name, parameters, arguments)                                                              \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return fails() ? -1 : __real_##name arguments;                                                       \
    }

WRAP(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
WRAP(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
WRAP(ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, rename, (const char *from, const char *to), (from, to))

/* ---- where it goes ---- */

static void beyond_4_gib(void)
{
    struct bytes out = {NULL, 0, 0, 0, 0};
    gf_error error = GF_ERROR_INIT;
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    gf_signal_writer *writer = NULL;
    const gf_byte_sink sink = {sizeof sink, NULL, take_bytes, &out};
    static float silence[1 << 16];
    options.format = "wav";
    options.sample = GF_SIGNAL_S16;
    options.frames = INT64_C(1) << 40;
    REQUIRE(gf_signal_writer_open_callback(&sink, 2, 8000, &options, &writer, &error) == GF_OK);
    for (int i = 0; i < 3 && out.size == 0; i++) {
        CHECK_EQ_INT(gf_signal_writer_write(writer, silence, 1 << 15, 1 << 15, &error), GF_OK);
    }
    CHECK_EQ_INT(gf_signal_writer_commit(&writer, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "1099511627776 frames were promised");
    REQUIRE(out.size > 80);
    CHECK(memcmp(out.at, "RF64\xff\xff\xff\xffWAVEds64", 16) == 0 &&
          memcmp(out.at + 72, "data\xff\xff\xff\xff", 8) == 0);
    out.portion = 1000;
    const gf_byte_source source = {sizeof source, NULL, 0, give_bytes, NULL, &out};
    gf_signal_reader *reader = NULL;
    REQUIRE(gf_signal_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
    CHECK_EQ_INT(gf_signal_reader_info(reader)->frames, INT64_C(1) << 40);
    CHECK_EQ_INT(gf_signal_reader_again(reader, &error), GF_ERROR_UNSUPPORTED);
    gf_signal_reader_close(&reader);
    free(out.at);
}

static void files(void)
{
    float data[] = {0.25f, -0.5f, 1, 0, 0.125f, 0.5f};
    gf_error error = GF_ERROR_INIT;
    gf_signal_writer *writer = NULL;
    gf_signal_reader *reader = NULL;
    size_t size = 0;
    REQUIRE(gf_signal_writer_open(in_folder("a.wav"), 2, 44100, NULL, &writer, &error) == GF_OK);
    CHECK_EQ_INT(gf_signal_writer_write(writer, data, 3, 2, &error), GF_OK);
    gf_signal_writer_abort(&writer);
    CHECK_EQ_INT(count_entries(help_folder), 0);
    REQUIRE(gf_signal_writer_open(in_folder("a.wav"), 2, 44100, NULL, &writer, &error) == GF_OK);
    CHECK_EQ_INT(gf_signal_writer_write(writer, data, 3, 2, &error), GF_OK);
    CHECK_EQ_INT(gf_signal_writer_write(writer, data + 2, 3, 1, &error), GF_OK);
    CHECK_EQ_INT(gf_signal_writer_commit(&writer, &error), GF_OK);
    CHECK(writer == NULL && count_entries(help_folder) == 1);
    unsigned char *bytes = get_file(in_folder("a.wav"), &size);
    CHECK(size == 94 + 24 && memcmp(bytes + 4, "\x6e\0\0\0WAVEJUNK", 12) == 0);
    free(bytes);
    REQUIRE(gf_signal_reader_open(in_folder("a.wav"), NULL, &reader, &error) == GF_OK);
    for (int time = 0; time < 3; time++) {
        struct heard heard = {.error = GF_ERROR_INIT};
        hear_reader(reader, 2, &heard);
        CHECK(heard.status == GF_OK && heard.frames == 3 && memcmp(heard.data, data, sizeof data) == 0);
        forget(&heard);
        CHECK_EQ_INT(gf_signal_reader_again(reader, &error), GF_OK);
    }
    CHECK(put_file(in_folder("a.wav"), "x", 1));
    CHECK_EQ_INT(gf_signal_reader_again(reader, &error), GF_ERROR_INPUT);
    gf_signal_reader_close(&reader);
    CHECK_EQ_INT(gf_signal_writer_open(in_folder("none/a.wav"), 2, 44100, NULL, &writer, &error),
                 GF_ERROR_OUTPUT);
    CHECK(writer == NULL);
    unlink(in_folder("a.wav"));
}

/* Functions that fail, at every one of their calls. */
static void functions_that_fail(void)
{
    static float data[60000];
    gf_error error = GF_ERROR_INIT;
    struct bytes whole = {NULL, 0, 0, 0, 0};
    for (size_t i = 0; i < 60000; i++) {
        data[i] = (float)i / 60000;
    }
    CHECK_EQ_INT(say(data, 2, 30000, 8000, NULL, 1000, &whole, &error), GF_OK);
    for (size_t at = 1; at < whole.size; at += 20000) {
        struct bytes out = {NULL, 0, 0, 0, at};
        CHECK_EQ_INT(say(data, 2, 30000, 8000, NULL, 1000, &out, &error), GF_ERROR_OUTPUT);
        CHECK_STR_HAS(error.message, "sink");
        free(out.at);
        struct bytes in = {whole.at, whole.size, 0, 5000, at};
        const gf_byte_source source = {sizeof source, "source", 0, give_bytes, NULL, &in};
        gf_signal_reader *reader = NULL;
        struct heard heard = {.error = GF_ERROR_INIT};
        REQUIRE(gf_signal_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
        hear_reader(reader, 1000, &heard);
        CHECK_EQ_INT(heard.status, GF_ERROR_INPUT);
        CHECK_STR_HAS(heard.error.message, "source");
        CHECK(memcmp(heard.data, data, (size_t)heard.frames * 4) == 0);
        gf_signal_reader_close(&reader);
        forget(&heard);
    }
    free(whole.at);
}

/* A WAV is written, and read. */
static gf_status write_and_read(const float *data, int64_t *frames, gf_error *error)
{
    gf_signal_writer *writer = NULL;
    gf_signal_reader *reader = NULL;
    static float back[60000];
    gf_status status = gf_signal_writer_open(in_folder("a.wav"), 2, 44100, NULL, &writer, error);
    status = status == GF_OK ? gf_signal_writer_write(writer, data, 30000, 30000, error) : status;
    status = status == GF_OK ? gf_signal_writer_commit(&writer, error) : status;
    gf_signal_writer_abort(&writer);
    if (status == GF_OK) {
        *frames = 0;
        status = gf_signal_reader_open(in_folder("a.wav"), NULL, &reader, error);
        status = status == GF_OK ? gf_signal_reader_read(reader, back, 30000, 30000, frames, error) : status;
        gf_signal_reader_close(&reader);
        CHECK(status != GF_OK || memcmp(back, data, sizeof back) == 0);
    }
    return status;
}

/* Every call to the system fails in turn, from there on, or once as after a signal. */
static void calls_that_fail(void)
{
    static float data[60000];
    for (size_t i = 0; i < 60000; i++) {
        data[i] = (float)i / 60000;
    }
    for (fail_with = EIO; fail_with != 0; fail_with = fail_with == EIO ? EINTR : 0) {
        for (int at = 1; at < 100; at++) {
            gf_error error = GF_ERROR_INIT;
            int64_t frames = -1;
            unlink(in_folder("a.wav"));
            calls = 0;
            fail_at = at;
            const gf_status status = write_and_read(data, &frames, &error);
            fail_at = 0;
            const bool reached = calls >= at;
            const bool renamed = status == GF_OK || status == GF_ERROR_INPUT ||
                                 strstr(error.message, "its folder cannot be synced");
            CHECK_MSG(!reached || fail_with == EINTR
                          ? status == GF_OK || strstr(error.message, "in place") != NULL
                          : status == GF_ERROR_OUTPUT || status == GF_ERROR_INPUT,
                      "call %d: %d %s", at, (int)status, error.message);
            CHECK_MSG(count_entries(help_folder) == renamed, "call %d: %s: something is left", at,
                      error.message);
            if (!reached) {
                CHECK_MSG(at > 8, "only %d calls", at);
                break;
            }
        }
    }
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"beyond 4 GiB", beyond_4_gib},
    {"files", files},
    {"functions that fail", functions_that_fail},
    {"calls that fail", calls_that_fail},
};

CHECK_MAIN(cases)
