/* The arithmetic of gf_num.h and gf_border.h and gf_divider.h against long-hand definitions. */
#include "base/gf_border.h"
#include "base/gf_divider.h"
#include "base/gf_num.h"
#include "check.h"
#include "floats.h"

static const float specials[] = {0.0F,       -0.0F,      1.0F,    -1.0F,     1.5F,     -2.0F,
                                 3.0F,       0.5F,       -0.5F,   FLT_MIN,   -FLT_MIN, FLT_MAX,
                                 -FLT_MAX,   1e-45F,     -1e-45F, 1e-40F,    INFINITY, -(float)INFINITY,
                                 (float)NAN, 16777215.F, 255.5F,  8388609.0F};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static void fma_one(float a, float b, float c)
{
    float expected = fmaf(a, b, c);
    CHECK_MSG(same_float(gf_fma_exact(a, b, c), expected), "exact fma(%a, %a, %a) = %a, expected %a",
              (double)a, (double)b, (double)c, (double)gf_fma_exact(a, b, c), (double)expected);
    CHECK_MSG(same_float(gf_fma(a, b, c), expected), "fma(%a, %a, %a)", (double)a, (double)b, (double)c);
}

static void fma_matches_libm(void)
{
    for (int i = 0; i < SPECIALS; i++) {
        for (int j = 0; j < SPECIALS; j++) {
            for (int k = 0; k < SPECIALS; k++) {
                fma_one(specials[i], specials[j], specials[k]);
            }
        }
    }
    for (uint64_t n = 0; n < 10000000; n++) {
        float a = float_from(random_at(1, n));
        float b = float_from(random_at(2, n));
        fma_one(a, b, addend_for(a, b, random_at(3, n)));
    }
}

/* Half to even in [lo, hi], NaN to 0, the long way. */
static long nearest(float v, long lo, long hi)
{
    if (v != v) {
        return 0;
    }
    double d = (double)v;
    if (d <= (double)lo) {
        return lo;
    }
    if (d >= (double)hi) {
        return hi;
    }
    double below = floor(d);
    double rest = d - below;
    long k = (long)below;
    return rest > 0.5 || (rest == 0.5 && k % 2 != 0) ? k + 1 : k;
}

static void quantise_one(float v)
{
    CHECK_MSG(gf_quantise_u8(v) == nearest(v, 0, 255), "u8 of %a is %d", (double)v, gf_quantise_u8(v));
    CHECK_MSG(gf_quantise_u16(v) == nearest(v, 0, 65535), "u16 of %a is %d", (double)v, gf_quantise_u16(v));
    CHECK_MSG(gf_quantise_s16(v) == nearest(v, -32768, 32767), "s16 of %a is %d", (double)v,
              gf_quantise_s16(v));
    CHECK_MSG(gf_quantise(v, -4194304.0F, 4194304.0F) == nearest(v, -4194304, 4194304), "2^22 of %a",
              (double)v);
}

static void quantise_half_to_even(void)
{
    CHECK_EQ_INT(gf_quantise_u8(0.5F), 0);
    CHECK_EQ_INT(gf_quantise_u8(1.5F), 2);
    CHECK_EQ_INT(gf_quantise_u8(254.5F), 254);
    CHECK_EQ_INT(gf_quantise_u8((float)NAN), 0);
    CHECK_EQ_INT(gf_quantise_u16(65534.5F), 65534);
    CHECK_EQ_INT(gf_quantise_s16(-32767.5F), -32768);
    CHECK_EQ_INT(gf_quantise_s16((float)NAN), 0);
    for (int i = 0; i < SPECIALS; i++) {
        quantise_one(specials[i]);
    }
    for (int half = -140000; half <= 140000; half++) {
        float v = (float)half * 0.5F;
        quantise_one(v);
        quantise_one(nextafterf(v, INFINITY));
        quantise_one(nextafterf(v, -(float)INFINITY));
    }
    for (uint64_t n = 0; n < 1000000; n++) {
        quantise_one(float_from(random_at(4, n)));
    }
}

