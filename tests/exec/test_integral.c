/* integral: sums worked out by hand, and sizes around the edges of cells, by every way of execution. */
#include "check.h"
#include "parity.h"
#include "plan_cases.h"
#include "text_run.h"

#include <stdlib.h>
#include <string.h>

static bool make(const gf_image *in, gf_image *out)
{
    gf_error error = GF_ERROR_INIT;
    const bool good = text_run_once("integral", in, out, &error) == GF_OK;
    CHECK_MSG(good, "%s", error.message);
    return good;
}

static void by_hand(void)
{
    static const uint8_t pixels[6] = {1,  2,  3, /**/
                                      40, 50, 60};
    static const uint64_t sums[6] = {1,  3,  6, /**/
                                     41, 93, 156};
    static const uint64_t of_two[6] = {1, 2, 4, 42, 54, 102};
    uint64_t made[6];
    const gf_image in = gf_image_view(pixels, 3, 2, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, 3, 2, 1, GF_U64, 0);
    CHECK(make(&in, &out) && !memcmp(made, sums, sizeof sums));
    const gf_image two = gf_image_view(pixels, 3, 1, 2, GF_U8, 0); /* channels by themselves */
    gf_image out_two = gf_image_view(made, 3, 1, 2, GF_U64, 0);
    CHECK(make(&two, &out_two) && !memcmp(made, of_two, sizeof of_two));
}

/* A last sum that u32 does not hold, and which is known. */
static void large(void)
{
    enum { W = 1100, H = 70 };
    static uint16_t pixels[W * H];
    static uint64_t made[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U16, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_U64, 0);
    memset(pixels, 255, sizeof pixels);
    CHECK(make(&in, &out));
    for (int i = 0; i < W * H; i++) {
        CHECK(made[i] == (uint64_t)(i % W + 1) * (uint64_t)(i / W + 1) * 65535);
    }
}

static void edges(void)
{
    static const int64_t sizes[][2] = {{1, 1},    {127, 33}, {128, 32}, {129, 31},
                                       {300, 70}, {1, 100},  {520, 5}};
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32};
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 1, 1);
    for (int s = 0; s < 7; s++) {
        for (int i = 0; i < 6; i++) {
            struct parity_picture picture;
            const gf_shape shape = {sizes[s][0], sizes[s][1], i < 3 ? 1 : 1 + i % 4, depths[i % 3]};
            REQUIRE(parity_picture_make(&picture, &shape, i % 2 ? 4 : 3));
            plan_random_picture(&random, i == 2 ? PLAN_EXTREMES : PLAN_NOISE, i == 5, &picture.image);
            CHECK_MSG(parity_check("integral", &picture.image, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                      "%lld x %lld, %d channels, depth %d: %s", (long long)shape.width,
                      (long long)shape.height, shape.channels, (int)shape.depth, why);
            parity_picture_free(&picture);
        }
    }
}

static const struct check_case cases[] = {
    {"sums by hand", by_hand}, {"sums beyond u32", large}, {"edges of cells, CPU and CUDA", edges}};
CHECK_MAIN(cases)
