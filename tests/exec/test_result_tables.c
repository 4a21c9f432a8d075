/* Tables of rows that a stage has found. */
#include "results_case.h"

#include <string.h>

static void check_text(const char *expected, gf_print_format format, const gf_table *table)
{
    char text[2000];
    size_t length = 0;
    CHECK_EQ_INT(gf_table_print(table, format, text, sizeof text, &length, NULL), GF_OK);
    CHECK_STR(text, expected);
    CHECK_EQ_INT(length, strlen(expected));
}

static void rows_found(void)
{
    struct measured m;
    REQUIRE(measure(&m, "finder") == GF_OK);
    const gf_result *result = gf_exec_result_named(m.exec, "finder");
    REQUIRE(result && result->n_tables == 2);
    const gf_table *table = gf_result_table(result, "finds");
    REQUIRE(table && gf_table_column(table, "value") && !gf_table_column(table, "x"));
    CHECK(gf_result_table(result, "count") == NULL && gf_result_table(NULL, "finds") == NULL);
    CHECK_EQ_INT(table->rows, 2);
    CHECK_EQ_INT(gf_table_column(table, "box")->count, 3);
    check_text("box_x,box_y,box_w,area,value,mean_a\n"
               "4000000000,4000000001,4000000002,18446744073709551615,-0.5,-0\n"
               "4000000010,4000000011,4000000012,18446744073709551614,0.5,nan\n",
               GF_PRINT_CSV, table);
    check_text("  finds, 2 rows\n"
               "       box_x       box_y       box_w                  area  value  mean_a\n"
               "  4000000000  4000000001  4000000002  18446744073709551615   -0.5      -0\n"
               "  4000000010  4000000011  4000000012  18446744073709551614    0.5     nan\n",
               GF_PRINT_TEXT, table);
    const char *json = "{\"stage\":\"finder\",\"name\":\"\",\"index\":0,\"count\":[2],\"finds\":["
                       "{\"box\":[4000000000,4000000001,4000000002],\"area\":18446744073709551615,"
                       "\"value\":-0.5,\"mean\":[-0]},"
                       "{\"box\":[4000000010,4000000011,4000000012],\"area\":18446744073709551614,"
                       "\"value\":0.5,\"mean\":[null]}],\"none\":[]}";
    char text[1000];
    CHECK_EQ_INT(gf_result_print(result, GF_PRINT_JSON, text, sizeof text, NULL, NULL), GF_OK);
    CHECK_STR(text, json);
    CHECK_EQ_INT(gf_result_print(result, GF_PRINT_CSV, text, sizeof text, NULL, &m.error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(m.error.message, "must be text (0), json (1) or brief (2)");
    CHECK_EQ_INT(gf_table_print(NULL, GF_PRINT_CSV, text, sizeof text, NULL, &m.error), GF_ERROR_ARGUMENT);
    close_measured(&m);
}

static int lines_of(const gf_result *result, gf_print_format format)
{
    static char text[100000];
    int lines = 0;
    CHECK_EQ_INT(gf_result_print(result, format, text, sizeof text, NULL, NULL), GF_OK);
    for (const char *c = text; *c; c++) {
        lines += *c == '\n';
    }
    CHECK(!strchr(text, '#')); /* no chart */
    return lines;
}

/* Brief text has the first 20 rows and says how many more there are; other text has all. */
static void many_rows(void)
{
    struct measured m;
    for (int rows = 19; rows <= 21; rows++) {
        char words[32];
        snprintf(words, sizeof words, "finder:%d", rows);
        REQUIRE(measure(&m, words) == GF_OK);
        const gf_result *result = gf_exec_result(m.exec, 0);
        int rest = 5; /* stage, count, name of the table, names of its columns, name of the other */
        CHECK_EQ_INT(lines_of(result, GF_PRINT_TEXT), rows + rest);
        CHECK_EQ_INT(lines_of(result, GF_PRINT_BRIEF), (rows < 20 ? rows : 20) + rest + (rows > 20));
        close_measured(&m);
    }
}

static void wrong_tables(void)
{
    static const char *const words[] = {"finder:wrong=table", "finder:wrong=name", "finder:wrong=part",
                                        "finder:wrong=depth"};
    for (int i = 0; i < 4; i++) {
        struct measured m;
        CHECK_EQ_INT(measure(&m, words[i]), GF_ERROR_ARGUMENT);
        CHECK_STR_HAS(m.error.message, "a field, table or column without name, size or place in the result");
        CHECK_EQ_INT(gf_exec_result_count(m.exec), 0);
        close_measured(&m);
    }
}

/* Verification compares rows, too. */
static void verified_tables(void)
{
    struct measured m;
    static uint8_t pixels[3 * WIDTH * HEIGHT];
    const gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 3, GF_U8, 0);
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    REQUIRE(measure(&m, "finder") == GF_OK);
    CHECK_EQ_INT(gf_verify(m.exec, &in, NULL, GF_DEVICE_REFERENCE, &mismatch, &m.error), GF_OK);
    *(float *)(uintptr_t) & ((const float *)gf_exec_result(m.exec, 0)->tables[0].columns[2].values)[1] = 9;
    CHECK_EQ_INT(gf_verify(m.exec, &in, NULL, GF_DEVICE_REFERENCE, &mismatch, &m.error), GF_ERROR_MISMATCH);
    close_measured(&m);
    numbers_made = 7;
    REQUIRE(measure(&m, "finder:wrong=steady") == GF_OK);
    CHECK_EQ_INT(gf_verify(m.exec, &in, NULL, GF_DEVICE_REFERENCE, &mismatch, &m.error), GF_ERROR_MISMATCH);
    close_measured(&m);
}

static const struct check_case cases[] = {
    {"rows that were found", rows_found},
    {"many rows", many_rows},
    {"tables that cannot be", wrong_tables},
    {"tables verified", verified_tables},
};
CHECK_MAIN(cases)
