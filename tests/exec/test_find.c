/* find by every way against the judge: the first of many, of two, of none; colours; marks; and by hand. */
#include "check.h"
#include "parity.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t drawn_state = 1;

static uint32_t drawn(uint32_t below)
{
    drawn_state = drawn_state * 1664525U + 1013904223U;
    return (drawn_state >> 8) % below;
}

static void set(void *samples, gf_depth depth, int64_t i, float fraction)
{
    if (depth == GF_U8) {
        ((uint8_t *)samples)[i] = (uint8_t)(fraction * 255);
    } else if (depth == GF_U16) {
        ((uint16_t *)samples)[i] = (uint16_t)(fraction * 65535);
    } else {
        ((float *)samples)[i] = fraction;
    }
}

static void check_all(const char *const *texts, int n, const gf_image *in)
{
    char why[512];
    for (int t = 0; t < n; t++) {
        CHECK_MSG(parity_check(texts[t], in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                  "%s of %s, %lld x %lld x %d: %s", texts[t], gf_depth_name(in->shape.depth),
                  (long long)in->shape.width, (long long)in->shape.height, (int)in->shape.channels, why);
    }
}

static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32};

/* White at one place and at all of those behind it, in a picture of several tiles; and nowhere. */
static void first(void)
{
    static const char *const texts[] = {"find", "find:roi=1029x60+1+2", "find:0:tolerance=1:roi=3x2+70+40",
                                        "find:0.7:mode=count"};
    enum { W = 1031, H = 67 };
    static const int64_t places[] = {0, 1, W - 1, W, 1024 * 8 + 5, 32 * W + 3, W * H - 1, W * H};
    for (int d = 0; d < 3; d++) {
        for (int32_t channels = 1; channels <= 3; channels += 2) {
            for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
                void *samples = calloc((size_t)W * H * 3, sizeof(float));
                REQUIRE(samples != NULL);
                for (int64_t i = places[k] * channels; i < (int64_t)W * H * channels; i++) {
                    set(samples, depths[d], i, i % 7 == 3 && i > (places[k] + 1) * channels ? 0 : 1);
                }
                const gf_image in = gf_image_view(samples, W, H, channels, depths[d], 0);
                check_all(texts, k % 3 == 0 ? 4 : 2, &in);
                free(samples);
            }
        }
    }
}

/* Few values, so that there are many places of each; f32 with what is no number and both zeros. */
static void draw(void *samples, gf_depth depth, int64_t n)
{
    static const float special[] = {0, -0.0F, INFINITY, -INFINITY, NAN};
    for (int64_t i = 0; i < n; i++) {
        set(samples, depth, i, (float)drawn(5) / 4);
        if (depth == GF_F32 && !drawn(4)) {
            ((float *)samples)[i] = special[drawn(5)];
        }
    }
}

static void values(void)
{
    static const char *const texts[] = {"find:0:mode=all",
                                        "find:[0.5]:channels=r:mode=all:limit=7",
                                        "find:0.5:tolerance=0.26:mode=count",
                                        "find:0.25:tolerance=0.3:mode=all",
                                        "find:0.75",
                                        "find:0.75:mode=count:roi=2x2+1+0"};
    static const char *const colours[] = {"find:[0 1 0.5]:mode=all", "find:[0.5 0 0.25]:tolerance=0.25",
                                          "find:colour=[1 0.5]:channels=rb:mode=count"};
    static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {1030, 5}};
    for (int s = 0; s < 3; s++) {
        for (int d = 0; d < 3; d++) {
            for (int32_t channels = 1; channels <= 4; channels++) {
                void *samples = calloc((size_t)(sizes[s][0] * sizes[s][1] * channels), sizeof(float));
                REQUIRE(samples != NULL);
                draw(samples, depths[d], sizes[s][0] * sizes[s][1] * channels);
                const gf_image in = gf_image_view(samples, sizes[s][0], sizes[s][1], channels, depths[d], 0);
                check_all(texts, sizes[s][0] < 3 ? 5 : 6, &in);
                check_all(colours, channels >= 3 ? 3 : 0, &in);
                free(samples);
            }
        }
    }
}

