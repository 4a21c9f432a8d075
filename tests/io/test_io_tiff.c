/* TIFF: every kind of file that is read, as libtiff writes it; what is refused; damage; metadata. */
#define _DEFAULT_SOURCE
#include "tiff_make.h"

#include "gpufilter/io_memory.h"

enum { WIDTH = 37, HEIGHT = 23 };

static void round_trips_of_all_depths(void)
{
    round_trips("a.tif");
}

static uint32_t stored(const struct tiff_kind *kind, int x, int y, int c)
{
    return tiff_sample(x, y, c, kind->bits);
}

/* What sample c of a pixel must be, by the definition: integers of u8 and u16. */
static uint32_t expected(const struct tiff_kind *kind, int channels, int x, int y, int c)
{
    const uint64_t most = (1u << kind->bits) - 1, full = kind->bits == 16 ? 65535 : 255;
    if (kind->photometric == PHOTOMETRIC_PALETTE) {
        return (uint32_t)(((uint32_t)c * 256 + stored(kind, x, y, 0)) * 37 + (uint32_t)c) % 256;
    }
    uint64_t sample = (stored(kind, x, y, c) * 2 * full + most) / (2 * most);
    const int is_alpha = channels % 2 == 0 && c == channels - 1;
    if (kind->photometric == PHOTOMETRIC_MINISWHITE && !is_alpha) {
        sample = full - sample;
    }
    if (kind->extra == EXTRASAMPLE_ASSOCALPHA && !is_alpha) {
        const uint64_t alpha = stored(kind, x, y, channels - 1);
        sample = alpha == 0 ? 0 : sample >= alpha ? full : (2 * sample * full + alpha) / (2 * alpha);
    }
    return (uint32_t)sample;
}

static void check_samples(const struct tiff_kind *kind, const gf_picture *in, int channels)
{
    const gf_image *image = &in->image;
    int wrong = image->shape.channels != channels || image->shape.width != WIDTH ||
                image->shape.height != HEIGHT || image->shape.depth != (kind->bits == 16 ? GF_U16 : GF_U8);
    for (int y = 0; y < HEIGHT && !wrong; y++) {
        const void *row = (const char *)image->data + y * image->pitch;
        for (int i = 0; i < WIDTH * channels && !wrong; i++) {
            const uint32_t got = kind->bits == 16 ? ((const uint16_t *)row)[i] : ((const uint8_t *)row)[i];
            wrong = got != expected(kind, channels, i / channels, y, i % channels);
        }
    }
    CHECK_MSG(!wrong, "%s: other samples", kind->name);
}

enum { GRAY = PHOTOMETRIC_MINISBLACK, RGB = PHOTOMETRIC_RGB };

