/* label: regions worked out by hand, and shapes that are hard to unite, by every way of execution. */
#include "check.h"
#include "label_shapes.h"
#include "parity.h"
#include "pixel/whole/label/label.h"
#include "plan_cases.h"
#include "text_run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by hand ---- */

static const gf_table *regions_of(struct text_run *m, const char *text, const gf_image *in, gf_image *out)
{
    gf_error error = GF_ERROR_INIT;
    const bool good = text_run_open(m, text, in, out, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", text, error.message);
    return good ? gf_result_table(gf_exec_result(m->exec, 0), "regions") : NULL;
}

enum { W = 7, H = 4 };

/* Two arms that meet below, a corner that touches, one alone, another value. */
static const uint8_t pixels[W * H] = {5, 0, 5, 0, 0, 0, 9, /**/
                                      5, 0, 5, 0, 9, 0, 0, /**/
                                      5, 5, 5, 0, 0, 0, 0, /**/
                                      0, 0, 0, 7, 0, 0, 3};

static void check_numbers(const char *text, const char *expected, int64_t regions)
{
    uint32_t numbers[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(numbers, W, H, 1, GF_U32, 0);
    struct text_run m;
    const gf_table *table = regions_of(&m, text, &in, &out);
    for (int i = 0; table && i < W * H; i++) {
        CHECK_MSG(numbers[i] == (uint32_t)(expected[i] - '0'), "%s: pixel %d is %u, not %c", text, i,
                  numbers[i], expected[i]);
    }
    CHECK(table && table->rows == regions);
    text_run_close(&m);
}

static void by_hand(void)
{
    check_numbers("label",
                  "1010002"
                  "1010300"
                  "1110000"
                  "0001004",
                  4);
    check_numbers("label:4",
                  "1010002"
                  "1010300"
                  "1110000"
                  "0004005",
                  5);
    check_numbers("label:of=equal",
                  "1010002"
                  "1010300"
                  "1110000"
                  "0004005",
                  5);
    check_numbers("label:min_area=2",
                  "1010000"
                  "1010000"
                  "1110000"
                  "0001000",
                  1);
    check_numbers("label:max_area=1",
                  "0000001"
                  "0000200"
                  "0000000"
                  "0000003",
                  3);
    check_numbers("label:4:largest=2",
                  "1010002"
                  "1010000"
                  "1110000"
                  "0000000",
                  2);
    check_numbers("label:4:max_area=1:largest=3",
                  "0000001"
                  "0000200"
                  "0000000"
                  "0003000",
                  3);
    check_numbers("label:4:largest=9:min_area=2",
                  "1010000"
                  "1010000"
                  "1110000"
                  "0000000",
                  1);
    check_numbers("label:border=drop",
                  "0000000"
                  "0000100"
                  "0000000"
                  "0000000",
                  1);
    check_numbers("label:min_area=9",
                  "0000000"
                  "0000000"
                  "0000000"
                  "0000000",
                  0);
}

/* Worked out from the formula of docs/exactness.md by other means. */
static void colours(void)
{
    static const uint8_t expected[][3] = {{0, 0, 0},      {179, 52, 191}, {10, 46, 223},
                                          {82, 254, 210}, {77, 190, 18},  {221, 162, 82}};
    uint8_t made[W * H][3];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, W, H, 3, GF_U8, 0);
    struct text_run m;
    const gf_table *table = regions_of(&m, "label:4:output=colours", &in, &out);
    CHECK(table && table->rows == 5);
    for (int i = 0; table && i < W * H; i++) {
        const int number = "1010002"
                           "1010300"
                           "1110000"
                           "0004005"[i] -
                           '0';
        CHECK_MSG(memcmp(made[i], expected[number], 3) == 0, "pixel %d is %d %d %d", i, made[i][0],
                  made[i][1], made[i][2]);
    }
    text_run_close(&m);
}

static bool are_near(uint32_t a, uint32_t b, int32_t distance)
{
    bool near = true;
    for (int bit = 0; bit < 24; bit += 8) {
        const int32_t difference = (int32_t)(a >> bit & 255) - (int32_t)(b >> bit & 255);
        near = near && abs(difference) < distance;
    }
    return near;
}

/* The colours differ as the stage's help says. */
static void colours_differ(void)
{
    enum { NUMBERS = 65536, NEAR = 64, DISTANCE = 13, DARKEST = 160 };
    static uint8_t seen[1 << 24];
    for (uint32_t i = 1; i <= NUMBERS; i++) {
        const uint32_t own = gf_label_colour(i);
        CHECK_MSG(!seen[own]++, "number %u has the colour of one before", i);
        CHECK_MSG(!are_near(own, 0, DARKEST), "number %u is nearly black", i);
        for (uint32_t k = i; i < 4096 && k-- > 1 && i - k < NEAR;) {
            CHECK_MSG(!are_near(own, gf_label_colour(k), DISTANCE), "numbers %u and %u look alike", k, i);
        }
    }
}

static void measures(void)
{
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    struct text_run m;
    const gf_table *table = regions_of(&m, "label", &in, NULL);
    REQUIRE(table != NULL);
    const uint32_t *box = gf_table_column(table, "box")->values;
    const double *centroid = gf_table_column(table, "centroid")->values;
    CHECK_EQ_INT(((const uint64_t *)gf_table_column(table, "area")->values)[0], 8);
    CHECK(box[0] == 0 && box[1] == 0 && box[2] == 4 && box[3] == 4);
    CHECK(box[12] == 6 && box[13] == 3 && box[14] == 1 && box[15] == 1);
    CHECK_NEAR(centroid[0], 10 / 8.0, 0);
    CHECK_NEAR(centroid[1], 11 / 8.0, 0);
    CHECK_NEAR(((const double *)gf_table_column(table, "mean")->values)[0], 42 / 8.0, 0);
    CHECK_NEAR(((const double *)gf_table_column(table, "min")->values)[0], 5, 0);
    CHECK_NEAR(((const double *)gf_table_column(table, "max")->values)[0], 7, 0);
    text_run_close(&m);
}

/* ---- hard shapes ---- */

static void hard_shapes(void)
{
    static const char *const texts[] = {"label",
                                        "label:4",
                                        "label:of=equal",
                                        "label:4:of=equal:min_area=2",
                                        "label:border=drop",
                                        "label:4:of=equal:min_area=2:max_area=9:border=drop",
                                        "label:min_area=3:output=keep",
                                        "label:4:min_area=3:output=mask",
                                        "label:4:of=equal:output=colours"};
    static const int64_t sizes[][2] = {{1, 1}, {64, 1}, {1, 64}, {33, 40}, {131, 67}};
    struct plan_random random;
    char why[512];
    long n = 0; /* over all pictures */
    plan_random_seed(&random, 1, 1);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int s = 0; s < 5; s++) {
            uint8_t *samples = calloc((size_t)sizes[s][0], (size_t)sizes[s][1]);
            REQUIRE(samples != NULL);
            label_draw((enum label_shape)shape, &random, samples, sizes[s][0], sizes[s][1]);
            const gf_image in = gf_image_view(samples, sizes[s][0], sizes[s][1], 1, GF_U8, 0);
            for (int t = 0; t < (int)(sizeof texts / sizeof *texts); t++) {
                CHECK_MSG(!check_slice(n++, LONG_MAX) ||
                              parity_check(texts[t], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                          "%s of shape %d, %lld x %lld: %s", texts[t], shape, (long long)sizes[s][0],
                          (long long)sizes[s][1], why);
            }
            free(samples);
        }
    }
}

