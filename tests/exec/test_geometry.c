/* Stages that change a picture's size or order: what each does to a small picture, what undoes what, and
 * errors. That all devices agree is tested in test_parity.c and test_move.c. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"

#include "plan_cases.h"

static gf_error e;
static gf_alpha alpha;

/* The picture after these stages; NULL, and e, where they fail. */
static gf_picture *after(const char *stages, const gf_image *in)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_picture *out = NULL;
    options.device = GF_DEVICE_CPU;
    options.alpha = alpha;
    e = (gf_error)GF_ERROR_INIT;
    bool done = gf_context_create(NULL, &context, &e) == GF_OK &&
                gf_pipeline_parse(stages, NULL, 0, &pipeline, &e) == GF_OK &&
                gf_plan_create(context, pipeline, &in->shape, &options, &plan, &e) == GF_OK &&
                gf_exec_create(plan, &exec, &e) == GF_OK;
    if (done) {
        const gf_shape shape = gf_plan_output(plan);
        done =
            gf_picture_create(&shape, &out, &e) == GF_OK && gf_exec_run(exec, in, &out->image, &e) == GF_OK;
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    if (!done) {
        gf_picture_destroy(&out);
    }
    return out;
}

static bool equal(const gf_image *a, const gf_image *b)
{
    const gf_shape *p = &a->shape, *q = &b->shape;
    if (p->width != q->width || p->height != q->height || p->channels != q->channels ||
        p->depth != q->depth) {
        return false;
    }
    for (int64_t y = 0; y < p->height; y++) {
        if (memcmp((const char *)a->data + y * a->pitch, (const char *)b->data + y * b->pitch,
                   (size_t)gf_image_row_bytes(p->width, p->channels, p->depth)) != 0) {
            return false;
        }
    }
    return true;
}

/* Two lists of stages do the same; no second one: nothing. */
static void check_same(const char *stages, const char *as, const gf_image *in)
{
    gf_picture *one = after(stages, in);
    CHECK_MSG(one, "%s: %s", stages, e.message);
    gf_picture *other = as ? after(as, in) : NULL;
    CHECK_MSG(other || !as, "%s: %s", as ? as : "", e.message);
    if (one && (other || !as)) {
        CHECK_MSG(equal(&one->image, other ? &other->image : in), "%s on %lld x %lld x %d %s is not %s",
                  stages, (long long)in->shape.width, (long long)in->shape.height, in->shape.channels,
                  gf_depth_name(in->shape.depth), as ? as : "the picture itself");
    }
    gf_picture_destroy(&one);
    gf_picture_destroy(&other);
}

static void undone(void)
{
    static const char *const pairs[][2] = {
        {"flip:x,flip:x", NULL},
        {"flip:y,flip:y", NULL},
        {"flip:x,flip:y", "flip:xy"},
        {"rotate:90,rotate:90,rotate:90,rotate:90", NULL},
        {"rotate:0", NULL},
        {"rotate:360", NULL},
        {"rotate:90,rotate:90", "rotate:180"},
        {"rotate:180", "flip:xy"},
        {"rotate:-90", "rotate:270"},
        {"rotate:-90,rotate:90", NULL},
        {"transpose,transpose", NULL},
        {"transpose,flip:x", "rotate:90"},
        {"transpose,flip:y", "rotate:-90"},
        {"pad:0", NULL},
        {"pad:left=3:right=1:top=2:bottom=5,crop:12x9+3+2", NULL},
        {"pad:2:top=2:bottom=5:border=wrap,crop:12x9+2+2", NULL},
        {"pad:40:top=3:bottom=30:border=reflect,crop:12x9+40+3", NULL},
        {"pad:1:border=constant:value=0.7,crop:12x9+1+1", NULL},
        {"crop:5x9+0+0", "flip:x,crop:5x9+7+0,flip:x"},
        {"pad:3:border=reflect101,flip:y", "flip:y,pad:3:border=reflect101"},
        {"transpose,invert,transpose", "invert"},
        {"pad:2,pad:3", "pad:5"},
        {"resize:12x9", NULL},
        {"resize:100%", NULL},
        {"resize:width=12", NULL},
        {"resize:24x", "resize:200%"},
        {"resize:x18", "resize:24x18"},
        {"resize:width=5:height=9:filter=cubic", "resize:5x9:filter=cubic"},
        {"transpose,resize:30x12,transpose", "resize:12x30"},
        {"warp:[1 0 0; 0 1 0]", NULL},
        {"warp:[1 0 -2; 0 1 -3]:width=5:height=4:filter=lanczos", "crop:5x4+2+3"},
        {"warp:[0 1 0; 1 0 0]:width=9:height=12:filter=cubic", "transpose"},
        {"warp:[2 0 0; 0 2 0; 0 0 2]", NULL},
        {"rotate:180:expand=off", "rotate:180"},
        {"resize:30x9,flip:y", "flip:y,resize:30x9"},
    };
    for (int32_t channels = 1; channels <= 4; channels++) {
        for (int depth = GF_U8; depth <= GF_F32; depth++) {
            const gf_shape shape = {12, 9, channels, (gf_depth)depth};
            struct plan_random random;
            gf_picture *in = NULL;
            REQUIRE(gf_picture_create(&shape, &in, &e) == GF_OK);
            plan_random_seed(&random, (uint64_t)(channels * 3 + depth), 21);
            plan_random_picture(&random, PLAN_NOISE, false, &in->image);
            for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
                check_same(pairs[i][0], pairs[i][1], &in->image);
            }
            gf_picture_destroy(&in);
        }
    }
}

