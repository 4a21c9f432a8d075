/* Signals as text. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "signal_help.h"

#include <math.h>

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

static const struct check_case cases[] = {
    {"what is read", what_is_read},
    {"what is refused", what_is_refused},
    {"every number there and back", every_number_there_and_back},
    {"names that are none", names_that_are_none},
};

CHECK_MAIN(cases)
