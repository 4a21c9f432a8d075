/* denoise_dct: noise that goes, blocks at strips, segments and borders by every way of execution. */
#include "check.h"
#include "drawn_check.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>

enum { W = 200, H = 150 };

static float clean[W * H], noisy[W * H], made[W * H];

static bool make(const char *stages, gf_image *in, gf_image *out)
{
    gf_error error = GF_ERROR_INIT;
    const bool good = text_run_once(stages, in, out, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", stages, error.message);
    return good;
}

/* A disk on a slope, and noise whose standard deviation is 0.05, a sum of twelve even numbers. */
static void draw(void)
{
    struct plan_random random;
    plan_random_seed(&random, 5, 5);
    for (int i = 0; i < W * H; i++) {
        const double x = i % W - 90, y = i / W - 70;
        double sum = -6;
        for (int k = 0; k < 12; k++) {
            sum += plan_random_below(&random, 1 << 20) / (double)(1 << 20);
        }
        clean[i] = (float)(0.2 + 0.002 * x + (x * x + y * y < 900 ? 0.5 : 0.1));
        noisy[i] = clean[i] + (float)(0.05 * sum);
    }
}

static double error_of(const float *v)
{
    double sum = 0;
    for (int i = 0; i < W * H; i++) {
        sum += (v[i] - clean[i]) * (v[i] - clean[i]);
    }
    return sqrt(sum / (W * H));
}

static void noise_goes(void)
{
    static const struct {
        const char *stages;
        double most; /* of the error of the noisy picture */
    } runs[] = {
        {"denoise_dct:0.05", 0.3}, {"denoise_dct:0.05:block=4", 0.4}, {"denoise_dct:0.05:keep=1", 0.85}};
    draw();
    gf_image in = gf_image_view(noisy, W, H, 1, GF_F32, 0), out = gf_image_view(made, W, H, 1, GF_F32, 0);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        CHECK(make(runs[i].stages, &in, &out));
        const double ratio = error_of(made) / error_of(noisy);
        CHECK_MSG(ratio < runs[i].most && ratio > 0.05, "%s: %g", runs[i].stages, ratio);
    }
}

/* With nothing left out the mean of 64 copies of a sample is the sample, but for rounding. */
static void nothing_left_out(void)
{
    static const char *const stages[] = {"denoise_dct:0", "denoise_dct:0:block=4:border=wrap",
                                         "denoise_dct:1:keep=0"};
    draw();
    gf_image in = gf_image_view(noisy, W, H, 1, GF_F32, 0), out = gf_image_view(made, W, H, 1, GF_F32, 0);
    for (size_t s = 0; s < 3; s++) {
        CHECK(make(stages[s], &in, &out));
        for (int i = 0; i < W * H; i++) {
            CHECK_MSG(fabsf(made[i] - noisy[i]) < 1e-6F, "%s: %d: %g", stages[s], i, made[i] - noisy[i]);
        }
    }
}

/* All but the means left out: two box means, one behind the other. */
static void only_means(void)
{
    gf_image in = gf_image_view(noisy, W, H, 1, GF_F32, 0), out = gf_image_view(made, W, H, 1, GF_F32, 0);
    draw();
    CHECK(make("denoise_dct:1:keep=100", &in, &out));
    for (int at = 0; at < 40; at++) {
        const int x = 20 + at * 3, y = 15 + at * 2;
        double sum = 0;
        for (int i = -7; i <= 7; i++) {
            for (int j = -7; j <= 7; j++) {
                sum += (8 - abs(i)) * (8 - abs(j)) * (double)noisy[(y + j) * W + x + i];
            }
        }
        CHECK_MSG(fabs(sum / 4096 - made[y * W + x]) < 1e-6, "%d, %d: %g", x, y, made[y * W + x]);
    }
}

static void every_way(void)
{
    static const struct {
        const char *stages;
        gf_shape shape;
    } runs[] = {
        {"denoise_dct", {121, 33, 1, GF_U8}},
        {"denoise_dct:0.2:border=reflect", {122, 70, 3, GF_F32}},
        {"denoise_dct:0.1:block=4:border=wrap", {250, 40, 1, GF_F32}},
        {"denoise_dct:0.02:block=4:border=constant:value=0.5", {126, 65, 4, GF_U16}},
        {"denoise_dct:0.1:border=reflect101", {1, 1, 1, GF_F32}},
        {"denoise_dct:0.1", {300, 1, 2, GF_U16}},
        {"denoise_dct:0.1:block=4:border=wrap", {5, 1, 1, GF_F32}},
        {"denoise_dct:0.1:channels=g:roi=30x9+4+5", {50, 20, 3, GF_U8}},
        {"blur,denoise_dct:0.01,invert,hist", {130, 36, 1, GF_U8}},
        {"denoise_dct:0.3", {3, 64, 2, GF_U8}},
        {"denoise_dct:0.5:keep=20", {40, 50, 1, GF_F32}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const bool wild = i % 2 && runs[i].shape.depth == GF_F32;
        const bool premultiplied = i == 9;
        drawn_check(runs[i].stages, &runs[i].shape, i, wild ? PLAN_EXTREMES : PLAN_NOISE, wild,
                    premultiplied ? GF_ALPHA_PREMUL : GF_ALPHA_STRAIGHT);
    }
}

static const struct check_case cases[] = {{"noise goes", noise_goes},
                                          {"nothing left out", nothing_left_out},
                                          {"only means", only_means},
                                          {"denoise, CPU and CUDA", every_way}};
CHECK_MAIN(cases)
