/* JPEG read 2, 4 and 8 times smaller: sides rounded up, each sample near the mean of its block, the rows once
 * more, and by a file; what cannot be shrunk, and how a pipeline is told its size before. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"
#include "gpufilter/io_memory.h"

#include <stdlib.h>

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

static const struct check_case cases[] = {{"sizes, and the mean of each block", sizes},
                                          {"what is refused", refused},
                                          {"sizes of pipelines", sizes_of_pipelines}};
CHECK_MAIN(cases)
