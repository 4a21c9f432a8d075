/* The kernel "bilateral": its weights against real numbers, the CPU on every SIMD level against the judge,
 * and the judge against what the definition says of numbers that are none. */
#include "pass_draw.h"

#include "pixel/window/bilateral/bilateral.h"

#include <math.h>

/* ---- weights ---- */

/* docs/exactness.md: off by 3e-7 at most. */
static void weights(void)
{
    double worst = 0;
    for (int i = 0; i <= 1120000; i++) {
        const float t = (float)i * 1e-5F;
        const double real = t < GF_BILATERAL_FAR ? exp2(-(double)t * t) : 0;
        worst = fmax(worst, fabs(gf_bilateral_alike(t) - real));
    }
    CHECK_MSG(worst < 2e-7, "alike is off by %g", worst);
    CHECK(gf_bilateral_alike(0) == 1 && gf_bilateral_alike(11.199F) > 0);
    CHECK(gf_bilateral_alike(11.2F) == 0 && gf_bilateral_alike(1e38F) == 0);
    CHECK(gf_bilateral_alike(INFINITY) == 0 && gf_bilateral_alike(NAN) == 0);
    for (int32_t squared = 0; squared < 100; squared++) {
        const double real = exp(-squared / (2 * 2.3 * 2.3));
        CHECK_NEAR(gf_bilateral_near(1.4426950408889634 / (2 * 2.3 * 2.3), squared), real, real * 6e-8);
    }
    CHECK(gf_bilateral_chord(0, 0) == 0 && gf_bilateral_chord(2, 1) == 1 && gf_bilateral_chord(5, -3) == 4);
}

/* ---- the CPU ---- */

static struct gf_bilateral_args make_args(int32_t radius, double sigma, double range)
{
    const double log2_e = 1.4426950408889634;
    return (struct gf_bilateral_args){.fall = log2_e / (2 * sigma * sigma),
                                      .reach = (float)(sqrt(log2_e / 2) / range),
                                      .channel = {1, 1, 1, 1},
                                      .radius = radius,
                                      .radius_y = op_case.values[0].height > 1 ? radius : 0};
}

static void one_case(gf_depth depth, int64_t width, int64_t height, int32_t channels, int32_t radius,
                     gf_border border)
{
    const float white = (float)gf_depth_white(depth);
    char name[160];
    op_case_begin(depth, channels, width, height);
    struct gf_bilateral_args args = make_args(radius, 0.5 + draw(4), (0.02 + 0.2 * draw(3)) * white);
    for (int32_t c = 0; c < channels; c++) {
        args.channel[c] = (float)draw(3) / 2;
    }
    args.channel[draw((uint32_t)channels)] = 1;
    struct gf_op *op = op_case_window(&gf_kernel_bilateral, border, 0.3F * white);
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    void *in = draw_picture(&op_case.values[0], draw(3) > 0);
    snprintf(name, sizeof name, "%s %lld x %lld x %d, radius %d, %s", gf_depth_name(depth), (long long)width,
             (long long)height, (int)channels, (int)radius, gf_border_name(border));
    check_ways(in, 5, name);
    free(in);
}

static void all_ways(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 9},   {13, 1},  {2, 3},
                                       {7, 5}, {31, 33}, {65, 18}, {150, 35}};
    static const int32_t radii[] = {0, 1, 2, 4, 7, 12};
    long n = 0;
    pass_draw_seed = 8;
    for (int depth = GF_U8; depth <= GF_F32; depth++) {
        for (int size = 0; size < 8; size++) {
            for (int radius = 0; radius < (size > 4 ? 5 : 6); radius++) {
                for (int border = 0; border < 5; border++, n++) {
                    if (check_slice(n, 3 * 8 * 6 * 5)) {
                        one_case((gf_depth)depth, sizes[size][0], sizes[size][1], 1 + (int32_t)draw(4),
                                 radii[radius], (gf_border)border);
                    }
                }
            }
        }
    }
}

/* ---- the definition ---- */

/* The picture after a mean of that radius by the judge; the CPU gives the same. Packed f32. */
static void judge(const float *in, int64_t width, int64_t height, int32_t radius, double sigma, double range,
                  float *out)
{
    struct pass_case t;
    gf_error error = GF_ERROR_INIT;
    struct pass_way way = {.threads = 1};
    char why[256] = "";
    op_case_begin(GF_F32, 1, width, height);
    const struct gf_bilateral_args args = make_args(radius, sigma, range);
    struct gf_op *op = op_case_window(&gf_kernel_bilateral, GF_BORDER_REFLECT, 0);
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    REQUIRE(pass_case_make(&t, in, &error) == GF_OK);
    memcpy(out, t.expected, (size_t)(width * height) * sizeof *out);
    CHECK_MSG(pass_case_check(&t, &way, why, sizeof why), "%s", why);
    pass_case_free(&t);
}

static void formula(void)
{
    enum { W = 23, H = 19, R = 5 };
    const double sigma = 2.2, range = 0.15;
    float in[W * H], out[W * H];
    pass_draw_seed = 3;
    for (int i = 0; i < W * H; i++) {
        in[i] = (float)draw(1000) / 999;
    }
    judge(in, W, H, R, sigma, range, out);
    for (int y = R; y < H - R; y++) {
        for (int x = R; x < W - R; x++) {
            double norm = 0, sum = 0;
            for (int dy = -R; dy <= R; dy++) {
                for (int dx = -R; dx <= R; dx++) {
                    const double v = in[(y + dy) * W + x + dx], d = v - in[y * W + x];
                    const double weight =
                        exp(-(dx * dx + dy * dy) / (2 * sigma * sigma) - d * d / (2 * range * range));
                    norm += dx * dx + dy * dy <= R * R ? weight : 0;
                    sum += dx * dx + dy * dy <= R * R ? weight * v : 0;
                }
            }
            CHECK_NEAR(out[y * W + x], sum / norm, 1e-6);
        }
    }
}

/* NaN and infinities stay where they are and change nothing else; so do numbers beyond all others. */
static void not_finite(void)
{
    enum { W = 40, H = 9 };
    static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX};
    float in[W * H], out[W * H];
    for (int i = 0; i < W * H; i++) {
        in[i] = 0.25F;
    }
    for (int i = 0; i < 5; i++) {
        in[4 * W + 3 + 8 * i] = odd[i];
    }
    judge(in, W, H, 3, 2, 0.1, out);
    for (int i = 0; i < W * H; i++) {
        if (in[i] == 0.25F) {
            CHECK_MSG(fabsf(out[i] - 0.25F) < 1e-6F, "pixel %d of 0.25 became %g", i, (double)out[i]);
        } else {
            CHECK_MSG(isnan(in[i]) ? isnan(out[i]) : out[i] == in[i], "pixel %d of %g became %g", i,
                      (double)in[i], (double)out[i]);
        }
    }
    for (int i = 0; i < W * H; i++) {
        in[i] = -0.0F;
    }
    judge(in, W, H, 2, 2, 0.1, out);
    for (int i = 0; i < W * H; i++) {
        CHECK(out[i] == 0 && signbit(out[i]));
    }
}

static const struct check_case cases[] = {
    {"weights", weights},
    {"every way of the CPU gives the bits of the judge", all_ways},
    {"the formula in real numbers", formula},
    {"NaN, infinities and -0", not_finite},
};
CHECK_MAIN(cases)
