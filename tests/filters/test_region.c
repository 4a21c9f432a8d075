/* roi=ellipse@ and feather=: which pixels there are, how the edge rises, what stays as it was, and the
 * judge's bits from every executor, where ellipses and soft edges meet those of pictures, bands, strips and
 * tiles. */
#include "drawn_check.h"
#include "pixel/ir/region.h"
#include "text_run.h"

#include <stdio.h>
#include <string.h>

/* ---- absolute truth ---- */

/* The weights of a roi: what `invert` in it makes of a picture of zeros in f32. */
static bool weights_of(const char *roi, int64_t width, int64_t height, struct parity_picture *out)
{
    const gf_shape shape = {width, height, 1, GF_F32};
    struct parity_picture in;
    char text[160];
    gf_error error = GF_ERROR_INIT;
    snprintf(text, sizeof text, "invert:roi=%s", roi);
    bool ok = parity_picture_make(&in, &shape, 0) && parity_picture_make(out, &shape, 0);
    for (int64_t y = 0; ok && y < height; y++) {
        memset((char *)in.image.data + y * in.image.pitch, 0, (size_t)width * sizeof(float));
    }
    ok = ok && text_run_once(text, &in.image, &out->image, &error) == GF_OK;
    CHECK_MSG(ok, "%s: %s", text, error.message);
    parity_picture_free(&in);
    return ok;
}

static float at(const struct parity_picture *p, int64_t x, int64_t y)
{
    return ((const float *)((const char *)p->image.data + y * p->image.pitch))[x];
}

/* Rows of a picture, separated by '|', '#' where the stage acts. */
static void known_ellipses(void)
{
    static const struct {
        const char *roi, *rows;
    } known[] = {
        {"ellipse@1x1+2+1", ".....|..#..|....."},
        {"ellipse@2x2+1+0", ".##.|.##.|...."},
        {"ellipse@3x3+0+0", "###.|###.|###."}, /* the corners' centres are nearer than 1.5 */
        {"ellipse@4x4+1+0", "..##..|.####.|.####.|..##.."},
        {"ellipse@5x5+0+0", ".###.|#####|#####|#####|.###."},
        {"ellipse@7x3+1+1", ".........|..#####..|.#######.|..#####..|........."},
        {"ellipse@8x1+0+1", "........|########"},
        {"ellipse@1x4+1+0", ".#.|.#.|.#.|.#."},
        {"ellipse@2x9+0+0", "..|##|##|##|##|##|##|##|.."}, /* no centre of the outer rows is inside */
        {"ellipse@6x4+0+0", ".####.|######|######|.####."},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const int64_t width = (int64_t)strcspn(known[i].rows, "|");
        const int64_t height = ((int64_t)strlen(known[i].rows) + 1) / (width + 1);
        struct parity_picture made;
        if (!weights_of(known[i].roi, width, height, &made)) {
            continue;
        }
        for (int64_t y = 0; y < height; y++) {
            for (int64_t x = 0; x < width; x++) {
                const char *expected = known[i].rows + y * (width + 1) + x;
                CHECK_MSG(at(&made, x, y) == (*expected == '#' ? 1.0F : 0.0F), "%s: %g at %d, %d",
                          known[i].roi, (double)at(&made, x, y), (int)x, (int)y);
            }
        }
        parity_picture_free(&made);
    }
}

/* Half the way over the feather the weight is half, a quarter of it 5/32; where a side lies on the picture's
 * own nothing rises; at a corner the weights of both sides are multiplied. */
static void known_edges(void)
{
    static const struct {
        const char *roi;
        int64_t width, height, x, y;
        float weight;
    } known[] = {
        {"10x6+3+2:feather=1", 20, 12, 3, 4, 0.5F},
        {"10x6+3+2:feather=1", 20, 12, 4, 4, 1},
        {"10x6+3+2:feather=1", 20, 12, 12, 7, 0.25F},
        {"10x6+3+2:feather=1", 20, 12, 2, 4, 0},
        {"10x6+3+2:feather=2", 20, 12, 3, 4, 0.15625F},
        {"10x6+3+2:feather=2", 20, 12, 11, 4, 0.84375F},
        {"10x6+3+2:feather=2", 20, 12, 5, 4, 1},
        {"10x6+3+2:feather=2", 20, 12, 3, 2, 0.15625F * 0.15625F},
        {"10x6+3+2:feather=0.5", 20, 12, 3, 2, 1},
        {"10x6+3+2:feather=0", 20, 12, 3, 2, 1},
        {"10x6+3+2:feather=1e-30", 20, 12, 3, 2, 1},
        {"20x12+0+0:feather=9", 20, 12, 0, 0, 1},
        {"10x12+0+0:feather=2", 20, 12, 9, 0, 0.15625F},
        {"10x12+0+0:feather=2", 20, 12, 0, 11, 1},
        {"20x3+0+9:feather=2", 20, 12, 0, 9, 0.15625F},
        {"4x4+8+4:feather=4", 20, 12, 8, 0, 0},
        {"6x1+2+0:feather=1", 9, 1, 2, 0, 0.5F}, /* a signal has no edge above */
        {"1x6+0+2:feather=1", 1, 9, 0, 7, 0.5F},
        {"ellipse@9x9+1+1:feather=4.5", 20, 12, 5, 5, 1},
        {"ellipse@9x9+1+1:feather=9", 20, 12, 5, 5, 0.5F}, /* half the feather from any edge */
        {"ellipse@9x9+1+1:feather=1", 20, 12, 1, 5, 0.5F},
        {"ellipse@9x9+1+1:feather=1", 20, 12, 5, 9, 0.5F},
        {"ellipse@9x9+1+1:feather=1", 20, 12, 2, 5, 1},
        {"ellipse@9x5+0+0:feather=5", 20, 12, 4, 2, 0.5F},
        {"ellipse@20x12+0+0:feather=2", 20, 12, 0, 0, 0},
        {"ellipse@9x1+0+0:feather=9", 9, 1, 4, 0, 0.5F},
        {"ellipse@1x9+0+0:feather=9", 1, 9, 0, 4, 0.5F},
        {"ellipse@1x1+0+0:feather=9", 1, 1, 0, 0, 1},
        {"ellipse@9x1+0+1:feather=1", 9, 3, 4, 1, 0.5F}, /* the edge above is half a pixel away */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct parity_picture made;
        if (weights_of(known[i].roi, known[i].width, known[i].height, &made)) {
            CHECK_MSG(fabsf(at(&made, known[i].x, known[i].y) - known[i].weight) < 1e-6F,
                      "%s at %d, %d: %g, expected %g", known[i].roi, (int)known[i].x, (int)known[i].y,
                      (double)at(&made, known[i].x, known[i].y), (double)known[i].weight);
            parity_picture_free(&made);
        }
    }
}

