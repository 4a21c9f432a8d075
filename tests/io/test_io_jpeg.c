/* JPEG. Files of kinds that the library does not write are made with libjpeg itself. */
#define _DEFAULT_SOURCE
#include "gpufilter/io_memory.h"
#include "io_help.h"
#include "jpeg_smooth.h"

static int largest_difference(const gf_image *a, const gf_image *b)
{
    int most = 0;
    if (a->shape.width != b->shape.width || a->shape.height != b->shape.height ||
        a->shape.channels != b->shape.channels || a->shape.depth != b->shape.depth) {
        return 999;
    }
    for (int64_t y = 0; y < a->shape.height; y++) {
        for (size_t i = 0; i < row_bytes(a); i++) {
            int difference = ((unsigned char *)a->data)[(size_t)(y * a->pitch) + i] -
                             ((unsigned char *)b->data)[(size_t)(y * b->pitch) + i];
            most = abs(difference) > most ? abs(difference) : most;
        }
    }
    return most;
}

static void close_copies(void)
{
    static const int64_t jpeg_sizes[][2] = {{1, 1}, {1, 9}, {8, 8}, {9, 1}, {17, 33}, {65, 40}, {300, 20}};
    for (int channels = 1; channels <= 3; channels += 2) {
        for (size_t i = 0; i < sizeof jpeg_sizes / sizeof jpeg_sizes[0]; i++) {
            gf_error error = GF_ERROR_INIT;
            gf_write_options options = GF_WRITE_OPTIONS_INIT;
            gf_picture *out = make_smooth(jpeg_sizes[i][0], jpeg_sizes[i][1], channels), *in = NULL;
            options.jpeg_quality = 98;
            CHECK_EQ_INT(gf_io_write(in_folder("a.jpg"), &out->image, NULL, &options, &error), GF_OK);
            CHECK_EQ_INT(gf_io_read(in_folder("a.jpg"), NULL, &in, &error), GF_OK);
            CHECK_MSG(in != NULL && largest_difference(&in->image, &out->image) <= 12,
                      "%lld x %lld x %d: %d, %s", (long long)jpeg_sizes[i][0], (long long)jpeg_sizes[i][1],
                      channels, in != NULL ? largest_difference(&in->image, &out->image) : -1, error.message);
            gf_picture_destroy(&in);
            gf_picture_destroy(&out);
        }
    }
}

/* The byte of the frame header that holds the sampling factors of the first component. */
static int sampling(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i + 12 < size; i++) {
        if (bytes[i] == 0xff && bytes[i + 1] == 0xc0) {
            return bytes[i + 11];
        }
    }
    return -1;
}

static void quality(void)
{
    static const int levels[] = {-1, 0, 1, 50, 89, 90, 100, 101};
    gf_picture *out = make_smooth(64, 64, 3);
    size_t last = 0;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_write_options options = GF_WRITE_OPTIONS_INIT;
        CHECK_EQ_INT(options.jpeg_quality, 90);
        options.jpeg_quality = levels[i];
        gf_status status = gf_io_write(in_folder("q.jpeg"), &out->image, NULL, &options, &error);
        int valid = levels[i] >= 1 && levels[i] <= 100;
        CHECK_EQ_INT(status, valid ? GF_OK : GF_ERROR_ARGUMENT);
        if (valid) {
            size_t size = 0;
            unsigned char *bytes = get_file(in_folder("q.jpeg"), &size);
            CHECK_EQ_INT(sampling(bytes, size), levels[i] < 90 ? 0x22 : 0x11);
            CHECK(size > last);
            last = size;
            free(bytes);
        } else {
            CHECK_STR_HAS(error.message, "is outside 1 to 100");
        }
    }
    gf_picture_destroy(&out);
}

