/* Stages of morphology: the same bits from all executors at every edge of their windows, pixels worked out by
 * hand, and what openings and closings promise. */
#include "drawn_check.h"

#include <string.h>

static const char *const borders[] = {"replicate", "reflect", "reflect101", "wrap", "constant:value=0.3"};
enum { BORDERS = sizeof borders / sizeof *borders };

static bool noise(struct parity_picture *picture, const gf_shape *shape, uint64_t seed)
{
    return drawn_picture(picture, shape, seed, PLAN_NOISE, false);
}

/* ---- the same bits from all executors and the judge ---- */

static void check_same(const char *text, const gf_shape *shape, uint64_t seed, gf_alpha alpha)
{
    drawn_check(text, shape, seed, PLAN_NOISE, seed % 3 == 0, alpha);
}

/* Every window on every small picture, with every border and depth. */
static void small_pictures(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 9}, {13, 1}, {3, 2}, {70, 5}, {5, 66}};
    static const char *const windows[] = {"erode:0",
                                          "dilate:1",
                                          "erode:width=2:height=1",
                                          "dilate:width=1:height=2",
                                          "dilate:width=4:height=6",
                                          "erode:width=17:height=5",
                                          "erode:40",
                                          "dilate:1000000",
                                          "open:3",
                                          "close:width=2:height=8",
                                          "tophat:2:channels=0",
                                          "blackhat:5",
                                          "erode:4:shape=disk",
                                          "dilate:90:shape=disk",
                                          "close:6:shape=diamond",
                                          "tophat:9:shape=cross",
                                          "erode:footprint=[1]",
                                          "erode:footprint=[0 0 0 1]",
                                          "dilate:footprint=[1 0 0; 0 0 0; 0 0 0; 0 1 1]",
                                          "open:footprint=[0 1 0 1; 1 1 1 1; 0 1 0 1]",
                                          "blackhat:footprint=[1 1 1 1; 1 1 1 1]"};
    enum { SIZES = sizeof sizes / sizeof *sizes, WINDOWS = sizeof windows / sizeof *windows };
    const long count = (long)SIZES * WINDOWS * BORDERS * 3;
    for (long n = 0; n < count; n++) {
        const int64_t *size = sizes[n % SIZES];
        const gf_shape shape = {size[0], size[1], (int32_t)(n / 7 % 4 + 1),
                                (gf_depth)(GF_U8 + n / SIZES / WINDOWS / BORDERS)};
        char text[160];
        if (check_slice(n, count)) {
            snprintf(text, sizeof text, "%s:border=%s", windows[n / SIZES % WINDOWS],
                     borders[n / SIZES / WINDOWS % BORDERS]);
            const bool part = strstr(text, "channels=") != NULL;
            check_same(text, &shape, (uint64_t)n, part ? GF_ALPHA_STRAIGHT : (gf_alpha)(n / 3 % 3));
        }
    }
}

/* Several strips, bands and segments, windows on both sides of what fits a chip, and programs around them. */
static void large_pictures(void)
{
    static const char *const chains[] = {"erode",
                                         "erode:7",
                                         "dilate:width=8:height=31",
                                         "dilate:width=31:height=4",
                                         "erode:width=129:height=3",
                                         "dilate:width=131:height=2",
                                         "erode:width=3:height=140",
                                         "dilate:width=2:height=98",
                                         "dilate:21:shape=disk",
                                         "tophat:7:roi=300x20+100+9",
                                         "invert,open:5,contrast:1.5,hist",
                                         "gray,close:4:shape=diamond,threshold:0.5"};
    enum { CHAINS = sizeof chains / sizeof *chains };
    const long count = (long)CHAINS * BORDERS * 3 * 4;
    for (long n = 0; n < count; n++) {
        const gf_shape shape = {n % 2 ? 601 : 520, n % 3 ? 47 : 90, (int32_t)(n / CHAINS % 4 + 1),
                                (gf_depth)(GF_U8 + n / CHAINS / 4 % 3)};
        char text[160];
        if (check_slice(n, count)) {
            snprintf(text, sizeof text, "%s", chains[n % CHAINS]);
            if (!strchr(text, ',')) {
                snprintf(text + strlen(text), sizeof text - strlen(text), ":border=%s",
                         borders[n / CHAINS / 12]);
            }
            check_same(text, &shape, (uint64_t)n, GF_ALPHA_NONE);
        }
    }
}