static void check_edge(const struct parity_picture *p, struct gf_rect r, int64_t x, int64_t y,
                       const char *roi)
{
    const float w = at(p, x, y);
    const bool inside = x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
    if (!inside) {
        CHECK_MSG(w == 0.0F, "%s: %g outside, at %d, %d", roi, (double)w, (int)x, (int)y);
        return;
    }
    const float other = at(p, 2 * r.x + r.w - 1 - x, 2 * r.y + r.h - 1 - y);
    CHECK_MSG(w >= 0.0F && w <= 1.0F && w == other, "%s: %g and %g at %d, %d", roi, (double)w, (double)other,
              (int)x, (int)y);
    if (2 * (x - r.x) < r.w - 2) { /* further in it is no less, but for the last digits */
        CHECK_MSG(at(p, x + 1, y) >= w - 1e-6F, "%s: falls at %d, %d", roi, (int)x, (int)y);
    }
    if (2 * (y - r.y) < r.h - 2) {
        CHECK_MSG(at(p, x, y + 1) >= w - 1e-6F, "%s: falls at %d, %d", roi, (int)x, (int)y);
    }
}

/* Every weight lies in [0, 1], is the same on both sides of the middle, and rises towards it. */
static void edges_rise(void)
{
    static const char *const feathers[] = {"", ":feather=0.3", ":feather=2.5", ":feather=7", ":feather=60"};
    static const struct gf_rect rects[] = {{3, 2, 31, 17}, {5, 4, 8, 18}, {1, 1, 38, 2}, {7, 9, 13, 13},
                                           {2, 3, 36, 5},  {4, 5, 1, 1},  {4, 5, 2, 2},  {9, 1, 3, 22}};
    for (size_t i = 0; i < 8 * 5 * 2; i++) {
        const struct gf_rect r = rects[i % 8];
        struct parity_picture made;
        char roi[100];
        snprintf(roi, sizeof roi, "%s%dx%d+%d+%d%s", i / 40 ? "ellipse@" : "", (int)r.w, (int)r.h, (int)r.x,
                 (int)r.y, feathers[i / 8 % 5]);
        if (weights_of(roi, 40, 24, &made)) {
            for (int64_t p = 0; p < 40 * 24; p++) {
                check_edge(&made, r, p % 40, p / 40, roi);
            }
            parity_picture_free(&made);
        }
    }
}

/* The largest picture that there is: sums of squares in 128 bits. */
static void exact_at_any_size(void)
{
    const int64_t n = INT32_MAX;
    CHECK(gf_ellipse_has(n, n, n - 1, 0) && gf_ellipse_has(n, n, 0, 1 - n));
    CHECK(gf_ellipse_has(n, n, 65534, n - 1) && !gf_ellipse_has(n, n, 65536, n - 1)); /* 2^32 - 3 < 2^32 */
    CHECK(gf_ellipse_has(n, n, -65534, 1 - n) && !gf_ellipse_has(n, n, n - 1, n - 1));
    CHECK(gf_ellipse_has(n, 1, n - 1, 0) && gf_ellipse_has(1, n, 0, n - 1));
}

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
    check_stage("blur:2:border=constant", GF_F32, 2, 1);
    check_stage("open:2", GF_U16, 3, 7);
    check_stage("gamma:2:channels=1", GF_F32, 3, 2);
    check_stage("invert:channels=all", GF_U16, 4, 15);
    check_stage("median:2:channels=luma", GF_U8, 4, 7);
    check_stage("sharpen:2", GF_F32, 4, 7);
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
    {"pixels of ellipses", known_ellipses},
    {"ways to the edge", known_edges},
    {"edges rise", edges_rise},
    {"exact at any size", exact_at_any_size},
    {"acts inside alone", acts_inside_alone},
    {"the same bits", same_bits},
    {"the same bits in chains", in_chains},
    {"by arguments", by_arguments},
    {"kept or refused", kept_or_refused},
};
CHECK_MAIN(cases)