/* More pixels than one block of threads has to number, of all neighbours and values. */
static void large(void)
{
    enum { SIDE = 530 };
    static const char *const texts[] = {"label:4", "label", "label:4:of=equal:min_area=2:largest=300"};
    static uint8_t samples[SIDE * SIDE];
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 3, 1);
    label_draw(NOISE_40, &random, samples, SIDE, SIDE);
    const gf_image in = gf_image_view(samples, SIDE, SIDE, 1, GF_U8, 0);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        CHECK_MSG(!check_slice((long)t, sizeof texts / sizeof *texts) ||
                      parity_check(texts[t], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                  "%s: %s", texts[t], why);
    }
}

/* Noise of every density, alike and not, of every depth, with NaN and a second channel, in rows of several
 * words. */
static void noise(void)
{
    static const char *const texts[] = {"label",
                                        "label:4",
                                        "label:of=equal",
                                        "label:4:of=equal:min_area=2",
                                        "label:border=drop",
                                        "label:output=mask:min_area=3",
                                        "label:4:output=keep:max_area=5"};
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 4, 1);
    for (int i = 0; i < 70; i++) {
        const int64_t width = 1 + (int64_t)plan_random_below(&random, 300),
                      height = 1 + (int64_t)plan_random_below(&random, 30);
        const int32_t channels = 1 + (i % 5 == 0);
        const gf_depth depth = (gf_depth)(i % 3);
        const uint32_t density = 5 + plan_random_below(&random, 95),
                       values = 1 + plan_random_below(&random, 3);
        float *samples = calloc((size_t)(width * height * channels), sizeof *samples);
        REQUIRE(samples != NULL);
        for (int64_t k = 0; k < width * height * channels; k++) {
            const uint32_t v =
                plan_random_below(&random, 100) < density ? 1 + plan_random_below(&random, values) : 0;
            if (depth == GF_U8) {
                ((uint8_t *)samples)[k] = (uint8_t)(60 * v);
            } else if (depth == GF_U16) {
                ((uint16_t *)(void *)samples)[k] = (uint16_t)(9000 * v);
            } else {
                samples[k] = plan_random_below(&random, 40) ? 1.5F * (float)v : v % 2 ? NAN : -1;
            }
        }
        const gf_image in = gf_image_view(samples, width, height, channels, depth, 0);
        CHECK_MSG(!check_slice(i, LONG_MAX) ||
                      parity_check(texts[i % 7], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                  "%s of %lld x %lld, %u %%: %s", texts[i % 7], (long long)width, (long long)height,
                  (unsigned)density, why);
        free(samples);
    }
}

