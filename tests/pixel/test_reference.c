/* The judge against pixels worked out by hand: POINT programs. */
#include "base/gf_num.h"
#include "check.h"
#include "op_case.h"

#define REQUIRE_RUN(in, out) REQUIRE(op_case_run(in, out, 0, NULL, NULL) == GF_OK)

/* ---- POINT ---- */

static void affine_rounds_half_to_even(void)
{
    const uint8_t in[6] = {0, 1, 3, 5, 255, 2};
    const uint8_t expected[6] = {1, 2, 2, 4, 128, 2}; /* 1, 1.5, 2.5, 3.5, 128.5, 2 */
    uint8_t out[6];
    op_case_begin(GF_U8, 1, 6, 1);
    struct gf_op *op = op_case_point(GF_U8, 1);
    op_case_insn(op, GF_INSN_AFFINE, 0.5F, 1.0F);
    op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
}

static void affine_is_fused(void)
{
    const float in[1] = {1.0F + 0x1p-12F};
    float out[1];
    op_case_begin(GF_F32, 1, 1, 1);
    /* (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which a rounded product loses */
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_AFFINE, in[0], -(1.0F + 0x1p-11F));
    REQUIRE_RUN(in, out);
    CHECK(out[0] == 0x1p-24F);
}

static void mask_and_roi(void)
{
    const uint8_t in[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};        /* 3 x 2, 2 channels */
    const uint8_t expected[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 110, 11, 12}; /* channel 1 of pixel (1, 1) */
    uint8_t out[12];
    op_case_begin(GF_U8, 2, 3, 2);
    struct gf_op *op = op_case_point(GF_U8, 2);
    op->roi = (struct gf_rect){1, 1, 1, 1};
    struct gf_insn *insn = op_case_insn(op, GF_INSN_AFFINE, 1, 100);
    insn->mask = 2;
    insn->roi = 0;
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
}

static void gray_keeps_extremes_and_alpha(void)
{
    /* 9798 * 255 = 2498490, 19235 * 255 = 4904925, 3735 * 255 = 952425; (+ 16384) / 32768 */
    const uint8_t in[20] = {255, 255, 255, 9, 255, 0, 0, 8, 0, 255, 0, 7, 0, 0, 255, 6, 0, 0, 0, 5};
    const uint8_t expected[10] = {255, 9, 76, 8, 150, 7, 29, 6, 0, 5};
    const float white[3] = {1.0F, 1.0F, 1.0F};
    uint8_t out[10];
    float gray;
    op_case_begin(GF_U8, 4, 5, 1);
    op_case_insn(op_case_point(GF_U8, 2), GF_INSN_GRAY_INT, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);

    op_case_begin(GF_F32, 3, 1, 1);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_GRAY_F32, 0, 0);
    REQUIRE_RUN(white, &gray);
    CHECK(gray == 1.0F);
}

static void gray_u16_extremes(void)
{
    /* 9798 * 65535 = 642111930, + 16384 = 642128314, / 32768 = 19596.2 */
    const uint16_t in[6] = {65535, 65535, 65535, 65535, 0, 0};
    uint16_t out[2];
    op_case_begin(GF_U16, 3, 2, 1);
    op_case_insn(op_case_point(GF_U16, 1), GF_INSN_GRAY_INT, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_EQ_INT(out[0], 65535);
    CHECK_EQ_INT(out[1], 19596);
}

static void power_keeps_sign_and_makes_one_nan(void)
{
    const float in[5] = {0.5F, -0.5F, -0.0F, gf_bits_float(0xffc12345U), 2.0F};
    float out[5];
    op_case_begin(GF_F32, 1, 5, 1);
    struct gf_op *op = op_case_point(GF_F32, 1);
    op_case_insn(op, GF_INSN_DIVIDE, 2.0F, 0);
    op_case_insn(op, GF_INSN_POWER, 0.5F, 0);
    REQUIRE_RUN(in, out);
    CHECK_NEAR(out[0], 0.5, 1e-7);
    CHECK_NEAR(out[1], -0.5, 1e-7);
    CHECK_EQ_INT(gf_float_bits(out[2]), 0x80000000U);
    CHECK_EQ_INT(gf_float_bits(out[3]), 0x7fc00000U);
    CHECK(out[4] == 1.0F);
}

static void transfer_is_that_of_srgb(void)
{
    const float in[6] = {0.04F, 0.5F, 1.0F, -0.5F, 0.0F, NAN};
    const double light[6] = {0.04 / 12.92, 0.21404114048223255, 1, -0.21404114048223255, 0, NAN};
    float out[6];
    op_case_begin(GF_F32, 1, 6, 1);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_LINEAR, 0, 0);
    REQUIRE_RUN(in, out);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(out[i], light[i], 1e-7);
    }
    CHECK_EQ_INT(gf_float_bits(out[5]), 0x7fc00000U);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_SRGB, 0, 0);
    REQUIRE_RUN(in, out); /* there and back */
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(out[i], (double)in[i], 2e-7);
    }
}