static void refused_pictures(void)
{
    static const struct {
        int64_t width;
        int channels;
        gf_depth depth;
        const char *says;
    } table[] = {
        {4, 4, GF_U8,
         "jpeg holds gray and RGB, not RGBA; png holds that, and the stage alpha:over or alpha:drop takes "
         "alpha away"},
        {4, 2, GF_U8,
         "jpeg holds gray and RGB, not gray + alpha; png holds that, and the stage alpha:over or alpha:drop "
         "takes alpha away"},
        {4, 3, GF_U16, "jpeg does not hold u16; the nearest it holds is u8"},
        {65501, 1, GF_U8, "jpeg holds at most 65500 pixels each way, not 65501 x 1; png holds more"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *out = make_picture(table[i].width, 1, table[i].channels, table[i].depth);
        CHECK_EQ_INT(gf_io_write(in_folder("r.jpg"), &out->image, NULL, NULL, &error), GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(error.message, table[i].says);
        CHECK(access(in_folder("r.jpg"), F_OK) != 0);
        gf_picture_destroy(&out);
    }
}

static void every_kind(void)
{
    static const struct {
        struct jpeg_kind kind;
        int channels;
        unsigned char pixel[3], expected[3];
    } table[] = {
        {{.space = JCS_GRAYSCALE}, 1, {77}, {77}},
        {{.space = JCS_GRAYSCALE, .progressive = 1}, 1, {200}, {200}},
        {{.space = JCS_RGB}, 3, {200, 100, 50}, {200, 100, 50}},
        {{.space = JCS_RGB, .stored = JCS_RGB}, 3, {200, 100, 50}, {200, 100, 50}},
        {{.space = JCS_RGB, .progressive = 1, .restart = 3}, 3, {20, 100, 250}, {20, 100, 250}},
        {{.space = JCS_CMYK, .stored = JCS_CMYK, .key = 255}, 3, {200, 100, 50}, {200, 100, 50}},
        {{.space = JCS_CMYK, .stored = JCS_YCCK, .key = 128}, 3, {200, 100, 50}, {100, 50, 25}},
        {{.space = JCS_CMYK, .stored = JCS_CMYK, .key = 0, .plain = 1}, 3, {200, 100, 50}, {55, 155, 205}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        static unsigned char bytes[1 << 16];
        struct jpeg_kind kind = table[i].kind;
        gf_error error;
        memcpy(kind.pixel, table[i].pixel, 3);
        size_t size = jpeg_make(bytes, sizeof bytes, &kind);
        gf_picture *in = read_bytes(bytes, size, NULL, &error);
        CHECK_MSG(in != NULL, "kind %zu: %s", i, error.message);
        if (in != NULL) {
            const unsigned char *last = (unsigned char *)in->image.data + 22 * in->image.pitch;
            CHECK_EQ_INT(in->image.shape.channels, table[i].channels);
            CHECK_EQ_INT(in->image.shape.height, 23);
            for (int c = 0; c < table[i].channels; c++) {
                CHECK_NEAR(last[c], table[i].expected[c], 2);
            }
            CHECK((strstr(in->note, "CMYK") != NULL) == (kind.space == JCS_CMYK));
        }
        gf_picture_destroy(&in);
        check_cuts("jpeg", bytes, size);
    }
}

static void every_bit(void)
{
    for (int progressive = 0; progressive < 2; progressive++) {
        static unsigned char bytes[1 << 16];
        size_t size =
            jpeg_make(bytes, sizeof bytes,
                      &(struct jpeg_kind){.space = JCS_RGB, .progressive = progressive, .restart = 2});
        check_bits(bytes, size);
    }
}

/* Files changed at one place. */
static void what_is_wrong_is_named(void)
{
    static unsigned char bytes[1 << 16];
    gf_error error;
    size_t size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_RGB, .restart = 1});
    size_t frame = jpeg_find(bytes, size, 0xc0), restart = jpeg_find(bytes, size, 0xd1);
    REQUIRE(frame != 0 && restart != 0);
    bytes[frame + 4] = 12;
    CHECK(read_bytes(bytes, size, NULL, &error) == NULL);
    CHECK_STR_HAS(error.message, "a kind of JPEG that is not read: Unsupported JPEG data precision 12");
    bytes[frame + 4] = 8;
    bytes[frame + 1] = 0xc9;
    CHECK(read_bytes(bytes, size, NULL, &error) == NULL);
    CHECK_STR_HAS(error.message, "a kind of JPEG that is not read: arithmetic coding");
    bytes[frame + 1] = 0xc3;
    CHECK(read_bytes(bytes, size, NULL, &error) == NULL);
    CHECK_STR_HAS(error.message, "a kind of JPEG that is not read: Unsupported JPEG process: SOF type 0xc3");
    bytes[frame + 1] = 0xc0;
    bytes[restart + 1] = 0xd5;
    CHECK(read_bytes(bytes, size, NULL, &error) == NULL);
    CHECK_STR_HAS(error.message, "damaged JPEG: Corrupt JPEG data: found marker 0xd5 instead of RST1");
    bytes[restart + 1] = 0xd1;
    gf_picture *in = read_bytes(bytes, size, NULL, &error);
    CHECK(in != NULL && in->note[0] == '\0');
    gf_picture_destroy(&in);
    size = jpeg_insert(bytes, size, size, "tail", 4);
    in = read_bytes(bytes, size, NULL, &error);
    CHECK(in != NULL && in->note[0] == '\0');
    gf_picture_destroy(&in);
    size = jpeg_insert(bytes, size, size - 6, (const char[40]){0}, 40);
    in = read_bytes(bytes, size, NULL, &error);
    CHECK_STR_HAS(in != NULL ? in->note : error.message, "extraneous bytes before marker 0xd9");
    gf_picture_destroy(&in);
    size = jpeg_insert(bytes, size, restart, "sam", 3);
    CHECK(read_bytes(bytes, size, NULL, &error) == NULL);
    CHECK_STR_HAS(error.message, "damaged JPEG: Corrupt JPEG data: 3 extraneous bytes before marker 0xd1");
}

static void limits_hold(void)
{
    static unsigned char bytes[1 << 16], small[3001], exif[77];
    gf_error error = GF_ERROR_INIT;
    gf_metadata metadata;
    gf_picture *out = make_smooth(400, 300, 3), *in = NULL;
    fill_metadata(&metadata, small, exif);
    REQUIRE(gf_io_write(in_folder("lim.jpg"), &out->image, &metadata, NULL, NULL) == GF_OK);
    gf_picture_destroy(&out);
    for (int i = 0; i < 6; i++) {
        static const char *const says[] = {"400 x 300 pixels, beyond max_width, 399",
                                           "400 x 300 pixels, beyond max_height, 299",
                                           "400 x 300 pixels, beyond max_pixels, 119999",
                                           "bytes of metadata, beyond max_metadata_bytes, 3000",
                                           "beyond max_memory, 4000",
                                           "exceed max_input_bytes, 1000"};
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        limits.max_width = i == 0 ? 399 : 400;
        limits.max_height = i == 1 ? 299 : 300;
        limits.max_pixels = i == 2 ? 119999 : 120000;
        limits.max_metadata_bytes = i == 3 ? 3000 : 4000;
        limits.max_memory = i == 4 ? 4000 : 1 << 20;
        limits.max_input_bytes = i == 5 ? 1000 : 1 << 20;
        CHECK_EQ_INT(gf_io_read(in_folder("lim.jpg"), &limits, &in, &error), GF_ERROR_LIMIT);
        CHECK_STR_HAS(error.message, says[i]);
    }
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    size_t size =
        jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_RGB, .progressive = 1, .large = 1});
    for (limits.max_memory = 1 << 21; limits.max_memory > 1000;
         limits.max_memory = limits.max_memory / 8 * 7) {
        in = read_bytes(bytes, size, &limits, &error); /* its coefficients are 195 KB */
        CHECK_MSG(in != NULL ? limits.max_memory > 195000 : error.code == GF_ERROR_LIMIT, "%s",
                  error.message);
        gf_picture_destroy(&in);
    }
    limits = (gf_io_limits)GF_IO_LIMITS_INIT;
    /* A file of few bytes cannot claim many pixels. */
    size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_GRAYSCALE, .progressive = 1});
    size_t frame = jpeg_find(bytes, size, 0xc2);
    REQUIRE(frame != 0);
    memcpy(bytes + frame + 5, "\x3f\xff\x3f\xff", 4);
    CHECK(read_bytes(bytes, size, NULL, &error) == NULL);
    CHECK_STR_HAS(error.message, "bytes cannot hold 16383 x 16383 pixels");
}

