/* clahe: values worked out by hand, sizes around tiles, cells and 16 bytes by every way of execution, what is
 * no number, and what is refused. */
#include "drawn_check.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One tile of four pixels, three of 10 and one of 200. Without a limit 10 is 255 * 3 / 4 and 200 white. With
 * clip=1 a value counts 1, since 4 / 256 is less; the 2 beyond go to bins 0 and 128: up to 10 there are 2, to
 * 200 all 4. */
static void by_hand(void)
{
    static const uint8_t pixels[4] = {10, 10, 10, 200};
    uint8_t made[4];
    const gf_image in = gf_image_view(pixels, 2, 2, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, 2, 2, 1, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    REQUIRE(text_run_once("clahe:0:tiles=1x1", &in, &out, &error) == GF_OK);
    CHECK_MSG(made[0] == 191 && made[3] == 255, "no limit: %d, %d", made[0], made[3]);
    REQUIRE(text_run_once("clahe:1:tiles=1x1", &in, &out, &error) == GF_OK);
    CHECK_MSG(made[0] == 128 && made[3] == 255, "a limit of 1: %d, %d", made[0], made[3]);
}

/* Two tiles, black and white, side by side: without a limit the left maps 0 to 255 and the right 0 to 0, so
 * that a black pixel at place x is 255 (1 - part). */
static void between_tiles(void)
{
    enum { W = 16, H = 4 };
    uint8_t pixels[W * H], made[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    for (int i = 0; i < W * H; i++) {
        pixels[i] = i % W < W / 2 ? 0 : 255;
    }
    REQUIRE(text_run_once("clahe:0:tiles=2x1", &in, &out, &error) == GF_OK);
    for (int x = 0; x < W; x++) {
        const double part = x < 4 ? 0 : (x - 4) / 8.0;
        const int expected = x < W / 2 ? (int)rint(255 * (1 - part)) : 255;
        CHECK_MSG(made[x] == expected, "column %d is %d, not %d", x, made[x], expected);
    }
}

/* ---- every way of execution ---- */

static void fill(struct parity_picture *picture, struct plan_random *random, int kind)
{
    const gf_shape *s = &picture->image.shape;
    for (int64_t y = 0; y < s->height; y++) {
        char *row = (char *)picture->image.data + y * picture->image.pitch;
        for (int64_t i = 0; i < s->width * s->channels; i++) {
            const uint32_t noise = plan_random_below(random, 65536);
            const uint32_t slope = (uint32_t)(i * 700 + y * 900) % 40000 + noise / 32;
            const uint32_t v = kind == 0 ? noise : kind == 1 ? slope : 12345;
            if (s->depth == GF_U8) {
                ((uint8_t *)row)[i] = (uint8_t)(v >> 8);
            } else if (s->depth == GF_U16) {
                ((uint16_t *)row)[i] = (uint16_t)v;
            } else {
                ((float *)row)[i] = noise % 61 == 0   ? NAN
                                    : noise % 59 == 0 ? INFINITY
                                    : noise % 53 == 0 ? -INFINITY
                                                      : (float)v / 30000.0F - 0.5F;
            }
        }
    }
}

static void sizes(gf_depth depth, const int64_t shapes[][3], int n, const char *const *texts, int n_texts)
{
    struct plan_random random;
    plan_random_seed(&random, 6, 1);
    for (int i = 0; i < n; i++) {
        const gf_shape shape = {shapes[i][0], shapes[i][1], (int32_t)shapes[i][2], depth};
        struct parity_picture picture;
        char why[400];
        REQUIRE(parity_picture_make(&picture, &shape, (int32_t)(i % 3 == 0 ? 0 : 5)));
        fill(&picture, &random, i % 3);
        const char *text = texts[i % n_texts];
        const int agreed = parity_check(text, &picture.image, GF_ALPHA_NONE, why, sizeof why);
        CHECK_MSG(agreed > 0, "%s on %lld x %lld x %d: %s", text, (long long)shape.width,
                  (long long)shape.height, shape.channels, why);
        parity_picture_free(&picture);
    }
}

static void bytes(void)
{
    static const char *const texts[] = {"clahe",
                                        "clahe:3.5:tiles=3x2",
                                        "clahe:0:tiles=1x1",
                                        "clahe:40:tiles=5x7",
                                        "clahe:2:tiles=32x1",
                                        "clahe:2:tiles=1x32:channels=0"};
    static const int64_t shapes[][3] = {{1, 1, 1},   {3, 2, 1},   {2, 3, 3},   {64, 1, 1},    {1, 64, 1},
                                        {33, 40, 1}, {64, 48, 1}, {65, 48, 1}, {64, 49, 2},   {131, 67, 1},
                                        {48, 16, 1}, {47, 31, 3}, {31, 21, 4}, {208, 100, 1}, {250, 97, 1}};
    sizes(GF_U8, shapes, 15, texts, 6);
}

static void words(void)
{
    static const char *const texts[] = {"clahe:2:tiles=2x2", "clahe:300:tiles=3x2", "clahe:0:tiles=1x1"};
    static const int64_t shapes[][3] = {{33, 40, 1}, {1, 1, 1},    {40, 22, 3}, {48, 31, 1},
                                        {9, 8, 1},   {260, 158, 1}}; /* the last: a count past 2^15 */
    sizes(GF_U16, shapes, 6, texts, 3);
}

static void floats(void)
{
    static const char *const texts[] = {"clahe:2:tiles=2x2", "clahe:200:tiles=3x1",
                                        "clahe:0:tiles=1x2:channels=0"};
    static const int64_t shapes[][3] = {{33, 30, 1}, {48, 20, 1}, {20, 11, 2}, {7, 1, 1}};
    sizes(GF_F32, shapes, 4, texts, 3);
}

/* A tile of NaN alone leaves what the tables beside it make, and the picture keeps its NaN. */
static void nothing_but_nan(void)
{
    enum { W = 8, H = 4 };
    float pixels[W * H], made[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_F32, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_F32, 0);
    gf_error error = GF_ERROR_INIT;
    for (int i = 0; i < W * H; i++) {
        pixels[i] = i % W < W / 2 ? NAN : (float)(i % W);
    }
    REQUIRE(text_run_once("clahe:0:tiles=2x1", &in, &out, &error) == GF_OK);
    CHECK(isnan(made[0]) && isnan(made[3]));
    CHECK_MSG(made[7] == 1.0F, "the greatest of all is %g", (double)made[7]);
}

/* ---- what else is made of counts ---- */

static void counted(void)
{
    static const char *const texts[] = {"normalize,percentiles:[0 33 50 100]", "threshold:otsu:classes=4",
                                        "normalize:30:high=60,threshold:otsu:classes=8:channels=0"};
    static const int64_t shapes[][3] = {{33, 30, 1}, {48, 20, 3}, {20, 11, 2}, {1, 1, 1}};
    sizes(GF_U8, shapes, 4, texts, 3);
    sizes(GF_U16, shapes, 4, texts, 3);
    sizes(GF_F32, shapes, 4, texts, 3);
}

/* Three values and three classes: the lowest of the levels between them, and three shades. */
static void ties(void)
{
    static const uint8_t pixels[6] = {10, 10, 100, 100, 200, 200};
    static const uint8_t shades[6] = {0, 0, 128, 128, 255, 255};
    uint8_t made[6];
    const gf_image in = gf_image_view(pixels, 6, 1, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, 6, 1, 1, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    REQUIRE(text_run_once("threshold:otsu:classes=3", &in, &out, &error) == GF_OK);
    CHECK(memcmp(made, shades, sizeof made) == 0);
    REQUIRE(text_run_once("normalize:0:high=100", &in, &out, &error) == GF_OK);
    CHECK_MSG(made[0] == 0 && made[2] == 121 && made[4] == 255, "%d %d %d", made[0], made[2], made[4]);
    /* between 10 and 100 the level is 10: another value there, 11, is of the upper class */
    static const uint8_t more[7] = {10, 10, 100, 100, 200, 200, 11};
    const gf_image with = gf_image_view(more, 7, 1, 1, GF_U8, 0);
    uint8_t of[7];
    gf_image to = gf_image_view(of, 7, 1, 1, GF_U8, 0);
    REQUIRE(text_run_once("threshold:otsu:classes=4", &with, &to, &error) == GF_OK);
    CHECK_MSG(of[0] == 0 && of[6] == 85 && of[2] == 170 && of[4] == 255, "%d %d %d %d", of[0], of[6], of[2],
              of[4]);
}

/* Alpha stays, whatever NaN is in it. */
static void kept_channels(void)
{
    const gf_shape shape = {20, 11, 2, GF_F32};
    for (uint64_t seed = 0; seed < 3; seed++) {
        drawn_check("clahe:tiles=2x2", &shape, seed, PLAN_NOISE, true, GF_ALPHA_STRAIGHT);
    }
}

static void refused(void)
{
    static const char *const texts[] = {"clahe:tiles=8",  "clahe:tiles=0x8", "clahe:tiles=8x33",
                                        "clahe:tiles=8x", "clahe:tiles=x8",  "clahe:tiles=8x8x8"};
    static const uint8_t pixels[4] = {0};
    uint8_t made[4];
    const gf_image in = gf_image_view(pixels, 2, 2, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, 2, 2, 1, GF_U8, 0);
    for (int i = 0; i < 6; i++) {
        gf_error error = GF_ERROR_INIT;
        CHECK_MSG(text_run_once(texts[i], &in, &out, &error) == GF_ERROR_ARGUMENT, "%s is taken", texts[i]);
        CHECK_MSG(strstr(error.message, "as 8x8, from 1 to 32 each"), "%s: %s", texts[i], error.message);
    }
}

static const struct check_case cases[] = {{"channels that stay", kept_channels},
                                          {"one tile by hand", by_hand},
                                          {"between two tiles", between_tiles},
                                          {"u8 of all sizes, CPU and CUDA", bytes},
                                          {"u16, CPU and CUDA", words},
                                          {"f32 with NaN and infinities, CPU and CUDA", floats},
                                          {"a tile of nothing but NaN", nothing_but_nan},
                                          {"percentiles and classes, CPU and CUDA", counted},
                                          {"levels of ties", ties},
                                          {"tiles that are none", refused}};
CHECK_MAIN(cases)
