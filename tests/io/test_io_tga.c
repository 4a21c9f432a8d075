/* TGA: what is read, by hand. */
#define _DEFAULT_SOURCE
#include "io_bytes.h"

#include <math.h>

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
    begin_tga(0, 10, 0, 0, 5, 1, 32, 8);
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

static void long_rows(void)
{
    char samples[200];
    for (int i = 0; i < 200; i++) {
        samples[i] = (char)(i * 7);
    }
    begin_tga(0, 3, 0, 0, 20, 10, 8, 0x20);
    add(samples, sizeof samples);
    check_u8("200 samples", 20, 10, 1, samples);
}

/* Attribute bits of 0: the fourth byte is unused. */
static void no_attribute_bits(void)
{
    begin_tga(0, 2, 0, 0, 2, 1, 32, 0);
    ADD("\3\2\1\0\6\5\4\x80");
    check_u8("32 bits, none of them alpha", 2, 1, 3, "\1\2\3\4\5\6");
    begin_tga(0, 10, 0, 0, 3, 1, 32, 0);
    ADD("\x81\3\2\1\7\0\6\5\4\0");
    check_u8("packed", 3, 1, 3, "\1\2\3\1\2\3\4\5\6");
}

static void every_order(void)
{
    static const struct {
        int flags;
        const char *samples;
    } table[] = {{0, "defabc"}, {0x10, "fedcba"}, {0x20, "abcdef"}, {0x30, "cbafed"}};
    for (int i = 0; i < 4; i++) {
        begin_tga(0, 3, 0, 0, 3, 2, 8, table[i].flags);
        ADD("abcdef");
        check_u8("an order", 3, 2, 1, table[i].samples);
        begin_tga(0, 11, 0, 0, 3, 2, 8, table[i].flags);
        ADD("\1"
            "ab"
            "\3"
            "cdef");
        check_u8("an order, packed", 3, 2, 1, table[i].samples);
    }
}

/* Five bits, every value: rounded, as a PNM of 31 would be. */
static void narrow_fields_are_rounded(void)
{
    for (uint32_t v = 0; v < 32; v++) {
        gf_error error;
        begin_tga(0, 2, 0, 0, 1, 1, 15, 0);
        add_number(v << 10 | (31 - v) << 5 | v, 2);
        gf_picture *in = read_bytes(file, file_size, NULL, &error);
        REQUIRE(in != NULL);
        const unsigned char *pixel = in->image.data;
        CHECK_EQ_INT(pixel[0], (int)floor(v * 255.0 / 31 + 0.5));
        CHECK_EQ_INT(pixel[1], (int)floor((31 - v) * 255.0 / 31 + 0.5));
        CHECK_EQ_INT(pixel[2], pixel[0]);
        gf_picture_destroy(&in);
    }
}

static void palettes(void)
{
    begin_tga(1, 1, 2, 24, 5, 1, 8, 0x20);
    file[3] = 7; /* the index of the first colour */
    ADD("\3\2\1\6\5\4\x8\7\x9\6\0");
    check_u8("a palette from 7 on, and what is beyond it", 5, 1, 3, "\4\5\6\1\2\3\1\2\3\1\2\3\1\2\3");
    begin_tga(1, 9, 2, 15, 2, 1, 16, 0x20);
    file[4] = 1;
    ADD("\0\x7c\x1f\0\x81\1\1");
    check_u8("a palette from 256 on", 2, 1, 3, "\0\0\xff\0\0\xff");
    begin_tga(1, 2, 2, 24, 1, 1, 24, 0x20);
    ADD("palett\3\2\1");
    check_u8("true colour beside a palette", 1, 1, 3, "\1\2\3");
    begin_tga(1, 11, 1, 16, 2, 1, 8, 0x20);
    ADD("pa\x81g");
    check_u8("gray beside a palette", 2, 1, 1, "gg");
}

static void what_is_wrong_is_named(void)
{
    begin_tga(0, 2, 0, 0, 1, 1, 24, 0x40);
    check_wrong("tga", GF_ERROR_INPUT, "a kind of TGA that is not read: interleaved rows");
    begin_tga(1, 1, 0, 24, 1, 1, 8, 0);
    ADD("abcdef");
    check_wrong("tga", GF_ERROR_INPUT, "damaged TGA: its palette has no colours");
    begin_tga(0, 2, 0, 0, 200, 200, 24, 0);
    check_wrong("tga", GF_ERROR_INPUT, "of 120000 bytes of samples");
    begin_tga(0, 4, 0, 0, 1, 1, 24, 0);
    check_wrong("tga", GF_ERROR_INPUT, "not a format that this build reads");
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"every kind; every cut and bit", targas},
    {"32 bits without alpha", no_attribute_bits},
    {"every order of rows and columns", every_order},
    {"5 bits are rounded", narrow_fields_are_rounded},
    {"palettes from any index on, and unused ones", palettes},
    {"200 samples", long_rows},
    {"what is wrong is named", what_is_wrong_is_named},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
