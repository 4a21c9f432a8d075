/* EXIF orientation: applied to samples, reset in what is kept. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include <png.h>

enum { EXIF_SIZE = 62, VALUE_AT = 42 };
#define UNUSABLE "EXIF: an orientation that is no number from 1 to 8, not applied"

/* Two other entries around the orientation, in either byte order. */
static void make_exif(unsigned char exif[EXIF_SIZE], int little, int orientation)
{
    static const unsigned char big[EXIF_SIZE] = {
        'M', 'M',  0, '*', 0, 0, 0, 20,                /* head, place of the directory */
        1,   2,    3, 4,   5, 6, 7, 8,  9, 10, 11, 12, /* something else */
        0,   3,                                        /* entries */
        1,   0,    0, 3,   0, 0, 0, 1,  0, 8,  0,  0,  /* width */
        1,   0x12, 0, 3,   0, 0, 0, 1,  0, 0,  0,  0,  /* orientation */
        1,   0x1a, 0, 5,   0, 0, 0, 1,  0, 0,  0,  8,  /* a ratio, elsewhere */
        0,   0,    0, 0};                              /* no more directories */
    static const int fields[] = {2, 2, 4, 2, 2};       /* bytes of an entry's parts */
    memcpy(exif, big, EXIF_SIZE);
    exif[VALUE_AT + 1] = (unsigned char)orientation;
    if (little) {
        memcpy(exif, "II*\0\x14\0\0\0", 8);
        memcpy(exif + 20, "\3\0", 2);
        for (int entry = 0; entry < 3; entry++) {
            unsigned char *at = exif + 22 + 12 * entry;
            for (int i = 0; i < 5; at += fields[i++]) {
                for (int j = 0; j < fields[i] / 2; j++) {
                    unsigned char t = at[j];
                    at[j] = at[fields[i] - 1 - j];
                    at[fields[i] - 1 - j] = t;
                }
            }
        }
    }
}

static gf_status write_turned(const char *name, const gf_picture *picture, int little, int orientation,
                              gf_error *error)
{
    unsigned char exif[EXIF_SIZE];
    gf_metadata metadata = GF_METADATA_INIT;
    make_exif(exif, little, orientation);
    metadata.exif = exif;
    metadata.exif_size = sizeof exif;
    return gf_io_write(in_folder(name), &picture->image, &metadata, NULL, error);
}

/* What lay along x lies along y after a quarter of a turn, and so does its density. */
static void density_turns_along(void)
{
    gf_picture *out = make_picture(3, 2, 1, GF_U8);
    for (int orientation = 1; orientation <= 8; orientation++) {
        unsigned char exif[EXIF_SIZE];
        gf_metadata metadata = GF_METADATA_INIT;
        gf_picture *in = NULL;
        make_exif(exif, 0, orientation);
        metadata.exif = exif;
        metadata.exif_size = sizeof exif;
        metadata.fields = GF_META_DENSITY;
        metadata.density[0] = 2835;
        metadata.density[1] = 5669;
        metadata.density_unit = 1;
        REQUIRE(gf_io_write(in_folder("r.png"), &out->image, &metadata, NULL, NULL) == GF_OK);
        REQUIRE(gf_io_read(in_folder("r.png"), NULL, &in, NULL) == GF_OK);
        CHECK_EQ_INT(in->metadata.density[0], orientation > 4 ? 5669 : 2835);
        CHECK_EQ_INT(in->metadata.density[1], orientation > 4 ? 2835 : 5669);
        gf_picture_destroy(&in);
    }
    gf_picture_destroy(&out);
}

/* ABC over DEF, stored, and what is to be seen; a row of it, then the next. */
static const char *const seen[9] = {"",         "ABC/DEF",  "CBA/FED",  "FED/CBA", "DEF/ABC",
                                    "AD/BE/CF", "DA/EB/FC", "FC/EB/DA", "CF/BE/AD"};

