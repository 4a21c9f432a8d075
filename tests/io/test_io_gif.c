/* GIF: frames as a browser shows them, by hand; what is refused, and what is noted. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include <ctype.h>

enum { WIDTH = 4, HEIGHT = 3, CLEAR_CODE = 8, END_CODE = 9 };

struct bytes {
    unsigned char at[4096];
    size_t size;
};

static void add(struct bytes *to, const void *bytes, size_t size)
{
    memcpy(to->at + to->size, bytes, size);
    to->size += size;
}

static void add_byte(struct bytes *to, int byte)
{
    to->at[to->size++] = (unsigned char)byte;
}

static void add_number(struct bytes *to, int number)
{
    add_byte(to, number & 255);
    add_byte(to, number >> 8);
}

static unsigned char colour(int index, int channel, int is_local)
{
    return (unsigned char)(index * 30 + channel * 7 + is_local);
}

static void add_colours(struct bytes *to, int is_local)
{
    for (int i = 0; i < 24; i++) {
        add_byte(to, colour(i / 3, i % 3, is_local));
    }
}

static void begin_gif(struct bytes *to, int width, int height, int aspect)
{
    to->size = 0;
    add(to, "GIF89a", 6);
    add_number(to, width);
    add_number(to, height);
    add_byte(to, 0x80 | 2);
    add_byte(to, 5); /* a background, which browsers do not paint */
    add_byte(to, aspect);
    add_colours(to, 0);
}

/* Codes of 4 bits: a table that is emptied so often stays small. */
static void add_samples(struct bytes *to, const char *digits, size_t count)
{
    unsigned codes = 0, bits = 0;
    const size_t length = to->size + 1;
    add_byte(to, 3);
    add_byte(to, 0);
    for (size_t i = 0; i <= count + (count + 4) / 5; i++) {
        const unsigned code = i % 6 == 0              ? CLEAR_CODE
                              : i - i / 6 - 1 < count ? (unsigned)digits[i - i / 6 - 1] - '0'
                                                      : END_CODE;
        codes |= code << bits;
        bits += 4;
        if (bits == 8) {
            add_byte(to, (int)codes);
            codes = bits = 0;
        }
    }
    codes |= END_CODE << bits;
    add_byte(to, (int)codes);
    to->at[length] = (unsigned char)(to->size - length - 1);
    add_byte(to, 0);
}

struct frame {
    int left, top, width, height, disposal, clear; /* clear -1: no index is */
    int is_laced, is_local;
    const char *digits;
};

static void add_frame(struct bytes *to, const struct frame *frame)
{
    const int control = frame->disposal << 2 | (frame->clear >= 0);
    add(to, "!\xf9\x04", 3);
    add_byte(to, control);
    add_number(to, 10);
    add_byte(to, frame->clear >= 0 ? frame->clear : 0);
    add_byte(to, 0);
    add_byte(to, ',');
    add_number(to, frame->left);
    add_number(to, frame->top);
    add_number(to, frame->width);
    add_number(to, frame->height);
    add_byte(to, (frame->is_laced ? 0x40 : 0) | (frame->is_local ? 0x82 : 0));
    if (frame->is_local) {
        add_colours(to, 1);
    }
    add_samples(to, frame->digits, (size_t)frame->width * (size_t)frame->height);
}

/* Digits are the file's colours, letters from a on those of the frame, and '.' nothing. */
static void check_picture(const gf_picture *picture, const char *expected, const char *what)
{
    const gf_shape *shape = &picture->image.shape;
    for (int64_t i = 0; i < shape->width * shape->height; i++) {
        const unsigned char *pixel = (const unsigned char *)picture->image.data +
                                     i / shape->width * picture->image.pitch +
                                     i % shape->width * shape->channels;
        const int is_local = isalpha((unsigned char)expected[i]) != 0, is_clear = expected[i] == '.';
        const int index = expected[i] - (is_local ? 'a' : '0');
        for (int c = 0; c < 3; c++) {
            const int must = is_clear ? 0 : colour(index, c, is_local);
            CHECK_MSG(pixel[c] == must, "%s: pixel %d, channel %d: %d, not %d", what, (int)i, c, pixel[c],
                      must);
        }
        CHECK_MSG(shape->channels == 3 ? !is_clear : pixel[3] == (is_clear ? 0 : 255), "%s: pixel %d", what,
                  (int)i);
    }
}

