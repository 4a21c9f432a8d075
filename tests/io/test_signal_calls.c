/* The calls that all formats of signals share, and what they refuse. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "signal_help.h"

static void formats(void)
{
    const gf_signal_format *format = NULL;
    gf_error error = GF_ERROR_INIT;
    int count = 0;
    for (; gf_signal_io_format((size_t)count) != NULL; count++) {
        const gf_signal_format *listed = gf_signal_io_format((size_t)count);
        CHECK(gf_signal_io_format_for("x", listed->name, &format, NULL) == GF_OK && format == listed);
    }
    CHECK_EQ_INT(count, 7);
    CHECK(gf_signal_io_format_for("a/b.WAV", NULL, &format, NULL) == GF_OK &&
          strcmp(format->name, "wav") == 0);
    CHECK(gf_signal_io_format_for("-", "s16le:4:1", &format, NULL) == GF_OK &&
          strcmp(format->name, "raw") == 0);
    CHECK(gf_signal_io_format_for("-", "f32be", &format, NULL) == GF_OK && strcmp(format->name, "raw") == 0);
    CHECK_EQ_INT(gf_signal_io_format_for("x.png", NULL, &format, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "x.png: \"png\" is no format of signals; valid are wav, ");
    CHECK_EQ_INT(gf_signal_io_format_for("-", NULL, &format, &error), GF_ERROR_UNSUPPORTED);
    static const char rf64[] = "BW64\xff\xff\xff\xffWAVEds64", png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    CHECK(gf_signal_io_format_of(rf64, 16) && strcmp(gf_signal_io_format_of(rf64, 16)->name, "wav") == 0);
    CHECK(!gf_signal_io_format_of(rf64, 11) && !gf_signal_io_format_of(png, 16) &&
          !gf_signal_io_format_of(NULL, 0));
    CHECK_STR(gf_signal_sample_name(GF_SIGNAL_S24), "s24");
    CHECK_STR(gf_signal_sample_name((gf_signal_sample)77), "?");
    struct heard heard;
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    hear("\1\2\3", 3, "x.wav", NULL, 1, &heard);
    CHECK_STR(heard.error.message, "x.wav: is not the wav that its name says");
    hear("\1\2\3", 3, "x", NULL, 1, &heard);
    CHECK_STR_HAS(heard.error.message, "x: not a signal that is known by its first bytes");
    options.rate = -1;
    hear("1\n", 2, "x", &options, 1, &heard);
    CHECK_EQ_INT(heard.status, GF_ERROR_ARGUMENT);
    options.rate = 9;
    options.format = "u8:8";
    hear("1\n", 2, "x", &options, 1, &heard);
    CHECK_STR_HAS(heard.error.message, "says that its rate is 8 Hz, and another one is given");
    options.rate = 0;
    options.columns = "1";
    hear("1\n", 2, "x", &options, 1, &heard);
    CHECK_STR_HAS(heard.error.message, "columns are of csv and tsv");
}

static void what_is_not_written(void)
{
    static const struct {
        const char *format;
        double rate;
        int32_t channels, bits;
        gf_signal_sample sample;
        gf_status status;
        const char *text;
    } bad[] = {
        {"wav", 0, 1, 0, 0, GF_ERROR_UNSUPPORTED, "a WAV says its rate"},
        {"wav", 44100.5, 1, 0, 0, GF_ERROR_UNSUPPORTED, "the nearest are 44100 and 44101"},
        {"wav", 5e9, 1, 0, 0, GF_ERROR_UNSUPPORTED, "a whole number of Hz up to 4294967295"},
        {"wav", 8000, 1, 0, GF_SIGNAL_S8, GF_ERROR_UNSUPPORTED, "wav does not hold samples of s8"},
        {"wav", 8000, 1, 0, GF_SIGNAL_TEXT, GF_ERROR_UNSUPPORTED, "samples of text"},
        {"wav", 8000, 1, 0, (gf_signal_sample)77, GF_ERROR_UNSUPPORTED, "samples of ?"},
        {"csv", 8000, 1, 0, GF_SIGNAL_F32, GF_ERROR_UNSUPPORTED, "csv does not hold samples of f32"},
        {"wav", 8000, 1, 8, 0, GF_ERROR_ARGUMENT, "8 bits of samples of f32"},
        {"wav", 8000, 1, 17, GF_SIGNAL_S16, GF_ERROR_ARGUMENT, "17 bits of samples of s16"},
        {"w64", 8000, 1, 0, 0, GF_ERROR_UNSUPPORTED, "does not write w64"},
        {"mp3", 8000, 1, 0, 0, GF_ERROR_UNSUPPORTED, "\"mp3\" is no format of signals"},
        {"wav", -1, 1, 0, 0, GF_ERROR_ARGUMENT, "a rate of -1 Hz"},
        {"wav", 8000, 0, 0, 0, GF_ERROR_ARGUMENT, "0 channels (1 to 1024)"},
        {"wav", 8000, 1025, 0, 0, GF_ERROR_ARGUMENT, "1025 channels (1 to 1024)"},
    };
    const float one = 1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bytes out = {NULL, 0, 0, 0, 0};
        gf_error error = GF_ERROR_INIT;
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        options.format = bad[i].format;
        options.sample = bad[i].sample;
        options.bits = bad[i].bits;
        CHECK_EQ_INT(say(&one, bad[i].channels, 1, bad[i].rate, &options, 1, &out, &error), bad[i].status);
        CHECK_MSG(strstr(error.message, bad[i].text), "%s, not %s", error.message, bad[i].text);
        CHECK(out.size == 0);
    }
}

/* NULL, empty and wrong arguments. */
static void arguments(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_signal_reader *reader = NULL;
    gf_signal_writer *writer = NULL;
    const gf_signal_format *format;
    const gf_signal_read_options no_read = {0};
    const gf_signal_write_options no_write = {0};
    const gf_byte_source no_source = GF_BYTE_SOURCE_INIT;
    const gf_byte_sink no_sink = GF_BYTE_SINK_INIT;
    float data[4];
    int64_t got;
#define REFUSED(call)                                                                                        \
    do {                                                                                                     \
        error = (gf_error)GF_ERROR_INIT;                                                                     \
        CHECK_MSG((call) == GF_ERROR_ARGUMENT && error.message[0] != '\0', "%s: %s", #call, error.message);  \
    } while (0)
    REFUSED(gf_signal_io_format_for(NULL, "wav", &format, &error));
    REFUSED(gf_signal_io_format_for("x", "wav", NULL, &error));
    REFUSED(gf_signal_reader_open(NULL, NULL, &reader, &error));
    REFUSED(gf_signal_reader_open("", NULL, &reader, &error));
    REFUSED(gf_signal_reader_open("x.wav", NULL, NULL, &error));
    REFUSED(gf_signal_reader_open("x.wav", &no_read, &reader, &error));
    REFUSED(gf_signal_reader_open_memory(NULL, 1, NULL, NULL, &reader, &error));
    REFUSED(gf_signal_reader_open_memory("1", 1, NULL, NULL, NULL, &error));
    REFUSED(gf_signal_reader_open_callback(NULL, NULL, &reader, &error));
    REFUSED(gf_signal_reader_open_callback(&no_source, NULL, &reader, &error));
    REFUSED(gf_signal_reader_read(NULL, data, 1, 1, &got, &error));
    REFUSED(gf_signal_reader_again(NULL, &error));
    REFUSED(gf_signal_writer_open(NULL, 1, 1, NULL, &writer, &error));
    REFUSED(gf_signal_writer_open("", 1, 1, NULL, &writer, &error));
    REFUSED(gf_signal_writer_open("/tmp/x.wav", 1, 1, NULL, NULL, &error));
    REFUSED(gf_signal_writer_open("/tmp/x.wav", 1, 1, &no_write, &writer, &error));
    REFUSED(gf_signal_writer_open_callback(NULL, 1, 1, NULL, &writer, &error));
    REFUSED(gf_signal_writer_open_callback(&no_sink, 1, 1, NULL, &writer, &error));
    REFUSED(gf_signal_writer_write(NULL, data, 1, 1, &error));
    REFUSED(gf_signal_writer_commit(NULL, &error));
    REFUSED(gf_signal_writer_commit(&writer, &error));
    CHECK(reader == NULL && writer == NULL);
    CHECK(gf_signal_reader_info(NULL) == NULL && gf_signal_reader_note(NULL) == NULL);
    CHECK(gf_signal_writer_clipped(NULL) == 0);
    gf_signal_reader_close(NULL);
    gf_signal_reader_close(&reader);
    gf_signal_writer_abort(NULL);
    gf_signal_writer_abort(&writer);
    REQUIRE(gf_signal_reader_open_memory("1\n2\n", 4, NULL, NULL, &reader, &error) == GF_OK);
    REFUSED(gf_signal_reader_read(reader, data, 1, 1, NULL, &error));
    REFUSED(gf_signal_reader_read(reader, NULL, 1, 1, &got, &error));
    REFUSED(gf_signal_reader_read(reader, data, 1, 2, &got, &error));
    REFUSED(gf_signal_reader_read(reader, data, 1, -1, &got, &error));
    REFUSED(gf_signal_reader_read(reader, data, INT64_MAX, 1, &got, &error));
    CHECK(gf_signal_reader_read(reader, NULL, 0, 0, &got, &error) == GF_OK && got == 0);
    CHECK(gf_signal_reader_read(reader, data, 4, 4, &got, &error) == GF_OK && got == 2 && data[1] == 2);
    gf_signal_reader_close(&reader);
    struct bytes out = {NULL, 0, 0, 0, 0};
    const gf_byte_sink sink = {sizeof sink, NULL, take_bytes, &out};
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    options.format = "csv";
    REQUIRE(gf_signal_writer_open_callback(&sink, 1, 1, &options, &writer, &error) == GF_OK);
    REFUSED(gf_signal_writer_write(writer, NULL, 1, 1, &error));
    REFUSED(gf_signal_writer_write(writer, data, 1, 2, &error));
    REFUSED(gf_signal_writer_write(writer, data, 1, -1, &error));
    REFUSED(gf_signal_writer_write(writer, data, INT64_MAX, 1, &error));
    CHECK(gf_signal_writer_write(writer, NULL, 0, 0, &error) == GF_OK);
    CHECK(gf_signal_writer_write(writer, data, 2, 2, &error) == GF_OK);
    CHECK(gf_signal_writer_commit(&writer, &error) == GF_OK && out.size == 4 &&
          memcmp(out.at, "1\n2\n", 4) == 0);
    free(out.at);
}

static const struct check_case cases[] = {
    {"formats", formats},
    {"what is not written", what_is_not_written},
    {"arguments", arguments},
};

CHECK_MAIN(cases)