static void curve_joins_its_entries_by_lines(void)
{
    static const float entries[3] = {10, 30, -50};
    const float in[6] = {-1, 0, 0.25F, 0.75F, 2, NAN};
    const float expected[5] = {10, 10, 20, -10, -50};
    float out[6];
    op_case_begin(GF_F32, 1, 6, 1);
    struct gf_op *op = op_case_point(GF_F32, 1);
    op->blocks[0] = op_case_block(GF_F32, 1, 3, entries);
    op_case_insn(op, GF_INSN_CURVE, 2, 0)->block = 0;
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof expected);
    CHECK(isnan(out[5]));
}

/* Channel 0: if(v < c1, v - c1, 7); channel 1 has no formula. */
static void formula_is_read_from_a_stack(void)
{
    static const float steps[2][16] = {{GF_FORMULA_OWN, 0, GF_FORMULA_CHANNEL, 1, GF_FORMULA_LESS, 0,
                                        GF_FORMULA_OWN, 0, GF_FORMULA_CHANNEL, 1, GF_FORMULA_SUBTRACT, 0,
                                        GF_FORMULA_NUMBER, 7, GF_FORMULA_IF, 0},
                                       {GF_FORMULA_END}};
    const float in[4] = {1, 3, 5, 2}, expected[4] = {-2, 3, 7, 2};
    float out[4];
    op_case_begin(GF_F32, 2, 2, 1);
    struct gf_op *op = op_case_point(GF_F32, 2);
    op->blocks[0] = op_case_block(GF_F32, 2, 16, steps);
    op_case_insn(op, GF_INSN_FORMULA, 0, 0)->block = 0;
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof expected);
}

static void greater_is_strict_and_nan_is_black(void)
{
    const float in[4] = {0.5F, 0.50001F, NAN, -INFINITY};
    const float expected[4] = {0.0F, 1.0F, 0.0F, 0.0F};
    const float level[1] = {0.5F};
    float out[4];
    op_case_begin(GF_F32, 1, 4, 1);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_GREATER, 0.5F, 1.0F);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);

    op_case_begin(GF_F32, 1, 4, 1);
    struct gf_op *op = op_case_point(GF_F32, 1);
    op->blocks[1] = op_case_block(GF_F32, 1, 1, level);
    op_case_insn(op, GF_INSN_GREATER_BLOCK, 0, 1.0F)->block = 1;
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
}

static void quantise_clamps(void)
{
    const float in[6] = {-3.0F, 300.0F, NAN, INFINITY, 2.5F, -0.0F};
    const uint8_t expected[6] = {0, 255, 0, 255, 2, 0};
    uint8_t out[6];
    op_case_begin(GF_F32, 1, 6, 1);
    op_case_insn(op_case_point(GF_U8, 1), GF_INSN_QUANTISE, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
}

static void tables(void)
{
    const uint8_t rows[8] = {3, 2, 1, 0, 10, 11, 12, 13};
    const uint8_t in[4] = {0, 1, 3, 2}; /* 2 pixels of 2 channels */
    const uint8_t expected[4] = {3, 11, 0, 12};
    uint8_t out[4];
    op_case_begin(GF_U8, 2, 2, 1);
    struct gf_op *op = op_case_point(GF_U8, 2);
    op->blocks[0] = op_case_block(GF_U8, 2, 4, rows);
    op_case_insn(op, GF_INSN_TABLE, 0, 0)->block = 0;
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);

    const float table[4] = {0.1F, 0.2F, 0.3F, 0.4F};
    const float range[2] = {0.0F, 8.0F};
    const float v[7] = {-1.0F, 0.0F, 1.9F, 2.0F, 8.0F, INFINITY, NAN};
    const float entry[6] = {0.1F, 0.1F, 0.1F, 0.2F, 0.4F, 0.4F};
    float got[7];
    op_case_begin(GF_F32, 1, 7, 1);
    op = op_case_point(GF_F32, 1);
    op->blocks[0] = op_case_block(GF_F32, 1, 4, table);
    op->blocks[1] = op_case_block(GF_F32, 1, 2, range);
    struct gf_insn *insn = op_case_insn(op, GF_INSN_TABLE_RANGE, 0, 0);
    insn->block = 0;
    insn->block2 = 1;
    REQUIRE_RUN(v, got);
    CHECK_MEM(got, entry, sizeof entry);
    CHECK_EQ_INT(gf_float_bits(got[6]), 0x7fc00000U);
}

