/* HEIF and AVIF: files of tests/tools/make_heif.c, whose every sample is known. */
#define _DEFAULT_SOURCE
#include "foreign_leaks.h"
#include "io_help.h"

enum { WIDTH = 9, HEIGHT = 7 };

static const char *seed(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/heif/%s", GF_SEEDS, name);
    return path;
}

static gf_picture *read_seed(const char *name, int64_t page)
{
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    limits.page = page;
    const gf_status status = gf_io_read(seed(name), &limits, &picture, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    return picture;
}

static void check_rgb(const gf_picture *picture, const char *name, int add)
{
    const gf_image *image = &picture->image;
    REQUIRE(image->shape.width == WIDTH && image->shape.height == HEIGHT && image->shape.depth == GF_U8);
    for (int y = 0; y < HEIGHT; y++) {
        for (int i = 0; i < WIDTH * image->shape.channels; i++) {
            const int x = i / image->shape.channels, c = i % image->shape.channels;
            const int must = x * 13 + y * 7 + c * (c < 3 ? 50 : 25) + add;
            const int is = ((const unsigned char *)image->data + y * image->pitch)[i];
            CHECK_MSG(is == must, "%s at %d %d channel %d: %d, not %d", name, x, y, c, is, must);
        }
    }
}

static void samples_of_8_bits(void)
{
    static const struct {
        const char *name, *compression;
        int channels;
    } files[] = {{"rgb_av1", "AV1", 3}, {"rgb_hevc", "HEVC", 3}, {"rgba_av1", "AV1", 4}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        gf_file_info info = GF_FILE_INFO_INIT;
        gf_picture *picture = read_seed(files[i].name, 0);
        REQUIRE(picture != NULL && gf_io_probe(seed(files[i].name), NULL, &info, NULL) == GF_OK);
        CHECK_STR(info.compression, files[i].compression);
        CHECK(info.stored_bits == 8 && info.pages == 1 && info.whole);
        CHECK_EQ_INT(picture->image.shape.channels, files[i].channels);
        CHECK_STR(picture->note, "");
        check_rgb(picture, files[i].name, 0);
        CHECK(picture->metadata.cicp[0] == 1 && picture->metadata.cicp[1] == 13 &&
              picture->metadata.cicp[2] == 0 && picture->metadata.cicp[3] == 1);
        gf_picture_destroy(&picture);
    }
}

/* At full scale, to the last rounding. */
static void samples_of_more_bits(void)
{
    for (int bits = 10; bits <= 12; bits += 2) {
        const int64_t most = (1 << bits) - 1;
        gf_picture *picture = read_seed(bits == 10 ? "rgb10" : "rgb12", 0);
        REQUIRE(picture != NULL && picture->image.shape.depth == GF_U16 &&
                picture->image.shape.channels == 3);
        for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
            const int c = i % 3, x = i / 3 % WIDTH, y = i / 3 / WIDTH;
            const int64_t stored = (x * 13 + y * 7 + c * 50) * most / 255,
                          must = (2 * stored * 65535 + most) / (2 * most);
            const uint16_t *row = (const uint16_t *)(const void *)((const char *)picture->image.data +
                                                                   y * picture->image.pitch);
            CHECK_EQ_INT(row[i % (3 * WIDTH)], must);
        }
        gf_picture_destroy(&picture);
    }
}

