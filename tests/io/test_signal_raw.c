/* Raw samples and arrays of NumPy as signals. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "signal_help.h"

/* ---- raw samples ---- */

static void raw(void)
{
    static const unsigned char bytes[] = {0x00, 0x80, 0xff, 0x7f, 0x00, 0x40, 0x3f, 0x80, 0, 0, 0, 0};
    static const struct {
        const char *format;
        double rate;
        int32_t channels;
        int64_t frames;
        float first, last;
    } good[] = {
        {"s16le:48000:2", 48000, 2, 3, -1, 0},
        {"s16be:44.1kHz", 44100, 1, 6, 128 / 32768.0f, 0},
        {"u8", 1000, 1, 12, -1, -1},
        {"s8:8000:3", 8000, 3, 4, 0, 0},
        {"s24be:1:2", 1, 2, 2, 0x0080ff / 8388608.0f, 0},
        {"s32le", 1000, 1, 3, 0x7fff8000 * 0x1p-31f, 0},
        {"f32be:8000:3", 8000, 3, 1, 0, 0},
    };
    struct heard heard;
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        options.format = good[i].format;
        options.rate = strchr(good[i].format, ':') ? 0 : 1000;
        hear(bytes, sizeof bytes, NULL, &options, 2, &heard);
        CHECK_MSG(heard.status == GF_OK && heard.info.rate == good[i].rate &&
                      heard.info.channels == good[i].channels && heard.frames == good[i].frames &&
                      heard.info.frames == good[i].frames,
                  "%s: %s", good[i].format, heard.error.message);
        if (heard.status == GF_OK && good[i].format[0] != 'f') {
            CHECK_MSG(heard.data[0] == good[i].first, "%s: %.9g", good[i].format, heard.data[0]);
            CHECK_MSG(heard.data[heard.frames * heard.info.channels - 1] == good[i].last, "%s",
                      good[i].format);
        }
        forget(&heard);
    }
    static const char *const bad[] = {"s16le:",      "s16le:0", "s16le:-1",   "s16le:4:0", "s16le:4:1025",
                                      "s16le:4:2:",  "s16:4",   "s8le:4",     "x:1",       "s16le:4:1.5",
                                      "s16le:1e999", ":",       "s16le:4kHzx"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        options.format = bad[i];
        options.rate = 0;
        hear(bytes, sizeof bytes, NULL, &options, 2, &heard);
        CHECK_MSG(heard.status == GF_ERROR_UNSUPPORTED && strstr(heard.error.message, "as s16le:48000:2") &&
                      strstr(heard.error.message, bad[i]),
                  "%s: %s", bad[i], heard.error.message);
    }
    options.format = "raw";
    hear(bytes, sizeof bytes, NULL, &options, 2, &heard);
    CHECK(heard.status == GF_ERROR_ARGUMENT);
    options.format = "s16";
    hear(bytes, sizeof bytes, NULL, &options, 2, &heard);
    CHECK(heard.status == GF_ERROR_UNSUPPORTED);
    options.format = "f64le";
    hear(bytes, sizeof bytes, NULL, &options, 2, &heard);
    CHECK(heard.status == GF_ERROR_INPUT && heard.frames == 1);
    CHECK_STR(heard.error.message, "memory: ends within a frame, 4 bytes behind the last whole one");
    forget(&heard);
}

