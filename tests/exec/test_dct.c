/* dct and idct: frequencies by hand and by the formula in double, there and back, and sizes around the edges
 * of blocks by every way of execution. */
#include "check.h"
#include "parity.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make(const char *stages, const gf_image *in, gf_image *out)
{
    gf_error error = GF_ERROR_INIT;
    const bool good = text_run_once(stages, in, out, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", stages, error.message);
    return good;
}

/* A flat picture has only means: n of white for a block of n x n, sqrt(w h) for one at an edge. */
static void flat(void)
{
    enum { W = 20, H = 17 };
    static uint8_t pixels[W * H];
    static float made[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_F32, 0);
    memset(pixels, 255, sizeof pixels);
    CHECK(make("dct", &in, &out));
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            const double w = x < 16 ? 8 : 4, h = y < 16 ? 8 : 1;
            const double want = x % 8 || y % 8 ? 0 : sqrt(w * h);
            CHECK_MSG(fabs(made[y * W + x] - want) < 2e-6, "%d, %d: %g", x, y, made[y * W + x]);
        }
    }
}

/* Each frequency of a block of n pixels of noise, by the formula. */
static void formula(void)
{
    static const int sizes[] = {2, 5, 8, 16};
    static float v[16 * 16], made[16 * 16];
    struct plan_random random;
    const double pi = acos(-1);
    plan_random_seed(&random, 3, 1);
    for (int s = 0; s < 4; s++) {
        const int n = sizes[s];
        char stages[32];
        gf_image in = gf_image_view(v, n, n, 1, GF_F32, 0), out = gf_image_view(made, n, n, 1, GF_F32, 0);
        for (int i = 0; i < n * n; i++) {
            v[i] = (float)(i * 7919 % 101) / 101;
        }
        snprintf(stages, sizeof stages, "dct:%d", n);
        CHECK(make(stages, &in, &out));
        for (int l = 0; l < n; l++) {
            for (int k = 0; k < n; k++) {
                double sum = 0;
                for (int i = 0; i < n * n; i++) {
                    sum += v[i] * cos(pi * (2 * (i % n) + 1) * k / (2 * n)) *
                           cos(pi * (2 * (i / n) + 1) * l / (2 * n));
                }
                sum *= sqrt((k ? 2.0 : 1.0) / n) * sqrt((l ? 2.0 : 1.0) / n);
                CHECK_MSG(fabs(sum - made[l * n + k]) < 4e-6, "%d: %d, %d: %g", n, k, l, made[l * n + k]);
            }
        }
    }
}

/* There and back, in units of 2^-23 of white. The bounds exceed what was measured on noise (3.5, 4.5, 8.5) by
 * a fifth or more. */
static void back(void)
{
    enum { W = 150, H = 77 };
    static uint8_t pixels[W * H * 3];
    static float made[W * H * 3];
    const gf_image in = gf_image_view(pixels, W, H, 3, GF_U8, 0);
    gf_image out = gf_image_view(made, W, H, 3, GF_F32, 0);
    for (int i = 0; i < W * H * 3; i++) {
        pixels[i] = (uint8_t)((uint32_t)i * 2654435761U >> 24);
    }
    for (int block = 2; block <= 64; block++) {
        char stages[64];
        float worst = 0;
        snprintf(stages, sizeof stages, "dct:%d,idct:%d", block, block);
        CHECK(make(stages, &in, &out));
        for (int i = 0; i < W * H * 3; i++) {
            const float off = fabsf(made[i] - (float)pixels[i] / 255);
            worst = off > worst ? off : worst;
        }
        const float most = block <= 8 ? 4.5F : block <= 16 ? 6 : 12;
        CHECK_MSG(worst <= most * 0x1p-23F, "block %d: %g", block, worst);
    }
}

static void edges(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {8, 8}, {40, 33}, {263, 17}, {300, 41}, {1, 100}, {70, 5}};
    static const char *const stages[] = {"dct", "idct:8", "dct:2", "idct:13", "dct:16", "idct:32", "dct:64"};
    static const gf_depth depths[] = {GF_F32, GF_U8, GF_U16};
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 1, 1);
    for (int s = 0; s < 7; s++) {
        for (int i = 0; i < 7; i++) {
            struct parity_picture picture;
            const int kind = (i + s) % 3;
            const gf_shape shape = {sizes[s][0], sizes[s][1], i + s < 6 ? 1 : 1 + (i + s) % 4, depths[kind]};
            REQUIRE(parity_picture_make(&picture, &shape, i % 2 ? 4 : 3));
            plan_random_picture(&random, kind == 0 && s % 2 ? PLAN_EXTREMES : PLAN_NOISE, i == 5,
                                &picture.image);
            CHECK_MSG(parity_check(stages[i], &picture.image, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                      "%s, %lld x %lld, %d channels, depth %d: %s", stages[i], (long long)shape.width,
                      (long long)shape.height, shape.channels, (int)shape.depth, why);
            parity_picture_free(&picture);
        }
    }
}

static const struct check_case cases[] = {{"means of a flat picture", flat},
                                          {"frequencies by the formula", formula},
                                          {"there and back", back},
                                          {"edges of blocks, CPU and CUDA", edges}};
CHECK_MAIN(cases)