static void turned_pages_and_multiplied(void)
{
    gf_picture *turned = read_seed("turned_hevc", 0), *plain = read_seed("rgb_hevc", 0);
    REQUIRE(turned != NULL && plain != NULL);
    REQUIRE(turned->image.shape.width == HEIGHT && turned->image.shape.height == WIDTH);
    for (int y = 0; y < WIDTH; y++) { /* a quarter clockwise */
        for (int x = 0; x < HEIGHT; x++) {
            CHECK_MEM((const char *)turned->image.data + y * turned->image.pitch + (ptrdiff_t)3 * x,
                      (const char *)plain->image.data + (HEIGHT - 1 - x) * plain->image.pitch +
                          (ptrdiff_t)3 * y,
                      3);
        }
    }
    gf_picture_destroy(&turned);
    gf_picture_destroy(&plain);
    static const int shown[] = {1, 0, 2}; /* the second of the file is its primary one */
    for (int64_t page = 0; page <= 3; page++) {
        gf_picture *picture = read_seed("pages_av1", page);
        REQUIRE(picture != NULL);
        check_rgb(picture, "pages_av1", shown[page > 0 ? page - 1 : 0]);
        CHECK_STR(picture->note, page == 0 ? "page 1 of 3" : "");
        gf_picture_destroy(&picture);
    }
    gf_picture *divided = read_seed("multiplied_av1", 0), *as_is = read_seed("rgba_av1", 0);
    REQUIRE(divided != NULL && as_is != NULL);
    for (int i = 0; i < WIDTH * 4; i++) {
        const unsigned char *is = divided->image.data, *was = as_is->image.data;
        const int alpha = was[i / 4 * 4 + 3], sum = (2 * was[i] * 255 + alpha) / (2 * alpha);
        CHECK_EQ_INT(is[i], i % 4 == 3 ? alpha : sum > 255 ? 255 : sum);
    }
    gf_picture_destroy(&divided);
    gf_picture_destroy(&as_is);
}

static void metadata_is_kept(void)
{
    static const char xmp[] = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>";
    gf_picture *picture = read_seed("metadata_av1", 0);
    REQUIRE(picture != NULL);
    const gf_metadata *m = &picture->metadata;
    CHECK(m->icc_size == 132 && memcmp((const char *)m->icc + 36, "acsp", 4) == 0);
    REQUIRE(m->exif_size == 26);
    CHECK_MEM(m->exif, "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x01\0\0\0\0\0\0",
              26); /* lies upright */
    REQUIRE(m->segments_size == sizeof xmp - 1 + 4);
    CHECK_MEM((const char *)m->segments + 4, xmp, sizeof xmp - 1);
    CHECK_STR(picture->note, "");
    check_rgb(picture, "metadata_av1", 0);
    gf_picture_destroy(&picture);
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error = GF_ERROR_INIT;
    limits.max_metadata_bytes = 131;
    CHECK_EQ_INT(gf_io_read(seed("metadata_av1"), &limits, &picture, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 132 bytes of metadata, beyond max_metadata_bytes, 131");
    limits.max_metadata_bytes = 170; /* EXIF has four bytes in front */
    REQUIRE(gf_io_read(seed("metadata_av1"), &limits, &picture, &error) == GF_OK);
    CHECK_STR(picture->note, "XMP of 37 bytes, too long, dropped");
    gf_picture_destroy(&picture);
}

static void limits_and_damage(void)
{
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    size_t size = 0;
    limits.max_pixels = 62;
    CHECK_EQ_INT(gf_io_read(seed("rgb_av1"), &limits, &picture, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 9 x 7 pixels, beyond max_pixels, 62");
    limits = (gf_io_limits)GF_IO_LIMITS_INIT;
    limits.max_memory = 9 * 7 * 2 * 6 - 1; /* the file is shorter */
    CHECK_EQ_INT(gf_io_read(seed("rgb10"), &limits, &picture, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "needs 756 bytes beside the picture, beyond max_memory, 755");
    limits.page = 2;
    CHECK_EQ_INT(gf_io_read(seed("rgb_av1"), &limits, &picture, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "there is no page 2: it has 1 page");
    unsigned char *bytes = get_file(seed("rgb_av1"), &size);
    REQUIRE(bytes != NULL);
    check_cuts("rgb_av1", bytes, size);
    check_bits(bytes, size);
    free(bytes);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"samples of 8 bits, AV1 and HEVC, with alpha", samples_of_8_bits},
    {"samples of 10 and 12 bits", samples_of_more_bits},
    {"turned; pages; multiplied alpha", turned_pages_and_multiplied},
    {"profile, EXIF and XMP", metadata_is_kept},
    {"limits, every cut, every changed bit", limits_and_damage},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
