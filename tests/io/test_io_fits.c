/* FITS: files of astropy's, files made by hand, and what is wrong with them. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "io_help.h"

#include <math.h>

enum { BLOCK = 2880, CARD = 80 };

static char file[8 * BLOCK];
static size_t file_size;

/* A file of a header with these lines, SIMPLE in front and END behind, and `size` bytes behind its block. */
static void make_file(const char *lines, const void *samples, size_t size)
{
    char *at = file;
    memset(file, ' ', sizeof file);
    memcpy(at, "SIMPLE  =                    T", 30);
    for (at += CARD; *lines != '\0'; at += CARD) {
        const size_t length = strcspn(lines, "\n");
        memcpy(at, lines, length);
        lines += length + (lines[length] == '\n');
    }
    memcpy(at, "END", 3);
    file_size = ((size_t)(at - file) / BLOCK + 1) * BLOCK;
    memcpy(file + file_size, samples, size);
    file_size += size;
}

#define HEAD(bits, axes) "BITPIX  = " bits "\nNAXIS   = " axes "\n"
#define SMALL            HEAD("8", "2") "NAXIS1  = 3\nNAXIS2  = 2\n"

static void round_trips_hold(void)
{
    round_trips("a.fits");
}

/* The files of tests/fuzz/seeds/fits are astropy's; its samples, the lowest row first, are worked out here.
 */
static double stored(int kind, int64_t i)
{
    const double v = (double)i;
    static const int scaled[] = {0, 0, 1, 100, -100, 32767};
    switch (kind) {
    case 0:
        return v * 40 + 1;
    case 1:
        return v * 13000 + 7;
    case 2:
        return v * 11000 - 32000;
    case 3:
        return (float)(i * 800000007 - INT64_C(2147483648));
    case 4:
        return (float)(i * 800000007);
    case 5:
        return (float)(int64_t)((uint64_t)i * UINT64_C(3000000000000000001) - (UINT64_C(1) << 62));
    case 6:
        return v / 8 - 1;
    case 7:
        return (float)(v / 7);
    default:
        return i == 0 ? NAN : (float)(0.37 * scaled[i] + -12.5);
    }
}

static double sample_of(const gf_image *image, int64_t x, int64_t y, int c)
{
    const char *row = (const char *)image->data + y * image->pitch;
    const int64_t place = x * image->shape.channels + c;
    return image->shape.depth == GF_U8    ? ((const uint8_t *)row)[place]
           : image->shape.depth == GF_U16 ? ((const uint16_t *)(const void *)row)[place]
                                          : (double)((const float *)(const void *)row)[place];
}

