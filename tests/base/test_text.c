/* The bounded writer and the numbers. */
#include "base/text.h"
#include "check.h"

#include <float.h>
#include <stdlib.h>

static const char *number(double value)
{
    static char buffer[64];
    struct gf_text t = gf_text_begin(buffer, sizeof buffer);
    gf_text_number(&t, value);
    return buffer;
}

static void numbers_are_short(void)
{
    CHECK_STR(number(0), "0");
    CHECK_STR(number(-0.0), "-0");
    CHECK_STR(number(1), "1");
    CHECK_STR(number(0.1), "0.1");
    CHECK_STR(number(-2.5), "-2.5");
    CHECK_STR(number(100), "100");
    CHECK_STR(number(1.0 / 3), "0.3333333333333333");
    CHECK_STR(number(0.1 + 0.2), "0.30000000000000004");
    CHECK_STR(number(0.00001), "0.00001");
    CHECK_STR(number(0.000001), "1e-6");
    CHECK_STR(number(0.00000125), "1.25e-6");
    CHECK_STR(number(1e16), "10000000000000000");
    CHECK_STR(number(1e17), "1e17");
    CHECK_STR(number(9007199254740993.0), "9007199254740992");
    CHECK_STR(number(DBL_MAX), "1.7976931348623157e308");
    CHECK_STR(number(DBL_MIN), "2.2250738585072014e-308");
    CHECK_STR(number(4.9406564584124654e-324), "5e-324");
    CHECK_STR(number(INFINITY), "inf");
    CHECK_STR(number(-INFINITY), "-inf");
    CHECK_STR(number(NAN), "nan");
}

static void numbers_read_back(void)
{
    uint64_t state = 1;
    for (int i = 0; i < 50000; i++) {
        double value, back = 0;
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = i % 2 ? state : state >> 40 << 40; /* many digits, few digits */
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        const char *text = number(value);
        CHECK_EQ_INT(gf_number_read(text, strlen(text), &back), strlen(text));
        CHECK_MSG(memcmp(&back, &value, sizeof back) == 0, "%a prints as %s", value, text);
        CHECK_MSG(strtod(text, NULL) == value, "%a prints as %s", value, text); /* the C locale */
    }
}

/* Bytes read, and the value. */
static size_t reads(const char *text, double *value)
{
    *value = -99;
    return gf_number_read(text, strlen(text), value);
}

