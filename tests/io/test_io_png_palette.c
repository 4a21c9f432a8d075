/* PNG of few colours: the same pixels from 1, 2, 4 and 8 bits, gray of few bits, alpha, and what has no
 * palette. */
#define _DEFAULT_SOURCE
#include "io_help.h"

static uint8_t sample_of(int number, int channel)
{
    return channel == 3 ? (uint8_t)(number % 3 == 0 ? 255 : number)
                        : (uint8_t)(number * 7 + channel * 50 + number / 256 * (channel == 2));
}

/* A picture of exactly that many colours; of gray, multiples of `step`. */
static gf_picture *make_colours(int64_t width, int64_t height, int channels, int colours, int step)
{
    gf_picture *picture = make_picture(width, height, channels, GF_U8);
    for (int64_t y = 0; picture != NULL && y < height; y++) {
        unsigned char *row = (unsigned char *)picture->image.data + y * picture->image.pitch;
        for (int64_t x = 0; x < width; x++) {
            const int64_t at = y * width + x;
            const int number = (int)(at < colours ? at : (at * at / 3 + y) % colours);
            for (int c = 0; c < channels; c++) {
                *row++ = channels == 1 ? (uint8_t)(number * step) : sample_of(number, c);
            }
        }
    }
    return picture;
}

static gf_status write_palette(const char *path, const gf_picture *picture, int palette, int threads,
                               int64_t portion, const gf_metadata *metadata, gf_error *error)
{
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    const gf_image *image = &picture->image;
    const int64_t height = image->shape.height;
    gf_writer *writer;
    options.png_palette = palette;
    options.threads = threads;
    gf_status status = gf_writer_open(path, &image->shape, metadata, &options, &writer, error);
    if (status != GF_OK) {
        return status;
    }
    gf_sink sink = gf_writer_sink(writer);
    for (int64_t y = 0, n; y < height && status == GF_OK; y += n) {
        n = portion > 0 && portion < height - y ? portion : height - y;
        status = sink.rows(sink.user, (const char *)image->data + y * image->pitch, image->pitch, n, error);
    }
    if (status != GF_OK) {
        gf_writer_abort(&writer);
        return status;
    }
    return gf_writer_commit(&writer, error);
}

static void same_files(const char *a, const char *b)
{
    size_t size = 0, other = 0;
    unsigned char *bytes = get_file(a, &size), *others = get_file(b, &other);
    CHECK(bytes != NULL && others != NULL && size == other && memcmp(bytes, others, size) == 0);
    free(bytes);
    free(others);
}

/* Bits and colour type as IHDR has them, and the pixels as they come back. */
static void check_file(const char *path, const gf_picture *picture, int bits, int type)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *in = NULL;
    size_t size = 0;
    unsigned char *bytes = get_file(path, &size);
    REQUIRE(bytes != NULL && size > 26);
    CHECK_EQ_INT(bytes[24], bits);
    CHECK_EQ_INT(bytes[25], type);
    free(bytes);
    CHECK_MSG(gf_io_read(path, NULL, &in, &error) == GF_OK, "%s", error.message);
    CHECK_MSG(in != NULL && same_pictures(&picture->image, &in->image), "%d bits, type %d: other pixels",
              bits, type);
    gf_picture_destroy(&in);
}

static void every_kind(void)
{
    static const struct {
        int channels, colours, step, bits, type;
    } kinds[] = {
        {3, 1, 0, 1, 3},   {3, 2, 0, 1, 3},   {3, 3, 0, 2, 3},   {3, 4, 0, 2, 3},   {3, 5, 0, 4, 3},
        {3, 16, 0, 4, 3},  {3, 17, 0, 8, 3},  {3, 256, 0, 8, 3}, {4, 1, 0, 1, 3},   {4, 2, 0, 1, 3},
        {4, 4, 0, 2, 3},   {4, 16, 0, 4, 3},  {4, 17, 0, 8, 3},  {4, 256, 0, 8, 3}, {1, 1, 255, 1, 0},
        {1, 2, 255, 1, 0}, {1, 4, 85, 2, 0},  {1, 2, 85, 2, 0},  {1, 16, 17, 4, 0}, {1, 2, 3, 8, 0},
        {1, 256, 1, 8, 0}, {3, 257, 0, 8, 2}, {4, 257, 0, 8, 6},
    };
    static const int64_t sizes[][2] = {{257, 5}, {19, 31}, {300, 1}, {1, 300}, {1031, 600}};
    gf_error error = GF_ERROR_INIT;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
            gf_picture *picture = make_colours(sizes[size][0], sizes[size][1], kinds[kind].channels,
                                               kinds[kind].colours, kinds[kind].step);
            REQUIRE(picture != NULL);
            REQUIRE(write_palette(in_folder("a.png"), picture, GF_PNG_PALETTE_AUTO, 1, 0, NULL, &error) ==
                    GF_OK);
            check_file(in_folder("a.png"), picture, kinds[kind].bits, kinds[kind].type);
            REQUIRE(write_palette(in_folder("b.png"), picture, GF_PNG_PALETTE_AUTO, 3, 7, NULL, &error) ==
                    GF_OK);
            same_files(in_folder("a.png"), in_folder("b.png"));
            if (kinds[kind].bits == 8 && kinds[kind].type != 3) { /* as if nobody had asked */
                REQUIRE(write_palette(in_folder("b.png"), picture, GF_PNG_PALETTE_OFF, 2, 0, NULL, &error) ==
                        GF_OK);
                same_files(in_folder("a.png"), in_folder("b.png"));
            }
            gf_picture_destroy(&picture);
        }
    }
}

