/* The judge's taps and solves against values worked out by hand. */
#include "base/gf_num.h"
#include "check.h"
#include "op_case.h"

#define REQUIRE_BLOCK(in, value, block) REQUIRE(op_case_run(in, NULL, value, block, NULL) == GF_OK)

/* ---- histogram and range ---- */

static void hist_counts_values(void)
{
    const uint8_t in[12] = {0, 9, 255, 9, 7, 9, 7, 9, 1, 9, 1, 9}; /* 3 x 2, channel 1 not measured */
    uint64_t rows[2 * 259];
    uint64_t expected[2 * 259] = {0};
    op_case_begin(GF_U8, 2, 3, 2);
    struct gf_op *op = op_case_tap(&gf_kernel_hist, 256, 0, 0);
    op->u.tap.mask = 1;
    REQUIRE_BLOCK(in, op->out, rows);
    expected[0] = 1;
    expected[1] = 2;
    expected[7] = 2;
    expected[255] = 1;
    CHECK_MEM(rows, expected, sizeof rows);
    op->u.tap.roi = 0;
    op->roi = (struct gf_rect){1, 0, 2, 2}; /* leaves out x = 0: a 0 and a 7 */
    REQUIRE_BLOCK(in, op->out, rows);
    expected[0] = 0;
    expected[7] = 1;
    CHECK_MEM(rows, expected, sizeof rows);
}

static void hist_counts_every_u16(void)
{
    static uint64_t row[65539];
    const uint16_t in[4] = {65535, 0, 65535, 300};
    uint64_t all = 0;
    op_case_begin(GF_U16, 1, 4, 1);
    struct gf_op *op = op_case_tap(&gf_kernel_hist, 65536, 0, 0);
    REQUIRE_BLOCK(in, op->out, row);
    for (int i = 0; i < 65539; i++) {
        all += row[i];
    }
    CHECK_EQ_INT(row[65535], 2);
    CHECK_EQ_INT(row[0], 1);
    CHECK_EQ_INT(row[300], 1);
    CHECK_EQ_INT(all, 4);
}

static void hist_f32_bins_are_closed_above(void)
{
    const float in[10] = {0.0F, 0.25F, 0.999F, 1.0F, 1.5F, -0.1F, NAN, 0.5F, INFINITY, -0.0F};
    const uint64_t expected[7] = {2, 1, 1, 2, 1, 2, 1}; /* four bins, below, above, nan */
    const float range[2] = {-1.0F, 3.0F};
    const uint64_t wide[7] = {1, 5, 2, 0, 0, 1, 1}; /* [-1 0) [0 1) [1 2) [2 3] */
    uint64_t row[7];
    op_case_begin(GF_F32, 1, 10, 1);
    struct gf_op *op = op_case_tap(&gf_kernel_hist, 4, 0.0F, 1.0F);
    REQUIRE_BLOCK(in, op->out, row);
    CHECK_MEM(row, expected, sizeof row);
    op->blocks[1] = op_case_block(GF_F32, 1, 2, range);
    op->u.tap.range = 1;
    REQUIRE_BLOCK(in, op->out, row);
    CHECK_MEM(row, wide, sizeof row);
}

static void hist_of_a_range_without_width(void)
{
    const float in[3] = {0.5F, 0.5F, NAN};
    const uint64_t expected[7] = {2, 0, 0, 0, 0, 0, 1};
    uint64_t row[7];
    op_case_begin(GF_F32, 1, 3, 1);
    int32_t range = op_case_tap(&gf_kernel_range, 0, 0, 0)->out;
    struct gf_op *op = op_case_tap(&gf_kernel_hist, 4, 0, 1);
    op->blocks[0] = range;
    op->u.tap.range = 0;
    REQUIRE_BLOCK(in, op->out, row);
    CHECK_MEM(row, expected, sizeof row);
}

