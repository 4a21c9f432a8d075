/* PNM and PFM. */
#define _DEFAULT_SOURCE
#include "io_help.h"

static void round_trips_hold(void)
{
    round_trips("a.pnm");
    round_trips("a.pfm");
}

/* Reads a text, whose samples must be these bytes, row after row. */
static void check_u8(const char *text, size_t size, int64_t width, int64_t height, int channels,
                     const char *samples)
{
    gf_error error;
    gf_picture *in = read_bytes(text, size, NULL, &error);
    CHECK_MSG(in != NULL, "%.20s: %s", text, error.message);
    if (in != NULL) {
        const gf_shape *shape = &in->image.shape;
        CHECK_MSG(shape->width == width && shape->height == height && shape->channels == channels &&
                      shape->depth == GF_U8,
                  "%.20s: has another shape", text);
        for (int64_t y = 0; y < shape->height && shape->width == width; y++) {
            CHECK_MEM((char *)in->image.data + y * in->image.pitch, samples + y * width * channels,
                      (size_t)(width * channels));
        }
    }
    gf_picture_destroy(&in);
}

#define CHECK_U8(text, width, height, channels, samples)                                                     \
    check_u8(text, sizeof(text) - 1, width, height, channels, samples)

static void every_kind(void)
{
    CHECK_U8("P1\n3 2\n101\n0 1 0", 3, 2, 1, "\x00\xff\x00\xff\x00\xff");
    CHECK_U8("P1 3 2 1#one\n0 1010", 3, 2, 1, "\x00\xff\x00\xff\x00\xff");
    CHECK_U8("P2\n2 2\n255\n0 1\n128 255\n", 2, 2, 1, "\x00\x01\x80\xff");
    CHECK_U8("P3 1 2 255 1 2 3 4 5 6 ", 1, 2, 3, "\x01\x02\x03\x04\x05\x06");
    CHECK_U8("P4\n9 2\n\xaa\x80\x55\x7f", 9, 2, 1,
             "\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff");
    CHECK_U8("P5\n2 1\n255\n#2", 2, 1, 1, "#2");
    CHECK_U8("P6\r1\t2\v255\f123456", 1, 2, 3, "123456");
}

static void comments_and_what_follows(void)
{
    CHECK_U8("P5#a\n#b\r# c\n2#d\n1 #e\n255#f\nxy", 2, 1, 1, "xy");
    CHECK_U8("P5 2 1 00255 xyP5 3 1 255 abc", 2, 1, 1, "xy");
    CHECK_U8("P2 #4\n1 #5\n1 7# in the samples too\n7 P2 1 1 7 0 ", 1, 1, 1, "\xff");
}

/* Reads from a pipe that holds `text`, and whose other end stays open if `open`. The note, or what went
 * wrong. */
static void read_piped(const char *text, int is_open, char note[256])
{
    int ends[2], standard = dup(STDIN_FILENO);
    gf_error error = GF_ERROR_INIT;
    gf_picture *in = NULL;
    REQUIRE(pipe(ends) == 0 && write(ends[1], text, strlen(text)) == (ssize_t)strlen(text));
    if (!is_open) {
        close(ends[1]);
    }
    dup2(ends[0], STDIN_FILENO);
    gf_io_read("-", NULL, &in, &error);
    snprintf(note, 256, "%.255s", in != NULL ? in->note : error.message);
    gf_picture_destroy(&in);
    dup2(standard, STDIN_FILENO);
    close(standard);
    close(ends[0]);
    if (is_open) {
        close(ends[1]);
    }
}

