/* The judge's windows against pixels worked out by hand, and against what must hold of any window. */
#include "check.h"
#include "op_case.h"

#include <stdlib.h>

static const int16_t one_fixed[1] = {16384};
static const int16_t binomial_fixed[3] = {4096, 8192, 4096};
static const float one_float[1] = {1.0F};
static const float binomial_float[3] = {0.25F, 0.5F, 0.25F};

#define REQUIRE_RUN(in, out) REQUIRE(op_case_run(in, out, 0, NULL, NULL) == GF_OK)

/* ---- separable ---- */

static void separable_u8_borders(void)
{
    /* [1 2 1] / 4 over 0 100 50: 62.5 in the middle, and halves go up */
    static const struct {
        gf_border border;
        uint8_t expected[3];
    } rows[] = {
        {GF_BORDER_REPLICATE, {25, 63, 63}},  /* (0 + 0 + 100) / 4, (100 + 100 + 50) / 4 */
        {GF_BORDER_REFLECT, {25, 63, 63}},    /* the same as replicate for one tap */
        {GF_BORDER_REFLECT101, {50, 63, 75}}, /* (100 + 0 + 100) / 4, (100 + 100 + 100) / 4 */
        {GF_BORDER_WRAP, {38, 63, 50}},       /* (50 + 0 + 100) / 4 = 37.5, (100 + 100 + 0) / 4 */
        {GF_BORDER_CONSTANT, {75, 63, 100}},  /* 200 outside: (200 + 0 + 100) / 4, (100 + 100 + 200) / 4 */
    };
    const uint8_t in[3] = {0, 100, 50};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t out[3];
        op_case_begin(GF_U8, 1, 3, 1);
        op_case_separable(1, 0, binomial_fixed, one_fixed, rows[i].border, 200);
        REQUIRE_RUN(in, out);
        CHECK_MEM(out, rows[i].expected, sizeof out);
        op_case_begin(GF_U8, 1, 1, 3); /* the same standing up */
        op_case_separable(0, 1, one_fixed, binomial_fixed, rows[i].border, 200);
        REQUIRE_RUN(in, out);
        CHECK_MEM(out, rows[i].expected, sizeof out);
    }
}