static void by_hand(void)
{
    gf_picture *out = make_picture(3, 2, 1, GF_U8);
    memcpy(out->image.data, "ABC", 3);
    memcpy((char *)out->image.data + out->image.pitch, "DEF", 3);
    for (int orientation = 0; orientation <= 9; orientation++) {
        for (int little = 0; little < 2; little++) {
            const char *expected = orientation < 1 || orientation > 8 ? seen[1] : seen[orientation];
            unsigned char exif[EXIF_SIZE];
            char text[16] = "";
            gf_error error = GF_ERROR_INIT;
            gf_picture *in = NULL;
            CHECK_EQ_INT(write_turned("h.png", out, little, orientation, &error), GF_OK);
            REQUIRE(gf_io_read(in_folder("h.png"), NULL, &in, &error) == GF_OK);
            for (int64_t y = 0; y < in->image.shape.height; y++) {
                strcat(text, y > 0 ? "/" : "");
                strncat(text, (char *)in->image.data + y * in->image.pitch, (size_t)in->image.shape.width);
            }
            CHECK_STR(text, expected);
            make_exif(exif, little, orientation >= 2 && orientation <= 8 ? 1 : orientation);
            REQUIRE(in->metadata.exif_size == EXIF_SIZE);
            CHECK_MEM(in->metadata.exif, exif, EXIF_SIZE);
            CHECK_STR(in->note, orientation == 9 ? UNUSABLE : "");
            gf_file_info info = GF_FILE_INFO_INIT;
            REQUIRE(gf_io_probe(in_folder("h.png"), NULL, &info, NULL) == GF_OK);
            CHECK(info.shape.width == in->image.shape.width && info.shape.height == in->image.shape.height);
            CHECK_EQ_INT(info.whole, orientation >= 2 && orientation <= 8);
            gf_picture_destroy(&in);
        }
    }
    gf_picture_destroy(&out);
}

/* The place of a letter of `seen`, in pixels of a picture of any size: from the corners A, C and D. */
static int same_pixel(const gf_image *stored, const gf_image *upright, int orientation, int64_t x, int64_t y)
{
    size_t pixel = (size_t)stored->shape.channels * gf_depth_size(stored->shape.depth);
    const char *text = seen[orientation];
    int transposed = text[2] == '/', line = transposed ? 3 : 4;
    int64_t a = strchr(text, 'A') - text;
    int right = a % line > 0, low = a / line > 0; /* where the stored first pixel is seen */
    int64_t u = transposed ? y : x, v = transposed ? x : y;
    u = right ? upright->shape.width - 1 - u : u;
    v = low ? upright->shape.height - 1 - v : v;
    return memcmp((char *)stored->data + y * stored->pitch + x * (int64_t)pixel,
                  (char *)upright->data + v * upright->pitch + u * (int64_t)pixel, pixel) == 0;
}

static void check_turned(const char *what, const gf_picture *stored, const gf_picture *in, int orientation)
{
    int64_t wrong = 0;
    const gf_shape *shape = &stored->image.shape;
    int transposed = orientation > 4;
    CHECK_EQ_INT(in->image.shape.width, transposed ? shape->height : shape->width);
    REQUIRE(in->image.shape.height == (transposed ? shape->width : shape->height));
    for (int64_t y = 0; y < shape->height; y++) {
        for (int64_t x = 0; x < shape->width; x++) {
            wrong += !same_pixel(&stored->image, &in->image, orientation, x, y);
        }
    }
    CHECK_MSG(wrong == 0, "%s, orientation %d: %lld pixels are wrong", what, orientation, (long long)wrong);
}

static void every_depth(void)
{
    for (int orientation = 1; orientation <= 8; orientation++) {
        for (int channels = 1; channels <= 4; channels++) {
            for (int depth = GF_U8; depth <= GF_U16; depth++) {
                gf_error error = GF_ERROR_INIT;
                gf_picture *out = make_picture(70, 150, channels, (gf_depth)depth), *in = NULL;
                CHECK_EQ_INT(write_turned("d.png", out, 0, orientation, &error), GF_OK);
                REQUIRE(gf_io_read(in_folder("d.png"), NULL, &in, &error) == GF_OK);
                check_turned("png", out, in, orientation);
                gf_picture_destroy(&in);
                gf_picture_destroy(&out);
            }
        }
    }
}

static void jpeg_too(void)
{
    const gf_format *format;
    if (gf_io_format_for("a.jpg", NULL, &format, NULL) != GF_OK) {
        SKIP("this build has no JPEG");
    }
    for (int orientation = 1; orientation <= 8; orientation++) {
        for (int channels = 1; channels <= 3; channels += 2) {
            gf_error error = GF_ERROR_INIT;
            gf_picture *out = make_picture(70, 150, channels, GF_U8), *plain = NULL, *in = NULL;
            CHECK_EQ_INT(gf_io_write(in_folder("p.jpg"), &out->image, NULL, NULL, &error), GF_OK);
            CHECK_EQ_INT(write_turned("o.jpg", out, 1, orientation, &error), GF_OK);
            REQUIRE(gf_io_read(in_folder("p.jpg"), NULL, &plain, &error) == GF_OK);
            REQUIRE(gf_io_read(in_folder("o.jpg"), NULL, &in, &error) == GF_OK);
            check_turned("jpeg", plain, in, orientation);
            CHECK_EQ_INT(((const unsigned char *)in->metadata.exif)[VALUE_AT], 1);
            gf_picture_destroy(&out);
            gf_picture_destroy(&plain);
            gf_picture_destroy(&in);
        }
    }
}

