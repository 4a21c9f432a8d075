/* conv with large kernels: integer sums beside those of 128 bits, sums that the chain would make, and every
 * way of execution. */
#include "check.h"
#include "drawn_check.h"
#include "gpufilter/gpufilter.h"
#include "plan_cases.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

enum { MOST = 255 * 255, W = 11, H = 9 };

static double numbers[MOST];
static uint16_t pixels[W * H], made[W * H];

/* Filters pixels of w x h by the numbers on the CPU. */
static gf_status run(const char *stages, int rows, int columns, const gf_image *in, gf_image *out,
                     gf_error *error)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    gf_status status = gf_context_create(NULL, &context, error);
    status = status ? status : gf_pipeline_parse(stages, NULL, 0, &pipeline, error);
    status = status ? status : gf_pipeline_set_file(pipeline, 0, rows, columns, numbers, error);
    status = status ? status : gf_plan_create(context, pipeline, &in->shape, &options, &plan, error);
    status = status ? status : gf_exec_create(plan, &exec, error);
    status = status ? status : gf_exec_run(exec, in, out, error);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

static int64_t sample(const gf_image *in, int64_t x, int64_t y)
{
    x = x < 0 ? 0 : x < in->shape.width ? x : in->shape.width - 1;
    y = y < 0 ? 0 : y < in->shape.height ? y : in->shape.height - 1;
    const char *row = (const char *)in->data + y * in->pitch;
    return in->shape.depth == GF_U8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
}

/* The sum times unit, in f64, rounded half to even and clamped. */
static int64_t definition(const gf_image *in, const int64_t *weights, int rows, int columns, double unit,
                          int64_t x, int64_t y)
{
    const double white = in->shape.depth == GF_U8 ? 255 : 65535;
    wide sum = 0;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            sum += (wide)weights[j * columns + i] *
                   sample(in, x + i - (columns - 1) / 2, y + j - (rows - 1) / 2);
        }
    }
    CHECK(sum < (wide)1 << 51 && sum > -((wide)1 << 51));
    return (int64_t)fmin(fmax(rint((double)sum * unit), 0), white);
}

static void one_kernel(struct plan_random *random, int turn)
{
    static int64_t weights[MOST];
    static const int sides[] = {33, 64, 128, 255};
    const int most = sides[turn % 100 == 0 ? 3 : turn % 20 == 0 ? 2 : turn % 5 == 0], whole = turn % 9 == 0;
    const gf_depth depth = turn % 2 ? GF_U16 : GF_U8;
    int rows, columns, exponent;
    do {
        rows = (int)plan_random_between(random, 5, most);
        columns = (int)plan_random_between(random, 5, most);
    } while (rows * columns < 225);
    const gf_shape shape = {plan_random_between(random, 1, W), plan_random_between(random, 1, H), 1, depth};
    gf_image in = gf_image_view(pixels, shape.width, shape.height, 1, depth, 0);
    gf_image out = gf_image_view(made, shape.width, shape.height, 1, depth, 0);
    double sum = 0, size = 0;
    plan_random_picture(random, turn % 3 ? PLAN_NOISE : PLAN_EXTREMES, false, &in);
    for (int i = 0; i < rows * columns; i++) {
        const double v = (double)plan_random_between(random, turn % 7 ? -1000 : 1, 1200) / 700;
        numbers[i] = turn % 11 == 0 ? (i ? v * 1e-7 : 1e3) : turn % 4 == 0 ? 1 + (i == 0) : v;
        numbers[i] = whole ? rint(6 * v) : numbers[i];
        sum += numbers[i];
    }
    const double scale = turn % 3 ? 1 / sum : 0.01;
    for (int i = 0; i < rows * columns; i++) {
        size += fabs(numbers[i]);
    }
    frexp(size * 0.75, &exponent);
    const int grid = (depth == GF_U8 ? 26 : 34) - exponent;
    for (int i = 0; i < rows * columns; i++) {
        weights[i] = (int64_t)rint(ldexp(numbers[i], grid));
    }
    gf_error error = GF_ERROR_INIT;
    REQUIRE(sum != 0);
    CHECK_MSG(run(turn % 3 ? "conv:@k:normalize=on" : "conv:@k:scale=0.01", rows, columns, &in, &out,
                  &error) == GF_OK,
              "turn %d: %s", turn, error.message);
    for (int64_t i = 0; i < shape.width * shape.height; i++) {
        const int64_t x = i % shape.width, y = i / shape.width;
        const int64_t expected = definition(&in, weights, rows, columns, ldexp(scale, -grid), x, y),
                      is = sample(&out, x, y);
        CHECK_MSG(is == expected, "turn %d, %d x %d, %lld, %lld: %lld, not %lld", turn, columns, rows,
                  (long long)x, (long long)y, (long long)is, (long long)expected);
    }
}