static void clamp_to_u8(void)
{
    for (uint64_t n = 0; n < 1000000; n++) {
        int32_t x = (int32_t)(uint32_t)random_at(5, n) >> (n % 29);
        x = n < 4 ? (int32_t[]){INT32_MAX, INT32_MIN, INT32_MIN + 1, 0}[n] : x;
        CHECK_EQ_INT(gf_clamp_u8(x), x < 0 ? 0 : x > 255 ? 255 : x);
    }
}

static void canonical_nan(void)
{
    CHECK_EQ_INT(gf_float_bits(gf_canonical(gf_bits_float(0xffffffffU))), 0x7fc00000);
    CHECK_EQ_INT(gf_float_bits(gf_canonical(gf_bits_float(0x7f800001U))), 0x7fc00000);
    CHECK_EQ_INT(gf_float_bits(gf_canonical(gf_bits_float(0xff800000U))), 0xff800000);
    for (uint64_t n = 0; n < 1000000; n++) {
        float v = float_from(random_at(6, n));
        uint32_t bits = gf_float_bits(v);
        uint32_t expected = (bits & 0x7fffffffU) > 0x7f800000U ? 0x7fc00000U : bits;
        CHECK_EQ_INT(gf_float_bits(gf_canonical(v)), expected);
    }
}

static void keys_are_ordered(void)
{
    const float rising[] = {-(float)INFINITY, -FLT_MAX, -1.0F, -FLT_MIN, -1e-45F,  -0.0F,     0.0F,
                            1e-45F,           FLT_MIN,  1.0F,  FLT_MAX,  INFINITY, (float)NAN};
    for (size_t i = 1; i < sizeof rising / sizeof rising[0]; i++) {
        CHECK_MSG(gf_float_key(rising[i - 1]) < gf_float_key(rising[i]), "%g before %g",
                  (double)rising[i - 1], (double)rising[i]);
    }
    CHECK_EQ_INT(gf_float_key((float)NAN), 0xffc00000);
    CHECK_EQ_INT(gf_float_key(gf_bits_float(0xff812345U)), 0xffc00000);
    for (uint64_t n = 0; n < 2000000; n++) {
        float p = float_from(random_at(7, n));
        float q = float_from(random_at(8, n));
        CHECK_EQ_INT(gf_float_bits(gf_key_float(gf_float_key(p))), gf_float_bits(gf_canonical(p)));
        if (p < q) {
            CHECK_MSG(gf_float_key(p) < gf_float_key(q), "%a < %a", (double)p, (double)q);
        }
    }
}

static void minimum_and_maximum(void)
{
    float nan = (float)NAN;
    CHECK(signbit(gf_min_ordered(0.0F, -0.0F)) && !signbit(gf_max_ordered(-0.0F, 0.0F)));
    for (int i = 0; i < SPECIALS; i++) {
        float a = specials[i];
        CHECK(same_float(gf_min_ordered(a, nan), a) && same_float(gf_min_ordered(nan, a), a));
        CHECK(same_float(gf_max_ordered(a, nan), nan) && same_float(gf_max_ordered(nan, a), nan));
        for (int j = 0; j < SPECIALS; j++) {
            float b = specials[j];
            CHECK(same_float(gf_min_ordered(a, b), gf_min_ordered(b, a)));
            CHECK(same_float(gf_max_ordered(a, b), gf_max_ordered(b, a)));
            if (a < b) {
                CHECK(gf_min_ordered(a, b) == a && gf_max_ordered(a, b) == b);
            }
        }
    }
}

/* The quotient and the root of floats, rounded to double and then to float, are rounded correctly. */
static void sqrt_and_division(void)
{
    for (uint64_t n = 0; n < 1000000; n++) {
        float a = float_from(random_at(9, n));
        float b = float_from(random_at(10, n));
        CHECK_MSG(same_float(gf_sqrt(a), (float)sqrt((double)a)), "sqrt(%a)", (double)a);
        CHECK_MSG(same_float(gf_div(a, b), (float)((double)a / (double)b)), "%a / %a", (double)a, (double)b);
    }
}

