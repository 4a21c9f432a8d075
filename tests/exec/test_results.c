/* Numbers of results, and the table of fields that help and documents are made from. */
#include "check.h"
#include "gpufilter/gpufilter.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 24, HEIGHT = 9 };

struct measured {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    gf_error error;
};

/* A stage whose result cannot be made. */
static void make_no_field(const gf_measured *measured, gf_result_builder *builder)
{
    (void)measured;
    gf_result_u64(builder, NULL, 1, 1);
}

static void lower_unmade(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id picture = gf_lower_input(l), sums = gf_lower_stats(l, picture);
    gf_lower_result(l, picture, &sums, 1, make_no_field);
}

static const gf_stage_type unmade = {.struct_size = sizeof unmade,
                                     .name = "unmade",
                                     .group = "test",
                                     .summary = "",
                                     .formula = "",
                                     .flags = GF_STAGE_MEASURE,
                                     .lower = lower_unmade};

/* A stage that is wrong: its result is one number, and another time many. */
static int64_t numbers_made;

static void make_some(const gf_measured *measured, gf_result_builder *builder)
{
    (void)measured;
    gf_result_f64(builder, "some", 1, numbers_made);
    numbers_made = 1;
}

static void lower_unsteady(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id picture = gf_lower_input(l), sums = gf_lower_stats(l, picture);
    gf_lower_result(l, picture, &sums, 1, make_some);
}

static const gf_stage_type unsteady = {.struct_size = sizeof unsteady,
                                       .name = "unsteady",
                                       .group = "test",
                                       .summary = "",
                                       .formula = "",
                                       .flags = GF_STAGE_MEASURE,
                                       .lower = lower_unsteady};

/* A stage that finds rows: as many as its parameter says, in every depth that a column may have. */
struct finder {
    int64_t rows;
    int32_t wrong;
};

enum { RIGHT, NO_TABLE, NO_NAME, EMPTY_PART, WRONG_DEPTH, UNSTEADY };

static void find_rows(const gf_measured *measured, gf_result_builder *builder)
{
    const struct finder *finder = measured->params;
    int64_t rows = finder->wrong == UNSTEADY ? numbers_made++ : finder->rows;
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    if (finder->wrong != NO_TABLE) {
        gf_result_begin_table(builder, finder->wrong == NO_NAME ? NULL : "finds", rows);
    }
    gf_depth depth = finder->wrong == WRONG_DEPTH ? GF_U8 : GF_U32;
    uint32_t *box = gf_result_column(builder, "box", finder->wrong == EMPTY_PART ? "x||w" : "x|y|w", depth);
    uint64_t *area = gf_result_column(builder, "area", NULL, GF_U64);
    float *value = gf_result_column(builder, "value", NULL, GF_F32);
    double *mean = gf_result_column(builder, "mean", "a", GF_F64);
    if (!count || !box || !area || !value || !mean) {
        return;
    }
    *count = (uint64_t)rows;
    for (int64_t i = 0; i < rows; i++) {
        for (int k = 0; k < 3; k++) {
            box[3 * i + k] = (uint32_t)(4000000000u + 10 * (uint64_t)i + (uint64_t)k);
        }
        area[i] = UINT64_MAX - (uint64_t)i;
        value[i] = (float)i - 0.5F;
        mean[i] = i == 1 ? (double)NAN : -1e-3 * (double)i;
    }
    gf_result_begin_table(builder, "none", 0);
}

static void lower_finder(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id picture = gf_lower_input(l), sums = gf_lower_stats(l, picture);
    gf_lower_result(l, picture, &sums, 1, find_rows);
}

static const gf_param finder_params[] = {{.name = "rows",
                                          .type = GF_PARAM_INT,
                                          .offset = offsetof(struct finder, rows),
                                          .text = "2",
                                          .max = 1000,
                                          .help = "",
                                          .positional = 1},
                                         {.name = "wrong",
                                          .type = GF_PARAM_CHOICE,
                                          .offset = offsetof(struct finder, wrong),
                                          .text = "no",
                                          .choices = "no|table|name|part|depth|steady",
                                          .help = ""},
                                         {0}};

static const gf_stage_type finder = {.struct_size = sizeof finder,
                                     .name = "finder",
                                     .group = "test",
                                     .summary = "",
                                     .formula = "",
                                     .params = finder_params,
                                     .params_size = sizeof(struct finder),
                                     .flags = GF_STAGE_MEASURE,
                                     .lower = lower_finder};
