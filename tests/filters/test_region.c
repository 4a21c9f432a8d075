/* roi=ellipse@ and feather=: what stays as it was, and the judge's bits from every executor, where ellipses
 * and soft edges meet those of pictures, bands, strips and tiles. test_region_weights has the weights
 * themselves. */
#include "drawn_check.h"
#include "pixel/ir/region.h"
#include "text_run.h"

#include <stdio.h>
#include <string.h>

/* ---- what stays, and what is acted on ---- */

static size_t sample_bytes(const gf_image *image)
{
    return gf_depth_size(image->shape.depth);
}

/* Runs `stage` everywhere and in the ellipse: samples in it and of the channels `mask` are those of the one,
 * all others those of the picture. */
static void check_stage(const char *stage, gf_depth depth, int32_t channels, int mask)
{
    const gf_shape shape = {61, 40, channels, depth};
    const int64_t w = 33, h = 26, left = 11, top = 7;
    struct parity_picture in, whole, part;
    gf_error error = GF_ERROR_INIT;
    char text[160];
    if (!drawn_picture(&in, &shape, 5, PLAN_NOISE, false)) {
        return;
    }
    snprintf(text, sizeof text, "%s:roi=ellipse@33x26+11+7", stage);
    bool ok = parity_picture_make(&whole, &shape, 0) && parity_picture_make(&part, &shape, 0) &&
              text_run_once(stage, &in.image, &whole.image, &error) == GF_OK &&
              text_run_once(text, &in.image, &part.image, &error) == GF_OK;
    CHECK_MSG(ok, "%s: %s", text, error.message);
    const size_t size = sample_bytes(&in.image);
    int64_t wrong = 0, acted = 0;
    for (int64_t i = 0; ok && i < shape.width * shape.height * channels; i++) {
        const int64_t c = i % channels, x = i / channels % shape.width, y = i / channels / shape.width;
        const double u = (double)(2 * (x - left) + 1 - w) / 33, v = (double)(2 * (y - top) + 1 - h) / 26;
        const bool acts = u * u + v * v < 1 && (mask >> c & 1);
        const size_t place = (size_t)(x * channels + c) * size;
        const char *expected =
            (const char *)(acts ? whole : in).image.data + y * (acts ? whole : in).image.pitch + place;
        wrong += memcmp((const char *)part.image.data + y * part.image.pitch + place, expected, size) != 0;
        acted +=
            acts && memcmp((const char *)in.image.data + y * in.image.pitch + place, expected, size) != 0;
    }
    CHECK_MSG(wrong == 0 && acted > 200, "%s: %d samples are wrong, %d are others", text, (int)wrong,
              (int)acted);
    parity_picture_free(&in);
    parity_picture_free(&whole);
    parity_picture_free(&part);
}

static void acts_inside_alone(void)
{
    check_stage("invert", GF_U8, 1, 1);
    check_stage("invert", GF_U8, 4, 7); /* alpha stays */
    check_stage("blur:2", GF_U8, 3, 7);
    check_stage("blur:2:border=constant", GF_F32, 2, 3); /* alpha is filtered, too */
    check_stage("open:2", GF_U16, 3, 7);
    check_stage("gamma:2:channels=1", GF_F32, 3, 2);
    check_stage("invert:channels=all", GF_U16, 4, 15);
    check_stage("median:2:channels=luma", GF_U8, 4, 7);
    check_stage("sharpen:2", GF_F32, 4, 15);
    check_stage("expr:'1-v^2'", GF_F32, 3, 7);
    check_stage("threshold:mean:radius=3", GF_U8, 2, 1);
}

/* ---- the judge's bits ---- */

static const char *const stages[] = {"invert",
                                     "blur:1.5",
                                     "threshold:otsu",
                                     "median:1:channels=luma",
                                     "gamma:0.5:channels=0",
                                     "open:2",
                                     "srgb",
                                     "blur:9",
                                     "blend:in:mode=multiply:amount=0.4",
                                     "box:3:border=wrap"};
static const int64_t sizes[][2] = {{1, 1},    {1, 40},   {37, 1},   {9, 5},
                                   {130, 33}, {300, 40}, {33, 129}, {517, 9}};
static const char *const feathers[] = {"", ":feather=1", ":feather=3.25", ":feather=1000000",
                                       ":feather=0.01"};
enum {
    STAGES = sizeof stages / sizeof *stages,
    SIZES = sizeof sizes / sizeof *sizes,
    FEATHERS = 5,
    RECTS = 7
};

