/* The --stages language: what parses, what does not and what is said then, printing, appending. */
#include "check.h"
#include "json_cases.h"
#include "lang/pipeline.h"
#include "language_cases.h"
#include "language_types.h"
#include "param/params.h"
#include "registry.h"

#include <stdlib.h>
#include <string.h>

enum {
    N_GOOD_TEXT = sizeof good_cases / sizeof *good_cases,
    N_GOOD = N_GOOD_TEXT + sizeof good_json / sizeof *good_json,
    N_BAD_TEXT = sizeof bad_cases / sizeof *bad_cases,
    N_BAD = N_BAD_TEXT + sizeof bad_json / sizeof *bad_json
};

static gf_status parse(const char *text, gf_pipeline **pipeline, gf_error *error)
{
    return gf_pipeline_parse(text, test_types, N_TEST_TYPES, pipeline, error);
}

/* The error of a text that must not parse. */
static gf_error error_of(const char *text)
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    gf_status status = parse(text, &pipeline, &error);
    CHECK_MSG(status != GF_OK, "parses: %s", text);
    CHECK(status == error.code);
    CHECK(pipeline == NULL);
    gf_pipeline_destroy(&pipeline);
    return error;
}

static void print(const gf_pipeline *pipeline, gf_print_format format, char buffer[4096])
{
    size_t length = 0;
    CHECK(gf_pipeline_print(pipeline, format, buffer, 4096, &length, NULL) == GF_OK);
    CHECK(length == strlen(buffer));
}

/* The canonical text, or JSON, of a text that must parse. */
static void canonical(const char *text, gf_print_format format, char buffer[4096])
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    buffer[0] = '\0';
    CHECK_MSG(parse(text, &pipeline, &error) == GF_OK, "%s: %s", text, error.message);
    if (pipeline) {
        print(pipeline, format, buffer);
    }
    gf_pipeline_destroy(&pipeline);
}

/* It parses, prints as the canonical text, and is the same when text or JSON of it is read again. */
static void check_good(const struct good_case *good)
{
    char once[4096], json[4096], again[4096];
    canonical(good->text, GF_PRINT_TEXT, once);
    CHECK_STR(once, good->canonical);
    canonical(once, GF_PRINT_TEXT, again);
    CHECK_STR(again, once);
    canonical(good->text, GF_PRINT_JSON, json);
    canonical(json, GF_PRINT_TEXT, again);
    CHECK_STR(again, once);
}

static void check_bad(const struct bad_case *bad)
{
    gf_error error = error_of(bad->text);
    char head[sizeof error.message];
    strcpy(head, error.message);
    head[strcspn(head, "\n")] = '\0';
    CHECK_STR(head, bad->head);
    CHECK_MSG(error.code == bad->code, "%s: code %d", bad->text, error.code);
    CHECK_MSG(error.text_offset == bad->offset && error.text_length == bad->length, "%s: at %d, %d bytes",
              bad->text, error.text_offset, error.text_length);
    CHECK_MSG((error.stage == -1) == (strncmp(head, "stage", 5) != 0), "%s: stage %d", bad->text,
              error.stage);
}

static void good_texts(void)
{
    for (int i = 0; i < N_GOOD; i++) {
        check_good(i < N_GOOD_TEXT ? &good_cases[i] : &good_json[i - N_GOOD_TEXT]);
    }
}

static void bad_texts(void)
{
    for (int i = 0; i < N_BAD; i++) {
        check_bad(i < N_BAD_TEXT ? &bad_cases[i] : &bad_json[i - N_BAD_TEXT]);
    }
}