/* ---- pixels by hand ---- */

static bool run(const char *text, const gf_image *in, gf_image *out, gf_error *error)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    const bool ok = gf_context_create(NULL, &context, error) == GF_OK &&
                    gf_pipeline_parse(text, NULL, 0, &pipeline, error) == GF_OK &&
                    gf_plan_create(context, pipeline, &in->shape, &options, &plan, error) == GF_OK &&
                    gf_exec_create(plan, &exec, error) == GF_OK && gf_exec_run(exec, in, out, error) == GF_OK;
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return ok;
}

enum { SIDE = 7 };

/* Checks what the text makes of a picture of 7 x 7: '#' is 200, '.' is 100. */
static void check_drawing(const char *text, const char *in, const char *expected)
{
    uint8_t from[SIDE * SIDE], to[SIDE * SIDE];
    const gf_shape shape = {SIDE, SIDE, 1, GF_U8};
    gf_image source = {.struct_size = sizeof(gf_image),
                       .device = GF_DEVICE_CPU,
                       .shape = shape,
                       .data = from,
                       .pitch = SIDE};
    gf_image made = {
        .struct_size = sizeof(gf_image), .device = GF_DEVICE_CPU, .shape = shape, .data = to, .pitch = SIDE};
    gf_error error = GF_ERROR_INIT;
    char drawn[SIDE * SIDE + 1] = "";
    for (int i = 0; i < SIDE * SIDE; i++) {
        from[i] = in[i] == '#' ? 200 : 100;
    }
    if (!run(text, &source, &made, &error)) {
        check_that(0, __FILE__, __LINE__, "%s: %s", text, error.message);
        return;
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        drawn[i] = to[i] == 200 ? '#' : to[i] == 100 ? '.' : '?';
    }
    CHECK_MSG(strcmp(drawn, expected) == 0, "%s made %s, must be %s", text, drawn, expected);
}

static const char POINT[] = "......."
                            "......."
                            "......."
                            "...#..."
                            "......."
                            "......."
                            ".......";

static void shapes(void)
{
    check_drawing("dilate:3:shape=disk", POINT,
                  "...#..."
                  ".#####."
                  ".#####."
                  "#######"
                  ".#####."
                  ".#####."
                  "...#...");
    check_drawing("dilate:2:shape=diamond", POINT,
                  "......."
                  "...#..."
                  "..###.."
                  ".#####."
                  "..###.."
                  "...#..."
                  ".......");
    check_drawing("dilate:2:shape=cross", POINT,
                  "......."
                  "...#..."
                  "...#..."
                  ".#####."
                  "...#..."
                  "...#..."
                  ".......");
    check_drawing("dilate:width=2:height=3", POINT,
                  "......."
                  "......."
                  "...##.."
                  "...##.."
                  "...##.."
                  "......."
                  ".......");
}

/* The footprint of dilate is turned: a point grows into the drawing of the footprint itself. */
static void footprints(void)
{
    check_drawing("dilate:footprint=[1 1 0; 0 1 0; 0 0 0]", POINT,
                  "......."
                  "......."
                  "..##..."
                  "...#..."
                  "......."
                  "......."
                  ".......");
    check_drawing("invert,erode:footprint=[1 1 0; 0 1 0; 0 0 0],invert", POINT,
                  "......."
                  "......."
                  "......."
                  "...#..."
                  "...##.."
                  "......."
                  ".......");
    check_drawing("open:footprint=[1 1 0; 0 1 0; 0 0 0]", POINT,
                  "......."
                  "......."
                  "......."
                  "......."
                  "......."
                  "......."
                  ".......");
    check_drawing("erode:footprint=[0 0 1]", POINT,
                  "......."
                  "......."
                  "......."
                  "..#...."
                  "......."
                  "......."
                  ".......");
}

