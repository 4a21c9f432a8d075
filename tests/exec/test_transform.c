/* transform, and dct of whole pictures: by hand, by the formula in double, and by every way of execution. */
#include "check.h"
#include "drawn_check.h"
#include "gpufilter/inputs.h"
#include "parity.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Runs `stages` with one other input. */
static gf_status run_with(const char *stages, const gf_image *in, const gf_image *other, gf_image *out,
                          gf_error *error)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    const gf_shape shape = in->shape;
    const gf_shape shapes[] = {other->shape};
    options.device = GF_DEVICE_CPU;
    options.other_inputs = shapes;
    options.n_other_inputs = 1;
    gf_status status = gf_context_create(NULL, &context, error);
    status = status ? status : gf_pipeline_parse(stages, NULL, 0, &pipeline, error);
    status = status ? status : gf_plan_create(context, pipeline, &shape, &options, &plan, error);
    status = status ? status : gf_exec_create(plan, &exec, error);
    status = status ? status : gf_exec_set_input(exec, 1, other, error);
    status = status ? status : gf_exec_run(exec, in, out, error);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

static void by_hand(void)
{
    static float v[] = {1, 2, 3, 4, 5, 6};           /* 3 x 2 pixels */
    static float right[] = {1, 10, 0, 1, -1, 0};     /* 3 rows, 2 columns */
    static float left[] = {1, 1, 0, 2, 0.5F, -0.5F}; /* 3 rows, 2 columns */
    static const float across[] = {-2, 12, -2, 45};  /* v right */
    static const float down[] = {5, 7, 9, 8, 10, 12, -1.5F, -1.5F, -1.5F};
    static float made[9];
    gf_error error = GF_ERROR_INIT;
    const gf_image in = gf_image_view(v, 3, 2, 1, GF_F32, 0);
    const gf_image r = gf_image_view(right, 2, 3, 1, GF_F32, 0), l = gf_image_view(left, 2, 3, 1, GF_F32, 0);
    gf_image out = gf_image_view(made, 2, 2, 1, GF_F32, 0);
    CHECK_MSG(run_with("transform:right=r", &in, &r, &out, &error) == GF_OK, "%s", error.message);
    CHECK(memcmp(made, across, sizeof across) == 0);
    out = gf_image_view(made, 3, 3, 1, GF_F32, 0);
    CHECK_MSG(run_with("transform:left=l", &in, &l, &out, &error) == GF_OK, "%s", error.message);
    CHECK(memcmp(made, down, sizeof down) == 0);
}

/* Matrices of one 1 a row and column give back the bits of the samples, turned. */
static void permutations(void)
{
    enum { W = 37, H = 37 };
    static uint16_t v[W * H * 3];
    static float turn[W * W], made[W * H * 3];
    gf_error error = GF_ERROR_INIT;
    const gf_image in = gf_image_view(v, W, H, 3, GF_U16, 0);
    const gf_image matrix = gf_image_view(turn, W, W, 1, GF_F32, 0);
    gf_image out = gf_image_view(made, W, H, 3, GF_F32, 0);
    for (int i = 0; i < W; i++) {
        turn[i * W + (i + 5) % W] = 1;
    }
    for (int i = 0; i < W * H * 3; i++) {
        v[i] = (uint16_t)((uint32_t)i * 2654435761U >> 16);
    }
    CHECK_MSG(run_with("transform:right=m:left=m", &in, &matrix, &out, &error) == GF_OK, "%s", error.message);
    for (int i = 0; i < W * H * 3; i++) {
        const int x = i / 3 % W, y = i / 3 / W, c = i % 3;
        const int from = ((y + 5) % W * W + (x + W - 5) % W) * 3 + c;
        CHECK_MSG(made[i] == (float)v[from] / 65535, "%d, %d, channel %d: %g", x, y, c, made[i]);
    }
}

