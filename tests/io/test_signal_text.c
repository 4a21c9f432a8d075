/* Signals as text, raw samples, and arrays of NumPy; and the calls that all formats share. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "signal_help.h"

#include <math.h>

/* ---- text ---- */

struct text {
    const char *text;
    int32_t channels;
    int64_t frames;
    float data[6]; /* channel by channel */
    const char *names, *columns;
};

static const struct text texts[] = {
    {"1,2\n3,4\n", 2, 2, {1, 3, 2, 4}, "", NULL},
    {"1, 2\r\n3 ,4", 2, 2, {1, 3, 2, 4}, "", NULL},
    {"1;2\r3;4\r\r", 2, 2, {1, 3, 2, 4}, "", NULL},
    {"1\t2\n3\t4\n", 2, 2, {1, 3, 2, 4}, "", NULL},
    {"  1   2  \n\n# 9 9\n   \n 3 4\n", 2, 2, {1, 3, 2, 4}, "", NULL},
    {"\xef\xbb\xbft,x\n1,2\n", 2, 1, {1, 2}, "t|x|", NULL},
    {"time (s);\"ecg; mV\"\n1;2\n", 2, 1, {1, 2}, "time (s)|ecg; mV|", NULL},
    {"Voltage (mV)\n1.5\n-2e-1\n", 1, 2, {1.5f, -0.2f}, "Voltage (mV)|", NULL},
    {"\"a,b\"\n1\n", 1, 1, {1}, "a,b|", NULL},
    {"a b\n1 2\n", 2, 1, {1, 2}, "a|b|", NULL},
    {"nan,-INF,+inf,Infinity\n", 4, 1, {NAN, -INFINITY, INFINITY, INFINITY}, "", NULL},
    {"+.5,5.,1e400,1e-400\n", 4, 1, {0.5f, 5, INFINITY, 0}, "", NULL},
    {"a,b,c\n1,2,3\n4,5,6\n", 2, 2, {3, 6, 1, 4}, "c|a|", "c,1"},
    {"2024-01-01,5\n2024-01-02,6\n", 1, 2, {5, 6}, "", " 2 "},
    {"a,b\nx,5\ny,6\n", 1, 2, {5, 6}, "b|", "b"},
    {"7", 1, 1, {7}, "", NULL},
};

static bool same_float(float a, float b)
{
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

static void what_is_read(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct text *t = &texts[i];
        for (int64_t portion = 1; portion < 5; portion++) {
            struct heard heard;
            gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
            options.columns = t->columns;
            options.rate = 250;
            hear(t->text, strlen(t->text), portion > 2 ? "t.csv" : "stdin", &options, portion, &heard);
            CHECK_MSG(heard.status == GF_OK && heard.info.channels == t->channels &&
                          heard.frames == t->frames,
                      "%s: %s", t->text, heard.error.message);
            CHECK_MSG(strcmp(heard.names, t->names) == 0, "%s: names %s", t->text, heard.names);
            CHECK(heard.info.rate == 250 && heard.info.frames == -1 && heard.info.sample == GF_SIGNAL_TEXT);
            for (int64_t k = 0; k < heard.frames * heard.info.channels && heard.frames == t->frames; k++) {
                CHECK_MSG(same_float(heard.data[k], t->data[k]), "%s: number %d is %.9g", t->text, (int)k,
                          heard.data[k]);
            }
            forget(&heard);
        }
    }
}