static void separable_u8_rounds_the_middle(void)
{
    /* 8191 / 2^14 is below one half, but the middle has 7 bits: (8191 + 64) >> 7 = 64 = 0.5, up to 1 */
    const int16_t weights[3] = {4096, 8191, 4097};
    const uint8_t in[3] = {0, 1, 0};
    uint8_t out[3];
    op_case_begin(GF_U8, 1, 3, 1);
    op_case_separable(1, 0, weights, one_fixed, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK_EQ_INT(out[1], 1);
    op_case_begin(GF_U8, 1, 1, 3); /* vertically the only rounding is exact: 128 * 8191 / 2^21 */
    op_case_separable(0, 1, one_fixed, weights, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK_EQ_INT(out[1], 0);
}

static void separable_u8_clamps(void)
{
    const int16_t weights[3] = {-8192, 32767, -8191}; /* sharpens: sum 2^14 */
    const uint8_t in[4] = {0, 0, 255, 255};
    const uint8_t expected[4] = {0, 0, 255, 255};
    uint8_t out[4];
    op_case_begin(GF_U8, 1, 4, 1);
    op_case_separable(1, 0, weights, one_fixed, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
}

static void separable_is_a_correlation_by_channel(void)
{
    const float wx[3] = {0.25F, 0.5F, 0.125F};
    const float wy[3] = {4.0F, 2.0F, 1.0F};
    float in[5 * 5 * 2] = {0};
    float out[5 * 5 * 2];
    in[(2 * 5 + 2) * 2 + 1] = 1.0F; /* an impulse at (2, 2) in channel 1 */
    op_case_begin(GF_F32, 2, 5, 5);
    op_case_separable(1, 1, wx, wy, GF_BORDER_WRAP, 0);
    REQUIRE_RUN(in, out);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            /* pixel (x, y) sees the impulse through the tap 2 - x, 2 - y */
            bool near = abs(x - 2) <= 1 && abs(y - 2) <= 1;
            float expected = near ? wx[3 - x] * wy[3 - y] : 0.0F;
            CHECK(out[(y * 5 + x) * 2 + 1] == expected);
            CHECK(out[(y * 5 + x) * 2] == 0.0F);
        }
    }
}

static void separable_f32_order(void)
{
    const float ones[3] = {1.0F, 1.0F, 1.0F};
    const float sums[3] = {1.0F, 1e8F, -1e8F}; /* (1 + 1e8) - 1e8 = 0; from the other end it would be 1 */
    const float w[3] = {1.0F, 1.0F + 0x1p-12F, 0.0F};
    const float products[3] = {-(1.0F + 0x1p-11F), 1.0F + 0x1p-12F, 0.0F}; /* 2^-24 with fma, else 0 */
    const float pair[3] = {1.0F, 1.0F, 0.0F};
    const float square[4] = {1.0F, 1e8F, 0.0F, -1e8F}; /* rows first: 1e8 - 1e8 = 0; columns first: 1 */
    float out[4];
    op_case_begin(GF_F32, 1, 3, 1);
    op_case_separable(1, 0, ones, one_float, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(sums, out);
    CHECK(out[1] == 0.0F);
    op_case_begin(GF_F32, 1, 1, 3);
    op_case_separable(0, 1, one_float, ones, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(sums, out);
    CHECK(out[1] == 0.0F);
    op_case_begin(GF_F32, 1, 3, 1);
    op_case_separable(1, 0, w, one_float, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(products, out);
    CHECK(out[1] == 0x1p-24F);
    op_case_begin(GF_F32, 1, 2, 2);
    op_case_separable(1, 1, pair, pair, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(square, out);
    CHECK(out[3] == 0.0F);
}

static void separable_u16_rounds_half_to_even(void)
{
    const float half[3] = {0.5F, 0.5F, 0.0F};
    const float twice[1] = {2.0F};
    const uint16_t in[4] = {0, 1, 2, 65535};
    const uint16_t expected[4] = {0, 0, 2, 32768}; /* 0, 0.5, 1.5, 32768.5 */
    uint16_t out[4];
    op_case_begin(GF_U16, 1, 4, 1);
    op_case_separable(1, 0, half, one_float, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
    op_case_begin(GF_U16, 1, 4, 1);
    op_case_separable(0, 0, twice, one_float, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK_EQ_INT(out[2], 4);
    CHECK_EQ_INT(out[3], 65535);
}

/* ---- box ---- */

static void box_wider_than_the_picture(void)
{
    /* 10 20 with radius 3; the seven samples around each of the two */
    static const struct {
        gf_border border;
        uint8_t expected[2];
    } rows[] = {
        {GF_BORDER_REPLICATE, {14, 16}},  /* 4 x 10 + 3 x 20 = 100 -> 14.3; 3 x 10 + 4 x 20 = 110 -> 15.7 */
        {GF_BORDER_REFLECT101, {16, 14}}, /* 20 10 20 [10] 20 10 20: 110; 10 20 10 [20] 10 20 10: 100 */
        {GF_BORDER_WRAP, {16, 14}},       /* the same alternation */
        {GF_BORDER_REFLECT, {16, 14}},    /* 20 20 10 [10] 20 20 10: 110; 20 10 10 [20] 20 10 10: 100 */
        {GF_BORDER_CONSTANT, {39, 39}},   /* 10 + 20 + 5 x 48 = 270 -> 38.6 */
    };
    const uint8_t in[2] = {10, 20};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t out[2];
        op_case_begin(GF_U8, 1, 2, 1);
        op_case_box(3, 0, rows[i].border, 48);
        REQUIRE_RUN(in, out);
        CHECK_MEM(out, rows[i].expected, sizeof out);
    }
}

static void one_pixel(void)
{
    const uint16_t in[2] = {20, 60000};
    const uint16_t outside[2] = {5951, 6446}; /* (20 + 120 x 6000) / 121 = 5950.6; 6446.28 */
    for (int border = GF_BORDER_REPLICATE; border <= GF_BORDER_CONSTANT; border++) {
        uint16_t out[2];
        op_case_begin(GF_U16, 2, 1, 1);
        op_case_box(5, 5, (gf_border)border, 6000);
        REQUIRE_RUN(in, out);
        CHECK_MEM(out, border == GF_BORDER_CONSTANT ? outside : in, sizeof out);
    }
}

static void box_rounds_half_up_on_exact_sums(void)
{
    /* 3 x 3 around the middle: 13 / 9 = 1.44 -> 1, 14 / 9 = 1.56 -> 2; neither after rounding rows first */
    const uint8_t in[9] = {1, 1, 1, 1, 5, 1, 1, 1, 1};
    uint8_t more[9];
    uint8_t out[9];
    memcpy(more, in, sizeof more);
    more[0] = 2;
    op_case_begin(GF_U8, 1, 3, 3);
    op_case_box(1, 1, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK_EQ_INT(out[4], 1);
    REQUIRE_RUN(more, out);
    CHECK_EQ_INT(out[4], 2);
}

static void box_f32_blocks(void)
{
    /* Windows of 5, blocks at ... -5 0 5 ...; outside is 0. By the start of the window:
     * -2: (-2 -1) + (0 1 2) = 0 + 1e8;  -1: 0 + (1e8 - 1e8);  0: ascending, the 1 is lost, 0;
     *  1: from the right 1 + (1e8 - 1e8) = 1, + x[5];  2: (1e8 - 1e8) + 0;  3: -1e8 + 0 */
    const float in[6] = {0.0F, 1.0F, 1e8F, -1e8F, 0.0F, 0.0F};
    const float sums[6] = {1e8F, 0.0F, 0.0F, 1.0F, 0.0F, -1e8F};
    float out[6];
    op_case_begin(GF_F32, 1, 6, 1);
    op_case_box(2, 0, GF_BORDER_CONSTANT, 0);
    REQUIRE_RUN(in, out);
    for (int i = 0; i < 6; i++) {
        CHECK_MSG(out[i] == sums[i] / 5.0F, "x %d: %g", i, (double)out[i]);
    }
    op_case_begin(GF_F32, 1, 1, 6);
    op_case_box(0, 2, GF_BORDER_CONSTANT, 0);
    REQUIRE_RUN(in, out);
    for (int i = 0; i < 6; i++) {
        CHECK_MSG(out[i] == sums[i] / 5.0F, "y %d: %g", i, (double)out[i]);
    }
}

static void box_f32_keeps_nan_in_its_windows(void)
{
    const float in[7] = {1.0F, 1.0F, 1.0F, NAN, 1.0F, 1.0F, 1.0F};
    float out[7];
    op_case_begin(GF_F32, 1, 7, 1);
    op_case_box(1, 0, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    for (int i = 0; i < 7; i++) {
        uint32_t bits;
        memcpy(&bits, &out[i], sizeof bits);
        CHECK_EQ_INT(bits, i >= 2 && i <= 4 ? 0x7fc00000 : 0x3f800000);
    }
}

/* ---- gradient ---- */

static void gradient_of_a_ramp(void)
{
    /* channel 0: 10 x + 3 y, channel 1: 100 - 5 y; 4 x 4. Inside: 4 x 20, 4 x 6 and 0, 4 x -10. */
    uint8_t in[32];
    int16_t out[64];
    for (int i = 0; i < 16; i++) {
        in[2 * i] = (uint8_t)(10 * (i % 4) + 3 * (i / 4));
        in[2 * i + 1] = (uint8_t)(100 - 5 * (i / 4));
    }
    op_case_begin(GF_U8, 2, 4, 4);
    op_case_window(&gf_kernel_gradient, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    for (int i = 0; i < 16; i++) {
        int edge_x = i % 4 % 3 == 0 ? 2 : 1; /* the replicated side halves the slope across it */
        int edge_y = i / 4 % 3 == 0 ? 2 : 1;
        CHECK_EQ_INT(out[4 * i], 80 / edge_x);
        CHECK_EQ_INT(out[4 * i + 1], 0);
        CHECK_EQ_INT(out[4 * i + 2], 24 / edge_y);
        CHECK_EQ_INT(out[4 * i + 3], -40 / edge_y);
    }
}

static void gradient_f32_order(void)
{
    /* 0.25 + 0.5e8 - 0.5e8 from the top (for gy from the left) is 0, from the other end 0.25 */
    const float in[9] = {0, 0, 1.0F, 0, 0, 1e8F, 0, 0, -2e8F};
    const float turned[9] = {0, 0, 0, 0, 0, 0, 1.0F, 1e8F, -2e8F};
    const float skewed[9] = {1e8F, 0, 1e8F, 0, 0, 0.5F, 0, 0, 0}; /* a difference first loses nothing */
    float out[18];
    op_case_begin(GF_F32, 1, 3, 3);
    op_case_window(&gf_kernel_gradient, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK(out[2 * 4] == 0.0F);
    REQUIRE_RUN(turned, out);
    CHECK(out[2 * 4 + 1] == 0.0F);
    REQUIRE_RUN(skewed, out);
    CHECK(out[2 * 4] == 0.25F);
}

static void gradient_u16_is_not_rounded(void)
{
    const uint16_t in[9] = {0, 0, 1, 0, 0, 0, 0, 0, 65535};
    float out[18];
    op_case_begin(GF_U16, 1, 3, 3);
    op_case_window(&gf_kernel_gradient, GF_BORDER_REPLICATE, 0);
    REQUIRE_RUN(in, out);
    CHECK(out[8] == 16384.0F); /* (1 + 0 + 65535) / 4 */
    CHECK(out[9] == 16383.5F); /* (65535 - 1) / 4 */
}

/* ---- what must hold of any window ---- */

static void constant_stays_constant(void)
{
    enum { W = 7, H = 5 };
    for (int border = GF_BORDER_REPLICATE; border <= GF_BORDER_CONSTANT; border++) {
        for (int kind = 0; kind < 6; kind++) {
            gf_depth depth = (gf_depth)(kind % 3); /* u8, u16, f32 */
            float value = depth == GF_U8 ? 255.0F : depth == GF_U16 ? 65535.0F : 0.75F;
            uint8_t u8[2][W * H];
            uint16_t u16[2][W * H];
            float f32[2][W * H];
            for (int i = 0; i < W * H; i++) {
                u8[0][i] = (uint8_t)value;
                u16[0][i] = (uint16_t)value;
                f32[0][i] = value;
            }
            op_case_begin(depth, 1, W, H);
            if (kind < 3) {
                const void *w = depth == GF_U8 ? (const void *)binomial_fixed : binomial_float;
                op_case_separable(1, 1, w, w, (gf_border)border, value);
            } else {
                op_case_box(9, 2, (gf_border)border, value);
            }
            const void *in = depth == GF_U8 ? (void *)u8[0] : depth == GF_U16 ? (void *)u16[0] : f32[0];
            void *out = depth == GF_U8 ? (void *)u8[1] : depth == GF_U16 ? (void *)u16[1] : f32[1];
            REQUIRE_RUN(in, out);
            CHECK_MEM(out, in, W * H * gf_depth_size(depth));
        }
    }
}

static void box_equals_a_turned_box(void)
{
    enum { W = 11, H = 6 };
    uint8_t in[W * H];
    uint8_t turned[W * H];
    uint8_t a[W * H];
    uint8_t b[W * H];
    for (int i = 0; i < W * H; i++) {
        in[i] = (uint8_t)(i * i * 37 + i * 11);
        turned[W * H - 1 - i] = in[i];
    }
    op_case_begin(GF_U8, 1, W, H);
    op_case_box(2, 4, GF_BORDER_REFLECT, 0);
    REQUIRE_RUN(in, a);
    REQUIRE_RUN(turned, b);
    for (int i = 0; i < W * H; i++) {
        CHECK_EQ_INT(a[i], b[W * H - 1 - i]);
    }
}

static const struct check_case cases[] = {
    {"separable u8, every border", separable_u8_borders},
    {"separable u8 rounds the middle to 7 bits", separable_u8_rounds_the_middle},
    {"separable u8 clamps", separable_u8_clamps},
    {"separable correlates each channel", separable_is_a_correlation_by_channel},
    {"separable f32 order", separable_f32_order},
    {"separable u16 rounds half to even", separable_u16_rounds_half_to_even},
    {"box wider than the picture", box_wider_than_the_picture},
    {"one pixel", one_pixel},
    {"box rounds half up on exact sums", box_rounds_half_up_on_exact_sums},
    {"box f32 blocks", box_f32_blocks},
    {"box f32 keeps NaN in its windows", box_f32_keeps_nan_in_its_windows},
    {"gradient of a ramp", gradient_of_a_ramp},
    {"gradient f32 order", gradient_f32_order},
    {"gradient of u16 is not rounded", gradient_u16_is_not_rounded},
    {"a constant picture stays constant", constant_stays_constant},
    {"a turned box turns its result", box_equals_a_turned_box},
};
CHECK_MAIN(cases)
