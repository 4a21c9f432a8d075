/* BMP: what is read, by hand. */
#define _DEFAULT_SOURCE
#include "byte_stream.h"
#include "io_bytes.h"

#include <math.h>

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
        memset(file + file_size, 0, 84); /* as long as the longest header */
        file_size = 14 + (size_t)head;
    }
    add(more, more_size);
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
}

static void put_number(size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        file[at + (size_t)i] = (unsigned char)(value >> 8 * i);
    }
}

static void put_masks(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    const uint32_t masks[4] = {red, green, blue, alpha};
    for (int i = 0; i < 4; i++) {
        put_number(14 + 40 + 4 * (size_t)i, masks[i]);
    }
}

static void wide_pixels(void)
{
    static const uint32_t heads[] = {56, 108, 124};
    begin_bmp(40, 1, 2, 32, 0, 0, "", 0);
    ADD("\3\2\1\0\6\5\4\0");
    check_u8("32 bits", 1, 2, 3, "\4\5\6\1\2\3");
    begin_bmp(40, 1, 2, 32, 0, 0, "", 0);
    ADD("\3\2\1\0\6\5\4\x80");
    check_u8("32 bits, the fourth byte is unused", 1, 2, 3, "\4\5\6\1\2\3");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        begin_bmp(heads[i], 1, 2, 32, 3, 0, "", 0);
        put_masks(0xff, 0xff00, 0xff0000, 0xff000000);
        ADD("\1\2\3\4\5\6\7\0");
        check_u8("32 bits, masks in the header", 1, 2, 4, "\5\6\7\0\1\2\3\4");
        begin_bmp(heads[i], 1, 2, 32, 3, 0, "", 0);
        put_masks(0xff, 0xff00, 0xff0000, 0xff000000);
        ADD("\1\2\3\0\5\6\7\0");
        check_u8("alpha that is 0 everywhere", 1, 2, 4, "\5\6\7\xff\1\2\3\xff");
        begin_bmp(heads[i], 1, 1, 32, 0, 0, "", 0);
        put_masks(0xff, 0xff00, 0xff0000, 0xff000000);
        ADD("\1\2\3\4");
        check_u8("32 bits, masks that count for nothing", 1, 1, 3, "\3\2\1");
    }
    begin_bmp(40, 1, 1, 32, 6, 0, "\xff\0\0\0\0\xff\0\0\0\0\xff\0\0\0\0\xff", 16);
    ADD("\1\2\3\4");
    check_u8("four masks behind the header", 1, 1, 4, "\1\2\3\4");
    begin_bmp(40, 1, 1, 32, 3, 0, "\xff\0\0\0\0\xff\0\0\0\0\xff\0", 12);
    ADD("\1\2\3\4");
    check_u8("three masks behind the header", 1, 1, 3, "\1\2\3");
    begin_bmp(56, 2, 1, 16, 3, 0, "", 0);
    put_masks(0xf00, 0xf0, 0xf, 0xf000);
    ADD("\x21\x43\xf0\0");
    check_u8("16 bits, 4444", 2, 1, 4, "\x33\x22\x11\x44\0\xff\0\0");
}

/* Five and six bits, every value: rounded, as a PNM of 31 or 63 would be. */
static void narrow_fields_are_rounded(void)
{
    for (uint32_t v = 0; v < 64; v++) {
        gf_error error;
        begin_bmp(40, 1, 1, 16, 3, 0, "\0\xf8\0\0\xe0\7\0\0\x1f\0\0\0", 12);
        add_number((v / 2) << 11 | v << 5 | v / 2, 4);
        gf_picture *in = read_bytes(file, file_size, NULL, &error);
        REQUIRE(in != NULL);
        const unsigned char *pixel = in->image.data;
        CHECK_EQ_INT(pixel[0], (int)floor(v / 2 * 255.0 / 31 + 0.5));
        CHECK_EQ_INT(pixel[1], (int)floor(v * 255.0 / 63 + 0.5));
        CHECK_EQ_INT(pixel[2], pixel[0]);
        gf_picture_destroy(&in);
    }
}