static void integers(void)
{
    struct plan_random random;
    for (int turn = 0; turn < 1000; turn++) {
        if (check_slice(turn, 1000)) {
            plan_random_seed(&random, 37, (uint64_t)turn);
            one_kernel(&random, turn);
        }
    }
}

/* Kernels of fewer than 225 numbers are sums of the chain in f32. */
static void as_the_chain(void)
{
    struct plan_random random;
    plan_random_seed(&random, 3, 3);
    for (int turn = 0; turn < 12; turn++) {
        const gf_depth depth = turn % 2 ? GF_U16 : GF_U8;
        const int side = 3 + turn, ones = turn % 3 == 0, inexact = turn % 4 == 3;
        gf_image in = gf_image_view(pixels, W, H, 1, depth, 0), out = gf_image_view(made, W, H, 1, depth, 0);
        gf_error error = GF_ERROR_INIT;
        plan_random_picture(&random, PLAN_NOISE, false, &in);
        for (int i = 0; i < side * side; i++) {
            numbers[i] = ones ? i % 3 == 0 : (double)plan_random_between(&random, -20, 24);
            numbers[i] /= inexact ? 3000.0 : 1024.0;
        }
        CHECK_MSG(run("conv:@k", side, side, &in, &out, &error) == GF_OK, "%s", error.message);
        for (int64_t i = 0; i < W * H; i++) {
            float sum = 0;
            for (int k = 0; k < side * side; k++) {
                const int64_t x = i % W + k % side - (side - 1) / 2, y = i / W + k / side - (side - 1) / 2;
                sum = fmaf((float)numbers[k], (float)sample(&in, x, y), sum);
            }
            const int64_t expected = (int64_t)fminf(fmaxf(rintf(sum), 0), depth == GF_U8 ? 255 : 65535);
            CHECK_MSG(sample(&out, i % W, i / W) == expected, "side %d, pixel %d: %d, not %d", side, (int)i,
                      (int)sample(&out, i % W, i / W), (int)expected);
        }
    }
}

/* How far a sum of f32 by transforms may lie from that of real numbers: 2^-24 times 6 for each halving of a
 * tile, times the root of the sums of squares of the samples that a tile sees and of the weights. */
static double allowed(const float *samples, int w, int h, int rows, int columns)
{
    int stages = 0;
    double squares = 0, weights = 0;
    for (int side = 4; side < 512 && side < w + columns - 1; side *= 2, stages++) {
    }
    for (int side = 4; side < 512 && side < h + rows - 1; side *= 2, stages++) {
    }
    for (int64_t y = 1 - rows; y < h + rows - 1; y++) {
        for (int64_t x = 1 - columns; x < w + columns - 1; x++) {
            const int64_t u = x < 0 ? 0 : x < w ? x : w - 1, v = y < 0 ? 0 : y < h ? y : h - 1;
            squares += (double)samples[v * w + u] * (double)samples[v * w + u];
        }
    }
    for (int i = 0; i < rows * columns; i++) {
        weights += numbers[i] * numbers[i];
    }
    return 0x1p-24 * 6 * (stages + 4) * sqrt(squares * weights);
}

