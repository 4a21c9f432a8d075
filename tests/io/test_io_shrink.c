/* JPEG read 2, 4 and 8 times smaller: sides rounded up, each sample near the mean of its block, the rows once
 * more, and by a file; what cannot be shrunk, how a pipeline is told its size before, and that what it makes
 * of the picture lies where it lay. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"
#include "gpufilter/io_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 203, H = 101 };

/* A slope without an edge, so that blocks are near to their means. */
static void fill(uint8_t *pixels)
{
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            for (int c = 0; c < 3; c++) {
                pixels[(y * W + x) * 3 + c] = (uint8_t)(20 + x / 2 + y + 5 * c);
            }
        }
    }
}

static gf_reader *open_shrunk(const char *format, int32_t factor, void **bytes, gf_status *status,
                              gf_error *error)
{
    static uint8_t pixels[W * H * 3];
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    const gf_image image = gf_image_view(pixels, W, H, 3, GF_U8, 0);
    gf_reader *reader = NULL;
    size_t size;
    options.jpeg_quality = 100;
    fill(pixels);
    *status = gf_io_write_memory(format, &image, NULL, &options, bytes, &size, error);
    *status =
        *status == GF_OK ? gf_reader_open_memory(*bytes, size, "picture", NULL, &reader, error) : *status;
    *status = *status == GF_OK ? gf_reader_shrink(reader, factor, error) : *status;
    return reader;
}

/* Rows of a picture that is `factor` times smaller are means of the whole one's. */
static void check_rows(gf_source *source, int factor, gf_error *error)
{
    static uint8_t row[64 * 64];
    for (int64_t y = 0; y < source->shape.height - 1; y++) { /* the last may lack rows of its blocks */
        REQUIRE(source->rows(source->user, row, (W * 3 + 63) / 64 * 64, 1, error) == GF_OK);
        for (int64_t x = 0; x < source->shape.width - 1; x++) {
            const double mean = 20 + ((double)x + 0.5) * factor / 2 + ((double)y + 0.5) * factor - 0.75;
            CHECK_NEAR(row[3 * x], mean, 3.0);
        }
    }
    REQUIRE(source->rows(source->user, row, (W * 3 + 63) / 64 * 64, 1, error) == GF_OK);
}

static void sizes(void)
{
    for (int32_t factor = 1; factor <= 8; factor *= 2) {
        gf_error error = GF_ERROR_INIT;
        gf_status status;
        void *bytes = NULL;
        gf_reader *reader = open_shrunk("jpeg", factor, &bytes, &status, &error);
        REQUIRE(status == GF_OK);
        gf_source source = gf_reader_source(reader);
        CHECK(source.shape.width == (W + factor - 1) / factor &&
              source.shape.height == (H + factor - 1) / factor);
        CHECK(gf_reader_info(reader)->shape.width == source.shape.width);
        check_rows(&source, factor, &error);
        REQUIRE(source.again != NULL && source.again(source.user, &error) == GF_OK);
        check_rows(&source, factor, &error);
        CHECK(gf_reader_finish(reader, &error) == GF_OK);
        gf_reader_close(&reader);
        gf_io_free_memory(bytes);
    }
}