static void bins_of_a_histogram(void)
{
    float scale = gf_bin_scale(0.0F, 1.0F, 256);
    CHECK(scale == 256.0F);
    CHECK_EQ_INT(gf_bin(0.0F, 0.0F, scale, 256), 0);
    CHECK_EQ_INT(gf_bin(-0.0F, 0.0F, scale, 256), 0);
    CHECK_EQ_INT(gf_bin(1.0F, 0.0F, scale, 256), 255);
    CHECK_EQ_INT(gf_bin(nextafterf(1.0F, 2.0F), 0.0F, scale, 256), GF_BIN_ABOVE);
    CHECK_EQ_INT(gf_bin(-1e-45F, 0.0F, scale, 256), GF_BIN_BELOW);
    CHECK_EQ_INT(gf_bin(INFINITY, 0.0F, scale, 256), GF_BIN_ABOVE);
    CHECK_EQ_INT(gf_bin(-(float)INFINITY, 0.0F, scale, 256), GF_BIN_BELOW);
    CHECK_EQ_INT(gf_bin((float)NAN, 0.0F, scale, 256), GF_BIN_NAN);
    for (uint64_t n = 0; n < 1000000; n++) {
        float v = float_from(random_at(11, n) | 7U);
        CHECK_EQ_INT(gf_bin(v, 0.0F, scale, 256), v == 1.0F ? 255 : (int)floor((double)v * 256.0));
        float lo = float_from(random_at(12, n) | 5U) * 8.0F;
        float hi = lo + 0.01F + float_from(random_at(13, n) | 7U);
        int bins = 1 + (int)(random_at(14, n) % 1000);
        float any = gf_bin_scale(lo, hi, bins);
        CHECK_EQ_INT(gf_bin(lo, lo, any, bins), 0);
        CHECK_EQ_INT(gf_bin(hi, lo, any, bins), bins - 1);
        CHECK_EQ_INT(gf_bin(nextafterf(lo, -(float)INFINITY), lo, any, bins), GF_BIN_BELOW);
        float inside = lo + (hi - lo) * v;
        inside = inside > hi ? hi : inside;
        double real = ((double)inside - (double)lo) * bins / ((double)hi - (double)lo);
        int bin = gf_bin(inside, lo, any, bins);
        CHECK_MSG(bin >= 0 && bin < bins && real > bin - 0.01 && real < bin + 1.01, "bin %d of %d, real %g",
                  bin, bins, real);
    }
}

static void gray_weights(void)
{
    CHECK_EQ_INT(GF_GRAY_R + GF_GRAY_G + GF_GRAY_B, 32768);
    CHECK_EQ_INT(gf_gray_u(255, 0, 0), 76);
    CHECK_EQ_INT(gf_gray_u(0, 255, 0), 150);
    CHECK_EQ_INT(gf_gray_u(0, 0, 255), 29);
    CHECK_EQ_INT(gf_gray_u(65535, 0, 0), 19596);
    for (uint32_t v = 0; v < 65536; v++) {
        float f = (float)v;
        CHECK_EQ_INT(gf_gray_u(v, v, v), v);
        CHECK_EQ_INT(gf_quantise_u16(gf_gray_f32(f, f, f)), v);
    }
    CHECK(gf_gray_f32(1.0F, 1.0F, 1.0F) == 1.0F && gf_gray_f32(65535.0F, 65535.0F, 65535.0F) == 65535.0F);
    CHECK(gf_gray_f32(0.0F, 0.0F, 0.0F) == 0.0F);
    for (uint64_t n = 0; n < 1000000; n++) {
        float r = float_from(random_at(15, n) | 7U);
        float g = float_from(random_at(16, n) | 7U);
        float b = float_from(random_at(17, n) | 7U);
        double real = 0.299 * (double)r + 0.587 * (double)g + 0.114 * (double)b;
        CHECK_NEAR((double)gf_gray_f32(r, g, b), real, 1.2e-7);
        CHECK(gf_gray_f32(r, g, b) == fmaf(0.114F, b, fmaf(0.587F, g, 0.299F * r)));
    }
}