/* Fields of more than eight bits lose nothing: they become u16. */
static void deep_fields(void)
{
    static const struct {
        uint32_t masks[4], pixel;
        int channels;
        uint16_t samples[4];
    } table[] = {
        {{0x3ff00000, 0xffc00, 0x3ff, 0}, 1023u << 20 | 512u << 10 | 1, 3, {65535, 32800, 64}},
        {{0x3ff, 0xffc00, 0x3ff00000, 0xc0000000}, 2u << 30 | 3, 4, {192, 0, 0, 43690}},
        {{0xffe00000, 0x1ffc00, 0x3ff, 0}, 2047u << 21 | 1u << 10, 3, {65535, 32, 0}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error;
        begin_bmp(108, 1, 1, 32, 3, 0, "", 0);
        put_masks(table[i].masks[0], table[i].masks[1], table[i].masks[2], table[i].masks[3]);
        add_number(table[i].pixel, 4);
        gf_picture *in = read_bytes(file, file_size, NULL, &error);
        CHECK_MSG(in != NULL && in->image.shape.depth == GF_U16 &&
                      in->image.shape.channels == table[i].channels,
                  "deep %zu: %s", i, error.message);
        for (int c = 0; in != NULL && c < table[i].channels; c++) {
            CHECK_EQ_INT(((uint16_t *)in->image.data)[c], table[i].samples[c]);
        }
        gf_picture_destroy(&in);
        check_cuts("deep", file, file_size);
        check_bits(file, file_size);
    }
}

/* OS/2's second header, of any length; two bits; no offset; a pointer's hot spot. */
static void other_headers(void)
{
    static const uint32_t heads[] = {16, 18, 24, 36, 44, 64};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        begin_bmp(heads[i], 3, 1, 1, 0, 0, "\x30\x20\x10\0\x60\x50\x40\0", 8);
        ADD("\x40\0\0\0");
        check_u8("OS/2's second header", 3, 1, 3, "\x10\x20\x30\x40\x50\x60\x10\x20\x30");
    }
    begin_bmp(40, 5, 1, 2, 0, 0, "\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0", 16);
    ADD("\x1b\xc0\0\0");
    check_u8("2 bits", 5, 1, 3, "\1\0\0\2\0\0\3\0\0\4\0\0\4\0\0");
    begin_bmp(40, 1, 1, 8, 0, 1, "\3\2\1\0", 4);
    put_number(10, 0);
    ADD("\0\0\0\0");
    check_u8("no offset, behind a palette", 1, 1, 3, "\1\2\3");
    begin_bmp(40, 1, 1, 24, 0, 0, "", 0);
    put_number(10, 0);
    ADD("\3\2\1\0");
    check_u8("no offset", 1, 1, 3, "\1\2\3");
    put_number(6, 0x70005);
    check_u8("a hot spot", 1, 1, 3, "\1\2\3");
}

static char palette_of_256[1024];

/* Samples that are said to begin within the palette. */
static void offsets_within_the_palette(void)
{
    static const uint32_t offsets[] = {54, 100, 1077};
    for (int i = 0; i < 256; i++) {
        palette_of_256[4 * i] = (char)i;
        palette_of_256[4 * i + 1] = (char)(255 - i);
        palette_of_256[4 * i + 2] = 7;
    }
    for (int i = 0; i < 3; i++) {
        gf_error error;
        begin_bmp(40, 2, 2, 8, 0, i == 1 ? 256 : 0, palette_of_256, 1024);
        ADD("\1\2\0\0\xff\4\0\0");
        put_number(10, offsets[i]);
        gf_picture *in = read_bytes(file, file_size, NULL, &error);
        CHECK_MSG(in != NULL, "offset %d: %s", (int)offsets[i], error.message);
        if (in != NULL) {
            const unsigned char *below = (unsigned char *)in->image.data + in->image.pitch;
            CHECK(memcmp(in->image.data, "\7\0\xff\7\xfb\4", 6) == 0);
            CHECK(memcmp(below, "\7\xfe\1\7\xfd\2", 6) == 0);
            CHECK_STR_HAS(in->note, ", but behind its palette");
        }
        gf_picture_destroy(&in);
        put_number(2, (uint32_t)file_size); /* so that a file that is cut is known to be */
        check_cuts("offset", file, file_size);
    }
    begin_bmp(40, 2, 2, 8, 0, 0, "", 0);
    ADD("\1\2\0\0\xff\4\0\0");
    check_wrong("no palette", GF_ERROR_INPUT,
                "its samples begin at byte 54, within its palette, and it is too short to hold both");
}

/* Where nothing tells how long the input is, it reads as a file with the whole palette, or is an error, but
 * never gives the samples of another place. */
static void offsets_within_the_palette_of_a_stream(void)
{
    static const uint32_t offsets[] = {54, 57, 100, 1077};
    for (int i = 0; i < 8; i++) {
        gf_error error = GF_ERROR_INIT;
        struct stream stream = {.bytes = file, .portion = 1000};
        gf_byte_source source = source_of(&stream, "stream.bmp");
        gf_picture *in = NULL;
        begin_bmp(40, 2, 2, 8, 0, 0, palette_of_256, i < 4 ? 1024 : 0);
        ADD("\1\2\0\0\xff\4\0\0");
        put_number(10, offsets[i % 4]);
        stream.size = file_size;
        read_stream(&source, &in, &error);
        CHECK_MSG((in != NULL) == (i < 4), "%d: %s", i, error.message);
        CHECK(i < 4 || strstr(error.message, "the file ends early") != NULL);
        if (in != NULL) {
            CHECK(memcmp(in->image.data, "\7\0\xff\7\xfb\4", 6) == 0);
            CHECK_STR_HAS(in->note, ", but behind its palette");
        }
        gf_picture_destroy(&in);
    }
}

