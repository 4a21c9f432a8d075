/* canny: edges worked out by hand, chains of weak edges that wind through strips, tiles, words and rows of
 * threads by every way of execution, what is no number, and what is refused. And slopes and directions. */
#include "check.h"
#include "drawn_check.h"
#include "parity.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step of 90 to the right, where the left one of two equal columns counts, a step of 70 down, and one of 10
 * to the right, both connected with it. The step of 20 at the lower left is connected with none. */
static void by_hand(void)
{
    enum { W = 10, H = 4 };
    static const uint8_t pixels[W * H] = {0, 0, 90, 90, 90, 90, 90, 90, 100, 100, /**/
                                          0, 0, 90, 90, 90, 90, 90, 90, 100, 100, /**/
                                          0, 0, 20, 20, 20, 20, 20, 20, 30,  30,  /**/
                                          0, 0, 20, 20, 20, 20, 20, 20, 30,  30};
    static const char strong_only[] = "0100000000"
                                      "0010000000"
                                      "0000000000"
                                      "0000000000";
    static const char followed[] = "0100000100"
                                   "0011111111"
                                   "0000000000"
                                   "0000000000";
    uint8_t made[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    const char *const texts[] = {"canny:300u8:high=300u8:sigma=0", "canny:30u8:high=300u8:sigma=0"};
    for (int t = 0; t < 2; t++) {
        const char *expected = t ? followed : strong_only;
        REQUIRE(text_run_once(texts[t], &in, &out, &error) == GF_OK);
        for (int i = 0; i < W * H; i++) {
            CHECK_MSG(made[i] == (expected[i] == '1' ? 255 : 0), "%s: pixel %d, %d is %d", texts[t], i % W,
                      i / W, made[i]);
        }
    }
}

/* ---- lines that wind ---- */

enum shape { SPIRAL, COMB, STAIRS, NOISE, STEPS, FLAT, SHAPES };

/* A line of value 60 whose turns lie `apart` pixels from each other, which ends in white. */
static void draw_spiral(uint8_t *to, int64_t w, int64_t h, int64_t apart)
{
    int64_t left = 2, top = 2, right = w - 3, bottom = h - 3, x = left, y = top, dx = 1, dy = 0, last = -1;
    while (left <= right && top <= bottom && x >= 0 && y >= 0 && x < w && y < h) {
        last = y * w + x;
        to[last] = 60;
        if ((dx > 0 && x >= right) || (dx < 0 && x <= left) || (dy > 0 && y >= bottom) ||
            (dy < 0 && y <= top)) {
            top += dx > 0 ? apart : 0;
            right -= dy > 0 ? apart : 0;
            bottom -= dx < 0 ? apart : 0;
            left += dy < 0 ? apart : 0;
            const int64_t turn = dx;
            dx = -dy;
            dy = turn;
        }
        x += dx;
        y += dy;
    }
    if (last >= 0) {
        to[last] = 255;
    }
}

static void draw(enum shape shape, struct plan_random *random, uint8_t *to, int64_t w, int64_t h)
{
    memset(to, 0, (size_t)(w * h));
    if (shape == SPIRAL) {
        draw_spiral(to, w, h, 6);
        return;
    }
    for (int64_t i = 0; i < w * h; i++) {
        const int64_t x = i % w, y = i / w;
        const bool corner = x == w - 1 && y == 0;
        to[i] = shape == COMB     ? (uint8_t)(corner                   ? 255
                                              : x % 6 < 2 || y > h - 4 ? 60
                                                                       : 0)
                : shape == STAIRS ? (uint8_t)((x + y) % 12 < 2 ? 60
                                              : corner         ? 255
                                                               : 0)
                : shape == NOISE  ? (uint8_t)plan_random_below(random, 256)
                : shape == STEPS  ? (uint8_t)(85 * plan_random_below(random, 4))
                                  : 77;
    }
}

static void hard_shapes(void)
{
    static const char *const texts[] = {"canny:100u8:high=600u8:sigma=0", "canny:0:high=0:sigma=0",
                                        "canny:0.2:high=2:sigma=0:border=constant:value=1",
                                        "canny:50u8:high=50u8:sigma=1:border=wrap"};
    static const int64_t sizes[][2] = {{1, 1},   {2, 2},   {64, 1},   {1, 64},  {5, 3},
                                       {33, 40}, {65, 33}, {131, 67}, {250, 97}};
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 4, 1);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            uint8_t *samples = calloc((size_t)sizes[s][0], (size_t)sizes[s][1]);
            REQUIRE(samples != NULL);
            draw((enum shape)shape, &random, samples, sizes[s][0], sizes[s][1]);
            const gf_image in = gf_image_view(samples, sizes[s][0], sizes[s][1], 1, GF_U8, 0);
            for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
                CHECK_MSG(parity_check(texts[t], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                          "%s of shape %d, %lld x %lld: %s", texts[t], shape, (long long)sizes[s][0],
                          (long long)sizes[s][1], why);
            }
            free(samples);
        }
    }
}

