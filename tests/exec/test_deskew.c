/* skew and deskew: angles against those by which lines were painted, and against a plain search by the
 * definition; pictures without lines; what every device makes of it. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "image_rows.h"
#include "param/sine_pi.h"
#include "parity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t drawn_state = 5;

static uint32_t drawn(uint32_t below)
{
    drawn_state = drawn_state * 1664525U + 1013904223U;
    return (drawn_state >> 8) % below;
}

/* Runs skew of the picture; angle and agreement. */
static bool measure(const char *text, const gf_image *in, double found[2])
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status == GF_OK ? gf_pipeline_parse(text, NULL, 0, &pipeline, &error) : status;
    status = status == GF_OK ? gf_plan_create(context, pipeline, &in->shape, NULL, &plan, &error) : status;
    status = status == GF_OK ? gf_exec_create(plan, &exec, &error) : status;
    status = status == GF_OK ? gf_exec_run(exec, in, NULL, &error) : status;
    for (int i = 0; i < 2 && status == GF_OK; i++) {
        status = gf_result_number(gf_exec_result(exec, gf_exec_result_count(exec) - 1),
                                  i ? "agreement" : "angle", 0, &found[i], &error);
    }
    CHECK_MSG(status == GF_OK, "%s: %s", text, error.message);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status == GF_OK;
}

/* ---- the definition, as plainly as it can be written ---- */

/* What the step from row y to the next one is, on a circle of twice as many rows. */
static int64_t step(const uint16_t *v, int64_t w, int64_t h, int64_t x, int64_t y)
{
    y = (y % (2 * h) + 2 * h) % (2 * h);
    return y < h - 1 ? (int64_t)v[(y + 1) * w + x] - v[y * w + x] : 0;
}

static uint64_t plain_score(const uint16_t *v, int64_t w, int64_t h, int angle)
{
    const double slope = gf_sine_pi(angle / 10.0 / 180) / gf_sine_pi(angle / 10.0 / 180 + 0.5);
    uint64_t score = 0;
    for (int64_t y = 0; y < 2 * h; y++) {
        int64_t sum = 0;
        for (int64_t x = 0; x < w; x++) {
            const double lean = floor(((double)x - (double)(w - 1) / 2) * slope + 0.5);
            sum += step(v, w, h, x, y + (int64_t)lean);
        }
        score += (uint64_t)(sum * sum);
    }
    return score;
}

static void plain(const uint16_t *v, int64_t w, int64_t h, int max, double found[2])
{
    uint64_t best = 0, apart = 0;
    int angle = 0;
    for (int i = 0; i <= max; i++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            const uint64_t score = plain_score(v, w, h, sign * i);
            angle = score > best ? sign * i : angle;
            best = score > best ? score : best;
        }
    }
    for (int64_t x = 0; x < w; x++) {
        for (int64_t y = 0; y < h; y++) {
            apart += (uint64_t)(step(v, w, h, x, y) * step(v, w, h, x, y));
        }
    }
    found[1] = w > 1 && apart ? ((double)best - (double)apart) / ((double)(w - 1) * (double)apart) : 0;
    found[0] = found[1] < 0.05 ? 0 : angle / 10.0;
}

/* Pictures that are small enough to be taken as they are: of few levels, so that angles are often equally
 * good. */
static void definition(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 9},  {9, 1},   {2, 2},    {2, 9},
                                       {3, 5}, {12, 7}, {31, 40}, {256, 11}, {20, 90}};
    static uint16_t room[256 * 90];
    int leaning = 0;
    for (int round = 0; round < 4; round++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const int64_t w = sizes[k][0], h = sizes[k][1];
            const double lean = (double)drawn(200) / 100 - 1;
            double found[2] = {9, 9}, wanted[2];
            for (int64_t i = 0; i < w * h; i++) {
                const int64_t line = (int64_t)floor((double)(i / w) - lean * (double)(i % w) + 400);
                room[i] = (uint16_t)((line % 5 < 2) * 40000 + drawn(round < 2 ? 2 : 9000));
            }
            const gf_image in = gf_image_view(room, w, h, 1, GF_U16, 0);
            plain(room, w, h, round % 2 ? 450 : 33, wanted);
            if (measure(round % 2 ? "skew:45" : "skew:3.3", &in, found)) {
                CHECK_MSG(found[0] == wanted[0] && found[1] == wanted[1],
                          "%lld x %lld: %g %.17g, not %g %.17g", (long long)w, (long long)h, found[0],
                          found[1], wanted[0], wanted[1]);
                leaning += found[0] != 0;
            }
        }
    }
    CHECK_MSG(leaning > 8, "only %d of 40 lean", leaning);
}

/* ---- lines of text ---- */

/* Whether there is ink at a place of an upright page: words of small bars, in lines 17 pixels apart. */
static bool ink(double u, double v)
{
    const int line = (int)floor(v / 17), at = (int)floor(u / 3);
    const uint32_t hash = (uint32_t)(line * 7919 + at) * 2654435761U;
    return v > 0 && v - 17 * line > 8 && at % 7 != 0 && hash >> 30 != 0;
}