/* Interlaced, as the library does not write it: rows come all at once. */
static int write_interlaced(const char *path, const gf_image *image, int orientation)
{
    unsigned char exif[EXIF_SIZE];
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *file = fopen(path, "wb");
    if (file == NULL || setjmp(png_jmpbuf(png)) != 0) {
        return 0;
    }
    make_exif(exif, 0, orientation);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)image->shape.width, (png_uint_32)image->shape.height, 8,
                 PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_write_chunk(png, (png_const_bytep) "eXIf", exif, sizeof exif);
    for (int pass = png_set_interlace_handling(png); pass > 0; pass--) {
        for (int64_t y = 0; y < image->shape.height; y++) {
            png_write_row(png, (png_const_bytep)image->data + y * image->pitch);
        }
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return fclose(file) == 0;
}

static void all_rows_at_once(void)
{
    gf_picture *out = make_picture(150, 70, 1, GF_U8), *in = NULL;
    for (int orientation = 1; orientation <= 8; orientation++) {
        gf_error error = GF_ERROR_INIT;
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        REQUIRE(write_interlaced(in_folder("i.png"), &out->image, orientation));
        REQUIRE(gf_io_read(in_folder("i.png"), NULL, &in, &error) == GF_OK);
        check_turned("interlaced", out, in, orientation);
        gf_picture_destroy(&in);
        limits.max_memory = 10000;
        gf_status status = gf_io_read(in_folder("i.png"), &limits, &in, &error);
        CHECK(status == GF_ERROR_LIMIT && strstr(error.message, "max_memory, 10000") != NULL);
        gf_picture_destroy(&in);
    }
    gf_picture_destroy(&out);
}

/* A short file can be a large picture that must be had at once; by rows it need not be. */
static void pictures_held_at_once(void)
{
    gf_picture *out = make_picture(900, 700, 1, GF_U8), *in = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    for (int i = 0; i < 3; i++) { /* as it is, turned, interlaced */
        if (i < 2) {
            CHECK_EQ_INT(write_turned("h.png", out, 0, i == 0 ? 1 : 3, &error), GF_OK);
        } else {
            REQUIRE(write_interlaced(in_folder("h.png"), &out->image, 1));
        }
        limits.max_memory = 900 * 700 - 1;
        gf_status status = gf_io_read(in_folder("h.png"), &limits, &in, &error);
        CHECK_EQ_INT(status, i == 0 ? GF_OK : GF_ERROR_LIMIT);
        if (i > 0) {
            CHECK_STR_HAS(error.message, "h.png: its rows cannot be had one by one: needs 630000 bytes at "
                                         "once, beyond max_memory, 629999");
        }
        gf_picture_destroy(&in);
        limits.max_memory++;
        CHECK_EQ_INT(gf_io_read(in_folder("h.png"), &limits, &in, &error), GF_OK);
        gf_picture_destroy(&in);
    }
    gf_picture_destroy(&out);
}

