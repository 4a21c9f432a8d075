/* BMP, TGA and HDR. */
#define _DEFAULT_SOURCE
#include "io_help.h"

/* ---- files by hand ---- */

static unsigned char file[8192];
static size_t file_size;

static void add(const void *bytes, size_t size)
{
    memcpy(file + file_size, bytes, size);
    file_size += size;
}

static void add_number(uint32_t value, int size)
{
    for (int i = 0; i < size; i++) {
        file[file_size++] = (unsigned char)(value >> 8 * i);
    }
}

#define ADD(text) add(text, sizeof(text) - 1)

/* A BMP up to its samples: header of `head` bytes, then what `more` says (masks or palette). */
static void begin_bmp(uint32_t head, int width, int height, uint32_t bits, uint32_t compression,
                      uint32_t colours, const void *more, size_t more_size)
{
    file_size = 0;
    ADD("BM\0\0\0\0\0\0\0\0");
    add_number(14 + head + (uint32_t)more_size, 4);
    add_number(head, 4);
    add_number((uint32_t)width, head == 12 ? 2 : 4);
    add_number((uint32_t)height, head == 12 ? 2 : 4);
    add_number(1, 2);
    add_number(bits, 2);
    if (head > 12) {
        add_number(compression, 4);
        ADD("\0\0\0\0\0\0\0\0\0\0\0\0");
        add_number(colours, 4);
        ADD("\0\0\0\0");
        size_t end = 14 + (size_t)head;
        memset(file + file_size, 0, end - file_size);
        file_size = end;
    }
    add(more, more_size);
}

static void begin_tga(int map, int kind, int entries, int entry_bits, int width, int height, int bits,
                      int flags)
{
    const unsigned char head[18] = {3, /* bytes of an identification */
                                    (unsigned char)map,
                                    (unsigned char)kind,
                                    0,
                                    0,
                                    (unsigned char)entries,
                                    0,
                                    (unsigned char)entry_bits,
                                    1,
                                    0,
                                    1,
                                    0,
                                    (unsigned char)width,
                                    0,
                                    (unsigned char)height,
                                    0,
                                    (unsigned char)bits,
                                    (unsigned char)flags};
    file_size = 0;
    add(head, sizeof head);
    ADD("id:");
}

/* The file in `file` must be this picture, and every shorter one an error. */
static void check_u8(const char *what, int width, int height, int channels, const char *samples)
{
    gf_error error;
    gf_picture *in = read_bytes(file, file_size, NULL, &error);
    CHECK_MSG(in != NULL, "%s: %s", what, error.message);
    if (in != NULL) {
        const gf_shape *shape = &in->image.shape;
        int same = shape->width == width && shape->height == height && shape->channels == channels;
        for (int y = 0; y < height && same; y++) {
            same = memcmp((char *)in->image.data + y * in->image.pitch, samples + y * width * channels,
                          (size_t)(width * channels)) == 0;
        }
        CHECK_MSG(same, "%s: another picture, %d x %d x %d", what, (int)shape->width, (int)shape->height,
                  (int)shape->channels);
    }
    gf_picture_destroy(&in);
    check_cuts(what, file, file_size);
    check_bits(file, file_size);
}