/* A spiral and a comb are one region, chequers one of 8 neighbours and many of 4. */
static void counts(void)
{
    enum { SIDE = 61 };
    static const struct {
        enum label_shape shape;
        const char *text;
        int64_t regions;
    } expected[] = {{SPIRAL, "label:4", 1},
                    {COMB, "label:4", 1},
                    {COMB, "label:8", 1},
                    {CHEQUERS, "label", 1},
                    {CHEQUERS, "label:4", (SIDE * SIDE + 1) / 2},
                    {FULL, "label:4", 1},
                    {EMPTY, "label", 0}};
    static uint8_t samples[SIDE * SIDE];
    struct plan_random random;
    plan_random_seed(&random, 2, 1);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct text_run m;
        const gf_image in = gf_image_view(samples, SIDE, SIDE, 1, GF_U8, 0);
        label_draw(expected[i].shape, &random, samples, SIDE, SIDE);
        const gf_table *table = regions_of(&m, expected[i].text, &in, NULL);
        CHECK_MSG(table && table->rows == expected[i].regions, "%s of shape %d", expected[i].text,
                  (int)expected[i].shape);
        text_run_close(&m);
    }
}

static const struct check_case cases[] = {
    {"numbers by hand", by_hand},       {"measures by hand", measures},
    {"colours of numbers", colours},    {"colours differ", colours_differ},
    {"counts of known shapes", counts}, {"hard shapes, CPU and CUDA", hard_shapes},
    {"noise, CPU and CUDA", noise},     {"a large picture, CPU and CUDA", large}};
CHECK_MAIN(cases)