static void refused(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_status status;
    void *bytes = NULL;
    gf_reader *reader = open_shrunk("png", 2, &bytes, &status, &error);
    CHECK(status == GF_ERROR_UNSUPPORTED);
    CHECK_STR(error.message, "picture: png is read in its own size; jpeg can be smaller");
    CHECK(gf_reader_shrink(reader, 1, &error) == GF_OK && gf_reader_info(reader)->shape.width == W);
    gf_reader_close(&reader);
    gf_io_free_memory(bytes);
    reader = open_shrunk("jpeg", 4, &bytes, &status, &error);
    REQUIRE(status == GF_OK);
    CHECK(gf_reader_shrink(reader, 4, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_reader_shrink(reader, 3, &error) == GF_ERROR_ARGUMENT);
    CHECK(gf_reader_shrink(NULL, 2, &error) == GF_ERROR_ARGUMENT);
    gf_reader_close(&reader);
    gf_io_free_memory(bytes);
}

/* The size that a resize makes of the whole picture is what it makes of a smaller one, too. */
static void sizes_of_pipelines(void)
{
    static const struct {
        const char *text, *printed;
        int64_t width, height;
    } texts[] = {{"resize:50%,invert", "resize:width=102:height=51,invert", 102, 51},
                 {"resize:20x", "resize:width=20:height=10", 20, 10},
                 {"resize:20x20:fit=inside", "resize:width=20:height=10", 20, 10},
                 {"resize:20x20:fit=cover", "resize:size=20x20:fit=cover", W, H},
                 {"convert:f32,resize:20x", "convert,resize:width=20:height=10", 20, 10},
                 {"convert:u16", "convert:depth=u16", W, H},
                 {"convert,convert,resize:20x", "convert,convert,resize:size=20x", W, H},
                 {"invert,resize:20x", "invert,resize:size=20x", W, H}};
    const gf_shape in = {W, H, 3, GF_U8};
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    REQUIRE(gf_context_create(NULL, &context, &error) == GF_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char printed[200];
        size_t length;
        gf_shape size;
        gf_pipeline *pipeline = NULL;
        REQUIRE(gf_pipeline_parse(texts[i].text, NULL, 0, &pipeline, &error) == GF_OK);
        CHECK(gf_pipeline_fix_size(context, pipeline, &in, &size, &error) == GF_OK);
        CHECK(size.width == texts[i].width && size.height == texts[i].height);
        CHECK(gf_pipeline_print(pipeline, GF_PRINT_TEXT, printed, sizeof printed, &length, &error) == GF_OK);
        CHECK_STR(printed, texts[i].printed);
        gf_pipeline_destroy(&pipeline);
    }
    gf_context_destroy(&context);
}

/* Returns what `text`, which begins with resize, makes of a JPEG read 8 times smaller; of u8, the caller's.
 */
static uint8_t *resized(const void *bytes, size_t size, const char *text, gf_shape *shape)
{
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_picture *picture = NULL;
    gf_reader *reader = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    uint8_t *made = NULL;
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status ? status : gf_pipeline_parse(text, NULL, 0, &pipeline, &error);
    status = status ? status : gf_reader_open_memory(bytes, size, "picture", NULL, &reader, &error);
    status = status ? status
                    : gf_pipeline_fix_size(context, pipeline, &gf_reader_info(reader)->shape, shape, &error);
    status = status ? status : gf_reader_shrink(reader, 8, &error);
    status = status ? status : gf_reader_picture(reader, &picture, &error);
    status = status ? status : gf_plan_create(context, pipeline, &picture->image.shape, NULL, &plan, &error);
    status = status ? status : gf_exec_create(plan, &exec, &error);
    CHECK_MSG(status == GF_OK || strstr(error.message, "EXIF turns it, and a side does not divide"), "%s: %s",
              text, error.message);
    if (status == GF_OK) {
        made = malloc((size_t)(shape->width * shape->height * 3));
        gf_image out = gf_image_view(made, shape->width, shape->height, 3, GF_U8, 0);
        CHECK(gf_exec_run(exec, &picture->image, &out, &error) == GF_OK);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_picture_destroy(&picture);
    gf_reader_close(&reader);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return made;
}

/* A slope along x in one channel and along y in another, stored in this orientation: each pixel but those at
 * the edge is what the slopes are in its middle. Turned, with sides that are
 * rounded up, it is refused.
 */
static void place(int stored_width, int stored_height, int orientation)
{
    static uint8_t pixels[264 * 136 * 3];
    const bool mirrored = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    const bool flipped = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
    const bool transposed = orientation > 4;
    const int width = transposed ? stored_height : stored_width,
              height = transposed ? stored_width : stored_height;
    uint8_t exif[] = "II*\0\10\0\0\0\1\0\x12\1\3\0\1\0\0\0\0\0\0\0\0\0\0\0\0";
    gf_metadata metadata = GF_METADATA_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    const gf_image image = gf_image_view(pixels, stored_width, stored_height, 3, GF_U8, 0);
    void *bytes = NULL;
    size_t size = 0;
    gf_shape shape;
    char text[80];
    for (int i = 0; i < stored_width * stored_height; i++) {
        pixels[3 * i] = (uint8_t)(i % stored_width * 0.9);
        pixels[3 * i + 1] = (uint8_t)(i / stored_width * 1.5);
        pixels[3 * i + 2] = 100;
    }
    exif[18] = (uint8_t)orientation;
    metadata.exif = exif;
    metadata.exif_size = 26;
    options.jpeg_quality = 100;
    REQUIRE(gf_io_write_memory("jpeg", &image, &metadata, &options, &bytes, &size, NULL) == GF_OK);
    snprintf(text, sizeof text, "resize:%dx%d:filter=triangle", width / 8 - 2, height / 8 - 2);
    uint8_t *made = resized(bytes, size, text, &shape);
    CHECK_MSG((made != NULL) == (orientation == 1 || (width % 8 == 0 && height % 8 == 0)),
              "%d x %d, orientation %d", width, height, orientation);
    for (int64_t y = 1; made && y < shape.height - 1; y++) {
        for (int64_t x = 1; x < shape.width - 1; x++) {
            const double right = ((double)x + 0.5) * width / (double)shape.width;
            const double below = ((double)y + 0.5) * height / (double)shape.height;
            const double u = mirrored ? width - right : right, v = flipped ? height - below : below;
            const uint8_t *pixel = made + 3 * (y * shape.width + x);
            CHECK_NEAR(pixel[0], ((transposed ? v : u) - 0.5) * 0.9 - 0.5, 3.0);
            CHECK_NEAR(pixel[1], ((transposed ? u : v) - 0.5) * 1.5 - 0.5, 3.0);
        }
    }
    free(made);
    gf_io_free_memory(bytes);
}

static void places(void)
{
    for (int i = 0; i < 4 * 8; i++) {
        place(i & 1 ? 257 : 264, i & 2 ? 133 : 136, 1 + i / 4);
    }
}

/* 41 x 33 white pixels, and in the rest of their blocks black ones, as in a larger picture that has been cut.
 */
static void padding_does_not_show(void)
{
    static uint8_t pixels[48 * 40 * 3];
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    const gf_image image = gf_image_view(pixels, 48, 40, 3, GF_U8, 0);
    uint8_t *bytes;
    void *given = NULL;
    size_t size = 0, at = 0;
    gf_shape shape;
    for (int i = 0; i < 48 * 40; i++) {
        memset(pixels + 3 * i, i % 48 < 41 && i / 48 < 33 ? 255 : 0, 3);
    }
    options.jpeg_quality = 100;
    REQUIRE(gf_io_write_memory("jpeg", &image, NULL, &options, &given, &size, NULL) == GF_OK);
    bytes = given;
    while (at + 9 < size && (bytes[at] != 0xff || bytes[at + 1] != 0xc0)) {
        at++;
    }
    REQUIRE(bytes[at + 6] == 40 && bytes[at + 8] == 48);
    bytes[at + 6] = 33;
    bytes[at + 8] = 41;
    uint8_t *made = resized(bytes, size, "resize:5x4", &shape);
    REQUIRE(made != NULL);
    for (int i = 0; i < 5 * 4 * 3; i++) {
        CHECK_NEAR(made[i], 255, 2);
    }
    free(made);
    gf_io_free_memory(given);
}

static const struct check_case cases[] = {{"sizes, and the mean of each block", sizes},
                                          {"what is refused", refused},
                                          {"sizes of pipelines", sizes_of_pipelines},
                                          {"what is made of it lies where it lay", places},
                                          {"what pads the last blocks", padding_does_not_show}};
CHECK_MAIN(cases)