static const struct {
    struct tiff_kind kind;
    int channels;
    const char *note;
} kinds[] = {
    {{.name = "bits", .bits = 1, .samples = 1, .photometric = GRAY, .rows = 5}, 1, ""},
    {{.name = "2 bits", .bits = 2, .samples = 1, .photometric = GRAY}, 1, ""},
    {{.name = "4 bits, big-endian", .mode = "wb", .bits = 4, .samples = 1, .photometric = GRAY}, 1, ""},
    {{.name = "2 bits RGB", .bits = 2, .samples = 3, .photometric = RGB, .rows = 3}, 3, ""},
    {{.name = "2 bits RGB in tiles",
      .bits = 2,
      .samples = 3,
      .photometric = RGB,
      .tile_width = 16,
      .tile_height = 16},
     3,
     ""},
    {{.name = "1 bit RGB apart", .bits = 1, .samples = 3, .photometric = RGB, .planar = 1, .rows = 4}, 3, ""},
    {{.name = "white is 0", .bits = 8, .samples = 1, .photometric = PHOTOMETRIC_MINISWHITE}, 1, ""},
    {{.name = "white is 0, 1 bit", .bits = 1, .samples = 1, .photometric = PHOTOMETRIC_MINISWHITE}, 1, ""},
    {{.name = "white is 0, 16 bits",
      .bits = 16,
      .samples = 2,
      .photometric = PHOTOMETRIC_MINISWHITE,
      .extra = EXTRASAMPLE_UNASSALPHA},
     2,
     ""},
    {{.name = "palette", .bits = 8, .samples = 1, .photometric = PHOTOMETRIC_PALETTE}, 3, ""},
    {{.name = "palette of bytes",
      .bits = 8,
      .samples = 1,
      .photometric = PHOTOMETRIC_PALETTE,
      .bytes_in_map = 1},
     3,
     ""},
    {{.name = "palette of 4 bits",
      .bits = 4,
      .samples = 1,
      .photometric = PHOTOMETRIC_PALETTE,
      .tile_width = 16,
      .tile_height = 16},
     3,
     ""},
    {{.name = "RGB apart", .bits = 8, .samples = 3, .photometric = RGB, .planar = 1, .rows = 7}, 3, ""},
    {{.name = "RGB16 apart in tiles",
      .mode = "w8",
      .bits = 16,
      .samples = 3,
      .photometric = RGB,
      .planar = 1,
      .tile_width = 32,
      .tile_height = 16},
     3,
     ""},
    {{.name = "RGB16, big-endian", .mode = "wb", .bits = 16, .samples = 3, .photometric = RGB, .rows = 100},
     3,
     ""},
    {{.name = "RGBA", .bits = 8, .samples = 4, .photometric = RGB, .extra = EXTRASAMPLE_UNASSALPHA}, 4, ""},
    {{.name = "associated", .bits = 8, .samples = 4, .photometric = RGB, .extra = EXTRASAMPLE_ASSOCALPHA},
     4,
     ""},
    {{.name = "associated, gray16",
      .bits = 16,
      .samples = 2,
      .photometric = GRAY,
      .extra = EXTRASAMPLE_ASSOCALPHA},
     2,
     ""},
    {{.name = "a fourth sample", .bits = 8, .samples = 4, .photometric = RGB},
     3,
     "1 sample a pixel that nothing calls colour or alpha, left out"},
    {{.name = "five, apart", .bits = 8, .samples = 5, .photometric = GRAY, .planar = 1},
     1,
     "4 samples a pixel that nothing calls colour or alpha, left out"},
    {{.name = "LZW",
      .bits = 8,
      .samples = 3,
      .photometric = RGB,
      .compression = COMPRESSION_LZW,
      .predictor = 2,
      .rows = 9},
     3,
     ""},
    {{.name = "deflate",
      .bits = 16,
      .samples = 1,
      .photometric = GRAY,
      .compression = COMPRESSION_ADOBE_DEFLATE,
      .predictor = 2,
      .rows = 23},
     1,
     ""},
    {{.name = "old deflate, tiles",
      .bits = 8,
      .samples = 1,
      .photometric = GRAY,
      .compression = COMPRESSION_DEFLATE,
      .tile_width = 16,
      .tile_height = 32},
     1,
     ""},
    {{.name = "PackBits", .bits = 8, .samples = 3, .photometric = RGB, .compression = COMPRESSION_PACKBITS},
     3,
     ""},
    {{.name = "zstd",
      .bits = 8,
      .samples = 3,
      .photometric = RGB,
      .compression = COMPRESSION_ZSTD,
      .planar = 1,
      .rows = 4},
     3,
     ""},
    {{.name = "facsimile",
      .bits = 1,
      .samples = 1,
      .photometric = PHOTOMETRIC_MINISWHITE,
      .compression = COMPRESSION_CCITTFAX4,
      .rows = 23},
     1,
     ""},
};

static void every_kind_is_read(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *in = NULL;
        if (!tiff_make(in_folder("k.tif"), &kinds[i].kind, WIDTH, HEIGHT)) {
            continue;
        }
        CHECK_MSG(gf_io_read(in_folder("k.tif"), NULL, &in, &error) == GF_OK, "%s: %s", kinds[i].kind.name,
                  error.message);
        if (in != NULL) {
            check_samples(&kinds[i].kind, in, kinds[i].channels);
            CHECK_STR(in->note, kinds[i].note);
        }
        gf_picture_destroy(&in);
    }
}