static void bitmaps(void)
{
    begin_bmp(40, 2, 2, 24, 0, 0, "", 0);
    ADD("\3\2\1\6\5\4\0\0\x9\x8\7\xc\xb\xa\0\0");
    check_u8("24 bits", 2, 2, 3, "\7\x8\x9\xa\xb\xc\1\2\3\4\5\6");
    begin_bmp(40, 2, -2, 24, 0, 0, "", 0);
    ADD("\3\2\1\6\5\4\0\0\x9\x8\7\xc\xb\xa\0\0");
    check_u8("24 bits, top row first", 2, 2, 3, "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc");
    begin_bmp(12, 3, 1, 1, 0, 0, "\x30\x20\x10\x60\x50\x40", 6);
    ADD("\x40\0\0\0");
    check_u8("OS/2, 1 bit", 3, 1, 3, "\x10\x20\x30\x40\x50\x60\x10\x20\x30");
    begin_bmp(40, 3, 1, 4, 0, 2, "\x30\x20\x10\0\x60\x50\x40\0", 8);
    ADD("\x10\xf0\0\0");
    check_u8("4 bits, two of sixteen colours, and one that is not there", 3, 1, 3,
             "\x40\x50\x60\x10\x20\x30\0\0\0");
    begin_bmp(40, 3, 1, 8, 0, 0, "\x30\x20\x10\0\x60\x50\x40\0", 8);
    ADD("\1\0\xff\0");
    check_u8("8 bits, a palette that ends where the samples begin", 3, 1, 3,
             "\x40\x50\x60\x10\x20\x30\0\0\0");
    begin_bmp(40, 2, 1, 16, 0, 0, "", 0);
    ADD("\x1f\x7c\xe0\x03");
    check_u8("16 bits", 2, 1, 3, "\xff\0\xff\0\xff\0");
    begin_bmp(56, 2, 1, 16, 0, 0, "", 0);
    memcpy(file + 14 + 40, "\x0f\0\0\0\xf0\0\0\0\0\x0f\0\0\0\xf0\0\0", 16);
    ADD("\x1f\x7c\xe0\x03");
    check_u8("16 bits, masks that count for nothing", 2, 1, 3, "\xff\0\xff\0\xff\0");
    begin_bmp(40, 2, 1, 16, 3, 0, "\0\xf8\0\0\xe0\7\0\0\x1f\0\0\0", 12);
    ADD("\x1f\xf8\xe0\7");
    check_u8("16 bits, 565", 2, 1, 3, "\xff\0\xff\0\xff\0");
    begin_bmp(40, 1, 2, 32, 0, 0, "", 0);
    ADD("\3\2\1\0\6\5\4\0");
    check_u8("32 bits without alpha", 1, 2, 4, "\4\5\6\xff\1\2\3\xff");
    begin_bmp(40, 1, 2, 32, 0, 0, "", 0);
    ADD("\3\2\1\0\6\5\4\x80");
    check_u8("32 bits with alpha", 1, 2, 4, "\4\5\6\x80\1\2\3\0");
    begin_bmp(56, 1, 1, 32, 3, 0, "", 0);
    memcpy(file + 14 + 40, "\xff\0\0\0\0\xff\0\0\0\0\xff\0\0\0\0\xff", 16);
    ADD("\1\2\3\4");
    check_u8("32 bits, masks in the header", 1, 1, 4, "\1\2\3\4");
}

static void targas(void)
{
    begin_tga(0, 3, 0, 0, 2, 2, 8, 0x20);
    ADD("abcd");
    check_u8("gray", 2, 2, 1, "abcd");
    begin_tga(0, 3, 0, 0, 2, 1, 16, 0);
    ADD("a\xff"
        "b\x80");
    check_u8("gray and alpha", 2, 1, 2,
             "a\xff"
             "b\x80");
    begin_tga(0, 2, 0, 0, 1, 2, 24, 0);
    ADD("\3\2\1\6\5\4");
    check_u8("RGB, the lowest row first", 1, 2, 3, "\4\5\6\1\2\3");
    begin_tga(0, 10, 0, 0, 5, 1, 32, 0);
    ADD("\x82\3\2\1\x9\1\6\5\4\x8\1\1\1\1");
    check_u8("packed RGBA", 5, 1, 4, "\1\2\3\x9\1\2\3\x9\1\2\3\x9\4\5\6\x8\1\1\1\1");
    begin_tga(0, 2, 0, 0, 1, 1, 16, 0);
    ADD("\x1f\x7c");
    check_u8("15 bits", 1, 1, 3, "\xff\0\xff");
    begin_tga(1, 1, 2, 24, 3, 1, 8, 0x20);
    ADD("\3\2\1\6\5\4");
    ADD("\1\0\1");
    check_u8("palette", 3, 1, 3, "\4\5\6\1\2\3\4\5\6");
    begin_tga(1, 9, 2, 32, 3, 1, 8, 0x20);
    ADD("\3\2\1\xff\6\5\4\x80");
    ADD("\x82\1");
    check_u8("packed palette", 3, 1, 4, "\4\5\6\x80\4\5\6\x80\4\5\6\x80");
}

