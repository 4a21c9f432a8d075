/* The --stages language at large: every parameter of every stage type, random pipelines there and
 * back, mutated texts, and other locales. Everything is seeded. */
#include "check.h"
#include "json_cases.h"
#include "json_check.h"
#include "lang/pipeline.h"
#include "language_random.h"
#include "param/params.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { PIPELINES = 5000, MUTATIONS = 200000, TEXT_BYTES = 32768 };

static bool same_bits(const gf_param *row, const struct gf_stage_node *a, const struct gf_stage_node *b)
{
    static const size_t sizes[] = {[GF_PARAM_INT] = 8,
                                   [GF_PARAM_NUMBER] = 8,
                                   [GF_PARAM_INTENSITY] = 8,
                                   [GF_PARAM_BOOL] = 4,
                                   [GF_PARAM_CHOICE] = 4,
                                   [GF_PARAM_RECT] = sizeof(gf_rect),
                                   [GF_PARAM_ROI] = sizeof(gf_roi),
                                   [GF_PARAM_CHANNELS] = 4,
                                   [GF_PARAM_TEXT] = GF_PARAM_TEXT_SIZE,
                                   [GF_PARAM_LIST] = sizeof(gf_list),
                                   [GF_PARAM_PICTURE] = sizeof(gf_picture_name),
                                   [GF_PARAM_SPAN] = sizeof(gf_span)};
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
        REQUIRE(out.length < out.capacity);
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
    bool until_bound = row->type == GF_PARAM_INTENSITY; /* its interval depends on the depth */
    if (until_bound || (row->min == 0 && row->max == 0)) {
        CHECK(set(type, row->name, "-123456789") == GF_OK);
        CHECK(set(type, row->name, whole ? "9999999999999999999" : "-1e999") == GF_ERROR_ARGUMENT);
        return;
    }
    CHECK(set_number(type, row, row->min) == GF_OK);
    CHECK(set_number(type, row, row->max) == GF_OK);
    CHECK(set_number(type, row, whole ? row->min - 1 : nextafter(row->min, -INFINITY)) == GF_ERROR_ARGUMENT);
    CHECK(set_number(type, row, whole ? row->max + 1 : nextafter(row->max, INFINITY)) == GF_ERROR_ARGUMENT);
}

/* Tells what a row makes of a word of garbage. */
static gf_status fate_of(const gf_param *row, const char *word)
{
    bool list = word[0] == '[', file = word[0] == '@';
    switch (row->type) {
    case GF_PARAM_TEXT:
        return list || file ? GF_ERROR_PARSE : GF_OK;
    case GF_PARAM_LIST: /* "[1 2]" is one, of another shape or outside the interval perhaps */
        return file    ? GF_OK
               : !list ? GF_ERROR_PARSE
               : (!row->choices || strstr(row->choices, "x*") || strstr(row->choices, "*x2") ||
                  strcmp(row->choices, "1x2") == 0) &&
                       (row->min == row->max || row->max >= 2)
                   ? GF_OK
                   : GF_ERROR_ARGUMENT;
    case GF_PARAM_PICTURE:
        return file || (!list && !strpbrk(word, "'+/")) ? GF_OK : GF_ERROR_PARSE;
    default:
        return GF_ERROR_PARSE;
    }
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
                CHECK_MSG(set(type, row->name, garbage[g]) == fate_of(row, garbage[g]), "%s:%s=%s",
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
    const char *head = error->stage >= 0 ? "stage " : "'{' begins JSON"; /* around its stages */
    CHECK_MSG(strncmp(error->message, head, strlen(head)) == 0, "%s: %s", text, error->message);
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
    int n_json = sizeof good_json / sizeof *good_json, good = 0, bad = 0;
    state = 2;
    for (int i = 0; i < MUTATIONS && check_now.failures == 0; i++) {
        char text[512];
        int pick = below(n_good + n_bad + n_json);
        const char *from = pick < n_good           ? good_cases[pick].text
                           : pick < n_good + n_bad ? bad_cases[pick - n_good].text
                                                   : good_json[pick - n_good - n_bad].text;
        size_t n = (size_t)snprintf(text, sizeof text, "%s", from);
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