static void range_is_of_finite_values(void)
{
    const float in[10] = {NAN, 0.0F, INFINITY, -0.0F, 0.5F, NAN, -2.0F, INFINITY, -INFINITY, -INFINITY};
    const float some[4] = {-2.0F, 0.5F, -0.0F, 0.0F}; /* channel 1: 0 -0 nan inf -inf */
    float rows[4];
    op_case_begin(GF_F32, 2, 5, 1);
    struct gf_op *op = op_case_tap(&gf_kernel_range, 0, 0, 0);
    REQUIRE_BLOCK(in, op->out, rows);
    CHECK_MEM(rows, some, sizeof rows);
    op->u.tap.roi = 0;
    op->roi = (struct gf_rect){4, 0, 1, 1}; /* nothing finite */
    REQUIRE_BLOCK(in, op->out, rows);
    CHECK_EQ_INT(gf_float_bits(rows[0]) | gf_float_bits(rows[1]), 0);
}

/* ---- statistics ---- */

static void stats_of_integers(void)
{
    const uint8_t in[4] = {5, 1, 9, 1};
    struct gf_stats_block s;
    op_case_begin(GF_U8, 1, 2, 2);
    struct gf_op *op = op_case_tap(&gf_kernel_stats, 0, 0, 0);
    REQUIRE_BLOCK(in, op->out, &s);
    CHECK_EQ_INT(s.count, 4);
    CHECK_EQ_INT(s.sum_u, 16);
    CHECK_EQ_INT(s.square_u, 25 + 1 + 81 + 1);
    CHECK(s.sum_f == 0 && s.square_f == 0);
    CHECK(s.least == 1 && s.greatest == 9);
    CHECK_EQ_INT(s.at_least, 1);
    CHECK_EQ_INT(s.at_greatest, 2);
    op->u.tap.roi = 0;
    op->roi = (struct gf_rect){0, 1, 2, 1};
    REQUIRE_BLOCK(in, op->out, &s);
    CHECK_EQ_INT(s.sum_u, 10);
    CHECK_EQ_INT(s.at_least, 3);
    op->u.tap.mask = 0;
    REQUIRE_BLOCK(in, op->out, &s);
    CHECK_EQ_INT(s.count | s.sum_u | (uint64_t)s.at_least, 0);
}