static int64_t white_of(const char *text, const gf_image *in, uint8_t *made)
{
    gf_image out = gf_image_view(made, in->shape.width, in->shape.height, 1, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    int64_t count = 0;
    CHECK_MSG(text_run_once(text, in, &out, &error) == GF_OK, "%s: %s", text, error.message);
    for (int64_t i = 0; i < in->shape.width * in->shape.height; i++) {
        count += made[i] == 255;
    }
    return count;
}

/* One strong end brings all of a spiral: as much as where every edge is strong. Without it there is nothing.
 */
static void one_end(void)
{
    enum { SIDE = 301 };
    static uint8_t samples[SIDE * SIDE], made[SIDE * SIDE];
    const gf_image in = gf_image_view(samples, SIDE, SIDE, 1, GF_U8, 0);
    char why[512];
    draw(SPIRAL, NULL, samples, SIDE, SIDE);
    const int64_t all = white_of("canny:100u8:high=100u8:sigma=0", &in, made);
    const int64_t strong = white_of("canny:400u8:high=400u8:sigma=0", &in, made);
    CHECK_MSG(all > 10000 && strong > 0 && strong < 20, "%lld, %lld", (long long)all, (long long)strong);
    CHECK_EQ_INT(white_of("canny:100u8:high=400u8:sigma=0", &in, made), all);
    CHECK_MSG(parity_check("canny:100u8:high=400u8:sigma=0", &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
              "%s", why);
    for (int i = 0; i < SIDE * SIDE; i++) {
        samples[i] = samples[i] ? 60 : 0;
    }
    CHECK_EQ_INT(white_of("canny:100u8:high=400u8:sigma=0", &in, made), 0);
}

static void other_depths(void)
{
    enum { W = 75, H = 41 };
    static const char *const texts[] = {"canny:0.2:high=0.9:sigma=0",
                                        "canny:0:high=1:sigma=0:border=reflect101",
                                        "canny:0.1:high=0.3:sigma=0:channels=all", "canny"};
    static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0F, 3e38F, -3e38F, 1e-40F};
    static float samples[W * H * 4];
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 5, 1);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < W * H * 4; i++) {
            const bool is_odd = round == 1 && plan_random_below(&random, 40) == 0;
            samples[i] =
                is_odd ? odd[plan_random_below(&random, 7)] : (float)plan_random_below(&random, 9) / 8;
        }
        for (int32_t channels = 1; channels <= 4; channels++) {
            const gf_image in = gf_image_view(samples, W, H, channels, GF_F32, 0);
            for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
                CHECK_MSG(parity_check(texts[t], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0, "%s, %d: %s",
                          texts[t], channels, why);
            }
        }
    }
    static uint8_t bytes[W * H * 3];
    for (int i = 0; i < W * H * 3; i++) {
        bytes[i] = (uint8_t)plan_random_below(&random, 256);
    }
    for (int32_t channels = 2; channels <= 3; channels++) {
        const gf_image in = gf_image_view(bytes, W, H, channels, GF_U8, 0);
        CHECK_MSG(parity_check(texts[0], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0, "u8: %s", why);
    }
    static uint16_t words[W * H * 3];
    for (int i = 0; i < W * H * 3; i++) {
        words[i] = (uint16_t)(plan_random_below(&random, 2) ? 65535 : plan_random_below(&random, 65536));
    }
    for (int32_t channels = 1; channels <= 3; channels++) {
        const gf_image in = gf_image_view(words, W, H, channels, GF_U16, 0);
        CHECK_MSG(parity_check(texts[1], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0, "u16: %s", why);
    }
}

static void refused(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {{"canny:0.5:high=0.4", "low is 0.5 and high 0.4"},
                 {"canny:-1:high=0.4", "low is -1 and high 0.4"}};
    static float samples[64], made[64];
    const gf_image in = gf_image_view(samples, 8, 8, 1, GF_F32, 0);
    gf_image out = gf_image_view(made, 8, 8, 1, GF_F32, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gf_error error = GF_ERROR_INIT;
        CHECK(text_run_once(cases[i].text, &in, &out, &error) != GF_OK);
        CHECK_MSG(strstr(error.message, cases[i].says) != NULL, "%s: %s", cases[i].text, error.message);
    }
}

/* Slopes, directions and magnitudes between programs, of every depth, in sizes around strips. */
static void slopes(void)
{
    static const char *const texts[] = {"sobel:x",
                                        "sobel:y:operator=scharr",
                                        "sobel:angle",
                                        "sobel:y:border=wrap:negative=offset,invert",
                                        "brightness:0.1,sobel:angle:border=reflect,contrast:2",
                                        "sobel:x:channels=0:border=constant",
                                        "sobel:y:operator=prewitt:roi=2x4+1+0,hist",
                                        "sobel,unsharp:2"}; /* bytes that are stored as f32 */
    static const int64_t shapes[][3] = {{37, 53, 1}, {130, 33, 3}, {3, 5, 1}, {250, 9, 4}, {61, 7, 2}};
    for (int i = 0; i < 8 * 5 * 3; i++) {
        const int64_t *of = shapes[i / 3 % 5];
        const gf_shape shape = {of[0], of[1], (int32_t)of[2], (gf_depth)(GF_U8 + i % 3)};
        drawn_check(texts[i % 8], &shape, (uint64_t)i, PLAN_NOISE, i % 4 == 0, GF_ALPHA_NONE);
    }
}

static const struct check_case cases[] = {{"edges by hand", by_hand},
                                          {"hard shapes, CPU and CUDA", hard_shapes},
                                          {"one strong end brings all, CPU and CUDA", one_end},
                                          {"other depths, CPU and CUDA", other_depths},
                                          {"slopes, CPU and CUDA", slopes},
                                          {"what is refused", refused}};
CHECK_MAIN(cases)
