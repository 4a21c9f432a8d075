/* distance: pictures worked out by hand, and those that are hard for one of its parts, by every way of
 * execution. */
#include "check.h"
#include "parity.h"
#include "pixel/whole/distance/distance.h"
#include "plan_cases.h"
#include "text_run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by hand ---- */

enum { W = 6, H = 4 };

static const uint8_t pixels[W * H] = {9, 9, 9, 9, 9, 9, /**/
                                      9, 0, 9, 9, 9, 9, /**/
                                      9, 9, 9, 9, 9, 9, /**/
                                      9, 9, 9, 9, 9, 0};

static bool make(const char *text, const gf_image *in, gf_image *out)
{
    gf_error error = GF_ERROR_INIT;
    const bool good = text_run_once(text, in, out, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", text, error.message);
    return good;
}

static void check_f32(const char *text, const float expected[W * H])
{
    float made[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_F32, 0);
    bool good = make(text, &in, &out);
    for (int i = 0; good && i < W * H; i++) {
        CHECK_MSG(made[i] == expected[i], "%s: pixel %d is %g, not %g", text, i, (double)made[i],
                  (double)expected[i]);
    }
}

static void by_hand(void)
{
    static const uint64_t squares[W * H] = {2, 1, 2, 5, 10, 9, /**/
                                            1, 0, 1, 4, 5,  4, /**/
                                            2, 1, 2, 5, 2,  1, /**/
                                            5, 4, 5, 4, 1,  0};
    static const uint32_t nearest[W * H] = {7, 7, 7, 7,  7,  23, /**/
                                            7, 7, 7, 7,  23, 23, /**/
                                            7, 7, 7, 7,  23, 23, /**/
                                            7, 7, 7, 23, 23, 23};
    static const float steps[W * H] = {2, 1, 2, 3, 4, 3, /**/
                                       1, 0, 1, 2, 3, 2, /**/
                                       2, 1, 2, 3, 2, 1, /**/
                                       3, 2, 3, 2, 1, 0};
    static const float moves[W * H] = {1, 1, 1, 2, 3, 3, /**/
                                       1, 0, 1, 2, 2, 2, /**/
                                       1, 1, 1, 2, 1, 1, /**/
                                       2, 2, 2, 2, 1, 0};
    float roots[W * H];
    uint64_t made[W * H];
    uint32_t places[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_U64, 0);
    gf_image where = gf_image_view(places, W, H, 1, GF_U32, 0);
    for (int i = 0; i < W * H; i++) {
        roots[i] = sqrtf((float)squares[i]);
    }
    CHECK(make("distance:squared", &in, &out) && !memcmp(made, squares, sizeof made));
    CHECK(make("distance:output=nearest", &in, &where) && !memcmp(places, nearest, sizeof places));
    check_f32("distance", roots);
    check_f32("distance:l1", steps);
    check_f32("distance:chessboard", moves);
}

/* The root, where f32 and f64 are not enough: beside squares of middles between two f32. */
static void roots(void)
{
    for (int shift = 0; shift < 7; shift++) {
        const uint64_t middle = (UINT64_C(16777216) + 1)
                                << shift; /* of 2^24 << shift and the next f32, halved */
        const float below = (float)(UINT64_C(8388608) << (shift + 1)), above = nextafterf(below, INFINITY);
        CHECK(gf_distance_root(middle * middle - 1) == below);
        CHECK(gf_distance_root(middle * middle) == below); /* half to even */
        CHECK(gf_distance_root(middle * middle + 1) == above);
    }
    for (uint64_t n = 0; n < 100000; n++) {
        const uint64_t v = n * n * 41 + n;
        CHECK(gf_distance_root(v) == (float)sqrtl((long double)v));
    }
}

/* ---- hard pictures ---- */

enum hard { NONE, ALL, ONE, CORNERS, FRAME, CHEQUERS, DIAGONAL, SPARSE, NOISE, ROWS, HARDS };

static void draw(enum hard hard, struct plan_random *random, uint8_t *to, int64_t w, int64_t h)
{
    const int64_t at = (int64_t)plan_random_below(random, (uint32_t)(w * h));
    for (int64_t i = 0; i < w * h; i++) {
        const int64_t x = i % w, y = i / w;
        const bool rim = x == 0 || y == 0 || x == w - 1 || y == h - 1;
        const bool corner = (x == 0 || x == w - 1) && (y == 0 || y == h - 1);
        const bool site = hard == ALL        ? true
                          : hard == ONE      ? i == at
                          : hard == CORNERS  ? corner
                          : hard == FRAME    ? rim
                          : hard == CHEQUERS ? (x + y) % 2 == 0
                          : hard == DIAGONAL ? x == y
                          : hard == SPARSE   ? plan_random_below(random, 2000) == 0
                          : hard == NOISE    ? plan_random_below(random, 3) == 0
                          : hard == ROWS     ? y % 71 == 3 && x % 3
                                             : false;
        to[i] = site ? 0 : (uint8_t)(1 + i % 200);
    }
}

static void check_hard(enum hard hard, struct plan_random *random, int64_t w, int64_t h,
                       const char *const *texts)
{
    static long n; /* over all pictures */
    char why[512];
    uint8_t *samples = malloc((size_t)(w * h));
    REQUIRE(samples != NULL);
    draw(hard, random, samples, w, h);
    const gf_image in = gf_image_view(samples, w, h, 1, GF_U8, 0);
    for (; *texts; texts++) {
        CHECK_MSG(!check_slice(n++, LONG_MAX) ||
                      parity_check(*texts, &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                  "%s of picture %d, %lld x %lld: %s", *texts, (int)hard, (long long)w, (long long)h, why);
    }
    free(samples);
}

static const char *const all_texts[] = {"distance",
                                        "distance:squared",
                                        "distance:l1",
                                        "distance:chessboard",
                                        "distance:output=nearest",
                                        "distance:l1:output=nearest",
                                        "distance:chessboard:output=nearest",
                                        NULL};
static const char *const two_texts[] = {"distance:squared", "distance:output=nearest", NULL};

static void hard_pictures(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {63, 1}, {1, 130}, {33, 40}, {70, 129}};
    struct plan_random random;
    plan_random_seed(&random, 1, 1);
    for (int hard = 0; hard < HARDS; hard++) {
        for (int s = 0; s < 5; s++) {
            check_hard((enum hard)hard, &random, sizes[s][0], sizes[s][1], all_texts);
        }
    }
}

/* Further away than what is looked at near by, with what is near beside it. */
static void far_away(void)
{
    struct plan_random random;
    plan_random_seed(&random, 2, 1);
    check_hard(ONE, &random, 400, 66, all_texts);
    check_hard(ONE, &random, 66, 400, all_texts);
    check_hard(SPARSE, &random, 640, 70, two_texts);
    check_hard(FRAME, &random, 330, 300, two_texts);
    check_hard(ROWS, &random, 200, 150, two_texts);
}

/* Lines that do not fit on chip, and squares that do not fit in 32 bits. */
static void long_lines(void)
{
    struct plan_random random;
    plan_random_seed(&random, 3, 1);
    check_hard(SPARSE, &random, 13000, 2, two_texts);
    check_hard(ONE, &random, 33000, 1, two_texts);
    check_hard(ONE, &random, 1, 33000, two_texts);
}

static const struct check_case cases[] = {{"distances by hand", by_hand},
                                          {"roots of large integers", roots},
                                          {"hard pictures, CPU and CUDA", hard_pictures},
                                          {"far away, CPU and CUDA", far_away},
                                          {"long lines, CPU and CUDA", long_lines}};
CHECK_MAIN(cases)