static void alpha_weighs_colour(void)
{
    const float in[8] = {0.5F, 0.25F, 1.0F, 0.5F, 0.5F, 0.25F, 1.0F, 0.0F};
    const float weighed[8] = {0.25F, 0.125F, 0.5F, 0.5F, 0.0F, 0.0F, 0.0F, 0.0F};
    const float back[8] = {0.5F, 0.25F, 1.0F, 0.5F, 0.0F, 0.0F, 0.0F, 0.0F};
    float out[8];
    op_case_begin(GF_F32, 4, 2, 1);
    struct gf_op *op = op_case_point(GF_F32, 4);
    op_case_insn(op, GF_INSN_PREMULTIPLY, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, weighed, sizeof out);
    op_case_insn(op, GF_INSN_UNPREMULTIPLY, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, back, sizeof out);
}

static void magnitude_halves_channels(void)
{
    const float in[4] = {3.0F, 5.0F, 4.0F, 12.0F}; /* x of both channels, then y */
    float out[2];
    op_case_begin(GF_F32, 4, 1, 1);
    op_case_insn(op_case_point(GF_F32, 2), GF_INSN_MAGNITUDE, 4.0F, 0);
    REQUIRE_RUN(in, out);
    CHECK(out[0] == 10.0F);
    CHECK(out[1] == 26.0F);
}

/* ---- the list ---- */

static void keep_gives_back_the_centre(void)
{
    const uint8_t in[6] = {30, 1, 60, 2, 90, 3};       /* 3 pixels of 2 channels */
    const uint8_t expected[6] = {30, 1, 60, 2, 80, 3}; /* means 40, 60, 80; only pixel 2 is in the roi */
    uint8_t out[6];
    op_case_begin(GF_U8, 2, 3, 1);
    op_case_box(1, 0, GF_BORDER_REPLICATE, 0);
    struct gf_op *op = op_case_point(GF_U8, 2);
    op->operand[GF_OPERAND_CENTRE] = op_case.list.input;
    op->roi = (struct gf_rect){2, 0, 1, 1};
    struct gf_insn *insn = op_case_insn(op, GF_INSN_KEEP, 0, 0);
    insn->mask = 1;
    insn->roi = 0;
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
}

static void sharpen_gives_back_what_a_blur_has_lost(void)
{
    const float in[3] = {0.25F, 0.5F, 2.0F}; /* means 1/3, 11/12, 1.5: lost -1/12, -5/12, 1/2 */
    float out[3];
    op_case_begin(GF_F32, 1, 3, 1);
    op_case_box(1, 0, GF_BORDER_REPLICATE, 0);
    op_case_reads(op_case_point(GF_F32, 1), GF_INSN_SHARPEN, GF_OPERAND_CENTRE, op_case.list.input, 2, 0.25F);
    REQUIRE_RUN(in, out);
    CHECK(out[0] == 0.25F); /* below the threshold */
    CHECK(out[1] > -0.3334F && out[1] < -0.3332F);
    CHECK(out[2] == 3.0F);
}

/* Sums 3 v + (0, 1, 2) of a window of 3: a sample that is equal to the mean is black, and white where the
 * mean lies below it by 1/3, however it would be rounded. */
static void a_level_of_neighbours_is_not_rounded(void)
{
    const uint8_t in[9] = {9, 9, 9, 0, 10, 19, 9, 10, 9}, expected[9] = {0, 0, 255, 0, 255, 255, 0, 255, 0};
    const uint8_t above[9] = {0, 0, 255, 0, 0, 255, 0, 0, 0};
    uint8_t out[9];
    for (int offset = 0; offset >= -2; offset -= 2) {
        op_case_begin(GF_U8, 1, 9, 1);
        op_case_box(1, 0, GF_BORDER_REPLICATE, 0)->u.window.args.box.floors = true;
        op_case_reads(op_case_point(GF_U8, 1), GF_INSN_EXCEEDS, GF_OPERAND_CENTRE, op_case.list.input,
                      (float)offset, 255);
        REQUIRE_RUN(in, out);
        CHECK_MEM(out, offset == 0 ? expected : above, sizeof out);
    }
}