static void what_is_refused(void)
{
    static const struct {
        const char *text, *columns, *why;
    } bad[] = {
        {"1,2\n3\n", NULL, "t.csv: line 2: has 1 columns, and the first had 2"},
        {"a,b\n\n1,2\n1,2,3\n", NULL, "t.csv: line 4: has 3 columns, and the first had 2"},
        {"a,b\n1,2,3\n", NULL, "line 2: has 3 columns, and the line of names above 2"},
        {"1,,3\n", NULL, "t.csv: line 1, column 2: an empty cell"},
        {"1,2\n3,\n", NULL, "t.csv: line 2, column 2: an empty cell"},
        {"1;2\n3;4,5\n", NULL, "line 2, column 2: '4,5' is no number; a decimal comma"},
        {"1,5 2,5\n", NULL, "line 1, column 2: '5 2' is no number; a decimal comma"},
        {"1,2x\n", NULL, "line 1, column 2: '2x' is no number"},
        {"1\n0x10\n", NULL, "line 2, column 1: '0x10' is no number"},
        {"1\nnanx\n", NULL, "line 2, column 1: 'nanx' is no number"},
        {"", NULL, "t.csv: is empty"},
        {"a,b\n", NULL, "t.csv: has no line of numbers"},
        {"# 1\n", NULL, "t.csv: has no line of numbers"},
        {"hello\nworld\n", NULL, "line 2, column 1: 'world' is no number"},
        {"a,b\n1,2\n", "c", "columns: 'c' is no column; there are 1 to 2, or their names"},
        {"1,2\n", "0", "columns: '0' is no column; there are 1 to 2, without names"},
        {"1,2\n", "3", "columns: '3' is no column"},
        {"1,2\n", "1.5", "columns: '1.5' is no column"},
        {"1,2\n", "1,1", "columns: '1' is named twice"},
        {"1,2\n", "", "columns: '' is no column"},
    };
    struct heard heard;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
        options.columns = bad[i].columns;
        hear(bad[i].text, strlen(bad[i].text), "t.csv", &options, 10, &heard);
        CHECK_MSG(heard.status == (bad[i].columns != NULL ? GF_ERROR_ARGUMENT : GF_ERROR_INPUT) &&
                      strstr(heard.error.message, bad[i].why),
                  "%s: %d %s", bad[i].text, (int)heard.status, heard.error.message);
        forget(&heard);
    }
    static const char zero[] = "1,2\n3,4\n5,6\n7,8\n9,10\n11,\0\n";
    hear(zero, sizeof zero - 1, "t.csv", NULL, 10, &heard);
    CHECK_STR(heard.error.message, "t.csv: line 6: holds a byte 0, so it is no text");
    CHECK(heard.frames == 5);
    forget(&heard);
    char wide[4096] = "0";
    for (int i = 0; i < 1024; i++) {
        strcat(wide, ",0");
    }
    hear(wide, strlen(wide), "t.csv", NULL, 10, &heard);
    CHECK_STR_HAS(heard.error.message, "1025 columns are too many channels, 1024 at most");
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    options.columns = "1025,1";
    hear(wide, strlen(wide), "t.csv", &options, 10, &heard);
    CHECK(heard.status == GF_OK && heard.info.channels == 2 && heard.frames == 1);
    forget(&heard);
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.max_metadata_bytes = 1024;
    options.limits = &limits;
    hear(wide, strlen(wide), "t.csv", &options, 10, &heard);
    CHECK(heard.status == GF_ERROR_LIMIT);
    CHECK_STR(heard.error.message, "t.csv: line 1 is longer than max_metadata_bytes, 1024");
}

