/* EXR: files of the OpenEXR library's, and what is written. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "io_help.h"

#include <math.h>

static const gf_format *exr(void)
{
    const gf_format *format = NULL;
    return gf_io_format_for("a.exr", NULL, &format, NULL) == GF_OK ? format : NULL;
}

#define NEED_EXR()                                                                                           \
    if (exr() == NULL) {                                                                                     \
        SKIP("this build has no EXR");                                                                       \
    }

static void round_trips_hold(void)
{
    NEED_EXR();
    for (size_t i = 0; i < sizeof help_sizes / sizeof *help_sizes; i++) {
        round_trip(in_folder("a.exr"), help_sizes[i][0], help_sizes[i][1], 1, GF_F32);
        round_trip(in_folder("a.exr"), help_sizes[i][0], help_sizes[i][1], 3, GF_F32);
    }
}

static gf_status read_seed(const char *name, gf_picture **in, gf_error *error)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", GF_SEEDS, name);
    *error = (gf_error)GF_ERROR_INIT;
    *in = NULL;
    return gf_io_read(path, NULL, in, error);
}

/* The files of tests/fuzz/seeds/exr were written by OpenEXR's own module for Python: x / 8, y / 4 and their
 * product, 7 x 5. What loses something is near. */
static void files_of_openexr(void)
{
    NEED_EXR();
    static const struct {
        const char *name;
        int channels, first; /* which of the three its first channel is */
        double within;
        const char *note;
    } table[] = {
        {"half_no", 3, 0, 0, ""},
        {"half_rle", 3, 0, 0, ""},
        {"half_zips", 3, 0, 0, ""},
        {"half_zip", 3, 0, 0, ""},
        {"half_piz", 3, 0, 0, ""},
        {"half_pxr24", 3, 0, 0, ""},
        {"half_b44", 3, 0, 0.1, ""},
        {"half_b44a", 3, 0, 0.1, ""},
        {"float_no", 3, 0, 0, ""},
        {"float_zip", 3, 0, 0, ""},
        {"float_piz", 3, 0, 0, ""},
        {"float_pxr24", 3, 0, 0, ""},
        {"tiles", 3, 0, 0, ""},
        {"gray", 1, 2, 0, ""},
        {"down", 1, 2, 0, ""},
        {"depth", 1, 2, 0, ""},
        {"parts", 3, 0, 0, "page 1 of 2"},
        {"window", 3, 0, 0, "EXR: the data window is read, 7x5-3+10, not the display window"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gf_error error;
        gf_picture *in;
        CHECK_MSG(read_seed(table[i].name, &in, &error) == GF_OK, "%s", error.message);
        if (in == NULL) {
            continue;
        }
        const gf_shape *shape = &in->image.shape;
        CHECK_MSG(shape->width == 7 && shape->height == 5 && shape->channels == table[i].channels &&
                      shape->depth == GF_F32 && strcmp(in->note, table[i].note) == 0,
                  "%s: %s", table[i].name, in->note);
        for (int64_t at = 0; at < 35 * shape->channels; at++) {
            const int64_t c = at % shape->channels, x = at / shape->channels % 7,
                          y = at / shape->channels / 7;
            const double all[] = {(double)x / 8, (double)y / 4, (double)(x * y) / 32};
            const double must = all[table[i].first + c];
            const float is =
                ((float *)(void *)((char *)in->image.data + y * in->image.pitch))[x * shape->channels + c];
            CHECK_MSG(fabs(is - must) <= table[i].within, "%s: sample %d is %g, not %g", table[i].name,
                      (int)at, (double)is, must);
        }
        gf_picture_destroy(&in);
    }
}

static void pages(void)
{
    NEED_EXR();
    char path[512];
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_picture *in = NULL;
    snprintf(path, sizeof path, "%s/parts", GF_SEEDS);
    limits.page = 2;
    REQUIRE(gf_io_read(path, &limits, &in, &error) == GF_OK);
    CHECK(in->image.shape.channels == 1 && ((float *)in->image.data)[5] == 0.625f && *in->note == '\0');
    gf_picture_destroy(&in);
    limits.page = 3;
    CHECK_EQ_INT(gf_io_read(path, &limits, &in, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "there is no page 3: it has 2 pages");
}

static void what_is_not_read(void)
{
    NEED_EXR();
    static const struct {
        const char *name, *says;
    } table[] = {
        {"bad_half_dwaa", "a kind of EXR that is not read: its compression; none, RLE"},
        {"bad_float_b44", "a kind of EXR that is not read: its compression"},
        {"layers", "channels beside R, G and B, or Y, and A of one layer"},
        {"bad_integers", "a kind of EXR that is not read: integers; half and float are"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gf_error error;
        gf_picture *in;
        CHECK_EQ_INT(read_seed(table[i].name, &in, &error), GF_ERROR_INPUT);
        CHECK_STR_HAS(error.message, table[i].says);
    }
}

/* Colours are multiplied by alpha in the file, and divided by it in the picture, but where it is 0. */
static void alpha(void)
{
    NEED_EXR();
    gf_error error = GF_ERROR_INIT;
    gf_picture *in, *out = make_picture(3, 1, 4, GF_F32), *back = NULL;
    REQUIRE(read_seed("rgba", &in, &error) == GF_OK);
    for (int64_t y = 0; y < 5; y++) {
        const float *row = (float *)(void *)((char *)in->image.data + y * in->image.pitch);
        for (int64_t x = 0; x < 7; x++) { /* alpha is x / 8 + 1 / 8 */
            const float a = (float)(x + 1) / 8, all[] = {(float)x / 8, (float)y / 4, (float)(x * y) / 32};
            CHECK(row[4 * x + 3] == a);
            for (int c = 0; c < 3; c++) {
                CHECK(row[4 * x + c] == all[c] * a / a);
            }
        }
    }
    gf_picture_destroy(&in);
    /* compressed, these take as many bytes as they are */
    static const float pixels[12] = {1, 2, 3, 0.5f, 4, 5, 6, 0, 0.1f, 0.2f, 0.3f, 1};
    static const float must[12] = {1, 2, 3, 0.5f, 0, 0, 0, 0, 0.1f, 0.2f, 0.3f, 1};
    memcpy(out->image.data, pixels, sizeof pixels);
    REQUIRE(gf_io_write(in_folder("alpha.exr"), &out->image, NULL, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("alpha.exr"), NULL, &back, &error) == GF_OK);
    CHECK_MEM(back->image.data, must, sizeof must);
    gf_picture_destroy(&back);
    gf_picture_destroy(&out);
    out = make_picture(17, 33, 2, GF_F32); /* gray: more than two chunks */
    for (int64_t y = 0; y < 33; y++) {
        for (int64_t x = 0; x < 17; x++) {
            ((float *)(void *)((char *)out->image.data + y * out->image.pitch))[2 * x + 1] = 0.5f;
            ((float *)(void *)((char *)out->image.data + y * out->image.pitch))[2 * x] = (float)(x + y);
        }
    }
    REQUIRE(gf_io_write(in_folder("ya.exr"), &out->image, NULL, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("ya.exr"), NULL, &back, &error) == GF_OK);
    CHECK(same_pictures(&out->image, &back->image));
    gf_picture_destroy(&back);
    gf_picture_destroy(&out);
}

static void cuts_and_bits(void)
{
    NEED_EXR();
    char path[512];
    static const char *const names[] = {"half_zip", "tiles", "half_piz", "float_pxr24", "half_b44"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", GF_SEEDS, names[i]);
        unsigned char *bytes = get_file(path, &size);
        REQUIRE(bytes != NULL);
        check_cuts(names[i], bytes, size);
        check_bits(bytes, size);
        free(bytes);
    }
}

static void limits_hold(void)
{
    NEED_EXR();
    gf_error error = GF_ERROR_INIT;
    gf_picture *in = NULL, *out = make_picture(301, 100, 3, GF_F32);
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    REQUIRE(gf_io_write(in_folder("l.exr"), &out->image, NULL, NULL, &error) == GF_OK);
    limits.max_memory = 100000; /* a chunk takes 16 rows of 3612 bytes, three times */
    CHECK_EQ_INT(gf_io_read(in_folder("l.exr"), &limits, &in, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "beyond max_memory, 100000");
    limits.max_memory = 1;
    CHECK_EQ_INT(gf_io_read(in_folder("l.exr"), &limits, &in, &error), GF_ERROR_LIMIT);
    limits = (gf_io_limits)GF_IO_LIMITS_INIT;
    limits.max_width = 300;
    CHECK_EQ_INT(gf_io_read(in_folder("l.exr"), &limits, &in, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 301 x 100 pixels, beyond max_width, 300");
    gf_picture_destroy(&out);
}

static void without_it(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *in, *out = make_picture(2, 2, 3, GF_F32);
    if (exr() != NULL) {
        SKIP("this build has EXR");
    }
    CHECK_EQ_INT(read_seed("half_zip", &in, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "is exr, and this build has no exr: rebuild with OpenEXR");
    CHECK_EQ_INT(gf_io_write(in_folder("a.exr"), &out->image, NULL, NULL, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "this build writes no exr: rebuild with OpenEXR");
    gf_picture_destroy(&out);
}

static void cleanup(void)
{
    in_folder("");
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"round trips, gray and RGB, every size", round_trips_hold},
    {"files of OpenEXR's, every compression", files_of_openexr},
    {"pages", pages},
    {"what is not read", what_is_not_read},
    {"alpha", alpha},
    {"every cut and every changed bit", cuts_and_bits},
    {"limits hold", limits_hold},
    {"a build without it says so", without_it},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