/* Longer than stb's window of 128 bytes: rows then come straight from the file, the last one maybe in part.
 */
static void long_rows(void)
{
    char samples[200];
    for (int i = 0; i < 200; i++) {
        samples[i] = (char)(i * 7);
    }
    begin_tga(0, 3, 0, 0, 20, 10, 8, 0x20);
    add(samples, sizeof samples);
    check_u8("longer than a window", 20, 10, 1, samples);
}

static void check_wrong(const char *what, gf_status status, const char *says)
{
    gf_error error;
    gf_picture *in = read_bytes(file, file_size, NULL, &error);
    CHECK_MSG(in == NULL && error.code == status && strstr(error.message, says) != NULL, "%s: %d, %s", what,
              (int)error.code, error.message);
    gf_picture_destroy(&in);
}

static void what_is_wrong_is_named(void)
{
    static const struct {
        int width, height;
        uint32_t bits, compression;
        const char *says;
    } table[] = {{0, 1, 24, 0, "its width or height"},
                 {1, 0, 24, 0, "its width or height"},
                 {1, INT32_MIN, 24, 0, "its width or height"},
                 {1, 1, 8, 1, "run-length coding"},
                 {1, 1, 24, 3, "its compression"},
                 {1, 1, 24, 4, "its compression"},
                 {1, 1, 2, 0, "its bits of a pixel"},
                 {1000, 1000, 24, 0, "the file ends early: 16 of 3000000 bytes of samples"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        begin_bmp(40, table[i].width, table[i].height, table[i].bits, table[i].compression, 0, "", 0);
        ADD("0123456789abcdef");
        check_wrong("bmp", GF_ERROR_INPUT, table[i].says);
    }
    begin_bmp(40, 1, INT32_MIN + 1, 24, 0, 0, "", 0);
    check_wrong("bmp", GF_ERROR_LIMIT, "1 x 2147483647 pixels, beyond max_height, 1000000");
    begin_bmp(64, 1, 1, 24, 0, 0, "", 0);
    check_wrong("bmp", GF_ERROR_INPUT, "the size of its header");
    begin_bmp(40, 1, 1, 24, 0, 0, "", 0);
    file[10] = 53;
    check_wrong("bmp", GF_ERROR_INPUT, "its samples begin within its header");
    begin_bmp(40, 1, 1, 16, 3, 0, "\0\0\0\0\1\0\0\0\2\0\0\0", 12);
    ADD("\0\0\0\0");
    check_wrong("bmp", GF_ERROR_INPUT, "bad masks");
    begin_tga(0, 2, 0, 0, 1, 1, 24, 0x10);
    check_wrong("tga", GF_ERROR_INPUT, "rows from right to left");
    begin_tga(1, 1, 1, 24, 1, 1, 8, 0);
    file[3] = 1;
    check_wrong("tga", GF_ERROR_INPUT, "a palette that does not begin at 0");
    begin_tga(1, 1, 0, 24, 1, 1, 8, 0);
    ADD("abcdef");
    check_wrong("tga", GF_ERROR_INPUT, "bad palette");
    begin_tga(0, 2, 0, 0, 200, 200, 24, 0);
    check_wrong("tga", GF_ERROR_INPUT, "of 120000 bytes of samples");
    begin_tga(0, 4, 0, 0, 1, 1, 24, 0);
    check_wrong("tga", GF_ERROR_INPUT, "not a format that this build reads");
    strcpy((char *)file, "BMW, Horch and Wanderer made cars");
    file_size = strlen((char *)file);
    check_wrong("text", GF_ERROR_INPUT, "not a format that this build reads");
}

/* ---- HDR ---- */

#define HDR_HEAD "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"

static void radiance(void)
{
    gf_error error;
    file_size = 0;
    ADD(HDR_HEAD "-Y 1 +X 2\n\x80\x40\x20\x81\0\0\0\0");
    gf_picture *in = read_bytes(file, file_size, NULL, &error);
    CHECK_MSG(in != NULL, "%s", error.message);
    if (in != NULL) {
        const float *row = in->image.data;
        CHECK(in->image.shape.width == 2 && in->image.shape.channels == 3 && in->image.shape.depth == GF_F32);
        CHECK(row[0] == 1.0f && row[1] == 0.5f && row[2] == 0.25f && row[3] == 0 && row[5] == 0);
    }
    gf_picture_destroy(&in);
    check_cuts("flat", file, file_size);
    check_bits(file, file_size);
    file_size = 0;
    ADD("#?RGBE\n# a comment\nEXPOSURE=1\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X "
        "8\n\2\2\0\x8\x88\x80\x88\x40\4\x20\x20\x20\x20\4"
        "\x20\x20\x20\x20\x88\x81");
    in = read_bytes(file, file_size, NULL, &error);
    CHECK_MSG(in != NULL && ((float *)in->image.data)[23] == 0.25f, "%s", error.message);
    gf_picture_destroy(&in);
    check_cuts("runs", file, file_size);
    check_bits(file, file_size);
    static const struct {
        const char *head, *says;
    } table[] = {{"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 2\n", "or of a kind that is not read"},
                 {HDR_HEAD "+X 2 -Y 1\n", "or of a kind that is not read"},
                 {HDR_HEAD "-Y -1 +X 2\n", "or of a kind that is not read"},
                 {HDR_HEAD "-Y 0 +X 2\n", "or of a kind that is not read"},
                 {HDR_HEAD "-Y 100 +X 100\n", "the file ends early"},
                 {HDR_HEAD "-Y 1 +X 8\n\2\2\1\x8", "invalid decoded scanline length"},
                 {HDR_HEAD "-Y 1 +X 8\n\x82\2\1\x8", "the file ends early"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        file_size = 0;
        add(table[i].head, strlen(table[i].head));
        if (i >= 5) {
            ADD("................");
        }
        check_wrong(table[i].head, GF_ERROR_INPUT, table[i].says);
    }
    /* Runs of no length, which stb would read for ever. */
    file_size = 0;
    ADD(HDR_HEAD "-Y 1 +X 8\n\2\2\0\x8\0\0\0\0\0\0\0\0\0\0\0\0");
    check_wrong("no length", GF_ERROR_INPUT, "the file ends early (in the samples)");
}

static void written_floats(void)
{
    static const float given[] = {0, 1, 0.5f, 1e-30f, 3e38f, -1, 100, 1.75f, 0.001f, 7};
    for (int channels = 1; channels <= 3; channels += 2) {
        for (int width = 3; width <= 10; width += 7) {
            gf_error error = GF_ERROR_INIT;
            gf_picture *out = make_picture(width, 3, channels, GF_F32), *in = NULL;
            for (int i = 0; i < 3 * width * channels; i++) {
                ((float *)(void *)((char *)out->image.data +
                                   i / (width * channels) * out->image.pitch))[i % (width * channels)] =
                    given[i / channels % 10];
            }
            ((float *)out->image.data)[0] = NAN;
            CHECK_EQ_INT(gf_io_write(in_folder("f.hdr"), &out->image, NULL, NULL, &error), GF_OK);
            REQUIRE(gf_io_read(in_folder("f.hdr"), NULL, &in, &error) == GF_OK);
            CHECK_EQ_INT(in->image.shape.channels, 3);
            for (int i = 0; i < 3 * width * 3; i++) {
                float v = given[i / 3 % 10];
                float got = ((float *)(void *)((char *)in->image.data +
                                               i / (width * 3) * in->image.pitch))[i % (width * 3)];
                v = v < 0 ? 0 : v > 1.694e38f ? 1.694e38f : v;
                CHECK_MSG(got <= v * 1.001f && got >= v * (1 - 1.0f / 128), "%g became %g", (double)v,
                          (double)got);
            }
            gf_picture_destroy(&in);
            gf_picture_destroy(&out);
        }
    }
}

/* ---- writing ---- */

static void round_trips_hold(void)
{
    round_trips("a.tga");
    for (int channels = 3; channels <= 4; channels++) {
        for (size_t i = 0; i < sizeof help_sizes / sizeof help_sizes[0]; i++) {
            round_trip(in_folder("a.bmp"), help_sizes[i][0], help_sizes[i][1], channels, GF_U8);
        }
    }
    gf_picture *out = make_picture(5, 4, 1, GF_U8), *in = NULL;
    REQUIRE(gf_io_write(in_folder("g.bmp"), &out->image, NULL, NULL, NULL) == GF_OK);
    REQUIRE(gf_io_read(in_folder("g.bmp"), NULL, &in, NULL) == GF_OK);
    for (int i = 0; i < 15; i++) {
        CHECK(((unsigned char *)in->image.data)[i] == ((unsigned char *)out->image.data)[i / 3]);
    }
    gf_picture_destroy(&in);
    gf_picture_destroy(&out);
}

static void refused_pictures(void)
{
    static const struct {
        const char *name;
        int64_t width, height;
        int channels;
        gf_depth depth;
        const char *says;
    } table[] = {
        {"r.bmp", 2, 2, 2, GF_U8, "bmp holds gray, RGB and RGBA, not gray + alpha; png holds that"},
        {"r.hdr", 2, 2, 4, GF_F32, "hdr holds gray and RGB, not RGBA"},
        {"r.bmp", 2, 2, 3, GF_U16, "bmp does not hold u16; the nearest it holds is u8"},
        {"r.tga", 2, 2, 3, GF_F32, "tga does not hold f32; the nearest it holds is u8"},
        {"r.hdr", 2, 2, 3, GF_U8, "hdr does not hold u8; the nearest it holds is f32"},
        {"r.tga", 65536, 1, 1, GF_U8, "tga holds at most 65535 pixels each way and 2 GiB, not 65536 x 1"},
        {"r.tga", 1, 65536, 1, GF_U8, "tga holds at most 65535 pixels each way and 2 GiB, not 1 x 65536"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *out = make_picture(table[i].width, table[i].height, table[i].channels, table[i].depth);
        CHECK_EQ_INT(gf_io_write(in_folder(table[i].name), &out->image, NULL, NULL, &error),
                     GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(error.message, table[i].says);
        CHECK(access(in_folder(table[i].name), F_OK) != 0);
        gf_picture_destroy(&out);
    }
}

static void limits_hold(void)
{
    static const char *const names[] = {"l.bmp", "l.tga", "l.hdr"};
    for (int i = 0; i < 3; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        gf_picture *out = make_picture(40, 30, 3, i == 2 ? GF_F32 : GF_U8), *in = NULL;
        REQUIRE(gf_io_write(in_folder(names[i]), &out->image, NULL, NULL, &error) == GF_OK);
        limits.max_memory = i == 2 ? 40 * 30 * 12 + 1000 : 40 * 30 * 3;
        CHECK_EQ_INT(gf_io_read(in_folder(names[i]), &limits, &in, &error), GF_OK);
        gf_picture_destroy(&in);
        limits.max_memory = 40 * 30 * 3 - 1;
        CHECK_EQ_INT(gf_io_read(in_folder(names[i]), &limits, &in, &error), GF_ERROR_LIMIT);
        CHECK_STR_HAS(error.message, "beyond max_memory, 3599");
        limits = (gf_io_limits)GF_IO_LIMITS_INIT;
        limits.max_pixels = 1199;
        CHECK_EQ_INT(gf_io_read(in_folder(names[i]), &limits, &in, &error), GF_ERROR_LIMIT);
        CHECK_STR_HAS(error.message, "40 x 30 pixels, beyond max_pixels, 1199");
        gf_picture_destroy(&out);
    }
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"BMP by hand; every cut and bit", bitmaps},
    {"TGA by hand; every cut and bit", targas},
    {"TGA of more than a window", long_rows},
    {"HDR by hand; every cut and bit", radiance},
    {"what is wrong is named", what_is_wrong_is_named},
    {"round trips of BMP and TGA", round_trips_hold},
    {"round trips of HDR, to eight bits", written_floats},
    {"pictures that they do not hold", refused_pictures},
    {"limits", limits_hold},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