static void limits_of_the_upright(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(20, 10, 1, GF_U8), *in = NULL;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.max_height = 19;
    CHECK_EQ_INT(write_turned("l.png", out, 0, 3, &error), GF_OK);
    CHECK_EQ_INT(gf_io_read(in_folder("l.png"), &limits, &in, &error), GF_OK);
    gf_picture_destroy(&in);
    CHECK_EQ_INT(write_turned("l.png", out, 0, 6, &error), GF_OK);
    CHECK_EQ_INT(gf_io_read(in_folder("l.png"), &limits, &in, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "10 x 20 pixels, beyond max_height, 19");
    gf_picture_destroy(&out);
}

/* Cut short, pointing outside, of other types: kept as it is, and the picture as stored. */
static void damaged_exif(void)
{
    static const struct {
        int at, value;
    } changes[] = {{4, 255}, {7, 61}, {7, 200}, {21, 1}, {34, 2},       {35, 0},
                   {36, 1},  {37, 4}, {37, 1},  {41, 0}, {VALUE_AT, 1}, {VALUE_AT + 1, 9}};
    gf_picture *out = make_picture(4, 7, 3, GF_U8);
    for (int i = 8; i < EXIF_SIZE + (int)(sizeof changes / sizeof changes[0]); i++) {
        unsigned char exif[EXIF_SIZE];
        gf_metadata metadata = GF_METADATA_INIT;
        gf_picture *in = NULL;
        make_exif(exif, 0, 6);
        if (i >= EXIF_SIZE) {
            exif[changes[i - EXIF_SIZE].at] = (unsigned char)changes[i - EXIF_SIZE].value;
        }
        metadata.exif = exif;
        metadata.exif_size = i < EXIF_SIZE ? (size_t)i : EXIF_SIZE;
        REQUIRE(gf_io_write(in_folder("x.png"), &out->image, &metadata, NULL, NULL) == GF_OK);
        REQUIRE(gf_io_read(in_folder("x.png"), NULL, &in, NULL) == GF_OK);
        int whole_entry = i < EXIF_SIZE && i >= 46; /* what is cut lies behind the orientation */
        CHECK_MSG(same_pictures(&out->image, &in->image) == !whole_entry, "case %d", i);
        REQUIRE(in->metadata.exif_size == metadata.exif_size);
        if (!whole_entry) {
            CHECK_MEM(in->metadata.exif, exif, metadata.exif_size);
        }
        gf_picture_destroy(&in);
    }
    gf_picture_destroy(&out);
}

/* The orientation as a number of `width` bytes at one of two places, in either byte order. */
static void put_number(unsigned char *at, int width, int little, unsigned value)
{
    memset(at, 0, (size_t)width);
    at[little ? 0 : width - 1] = (unsigned char)value;
}

/* LONG, SSHORT, SLONG, and more than one value: the first one turns, here or where it lies, and becomes 1. */
static void other_types(void)
{
    static const struct {
        int type, count, width, place; /* place: of the value, from the beginning of the EXIF */
    } table[] = {{3, 2, 2, VALUE_AT}, {3, 3, 2, 10},      {4, 1, 4, VALUE_AT}, {8, 1, 2, VALUE_AT},
                 {9, 1, 4, VALUE_AT}, {4, 2, 4, 12},      {9, 2, 4, 61},       {1, 1, 2, VALUE_AT},
                 {7, 4, 4, VALUE_AT}, {3, 0, 2, VALUE_AT}};
    gf_picture *out = make_picture(4, 7, 3, GF_U8);
    for (int i = 0; i < 2 * (int)(sizeof table / sizeof table[0]); i++) {
        const int little = i % 2, at = table[i / 2].place, width = table[i / 2].width;
        const bool turns = i / 2 < 6;
        unsigned char exif[EXIF_SIZE + 4] = {0};
        gf_metadata metadata = GF_METADATA_INIT;
        gf_picture *in = NULL;
        make_exif(exif, little, 6);
        put_number(exif + 36, 2, little, (unsigned)table[i / 2].type);
        put_number(exif + 38, 4, little, (unsigned)table[i / 2].count);
        put_number(exif + VALUE_AT, 4, little, (unsigned)at); /* or the value over it */
        put_number(exif + at, width, little, 6);
        metadata.exif = exif;
        metadata.exif_size = EXIF_SIZE;
        REQUIRE(gf_io_write(in_folder("t.png"), &out->image, &metadata, NULL, NULL) == GF_OK);
        REQUIRE(gf_io_read(in_folder("t.png"), NULL, &in, NULL) == GF_OK);
        CHECK_MSG(in->image.shape.width == (turns ? 7 : 4), "case %d", i);
        CHECK_STR(in->note, turns ? "" : UNUSABLE);
        put_number(exif + at, width, little, turns ? 1 : 6);
        CHECK_MEM(in->metadata.exif, exif, EXIF_SIZE);
        gf_picture_destroy(&in);
    }
    gf_picture_destroy(&out);
}

/* The eXIf chunk moved behind the last IDAT. */
static void late_exif(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(4, 7, 3, GF_U8);
    REQUIRE(write_turned("late.png", out, 1, 6, &error) == GF_OK);
    size_t size = 0, at = 0;
    unsigned char *bytes = get_file(in_folder("late.png"), &size), chunk[EXIF_SIZE + 12];
    while (at + 4 < size && memcmp(bytes + at + 4, "eXIf", 4) != 0) {
        at++;
    }
    memcpy(chunk, bytes + at, sizeof chunk);
    memmove(bytes + at, bytes + at + sizeof chunk, size - at - sizeof chunk - 12);
    memcpy(bytes + size - 12 - sizeof chunk, chunk, sizeof chunk);
    gf_picture *in = read_bytes(bytes, size, NULL, &error);
    REQUIRE(in != NULL);
    CHECK(same_pictures(&out->image, &in->image));
    CHECK_STR_HAS(in->note, "EXIF behind the samples: its orientation, 6, is not applied");
    CHECK_EQ_INT(((const unsigned char *)in->metadata.exif)[VALUE_AT], 6);
    gf_picture_destroy(&in);
    gf_picture_destroy(&out);
    free(bytes);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"orientations 0 to 9, both byte orders, by hand", by_hand},
    {"the density turns along", density_turns_along},
    {"PNG, every depth and number of channels", every_depth},
    {"JPEG", jpeg_too},
    {"interlaced PNG, which needs memory", all_rows_at_once},
    {"limits of the upright picture", limits_of_the_upright},
    {"pictures that must be had at once", pictures_held_at_once},
    {"damaged EXIF turns nothing", damaged_exif},
    {"an orientation of another type, or of several values", other_types},
    {"EXIF behind the samples turns nothing", late_exif},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