/* The u8 picture of one channel that those stages make of letters, rows with '/' between them. */
static void check_letters(const char *stages, const char *rows, int64_t width, int64_t height,
                          const char *expected)
{
    uint8_t letters[64];
    char made[256] = "";
    size_t n = 0;
    for (const char *p = rows; *p; p++) {
        if (*p != '/') {
            letters[n++] = (uint8_t)*p;
        }
    }
    const gf_image in = gf_image_view(letters, width, height, 1, GF_U8, 0);
    gf_picture *out = after(stages, &in);
    REQUIRE(out);
    n = 0;
    for (int64_t y = 0; y < out->image.shape.height; y++) {
        n += (size_t)snprintf(made + n, sizeof made - n, "%s%.*s", y ? "/" : "", (int)out->image.shape.width,
                              (const char *)out->image.data + y * out->image.pitch);
    }
    CHECK_MSG(strcmp(made, expected) == 0, "%s: %s, expected %s", stages, made, expected);
    gf_picture_destroy(&out);
}

static void by_hand(void)
{
    check_letters("crop:2x1+1+1", "abc/def", 3, 2, "ef");
    check_letters("flip", "abc/def", 3, 2, "cba/fed");
    check_letters("flip:x", "abc/def", 3, 2, "cba/fed");
    check_letters("flip:y", "abc/def", 3, 2, "def/abc");
    check_letters("flip:xy", "abc/def", 3, 2, "fed/cba");
    check_letters("rotate", "abc/def", 3, 2, "da/eb/fc");
    check_letters("rotate:90", "abc/def", 3, 2, "da/eb/fc");
    check_letters("rotate:180", "abc/def", 3, 2, "fed/cba");
    check_letters("rotate:270", "abc/def", 3, 2, "cf/be/ad");
    check_letters("transpose", "abc/def", 3, 2, "ad/be/cf");
    check_letters("pad", "abc/def", 3, 2, "aabcc/aabcc/ddeff/ddeff");
    check_letters("pad:2:top=0:bottom=1:border=reflect101", "abc/def", 3, 2, "cbabcba/fedefed/cbabcba");
    check_letters("pad:0:left=2:border=wrap", "abc/def", 3, 2, "bcabc/efdef");
    check_letters("pad:1:border=constant:value=46u8", "ab", 2, 1, ".ab.");
    check_letters("pad:1:top=1:border=constant:value=46u8", "ab", 2, 1, "..../.ab.");
    check_letters("rotate", "abc", 3, 1, "a/b/c");
    check_letters("resize:2x1:filter=box", "acce", 4, 1, "bd");
    check_letters("resize:4x:filter=box", "ab", 2, 1, "aabb");
    check_letters("resize:4x4:filter=box", "ab/cd", 2, 2, "aabb/aabb/ccdd/ccdd");
    check_letters("resize:4x:filter=triangle", "dh", 2, 1, "degh"); /* 1 : 0, 3 : 1, 1 : 3, 0 : 1 */
    check_letters("resize:1x1:filter=box", "ab/bb", 2, 2, "b");     /* a quarter below b, twice half up */
    check_letters("resize:50%", "zzzz/zzzz/zzzz", 4, 3, "zz/zz");
    check_letters("resize:x2:fit=inside", "zzzz", 4, 1, "zzzzzzzz/zzzzzzzz");
    check_letters("resize:4x4:fit=inside", "zzz/zzz", 3, 2, "zzzz/zzzz/zzzz");
    check_letters("resize:2x2:fit=cover:filter=box", "abcd/abcd", 4, 2, "bc/bc");
    static const char *const sides[][3] = {
        {"centre", "bc/bc", "cc/ee"},    {"north", "bc/bc", "aa/cc"},     {"northeast", "cd/cd", "aa/cc"},
        {"east", "cd/cd", "cc/ee"},      {"southeast", "cd/cd", "ee/gg"}, {"south", "bc/bc", "ee/gg"},
        {"southwest", "ab/ab", "ee/gg"}, {"west", "ab/ab", "cc/ee"},      {"northwest", "ab/ab", "aa/cc"}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        char text[64];
        snprintf(text, sizeof text, "resize:2x2:fit=cover:filter=box:gravity=%s", sides[i][0]);
        check_letters(text, "abcd/abcd", 4, 2, sides[i][1]);
        check_letters(text, "aa/cc/ee/gg", 2, 4, sides[i][2]);
    }
}