static void raw_there_and_back(void)
{
    static const char *const formats[] = {"u8:9:3",    "s8:9:3",    "s16le:9:3", "s16be:9:3",
                                          "s24le",     "s24be:9",   "s32le:9:3", "s32be:9:3",
                                          "f32le:9:3", "f32be:9:3", "f64le:9:3", "f64be:9:3"};
    float data[3 * 50];
    for (int i = 0; i < 150; i++) {
        data[i] = (float)(i - 75) / 128;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct bytes out = {NULL, 0, 0, 0, 0};
        struct heard heard;
        gf_error error = GF_ERROR_INIT;
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        gf_signal_read_options read = GF_SIGNAL_READ_OPTIONS_INIT;
        char format[32];
        snprintf(format, sizeof format, "%.6s:9:3", formats[i]);
        format[strcspn(format, ":")] = '\0';
        strcat(format, ":9:3");
        options.format = formats[i];
        read.format = format;
        CHECK_MSG(say(data, 3, 50, 9, &options, 7, &out, &error) == GF_OK, "%s", error.message);
        hear(out.at, out.size, NULL, &read, 11, &heard);
        CHECK_MSG(heard.frames == 50 && memcmp(heard.data, data, sizeof data) == 0, "%s: %s", formats[i],
                  heard.error.message);
        forget(&heard);
        free(out.at);
        out = (struct bytes){NULL, 0, 0, 0, 0};
        options.format = "s16le:10";
        CHECK_EQ_INT(say(data, 3, 50, 9, &options, 7, &out, &error), GF_ERROR_ARGUMENT);
    }
}

/* ---- npy ---- */

static size_t make_npy(unsigned char *file, const char *descr, const char *order, const char *shape,
                       const void *samples, size_t size)
{
    char text[128];
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape);
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memset(file + 10, ' ', 118);
    memcpy(file + 10, text, strlen(text));
    file[127] = '\n';
    memcpy(file + 128, samples, size);
    return 128 + size;
}

static void arrays(void)
{
    static const struct {
        const char *descr, *bytes;
        size_t size;
        float first, second;
    } types[] = {
        {"|b1", "\1\0", 2, 1, 0},
        {"|u1", "\xff\1", 2, 255, 1},
        {"|i1", "\xff\1", 2, -1, 1},
        {"<u2", "\xff\xff\1\0", 4, 65535, 1},
        {">u2", "\xff\xff\0\1", 4, 65535, 1},
        {"<i2", "\xfe\xff\1\0", 4, -2, 1},
        {">i2", "\xff\xfe\0\1", 4, -2, 1},
        {">f2", "\x3c\0\xc0\0", 4, 1, -2},
        {"<u4", "\0\0\0\x80\1\0\0\0", 8, 2147483648.0f, 1},
        {">i4", "\x80\0\0\0\0\0\0\1", 8, -2147483648.0f, 1},
        {"<f4", "\0\0\x80\x3f\0\0\0\xc0", 8, 1, -2},
        {">f4", "\x3f\x80\0\0\xc0\0\0\0", 8, 1, -2},
        {"<f8", "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0", 16, 1, -2},
        {">i8", "\0\0\0\0\0\0\1\0\xff\xff\xff\xff\xff\xff\xff\xff", 16, 256, -1},
    };
    unsigned char file[1024];
    struct heard heard;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t size = make_npy(file, types[i].descr, "False", "(2,)", types[i].bytes, types[i].size);
        hear(file, size, NULL, NULL, 5, &heard);
        CHECK_MSG(heard.status == GF_OK && heard.frames == 2 && heard.info.channels == 1 &&
                      heard.info.frames == 2 && heard.data[0] == types[i].first &&
                      heard.data[1] == types[i].second,
                  "%s: %s", types[i].descr, heard.error.message);
        forget(&heard);
        for (size_t cut = 0; cut < size; cut++) {
            hear(file, cut, "x.npy", NULL, 5, &heard);
            CHECK_MSG(heard.status == GF_ERROR_INPUT, "%s: %d bytes are enough", types[i].descr, (int)cut);
            forget(&heard);
        }
    }
}