/* f32: the sums of real numbers, but for rounding; and exactly those of the chain in a tile that has a sample
 * which is not tame, and of weights that are too large. */
static void floats(void)
{
    enum { MOST_W = 70, MOST_H = 50 };
    static float in[MOST_W * MOST_H], out[MOST_W * MOST_H];
    struct plan_random random;
    plan_random_seed(&random, 5, 12);
    for (int turn = 0; turn < 24; turn++) {
        const int w = (int)plan_random_between(&random, 1, MOST_W), heavy = turn % 8 == 5,
                  wild = turn % 4 == 3 || heavy;
        const int h = (int)plan_random_between(&random, 1, MOST_H);
        const int rows = 2 * (int)plan_random_between(&random, 8, 20);
        const int columns = (int)plan_random_between(&random, 15, 40);
        gf_image from = gf_image_view(in, w, h, 1, GF_F32, 0), to = gf_image_view(out, w, h, 1, GF_F32, 0);
        gf_error error = GF_ERROR_INIT;
        for (int i = 0; i < w * h; i++) {
            in[i] = (float)plan_random_between(&random, -9999, 9999) / 5000;
        }
        in[w * h / 2] = wild && !heavy ? (turn == 3 ? NAN : turn == 7 ? -INFINITY : 0x1p40F) : in[w * h / 2];
        for (int i = 0; i < rows * columns; i++) {
            numbers[i] =
                (double)(float)((double)plan_random_between(&random, -999, 999) * (heavy ? 1e17 : 1e-3));
        }
        CHECK_MSG(run("conv:@k", rows, columns, &from, &to, &error) == GF_OK, "%s", error.message);
        const double most = allowed(in, w, h, rows, columns);
        for (int i = 0; i < w * h; i++) {
            double sum = 0;
            float chain = 0;
            for (int k = 0; k < rows * columns; k++) {
                const int x = i % w + k % columns - (columns - 1) / 2,
                          y = i / w + k / columns - (rows - 1) / 2;
                const int u = x < 0 ? 0 : x < w ? x : w - 1, v = y < 0 ? 0 : y < h ? y : h - 1;
                sum += numbers[k] * (double)in[v * w + u];
                chain = fmaf((float)numbers[k], in[v * w + u], chain);
            }
            CHECK_MSG(wild ? out[i] == chain || (out[i] != out[i] && chain != chain)
                           : fabs((double)out[i] - sum) <= most,
                      "turn %d, %d x %d, kernel %d x %d, pixel %d: %.9g, not %.9g within %g", turn, w, h,
                      columns, rows, i, (double)out[i], wild ? (double)chain : sum, most);
        }
    }
}

