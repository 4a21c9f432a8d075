/* gf_compare, shifts and hashes: what is refused, with which words. */
#include "check.h"
#include "gpufilter/compare.h"

#include <math.h>
#include <string.h>

static gf_error e = GF_ERROR_INIT;

static gf_status stops(void *user, const gf_compare_row *row, gf_error *error)
{
    (void)user, (void)error;
    return row->y == 3 ? GF_ERROR_CANCELLED : GF_OK;
}

static gf_status gives(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    (void)user, (void)error;
    memset(data, 0, (size_t)(pitch * count));
    return GF_OK;
}

static gf_status breaks(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    (void)user, (void)data, (void)pitch, (void)count, (void)error;
    return GF_ERROR_INPUT;
}

#define REFUSES(word)                                                                                        \
    do {                                                                                                     \
        gf_comparison untouched = GF_COMPARISON_INIT;                                                        \
        CHECK(gf_compare(&a, &b, NULL, &o, &untouched, &e) == GF_ERROR_ARGUMENT);                            \
        CHECK_STR_HAS(e.message, word);                                                                      \
        CHECK(untouched.samples == 0);                                                                       \
        o = (gf_compare_options)GF_COMPARE_OPTIONS_INIT;                                                     \
    } while (0)

static uint32_t data[16 * 16];

static void options(void)
{
    gf_image a = gf_image_view(data, 8, 8, 3, GF_U8, 0), b = a;
    gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
    gf_comparison c = GF_COMPARISON_INIT;
    o.max_diff = -1;
    REFUSES("max_diff is -1: must be at least 0");
    o.max_diff = NAN;
    REFUSES("max_diff is nan");
    o.by = GF_COMPARE_BY_YIQ;
    o.max_diff = 1.5;
    REFUSES("at most 1 by YIQ");
    o.by = 3;
    REFUSES("by is 3");
    o.threads = 1025;
    REFUSES("threads is 1025: must be 0 to 1024");
    o.area = (gf_rect){1, 0, 8, 8};
    REFUSES("the area 8x8+1+0 does not lie in the pictures, which are 8 x 8");
    o.ignore = &(const gf_rect){0, 7, 1, 2};
    o.ignore_count = 1;
    REFUSES("a rectangle to ignore, 1x2+0+7");
    o.metrics = 16;
    REFUSES("metrics");
    b.shape.width = 7;
    REFUSES("A is 8 x 8 and B 7 x 8");
    b.shape = (gf_shape){8, 8, 4, GF_U8};
    b.pitch = 32;
    REFUSES("A has 3 channels of u8 and B 4 of u8");
    o.ignore_alpha = 1;
    CHECK(gf_compare(&a, &b, NULL, &o, &c, &e) == GF_OK && c.samples == 192);
    b.shape = a.shape;
    CHECK(gf_compare(&a, &b, &a, NULL, &c, &e) == GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "the mask is 8 x 8 of 3 channels");
}

static void inputs(void)
{
    gf_image a = gf_image_view(data, 8, 8, 3, GF_U8, 0), b = a;
    gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
    gf_comparison c = GF_COMPARISON_INIT;
    CHECK(gf_compare(NULL, &b, NULL, NULL, &c, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_compare(&a, NULL, NULL, NULL, &c, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_compare(&a, &b, NULL, NULL, NULL, &e) == GF_ERROR_ARGUMENT);
    o.row = stops;
    CHECK(gf_compare(&a, &b, NULL, &o, &c, &e) == GF_ERROR_CANCELLED);
    const gf_source good = {.struct_size = sizeof good, .shape = a.shape, .rows = gives};
    gf_source bad = good;
    bad.rows = breaks;
    CHECK(gf_compare_rows(&good, &bad, NULL, NULL, &c, &e) == GF_ERROR_INPUT);
    CHECK(gf_compare_rows(&good, NULL, NULL, NULL, &c, &e) == GF_ERROR_ARGUMENT);
    a.shape.depth = b.shape.depth = GF_U32;
    a.pitch = b.pitch = 96;
    o = (gf_compare_options)GF_COMPARE_OPTIONS_INIT;
    o.antialias = 1;
    a.shape.width = b.shape.width = 4;
    CHECK(gf_compare(&a, &b, NULL, &o, &c, &e) == GF_ERROR_UNSUPPORTED);
    gf_compare_shift_result shift = GF_COMPARE_SHIFT_RESULT_INIT;
    CHECK(gf_compare_shift(NULL, &b, NULL, 1, &shift, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_compare_shift(&a, NULL, NULL, 1, &shift, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_compare_shift(&a, &b, NULL, 1, NULL, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_compare_shift(&a, &b, NULL, -1, &shift, &e) == GF_ERROR_ARGUMENT);
    uint8_t hash[32];
    CHECK(gf_compare_hash(NULL, hash, &e) == GF_ERROR_ARGUMENT &&
          gf_compare_hash(&a, NULL, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_compare_hash_rows(NULL, hash, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_compare_hash_rows(&bad, hash, &e) == GF_ERROR_INPUT);
}

static const struct check_case cases[] = {{"options", options}, {"inputs", inputs}};
CHECK_MAIN(cases)