/* Adds a rectangle: in the middle, the whole picture, in corners, a row, a column, a pixel. */
static void add_rect(int number, int64_t w, int64_t h, char *text, size_t size)
{
    const int64_t rects[RECTS][4] = {{(w + 1) / 2, (h + 2) / 3, w / 4, h / 2},
                                     {w, h, 0, 0},
                                     {(w + 2) / 3, (h + 1) / 2, 0, 0},
                                     {w - w / 3, h - h / 4, w / 3, h / 4},
                                     {w, 1, 0, h - 1},
                                     {1, h, w / 2, 0},
                                     {1, 1, w - 1, h / 2}};
    const int64_t *r = rects[number];
    snprintf(text, size, "%lldx%lld+%lld+%lld", (long long)r[0], (long long)r[1], (long long)r[2],
             (long long)r[3]);
}

static void same_bits(void)
{
    const long count = (long)STAGES * SIZES * RECTS;
    for (long n = 0; n < count; n++) {
        const int64_t *size = sizes[n % SIZES];
        const char *stage = stages[n / SIZES % STAGES], *feather = feathers[n / 3 % FEATHERS];
        const gf_shape shape = {size[0], size[1], (int32_t)(n / 3 % 4 + 1), (gf_depth)(GF_U8 + n / 5 % 3)};
        char text[200], rect[80];
        if (!check_slice(n, count)) {
            continue;
        }
        add_rect((int)(n / SIZES / STAGES), size[0], size[1], rect, sizeof rect);
        snprintf(text, sizeof text, "%s:roi=%s%s%s", stage, n / 11 % 3 ? "ellipse@" : "", rect, feather);
        drawn_check(text, &shape, (uint64_t)n, (enum plan_content)(n % PLAN_CONTENTS), n % 4 == 0,
                    n % 2 ? GF_ALPHA_STRAIGHT : GF_ALPHA_NONE);
    }
}

static void in_chains(void)
{
    static const char *const texts[] = {
        "blur:2:roi=ellipse@40x25+9+3:feather=4,sobel:roi=ellipse@40x25+9+3,invert:roi=40x25+9+3:feather=2,"
        "stats",
        "invert:roi=ellipse@60x30+0+0,stats:roi=60x30+0+0,hist:roi=9x9+1+1,profile:y:roi=60x30+0+0",
        "invert:roi=ellipse@33x21+5+4,profile:x:roi=33x21+5+4,profile:y:roi=33x21+5+4",
        "gray,sobel,invert:roi=ellipse@50x9+30+31:feather=3,threshold:otsu:roi=ellipse@70x40+2+1,blur:3",
        "flip:x,invert:roi=ellipse@20x30+40+7:feather=9,rotate:90,box:2:roi=ellipse@30x60+5+8:feather=30",
        "convert:f32,blur:1:roi=20x30+40+7:feather=9,convert:u8,median:1:roi=ellipse@9x9+1+1",
        "invert:roi=9x9+1+1:feather=1,contrast:2:roi=8x9+1+1:feather=2,gamma:2:roi=ellipse@7x9+1+1,"
        "brightness:0.1:roi=6x9+1+1,sobel:roi=60x40+3+4:feather=5,invert:roi=ellipse@5x5+1+1",
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    for (int i = 0; i < 3 * TEXTS; i++) {
        const gf_shape shape = {100 + i, 50, 1 + i % 4, (gf_depth)(GF_U8 + i % 3)};
        drawn_check(texts[i % TEXTS], &shape, (uint64_t)i, (enum plan_content)(i % PLAN_CONTENTS), false,
                    GF_ALPHA_STRAIGHT);
    }
}

/* ---- the C API ---- */

/* A stage by its type and arguments is that of the text. */
static void by_arguments(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    char text[120], json[200];
    REQUIRE(gf_pipeline_create(&pipeline, &error) == GF_OK);
    CHECK_MSG(gf_pipeline_append(pipeline, gf_stage_find("blur"), "2:roi=ellipse@40x30+5+6:feather=3.5",
                                 &error) == GF_OK,
              "%s", error.message);
    CHECK_EQ_INT(gf_pipeline_print(pipeline, GF_PRINT_TEXT, text, sizeof text, NULL, &error), GF_OK);
    CHECK_STR(text, "blur:sigma=2:roi=ellipse@40x30+5+6:feather=3.5");
    CHECK_EQ_INT(gf_pipeline_print(pipeline, GF_PRINT_JSON, json, sizeof json, NULL, &error), GF_OK);
    CHECK_STR_HAS(json, "\"roi\":\"ellipse@40x30+5+6\",\"feather\":3.5");
    gf_pipeline_destroy(&pipeline);
    CHECK_MSG(gf_pipeline_parse(json, NULL, 0, &pipeline, &error) == GF_OK, "%s", error.message);
    CHECK_EQ_INT(gf_pipeline_print(pipeline, GF_PRINT_TEXT, text, sizeof text, NULL, &error), GF_OK);
    CHECK_STR(text, "blur:sigma=2:roi=ellipse@40x30+5+6:feather=3.5");
    gf_pipeline_destroy(&pipeline);
}

/* ---- stages of programs ---- */

/* Large pixels: out of `parts` of them, the picture again. */
static void lower_pixelate(gf_lowering *l, const void *params)
{
    const gf_value_id v = gf_lower_input(l);
    const gf_shape s = gf_lower_shape(l, v);
    (void)params;
    const gf_value_id few = gf_lower_resize(l, v, 3, 2, GF_FILTER_BOX, GF_LIGHT_STORED);
    gf_lower_output(
        l, gf_lower_affine(l, gf_lower_resize(l, few, s.width, s.height, GF_FILTER_BOX, GF_LIGHT_STORED), 0.5,
                           0));
}

static gf_status as_it_is(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)args;
    (void)error;
    for (int64_t y = 0; y < in->shape.height; y++) {
        memcpy((char *)out->data + y * out->pitch, (const char *)in->data + y * in->pitch,
               (size_t)in->shape.width * (size_t)in->shape.channels * gf_depth_size(in->shape.depth));
    }
    return GF_OK;
}