/* The alpha of what is added is its own, where the last channel is alpha. */
static void padded_alpha(void)
{
    uint8_t pixel[] = {10, 20};
    const gf_image in = gf_image_view(pixel, 1, 1, 2, GF_U8, 0);
    static const struct {
        gf_alpha alpha;
        const char *stages;
        uint8_t expected[6];
    } rows[] = {
        {GF_ALPHA_STRAIGHT, "pad:border=constant:value=0.2", {51, 255, 10, 20, 51, 255}},
        {GF_ALPHA_STRAIGHT, "pad:border=constant:value=0.2:alpha=0", {51, 0, 10, 20, 51, 0}},
        {GF_ALPHA_PREMUL, "pad:border=constant:value=0.2:alpha=0.5", {51, 128, 10, 20, 51, 128}},
        {GF_ALPHA_NONE, "pad:border=constant:value=0.2:alpha=0", {51, 51, 10, 20, 51, 51}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alpha = rows[i].alpha;
        gf_picture *out = after(rows[i].stages, &in);
        CHECK_MSG(out, "%s: %s", rows[i].stages, e.message);
        if (out) {
            CHECK_MEM(out->image.data, rows[i].expected, 6);
        }
        gf_picture_destroy(&out);
    }
    alpha = GF_ALPHA_STRAIGHT;
}

static void refused(void)
{
    static const struct {
        const char *stages;
        gf_status status;
        const char *says;
    } rows[] = {
        {"crop", GF_ERROR_ARGUMENT, "160x120+10+20"},
        {"crop:4x2+1+0", GF_ERROR_ARGUMENT, "4x2+1+0 reaches outside the picture of 3 x 2 pixels"},
        {"crop:1x1+0+2", GF_ERROR_ARGUMENT, "1x1+0+2 reaches outside the picture of 3 x 2 pixels"},
        {"crop:1x1+9223372036854775806+0", GF_ERROR_ARGUMENT, "outside the picture of 3 x 2"},
        {"rotate:45:filter=box", GF_ERROR_PARSE, "no filter 'box'"},
        {"warp", GF_ERROR_ARGUMENT, "matrix= is not given"},
        {"warp:[1 0; 0 1]", GF_ERROR_ARGUMENT,
         "2 rows of 2 numbers, must have 2 (affine) or 3 (projective) of 3"},
        {"warp:[1 0 0; 1 0 0]", GF_ERROR_ARGUMENT, "the matrix cannot be undone"},
        {"warp:[1e300 0 0; 0 1e300 0]", GF_ERROR_ARGUMENT, "its determinant is 0 or not finite"},
        {"warp:[1 0 0; 0 1 0]:width=0", GF_ERROR_ARGUMENT, "width is 0"},
        {"rotate:450", GF_ERROR_ARGUMENT, "from -360 to 360"},
        {"flip:z", GF_ERROR_PARSE, "no axis 'z'"},
        {"pad:-1", GF_ERROR_ARGUMENT, "size is -1"},
        {"pad:border=constant:value=2", GF_ERROR_ARGUMENT, "value is 2 times full scale"},
        {"resize", GF_ERROR_ARGUMENT, "the size is missing"},
        {"resize:800", GF_ERROR_ARGUMENT, "size is '800', must be as 800x600, 800x, x600 or 50%"},
        {"resize:x", GF_ERROR_ARGUMENT, "size is 'x', must be"},
        {"resize:1x1x1", GF_ERROR_ARGUMENT, "must be as"},
        {"resize:-5%", GF_ERROR_ARGUMENT, "must be as"},
        {"resize:2x2:width=3", GF_ERROR_ARGUMENT, "give only one"},
        {"resize:0x4", GF_ERROR_ARGUMENT, "0 x 4 pixels from 3 x 2"},
        {"resize:1000001x1", GF_ERROR_ARGUMENT, "1000001 x 1 pixels from 3 x 2"},
        {"resize:99999999%", GF_ERROR_ARGUMENT, "from 1 to 1000000 pixels"},
        {"resize:50%:filter=bilinear", GF_ERROR_PARSE, "no filter 'bilinear'"},
        {"resize:50%:gravity=up", GF_ERROR_PARSE, "no gravity 'up'"},
        {"resize:50%:light=bright", GF_ERROR_PARSE, "no light 'bright'"},
        {"transpose:1", GF_ERROR_PARSE, ""},
        {"flip:roi=1x1+0+0", GF_ERROR_PARSE, "roi"},
    };
    uint8_t letters[6] = {0};
    const gf_image in = gf_image_view(letters, 3, 2, 1, GF_U8, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gf_picture *out = after(rows[i].stages, &in);
        CHECK_MSG(!out && e.code == rows[i].status && strstr(e.message, rows[i].says), "%s: %d %s",
                  rows[i].stages, (int)e.code, e.message);
        gf_picture_destroy(&out);
    }
}

/* A picture of one colour stays one, whatever the weights. */
static void flat_stays_flat(void)
{
    static const char *const filters[] = {"box", "triangle", "hamming", "cubic", "lanczos", "mitchell"};
    uint16_t wide[7 * 5];
    uint8_t narrow[7 * 5];
    memset(narrow, 255, sizeof narrow);
    for (int i = 0; i < 7 * 5; i++) {
        wide[i] = 65535;
    }
    const gf_image in[] = {gf_image_view(narrow, 7, 5, 1, GF_U8, 0), gf_image_view(wide, 7, 5, 1, GF_U16, 0)};
    for (size_t f = 0; f < sizeof filters / sizeof *filters; f++) {
        for (int side = 1; side < 40; side += 3) {
            for (int d = 0; d < 2; d++) {
                char text[64];
                snprintf(text, sizeof text, "resize:%dx%d:filter=%s", side, 41 - side, filters[f]);
                gf_picture *out = after(text, &in[d]);
                REQUIRE(out);
                const unsigned char *bytes = out->image.data;
                int64_t other = 0;
                for (int64_t i = 0; i < out->image.pitch * out->image.shape.height; i++) {
                    other += i % out->image.pitch < side * (d + 1) && bytes[i] != 255;
                }
                CHECK_MSG(other == 0, "%s %s: %lld bytes are not white", text, d ? "u16" : "u8",
                          (long long)other);
                gf_picture_destroy(&out);
            }
        }
    }
}

/* Weighed by alpha the colour of what is transparent does not count; the bytes are Pillow's. */
static void weighed_by_alpha(void)
{
    uint8_t pixels[] = {200, 255, 90, 0};
    const gf_image in = gf_image_view(pixels, 2, 1, 2, GF_U8, 0);
    static const uint8_t expected[][2] = {{145, 128}, {199, 128}, {145, 128}};
    for (int a = GF_ALPHA_STRAIGHT; a <= GF_ALPHA_NONE; a++) {
        alpha = (gf_alpha)a;
        gf_picture *out = after("resize:1x1:filter=box", &in);
        REQUIRE(out);
        CHECK_MEM(out->image.data, expected[a], 2);
        gf_picture_destroy(&out);
    }
    alpha = GF_ALPHA_STRAIGHT;
}

/* Black and white beside each other give half of the light; alpha is no light. */
static void weighed_as_light(void)
{
    uint8_t pixels[] = {0, 0, 255, 255};
    const gf_image in = gf_image_view(pixels, 2, 1, 2, GF_U8, 0),
                   gray = gf_image_view(pixels, 4, 1, 1, GF_U8, 0);
    static const uint8_t expected[][2] = {{188, 128}, {255, 128}, {188, 188}};
    for (int a = GF_ALPHA_STRAIGHT; a <= GF_ALPHA_NONE; a++) {
        alpha = (gf_alpha)a;
        gf_picture *out = after("resize:1x1:filter=box:light=linear", &in);
        REQUIRE(out);
        CHECK_MEM(out->image.data, expected[a], 2);
        gf_picture_destroy(&out);
    }
    alpha = GF_ALPHA_STRAIGHT;
    gf_picture *out = after("resize:50%:filter=triangle:light=linear", &gray);
    REQUIRE(out);
    CHECK_MEM(out->image.data, ((const uint8_t[]){106, 238}), 2);
    gf_picture_destroy(&out);
}

/* 2^31 pixels wide and more: refused before anything is allocated. */
static void too_large(void)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    const gf_shape shape = {INT32_MAX - 5, 1, 1, GF_U8};
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    options.device = GF_DEVICE_CPU;
    REQUIRE(gf_context_create(NULL, &context, &e) == GF_OK);
    REQUIRE(gf_pipeline_parse("pad:3", NULL, 0, &pipeline, &e) == GF_OK);
    CHECK_EQ_INT(gf_plan_create(context, pipeline, &shape, &options, &plan, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "from 2147483642 x 1 pixels it would make 2147483648 x 1");
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {
    {"small pictures by hand", by_hand},
    {"what undoes what", undone},
    {"alpha of a padding", padded_alpha},
    {"flat stays flat", flat_stays_flat},
    {"weighed as light", weighed_as_light},
    {"weighed by alpha", weighed_by_alpha},
    {"refused", refused},
    {"too large", too_large},
};
CHECK_MAIN(cases)