/* Numbers without a full scale: as npy has them. */
static void numbers_become_depths(void)
{
    static const struct {
        int bits, format;
        gf_depth depth[2]; /* by result_depths 0 and 1 */
        const char *note;
    } table[] = {{32,
                  SAMPLEFORMAT_UINT,
                  {GF_F32, GF_U32},
                  "tiff: uint32 is read as f32, rounded above 2^24, unscaled: white is 1"},
                 {32,
                  SAMPLEFORMAT_INT,
                  {GF_F32, GF_F64},
                  "tiff: int32 is read as f32, rounded above 2^24, unscaled: white is 1"},
                 {16, SAMPLEFORMAT_INT, {GF_F32, GF_F32}, "tiff: int16 is read as f32, unscaled: white is 1"},
                 {16, SAMPLEFORMAT_IEEEFP, {GF_F32, GF_F32}, "tiff: float16 is read as f32"},
                 {32, SAMPLEFORMAT_IEEEFP, {GF_F32, GF_F32}, ""}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct tiff_kind kind = {.name = "numbers",
                                       .bits = table[i].bits,
                                       .samples = 1,
                                       .format = table[i].format,
                                       .photometric = GRAY};
        REQUIRE(tiff_make(in_folder("n.tif"), &kind, WIDTH, HEIGHT));
        for (uint32_t policy = 0; policy < 2; policy++) {
            gf_io_limits limits = GF_IO_LIMITS_INIT;
            gf_error error = GF_ERROR_INIT;
            gf_picture *in = NULL;
            limits.result_depths = policy;
            REQUIRE(gf_io_read(in_folder("n.tif"), &limits, &in, &error) == GF_OK);
            CHECK_EQ_INT(in->image.shape.depth, table[i].depth[policy]);
            const uint32_t sample = tiff_sample(5, 7, 0, kind.bits);
            const char *row = (const char *)in->image.data + 7 * in->image.pitch;
            if (policy == 0) {
                CHECK_STR(in->note, table[i].note);
            }
            if (in->image.shape.depth == GF_U32) {
                CHECK_EQ_INT(((const uint32_t *)(const void *)row)[5], sample);
            } else if (in->image.shape.depth == GF_F64) {
                CHECK(((const double *)(const void *)row)[5] == (double)(int32_t)sample);
            } else if (table[i].format != SAMPLEFORMAT_IEEEFP) {
                const float as = kind.bits == 16                       ? (float)(int16_t)sample
                                 : table[i].format == SAMPLEFORMAT_INT ? (float)(int32_t)sample
                                                                       : (float)sample;
                CHECK(((const float *)(const void *)row)[5] == as);
            } else if (kind.bits == 32) {
                CHECK_MEM(row + 20, &sample, 4);
            }
            gf_picture_destroy(&in);
        }
    }
}

