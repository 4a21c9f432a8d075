/* HDR, and what is written of BMP, TGA and HDR. */
#define _DEFAULT_SOURCE
#include "io_bytes.h"

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
        {"r.bmp", 2, 2, 2, GF_U8,
         "bmp holds gray, RGB and RGBA, not gray + alpha; png holds that, and the stage alpha:over or "
         "alpha:drop takes alpha away"},
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
        limits.max_memory = i == 0 ? 1 : i == 1 ? 40 * 30 * 3 : 40 * 30 * 12 + 1000;
        CHECK_EQ_INT(gf_io_read(in_folder(names[i]), &limits, &in, &error), GF_OK);
        gf_picture_destroy(&in);
        limits.max_memory = 40 * 30 * 3 - 1;
        if (i > 0) { /* a BMP that is not packed is as long as its picture, and goes straight there */
            CHECK_EQ_INT(gf_io_read(in_folder(names[i]), &limits, &in, &error), GF_ERROR_LIMIT);
            CHECK_STR_HAS(error.message, "beyond max_memory, 3599");
        }
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
    {"HDR by hand; every cut and bit", radiance},
    {"round trips of BMP and TGA", round_trips_hold},
    {"round trips of HDR, to eight bits", written_floats},
    {"pictures that they do not hold", refused_pictures},
    {"limits", limits_hold},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