static void several_pictures(void)
{
    static const struct {
        const char *text;
        int several;
    } table[] = {{"P5#as long as a format needs\n2 1 255 xy", 0},
                 {"P5#as long as a format needs\n2 1 255 xy\n", 0},
                 {"P5#as long as a format needs\n2 1 255 xyP", 0},
                 {"P5#as long as a format needs\n2 1 255 xyP5 3 1 255 abc", 1},
                 {"P5#as long as a format needs\n2 1 255 xy\n \nP6 1 1 255 abc", 1},
                 {"P5#as long as a format needs\n2 1 255 xyPhotographed by nobody", 0},
                 {"P1#as long as a format needs\n1 1 1\nP1\n1 1 1\n", 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *expected = table[i].several ? "several pictures: only the first is read" : "";
        char note[256];
        gf_error error;
        gf_picture *in = read_bytes(table[i].text, strlen(table[i].text), NULL, &error);
        CHECK_MSG(in != NULL && strcmp(in->note, expected) == 0, "%s: %s", table[i].text,
                  in != NULL ? in->note : error.message);
        gf_picture_destroy(&in);
        for (int is_open = 0; is_open < 2; is_open++) { /* whoever keeps a pipe open is not waited for */
            read_piped(table[i].text, is_open, note);
            CHECK_MSG(strcmp(note, expected) == 0, "piped: %s: %s", table[i].text, note);
        }
    }
}

/* The samples of the picture that the reader is at, and what follows: width, or 0 at the end, -1 for an
 * error. */
static int64_t next_width(gf_reader *reader, gf_error *error)
{
    int32_t there = 0;
    const gf_status status = gf_reader_next(reader, &there, error);
    return status != GF_OK ? -1 : there ? gf_reader_info(reader)->shape.width : 0;
}

static void picture_after_picture(void)
{
    static const char text[] = "P5 2 1 255 xy\n P6 1 2 255 abcdef\n";
    static const char other[] = "P5 2 1 255 xy#P5";
    static const char broken[] = "P5 2 1 255 xyP5 3 1 x";
    uint8_t row[64];
    gf_error error = GF_ERROR_INIT;
    gf_reader *reader = NULL;
    const char *path = in_folder("two.ppm");
    REQUIRE(put_file(path, text, sizeof text - 1) && gf_reader_open(path, NULL, &reader, &error) == GF_OK);
    CHECK(next_width(reader, &error) == -1); /* rows are left */
    gf_source source = gf_reader_source(reader);
    CHECK(source.rows(source.user, row, 64, 1, &error) == GF_OK && gf_reader_finish(reader, &error) == GF_OK);
    CHECK(next_width(reader, &error) == 1);
    source = gf_reader_source(reader);
    REQUIRE(source.shape.height == 2 && source.shape.channels == 3 && source.again != NULL);
    for (int times = 0; times < 2; times++) { /* again is the second one, too */
        CHECK(source.rows(source.user, row, 64, 1, &error) == GF_OK && !memcmp(row, "abc", 3));
        CHECK(source.rows(source.user, row, 64, 1, &error) == GF_OK && !memcmp(row, "def", 3));
        CHECK(times || source.again(source.user, &error) == GF_OK);
    }
    CHECK(gf_reader_finish(reader, &error) == GF_OK && next_width(reader, &error) == 0);
    gf_reader_close(&reader);
    REQUIRE(put_file(path, other, sizeof other - 1) && gf_reader_open(path, NULL, &reader, &error) == GF_OK);
    source = gf_reader_source(reader);
    CHECK(source.rows(source.user, row, 64, 1, &error) == GF_OK && next_width(reader, &error) == -1);
    CHECK_STR_HAS(error.message, "what follows the picture does not begin with P1 to P6");
    gf_reader_close(&reader);
    REQUIRE(put_file(path, broken, sizeof broken - 1) &&
            gf_reader_open(path, NULL, &reader, &error) == GF_OK);
    source = gf_reader_source(reader);
    CHECK(source.rows(source.user, row, 64, 1, &error) == GF_OK && next_width(reader, &error) == -1);
    CHECK_STR_HAS(error.message, "damaged PNM");
    CHECK(next_width(reader, &error) == -1 && gf_reader_next(NULL, NULL, &error) == GF_ERROR_ARGUMENT);
    gf_reader_close(&reader);
}

/* Reads a row of all samples 0 to most, or as many as 16 bits of width allow, and compares with the quotient
 * rounded by other means. */
static void check_scale(unsigned most, int plain)
{
    unsigned count = most + 1 < 4096 ? most + 1 : 4096, step = (most + 1) / count;
    char *text = malloc(32 + (size_t)count * 8);
    gf_error error;
    REQUIRE(text != NULL);
    size_t size = (size_t)sprintf(text, "P%d %u 1 %u\n", plain ? 2 : 5, count, most);
    for (unsigned i = 0; i < count; i++) {
        unsigned v = i == count - 1 ? most : i * step;
        if (plain) {
            size += (size_t)sprintf(text + size, "%u ", v);
        } else {
            if (most > 255) {
                text[size++] = (char)(v >> 8);
            }
            text[size++] = (char)v;
        }
    }
    gf_picture *in = read_bytes(text, size, NULL, &error);
    CHECK_MSG(in != NULL, "%u: %s", most, error.message);
    unsigned full = most > 255 ? 65535 : 255;
    for (unsigned i = 0; in != NULL && i < count; i++) {
        unsigned v = i == count - 1 ? most : i * step;
        long double exact = (long double)v * full / most;
        unsigned got = most > 255 ? ((uint16_t *)in->image.data)[i] : ((uint8_t *)in->image.data)[i];
        CHECK_MSG(got == (unsigned)floorl(exact + 0.5L), "%u of %u became %u", v, most, got);
    }
    CHECK(in == NULL || in->image.shape.depth == (most > 255 ? GF_U16 : GF_U8));
    gf_picture_destroy(&in);
    free(text);
}

static void every_largest_sample(void)
{
    for (unsigned most = 1; most <= 300; most++) {
        check_scale(most, most % 2 != 0);
        check_scale(most, most % 2 == 0);
    }
    static const unsigned edges[] = {511,  512,   999,   1000,  1023,  4095,
                                     4096, 10000, 32767, 32768, 65534, 65535};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        check_scale(edges[i], 0);
        check_scale(edges[i], 1);
    }
}