static void pages_and_orientation(void)
{
    const struct tiff_kind turned = {
        .name = "turned", .bits = 8, .samples = 1, .photometric = GRAY, .orientation = 6};
    const struct tiff_kind plain = {.name = "plain", .bits = 8, .samples = 1, .photometric = GRAY};
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_picture *in = NULL;
    TIFF *tiff = TIFFOpen(in_folder("p.tif"), "w");
    REQUIRE(tiff != NULL && tiff_page(tiff, &plain, 4, 3) && tiff_page(tiff, &turned, 5, 3));
    TIFFClose(tiff);
    REQUIRE(gf_io_read(in_folder("p.tif"), NULL, &in, &error) == GF_OK);
    CHECK_STR(in->note, "page 1 of 2");
    CHECK_EQ_INT(in->image.shape.width, 4);
    gf_picture_destroy(&in);
    limits.page = 2;
    REQUIRE(gf_io_read(in_folder("p.tif"), &limits, &in, &error) == GF_OK);
    CHECK_STR(in->note, "");
    CHECK(in->image.shape.width == 3 && in->image.shape.height == 5);
    for (int y = 0; y < 5; y++) { /* a quarter clockwise */
        for (int x = 0; x < 3; x++) {
            CHECK_EQ_INT(((uint8_t *)in->image.data)[y * in->image.pitch + x], tiff_sample(y, 2 - x, 0, 8));
        }
    }
    gf_picture_destroy(&in);
    limits.page = 3;
    CHECK_EQ_INT(gf_io_read(in_folder("p.tif"), &limits, &in, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "p.tif: there is no page 3: it has 2 pages");
    gf_picture *one = make_picture(3, 3, 1, GF_U8);
    REQUIRE(gf_io_write(in_folder("p.npy"), &one->image, NULL, NULL, NULL) == GF_OK);
    CHECK_EQ_INT(gf_io_read(in_folder("p.npy"), &limits, &in, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "there is no page 3: it has 1 page");
    gf_picture_destroy(&one);
}

static void kinds_that_are_refused(void)
{
    static const struct {
        struct tiff_kind kind;
        const char *says;
    } table[] = {
        {{.name = "CMYK", .bits = 8, .samples = 4, .photometric = PHOTOMETRIC_SEPARATED}, "inks, as CMYK"},
        {{.name = "Lab", .bits = 8, .samples = 3, .photometric = PHOTOMETRIC_CIELAB}, "colours as L*a*b*"},
        {{.name = "YCbCr", .bits = 8, .samples = 3, .photometric = PHOTOMETRIC_YCBCR},
         "colours as YCbCr without JPEG"},
        {{.name = "complex",
          .bits = 32,
          .samples = 1,
          .format = SAMPLEFORMAT_COMPLEXINT,
          .photometric = GRAY},
         "samples that are no integers and no floats"},
        {{.name = "LZMA", .bits = 8, .samples = 1, .photometric = GRAY, .compression = COMPRESSION_LZMA},
         "compression (34925)"},
        {{.name = "RGB of two", .bits = 8, .samples = 2, .photometric = RGB}, "RGB with samples a pixel (2)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *in = NULL;
        if (tiff_make(in_folder("r.tif"), &table[i].kind, 16, 16)) {
            CHECK_EQ_INT(gf_io_read(in_folder("r.tif"), NULL, &in, &error), GF_ERROR_INPUT);
            CHECK_MSG(strstr(error.message, table[i].says), "%s: %s", table[i].kind.name, error.message);
        }
    }
}

static void cuts_and_bits(void)
{
    static const struct tiff_kind few[] = {
        {.name = "strips", .bits = 8, .samples = 3, .photometric = RGB, .rows = 2},
        {.name = "tiles",
         .bits = 8,
         .samples = 1,
         .photometric = GRAY,
         .compression = COMPRESSION_LZW,
         .tile_width = 16,
         .tile_height = 16},
        {.name = "apart",
         .mode = "w8",
         .bits = 16,
         .samples = 3,
         .photometric = RGB,
         .compression = COMPRESSION_ADOBE_DEFLATE,
         .planar = 1,
         .rows = 3},
    };
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        size_t size = 0;
        REQUIRE(tiff_make(in_folder("c.tif"), &few[i], 5, 4));
        unsigned char *bytes = get_file(in_folder("c.tif"), &size);
        REQUIRE(bytes != NULL);
        check_cuts(few[i].name, bytes, size);
        check_bits(bytes, size);
        free(bytes);
    }
}

/* Limits hold before memory is taken, and the message names what would do. */
static void limits_of_tiff(void)
{
    const struct tiff_kind tiles = {
        .name = "tiles", .bits = 8, .samples = 3, .photometric = RGB, .tile_width = 64, .tile_height = 64};
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_picture *in = NULL;
    REQUIRE(tiff_make(in_folder("l.tif"), &tiles, 100, 70));
    limits.max_memory = 3 * (128 * 64 + 64 * 64);
    CHECK_MSG(gf_io_read(in_folder("l.tif"), &limits, &in, &error) == GF_OK, "%s", error.message);
    gf_picture_destroy(&in);
    limits.max_memory--;
    CHECK_EQ_INT(gf_io_read(in_folder("l.tif"), &limits, &in, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "needs 36864 bytes beside the picture, beyond max_memory, 36863");
    limits = (gf_io_limits)GF_IO_LIMITS_INIT;
    limits.max_pixels = 6999;
    CHECK_EQ_INT(gf_io_read(in_folder("l.tif"), &limits, &in, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 100 x 70 pixels, beyond max_pixels, 6999");
    limits.page = -1;
    CHECK_EQ_INT(gf_io_read(in_folder("l.tif"), &limits, &in, &error), GF_ERROR_ARGUMENT);
}

static void metadata_of_tiff(void)
{
    static unsigned char icc[3001], exif[77];
    static const unsigned char segments[] = "\xff\xe1\x00\x23http://ns.adobe.com/xap/1.0/\0<x/>"
                                            "\xff\xed\x00\x15Photoshop 3.0\0"
                                            "8BIM!";
    static const unsigned char cut[] = "\xff\xed\x00\x12Photoshop 3.0\0"
                                       "8B"
                                       "\xff\xed\x00\x13Photoshop 3.0\0"
                                       "IM!";
    gf_metadata metadata;
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(20, 10, 3, GF_U8), *in = NULL;
    fill_metadata(&metadata, icc, exif);
    metadata.segments = segments;
    metadata.segments_size = sizeof segments - 1;
    REQUIRE(gf_io_write(in_folder("m.tif"), &out->image, &metadata, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("m.tif"), NULL, &in, &error) == GF_OK);
    CHECK_STR(in->note, "");
    CHECK_EQ_INT(in->metadata.fields, GF_META_DENSITY);
    CHECK(in->metadata.density[0] == 11811 && in->metadata.density[1] == 2835 &&
          in->metadata.density_unit == 1);
    REQUIRE(in->metadata.icc_size == 3001 && in->metadata.segments_size == sizeof segments - 1);
    CHECK_MEM(in->metadata.icc, icc, 3001);
    CHECK_MEM(in->metadata.segments, segments, sizeof segments - 1);
    CHECK(in->metadata.exif == NULL);
    gf_picture_destroy(&in);
    metadata.segments = cut; /* two that hold one */
    metadata.segments_size = sizeof cut - 1;
    REQUIRE(gf_io_write(in_folder("c.tif"), &out->image, &metadata, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("c.tif"), NULL, &in, &error) == GF_OK);
    REQUIRE(in->metadata.segments_size == 23);
    CHECK_MEM(in->metadata.segments, segments + sizeof segments - 1 - 23, 23);
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.max_metadata_bytes = 3001;
    gf_picture_destroy(&in);
    REQUIRE(gf_io_read(in_folder("m.tif"), &limits, &in, &error) == GF_OK);
    CHECK_STR(in->note,
              "XMP of 4 bytes, too long, dropped; Photoshop's resources of 5 bytes, too long, dropped");
    gf_picture_destroy(&in);
    limits.max_metadata_bytes = 3000;
    CHECK_EQ_INT(gf_io_read(in_folder("m.tif"), &limits, &in, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 3001 bytes of metadata");
    gf_picture_destroy(&out);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"round trips of all depths and channels", round_trips_of_all_depths},
    {"every kind of file that libtiff writes", every_kind_is_read},
    {"numbers become the depths of npy", numbers_become_depths},
    {"pages, and a page that is turned", pages_and_orientation},
    {"kinds that are refused, by name", kinds_that_are_refused},
    {"every cut, every changed bit", cuts_and_bits},
    {"limits, on both sides", limits_of_tiff},
    {"metadata is kept", metadata_of_tiff},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