/* Alpha of which every pixel is opaque is alpha all the same. */
static void opaque(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = make_colours(33, 9, 4, 7, 0);
    REQUIRE(picture != NULL);
    for (int64_t y = 0; y < 9; y++) {
        for (int64_t x = 0; x < 33; x++) {
            ((unsigned char *)picture->image.data)[y * picture->image.pitch + 4 * x + 3] = 255;
        }
    }
    REQUIRE(write_palette(in_folder("o.png"), picture, GF_PNG_PALETTE_ON, 1, 0, NULL, &error) == GF_OK);
    check_file(in_folder("o.png"), picture, 4, 3);
    gf_picture_destroy(&picture);
}

/* Metadata is the caller's again once the writer is open, though it is written only after the last row. */
static void metadata(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_metadata given;
    static unsigned char icc[3001], exif[77], kept[77];
    gf_picture *picture = make_colours(20, 20, 3, 9, 0), *in = NULL;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    gf_writer *writer;
    fill_metadata(&given, icc, exif);
    memcpy(icc + 16, "RGB ", 4);
    memcpy(kept, exif, sizeof kept);
    const size_t exif_size = given.exif_size, icc_size = given.icc_size;
    REQUIRE(picture != NULL);
    options.png_palette = GF_PNG_PALETTE_ON;
    REQUIRE(gf_writer_open(in_folder("m.png"), &picture->image.shape, &given, &options, &writer, &error) ==
            GF_OK);
    memset(exif, 0, sizeof exif);
    memset(icc, 0, sizeof icc);
    gf_sink sink = gf_writer_sink(writer);
    REQUIRE(sink.rows(sink.user, picture->image.data, picture->image.pitch, 20, &error) == GF_OK);
    REQUIRE(gf_writer_commit(&writer, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("m.png"), NULL, &in, &error) == GF_OK);
    CHECK(in->metadata.exif_size == exif_size && memcmp(in->metadata.exif, kept, exif_size) == 0);
    CHECK(in->metadata.icc_size == icc_size);
    gf_picture_destroy(&in);
    gf_picture_destroy(&picture);
}

static void refusals(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *many = make_colours(300, 3, 3, 257, 0), *deep = make_picture(5, 5, 3, GF_U16),
               *two = make_picture(5, 5, 2, GF_U8);
    REQUIRE(many != NULL && deep != NULL && two != NULL);
    CHECK_EQ_INT(write_palette(in_folder("r.png"), many, GF_PNG_PALETTE_ON, 1, 1, NULL, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "r.png: has more than 256 colours");
    CHECK_EQ_INT(write_palette(in_folder("r.png"), deep, GF_PNG_PALETTE_ON, 1, 0, NULL, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "r.png: no palette for u16");
    CHECK_EQ_INT(write_palette(in_folder("r.png"), two, GF_PNG_PALETTE_ON, 1, 0, NULL, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "no palette for gray + alpha");
    CHECK_EQ_INT(write_palette(in_folder("r.png"), two, 3, 1, 0, NULL, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "png_palette 3 is outside 0 to 2");
    CHECK(access(in_folder("r.png"), F_OK) != 0);
    REQUIRE(write_palette(in_folder("d.png"), deep, GF_PNG_PALETTE_AUTO, 1, 0, NULL, &error) == GF_OK);
    check_file(in_folder("d.png"), deep, 16, 2);
    REQUIRE(write_palette(in_folder("d.png"), two, GF_PNG_PALETTE_AUTO, 1, 0, NULL, &error) == GF_OK);
    check_file(in_folder("d.png"), two, 8, 4);
    gf_picture_destroy(&many);
    gf_picture_destroy(&deep);
    gf_picture_destroy(&two);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"1, 2, 4 and 8 bits, gray, RGB and RGBA", every_kind},
    {"opaque alpha stays", opaque},
    {"metadata is borrowed for the call only", metadata},
    {"refusals", refusals},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