static void channels_come_and_go(void)
{
    const uint8_t in[4] = {10, 255, 20, 51}; /* 2 pixels of gray and alpha */
    const uint8_t spread[8] = {10, 10, 10, 255, 20, 20, 20, 51};
    const uint8_t flat[2] = {10, 84}; /* 0.2 of 20, 0.8 of 100 */
    const uint8_t added[4] = {10, 7, 20, 7};
    uint8_t out[8];
    op_case_begin(GF_U8, 2, 2, 1);
    op_case_insn(op_case_point(GF_U8, 4), GF_INSN_SPREAD, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, spread, sizeof spread);
    op_case_begin(GF_U8, 2, 2, 1);
    op_case_insn(op_case_point(GF_U8, 1), GF_INSN_DROP_ALPHA, 0, 0);
    op_case_insn(op_case_point(GF_U8, 2), GF_INSN_ADD_ALPHA, 7, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, added, sizeof added);
    op_case_begin(GF_U8, 2, 2, 1);
    struct gf_op *op = op_case_point(GF_U8, 1);
    op_case_insn(op, GF_INSN_FLATTEN, 100, 255);
    op_case_insn(op, GF_INSN_DROP_ALPHA, 0, 0);
    op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, flat, sizeof flat);
}

static void matrix_is_a_chain_that_begins_with_its_last_column(void)
{
    static const float rows[2][4] = {{1, 0, 2, 10}, {0x1p24F, 0, -0x1p24F, 1}};
    const float in[3] = {1, 100, 3};
    float out[2];
    op_case_begin(GF_F32, 3, 1, 1);
    struct gf_op *op = op_case_point(GF_F32, 2);
    op->blocks[0] = op_case_block(GF_F32, 2, 4, rows);
    struct gf_insn *insn = op_case_insn(op, GF_INSN_MATRIX, 0, 0);
    insn->block = 0;
    insn->arg = 2;
    REQUIRE_RUN(in, out);
    CHECK(out[0] == 17);
    CHECK(out[1] == -0x1p25F); /* 1 is lost in 2^24 + 1 */
}

/* The second picture is the list's input, of another depth than the program. */
static void keep_takes_a_second_picture(void)
{
    const uint8_t in[4] = {10, 20, 30, 40};
    float out[4];
    op_case_begin(GF_U8, 1, 4, 1);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_AFFINE, 0.5F, 0.25F);
    struct gf_op *op = op_case_point(GF_F32, 1);
    op->roi = (struct gf_rect){1, 0, 2, 1};
    op_case_reads(op, GF_INSN_KEEP, GF_OPERAND_SECOND, op_case.list.input, 0, 0)->roi = 0;
    REQUIRE_RUN(in, out);
    CHECK(out[0] == 10 && out[1] == 10.25F && out[2] == 15.25F && out[3] == 40);
}

static void a_broken_program_is_named(void)
{
    const float in[1] = {0.5F};
    uint8_t out[1];
    gf_error error = GF_ERROR_INIT;
    op_case_begin(GF_F32, 1, 1, 1);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_AFFINE, 1, 0);
    op_case_insn(op_case_point(GF_U8, 1), GF_INSN_AFFINE, 1, 0); /* 0.5 is no u8 */
    CHECK_EQ_INT(op_case_run(in, out, 0, NULL, &error), GF_ERROR_INTERNAL);
    CHECK_EQ_INT(error.stage, 1);
    CHECK_STR_HAS(error.message, "0.5");
}

static const struct check_case cases[] = {
    {"affine rounds half to even", affine_rounds_half_to_even},
    {"affine is one rounding", affine_is_fused},
    {"mask and roi", mask_and_roi},
    {"gray keeps extremes and alpha", gray_keeps_extremes_and_alpha},
    {"gray of u16 extremes", gray_u16_extremes},
    {"power keeps the sign, NaN is canonical", power_keeps_sign_and_makes_one_nan},
    {"greater is strict, NaN is black", greater_is_strict_and_nan_is_black},
    {"quantise clamps", quantise_clamps},
    {"tables", tables},
    {"alpha weighs colour", alpha_weighs_colour},
    {"magnitude halves channels", magnitude_halves_channels},
    {"keep gives back the centre", keep_gives_back_the_centre},
    {"a level of neighbours is not rounded", a_level_of_neighbours_is_not_rounded},
    {"sharpen gives back what a blur has lost", sharpen_gives_back_what_a_blur_has_lost},
    {"keep takes a second picture", keep_takes_a_second_picture},
    {"channels come and go", channels_come_and_go},
    {"transfer is that of sRGB", transfer_is_that_of_srgb},
    {"a curve joins its entries by lines", curve_joins_its_entries_by_lines},
    {"a formula is read from a stack", formula_is_read_from_a_stack},
    {"matrix is a chain that begins with its last column",
     matrix_is_a_chain_that_begins_with_its_last_column},
    {"a broken program is named", a_broken_program_is_named},
};
CHECK_MAIN(cases)