static void every_way(void)
{
    static const struct {
        const char *stages;
        gf_shape shape;
    } runs[] = {
        {"conv:@numbers_33_35:scale=1/40", {121, 90, 1, GF_U8}},
        {"conv:@numbers_40_40:scale=1/40:offset=0.5:border=reflect", {50, 70, 3, GF_U8}},
        {"conv:@numbers_37_70:scale=1/30:border=wrap", {60, 61, 1, GF_U16}},
        {"conv:@fine_130_141:scale=1/200:offset=0.5:border=wrap", {20, 33, 1, GF_U16}}, /* transforms */
        {"conv:@numbers_65_33:scale=1/30:border=reflect101", {1, 1, 1, GF_U8}},
        {"conv:@numbers_45_47:scale=1/20", {37, 50, 4, GF_U8}},
        {"conv:@numbers_45_47:scale=1/20:border=constant:value=0.3", {20, 22, 2, GF_U16}},
        {"conv:@numbers_40_41:scale=1/50:offset=0.2", {33, 20, 2, GF_U8}},
        {"conv:@numbers_33_33:scale=1/30:channels=g:roi=30x9+4+5", {50, 20, 3, GF_U8}},
        {"blur,conv:@numbers_31_40:scale=1/30,invert,crop:40x50+9+20,hist", {90, 96, 1, GF_U8}},
        {"conv:@numbers_40_33:scale=1/40", {30, 25, 1, GF_F32}},
        {"conv:@numbers_5_250:scale=1/40", {70, 12, 1, GF_U8}},
        {"conv:@numbers_7_257:scale=1/40", {30, 12, 1, GF_U16}},
        {"conv:@numbers_2_513:scale=1/40", {9, 3, 1, GF_U8}},
        {"conv:@numbers_20_24:scale=1/8", {64, 40, 3, GF_U8}},
        {"conv:@numbers_33_32", {600, 3, 1, GF_U8}},
        {"conv:@numbers_16_31:normalize=on", {300, 140, 1, GF_U8}},
        {"conv:@numbers_23_20:scale=1/9", {131, 70, 3, GF_U16}},
        {"conv:@numbers_15_15:scale=1/9", {66, 40, 4, GF_U8}},
        {"conv:@tiny_31_30:scale=1/9", {129, 40, 1, GF_U8}},
        {"conv:@tiny_15_33:scale=1/9", {40, 66, 1, GF_U16}},
        {"conv:@fine_21_17:scale=1/9", {70, 66, 1, GF_U8}},
        {"conv:@fine_18_33:scale=1/9:offset=0.1", {40, 66, 1, GF_U16}},
        {"conv:@numbers_40_34:scale=1/40", {1, 1, 1, GF_F32}},
        {"conv:@numbers_6_40:scale=1/40:border=wrap", {1100, 5, 1, GF_F32}}, /* tiles side by side */
        {"conv:@numbers_34_8:scale=1/40:border=reflect", {3, 1100, 2, GF_F32}},
        {"conv:@numbers_15_16:scale=1/8:offset=0.1:channels=g:roi=30x9+4+5", {50, 20, 3, GF_F32}},
        {"blur,conv:@numbers_31_40:scale=1/30,invert,crop:40x50+9+20,stats", {90, 96, 1, GF_F32}},
        {"conv:@numbers_20_20:scale=1/30:border=constant:value=0.3", {33, 520, 4, GF_F32}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const bool weighed = i >= 5 && i <= 7, always = i == 3 || i == 10; /* kernels of transforms */
        if (always || check_slice((long)i, sizeof runs / sizeof *runs)) {
            for (int special = 0; special <= (runs[i].shape.depth == GF_F32); special++) {
                drawn_check(runs[i].stages, &runs[i].shape, i, i % 3 ? PLAN_NOISE : PLAN_EXTREMES, special,
                            weighed ? GF_ALPHA_PREMUL : GF_ALPHA_STRAIGHT);
            }
        }
    }
}

static void refused(void)
{
    static const struct {
        int rows, columns;
        const char *says;
    } wrong[] = {{1, 2049, "must have sides of at most 2048"}, {3, 3, "which is 0"}};
    gf_image in = gf_image_view(pixels, 4, 2, 1, GF_U8, 0), out = gf_image_view(made, 4, 2, 1, GF_U8, 0);
    memset(numbers, 0, sizeof numbers);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gf_error error = GF_ERROR_INIT;
        CHECK(run("conv:@k:normalize=on", wrong[i].rows, wrong[i].columns, &in, &out, &error) != GF_OK);
        CHECK_MSG(strstr(error.message, wrong[i].says), "%s", error.message);
    }
}

static const struct check_case cases[] = {{"sums are those of integers", integers},
                                          {"small kernels are the chain's", as_the_chain},
                                          {"sums of f32 are near", floats},
                                          {"kernels of any size, CPU and CUDA", every_way},
                                          {"what is refused", refused}};
CHECK_MAIN(cases)