static uint64_t held_of(gf_status opened, gf_reader **reader)
{
    CHECK_EQ_INT(opened, GF_OK);
    uint64_t held = gf_reader_source(*reader).held;
    gf_reader_close(reader);
    return held;
}

/* Coefficients of more scans than one, a band that is turned; for HDR all samples. */
static void what_is_held(void)
{
    static unsigned char bytes[1 << 18];
    static const struct jpeg_kind kinds[] = {{.space = JCS_RGB, .large = 1},
                                             {.space = JCS_RGB, .large = 1, .restart = 2},
                                             {.space = JCS_RGB, .large = 1, .progressive = 1},
                                             {.space = JCS_RGB, .large = 1, .apart = 1},
                                             {.space = JCS_GRAYSCALE, .large = 1, .progressive = 1}};
    const uint64_t expected[] = {0, 0, (35 * 29 + 2 * 18 * 15) * 128, (35 * 29 + 2 * 18 * 15) * 128,
                                 35 * 29 * 128};
    gf_error error = GF_ERROR_INIT;
    gf_reader *reader = NULL;
    for (int i = 0; i < 5; i++) {
        size_t size = jpeg_make(bytes, sizeof bytes, &kinds[i]);
        uint64_t held = held_of(gf_reader_open_memory(bytes, size, NULL, NULL, &reader, &error), &reader);
        CHECK_MSG(held == expected[i], "%d: %llu bytes", i, (unsigned long long)held);
    }
    static const unsigned char turned[] = "II*\0\10\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0";
    gf_metadata metadata = GF_METADATA_INIT;
    metadata.exif = turned;
    metadata.exif_size = sizeof turned;
    gf_picture *out = make_smooth(300, 200, 3);
    CHECK_EQ_INT(gf_io_write(in_folder("turned.jpg"), &out->image, &metadata, NULL, &error), GF_OK);
    CHECK_EQ_INT((int)held_of(gf_reader_open(in_folder("turned.jpg"), NULL, &reader, &error), &reader),
                 64 * 900);
    gf_picture_destroy(&out);
    const gf_format *hdr = NULL;
    if (gf_io_format_for("a.hdr", NULL, &hdr, NULL) == GF_OK) {
        out = make_picture(30, 20, 3, GF_F32);
        CHECK_EQ_INT(gf_io_write(in_folder("a.hdr"), &out->image, NULL, NULL, &error), GF_OK);
        CHECK_EQ_INT((int)held_of(gf_reader_open(in_folder("a.hdr"), NULL, &reader, &error), &reader),
                     30 * 20 * 12);
        gf_picture_destroy(&out);
    }
}