static void stats_leave_nan_out(void)
{
    const float in[6] = {NAN, 0.0F, -0.0F, 2.0F, 2.0F, NAN};
    const float none[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const float opposed[6] = {INFINITY, -INFINITY, 0, 0, 0, 0};
    struct gf_stats_block s;
    op_case_begin(GF_F32, 1, 6, 1);
    struct gf_op *op = op_case_tap(&gf_kernel_stats, 0, 0, 0);
    REQUIRE_BLOCK(in, op->out, &s);
    CHECK_EQ_INT(s.count, 4);
    CHECK_EQ_INT(s.nan, 2);
    CHECK(s.sum_f == 4 && s.square_f == 8);
    CHECK_EQ_INT(s.at_least, 2); /* -0 is below +0 */
    CHECK(signbit(s.least) && s.least == 0);
    CHECK(s.greatest == 2);
    CHECK_EQ_INT(s.at_greatest, 3);
    REQUIRE_BLOCK(none, op->out, &s);
    CHECK_EQ_INT(s.count, 0);
    CHECK_EQ_INT(s.nan, 6);
    CHECK(s.least == 0 && s.greatest == 0 && s.sum_f == 0);
    CHECK_EQ_INT(s.at_least, -1);
    CHECK_EQ_INT(s.at_greatest, -1);
    REQUIRE_BLOCK(opposed, op->out, &s);
    CHECK(gf_double_bits(s.sum_f) == 0x7ff8000000000000U);
    CHECK(s.square_f == (double)INFINITY);
    CHECK(s.least == -(double)INFINITY && s.greatest == (double)INFINITY);
}

/* 1e30 absorbs 1 in f64, so the sum of {1, 1e30, -1e30} shows which two were added first. */
static double sum_with(int64_t width, int64_t height, const int64_t at[3])
{
    static float in[130 * 161];
    struct gf_stats_block s = {0};
    memset(in, 0, sizeof in);
    in[at[0]] = 1.0F;
    in[at[1]] = 1e30F;
    in[at[2]] = -1e30F;
    op_case_begin(GF_F32, 1, width, height);
    struct gf_op *op = op_case_tap(&gf_kernel_stats, 0, 0, 0);
    return op_case_run(in, NULL, op->out, &s, NULL) == GF_OK ? s.sum_f : -1.0;
}

static void f32_sums_follow_the_tree(void)
{
    /* columns j and j + 64 first, then j and j + 32: columns 0 and 64 meet before 1 does */
    CHECK(sum_with(128, 1, (const int64_t[3]){1, 0, 64}) == 1);
    CHECK(sum_with(128, 1, (const int64_t[3]){64, 0, 1}) == 0);
    CHECK(sum_with(128, 1, (const int64_t[3]){1, 0, 32}) == 1);
    CHECK(sum_with(128, 1, (const int64_t[3]){32, 0, 1}) == 0);
    /* rows top to bottom within a cell of 32, then cells */
    CHECK(sum_with(1, 40, (const int64_t[3]){2, 0, 1}) == 1);
    CHECK(sum_with(1, 40, (const int64_t[3]){0, 1, 2}) == 0);
    CHECK(sum_with(1, 40, (const int64_t[3]){32, 0, 31}) == 1);
    CHECK(sum_with(1, 40, (const int64_t[3]){0, 31, 32}) == 0);
    /* five cells: ((c0 + c1) + (c2 + c3)) + c4 */
    CHECK(sum_with(1, 160, (const int64_t[3]){0, 64, 96}) == 1);
    CHECK(sum_with(1, 160, (const int64_t[3]){0, 32, 64}) == 0);
    CHECK(sum_with(1, 160, (const int64_t[3]){128, 0, 96}) == 1);
    CHECK(sum_with(1, 160, (const int64_t[3]){0, 96, 128}) == 0);
    /* the cell right of the first comes before the one below: width 130, pixel (128, 0) */
    CHECK(sum_with(130, 33, (const int64_t[3]){32 * 130, 0, 128}) == 1);
    CHECK(sum_with(130, 33, (const int64_t[3]){128, 0, 32 * 130}) == 0);
}

/* ---- solves ---- */

static void otsu_takes_the_lowest_of_the_best(void)
{
    static const uint64_t gap[7] = {3, 0, 0, 5, 9, 9, 9};  /* below, above, nan do not count */
    static const uint64_t even[7] = {2, 1, 0, 3, 0, 0, 0}; /* scores 50, 64, 64 */
    static const uint64_t single[7] = {0, 7, 0, 0, 0, 0, 0};
    static const uint64_t empty[7] = {0, 0, 0, 0, 4, 4, 4};
    static const float range[2] = {1.0F, 9.0F};
    static const struct {
        const uint64_t *counts;
        float level, in_range; /* range: 1 + (t + 0.5) * 8 / 4 */
    } rows[] = {{gap, 0, 2}, {even, 1, 4}, {single, 0, 2}, {empty, 0, 2}};
    const uint8_t in[1] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        float level = -1;
        op_case_begin(GF_U8, 1, 1, 1);
        int32_t counts = op_case_block(GF_U64, 1, 7, rows[i].counts);
        struct gf_op *op = op_case_solve(&gf_kernel_otsu, counts, GF_NONE, GF_F32, 1, 255);
        REQUIRE_BLOCK(in, op->out, &level);
        CHECK_MSG(level == rows[i].level, "row %zu: level %g", i, (double)level);
        op->u.apply.in[1] = op_case_block(GF_F32, 1, 2, range);
        REQUIRE_BLOCK(in, op->out, &level);
        CHECK_MSG(level == rows[i].in_range, "row %zu: level in the range %g", i, (double)level);
    }
}

static void equalize_spreads(void)
{
    static const uint64_t counts[14] = {0, 2, 1, 1, 0, 0, 5,
                                        0, 1, 1, 0, 1, 1, 0}; /* two channels, one goes beyond the bins */
    const uint8_t expected[8] = {0, 0, 128, 255, 0, 85, 170, 255}; /* 127.5 goes up */
    const float expected_f32[4] = {0.0F, 0.0F, 0.5F, 1.0F};
    const uint8_t in[2] = {0, 0};
    uint8_t table[8];
    float table_f32[8];
    op_case_begin(GF_U8, 2, 1, 1);
    int32_t block = op_case_block(GF_U64, 2, 7, counts);
    struct gf_op *op = op_case_solve(&gf_kernel_equalize, block, GF_NONE, GF_U8, 4, 255);
    REQUIRE_BLOCK(in, op->out, table);
    CHECK_MEM(table, expected, sizeof table);
    op_case_solve_mask(op, 1);
    REQUIRE_BLOCK(in, op->out, table);
    CHECK_EQ_INT(table[7], 0);
    op = op_case_solve(&gf_kernel_equalize, block, GF_NONE, GF_F32, 4, 1);
    REQUIRE_BLOCK(in, op->out, table_f32);
    CHECK_MEM(table_f32, expected_f32, sizeof expected_f32);
    CHECK(table_f32[5] == (float)(1.0 / 3));
}