struct wrong {
    const char *text;
    gf_status status;
    const char *says;
};

static void check_wrong(const struct wrong *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gf_error error;
        gf_picture *in = read_bytes(table[i].text, strlen(table[i].text), NULL, &error);
        CHECK_MSG(in == NULL && error.code == table[i].status && strstr(error.message, table[i].says) != NULL,
                  "%s: %d, %s", table[i].text, (int)error.code, error.message);
        gf_picture_destroy(&in);
    }
}

static void damage_is_named(void)
{
    static const struct wrong table[] = {
        {"P7\nWIDTH 1\n", GF_ERROR_INPUT, "not a format"},
        {"P55 1 255 x", GF_ERROR_INPUT, "not a format"},
        {"P5 0 1 255 ", GF_ERROR_INPUT, "the width is no number from 1 to"},
        {"P5 -1 1 255 ", GF_ERROR_INPUT, "the width is no number from 1 to"},
        {"P5 1 1x 255 x", GF_ERROR_INPUT, "the height is no number from 1 to"},
        {"P5 1 1 0 x", GF_ERROR_INPUT, "the largest sample is no number from 1 to 65535"},
        {"P5 1 1 65536 xxxx", GF_ERROR_INPUT, "the largest sample is no number from 1 to 65535"},
        {"P5 99999999999999999999 1 255 ", GF_ERROR_INPUT, "the width is no number"},
        {"P5 9223372036854775807 9223372036854775807 255 ", GF_ERROR_LIMIT, "beyond max_width, 1000000"},
        {"P5 1 1000001 255 ", GF_ERROR_LIMIT, "beyond max_height, 1000000"},
        {"P5 1000000 1000000 255 ", GF_ERROR_LIMIT, "beyond max_pixels"},
        {"P5 100 100 255 x", GF_ERROR_INPUT, "the file ends early: 1 of 10000 bytes of samples"},
        {"P6 100 100 256 x", GF_ERROR_INPUT, "the file ends early: 1 of 60000 bytes of samples"},
        {"P4 100 100 x", GF_ERROR_INPUT, "the file ends early: 1 of 1300 bytes of samples"},
        {"P3 100 100 9 1", GF_ERROR_INPUT, "the file ends early: 1 of 60000 bytes of samples"},
        {"P5 2 1 100 de", GF_ERROR_INPUT, "a sample is no number from 0 to 100"},
        {"P5 1 1 256 zz", GF_ERROR_INPUT, "a sample is no number from 0 to 256"},
        {"P2 2 1 100 1 101 ", GF_ERROR_INPUT, "a sample is no number from 0 to 100"},
        {"P2 2 1 100 1 -1 ", GF_ERROR_INPUT, "a sample is no number from 0 to 100"},
        {"P2 1 1 100 99999999999999999999999999 ", GF_ERROR_INPUT, "a sample is no number from 0 to 100"},
        {"P2 1 1 100 25", GF_ERROR_INPUT, "a blank must follow the last"},
        {"P1 2 1 12", GF_ERROR_INPUT, "a sample is no number from 0 to 1"},
        {"PF 1 1 0 xxxxxxxxxxxx", GF_ERROR_INPUT, "its scale is no number other than 0"},
        {"Pf 1 1 -x xxxx", GF_ERROR_INPUT, "its scale is no number"},
        {"Pf 1 1 1e xxxx", GF_ERROR_INPUT, "its scale is no number"},
        {"Pf 1 1 1.0.0 xxxx", GF_ERROR_INPUT, "its scale is no number"},
        {"Pf 1 1 11111111111111111111111111111111111111111 xxxx", GF_ERROR_INPUT, "its scale is no number"},
        {"Pf 1 0 1 xxxx", GF_ERROR_INPUT, "its width or height is no number from 1 on"},
        {"Pf 1 1 1 xxx", GF_ERROR_INPUT, "the file ends early: 3 of 4 bytes of samples"},
        {"PF 1000001 1 1 ", GF_ERROR_LIMIT, "beyond max_width, 1000000"},
    };
    check_wrong(table, sizeof table / sizeof table[0]);
}

