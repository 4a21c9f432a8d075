/* PNG files of our own making: every kind against the samples it was made from. */
#define _DEFAULT_SOURCE
#include "io_help.h"
#include "png_make.h"

static unsigned delivered(const gf_image *image, int x, int y, int channel)
{
    const uint8_t *row = (const uint8_t *)image->data + y * image->pitch;
    int at = x * image->shape.channels + channel;
    uint16_t wide;
    memcpy(&wide, row + 2 * at, image->shape.depth == GF_U16 ? 2 : 0);
    return image->shape.depth == GF_U16 ? wide : row[at];
}

static const char *describe(const struct png_recipe *r)
{
    static char text[160];
    snprintf(text, sizeof text,
             "%d x %d, type %d, depth %d, adam7 %d, filter %d, tRNS %d, level %d, idat %zu", r->width,
             r->height, r->type, r->depth, r->adam7, r->filter, r->trns, r->level, r->idat);
    return text;
}

static void check_picture(const struct png_recipe *r, const gf_image *image)
{
    int channels = png_make_channels(r), bad = 0;
    const gf_shape *shape = &image->shape;
    REQUIRE(check_that(shape->width == r->width && shape->height == r->height &&
                           shape->channels == channels && shape->depth == (r->depth == 16 ? GF_U16 : GF_U8),
                       __FILE__, __LINE__, "%s: another shape", describe(r)));
    for (int y = 0; y < r->height; y++) {
        for (int i = 0; i < r->width * channels; i++) {
            unsigned is = delivered(image, i / channels, y, i % channels);
            unsigned must = png_make_sample(r, i / channels, y, i % channels);
            if (is != must && bad++ == 0) {
                CHECK_MSG(0, "%s: sample %d, %d, %d is %u, not %u", describe(r), i / channels, y,
                          i % channels, is, must);
            }
        }
    }
}

static void check_recipe(const struct png_recipe *recipe)
{
    struct png_file file;
    gf_error error;
    size_t size = 0;
    png_make(&file, recipe);
    uint8_t *bytes = png_make_bytes(&file, &size);
    gf_picture *picture = read_bytes(bytes, size, NULL, &error);
    CHECK_MSG(picture != NULL, "%s: %s", describe(recipe), error.message);
    if (picture != NULL) {
        CHECK_STR(picture->note, "");
        check_picture(recipe, &picture->image);
    }
    gf_picture_destroy(&picture);
    free(bytes);
    png_make_free(&file);
}

static const int kinds[][2] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {2, 16}, {3, 1},
                               {3, 2}, {3, 4}, {3, 8}, {4, 8}, {4, 16}, {6, 8}, {6, 16}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 3}, {5, 5}, {8, 8}, {33, 17}, {130, 3}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void every_kind(int adam7)
{
    int n = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int trns = 0; trns <= (kinds[kind][0] < 4); trns++) {
            for (int filter = 0; filter <= PNG_MAKE_MIXED; filter++) {
                for (int size = 0; size < SIZES; size++, n++) {
                    struct png_recipe recipe = {.width = sizes[size][0],
                                                .height = sizes[size][1],
                                                .type = kinds[kind][0],
                                                .depth = kinds[kind][1],
                                                .adam7 = adam7,
                                                .filter = filter,
                                                .trns = trns,
                                                .level = n % 3 == 0 ? 0 : n % 10,
                                                .idat = n % 2 ? (size_t)(1 + n % 23) : 0};
                    if (check_slice(n, KINDS * 6 * SIZES)) {
                        check_recipe(&recipe);
                    }
                }
            }
        }
    }
}

static void rows(void)
{
    every_kind(0);
}

static void interlaced(void)
{
    every_kind(1);
}

/* All widths and heights around the pattern of 8 x 8 of Adam7, whose passes may be empty. */
static void small_sizes(void)
{
    for (int n = 0; n < 17 * 17; n++) {
        for (int kind = n % 3; kind < KINDS; kind += 3) {
            struct png_recipe recipe = {.width = 1 + n % 17,
                                        .height = 1 + n / 17,
                                        .type = kinds[kind][0],
                                        .depth = kinds[kind][1],
                                        .adam7 = n % 5 != 0,
                                        .filter = PNG_MAKE_MIXED,
                                        .level = n % 4};
            if (check_slice(n, 17 * 17)) {
                check_recipe(&recipe);
            }
        }
    }
}

/* Palettes of every length, with and without a tRNS that is shorter; some lack what is used. */
static void palettes(void)
{
    for (int entries = 1; entries <= 256; entries += 1 + entries / 9) {
        for (int trns = 0; trns < 2; trns++) {
            int depth = entries <= 2 ? 1 : entries <= 4 ? 2 : entries <= 16 ? 4 : 8;
            struct png_recipe recipe = {.width = 40,
                                        .height = 9,
                                        .type = 3,
                                        .depth = depth,
                                        .trns = trns,
                                        .level = 9,
                                        .palette = entries,
                                        .missing = entries % 2 ? entries / 3 : 0};
            check_recipe(&recipe);
        }
    }
}

/* More than zlib's window, a read buffer, and a chunk of libpng's; in one chunk and in many. */
static void large(void)
{
    for (int n = 0; n < 6; n++) {
        struct png_recipe recipe = {.width = 700 + n,
                                    .height = 500,
                                    .type = n % 2 ? 6 : 2,
                                    .depth = n % 3 ? 8 : 16,
                                    .adam7 = n / 3,
                                    .filter = PNG_MAKE_MIXED,
                                    .level = n,
                                    .idat = n % 2 ? 70001 : 0};
        check_recipe(&recipe);
    }
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"every type, depth, filter and tRNS, by rows", rows},
    {"every type, depth, filter and tRNS, interlaced", interlaced},
    {"every size up to 17 x 17", small_sizes},
    {"palettes of every length", palettes},
    {"large pictures", large},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