static void whole_messages(void)
{
    CHECK_STR(error_of("blur:radiu=3").message,
              "stage 1 'blur': no parameter 'radiu'; did you mean 'radius'?\n"
              "  blur:radiu=3\n"
              "       ^~~~~\n"
              "  parameters: sigma=1 radius=auto border=replicate value=0 roi feather=0 channels name save");
    CHECK_STR(error_of("gray,blur:sigma=900000").message,
              "stage 2 'blur': sigma is 900000, must be from 0.05 to 1000\n"
              "  gray,blur:sigma=900000\n"
              "                  ^~~~~~");
    CHECK_STR(error_of("blur:border=reflct,hist").message,
              "stage 1 'blur': no border 'reflct'; did you mean 'reflect'?\n"
              "  blur:border=reflct,hist\n"
              "              ^~~~~~\n"
              "  border: replicate reflect101 reflect wrap constant");
    CHECK_STR(error_of("threshold:otzu").message,
              "stage 1 'threshold': 'otzu' fits neither level nor method; did you mean 'otsu'?\n"
              "  threshold:otzu\n"
              "            ^~~~\n"
              "  level: a fraction of full scale, as 0.5, 50%, 128u8 or 32768u16; method: one of fixed otsu");
    CHECK_STR(error_of("blur,").message, "stage 2: the name of a stage is missing after ','\n"
                                         "  blur,\n"
                                         "       ^");
    CHECK_STR(error_of("gray\nblur:7000 # wide\nhist").message,
              "stage 2 'blur': sigma is 7000, must be from 0.05 to 1000\n"
              "  blur:7000 # wide\n"
              "       ^~~~");
    gf_error error = error_of("blurr:sigma=2,hist");
    CHECK_STR_HAS(error.message, "stage 1 'blurr': unknown stage; did you mean 'blur'?\n"
                                 "  blurr:sigma=2,hist\n"
                                 "  ^~~~~\n"
                                 "  `gpufilter list` names all ");
    CHECK_STR_HAS(error.message, " stages; beside them: blur threshold gray hist every");
    CHECK_STR_HAS(error_of("medianBlurring").message, "\n  alike: blur, median; `gpufilter list` names all ");
    CHECK(strstr(error_of("qqqqqqq").message, "alike") == NULL);
    CHECK(error.stage == 0);
}

/* Column, from 0, of the first '^' in the third line, and the columns before the fault in the second. */
static void excerpt_of_long_texts(void)
{
    enum { STAGES = 100 };
    for (int fault = 0; fault < STAGES; fault++) {
        char text[STAGES * 20] = "", marked[32];
        for (int i = 0; i < STAGES; i++) {
            strcat(text, i ? "," : "");
            strcat(text, i == fault ? "blur:7777" : i % 3 ? "gray" : "gray:name='\xc3\xa9\xe4\xb8\xad'");
        }
        gf_error error = error_of(text);
        CHECK(error.stage == fault);
        char *line = strchr(error.message, '\n') + 1, *caret = strchr(line, '\n') + 1;
        const char *place = strstr(line, "7777");
        REQUIRE(place && place < caret && caret[0] == ' ');
        size_t columns = 0;
        for (const char *c = line; c < place;) {
            size_t wide;
            bool shown;
            c += gf_text_glyph(c, (size_t)(place - c), &wide, &shown);
            CHECK(shown);
            columns += wide;
        }
        CHECK_EQ_INT(strcspn(caret, "^"), columns);
        CHECK_STR_HAS(caret, "^~~~");
        CHECK(columns < 75);
        snprintf(marked, sizeof marked, "%.5s", line);
        CHECK_MSG((strcmp(marked, "  ...") == 0) == (fault > 2), "%d: %s", fault, error.message);
    }
}