/* Walks from sample 0 to index i one step at a time, as a person would read the picture of the border. */
static int64_t walk(int64_t i, int64_t n, gf_border border)
{
    int64_t at = 0;
    int64_t step = i < 0 ? -1 : 1;
    int64_t steps = i < 0 ? -i : i;
    for (; steps > 0; steps--) {
        int64_t next = at + step;
        if (next >= 0 && next < n) {
            at = next;
        } else if (border == GF_BORDER_CONSTANT) {
            return -1;
        } else if (border == GF_BORDER_WRAP) {
            at = next < 0 ? n - 1 : 0;
        } else if (border == GF_BORDER_REFLECT) {
            step = -step; /* this step stays on the edge sample */
        } else if (border == GF_BORDER_REFLECT101) {
            step = -step;
            at = n == 1 ? 0 : at + step;
        }
    }
    return at;
}

static void border_indices(void)
{
    const gf_border borders[] = {GF_BORDER_REPLICATE, GF_BORDER_REFLECT101, GF_BORDER_REFLECT, GF_BORDER_WRAP,
                                 GF_BORDER_CONSTANT};
    for (int b = 0; b < 5; b++) {
        for (int64_t n = 1; n <= 9; n++) {
            for (int64_t i = -40; i <= 40; i++) {
                CHECK_MSG(gf_border_index(i, n, borders[b]) == walk(i, n, borders[b]),
                          "border %d, n %d, i %d: %d", b, (int)n, (int)i,
                          (int)gf_border_index(i, n, borders[b]));
                int64_t far = (int64_t)1 << 40; /* whole periods away in every mode: a multiple of 5040 * 2 */
                far -= far % 10080 + 10080 * (i & 1);
                int64_t period = borders[b] == GF_BORDER_REFLECT101 ? 2 * n - 2 : 2 * n;
                if (b != 0 && b != 4 && n > 1 && far % period == 0) {
                    CHECK_EQ_INT(gf_border_index(i + far, n, borders[b]), walk(i, n, borders[b]));
                    CHECK_EQ_INT(gf_border_index(i - far, n, borders[b]), walk(i, n, borders[b]));
                }
            }
            CHECK_EQ_INT(gf_border_index((int64_t)1 << 60, n, GF_BORDER_REPLICATE), n - 1);
            CHECK_EQ_INT(gf_border_index(-((int64_t)1 << 60), n, GF_BORDER_REPLICATE), 0);
            CHECK_EQ_INT(gf_border_index((int64_t)1 << 60, n, GF_BORDER_CONSTANT), -1);
        }
        int64_t wide = (int64_t)1 << 33;
        int64_t before[] = {0, 2, 1, wide - 2, -1};
        int64_t after[] = {wide - 1, wide - 3, wide - 2, 1, -1};
        CHECK_EQ_INT(gf_border_index(-2, wide, borders[b]), before[b]);
        CHECK_EQ_INT(gf_border_index(wide + 1, wide, borders[b]), after[b]);
        CHECK_EQ_INT(gf_border_index(wide - 1, wide, borders[b]), wide - 1);
    }
    CHECK_EQ_INT(gf_border_index(5, 1, GF_BORDER_REFLECT101), 0);
    CHECK_EQ_INT(gf_border_index(-1, 4, 99), -1);
}

