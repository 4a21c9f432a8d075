/* threshold against levels of the neighbours: the judge's bits from every executor around the edges of
 * windows and of strips, channels, roi and special values. */
#include "drawn_check.h"

#include <stdio.h>
#include <string.h>

static const char *const borders[] = {"replicate", "reflect", "reflect101", "wrap", "constant:value=0.3"};
static const int64_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {5, 3}, {35, 21}, {300, 5}, {6, 90}};
enum { BORDERS = sizeof borders / sizeof *borders, SIZES = sizeof sizes / sizeof *sizes, RADII = 5 };

static int64_t radius_number(int number, int64_t width, int64_t height)
{
    const int64_t longer = width > height ? width : height;
    const int64_t radii[RADII] = {0, 1, 7, longer / 2 < 40 ? longer / 2 : 40, longer < 20 ? longer : 20};
    return radii[number] < longer ? radii[number] : longer;
}

static void check_same(const char *text, const gf_shape *shape, uint64_t seed, enum plan_content content)
{
    drawn_check(text, shape, seed, content, seed % 4 == 0, (gf_alpha)(seed % 3));
}

static void same_bits(void)
{
    const long count = (long)BORDERS * SIZES * RADII * 3;
    for (long n = 0; n < count; n++) {
        const int64_t *size = sizes[n % SIZES];
        const int64_t radius = radius_number((int)(n / SIZES % RADII), size[0], size[1]);
        const int border = (int)(n / SIZES / RADII % BORDERS);
        const gf_shape shape = {size[0], size[1], (int32_t)(n % 4 + 1),
                                (gf_depth)(GF_U8 + n / SIZES / RADII / BORDERS)};
        char text[160];
        if (check_slice(n, count)) {
            snprintf(text, sizeof text, "threshold:sauvola:radius=%lld:k=0.%ld:range=0.%ld:border=%s",
                     (long long)radius, n % 10, n % 7 + 1, borders[border]);
            check_same(text, &shape, (uint64_t)n, (enum plan_content)(n % PLAN_CONTENTS));
        }
    }
}

/* Sums of squares of bytes in 32 bits up to radius 127, in 64 beyond. */
static void wide_sums(void)
{
    static const char *const texts[] = {"threshold:sauvola:radius=127", "threshold:sauvola:radius=128",
                                        "brightness:1,threshold:sauvola:radius=127:k=1",
                                        "brightness:1,threshold:sauvola:radius=128:k=1"};
    const gf_shape shape = {129, 3, 1, GF_U8};
    for (int i = 0; i < 4; i++) {
        check_same(texts[i], &shape, (uint64_t)i, PLAN_NOISE);
    }
}

static void in_chains(void)
{
    static const char *const texts[] = {
        "invert,threshold:sauvola:radius=4:roi=40x15+3+5,hist",
        "threshold:sauvola:radius=4:channels=0,invert",
        "gray,blur:1,threshold:sauvola:radius=9,stats",
        "convert:f32,threshold:sauvola:radius=3,convert:u16",
    };
    for (int i = 0; i < 24; i++) {
        const gf_shape shape = {100 + i, 30, 3, (gf_depth)(GF_U8 + i % 3)};
        check_same(texts[i / 3 % 4], &shape, (uint64_t)i, (enum plan_content)(i % PLAN_CONTENTS));
    }
}

/* Bytes of one channel compared with their mean: a march of CUDA up to radius 32, with offsets that decide
 * about all samples or none, and what does not march. */
static void means_of_bytes(void)
{
    static const int64_t radii[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 31, 32, 33};
    static const int64_t extents[][2] = {{1, 1}, {7, 40}, {257, 66}, {300, 19}, {530, 9}};
    static const char *const more[] = {"",           ":offset=4u8",        ":offset=-3u8", ":offset=1",
                                       ":offset=-1", ":offset=0.3,invert", ",hist",        ":roi=5x3+1+2"};
    enum { RADIUS = sizeof radii / sizeof *radii, EXTENTS = 5, MORE = 8 };
    const long count = (long)RADIUS * BORDERS * MORE;
    for (long n = 0; n < count; n++) {
        const int64_t *size = extents[(n / 3 + n / RADIUS) % EXTENTS];
        const char *text = more[n / RADIUS % MORE];
        const gf_shape shape = {size[0], size[1], 1, GF_U8};
        const char *const border = borders[n / RADIUS / MORE];
        char line[160];
        if (strstr(text, "roi") && (size[0] < 6 || size[1] < 5)) {
            continue;
        }
        if (check_slice(n, count)) {
            snprintf(line, sizeof line, "threshold:mean:radius=%lld:border=%s%s",
                     (long long)radii[n % RADIUS], border, text);
            check_same(line, &shape, (uint64_t)n, (enum plan_content)(n % PLAN_CONTENTS));
        }
    }
}

static const struct check_case cases[] = {
    {"the same bits around the edges of windows", same_bits},
    {"sums of 32 and of 64 bits", wide_sums},
    {"in chains", in_chains},
    {"means of bytes", means_of_bytes},
};
CHECK_MAIN(cases)