/* Any f32 comes back, and its text has no digit too many. */
static void every_number_there_and_back(void)
{
    enum { FRAMES = 4000 };
    static float data[3 * FRAMES];
    static const char *const names[] = {"time (s)", "", "#x"};
    static const char *const formats[] = {"csv", "tsv"};
    uint32_t state = 9;
    for (int i = 0; i < 3 * FRAMES; i++) {
        uint32_t bits = draw(&state) << 12 ^ draw(&state);
        memcpy(&data[i], &bits, 4);
        data[i] = i % 3 == 1 ? (float)(draw(&state) % 20001) / 10000 - 1 : isnan(data[i]) ? 0 : data[i];
    }
    for (int f = 0; f < 4; f++) {
        struct bytes out = {NULL, 0, 0, 0, 0};
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        gf_error error = GF_ERROR_INIT;
        struct heard heard;
        options.format = formats[f % 2];
        options.names = f < 2 ? names : NULL;
        CHECK_EQ_INT(say(data, 3, FRAMES, 0, &options, 100, &out, &error), GF_OK);
        hear(out.at, out.size, "x", NULL, 1000, &heard);
        CHECK_MSG(heard.status == GF_OK && heard.frames == FRAMES &&
                      memcmp(heard.data, data, sizeof data) == 0,
                  "%s: %s", formats[f % 2], heard.error.message);
        CHECK_STR(heard.names, f < 2 ? "time (s)||#x|" : "");
        forget(&heard);
        free(out.at);
    }
    static const float shown[] = {
        0.1f, 1, -0.0f, 16777216, 3.4028235e38f, 1e-45f, 1.17549435e-38f, 0.33333334f, NAN, -INFINITY};
    struct bytes out = {NULL, 0, 0, 0, 0};
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    options.format = "csv";
    CHECK_EQ_INT(say(shown, 10, 1, 0, &options, 1, &out, NULL), GF_OK);
    static const char expected[] = "0.1,1,-0,16777216,3.4028235e38,1e-45,1.1754944e-38,0.33333334,nan,-inf\n";
    CHECK_MSG(out.size == strlen(expected) && memcmp(out.at, expected, out.size) == 0, "%.*s", (int)out.size,
              out.at);
    free(out.at);
}

static void names_that_are_none(void)
{
    static const char *const bad[] = {"1", "nan", "a\"b", "a\nb", NULL};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bytes out = {NULL, 0, 0, 0, 0};
        const float one = 1;
        gf_error error = GF_ERROR_INIT;
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        options.format = "csv";
        options.names = &bad[i];
        CHECK_EQ_INT(say(&one, 1, 1, 0, &options, 1, &out, &error), GF_ERROR_ARGUMENT);
        CHECK_STR_HAS(error.message, "cannot name a channel");
        CHECK(out.size == 0 && strchr(error.message, '\n') == NULL);
    }
}

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

/* ---- calls ---- */

static void formats(void)
{
    const gf_signal_format *format = NULL;
    gf_error error = GF_ERROR_INIT;
    int count = 0;
    for (; gf_signal_io_format((size_t)count) != NULL; count++) {
        const gf_signal_format *listed = gf_signal_io_format((size_t)count);
        CHECK(gf_signal_io_format_for("x", listed->name, &format, NULL) == GF_OK && format == listed);
    }
    CHECK_EQ_INT(count, 6);
    CHECK(gf_signal_io_format_for("a/b.WAV", NULL, &format, NULL) == GF_OK &&
          strcmp(format->name, "wav") == 0);
    CHECK(gf_signal_io_format_for("-", "s16le:4:1", &format, NULL) == GF_OK &&
          strcmp(format->name, "raw") == 0);
    CHECK(gf_signal_io_format_for("-", "f32be", &format, NULL) == GF_OK && strcmp(format->name, "raw") == 0);
    CHECK_EQ_INT(gf_signal_io_format_for("x.png", NULL, &format, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "x.png: \"png\" is no format of signals; valid are wav, ");
    CHECK_EQ_INT(gf_signal_io_format_for("-", NULL, &format, &error), GF_ERROR_UNSUPPORTED);
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
        {"w64", 8000, 1, 0, 0, GF_ERROR_UNSUPPORTED, "w64 is read, and not written"},
        {"flac", 8000, 1, 0, 0, GF_ERROR_UNSUPPORTED, "\"flac\" is no format of signals"},
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
    {"what is read", what_is_read},
    {"what is refused", what_is_refused},
    {"every number there and back", every_number_there_and_back},
    {"names that are none", names_that_are_none},
    {"raw samples", raw},
    {"raw samples there and back", raw_there_and_back},
    {"arrays", arrays},
    {"matrices", matrices},
    {"arrays there and back", arrays_there_and_back},
    {"formats", formats},
    {"what is not written", what_is_not_written},
    {"arguments", arguments},
};

CHECK_MAIN(cases)