static void lower_called(gf_lowering *l, const void *params)
{
    const gf_value_id v = gf_lower_input(l);
    const gf_shape s = gf_lower_shape(l, v);
    (void)params;
    gf_lower_output(l, gf_lower_call(l, v, &s, as_it_is, NULL, NULL));
}

/* A map or a call knows no roi: a program's stage that is made of one refuses it, where nothing else would.
 */
static void kept_or_refused(void)
{
    static const gf_stage_type pixelate = {.struct_size = sizeof pixelate,
                                           .name = "pixelate",
                                           .flags = GF_STAGE_POINT,
                                           .lower = lower_pixelate},
                               called = {.struct_size = sizeof called,
                                         .name = "called",
                                         .flags = GF_STAGE_POINT,
                                         .lower = lower_called};
    static const gf_stage_type *const own[] = {&pixelate, &called};
    static const struct {
        const char *text, *says; /* NULL: it is bound */
    } known[] = {{"pixelate", NULL},
                 {"called", NULL},
                 {"pixelate:channels=all", NULL},
                 {"pixelate:channels=luma", NULL},
                 {"pixelate:roi=4x4+2+2", "stage 1 'pixelate': a map or a call makes it"},
                 {"invert,pixelate:roi=ellipse@4x4+2+2", "stage 2 'pixelate': a map or a call makes it"},
                 {"pixelate:channels=r", "it takes no roi= and no channels="},
                 {"called:roi=4x4+2+2", "stage 1 'called': a map or a call makes it"},
                 {"denoise_dct:roi=4x4+2+2", NULL}}; /* which has a map, and keeps the rest behind it */
    const gf_shape shape = {12, 10, 3, GF_U8};
    gf_context *context = NULL;
    REQUIRE(gf_context_create(NULL, &context, NULL) == GF_OK);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_pipeline *pipeline = NULL;
        gf_plan *plan = NULL;
        REQUIRE(gf_pipeline_parse(known[i].text, own, 2, &pipeline, &error) == GF_OK);
        const gf_status status = gf_plan_create(context, pipeline, &shape, NULL, &plan, &error);
        CHECK_MSG(status == (known[i].says ? GF_ERROR_UNSUPPORTED : GF_OK), "%s: %s", known[i].text,
                  error.message);
        if (known[i].says) {
            CHECK_STR_HAS(error.message, known[i].says);
        }
        gf_plan_destroy(&plan);
        gf_pipeline_destroy(&pipeline);
    }
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {
    {"acts inside alone", acts_inside_alone}, {"the same bits", same_bits},
    {"the same bits in chains", in_chains},   {"by arguments", by_arguments},
    {"kept or refused", kept_or_refused},
};
CHECK_MAIN(cases)