/* Rows from the lowest on, in both orders of bytes; other scales are noted, not applied. */
static void float_maps(void)
{
    static const struct {
        const char *head;
        int big;
        const char *note;
    } table[] = {{"Pf\n1 2\n-1.0\n", 0, ""},   {"Pf 1 2 1 ", 1, ""},
                 {"Pf\n1 2\n+1.000\n", 1, ""}, {"Pf\n1 2\n-.25\n", 0, "its scale of .25 is not applied"},
                 {"Pf\n1 2\n-1e0\n", 0, ""},   {"Pf\n1 2\n3.E-2\n", 1, "its scale of 3.E-2 is not applied"},
                 {"Pf\n1 2\n-001.00\n", 0, ""}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        unsigned char bytes[64];
        gf_error error;
        size_t size = strlen(table[i].head);
        memcpy(bytes, table[i].head, size);
        memcpy(bytes + size, table[i].big ? "\x3f\xc0\0\0\xc0\0\0\0" : "\0\0\xc0\x3f\0\0\0\xc0", 8);
        gf_picture *in = read_bytes(bytes, size + 8, NULL, &error);
        CHECK_MSG(in != NULL, "%s: %s", table[i].head, error.message);
        if (in != NULL) {
            CHECK_NEAR(*(float *)in->image.data, -2, 0);
            CHECK_NEAR(*(float *)(void *)((char *)in->image.data + in->image.pitch), 1.5, 0);
            CHECK_MSG(table[i].note[0] ? strstr(in->note, table[i].note) != NULL : in->note[0] == '\0',
                      "%s: %s", table[i].head, in->note);
        }
        gf_picture_destroy(&in);
    }
    gf_file_info info = GF_FILE_INFO_INIT;
    REQUIRE(gf_io_probe(in_folder("bytes"), NULL, &info, NULL) == GF_OK);
    CHECK_EQ_INT(info.whole, 1);
    CHECK_EQ_INT(info.stored_bits, 32);
}

static void cuts_and_bits(void)
{
    static const char *const texts[] = {
        "P1\n3 2\n1 0 1 0 1 0",        "P2 2 2 77\n1 23 4 56\n",
        "P3\n1 1\n#c\n300 1 20 300\n", "P4\n9 2\nabcd",
        "P5 3 2 255\nabcdef",          "P6\n1 2 #x\n511\n\1\1\1\1\1\1\1\1\1\1\1\1",
        "PF\n1 1\n-1.0\nabcdefghijkl"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char bytes[80];
        size_t size = strlen(texts[i]);
        memcpy(bytes, texts[i], size);
        check_cuts(texts[i], bytes, size);
        gf_error error;
        gf_picture *in = read_bytes(bytes, size, NULL, &error);
        CHECK_MSG(in != NULL, "%s: %s", texts[i], error.message);
        gf_picture_destroy(&in);
        check_bits((unsigned char *)bytes, size);
    }
}

