/* Numbers of results, and the table of fields that help and documents are made from. */
#include "results_case.h"

#include <math.h>
#include <string.h>

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
    struct measured m, at_last; /* of what leaves one pixel */
    int with_table = 0;
    REQUIRE(measure(&m,
                    "register:in,deskew:angle=2,skew,stats,hist:3,percentiles:[1 50 "
                    "99],profile,points,find,bounds,whitebalance,quantize:4,gray,threshold:otsu:classes=4,"
                    "normalize,peaks,threshold:0.5,label") == GF_OK);
    CHECK_EQ_INT(gf_exec_result_count(m.exec), 16);
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
    REQUIRE(measure(&at_last, "match:in") == GF_OK);
    check_table(gf_exec_result(at_last.exec, 0), 3);
    CHECK_EQ_INT(with_table, gf_exec_result_count(m.exec) + 1); /* no stage is missing above */
    close_measured(&at_last);
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

static const struct check_case cases[] = {
    {"one number of a result", numbers},
    {"tables of fields", tables},
    {"runs that fail", failed_runs},
    {"results of different sizes", unsteady_results},
};
CHECK_MAIN(cases)