static void refused(void)
{
    static const char *const texts[][2] = {
        {"erode:footprint=[0 0; 0 0]", "footprint is all 0, must have at least one 1"},
        {"erode:footprint=[1 0.5]", "row 1, column 2 of footprint is 0.5, must be 0 or 1"},
        {"erode:2:footprint=[1 0]", "footprint= stands instead of radius, width, height and shape"},
        {"erode:shape=disk:width=3", "width= and height= are of shape=rect; the size of a disk is radius="},
    };
    uint8_t pixels[4] = {0};
    gf_image image = {.struct_size = sizeof image,
                      .device = GF_DEVICE_CPU,
                      .shape = {2, 2, 1, GF_U8},
                      .data = pixels,
                      .pitch = 2};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gf_error error = GF_ERROR_INIT;
        CHECK_MSG(!run(texts[i][0], &image, &image, &error) && strstr(error.message, texts[i][1]), "%s: %s",
                  texts[i][0], error.message);
    }
}

/* ---- promises ---- */

/* Pictures of both texts, and whether each sample of the first is at most that of the second (or equal). */
static void check_order(const char *first, const char *second, const gf_image *in, bool equal)
{
    struct parity_picture a, b;
    gf_error error = GF_ERROR_INIT;
    if (!parity_picture_make(&a, &in->shape, 0) || !parity_picture_make(&b, &in->shape, 0) ||
        !run(first, in, &a.image, &error) || !run(second, in, &b.image, &error)) {
        check_that(0, __FILE__, __LINE__, "%s, %s: %s", first, second, error.message);
        return;
    }
    int64_t wrong = 0;
    for (int64_t y = 0; y < in->shape.height; y++) {
        const float *p = (const float *)(const void *)((const char *)a.image.data + y * a.image.pitch);
        const float *q = (const float *)(const void *)((const char *)b.image.data + y * b.image.pitch);
        for (int64_t x = 0; x < in->shape.width * in->shape.channels; x++) {
            wrong += equal ? p[x] != q[x] : !(p[x] <= q[x]);
        }
    }
    CHECK_MSG(wrong == 0, "%s and %s: %lld samples", first, second, (long long)wrong);
    parity_picture_free(&a);
    parity_picture_free(&b);
}

/* An opening lies below the picture, a closing above it, and a second one changes nothing. */
static void openings(void)
{
    static const char *const windows[] = {
        "3", "width=4:height=7", "4:shape=disk", "5:shape=diamond", "3:shape=cross", "30"};
    const gf_shape shape = {61, 23, 1, GF_F32};
    struct parity_picture in;
    REQUIRE(noise(&in, &shape, 5));
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        char open[64], close[64], twice[128];
        snprintf(open, sizeof open, "open:%s", windows[i]);
        snprintf(close, sizeof close, "close:%s", windows[i]);
        check_order(open, "erode:0", &in.image, false);
        check_order("erode:0", close, &in.image, false);
        snprintf(twice, sizeof twice, "%s,%s", open, open);
        check_order(twice, open, &in.image, true);
        snprintf(twice, sizeof twice, "%s,%s", close, close);
        check_order(twice, close, &in.image, true);
    }
    parity_picture_free(&in);
}

/* Inside a roi an opening is that of the whole picture, whose first pass does not end there; outside the
 * picture stays. */
static void regions(void)
{
    const gf_shape shape = {61, 23, 1, GF_F32};
    struct parity_picture in, part, whole;
    gf_error error = GF_ERROR_INIT;
    REQUIRE(noise(&in, &shape, 6) && noise(&part, &shape, 0) && noise(&whole, &shape, 0));
    CHECK_MSG(run("open:3:roi=20x9+11+5", &in.image, &part.image, &error) &&
                  run("open:3", &in.image, &whole.image, &error),
              "%s", error.message);
    int64_t wrong = 0;
    for (int64_t y = 0; y < shape.height; y++) {
        for (int64_t x = 0; x < shape.width; x++) {
            const bool inside = x >= 11 && x < 31 && y >= 5 && y < 14;
            const gf_image *expected = inside ? &whole.image : &in.image;
            wrong += ((const float *)part.image.data)[y * (part.image.pitch / 4) + x] !=
                     ((const float *)expected->data)[y * (expected->pitch / 4) + x];
        }
    }
    CHECK_MSG(wrong == 0, "%lld samples", (long long)wrong);
    parity_picture_free(&in);
    parity_picture_free(&part);
    parity_picture_free(&whole);
}

static const struct check_case cases[] = {
    {"small pictures", small_pictures},
    {"large pictures", large_pictures},
    {"shapes", shapes},
    {"footprints", footprints},
    {"refused", refused},
    {"openings", openings},
    {"regions", regions},
};
CHECK_MAIN(cases)