static void what_is_written(void)
{
    static const struct {
        const char *name;
        int channels;
        gf_depth depth;
        const char *head, *says;
    } table[] = {
        {"a.pgm", 1, GF_U8, "P5\n3 2\n255\n", NULL},
        {"a.PPM", 3, GF_U16, "P6\n3 2\n65535\n", NULL},
        {"a.pnm", 3, GF_U8, "P6\n3 2\n255\n", NULL},
        {"a.ppm", 1, GF_U16, "P5\n3 2\n65535\n", NULL},
        {"a.pfm", 1, GF_F32, "Pf\n3 2\n-1.0\n", NULL},
        {"a.pfm", 3, GF_F32, "PF\n3 2\n-1.0\n", NULL},
        {"b.pgm", 3, GF_U8, NULL,
         "a .pgm is gray and the picture is RGB: write a .ppm, or add the stage gray"},
        {"b.ppm", 4, GF_U8, NULL,
         "pnm holds gray and RGB, not RGBA; png holds that, and the stage alpha:over or alpha:drop takes "
         "alpha away"},
        {"b.pnm", 2, GF_U16, NULL,
         "pnm holds gray and RGB, not gray + alpha; png holds that, and the stage alpha:over or alpha:drop "
         "takes alpha away"},
        {"b.pfm", 4, GF_F32, NULL, "pfm holds gray and RGB, not RGBA"},
        {"b.pnm", 1, GF_F32, NULL, "pnm does not hold f32; the nearest it holds is u16"},
        {"b.pfm", 1, GF_U8, NULL, "pfm does not hold u8; the nearest it holds is f32"},
        {"b.pbm", 1, GF_U8, NULL, "cannot write format \"pbm\""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *out = make_picture(3, 2, table[i].channels, table[i].depth);
        REQUIRE(out != NULL);
        gf_status status = gf_io_write(in_folder(table[i].name), &out->image, NULL, NULL, &error);
        if (table[i].head != NULL) {
            size_t size = 0;
            CHECK_MSG(status == GF_OK, "%s: %s", table[i].name, error.message);
            char *bytes = (char *)get_file(in_folder(table[i].name), &size);
            CHECK(bytes != NULL && size == strlen(table[i].head) + 2 * row_bytes(&out->image) &&
                  memcmp(bytes, table[i].head, strlen(table[i].head)) == 0);
            free(bytes);
        } else {
            CHECK_EQ_INT(status, GF_ERROR_UNSUPPORTED);
            CHECK_STR_HAS(error.message, table[i].says);
            CHECK(access(in_folder(table[i].name), F_OK) != 0);
        }
        gf_picture_destroy(&out);
    }
    gf_picture *out = make_picture(1, 1, 1, GF_U16), *in = NULL;
    *(uint16_t *)out->image.data = 0x1234;
    REQUIRE(gf_io_write(in_folder("order.pgm"), &out->image, NULL, NULL, NULL) == GF_OK);
    size_t size = 0;
    char *bytes = (char *)get_file(in_folder("order.pgm"), &size);
    CHECK(bytes != NULL && memcmp(bytes + size - 2, "\x12\x34", 2) == 0);
    free(bytes);
    gf_picture_destroy(&out);
    gf_picture_destroy(&in);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"round trips, every depth, channel and size", round_trips_hold},
    {"P1 to P6, by hand", every_kind},
    {"comments, and pictures that follow", comments_and_what_follows},
    {"several pictures are noted, also from a pipe", several_pictures},
    {"picture after picture", picture_after_picture},
    {"every largest sample to full scale", every_largest_sample},
    {"damage and limits are named", damage_is_named},
    {"PFM: rows, byte orders, scales", float_maps},
    {"every cut and every changed bit", cuts_and_bits},
    {"what is written, and what is refused", what_is_written},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