static void too_many_scans(void)
{
    static unsigned char bytes[1 << 18];
    gf_error error;
    size_t size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_RGB, .apart = 1});
    size_t scan = jpeg_find(bytes, size, 0xda),
           next = scan + 2 + jpeg_find(bytes + scan + 2, size - scan - 2, 0xda);
    static unsigned char copy[4096];
    REQUIRE(scan != 0 && next - scan < sizeof copy);
    memcpy(copy, bytes + scan, next - scan);
    for (int scans = 3; scans <= 101; scans++) {
        gf_picture *in = scans % 7 == 0 || scans > 98 ? read_bytes(bytes, size, NULL, &error) : NULL;
        if (scans > 98 || scans % 7 == 0) {
            CHECK_MSG((in != NULL) == (scans <= 100), "%d scans: %s", scans, error.message);
        }
        gf_picture_destroy(&in);
        size = jpeg_insert(bytes, size, scan, copy, next - scan);
    }
    CHECK(error.code == GF_ERROR_LIMIT && strstr(error.message, "more than 100 scans") != NULL);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"written and read, close to what it was", close_copies},
    {"quality, and the resolution of colour", quality},
    {"pictures that it does not hold", refused_pictures},
    {"gray, RGB, CMYK, progressive, restarts; every cut", every_kind},
    {"every changed bit", every_bit},
    {"what is wrong is named", what_is_wrong_is_named},
    {"limits", limits_hold},
    {"what a source holds beside its rows", what_is_held},
    {"too many scans", too_many_scans},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