static void run_lengths(void)
{
    static const char palette[] = "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0";
    begin_bmp(40, 6, 4, 8, 1, 4, palette, 16);
    ADD("\3\1\0\3\2\3\1\0\0\0"); /* the lowest row: a run, three pixels and a byte of nothing */
    ADD("\1\1\0\2\2\1\1\2\0\0"); /* one pixel, and from there two to the right, one up */
    ADD("\2\3\0\1");             /* the highest row begins, and the picture ends */
    check_u8("8 bits", 6, 4, 3,
             "\0\0\4\0\0\4\0\0\1\0\0\1\0\0\1\0\0\1"
             "\0\0\1\0\0\1\0\0\1\0\0\3\0\0\1\0\0\1"
             "\0\0\2\0\0\1\0\0\1\0\0\1\0\0\1\0\0\1"
             "\0\0\2\0\0\2\0\0\2\0\0\3\0\0\4\0\0\2");
    begin_bmp(40, 6, 2, 4, 2, 4, palette, 16);
    ADD("\3\x12\0\3\x32\x10\0\0"); /* 1 2 1, and 3 2 1 in two bytes */
    ADD("\0\5\x01\x23\x10\0\1\x20\0\1");
    check_u8("4 bits", 6, 2, 3,
             "\0\0\1\0\0\2\0\0\3\0\0\4\0\0\2\0\0\3"
             "\0\0\2\0\0\3\0\0\2\0\0\4\0\0\3\0\0\2");
    begin_bmp(64, 2, 1, 8, 1, 4, palette, 16);
    ADD("\2\2\0\0\0\1");
    check_u8("8 bits under OS/2's header", 2, 1, 3, "\0\0\3\0\0\3");
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } wrong[] = {
        {"\0\0\1\1\0\1", 6, "1 pixels at column 0 of row 1 from below leave the picture"},
        {"\0\0\0\3\1\1\1\1", 8, "3 pixels at column 0 of row 1 from below leave the picture"},
        {"\3\1\0\2\1\0\0\1", 8, "a move to column 3 of row 0 from below"},
        {"\0\2\3\0\0\1", 6, "a move to column 3 of row 0 from below"},
        {"\0\2\0\2\0\1", 6, "a move to column 0 of row 2 from below"},
        {"\0\0\0\0\0\1", 6, "a move to column 0 of row 2 from below"},
        {"\2\2\0\0", 4, "the file ends early (in the samples)"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        begin_bmp(40, 2, 1, 8, 1, 4, palette, 16);
        add(wrong[i].bytes, wrong[i].size);
        check_wrong(wrong[i].says, GF_ERROR_INPUT, wrong[i].says);
    }
    /* 60 bytes of a picture of 3 million are too few, and 1000 are enough: not unasked. */
    begin_bmp(40, 1000, 1000, 8, 1, 1, palette, 4);
    ADD("\0\1");
    check_wrong("60 bytes", GF_ERROR_INPUT, "the file ends early: 60 bytes cannot hold 1000 x 1000 pixels");
    static const char behind[976 - 60];
    add(behind, sizeof behind);
    gf_error error;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.max_memory = 2999999;
    CHECK(read_bytes(file, file_size, &limits, &error) == NULL);
    CHECK_STR_HAS(error.message, "needs 3000000 bytes at once, beyond max_memory, 2999999");
    limits.max_memory++;
    gf_picture *in = read_bytes(file, file_size, &limits, &error);
    CHECK_MSG(in != NULL && ((unsigned char *)in->image.data)[2] == 1, "%s", error.message);
    gf_picture_destroy(&in);
}

