/* points by every way against the judge: in lines and in rectangles, none, all and some of them, past the
 * tiles of one pass and the parts of threads; and what an interval holds at its ends. */
#include "check.h"
#include "parity.h"
#include "text_run.h"

#include <math.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes)   (void)(at), (void)(bytes)
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) (void)(at), (void)(bytes)
#endif
#include <stdlib.h>
#include <string.h>

static uint32_t drawn_state = 1;

static uint32_t drawn(uint32_t below)
{
    drawn_state = drawn_state * 1664525U + 1013904223U;
    return (drawn_state >> 8) % below;
}

static void draw(void *samples, gf_depth depth, int64_t n)
{
    static const float special[] = {0, -0.0F, 1, 0.5F, -1, INFINITY, -INFINITY, NAN, 0x1p-140F, 0.25F};
    for (int64_t i = 0; i < n; i++) {
        if (depth == GF_U8) {
            ((uint8_t *)samples)[i] = (uint8_t)(i / 700 % 3 == 1 ? 0 : drawn(256));
        } else if (depth == GF_U16) {
            ((uint16_t *)samples)[i] = (uint16_t)drawn(65536);
        } else {
            ((float *)samples)[i] = drawn(3) ? special[drawn(10)] : (float)drawn(1000) / 999;
        }
    }
}

static void check_all(const char *const *texts, int n, int64_t width, int64_t height, int32_t channels)
{
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32};
    char why[512];
    for (int d = 0; d < 3; d++) {
        void *samples = calloc((size_t)(width * height * channels), sizeof(float));
        REQUIRE(samples != NULL);
        draw(samples, depths[d], width * height * channels);
        const gf_image in = gf_image_view(samples, width, height, channels, depths[d], 0);
        for (int t = 0; t < n; t++) {
            CHECK_MSG(parity_check(texts[t], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                      "%s of %s, %lld x %lld x %d: %s", texts[t], gf_depth_name(depths[d]), (long long)width,
                      (long long)height, (int)channels, why);
        }
        free(samples);
    }
}

static void intervals(void)
{
    static const char *const texts[] = {"points",
                                        "points:0:max=0",
                                        "points:-1:max=2",
                                        "points:1.5:max=2",
                                        "points:-2:max=-1",
                                        "points:0.2501:max=0.2502",
                                        "points:0.3:max=0.6:limit=5",
                                        "points:0.25:roi=3x2+1+1",
                                        "invert,points:0.4:limit=1"};
    static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {64, 4}, {1030, 5}};
    for (int s = 0; s < 4; s++) {
        const int n = sizes[s][0] < 4 ? 7 : 9;
        check_all(texts, n, sizes[s][0], sizes[s][1], 1);
        check_all(texts, n, sizes[s][0], sizes[s][1], 1 + (int32_t)drawn(4));
    }
}

/* Tiles of 32768 bytes, and a row that begins in one and ends in another. */
static void tiles(void)
{
    static const char *const texts[] = {"points:0.9", "points:0.25:max=0.5:limit=20011",
                                        "points:roi=1031x33+0+20"};
    check_all(texts, 3, 1031, 67, 1);
}

/* A picture in a device's memory, with bytes between its rows that nobody wrote: to read them is an error of
 * the emulated device under AddressSanitizer, and compute-sanitizer's initcheck tells of it on a GPU. */
static void between_rows(void)
{
    enum { WIDTH = 1003, HEIGHT = 67, PITCH = 1024 };
    static uint8_t samples[HEIGHT][WIDTH];
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    struct text_run run = {0}, judge;
    void *memory = NULL;
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    draw(samples, GF_U8, sizeof samples);
    REQUIRE(gf_memory_allocate(0, PITCH * HEIGHT, &memory, NULL) == GF_OK);
    for (int y = 0; y < HEIGHT; y++) {
        char *row = (char *)memory + y * PITCH;
        CHECK(gf_memory_copy((gf_queue){0, NULL}, GF_COPY_UPLOAD, row, samples[y], WIDTH, NULL) == GF_OK);
        ASAN_POISON_MEMORY_REGION(row + WIDTH, PITCH - WIDTH);
    }
    CHECK(gf_queue_wait((gf_queue){0, NULL}, NULL) == GF_OK);
    const gf_image in = gf_image_view_device(0, memory, WIDTH, HEIGHT, 1, GF_U8, PITCH);
    const gf_image host = gf_image_view(samples, WIDTH, HEIGHT, 1, GF_U8, 0);
    options.device = 0;
    REQUIRE(gf_context_create(NULL, &run.context, NULL) == GF_OK);
    CHECK(gf_pipeline_parse("points:0:max=0.1", NULL, 0, &run.pipeline, NULL) == GF_OK);
    CHECK(gf_plan_create(run.context, run.pipeline, &in.shape, &options, &run.plan, NULL) == GF_OK);
    CHECK(gf_exec_create(run.plan, &run.exec, NULL) == GF_OK);
    CHECK(gf_exec_run(run.exec, &in, NULL, NULL) == GF_OK);
    REQUIRE(text_run_open(&judge, "points:0:max=0.1", &host, NULL, NULL) == GF_OK);
    const gf_table *made = gf_result_table(gf_exec_result(run.exec, 0), "points"),
                   *known = gf_result_table(gf_exec_result(judge.exec, 0), "points");
    REQUIRE(made && known && known->rows > 1000 && made->rows == known->rows);
    for (int c = 0; c < 2; c++) {
        CHECK(memcmp(made->columns[c].values, known->columns[c].values, (size_t)made->rows * 4) == 0);
    }
    text_run_close(&judge);
    text_run_close(&run);
    ASAN_UNPOISON_MEMORY_REGION(memory, PITCH * HEIGHT);
    gf_memory_release(0, memory);
}

static void rows_by_hand(void)
{
    uint8_t samples[3][4] = {{0, 9, 10, 11}, {12, 13, 0, 10}, {255, 0, 0, 12}};
    static const uint32_t xs[] = {2, 3, 0, 3, 3}, ys[] = {0, 0, 1, 1, 2};
    const gf_image in = gf_image_view(samples, 4, 3, 1, GF_U8, 0);
    struct text_run run;
    REQUIRE(text_run_open(&run, "points:10u8:max=12u8", &in, NULL, NULL) == GF_OK);
    const gf_table *table = gf_result_table(gf_exec_result(run.exec, 0), "points");
    REQUIRE(table && table->rows == 5);
    for (int i = 0; i < 5; i++) {
        CHECK_EQ_INT(((const uint32_t *)table->columns[0].values)[i], xs[i]);
        CHECK_EQ_INT(((const uint32_t *)table->columns[1].values)[i], ys[i]);
        CHECK_NEAR(((const float *)table->columns[2].values)[i], samples[ys[i]][xs[i]], 0);
    }
    text_run_close(&run);
}

static const struct check_case cases[] = {{"rows by hand", rows_by_hand},
                                          {"intervals, CPU and CUDA", intervals},
                                          {"tiles, CPU and CUDA", tiles},
                                          {"between rows", between_rows}};
CHECK_MAIN(cases)