static void files_of_astropy(void)
{
    static const struct {
        const char *name;
        int kind, channels;
        gf_depth depth;
        const char *note;
    } table[] = {
        {"u8", 0, 1, GF_U8, "FITS: its last block is not filled"},
        {"u16", 1, 1, GF_U16, "FITS: its last block is not filled"},
        {"i16", 2, 1, GF_F32, "FITS: BITPIX 16 is read as f32, unscaled: white is 1"},
        {"i32", 3, 1, GF_F32, "FITS: BITPIX 32 is read as f32, unscaled: white is 1"},
        {"u32", 4, 1, GF_F32, "FITS: BITPIX 32 with BSCALE and BZERO is read as f32, unscaled"},
        {"i64", 5, 1, GF_F32, "FITS: BITPIX 64 is read as f32, unscaled: white is 1"},
        {"f32", 6, 3, GF_F32, "FITS: its last block is not filled"},
        {"f64", 7, 2, GF_F32, "FITS: BITPIX -64 is read as f32, rounded"},
        {"scaled_blank", 8, 1, GF_F32, "FITS: 1 cards of the header are not kept (OBJECT)"},
        {"extension", 0, 1, GF_U8, "FITS: its last block is not filled"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char path[512];
        gf_error error = GF_ERROR_INIT;
        gf_picture *in = NULL;
        snprintf(path, sizeof path, "%s/%s", GF_SEEDS, table[i].name);
        CHECK_MSG(gf_io_read(path, NULL, &in, &error) == GF_OK, "%s", error.message);
        if (in == NULL) {
            continue;
        }
        const gf_shape *shape = &in->image.shape;
        CHECK_MSG(shape->width == 3 && shape->height == 2 && shape->channels == table[i].channels &&
                      shape->depth == table[i].depth && strstr(in->note, table[i].note),
                  "%s: %s", table[i].name, in->note);
        for (int64_t place = 0; place < 6 * shape->channels; place++) {
            const int64_t x = place % 3, y = 1 - place / 3 % 2;
            const double is = sample_of(&in->image, x, y, (int)(place / 6)),
                         must = stored(table[i].kind, place);
            CHECK_MSG(is == must || (isnan(is) && isnan(must)), "%s: sample %d is %.9g, not %.9g",
                      table[i].name, (int)place, is, must);
        }
        gf_picture_destroy(&in);
    }
}

static void cuts_and_bits(void)
{
    make_file(SMALL, "abcdef", 6);
    check_cuts("a FITS", file, file_size);
    check_bits((unsigned char *)file, 7 * CARD);
    gf_error error;
    gf_picture *in = read_bytes(file, file_size, NULL, &error);
    CHECK_MSG(in != NULL && memcmp(in->image.data, "def", 3) == 0, "%s", error.message);
    gf_picture_destroy(&in);
}

static void damage_is_named(void)
{
    static const struct {
        const char *lines, *says;
    } table[] = {
        {"NAXIS   = 2\nNAXIS1  = 3\nNAXIS2  = 2\n", "damaged FITS: BITPIX is missing in the header of HDU 1"},
        {"BITPIX  = 8\n", "NAXIS is missing"},
        {HEAD("8", "2") "NAXIS1  = 3\n", "NAXIS2 is missing or below 0"},
        {SMALL "NAXIS3  = 1\n", "NAXIS3 is beyond NAXIS"},
        {SMALL "NAXIS1  = 3\n", "NAXIS1 stands twice"},
        {SMALL "BSCALE  = 1\nBSCALE  = 2\n", "BSCALE stands twice"},
        {SMALL "BSCALE  = '1'\n", "BSCALE has no value of its kind"},
        {SMALL "BSCALE  = 1.0.0\n", "BSCALE has no value of its kind"},
        {SMALL "BSCALE  = 1D999\n", "BSCALE has no value of its kind"},
        {SMALL "BZERO   = 1 2\n", "BZERO has no value of its kind"},
        {SMALL "BLANK   = 1.5\n", "BLANK has no value of its kind"},
        {SMALL "BLANK   =\n", "BLANK has no value of its kind"},
        {SMALL "BLANK   = 9223372036854775808\n", "BLANK has no value of its kind"},
        {HEAD("9", "2") "NAXIS1  = 3\nNAXIS2  = 2\n", "BITPIX is none of 8, 16, 32, 64, -32 and -64"},
        {HEAD("-16", "2") "NAXIS1  = 3\nNAXIS2  = 2\n", "BITPIX is none of"},
        {HEAD("8 bits", "2") "NAXIS1  = 3\nNAXIS2  = 2\n", "BITPIX has no value of its kind"},
        {HEAD("8", "2") "NAXIS1  = -3\nNAXIS2  = 2\n", "NAXIS1 is missing or below 0"},
        {HEAD("8", "2") "NAXIS1  = 99999999999999999999\nNAXIS2  = 2\n", "NAXIS1 has no value of its kind"},
        {HEAD("64", "3") "NAXIS1  = 4000000000000\nNAXIS2  = 4000000000000\nNAXIS3  = 4\n",
         "NAXISn are too large"},
        {HEAD("8", "1") "NAXIS1  = 6\n", "NAXIS must be 2, or 3 and NAXIS3 the channels, 1 to 4"},
        {HEAD("8", "3") "NAXIS1  = 3\nNAXIS2  = 2\nNAXIS3  = 5\n", "NAXIS must be 2, or 3"},
        {HEAD("8", "4") "NAXIS1  = 3\nNAXIS2  = 1\nNAXIS3  = 1\nNAXIS4  = 2\n", "NAXIS must be 2, or 3"},
        {HEAD("8", "9"), "FITS with NAXIS 9; 2 and 3 are read"},
        {HEAD("8", "2") "NAXIS1  = 0\nNAXIS2  = 2\n", "with an axis of 0 is no picture"},
        {SMALL "GCOUNT  = 2\n", "with PCOUNT or GCOUNT for an image is not read"},
        {SMALL "PCOUNT  = -1\n", "are too large"},
        {HEAD("8", "2") "NAXIS1  = 3\nNAXIS2  = 3\n", "the file ends early: 6 of 9 bytes of samples"},
        {HEAD("16", "2") "NAXIS1  = 3\nNAXIS2  = 2\n", "the file ends early: 6 of 12 bytes of samples"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gf_error error;
        make_file(table[i].lines, "abcdef", 6);
        gf_picture *in = read_bytes(file, file_size, NULL, &error);
        CHECK_MSG(in == NULL && error.code == GF_ERROR_INPUT && strstr(error.message, table[i].says),
                  "%s: %s", table[i].says, error.message);
        gf_picture_destroy(&in);
    }
}

/* Headers that are sound: what becomes of the samples, and the note. */
static void what_headers_say(void)
{
    static const struct {
        const char *lines, *samples;
        gf_depth depth;
        double first;
        const char *note;
    } table[] = {
        {SMALL "CONTINUE  'x'\nCOMMENT = 5\nHISTORY none\nEXTEND  = T / more", "abcdef", GF_U8, 'd', ""},
        {SMALL "BSCALE  = 1.0D0\nBZERO   = 0E5 / none", "abcdef", GF_U8, 'd', ""},
        {SMALL "BZERO   = -128", "abcdef", GF_F32, 'd' - 128,
         "BITPIX 8 with BSCALE and BZERO is read as f32"},
        {SMALL "BLANK   = 100", "abcdef", GF_U8, 'd', "BLANK is not applied: u8 has no NaN"},
        {SMALL "BLANK   = -9223372036854775808", "abcdef", GF_U8, 'd', "BLANK is not applied: u8 has no NaN"},
        {SMALL "BSCALE  = .5\nBLANK   = 100", "abcdef", GF_F32, NAN, "BITPIX 8 with BSCALE"},
        {SMALL "ROWORDER= 'TOP-DOWN'", "abcdef", GF_U8, 'd',
         "ROWORDER is not applied: the first row is the lowest"},
        {SMALL "OBJECT  = 'x'\nEXPTIME = 3", "abcdef", GF_U8, 'd',
         "2 cards of the header are not kept (OBJECT, ...)"},
        {HEAD("8", "5") "NAXIS1  = 3\nNAXIS2  = 2\nNAXIS3  = 1\nNAXIS4  = 1\nNAXIS5  = 1", "abcdef", GF_U8,
         'd', ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gf_error error;
        make_file(table[i].lines, table[i].samples, 6);
        memset(file + file_size, 0, BLOCK - 6);
        gf_picture *in = read_bytes(file, file_size - 6 + BLOCK, NULL, &error);
        CHECK_MSG(in != NULL, "%s: %s", table[i].lines, error.message);
        if (in != NULL) {
            const double first = sample_of(&in->image, 0, 0, 0);
            CHECK_MSG(in->image.shape.depth == table[i].depth &&
                          (first == table[i].first || (isnan(first) && isnan(table[i].first))) &&
                          strstr(in->note, table[i].note) && (*in->note == '\0') == (*table[i].note == '\0'),
                      "%s: %g, %s", table[i].lines, first, in->note);
        }
        gf_picture_destroy(&in);
    }
}

static void limits_hold(void)
{
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error;
    limits.max_pixels = 5;
    make_file(SMALL, "abcdef", 6);
    CHECK(read_bytes(file, file_size, &limits, &error) == NULL && error.code == GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 3 x 2 pixels, beyond max_pixels, 5");
    limits = (gf_io_limits)GF_IO_LIMITS_INIT;
    limits.max_metadata_bytes = BLOCK;
    CHECK((size_t)BLOCK < sizeof file);
    memset(file + 5 * CARD, ' ', sizeof file - 5 * CARD); /* no END */
    CHECK(read_bytes(file, sizeof file, &limits, &error) == NULL && error.code == GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "the header of HDU 1 goes on beyond max_metadata_bytes, 2880");
    CHECK(read_bytes(file, sizeof file, NULL, &error) == NULL && error.code == GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "the file ends early (in the header of HDU 1)");
    make_file(HEAD("8", "0"), "", 0);
    CHECK(read_bytes(file, file_size, NULL, &error) == NULL);
    CHECK_STR_HAS(error.message, "FITS without an image");
}

/* Two images with a table between them: pages. */
static void pages(void)
{
    static const char *const parts[] = {
        "XTENSION= 'BINTABLE'\n" HEAD("8", "2") "NAXIS1  = 2881\nNAXIS2  = 1\nPCOUNT  = 3\n"
                                                "GCOUNT  = 1\n",
        "XTENSION= 'IMAGE   ' / one\n" HEAD("8", "2") "NAXIS1  = 1\nNAXIS2  = 2\n"};
    static char whole[16 * BLOCK];
    size_t size = 2 * BLOCK;
    make_file(SMALL, "abcdef", 6);
    memcpy(whole, file, size);
    for (int i = 0; i < 2; i++) {
        make_file(parts[i], "xy", 2);
        memcpy(whole + size, file + CARD, BLOCK - CARD); /* without SIMPLE */
        memset(whole + size + BLOCK - CARD, ' ', CARD);
        memcpy(whole + size + BLOCK, "xy", 2);
        size += (size_t)(i == 0 ? 3 : 2) * BLOCK;
    }
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error;
    gf_picture *in = read_bytes(whole, size, NULL, &error);
    CHECK_MSG(in != NULL && in->image.shape.width == 3 && strcmp(in->note, "page 1 of 2") == 0, "%s",
              in ? in->note : error.message);
    gf_picture_destroy(&in);
    limits.page = 2;
    in = read_bytes(whole, size, &limits, &error);
    CHECK_MSG(in != NULL && in->image.shape.width == 1 && *(char *)in->image.data == 'y' && *in->note == '\0',
              "%s", in ? in->note : error.message);
    gf_picture_destroy(&in);
    limits.page = 3;
    CHECK(read_bytes(whole, size, &limits, &error) == NULL && error.code == GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "there is no page 3: it has 2 pages");
    memset(whole + 5 * BLOCK, 'x',
           BLOCK); /* what stands behind the picture and is no header ends the count */
    in = read_bytes(whole, size, NULL, &error);
    CHECK_MSG(in != NULL && *in->note == '\0', "%s", in ? in->note : error.message);
    gf_picture_destroy(&in);
    limits.page = 2;
    CHECK(read_bytes(whole, size, &limits, &error) == NULL && error.code == GF_ERROR_INPUT);
}

static void what_is_written(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(3, 2, 2, GF_U16);
    uint16_t *top = out->image.data, *low = (uint16_t *)((char *)out->image.data + out->image.pitch);
    size_t size = 0;
    low[0] = 0x1234;
    low[1] = 0x8001;
    top[5] = 0xffff;
    CHECK_EQ_INT(gf_io_write(in_folder("w.fit"), &out->image, NULL, NULL, &error), GF_OK);
    unsigned char *bytes = get_file(in_folder("w.fit"), &size);
    static const char head[] =
        "SIMPLE  =                    T                                                  "
        "BITPIX  =                   16                                                  "
        "NAXIS   =                    3                                                  "
        "NAXIS1  =                    3                                                  "
        "NAXIS2  =                    2                                                  "
        "NAXIS3  =                    2                                                  "
        "BZERO   =                32768                                                  "
        "BSCALE  =                    1                                                  "
        "END                                                                             ";
    REQUIRE(bytes != NULL && size == 2 * BLOCK);
    CHECK_MEM(bytes, head, sizeof head - 1);
    CHECK_MEM(bytes + BLOCK, "\x92\x34", 2);           /* the lowest row first, in the first plane */
    CHECK_MEM(bytes + BLOCK + 12, "\x00\x01", 2);      /* the second */
    CHECK_MEM(bytes + BLOCK + 12 + 10, "\x7f\xff", 2); /* and its last row */
    for (size_t i = BLOCK + 24; i < size; i++) {
        CHECK_EQ_INT(bytes[i], 0);
    }
    free(bytes);
    gf_picture_destroy(&out);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"round trips, every depth, channel and size", round_trips_hold},
    {"files of astropy's, every BITPIX", files_of_astropy},
    {"every cut and every changed bit", cuts_and_bits},
    {"damage is named", damage_is_named},
    {"what headers say", what_headers_say},
    {"limits hold", limits_hold},
    {"pages", pages},
    {"what is written", what_is_written},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