static void wrong_sizes(void)
{
    static const struct {
        const char *stages, *says;
    } wrong[] = {
        {"transform", "neither left= nor right= is given"},
        {"transform:right=m", "right= has 4 rows, must have 3: one for each column of the picture"},
        {"transform:left=m", "left= has 5 columns, must have 2: one for each row of the picture"},
        {"dct:block=1", "block"},
        {"dct:block=hole", "whole"},
    };
    static float v[6], m[20], made[64];
    const gf_image in = gf_image_view(v, 3, 2, 1, GF_F32, 0), matrix = gf_image_view(m, 5, 4, 1, GF_F32, 0);
    gf_image out = gf_image_view(made, 3, 2, 1, GF_F32, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gf_error error = GF_ERROR_INIT;
        const gf_status status = strstr(wrong[i].stages, "=m")
                                     ? run_with(wrong[i].stages, &in, &matrix, &out, &error)
                                     : text_run_once(wrong[i].stages, &in, &out, &error);
        CHECK_MSG(status == GF_ERROR_ARGUMENT || status == GF_ERROR_PARSE, "%s: %d", wrong[i].stages, status);
        CHECK_MSG(strstr(error.message, wrong[i].says), "%s", error.message);
    }
}

/* Compares with the formula in double, and goes there and back. */
static void whole_pictures(void)
{
    enum { W = 30, H = 21 };
    static float v[W * H], made[W * H];
    const double pi = acos(-1);
    gf_error error = GF_ERROR_INIT;
    gf_image in = gf_image_view(v, W, H, 1, GF_F32, 0), out = gf_image_view(made, W, H, 1, GF_F32, 0);
    for (int i = 0; i < W * H; i++) {
        v[i] = (float)(i * 7919 % 101) / 101;
    }
    CHECK_MSG(text_run_once("dct:whole", &in, &out, &error) == GF_OK, "%s", error.message);
    for (int at = 0; at < W * H; at++) {
        const int k = at % W, l = at / W;
        double sum = 0;
        for (int i = 0; i < W * H; i++) {
            sum +=
                v[i] * cos(pi * (2 * (i % W) + 1) * k / (2 * W)) * cos(pi * (2 * (i / W) + 1) * l / (2 * H));
        }
        sum *= sqrt((k ? 2.0 : 1.0) / W) * sqrt((l ? 2.0 : 1.0) / H);
        CHECK_MSG(fabs(sum - made[at]) < 1e-5, "%d, %d: %g", k, l, made[at]);
    }
    CHECK_MSG(text_run_once("dct:whole,idct:whole", &in, &out, &error) == GF_OK, "%s", error.message);
    for (int i = 0; i < W * H; i++) {
        CHECK_MSG(fabsf(made[i] - v[i]) < 8 * 0x1p-23F, "%d: %g", i, made[i]);
    }
}

/* Every number of channels and side, beside other stages, at the edges of tiles and pieces of rows. */
static void every_way(void)
{
    static const struct {
        const char *stages;
        gf_shape shape;
    } runs[] = {
        {"transform:right=pic_9_300_1_f32", {300, 3, 3, GF_U8}},
        {"transform:left=pic_65_7_1_f32", {10, 65, 2, GF_F32}},
        {"transform:left=pic_70_130_1_u8:right=pic_140_131_1_f32", {131, 70, 4, GF_F32}},
        {"transform:left=pic_1_3_1_f32:right=pic_2_1_1_f32", {1, 1, 1, GF_U16}},
        {"gray,transform:right=pic_257_129_3_u16,invert,stats", {129, 64, 4, GF_U16}},
        {"blur,transform:left=pic_33_40_1_f32,convert:u8", {256, 33, 1, GF_U8}},
        {"dct:whole", {257, 40, 3, GF_F32}},
        {"dct:whole,idct:whole", {64, 1, 1, GF_U8}},
        {"idct:whole", {1, 50, 2, GF_U16}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const enum plan_content content = i % 2 ? PLAN_EXTREMES : PLAN_NOISE;
        drawn_check(runs[i].stages, &runs[i].shape, i, content, i % 3 == 0, GF_ALPHA_STRAIGHT);
    }
}

static const struct check_case cases[] = {{"by hand", by_hand},
                                          {"permutations are exact", permutations},
                                          {"wrong sizes", wrong_sizes},
                                          {"dct of whole pictures", whole_pictures},
                                          {"transform, CPU and CUDA", every_way}};
CHECK_MAIN(cases)