/* Runs into the bytes that would pad a row to a multiple of four, and farther, are cut off, with a note. */
static void runs_into_padding(void)
{
    static const char palette[] = "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0";
    static const unsigned char expected[] = {4, 4, 1, 2, 3,
                                             1, 2, 3, 4}; /* the red of three rows, highest first */
    for (int bits = 4; bits <= 8; bits += 4) {
        begin_bmp(40, 3, 3, (uint32_t)bits, bits == 8 ? 1 : 2, 4, palette, 16);
        if (bits == 8) {
            ADD("\1\1\0\3\2\3\1\0\2\1\0\0"); /* within a literal, and a run behind the end */
            ADD("\0\5\1\2\0\3\3\0\0\0\2\3");
        } else {
            ADD("\1\x10\0\3\x23\x10\2\x11\0\0");
            ADD("\0\5\x12\x03\x30\0\0\0\2\x33");
        }
        ADD("\xff\0\0\1");
        gf_error error;
        gf_picture *in = read_bytes(file, file_size, NULL, &error);
        CHECK_MSG(in != NULL, "%d bits: %s", bits, error.message);
        for (int i = 0; in != NULL && i < 9; i++) {
            const unsigned char *row = (unsigned char *)in->image.data + i / 3 * in->image.pitch;
            CHECK_MSG(row[i % 3 * 3 + 2] == expected[i], "%d bits, %d: %d", bits, i, row[i % 3 * 3 + 2]);
        }
        CHECK_STR(in != NULL ? in->note : "", "runs that go past the end of their row, cut off there");
        gf_picture_destroy(&in);
    }
}

static void what_is_wrong_is_named(void)
{
    static const struct {
        uint32_t head;
        int width, height;
        uint32_t bits, compression;
        const char *says;
    } table[] = {{40, 0, 1, 24, 0, "its width or height, 0 x 1"},
                 {40, 1, 0, 24, 0, "its width or height"},
                 {40, 1, INT32_MIN, 24, 0, "its width or height"},
                 {40, 1, 1, 4, 1, "run-length coding of 4 bits, which is not its compression"},
                 {40, 1, -1, 8, 1, "run-length coding of 8 bits, the top row first"},
                 {40, 1, 1, 24, 3, "masks for 24 bits of a pixel"},
                 {40, 1, 1, 24, 4, "it holds a JPEG"},
                 {40, 1, 1, 0, 5, "it holds a PNG"},
                 {40, 1, 1, 32, 11, "its compression is 11"},
                 {64, 1, 1, 1, 3, "OS/2's Huffman coding"},
                 {64, 1, 1, 24, 4, "run-length coding of 24 bits"},
                 {64, 1, 1, 16, 6, "OS/2 has no compression 6"},
                 {40, 1, 1, 3, 0, "its bits of a pixel are 3; 1, 2, 4, 8, 16, 24 and 32 are read"},
                 {15, 1, 1, 24, 0, "the size of its header is 15; 12, 16 to 64, 108 and 124 are read"},
                 {65, 1, 1, 24, 0, "the size of its header is 65"},
                 {40, 1000, 1000, 24, 0, "the file ends early: 16 of 3000000 bytes of samples"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        begin_bmp(table[i].head, table[i].width, table[i].height, table[i].bits, table[i].compression, 0, "",
                  0);
        ADD("0123456789abcdef");
        check_wrong("bmp", GF_ERROR_INPUT, table[i].says);
    }
    begin_bmp(40, 1, INT32_MIN + 1, 24, 0, 0, "", 0);
    check_wrong("bmp", GF_ERROR_LIMIT, "1 x 2147483647 pixels, beyond max_height, 1000000");
    begin_bmp(40, 1, 1, 24, 0, 0, "", 0);
    file[10] = 53;
    check_wrong("bmp", GF_ERROR_INPUT, "its samples begin at byte 53, within its header");
    static const struct {
        uint32_t bits, red, alpha;
        const char *says;
    } masks[] = {{16, 0, 0, "its mask of red is 0x0, which is not one run of its 16 bits"},
                 {16, 0x1f800, 0, "its mask of red is 0x1f800, which"},
                 {32, 0xff00ff, 0, "its mask of red is 0xff00ff, which"},
                 {32, 0xff, 0x5000000, "its mask of alpha is 0x5000000, which"}};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        begin_bmp(56, 1, 1, masks[i].bits, 3, 0, "", 0);
        put_masks(masks[i].red, 0x7e0, 0x1f, masks[i].alpha);
        ADD("\0\0\0\0");
        check_wrong("bmp", GF_ERROR_INPUT, masks[i].says);
    }
    strcpy((char *)file, "BMW, Horch and Wanderer made cars");
    file_size = strlen((char *)file);
    check_wrong("text", GF_ERROR_INPUT, "not a format that this build reads");
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"palettes and 16 and 24 bits; every cut and bit", bitmaps},
    {"32 bits and masks; every cut and bit", wide_pixels},
    {"5 and 6 bits are rounded", narrow_fields_are_rounded},
    {"10 and 11 bits become u16", deep_fields},
    {"headers of OS/2, 2 bits, no offset, hot spots", other_headers},
    {"samples said to begin within the palette", offsets_within_the_palette},
    {"the same of a stream", offsets_within_the_palette_of_a_stream},
    {"run-length coding; every cut and bit", run_lengths},
    {"runs into the padding of a row", runs_into_padding},
    {"what is wrong is named", what_is_wrong_is_named},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