/* A page whose lines lean clockwise by so many degrees, each pixel the mean of 4 x 4 places. */
static void paint(uint8_t *to, int64_t w, int64_t h, double degrees, int dark, int light)
{
    const double c = cos(degrees * acos(-1) / 180), s = sin(degrees * acos(-1) / 180);
    for (int64_t y = 0; y < h; y++) {
        for (int64_t x = 0; x < w; x++) {
            int inked = 0;
            for (int i = 0; i < 16; i++) {
                const double dx = (double)x + (i % 4 + 0.5) / 4 - (double)w / 2;
                const double dy = (double)y + (i / 4 + 0.5) / 4 - (double)h / 2;
                const double u = c * dx + s * dy + 500, v = c * dy - s * dx + 500;
                inked += ink(u, v) && fabs(u - 500) < 0.4 * (double)w && fabs(v - 500) < 0.4 * (double)h;
            }
            to[y * w + x] = (uint8_t)(light + (dark - light) * inked / 16);
        }
    }
}

static void known_angles(void)
{
    static const double angles[] = {0, 0.3, -1, 2.5, -4.45, 7.05, -9.8, 14.6};
    static const int64_t sizes[][2] = {{300, 220}, {200, 420}, {520, 140}};
    static uint8_t room[300 * 300];
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        const int64_t w = sizes[i % 3][0], h = sizes[i % 3][1];
        double found[2] = {99, 0};
        const gf_image in = gf_image_view(room, w, h, 1, GF_U8, 0);
        paint(room, w, h, angles[i], i % 2 ? 230 : 30, i % 2 ? 40 : 240);
        if (measure("skew", &in, found)) {
            CHECK_MSG(fabs(found[0] - angles[i]) <= 0.1001, "%g, not %g", found[0], angles[i]);
            CHECK_MSG(found[1] > 0.1, "%g: agreement is %g", angles[i], found[1]);
        }
    }
    const gf_image in = gf_image_view(room, 300, 220, 1, GF_U8, 0);
    double found[2] = {99, 0};
    paint(room, 300, 220, 8, 0, 255);
    CHECK(measure("skew:7", &in, found) && fabs(found[0]) <= 7);
    CHECK(measure("skew:roi=160x90+70+60", &in, found) && fabs(found[0] - 8) <= 0.3);
    CHECK(measure("flip:x,skew", &in, found) && fabs(found[0] + 8) <= 0.1001);
    CHECK(measure("rgb,alpha:add,convert:f32,skew", &in, found) && fabs(found[0] - 8) <= 0.1001);
}

/* "deskew" of the picture, settled and printed. */
static void settled(const char *text, const gf_image *in, char *printed, size_t size)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status == GF_OK ? gf_pipeline_parse(text, NULL, 0, &pipeline, &error) : status;
    while (status == GF_OK && gf_pipeline_unsettled(pipeline) >= 0) {
        struct image_rows rows = {.image = in};
        const gf_source source = image_source(&rows);
        status = gf_pipeline_settle(context, pipeline, &source, NULL, &error);
    }
    size_t length;
    status =
        status == GF_OK ? gf_pipeline_print(pipeline, GF_PRINT_TEXT, printed, size, &length, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", text, error.message);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

static void plans(void)
{
    static uint8_t room[300 * 220];
    const gf_image in = gf_image_view(room, 300, 220, 1, GF_U8, 0);
    char printed[256];
    paint(room, 300, 220, -1, 0, 255);
    settled("invert,deskew:value=1", &in, printed, sizeof printed);
    CHECK_STR(printed, "invert,deskew:angle=[-1]:value=1");
    settled("deskew:0.5:angle=3", &in, printed, sizeof printed);
    CHECK_STR(printed, "deskew:max=0.5:angle=[3]");
    settled("deskew:value=1,deskew", &in, printed, sizeof printed);
    CHECK_STR(printed, "deskew:angle=[-1]:value=1,deskew:angle=[0]");
    memset(room, 77, sizeof room);
    settled("deskew", &in, printed, sizeof printed);
    CHECK_STR(printed, "deskew:angle=[0]");
    for (size_t i = 0; i < sizeof room; i++) {
        room[i] = (uint8_t)drawn(256);
    }
    settled("deskew", &in, printed, sizeof printed);
    CHECK_STR(printed, "deskew:angle=[0]");
    const gf_image one = gf_image_view(room, 1, 1, 1, GF_U8, 0);
    settled("deskew", &one, printed, sizeof printed);
    CHECK_STR(printed, "deskew:angle=[0]");
}

static void devices(void)
{
    static const char *const texts[] = {"skew", "invert,skew:4,blur:2", "skew:roi=200x20+7+3",
                                        "deskew:angle=-3:value=0.7:expand=off", "deskew:angle=2,gray,skew:2"};
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32};
    static float room[400 * 60 * 4];
    char why[512];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (int32_t k = 0; k < 4; k++) {
            const gf_image in = gf_image_view(room, 400 - 60 * k, 60, k + 1, depths[(i + k) % 3], 0);
            const int64_t samples = in.shape.width * in.shape.height * in.shape.channels;
            for (int64_t s = 0; s < samples; s++) {
                const bool lit = (s / in.shape.channels / in.shape.width + s % 9) % 12 < 5;
                const double level = (lit ? 0.7 : 0.1) + drawn(64) / 256.0;
                switch (in.shape.depth) {
                case GF_U8:
                    ((uint8_t *)room)[s] = (uint8_t)(level * 255);
                    break;
                case GF_U16:
                    ((uint16_t *)room)[s] = (uint16_t)(level * 65535);
                    break;
                default:
                    room[s] = drawn(99) ? (float)level : NAN;
                }
            }
            CHECK_MSG(parity_check(texts[i], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0, "%s: %s", texts[i],
                      why);
        }
    }
}

static const struct check_case cases[] = {{"angle and agreement by the definition", definition},
                                          {"lines that lean by known angles", known_angles},
                                          {"plans wait for the angle", plans},
                                          {"on every device", devices}};
CHECK_MAIN(cases)