static void check_pages(const struct bytes *file, const char *const *pages, const int *channels, int count)
{
    for (int page = 1; page <= count; page++) {
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        gf_error error;
        char what[16];
        limits.page = page;
        gf_picture *picture = read_bytes(file->at, file->size, &limits, &error);
        CHECK_MSG(picture != NULL, "%s", error.message);
        REQUIRE(picture != NULL);
        snprintf(what, sizeof what, "page %d", page);
        CHECK_EQ_INT(picture->image.shape.channels, channels[page - 1]);
        check_picture(picture, pages[page - 1], what);
        gf_picture_destroy(&picture);
    }
}

static void frames_are_laid_over_each_other(void)
{
    static const struct frame frames[] = {
        {0, 0, 4, 3, 1, -1, 0, 0, "012345670123"}, /* stays */
        {1, 0, 2, 2, 3, 7, 0, 0, "6771"},          /* is taken back; 7 lets through */
        {2, 1, 2, 2, 2, -1, 0, 1, "0123"},         /* is cleared; colours of its own */
        {0, 2, 1, 1, 0, -1, 0, 0, "5"},
    };
    static const char *const pages[] = {"012345670123", "062345170123", "012345ab01cd", "012345..51.."};
    static const int channels[] = {3, 3, 3, 4};
    gf_error error;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    struct bytes file;
    begin_gif(&file, WIDTH, HEIGHT, 0);
    for (int i = 0; i < 4; i++) {
        add_frame(&file, &frames[i]);
    }
    add_byte(&file, ';');
    check_pages(&file, pages, channels, 4);
    gf_picture *picture = read_bytes(file.at, file.size, NULL, &error);
    REQUIRE(picture != NULL);
    CHECK_STR(picture->note, "page 1 of 4");
    gf_picture_destroy(&picture);
    limits.page = 5;
    CHECK(read_bytes(file.at, file.size, &limits, &error) == NULL);
    CHECK_STR_HAS(error.message, "there is no page 5: it has 4 pages");
    limits.page = 3; /* what is below frame 2 is kept, in memory of its own */
    limits.max_memory = file.size > 36 ? file.size : 36;
    picture = read_bytes(file.at, file.size, &limits, &error);
    CHECK_MSG(picture != NULL, "%s", error.message);
    REQUIRE(picture != NULL);
    gf_picture_destroy(&picture);
    limits.max_pixels = 11;
    CHECK(read_bytes(file.at, file.size, &limits, &error) == NULL && error.code == GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 4 x 3 pixels, beyond max_pixels, 11");
}

/* One frame, and what becomes of it; NULL: what the error says instead. */
static void single_frames(void)
{
    static const struct {
        int width, height, aspect;
        struct frame frame;
        const char *expected, *note;
    } table[] = {
        {4, 3, 0, {1, 1, 2, 1, 0, -1, 0, 0, "12"}, ".....12.....", ""},
        {4, 3, 0, {0, 0, 4, 3, 0, 0, 0, 0, "012345670123"}, ".1234567.123", ""},
        {1, 9, 0, {0, 0, 1, 9, 0, -1, 1, 0, "071326457"}, "063415277", ""},
        {4,
         3,
         0,
         {2, 2, 4, 3, 0, -1, 0, 0, "012345670123"},
         "..........01",
         "a frame reaches beyond the picture and is cut"},
        {0, 0, 0, {0, 0, 4, 3, 0, -1, 0, 0, "012345670123"}, "012345670123", ""},
        {4, 3, 113, {0, 0, 4, 3, 0, -1, 0, 0, "012345670123"}, "012345670123", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct bytes file;
        gf_error error;
        begin_gif(&file, table[i].width, table[i].height, table[i].aspect);
        add_frame(&file, &table[i].frame);
        add_byte(&file, ';');
        gf_picture *picture = read_bytes(file.at, file.size, NULL, &error);
        CHECK_MSG(picture != NULL, "%d: %s", (int)i, error.message);
        REQUIRE(picture != NULL);
        check_picture(picture, table[i].expected, "a frame");
        CHECK_STR(picture->note, table[i].note);
        const int has = table[i].aspect > 0; /* pixels twice as wide as high */
        CHECK_EQ_INT(picture->metadata.fields, has ? GF_META_DENSITY : 0);
        CHECK(!has || (picture->metadata.density[0] == 64 && picture->metadata.density[1] == 128));
        gf_picture_destroy(&picture);
    }
}

static const struct frame whole = {0, 0, 4, 3, 0, -1, 0, 0, "012345670123"};

static void what_is_odd_and_what_is_wrong(void)
{
    static const struct {
        const char *between, *end; /* the extensions in front of the frame; what comes behind it */
        size_t end_size;
        const char *note;
    } table[] = {
        {"!\xff\x0bICCRGBG1012\x03xyz", ";", 1, "ICC profile: not read from GIF, left out"},
        {"!\xff\x0bXMP DataXMP\x03xyz", ";", 1, "XMP: not read from GIF, left out"},
        {"!\xfe\x03xyz", ";", 1, ""},
        {NULL, "", 0, "nothing says that it ends"},
        {NULL, "\0;", 2, "bytes between frames that belong to nothing"},
        {NULL, "x;", 2, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct bytes file;
        gf_error error;
        begin_gif(&file, WIDTH, HEIGHT, 0);
        if (table[i].between != NULL) {
            add(&file, table[i].between, strlen(table[i].between) + 1);
        }
        add_frame(&file, &whole);
        add(&file, table[i].end, table[i].end_size);
        gf_picture *picture = read_bytes(file.at, file.size, NULL, &error);
        CHECK_MSG((picture != NULL) == (table[i].note != NULL), "%d: %s", (int)i, error.message);
        if (picture != NULL) {
            CHECK_STR(picture->note, table[i].note);
            check_picture(picture, "012345670123", "all of it");
        } else {
            CHECK_STR_HAS(error.message, "damaged GIF: ");
        }
        gf_picture_destroy(&picture);
    }
}

static void cuts_and_bits(void)
{
    struct bytes file;
    begin_gif(&file, WIDTH, HEIGHT, 0);
    add_frame(&file, &whole);
    add_byte(&file, ';');
    for (size_t cut = 0; cut + 1 < file.size; cut++) { /* the last byte says that it ends, and nothing else */
        gf_error error;
        CHECK_MSG(read_bytes(file.at, cut, NULL, &error) == NULL, "%zu bytes were enough", cut);
    }
    check_bits(file.at, file.size);
}

/* 4096 pixels for a code are more than anybody gets unasked. */
static void a_canvas_that_is_too_large(void)
{
    struct bytes file;
    gf_error error;
    begin_gif(&file, 16000, 16000, 0);
    add_frame(&file, &whole);
    add_byte(&file, ';');
    CHECK(read_bytes(file.at, file.size, NULL, &error) == NULL && error.code == GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "needs 1024000000 bytes at once, beyond max_memory");
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"frames are laid over each other", frames_are_laid_over_each_other},
    {"single frames: parts, clear, interlaced, beyond", single_frames},
    {"what is odd, and what is wrong", what_is_odd_and_what_is_wrong},
    {"every cut, every changed bit", cuts_and_bits},
    {"a canvas that is too large", a_canvas_that_is_too_large},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
