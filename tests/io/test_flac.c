/* FLAC: what is written is read again, bit for bit, and what is damaged is refused. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "signal_help.h"

static bool has_flac(void)
{
    const gf_signal_format *format = NULL;
    return gf_signal_io_format_for("x.flac", NULL, &format, NULL) == GF_OK && format->samples != 0;
}

#define NEED_FLAC()                                                                                          \
    if (!has_flac()) {                                                                                       \
        SKIP("this build has no FLAC");                                                                      \
    }

/* Frames that a sample of so many bits holds: noise, and both ends. */
static void fill(float *data, int64_t count, int32_t bits)
{
    const float full = (float)(INT64_C(1) << (bits - 1));
    uint32_t state = 7;
    for (int64_t i = 0; i < count; i++) {
        data[i] = ((float)(draw(&state) & ((1u << (bits < 24 ? bits : 24)) - 1)) - full) / full;
    }
    data[0] = -1;
    data[1] = (full - 1) / full;
}

static void there_and_back(void)
{
    NEED_FLAC();
    static const struct {
        gf_signal_sample sample;
        int32_t bits, channels;
        int64_t frames, portion;
        double rate;
    } ways[] = {{GF_SIGNAL_S16, 0, 1, 5000, 4999, 44100}, {GF_SIGNAL_S24, 0, 2, 9001, 100, 192000},
                {GF_SIGNAL_S24, 20, 3, 4096, 4096, 8000}, {GF_SIGNAL_U8, 0, 8, 77, 1, 1},
                {GF_SIGNAL_S16, 12, 2, 2, 2, 655350},     {GF_SIGNAL_DEFAULT, 0, 1, 20000, 20000, 11025}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const int32_t full = ways[i].sample == GF_SIGNAL_U8 ? 8 : ways[i].sample == GF_SIGNAL_S16 ? 16 : 24;
        const int32_t bits = ways[i].bits > 0 ? ways[i].bits : full;
        const int64_t count = ways[i].frames * ways[i].channels;
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        struct bytes out = {NULL, 0, 0, 0, 0}, other = {NULL, 0, 0, 0, 0};
        struct heard heard;
        gf_error error = GF_ERROR_INIT;
        float *data = malloc((size_t)count * sizeof *data);
        fill(data, count, bits);
        options.format = "flac";
        options.sample = ways[i].sample;
        options.bits = ways[i].bits;
        options.frames = ways[i].frames;
        options.speakers = 0x30 >> (i % 3); /* two of them */
        CHECK_MSG(say(data, ways[i].channels, ways[i].frames, ways[i].rate, &options, ways[i].portion, &out,
                      &error) == GF_OK,
                  "%s", error.message);
        CHECK(say(data, ways[i].channels, ways[i].frames, ways[i].rate, &options, ways[i].frames, &other,
                  &error) == GF_OK);
        CHECK(out.size == other.size && memcmp(out.at, other.at, out.size) == 0);
        hear(out.at, out.size, NULL, NULL, 1000, &heard);
        CHECK_MSG(heard.status == GF_OK, "%s", heard.error.message);
        CHECK(heard.frames == ways[i].frames && heard.info.frames == heard.frames &&
              heard.info.channels == ways[i].channels && heard.info.rate == ways[i].rate &&
              heard.info.bits == bits && heard.note[0] == '\0' &&
              heard.info.speakers == (ways[i].channels == 2 ? options.speakers : 0));
        CHECK(heard.frames != ways[i].frames || memcmp(heard.data, data, (size_t)count * sizeof *data) == 0);
        forget(&heard);
        free(out.at);
        free(other.at);
        free(data);
    }
}

/* To a file: the checksum is there, and the first frame comes again. */
static void a_file(void)
{
    NEED_FLAC();
    char folder[] = "/tmp/flac.XXXXXX", path[64];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/x.flac", folder);
    enum { FRAMES = 10000 };
    float *data = malloc(FRAMES * sizeof *data), *back = malloc(FRAMES * sizeof *back);
    fill(data, FRAMES, 24);
    gf_signal_writer *writer = NULL;
    gf_signal_reader *reader = NULL;
    gf_error error = GF_ERROR_INIT;
    CHECK(gf_signal_writer_open(path, 1, 48000, NULL, &writer, &error) == GF_OK);
    CHECK(gf_signal_writer_write(writer, data, FRAMES, FRAMES, &error) == GF_OK);
    CHECK(gf_signal_writer_commit(&writer, &error) == GF_OK);
    CHECK(gf_signal_reader_open(path, NULL, &reader, &error) == GF_OK);
    for (int64_t first = 1234, i = 0; i < 3 && reader != NULL; i++, first = FRAMES) {
        int64_t got = 0;
        CHECK_MSG(gf_signal_reader_read(reader, back, FRAMES, first, &got, &error) == GF_OK, "%s",
                  error.message);
        CHECK(got == first && memcmp(back, data, (size_t)got * sizeof *data) == 0);
        CHECK(first < FRAMES ||
              (gf_signal_reader_read(reader, back, 1, 1, &got, &error) == GF_OK && got == 0));
        CHECK_MSG(gf_signal_reader_again(reader, &error) == GF_OK, "%s", error.message);
    }
    CHECK(reader != NULL && gf_signal_reader_info(reader)->frames == FRAMES);
    gf_signal_reader_close(&reader);
    FILE *file = fopen(path, "r+b");
    unsigned char head[42] = {0}, none[16] = {0};
    CHECK(file != NULL && fread(head, 1, sizeof head, file) == sizeof head);
    CHECK(memcmp(head + 26, none, sizeof none) != 0);
    head[30] ^= 1; /* another checksum of all samples */
    rewind(file);
    fwrite(head, 1, sizeof head, file);
    fclose(file);
    CHECK(gf_signal_reader_open(path, NULL, &reader, &error) == GF_OK);
    int64_t got = 0;
    CHECK(gf_signal_reader_read(reader, back, FRAMES, FRAMES, &got, &error) == GF_OK && got == FRAMES);
    CHECK(gf_signal_reader_read(reader, back, FRAMES, FRAMES, &got, &error) == GF_ERROR_INPUT &&
          strstr(error.message, "another checksum"));
    gf_signal_reader_close(&reader);
    remove(path);
    remove(folder);
    free(data);
    free(back);
}