/* Every sum of every odd window up to 63 x 63 over u8: the quotient grows by one each `area` sums. */
static void divide_every_u8_window(void)
{
    for (uint32_t w = 1; w <= 63; w += 2) {
        for (uint32_t h = w; h <= 63; h += 2) {
            uint32_t area = w * h, max_sum = 255 * area, quotient = 0, rest = area / 2;
            struct gf_divider wide;
            struct gf_divider32 narrow;
            struct gf_divider16 narrower;
            REQUIRE(gf_divider_make(area, max_sum, &wide));
            REQUIRE(gf_divider32_make(area, max_sum, &narrow) == (area > 1));
            int has16 = gf_divider16_make(area, max_sum, &narrower);
            REQUIRE(w != h || has16 == (w > 1 && w <= 15));
            uint32_t wrong = 0;
            for (uint32_t sum = 0; sum <= max_sum; sum++) {
                wrong += gf_divide_round_half_up(sum, wide) != quotient;
                wrong += area > 1 && gf_divide_round_half_up32(sum, narrow) != quotient;
                wrong += has16 && gf_divide_round_half_up16((uint16_t)sum, narrower) != quotient;
                rest++;
                quotient += rest == area;
                rest = rest == area ? 0 : rest;
            }
            CHECK_MSG(wrong == 0, "area %u: %u wrong", area, wrong);
        }
    }
}

static void divide_one(uint64_t sum, uint64_t max_sum, uint64_t area, const struct gf_divider *wide,
                       const struct gf_divider32 *narrow)
{
    if (sum > max_sum) {
        return;
    }
    uint64_t expected = (sum + area / 2) / area;
    CHECK_MSG(gf_divide_round_half_up(sum, *wide) == expected, "%llu / %llu", (unsigned long long)sum,
              (unsigned long long)area);
    if (narrow) {
        CHECK_MSG(gf_divide_round_half_up32((uint32_t)sum, *narrow) == expected, "%llu / %llu, 32 bits",
                  (unsigned long long)sum, (unsigned long long)area);
    }
}

static void divide_at_the_edges(void)
{
    struct gf_divider wide;
    struct gf_divider32 narrow;
    CHECK(!gf_divider_make(0, 1, &wide) && !gf_divider_make(1, (uint64_t)1 << 62, &wide));
    CHECK(!gf_divider32_make(0, 1, &narrow) && !gf_divider32_make(3, UINT32_MAX, &narrow));
    for (uint64_t n = 0; n < 400000; n++) {
        uint64_t r = random_at(18, n);
        uint64_t area = n < 131072 ? n / 2 + 1 : (r >> 8 >> (r % 50)) % 70368744177664U + 1; /* < 2^46 */
        uint64_t white = n & 1 ? 65535 : 255;
        uint64_t max_sum = white * area;
        int has32 = max_sum <= UINT32_MAX && area <= UINT32_MAX &&
                    gf_divider32_make((uint32_t)area, (uint32_t)max_sum, &narrow);
        REQUIRE(gf_divider_make(area, max_sum, &wide));
        if (area > 1 && area <= (white == 255 ? 4194304U : 16384U)) {
            CHECK_MSG(has32, "no 32-bit constant for area %llu", (unsigned long long)area);
        }
        uint64_t quotient = random_at(19, n) % (white + 1);
        for (uint64_t k = 0; k < 4; k++) {
            /* just below and at the sum where the quotient steps, then the largest sum, then any */
            uint64_t step = quotient * area - (quotient * area >= area / 2 ? area / 2 : 0);
            uint64_t sum = k == 0   ? step - (step > 0)
                           : k == 1 ? step
                           : k == 2 ? max_sum
                                    : random_at(20, n) % max_sum;
            divide_one(sum, max_sum, area, &wide, has32 ? &narrow : NULL);
        }
    }
}

static const struct check_case cases[] = {
    {"fma fallback equals fmaf", fma_matches_libm},
    {"quantise clamps and rounds half to even", quantise_half_to_even},
    {"clamps to u8", clamp_to_u8},
    {"canonical NaN", canonical_nan},
    {"float keys are a total order", keys_are_ordered},
    {"min and max with NaN and zeros", minimum_and_maximum},
    {"sqrt and division round correctly", sqrt_and_division},
    {"histogram bins", bins_of_a_histogram},
    {"gray weights", gray_weights},
    {"border index equals a walk", border_indices},
    {"box division, every u8 window", divide_every_u8_window},
    {"box division at the edges", divide_at_the_edges},
};
CHECK_MAIN(cases)