static void unsafe_bytes_are_not_shown(void)
{
    gf_error error = error_of("gray:name='\xe2\x80\xae\xff\tx':z=1");
    CHECK_STR(error.message, "stage 1 'gray': no parameter 'z'\n"
                             "  gray:name='?? x':z=1\n"
                             "                   ^\n"
                             "  parameters: name save");
    for (int byte = 1; byte < 256; byte++) {
        char text[] = "gray:xx=?y,blur";
        text[8] = (char)byte;
        gf_error e = error_of(text);
        for (const char *c = e.message; *c; c++) {
            CHECK_MSG(((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f) || *c == '\n',
                      "byte %d gives byte %d", byte, (unsigned char)*c);
        }
    }
}

static void limits(void)
{
    static char text[70000];
    char buffer[4096];
    gf_pipeline *pipeline = NULL;
    for (int i = 0; i < 256; i++) {
        strcpy(text + 5 * i, "gray,");
    }
    text[5 * 256 - 1] = '\0';
    REQUIRE(parse(text, &pipeline, NULL) == GF_OK);
    CHECK_EQ_INT(gf_pipeline_stage_count(pipeline), 256);
    gf_error error = GF_ERROR_INIT;
    CHECK(gf_pipeline_append(pipeline, test_types[0], NULL, &error) == GF_ERROR_LIMIT);
    CHECK_STR(error.message, "a pipeline has at most 256 stages");
    CHECK_EQ_INT(gf_pipeline_stage_count(pipeline), 256);
    gf_pipeline_destroy(&pipeline);
    strcat(text, ",gray");
    error = error_of(text);
    CHECK(error.code == GF_ERROR_LIMIT && error.stage == 256);
    CHECK_STR_HAS(error.message, "stage 257 'gray': a pipeline has at most 256 stages\n");
    memset(text, ' ', 65536);
    memcpy(text, "gray", 4);
    text[65536] = '\0';
    canonical(text, GF_PRINT_TEXT, buffer);
    CHECK_STR(buffer, "gray");
    text[65536] = ' ';
    error = error_of(text);
    CHECK(error.code == GF_ERROR_LIMIT);
    CHECK_STR(error.message, "the text of a pipeline has at most 65536 bytes");
}

static void json(void)
{
    char buffer[4096];
    canonical("blur:sigma=2,hist", GF_PRINT_JSON, buffer);
    CHECK_STR(buffer, "{\"gpufilter\":1,\"stages\":[{\"op\":\"blur\",\"sigma\":2},{\"op\":\"hist\"}]}");
    canonical("blur:radius=3:border=wrap:value=0.25:roi=1x2+3+4:channels=rgb:name=\"a\\\"\\\\\\n\"",
              GF_PRINT_JSON, buffer);
    CHECK_STR(buffer,
              "{\"gpufilter\":1,\"stages\":[{\"op\":\"blur\",\"radius\":3,\"border\":\"wrap\",\"value\":0.25,"
              "\"roi\":\"1x2+3+4\",\"channels\":\"rgb\",\"name\":\"a\\\"\\\\\\n\"}]}");
    canonical("every:yes=off:auto_whole=1:choice=3x3:name='\xff\xc3\xa9'", GF_PRINT_JSON, buffer);
    CHECK_STR(buffer, "{\"gpufilter\":1,\"stages\":[{\"op\":\"every\",\"auto_whole\":1,\"yes\":false,"
                      "\"choice\":\"3x3\",\"name\":\"\\ufffd\xc3\xa9\"}]}");
}

static void printing_counts_what_it_drops(void)
{
    static const char whole[] = "blur:sigma=2,hist";
    gf_pipeline *pipeline = NULL;
    REQUIRE(parse("blur:2,hist", &pipeline, NULL) == GF_OK);
    for (size_t capacity = 0; capacity < 24; capacity++) {
        char buffer[32];
        size_t length = 0, kept = capacity > sizeof whole ? sizeof whole - 1 : capacity ? capacity - 1 : 0;
        memset(buffer, 'x', sizeof buffer);
        CHECK(gf_pipeline_print(pipeline, GF_PRINT_TEXT, buffer, capacity, &length, NULL) == GF_OK);
        CHECK(length == sizeof whole - 1);
        CHECK_MEM(buffer, whole, kept);
        CHECK(capacity == 0 || buffer[kept] == '\0');
        CHECK(buffer[capacity] == 'x');
    }
    gf_error error = GF_ERROR_INIT;
    CHECK(gf_pipeline_print(pipeline, GF_PRINT_TEXT, NULL, 0, NULL, NULL) == GF_OK);
    CHECK(gf_pipeline_print(pipeline, GF_PRINT_TEXT, NULL, 8, NULL, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_print(pipeline, (gf_print_format)7, NULL, 0, NULL, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_print(NULL, GF_PRINT_TEXT, NULL, 0, NULL, &error) == GF_ERROR_ARGUMENT);
    gf_pipeline_destroy(&pipeline);
}

static void appending(void)
{
    char buffer[4096];
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    REQUIRE(gf_pipeline_create(&pipeline, &error) == GF_OK);
    print(pipeline, GF_PRINT_TEXT, buffer);
    CHECK_STR(buffer, "");
    print(pipeline, GF_PRINT_JSON, buffer);
    CHECK_STR(buffer, "{\"gpufilter\":1,\"stages\":[]}");
    CHECK(gf_pipeline_append(pipeline, test_types[0], "2:border=wrap", &error) == GF_OK);
    CHECK(gf_pipeline_append(pipeline, test_types[2], NULL, &error) == GF_OK);
    CHECK(gf_pipeline_append(pipeline, test_types[2], " ", &error) == GF_OK);
    CHECK(gf_pipeline_append(pipeline, test_types[0], "radius=5000", &error) == GF_ERROR_ARGUMENT);
    CHECK(error.stage == 3 && error.text_offset == 7 && error.text_length == 4);
    CHECK_STR(error.message, "stage 4 'blur': radius is 5000, must be from 0 to 4000\n"
                             "  radius=5000\n"
                             "         ^~~~");
    CHECK(gf_pipeline_append(pipeline, test_types[0], "2,hist", &error) == GF_ERROR_PARSE);
    CHECK(gf_pipeline_append(pipeline, test_types[0], ":2", &error) == GF_ERROR_PARSE);
    CHECK_EQ_INT(gf_pipeline_stage_count(pipeline), 3);
    CHECK(gf_pipeline_stage_type(pipeline, 1) == test_types[2]);
    CHECK(!gf_pipeline_stage_type(pipeline, 3) && !gf_pipeline_stage_type(pipeline, -1));
    print(pipeline, GF_PRINT_TEXT, buffer);
    CHECK_STR(buffer, "blur:sigma=2:border=wrap,gray,gray");
    gf_pipeline_destroy(&pipeline);
    CHECK(pipeline == NULL);
    gf_pipeline_destroy(&pipeline);
    gf_pipeline_destroy(NULL);
}

static void null_arguments(void)
{
    gf_pipeline *pipeline = NULL;
    const gf_stage_type *none = NULL;
    CHECK(gf_pipeline_parse(NULL, NULL, 0, &pipeline, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_parse("gray", NULL, 0, NULL, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_parse("gray", NULL, 1, &pipeline, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_parse("gray", &none, 1, &pipeline, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_parse("grey:", NULL, 0, &pipeline, NULL) == GF_ERROR_PARSE);
    CHECK(gf_pipeline_create(NULL, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_append(NULL, test_types[0], NULL, NULL) == GF_ERROR_ARGUMENT);
    CHECK(gf_pipeline_stage_count(NULL) == 0 && !gf_pipeline_stage_type(NULL, 0));
}

static void places_of_stages(void)
{
    gf_pipeline *pipeline = NULL;
    REQUIRE(parse(" gray ,\n blur : 2 # x\n hist", &pipeline, NULL) == GF_OK);
    static const int32_t offsets[] = {1, 9, 23}, lengths[] = {4, 8, 4};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ_INT(pipeline->nodes[i].text_offset, offsets[i]);
        CHECK_EQ_INT(pipeline->nodes[i].text_length, lengths[i]);
    }
    gf_error error = GF_ERROR_INIT;
    error.code = GF_ERROR_UNSUPPORTED;
    error.stage = 1;
    strcpy(error.message, "stage 2 'blur': too much");
    gf_pipeline_locate(pipeline, &error);
    CHECK_EQ_INT(error.code, GF_ERROR_UNSUPPORTED);
    CHECK_STR(error.message, "stage 2 'blur': too much\n   blur : 2 # x\n   ^~~~~~~~");
    CHECK(error.stage == 1 && error.text_offset == 9 && error.text_length == 8);
    gf_pipeline_destroy(&pipeline);
}

/* A word of another program leads to stages that there are, and is none itself. */
static void foreign_words(void)
{
    int words = 0;
    for (const char *const *entry = gf_foreign_words; *entry; entry += 2) {
        gf_pipeline *pipeline = NULL;
        CHECK_MSG(gf_pipeline_parse(entry[1], NULL, 0, &pipeline, NULL) == GF_OK, "%s", entry[1]);
        gf_pipeline_destroy(&pipeline);
        for (const char *w = *entry; *w; w += w[strcspn(w, "|")] ? strcspn(w, "|") + 1 : strlen(w), words++) {
            char word[64], says[160];
            gf_error error = GF_ERROR_INIT;
            snprintf(word, sizeof word, "%.*s", (int)strcspn(w, "|"), w);
            CHECK_STR(gf_stage_known_as(word, strlen(word)), entry[1]);
            CHECK_EQ_INT(gf_pipeline_parse(word, NULL, 0, &pipeline, &error), GF_ERROR_PARSE);
            snprintf(says, sizeof says, "stage 1 '%s': unknown stage; did you mean '%s'?", word, entry[1]);
            CHECK_STR_HAS(error.message, says);
        }
    }
    CHECK(words > 200);
    CHECK(!gf_stage_known_as("blur", 4) && !gf_stage_known_as("thumbnail", 4) && !gf_stage_known_as(NULL, 0));
    CHECK_STR(gf_stage_known_as("adaptive-threshold", 18), "threshold:sauvola");
    CHECK_STR(gf_stage_known_as("AdaptiveThreshold", 17), "threshold:sauvola");
    CHECK(!gf_stage_known_as("adaptive_", 0) && !gf_stage_known_as("thumbnails", 10));
    int32_t lists = 0;
    for (const char *stages = NULL; gf_stage_known_words(lists, &stages); lists++) {
        CHECK_STR(stages, gf_foreign_words[2 * lists + 1]);
    }
    CHECK(lists > 40 && !gf_foreign_words[2 * lists] && !gf_stage_known_words(-1, NULL));
}

static const struct check_case cases[] = {
    {"good texts", good_texts},
    {"bad texts", bad_texts},
    {"whole messages", whole_messages},
    {"excerpts of long texts", excerpt_of_long_texts},
    {"unsafe bytes are not shown", unsafe_bytes_are_not_shown},
    {"limits", limits},
    {"json", json},
    {"printing counts what it drops", printing_counts_what_it_drops},
    {"appending", appending},
    {"null arguments", null_arguments},
    {"places of stages", places_of_stages},
    {"words of other programs", foreign_words},
};
CHECK_MAIN(cases)