static void marks(void)
{
    static const char *const texts[] = {"find:0.5:mode=all:mark=[0.25]", "find:0.75:mark=[1]",
                                        "find:0:mode=all:limit=33:mark=[1],find:mode=count",
                                        "invert,find:0.5:mode=all:mark=[0.1],blur"};
    static const char *const colours[] = {"find:[0 1 0.5]:mode=all:mark=[1 0.5 0]"};
    for (int d = 0; d < 3; d++) {
        for (int32_t channels = 1; channels <= 4; channels++) {
            for (int64_t width = 64; width <= 77; width += 13) {
                void *samples = calloc((size_t)(width * 19 * channels), sizeof(float));
                REQUIRE(samples != NULL);
                draw(samples, depths[d], width * 19 * channels);
                const gf_image in = gf_image_view(samples, width, 19, channels, depths[d], 0);
                check_all(texts, 4, &in);
                check_all(colours, channels >= 3, &in);
                free(samples);
            }
        }
    }
}

/* count, and the rows of places. */
static void check_by_hand(const char *text, const gf_image *in, uint64_t count, const uint32_t (*xy)[2],
                          int rows)
{
    struct text_run run;
    REQUIRE(text_run_open(&run, text, in, NULL, NULL) == GF_OK);
    const gf_result *result = gf_exec_result(run.exec, 0);
    const gf_table *table = gf_result_table(result, "places");
    REQUIRE(table != NULL);
    CHECK_EQ_INT(*(const uint64_t *)result->fields[0].values, count);
    CHECK_EQ_INT(table->rows, rows);
    for (int i = 0; i < rows && i < table->rows; i++) {
        CHECK_EQ_INT(((const uint32_t *)table->columns[0].values)[i], xy[i][0]);
        CHECK_EQ_INT(((const uint32_t *)table->columns[1].values)[i], xy[i][1]);
    }
    text_run_close(&run);
}

static void by_hand(void)
{
    uint8_t gray[3][4] = {{0, 9, 10, 11}, {128, 13, 0, 10}, {255, 0, 0, 12}};
    uint8_t rgb[2][2][3] = {{{10, 20, 30}, {255, 0, 0}}, {{10, 20, 31}, {255, 0, 0}}};
    float signal[6] = {0.5F, NAN, -0.0F, 0.25F, 0, 0.5F};
    const gf_image a = gf_image_view(gray, 4, 3, 1, GF_U8, 0), b = gf_image_view(rgb, 2, 2, 3, GF_U8, 0);
    const gf_image c = gf_image_view(signal, 6, 1, 1, GF_F32, 0);
    check_by_hand("find:10u8", &a, 1, (const uint32_t[][2]){{2, 0}}, 1);
    check_by_hand("find:10u8:mode=all", &a, 2, (const uint32_t[][2]){{2, 0}, {3, 1}}, 2);
    check_by_hand("find:10u8:mode=all:tolerance=1u8:limit=3", &a, 4,
                  (const uint32_t[][2]){{1, 0}, {2, 0}, {3, 0}}, 3);
    check_by_hand("find:0.5", &a, 1, (const uint32_t[][2]){{0, 1}}, 1); /* 127.5 is 128 */
    check_by_hand("find:10u8:tolerance=2.9u8:mode=count", &a, 5, NULL, 0);
    check_by_hand("find:77u8", &a, 0, NULL, 0);
    check_by_hand("find:[1 0 0]:mode=all", &b, 2, (const uint32_t[][2]){{1, 0}, {1, 1}}, 2);
    check_by_hand("find:[0.03922 0.07843 0.1216]", &b, 1, (const uint32_t[][2]){{0, 1}}, 1);
    check_by_hand("find:0:mode=all", &c, 2, (const uint32_t[][2]){{2, 0}, {4, 0}}, 2);
    check_by_hand("find:0.5:mode=all", &c, 2, (const uint32_t[][2]){{0, 0}, {5, 0}}, 2);
}

static const struct check_case cases[] = {{"by hand", by_hand},
                                          {"the first, CPU and CUDA", first},
                                          {"values, CPU and CUDA", values},
                                          {"marks, CPU and CUDA", marks}};
CHECK_MAIN(cases)