static void equalize_of_one_value_changes_nothing(void)
{
    static const uint64_t counts[14] = {0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3}; /* one value; none */
    static const float range[4] = {0.3F, 0.3F, 0.0F, 0.0F};
    const uint16_t expected[8] = {0, 1, 2, 3, 0, 1, 2, 3};
    const float expected_f32[8] = {0.3F, 0.3F, 0.3F, 0.3F};
    const uint8_t in[2] = {0, 0};
    uint16_t table[8];
    float table_f32[8];
    op_case_begin(GF_U8, 2, 1, 1);
    int32_t block = op_case_block(GF_U64, 2, 7, counts);
    struct gf_op *op = op_case_solve(&gf_kernel_equalize, block, GF_NONE, GF_U16, 4, 65535);
    REQUIRE_BLOCK(in, op->out, table);
    CHECK_MEM(table, expected, sizeof table);
    op = op_case_solve(&gf_kernel_equalize, block, op_case_block(GF_F32, 2, 2, range), GF_F32, 4, 1);
    REQUIRE_BLOCK(in, op->out, table_f32);
    CHECK_MEM(table_f32, expected_f32, sizeof table_f32);
}

static void an_unknown_solve_is_refused(void)
{
    static const struct gf_kernel unknown = {.name = "unknown", .kind = GF_KERNEL_SOLVE};
    static const uint64_t counts[7] = {1};
    const uint8_t in[1] = {0};
    gf_error error = GF_ERROR_INIT;
    op_case_begin(GF_U8, 1, 1, 1);
    int32_t block = op_case_block(GF_U64, 1, 7, counts);
    op_case_solve(&unknown, block, GF_NONE, GF_U8, 4, 255)->stage = 3;
    CHECK_EQ_INT(op_case_run(in, NULL, 0, NULL, &error), GF_ERROR_UNSUPPORTED);
    CHECK_EQ_INT(error.stage, 3);
}

/* Histogram, table and look-up in one list: 10 twice, 20, 30 become 0, 128, 255. */
static void equalize_from_picture_to_picture(void)
{
    const uint8_t in[4] = {20, 10, 30, 10};
    const uint8_t expected[4] = {128, 0, 255, 0};
    uint8_t out[4];
    op_case_begin(GF_U8, 1, 4, 1);
    int32_t counts = op_case_tap(&gf_kernel_hist, 256, 0, 0)->out;
    int32_t table = op_case_solve(&gf_kernel_equalize, counts, GF_NONE, GF_U8, 256, 255)->out;
    struct gf_op *op = op_case_point(GF_U8, 1);
    op->blocks[0] = table;
    op_case_insn(op, GF_INSN_TABLE, 0, 0)->block = 0;
    REQUIRE(op_case_run(in, out, 0, NULL, NULL) == GF_OK);
    CHECK_MEM(out, expected, sizeof out);
}

static const struct check_case cases[] = {
    {"hist counts values", hist_counts_values},
    {"hist counts every u16", hist_counts_every_u16},
    {"hist f32 bins are closed above", hist_f32_bins_are_closed_above},
    {"hist of a range without width", hist_of_a_range_without_width},
    {"range is of finite values", range_is_of_finite_values},
    {"stats of integers", stats_of_integers},
    {"stats leave NaN out", stats_leave_nan_out},
    {"f32 sums follow the tree", f32_sums_follow_the_tree},
    {"otsu takes the lowest of the best", otsu_takes_the_lowest_of_the_best},
    {"equalize spreads", equalize_spreads},
    {"equalize of one value changes nothing", equalize_of_one_value_changes_nothing},
    {"an unknown solve is refused", an_unknown_solve_is_refused},
    {"equalize from picture to picture", equalize_from_picture_to_picture},
};
CHECK_MAIN(cases)
