/* The --stages language at large: every parameter of every stage type, random pipelines there and
 * back, mutated texts, and other locales. Everything is seeded. */
#include "check.h"
#include "json_check.h"
#include "lang/pipeline.h"
#include "language_cases.h"
#include "language_types.h"
#include "params.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { PIPELINES = 5000, MUTATIONS = 200000, TEXT_BYTES = 32768 };

static uint64_t state;

/* splitmix64 */
static uint64_t any(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int below(int n)
{
    return (int)(any() % (uint64_t)n);
}

/* The test types, then the built-in ones, also those that the test types shadow; NULL past the end. */
static const gf_stage_type *type_at(int i)
{
    int32_t n;
    const gf_stage_type *const *types = gf_stage_types(&n);
    return i < N_TEST_TYPES ? test_types[i] : i < N_TEST_TYPES + n ? types[i - N_TEST_TYPES] : NULL;
}

static int type_count(void)
{
    int n = 0;
    while (type_at(n)) {
        n++;
    }
    return n;
}

/* A type that its name leads to. */
static const gf_stage_type *any_type(void)
{
    for (;;) {
        const gf_stage_type *type = type_at(below(type_count()));
        bool shadowed = false;
        for (int i = 0; i < N_TEST_TYPES; i++) {
            shadowed |= test_types[i] != type && strcmp(test_types[i]->name, type->name) == 0;
        }
        if (!shadowed) {
            return type;
        }
    }
}

/* ---- there and back ---- */

static bool same_bits(const gf_param *row, const struct gf_stage_node *a, const struct gf_stage_node *b)
{
    static const size_t sizes[] = {[GF_PARAM_INT] = 8,       [GF_PARAM_NUMBER] = 8,
                                   [GF_PARAM_INTENSITY] = 8, [GF_PARAM_BOOL] = 4,
                                   [GF_PARAM_CHOICE] = 4,    [GF_PARAM_RECT] = sizeof(gf_rect),
                                   [GF_PARAM_CHANNELS] = 4,  [GF_PARAM_TEXT] = GF_PARAM_TEXT_SIZE};
    bool own = false;
    for (const gf_param *r = a->type->params; r && r->name; r++) {
        own |= r == row;
    }
    const char *p = own ? a->params : (const char *)&a->common,
               *q = own ? b->params : (const char *)&b->common;
    return memcmp(p + row->offset, q + row->offset, sizes[row->type]) == 0;
}

static bool same_pipeline(const gf_pipeline *a, const gf_pipeline *b)
{
    if (a->n != b->n) {
        return false;
    }
    for (int32_t i = 0; i < a->n; i++) {
        const gf_param *row;
        if (a->nodes[i].type != b->nodes[i].type) {
            return false;
        }
        for (int32_t r = 0; (row = gf_stage_param(a->nodes[i].type, r)) != NULL; r++) {
            if (!same_bits(row, &a->nodes[i], &b->nodes[i])) {
                return false;
            }
        }
    }
    return true;
}

/* A random double in the row's interval: round, short or with all its bits. */
static double any_number(const gf_param *row)
{
    bool free = row->min == 0 && row->max == 0;
    double v, unit = (double)(any() >> 11) * 0x1p-53;
    if (free) {
        uint64_t bits = any();
        memcpy(&v, &bits, sizeof v);
        return isfinite(v) ? v : 1;
    }
    v = row->min + (row->max - row->min) * unit;
    if (below(2)) {
        v = round(v * 8) / 8;
    }
    return fmin(fmax(v, row->min), row->max);
}

static void append_text(struct gf_text *out)
{
    static const char bytes[] = "ab09 _.,:='\"\\[]@#|{}$;\n\t\xc3\xa9\xff%";
    int n = below(GF_PARAM_TEXT_SIZE);
    gf_text_string(out, "\"");
    for (int i = 0; i < n; i++) {
        char c = bytes[below(sizeof bytes - 1)];
        gf_text_string(out, c == '"' || c == '\\' || c == '\n' ? "\\" : "");
        gf_text_bytes(out, c == '\n' ? "n" : &c, 1);
    }
    gf_text_string(out, "\"");
}

static void append_value(const gf_param *row, struct gf_text *out)
{
    if (row->auto_word && below(3) == 0) {
        gf_text_string(out, row->auto_word);
        return;
    }
    switch (row->type) {
    case GF_PARAM_INT:
        gf_text_append(out, "%.0f", row->max > 0 ? round(any_number(row)) : (double)(int32_t)any());
        break;
    case GF_PARAM_NUMBER:
    case GF_PARAM_INTENSITY:
        gf_text_number(out, any_number(row));
        gf_text_string(out, row->type == GF_PARAM_NUMBER && row->unit && below(2) ? row->unit : "");
        break;
    case GF_PARAM_BOOL:
        gf_text_string(out, below(2) ? "on" : "0");
        break;
    case GF_PARAM_CHOICE: {
        const char *c = row->choices;
        for (int skip = below(8); skip > 0 && strchr(c, '|'); skip--) {
            c = strchr(c, '|') + 1;
        }
        gf_text_bytes(out, c, strcspn(c, "|"));
        break;
    }
    case GF_PARAM_RECT:
        gf_text_append(out, "%dx%d+%d+%d", 1 + below(9), 1 + below(70000), below(5), below(100000));
        break;
    case GF_PARAM_CHANNELS: {
        static const char *const words[] = {"r", "rgb", "a", "ba", "all", "0", "0+3", "3+1+2", "0+1+2+3"};
        gf_text_string(out, words[below(9)]);
        break;
    }
    case GF_PARAM_TEXT:
        append_text(out);
        break;
    }
}

static void any_pipeline(struct gf_text *out)
{
    int stages = 1 + below(6);
    for (int s = 0; s < stages; s++) {
        const gf_stage_type *type = any_type();
        const gf_param *row;
        gf_text_append(out, "%s%s", s ? (below(2) ? "," : "\n") : "", type->name);
        int every = 1 + below(4), start = below(8);
        for (int i = 0, n = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
            if ((i + start) % every == 0) {
                gf_text_append(out, "%c%s=", n++ || below(2) ? ':' : '=', row->name);
                append_value(row, out);
            }
        }
    }
}

/* Parses, prints and parses again. */
static void round_trip(const char *text)
{
    static char printed[TEXT_BYTES], again[TEXT_BYTES];
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *first = NULL, *second = NULL;
    size_t length;
    if (gf_pipeline_parse(text, test_types, N_TEST_TYPES, &first, &error) != GF_OK) {
        CHECK_MSG(0, "%s\ngives: %s", text, error.message);
        return;
    }
    CHECK(gf_pipeline_print(first, GF_PRINT_TEXT, printed, sizeof printed, &length, NULL) == GF_OK);
    CHECK(length < sizeof printed);
    if (gf_pipeline_parse(printed, test_types, N_TEST_TYPES, &second, &error) == GF_OK) {
        CHECK_MSG(same_pipeline(first, second), "%s\nprints as: %s", text, printed);
        gf_pipeline_print(second, GF_PRINT_TEXT, again, sizeof again, &length, NULL);
        CHECK_STR(again, printed);
    } else {
        CHECK_MSG(0, "%s\nprints as: %s\ngives: %s", text, printed, error.message);
    }
    gf_pipeline_print(first, GF_PRINT_JSON, again, sizeof again, &length, NULL);
    CHECK_MSG(is_json(again), "%s", again);
    gf_pipeline_destroy(&first);
    gf_pipeline_destroy(&second);
}

static void random_pipelines(void)
{
    static char text[TEXT_BYTES];
    state = 1;
    for (int i = 0; i < PIPELINES; i++) {
        struct gf_text out = gf_text_begin(text, sizeof text);
        any_pipeline(&out);
        REQUIRE(gf_text_complete(&out));
        round_trip(text);
    }
}

/* ---- every parameter ---- */

static gf_status set(const gf_stage_type *type, const char *name, const char *value)
{
    char arguments[128];
    gf_pipeline *pipeline = NULL;
    gf_error error = GF_ERROR_INIT;
    snprintf(arguments, sizeof arguments, "%s=%s", name, value);
    CHECK(gf_pipeline_create(&pipeline, NULL) == GF_OK);
    gf_status status = gf_pipeline_append(pipeline, type, arguments, &error);
    CHECK(status == error.code);
    if (status != GF_OK) {
        char head[64];
        snprintf(head, sizeof head, "stage 1 '%s': ", type->name);
        CHECK_STR_HAS(error.message, head);
        CHECK_STR_HAS(error.message, name);
        CHECK_STR_HAS(error.message, "^");
    }
    gf_pipeline_destroy(&pipeline);
    return status;
}

static gf_status set_number(const gf_stage_type *type, const gf_param *row, double value)
{
    char text[64];
    struct gf_text t = gf_text_begin(text, sizeof text);
    if (row->type == GF_PARAM_INT) {
        gf_text_append(&t, "%" PRId64, (int64_t)value);
    } else {
        gf_text_number(&t, value);
    }
    return set(type, row->name, text);
}

static void check_interval(const gf_stage_type *type, const gf_param *row)
{
    bool whole = row->type == GF_PARAM_INT;
    if (row->min == 0 && row->max == 0) {
        CHECK(set(type, row->name, "-123456789") == GF_OK);
        CHECK(set(type, row->name, whole ? "9999999999999999999" : "-1e999") == GF_ERROR_ARGUMENT);
        return;
    }
    CHECK(set_number(type, row, row->min) == GF_OK);
    CHECK(set_number(type, row, row->max) == GF_OK);
    CHECK(set_number(type, row, whole ? row->min - 1 : nextafter(row->min, -INFINITY)) == GF_ERROR_ARGUMENT);
    CHECK(set_number(type, row, whole ? row->max + 1 : nextafter(row->max, INFINITY)) == GF_ERROR_ARGUMENT);
}

static void every_parameter(void)
{
    static const char *const garbage[] = {"zzz", "''",     "'1 2'", "1..2", "--1", "1e", "nan", "[1 2]",
                                          "@f",  "'\xff'", "+",     "1/",   "3x",  "x3", "0+"};
    int rows = 0;
    const gf_stage_type *type;
    for (int t = 0; (type = type_at(t)) != NULL; t++) {
        const gf_param *row;
        CHECK_MSG(gf_stage_type_check(type, NULL) == GF_OK, "%s", type->name);
        for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++, rows++) {
            bool number =
                row->type == GF_PARAM_INT || row->type == GF_PARAM_NUMBER || row->type == GF_PARAM_INTENSITY;
            for (size_t g = 0; g < sizeof garbage / sizeof *garbage; g++) {
                bool list_or_file = garbage[g][0] == '[' || garbage[g][0] == '@';
                bool fine = row->type == GF_PARAM_TEXT && !list_or_file;
                CHECK_MSG(set(type, row->name, garbage[g]) == (fine ? GF_OK : GF_ERROR_PARSE), "%s:%s=%s",
                          type->name, row->name, garbage[g]);
            }
            if (number) {
                check_interval(type, row);
            }
            for (const char *c = row->type == GF_PARAM_CHOICE ? row->choices : ""; *c; c += *c == '|') {
                char word[64];
                snprintf(word, sizeof word, "%.*s", (int)strcspn(c, "|"), c);
                CHECK(set(type, row->name, word) == GF_OK);
                c += strlen(word);
            }
        }
    }
    CHECK(rows >= 40);
}