static void make_small(struct bytes *out, float data[200])
{
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    fill(data, 200, 16);
    options.format = "flac";
    options.sample = GF_SIGNAL_S16;
    options.frames = 100;
    CHECK(say(data, 2, 100, 8000, &options, 100, out, &error) == GF_OK);
}

static void every_cut(void)
{
    NEED_FLAC();
    struct bytes out = {NULL, 0, 0, 0, 0};
    float data[200];
    make_small(&out, data);
    for (size_t cut = 0; cut < out.size; cut++) {
        struct heard heard;
        hear(out.at, cut, "x.flac", NULL, 30, &heard);
        CHECK_MSG(heard.status == GF_ERROR_INPUT && strncmp(heard.error.message, "x.flac: ", 8) == 0,
                  "%d bytes: %d %s", (int)cut, (int)heard.status, heard.error.message);
        forget(&heard);
    }
    free(out.at);
}

static void bytes_at_random(void)
{
    NEED_FLAC();
    struct bytes out = {NULL, 0, 0, 0, 0};
    float data[200];
    uint32_t state = 11;
    int refused = 0;
    make_small(&out, data);
    unsigned char *bad = malloc(out.size);
    for (int i = 0; i < 5000; i++) {
        struct heard heard;
        memcpy(bad, out.at, out.size);
        for (unsigned n = 1 + draw(&state) % 4; n > 0; n--) {
            bad[draw(&state) % out.size] = (unsigned char)draw(&state);
        }
        hear(bad, out.size, "x.flac", NULL, 30, &heard);
        CHECK_MSG(heard.status == GF_OK || heard.status == GF_ERROR_INPUT, "%s", heard.error.message);
        refused += heard.status != GF_OK;
        forget(&heard);
    }
    CHECK_MSG(refused > 4000, "%d refused", refused);
    free(bad);
    free(out.at);
}

static void refusals(void)
{
    NEED_FLAC();
    static const struct {
        gf_signal_sample sample;
        int32_t channels;
        double rate;
        const char *text;
    } bad[] = {{GF_SIGNAL_S16, 9, 8000, "1 to 8 channels"},
               {GF_SIGNAL_S16, 1, 0, "at a rate of 1 to 655350"},
               {GF_SIGNAL_S16, 1, 44100.5, "whole number"},
               {GF_SIGNAL_S16, 1, 655351, "655350"},
               {GF_SIGNAL_F32, 1, 8000, "does not hold samples of f32"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        struct bytes out = {NULL, 0, 0, 0, 0};
        gf_error error = GF_ERROR_INIT;
        const float zero[9] = {0};
        options.format = "flac";
        options.sample = bad[i].sample;
        CHECK(say(zero, bad[i].channels, 1, bad[i].rate, &options, 1, &out, &error) == GF_ERROR_UNSUPPORTED);
        CHECK_MSG(strstr(error.message, bad[i].text), "%s", error.message);
        free(out.at);
    }
}

/* Of a sink that fails somewhere comes an error, not a file. */
static void a_sink_that_fails(void)
{
    NEED_FLAC();
    enum { FRAMES = 40000 };
    float *data = malloc(FRAMES * sizeof *data);
    fill(data, FRAMES, 24);
    for (size_t at = 1; at < 110000; at += 9973) {
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        struct bytes out = {NULL, 0, 0, 0, at};
        gf_error error = GF_ERROR_INIT;
        options.format = "flac";
        const gf_status status = say(data, 1, FRAMES, 8000, &options, 5000, &out, &error);
        CHECK_MSG(status == GF_ERROR_OUTPUT, "at %d: %d %s", (int)at, (int)status, error.message);
        free(out.at);
    }
    free(data);
}

static const struct check_case cases[] = {
    {"there and back", there_and_back}, {"a file, twice", a_file},
    {"every cut", every_cut},           {"bytes at random", bytes_at_random},
    {"what is refused", refusals},      {"a sink that fails", a_sink_that_fails},
};

CHECK_MAIN(cases)