static const gf_stage_type *const known[] = {&unmade, &unsteady, &finder};

static gf_status measure(struct measured *m, const char *text)
{
    static uint8_t pixels[3 * WIDTH * HEIGHT];
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++) {
        pixels[i] = (uint8_t)(i % 3 == 1 ? 7 : i * 5);
    }
    gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 3, GF_U8, 0);
    gf_status status;
    *m = (struct measured){.error = GF_ERROR_INIT};
    (void)((status = gf_context_create(NULL, &m->context, &m->error)) == GF_OK &&
           (status = gf_pipeline_parse(text, known, 3, &m->pipeline, &m->error)) == GF_OK &&
           (status = gf_plan_create(m->context, m->pipeline, &in.shape, NULL, &m->plan, &m->error)) ==
               GF_OK &&
           (status = gf_exec_create(m->plan, &m->exec, &m->error)) == GF_OK &&
           (status = gf_exec_run(m->exec, &in, NULL, &m->error)) == GF_OK);
    return status;
}

static void close_measured(struct measured *m)
{
    gf_exec_destroy(&m->exec);
    gf_plan_destroy(&m->plan);
    gf_pipeline_destroy(&m->pipeline);
    gf_context_destroy(&m->context);
}

static void numbers(void)
{
    struct measured m;
    double x = -1;
    REQUIRE(measure(&m, "stats,hist:16,hist:name=each") == GF_OK);
    const gf_result *stats = gf_exec_result_named(m.exec, "stats"),
                    *hist = gf_exec_result_named(m.exec, "hist");
    REQUIRE(stats && hist);
    CHECK_EQ_INT(gf_result_number(stats, "mean", 1, &x, &m.error), GF_OK);
    CHECK_NEAR(x, 7, 0);
    CHECK_EQ_INT(gf_result_number(stats, "count", 2, &x, &m.error), GF_OK); /* of u64 */
    CHECK_NEAR(x, WIDTH * HEIGHT, 0);
    CHECK_EQ_INT(gf_result_number(hist, "hi", 0, &x, &m.error), GF_OK);
    CHECK_NEAR(x, 255, 0);
    const gf_result *each = gf_exec_result_named(m.exec, "each");
    CHECK_EQ_INT(gf_result_number(each, "entropy", 0, &x, &m.error), GF_OK);
    CHECK_NEAR(x, log2(WIDTH * HEIGHT), 1e-12); /* no value twice */
    CHECK_EQ_INT(gf_result_number(each, "entropy", 1, &x, &m.error), GF_OK);
    CHECK_NEAR(x, 0, 0); /* one value alone */
    x = 255;
    CHECK_EQ_INT(gf_result_number(stats, "avg", 0, &x, &m.error), GF_ERROR_ARGUMENT);
    CHECK_STR(m.error.message,
              "the result of 'stats' has no field 'avg'; it has: min, max, mean, stddev, sum, count, "
              "nan, argmin, argmax");
    CHECK_EQ_INT(gf_result_number(stats, "mean", 3, &x, &m.error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(m.error.message, "channel 3 of 'stats': 3 were measured");
    CHECK_EQ_INT(gf_result_number(stats, "mean", -1, &x, &m.error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_result_number(stats, "argmin", 0, &x, &m.error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(m.error.message, "2 values per channel");
    CHECK_EQ_INT(gf_result_number(gf_exec_result_named(m.exec, "state"), "mean", 0, &x, &m.error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(m.error.message, "no stage of that name has measured");
    CHECK_NEAR(x, 255, 0); /* untouched */
    close_measured(&m);
}

/* No more is said than what only signals have. */
static bool is_rest(const char *help)
{
    return !help || !strncmp(help, "signals: ", 9);
}

/* The table of a stage says what its results are: names, depths, counts and order. */
static void check_table(const gf_result *result, int64_t any)
{
    const gf_stage_type *type = gf_stage_find(result->stage);
    const gf_stage_field *row = NULL;
    for (int32_t i = 0; i < result->n_fields; i++) {
        const gf_field *field = &result->fields[i];
        row = gf_stage_result(type, i);
        REQUIRE(row != NULL);
        CHECK_STR(field->name, row->name);
        CHECK_EQ_INT(field->depth, row->depth);
        CHECK_EQ_INT(field->count, row->count ? row->count : any);
        CHECK(row->unit && *row->unit && row->help && *row->help);
    }
    row = gf_stage_result(type, result->n_fields);
    CHECK(is_rest(row ? row->help : NULL));
    for (int64_t t = 0; t < result->n_tables; t++) {
        const gf_stage_table *told = gf_stage_result_table(type, (int32_t)t);
        const gf_table *table = &result->tables[t];
        REQUIRE(told != NULL);
        CHECK_STR(table->name, told->name);
        CHECK(told->help && *told->help);
        row = told->columns;
        for (int32_t c = 0; c < table->n_columns; c++, row++) {
            CHECK_STR(table->columns[c].name, row->name);
            CHECK_EQ_INT(table->columns[c].depth, row->depth);
            CHECK(table->columns[c].count == row->count || !row->count);
            CHECK(row->unit && *row->unit && row->help && *row->help);
        }
        CHECK(row->name == NULL);
    }
    const gf_stage_table *rest = gf_stage_result_table(type, (int32_t)result->n_tables);
    CHECK(is_rest(rest ? rest->help : NULL));
}

static void tables(void)
{
    struct measured m;
    int with_table = 0;
    REQUIRE(measure(&m, "stats,hist:3,percentiles:[1 50 "
                        "99],profile,points,find,bounds,whitebalance,gray,threshold:otsu:classes=4,"
                        "normalize,peaks,threshold:0.5,label") == GF_OK);
    CHECK_EQ_INT(gf_exec_result_count(m.exec), 12);
    for (int32_t i = 0; i < gf_exec_result_count(m.exec); i++) {
        check_table(gf_exec_result(m.exec, i), 3);
    }
    int32_t count = 0;
    const gf_stage_type *const *types = gf_stage_types(&count);
    for (int32_t i = 0; i < count; i++) {
        bool has = gf_stage_result(types[i], 0) || gf_stage_result_table(types[i], 0);
        with_table += has && types[i]->lower;
        CHECK_MSG(has || !(types[i]->flags & GF_STAGE_MEASURE), "%s measures and says not what",
                  types[i]->name);
    }
    CHECK_EQ_INT(with_table, gf_exec_result_count(m.exec)); /* no stage is missing above */
    CHECK(gf_stage_result(gf_stage_find("blur"), 0) == NULL && gf_stage_result(types[0], -1) == NULL);
    close_measured(&m);
}

/* A run that fails has no results, not those that were made before it failed; and what no run has made is not
 * verified. */
static void failed_runs(void)
{
    struct measured m;
    static uint8_t pixels[3 * WIDTH * HEIGHT];
    const gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 3, GF_U8, 0);
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    CHECK_EQ_INT(measure(&m, "hist,unmade"), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(m.error.message, "stage 2 'unmade'");
    CHECK_EQ_INT(gf_exec_result_count(m.exec), 0);
    CHECK(gf_exec_result_named(m.exec, "hist") == NULL);
    CHECK_EQ_INT(gf_verify(m.exec, &in, NULL, GF_DEVICE_REFERENCE, &mismatch, &m.error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(m.error.message, "there are no results to verify");
    close_measured(&m);
}

/* Results of different sizes are a difference, and are not compared number by number. */
static void unsteady_results(void)
{
    struct measured m;
    static uint8_t pixels[3 * WIDTH * HEIGHT];
    const gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 3, GF_U8, 0);
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    numbers_made = 5000;
    REQUIRE(measure(&m, "unsteady") == GF_OK);
    CHECK_EQ_INT(gf_verify(m.exec, &in, NULL, GF_DEVICE_REFERENCE, &mismatch, &m.error), GF_ERROR_MISMATCH);
    CHECK_STR(mismatch.what, "some");
    CHECK_NEAR(mismatch.expected, 1, 0);
    CHECK_NEAR(mismatch.got, 5000, 0);
    close_measured(&m);
}

/* ---- tables of rows ---- */

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
    {"one number of a result", numbers},     {"tables of fields", tables},
    {"runs that fail", failed_runs},         {"results of different sizes", unsteady_results},
    {"rows that were found", rows_found},    {"many rows", many_rows},
    {"tables that cannot be", wrong_tables}, {"tables verified", verified_tables}};
CHECK_MAIN(cases)