static void reading(void)
{
    static const struct {
        const char *text;
        size_t used;
        double value;
    } good[] = {{"12", 2, 12},
                {"1.5x", 3, 1.5},
                {"-.5", 3, -0.5},
                {"+5.", 3, 5},
                {"1e3", 3, 1000},
                {"1E-2px", 4, 0.01},
                {"1e", 1, 1},
                {"1e+", 1, 1},
                {"1.2.3", 3, 1.2},
                {"1,5", 1, 1},
                {"0x10", 1, 0},
                {"1e99999999999", 13, INFINITY},
                {"1e-99999999999", 14, 0},
                {"00012.50", 8, 12.5}};
    static const char *const bad[] = {"", "-", "+", ".", "-.", "e5", "nan", "inf", " 1", "x", ",5"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK_EQ_INT(reads(good[i].text, &value), good[i].used);
        CHECK_MSG(value == good[i].value, "%s: %g", good[i].text, value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_MSG(reads(bad[i], &value) == 0, "%s", bad[i]);
    }
    char digits[GF_NUMBER_DIGITS + 2];
    memset(digits, '1', sizeof digits);
    CHECK_EQ_INT(gf_number_read(digits, GF_NUMBER_DIGITS, &value), GF_NUMBER_DIGITS);
    CHECK(isinf(value));
    CHECK_EQ_INT(gf_number_read(digits, GF_NUMBER_DIGITS + 1, &value), 0);
    CHECK_EQ_INT(gf_number_read("123", 2, &value), 2);
    CHECK(value == 12);
}

static void writing(void)
{
    char buffer[8];
    struct gf_text t = gf_text_begin(buffer, sizeof buffer);
    gf_text_append(&t, "%d%s", 12, "ab");
    gf_text_string(&t, "cd");
    CHECK_STR(buffer, "12abcd");
    CHECK(t.length < t.capacity);
    gf_text_repeat(&t, '.', 3);
    CHECK_STR(buffer, "12abcd.");
    CHECK(t.length == 9 && t.capacity <= 9);
    gf_text_append(&t, "%d", 5);
    gf_text_string(&t, "x");
    CHECK(t.length == 11);
    CHECK_STR(buffer, "12abcd.");
    t = gf_text_begin(NULL, 0);
    gf_text_append(&t, "%d", 123);
    gf_text_number(&t, 0.5);
    CHECK(t.length == 6 && t.capacity <= 6);
}

static void fixed(void)
{
    char buffer[400];
    struct gf_text t = gf_text_begin(buffer, sizeof buffer);
    gf_text_fixed(&t, 8, 2, 3.14159);
    gf_text_fixed(&t, 0, 0, -2.5);
    gf_text_fixed(&t, 5, 1, NAN);
    gf_text_fixed(&t, 5, 1, -INFINITY);
    CHECK_STR(buffer, "    3.14-2  nan -inf");
    t = gf_text_begin(buffer, sizeof buffer);
    gf_text_fixed(&t, 0, 40, -DBL_MAX);
    CHECK(t.length == 1 + 309 + 1 + 40);
}

static void json(void)
{
    char buffer[128];
    struct gf_text t = gf_text_begin(buffer, sizeof buffer);
    gf_text_json_string(&t, "a\"\\\n\t\x01\x7f/\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80");
    CHECK_STR(buffer, "\"a\\\"\\\\\\n\\t\\u0001\\u007f/\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\"");
    static const char *const broken[] = {"\xff",     "\x80",         "\xc3",
                                         "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"};
    static const int parts[] = {1, 1, 1, 2, 3, 4};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        t = gf_text_begin(buffer, sizeof buffer);
        gf_text_json_string(&t, broken[i]);
        CHECK_EQ_INT(t.length, 2 + 6 * parts[i]);
        CHECK_STR_HAS(buffer, "\"\\ufffd");
    }
    t = gf_text_begin(buffer, sizeof buffer);
    gf_text_json_number(&t, NAN);
    gf_text_json_number(&t, -INFINITY);
    gf_text_json_number(&t, 1.5e-7);
    CHECK_STR(buffer, "nullnull1.5e-7");
}

static void plain(void)
{
    char buffer[128];
    struct gf_text t = gf_text_begin(buffer, sizeof buffer);
    CHECK_EQ_INT(gf_text_plain(&t, "a\tb\n\x1b\xc3\xa9\xe4\xb8\xad\xff", 11, 99), 9);
    CHECK_STR(buffer, "a b??\xc3\xa9\xe4\xb8\xad?");
    t = gf_text_begin(buffer, sizeof buffer);
    CHECK_EQ_INT(gf_text_plain(&t, "0123456789", 10, 8), 8);
    CHECK_STR(buffer, "01234...");
    t = gf_text_begin(buffer, sizeof buffer);
    CHECK_EQ_INT(gf_text_plain(&t, "0123\xe4\xb8\xad\xe4\xb8\xad", 10, 8), 8);
    CHECK_STR(buffer, "0123\xe4\xb8\xad\xe4\xb8\xad");
    t = gf_text_begin(buffer, sizeof buffer);
    CHECK_EQ_INT(gf_text_plain(&t, "0123\xe4\xb8\xad\xe4\xb8\xad!", 11, 8), 7);
    CHECK_STR(buffer, "0123...");
}

static const struct check_case cases[] = {
    {"numbers are short", numbers_are_short},
    {"numbers read back", numbers_read_back},
    {"reading", reading},
    {"writing", writing},
    {"fixed", fixed},
    {"json", json},
    {"plain", plain},
};

CHECK_MAIN(cases)