/* ---- mutated texts ---- */

static void check_error(const char *text, const gf_error *error, gf_status status)
{
    const char *newline = strchr(error->message, '\n');
    size_t first = newline ? (size_t)(newline - error->message) : strlen(error->message);
    CHECK_MSG(status == error->code && status != GF_ERROR_INTERNAL, "%s: code %d", text, status);
    CHECK_MSG(first > 10 && first < 260, "%s: %s", text, error->message);
    CHECK_MSG(strlen(error->message) < sizeof error->message - 1, "%s: cut message", text);
    if (error->text_offset < 0) {
        CHECK_MSG(error->stage == -1 && !newline, "%s: %s", text, error->message);
        return;
    }
    CHECK_MSG(strncmp(error->message, "stage ", 6) == 0, "%s: %s", text, error->message);
    CHECK_MSG((size_t)(error->text_offset + error->text_length) <= strlen(text), "%s: place", text);
    const char *excerpt = newline ? newline + 1 : "";
    const char *caret = strchr(excerpt, '\n');
    CHECK_MSG(caret && caret[1 + strspn(caret + 1, " ")] == '^', "%s: %s", text, error->message);
}

static void mutate(char *text, size_t *n, size_t capacity)
{
    static const char bytes[] =
        ",:=:=,'\"[]@#\\\n -_.+%/0123456789abcdefghijklmnopqrstuvwxyzAZ|{}$;\xc3\xff\x01";
    for (int times = 1 + below(3); times > 0; times--) {
        size_t at = (size_t)below((int)*n + 1);
        char c = below(8) ? bytes[below(sizeof bytes - 1)] : (char)(1 + below(255));
        switch (*n ? below(3) : 1) {
        case 0:
            text[at < *n ? at : 0] = c;
            break;
        case 1:
            if (*n + 1 < capacity) {
                memmove(text + at + 1, text + at, *n - at);
                text[at] = c;
                ++*n;
            }
            break;
        default:
            at = at < *n ? at : 0;
            memmove(text + at, text + at + 1, *n - at - 1);
            --*n;
        }
    }
    text[*n] = '\0';
}