static void matrices(void)
{
    static const struct {
        const char *order, *shape;
        gf_signal_matrix matrix;
        int32_t channels;
        float second; /* of channel 0 */
    } good[] = {
        {"False", "(3, 2)", GF_SIGNAL_MATRIX_COLUMNS, 2, 2},
        {"False", "(2, 3)", GF_SIGNAL_MATRIX_ROWS, 2, 1},
        {"True", "(2, 3)", GF_SIGNAL_MATRIX_ROWS, 2, 2},
        {"True", "(3, 2)", GF_SIGNAL_MATRIX_COLUMNS, 2, 1},
        {"False", "(1, 6)", GF_SIGNAL_MATRIX_ROWS, 1, 1},
        {"False", "(6, 1)", GF_SIGNAL_MATRIX_COLUMNS, 1, 1},
        {"False", "(6,)", GF_SIGNAL_MATRIX_ROWS, 1, 1},
    };
    static const unsigned char samples[12] = {0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5};
    unsigned char file[256];
    struct heard heard;
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const size_t size = make_npy(file, ">i2", good[i].order, good[i].shape, samples, 12);
        options.matrix = good[i].matrix;
        for (int64_t portion = 1; portion < 7; portion++) {
            hear(file, size, NULL, &options, portion, &heard);
            CHECK_MSG(heard.status == GF_OK && heard.info.channels == good[i].channels &&
                          heard.frames * heard.info.channels == 6 && heard.data[0] == 0 &&
                          heard.data[1] == good[i].second && heard.data[5] == 5,
                      "%s %s: %s", good[i].shape, good[i].order, heard.error.message);
            forget(&heard);
        }
    }
    size_t size = make_npy(file, ">i2", "False", "(2, 3)", samples, 12);
    hear(file, size, NULL, NULL, 9, &heard);
    CHECK_STR_HAS(heard.error.message, "said whether its rows or its columns are channels");
    options.matrix = GF_SIGNAL_MATRIX_ROWS;
    options.limits = &limits;
    limits.max_memory = 40;
    hear(file, size, NULL, &options, 9, &heard);
    CHECK(heard.status == GF_ERROR_LIMIT);
    CHECK_STR_HAS(heard.error.message, "3 frames of 2 are more than max_memory, 40 bytes");
    options.matrix = GF_SIGNAL_MATRIX_COLUMNS;
    size = make_npy(file, ">i2", "False", "(0, 0)", samples, 12);
    hear(file, size, NULL, &options, 9, &heard);
    CHECK_STR_HAS(heard.error.message, "0 columns cannot be channels");
    size = make_npy(file, "<c8", "False", "(1,)", samples, 12);
    hear(file, size, NULL, &options, 9, &heard);
    CHECK_STR_HAS(heard.error.message, "'<c8' are not read; valid are bool");
}

static void arrays_there_and_back(void)
{
    static float data[2 * 1000];
    gf_error error = GF_ERROR_INIT;
    for (int i = 0; i < 2000; i++) {
        data[i] = (float)i * 0.37f;
    }
    for (int k = 0; k < 8; k++) {
        const int32_t channels = 1 + k % 2;
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        gf_signal_read_options read = GF_SIGNAL_READ_OPTIONS_INIT;
        gf_signal_writer *writer = NULL;
        struct heard heard;
        size_t size = 0;
        options.sample = k & 2 ? GF_SIGNAL_F64 : GF_SIGNAL_F32;
        options.frames = k & 4 ? 1000 : -1;
        read.matrix = GF_SIGNAL_MATRIX_COLUMNS;
        REQUIRE(gf_signal_writer_open(in_folder("x.npy"), channels, 0, &options, &writer, &error) == GF_OK);
        CHECK_EQ_INT(gf_signal_writer_write(writer, data, 1000, 1000, &error), GF_OK);
        CHECK_EQ_INT(gf_signal_writer_commit(&writer, &error), GF_OK);
        unsigned char *bytes = get_file(in_folder("x.npy"), &size);
        CHECK(size == 128 + (size_t)(1000 * channels * (k & 2 ? 8 : 4)));
        hear(bytes, size, NULL, &read, 77, &heard);
        CHECK(heard.frames == 1000 && heard.info.channels == channels &&
              heard.info.sample == options.sample &&
              memcmp(heard.data, data, (size_t)(4000 * channels)) == 0);
        forget(&heard);
        free(bytes);
    }
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    struct bytes out = {NULL, 0, 0, 0, 0};
    options.format = "npy";
    CHECK_EQ_INT(say(data, 1, 10, 0, &options, 10, &out, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "begins with its size");
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"raw samples", raw},   {"raw samples there and back", raw_there_and_back}, {"arrays", arrays},
    {"matrices", matrices}, {"arrays there and back", arrays_there_and_back},
};

CHECK_MAIN(cases)