static void mutated_texts(void)
{
    int n_good = sizeof good_cases / sizeof *good_cases, n_bad = sizeof bad_cases / sizeof *bad_cases;
    int good = 0, bad = 0;
    state = 2;
    for (int i = 0; i < MUTATIONS && check_now.failures == 0; i++) {
        char text[512];
        int pick = below(n_good + n_bad);
        size_t n = (size_t)snprintf(text, sizeof text, "%s",
                                    pick < n_good ? good_cases[pick].text : bad_cases[pick - n_good].text);
        mutate(text, &n, sizeof text);
        gf_error error = GF_ERROR_INIT;
        gf_pipeline *pipeline = NULL;
        gf_status status = gf_pipeline_parse(text, test_types, N_TEST_TYPES, &pipeline, &error);
        if (status == GF_OK) {
            good++;
            round_trip(text);
        } else {
            bad++;
            check_error(text, &error, status);
        }
        gf_pipeline_destroy(&pipeline);
    }
    CHECK_MSG(good > MUTATIONS / 50 && bad > MUTATIONS / 4, "%d parse, %d do not", good, bad);
}

static void comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8", "fr_FR.utf8", "fr_FR",
                                        "es_ES.utf8",  "it_IT.utf8", "nl_NL.utf8"};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++) {
        found = setlocale(LC_ALL, names[i]);
    }
    if (!found || strcmp(localeconv()->decimal_point, ",") != 0) {
        setlocale(LC_ALL, "C");
        SKIP("no locale with a decimal comma is installed");
    }
    char text[64];
    struct gf_text t = gf_text_begin(text, sizeof text);
    gf_text_number(&t, 0.125);
    gf_text_fixed(&t, 7, 2, 2.5);
    CHECK_STR(text, "0.125   2.50");
    round_trip("blur:sigma=1.5:value=1e-3,threshold:12.5%,every:number=1.25e2:free_number=1/3");
    gf_pipeline *pipeline = NULL;
    REQUIRE(gf_pipeline_parse("blur:1.5", test_types, N_TEST_TYPES, &pipeline, NULL) == GF_OK);
    gf_pipeline_print(pipeline, GF_PRINT_TEXT, text, sizeof text, NULL, NULL);
    CHECK_STR(text, "blur:sigma=1.5");
    gf_pipeline_destroy(&pipeline);
    CHECK_STR(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
}

static const struct check_case cases[] = {
    {"every parameter of every stage", every_parameter},
    {"5000 random pipelines there and back", random_pipelines},
    {"200000 mutated texts", mutated_texts},
    {"a locale with a decimal comma", comma_locale},
};

CHECK_MAIN(cases)
