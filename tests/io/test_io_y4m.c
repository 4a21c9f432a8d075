/* y4m: samples against the definition in exact fractions, headers, frames one behind the other. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include "gpufilter/io_memory.h"

#include <math.h>

/* The weights of docs/exactness.md, in f64; what is exact to the last rounding is at most a hair more than
 * half away. */
struct model {
    int bits, full_range, is_hd;
};

static void to_rgb(const struct model *m, const int ycc[3], double rgb[3])
{
    const double red = m->is_hd ? 0.2126 : 0.299, blue = m->is_hd ? 0.0722 : 0.114, green = 1 - red - blue;
    const double scale = 1 << (m->bits - 8), most = (1 << m->bits) - 1, full = m->bits > 8 ? 65535 : 255;
    const double light = m->full_range ? ycc[0] / most : (ycc[0] - 16 * scale) / (219 * scale);
    const double range = m->full_range ? most : 224 * scale;
    const double b = (ycc[1] - 128 * scale) / range, r = (ycc[2] - 128 * scale) / range;
    rgb[0] = full * (light + 2 * (1 - red) * r);
    rgb[1] = full * (light - 2 * blue * (1 - blue) / green * b - 2 * red * (1 - red) / green * r);
    rgb[2] = full * (light + 2 * (1 - blue) * b);
    for (int c = 0; c < 3; c++) {
        rgb[c] = rgb[c] < 0 ? 0 : rgb[c] > full ? full : rgb[c];
    }
}

static size_t put_sample(unsigned char *at, int value, int bits)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    return bits > 8 ? 2 : 1;
}

static int sample_at(const gf_picture *picture, int x, int y, int c)
{
    const gf_image *image = &picture->image;
    const char *row = (const char *)image->data + y * image->pitch;
    const int i = x * image->shape.channels + c;
    return image->shape.depth == GF_U8 ? ((const unsigned char *)row)[i]
                                       : ((const uint16_t *)(const void *)row)[i];
}

struct kind {
    const char *chroma;
    int across, down, bits, full_range, width, height;
};

static const struct kind kinds[] = {
    {"420jpeg", 2, 2, 8, 0, 5, 3},  {"420mpeg2", 2, 2, 8, 1, 4, 4}, {"420paldv", 2, 2, 8, 0, 3, 5},
    {"420", 2, 2, 8, 0, 2, 2},      {"422", 2, 1, 8, 0, 5, 2},      {"444", 1, 1, 8, 0, 64, 5},
    {"444", 1, 1, 8, 1, 64, 5},     {"420p10", 2, 2, 10, 0, 5, 5},  {"422p12", 2, 1, 12, 1, 3, 3},
    {"444p16", 1, 1, 16, 0, 33, 3}, {"444p9", 1, 1, 9, 0, 33, 3},   {"444", 1, 1, 8, 0, 1280, 2},
};

/* A frame of samples that are drawn, and where they lie. */
static size_t make_frame(const struct kind *kind, unsigned char *file, int *planes[3])
{
    static uint32_t state = 1;
    size_t size = (size_t)sprintf((char *)file, "YUV4MPEG2 W%d H%d F25:1 Ip C%s%s\nFRAME\n", kind->width,
                                  kind->height, kind->chroma, kind->full_range ? " XCOLORRANGE=FULL" : "");
    for (int plane = 0; plane < 3; plane++) {
        const int width = plane ? (kind->width + kind->across - 1) / kind->across : kind->width;
        const int height = plane ? (kind->height + kind->down - 1) / kind->down : kind->height;
        for (int i = 0; i < width * height; i++) {
            state = state * 1664525u + 1013904223u;
            planes[plane][i] = (int)(state >> (32 - kind->bits));
            size += put_sample(file + size, planes[plane][i], kind->bits);
        }
    }
    return size;
}

static void samples_become_rgb(void)
{
    static int memory[3][8192];
    static unsigned char file[65536];
    int *planes[3] = {memory[0], memory[1], memory[2]};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i];
        const struct model model = {kind->bits, kind->full_range, kind->width >= 1280 || kind->height > 576};
        gf_error error;
        gf_picture *picture = read_bytes(file, make_frame(kind, file, planes), NULL, &error);
        CHECK_MSG(picture != NULL, "%s: %s", kind->chroma, error.message);
        REQUIRE(picture != NULL);
        CHECK_EQ_INT(picture->image.shape.depth, kind->bits > 8 ? GF_U16 : GF_U8);
        CHECK_STR(picture->note, "");
        const int across = (kind->width + kind->across - 1) / kind->across;
        for (int at = 0; at < kind->width * kind->height; at++) {
            const int x = at % kind->width, y = at / kind->width,
                      small = y / kind->down * across + x / kind->across;
            const int ycc[3] = {planes[0][at], planes[1][small], planes[2][small]};
            double rgb[3];
            to_rgb(&model, ycc, rgb);
            for (int c = 0; c < 3; c++) {
                CHECK_MSG(fabs(sample_at(picture, x, y, c) - rgb[c]) < 0.51,
                          "%s at %d %d channel %d: %d, not %g", kind->chroma, x, y, c,
                          sample_at(picture, x, y, c), rgb[c]);
            }
        }
        gf_picture_destroy(&picture);
    }
}

/* Colours of RGB come back, but for the rounding of luma and chroma; of deep ones, much nearer. */
static void rgb_comes_back(void)
{
    for (int deep = 0; deep < 2; deep++) {
        gf_picture *out = make_picture(37, 9, 3, deep ? GF_U16 : GF_U8), *in = NULL;
        REQUIRE(gf_io_write(in_folder("a.y4m"), &out->image, NULL, NULL, NULL) == GF_OK);
        REQUIRE(gf_io_read(in_folder("a.y4m"), NULL, &in, NULL) == GF_OK);
        CHECK(in->metadata.chroma == GF_CHROMA_444 && in->metadata.video_bits == (deep ? 16 : 8));
        for (int i = 0; i < 37 * 9 * 3; i++) {
            const int a = sample_at(out, i / 3 % 37, i / 111, i % 3),
                      b = sample_at(in, i / 3 % 37, i / 111, i % 3);
            CHECK_MSG(abs(a - b) <= 2, "sample %d: %d became %d", i, a, b);
        }
        gf_picture_destroy(&out);
        gf_picture_destroy(&in);
    }
    gf_picture *gray = make_picture(9, 4, 1, GF_U8), *in = NULL;
    REQUIRE(gf_io_write(in_folder("g.y4m"), &gray->image, NULL, NULL, NULL) == GF_OK);
    REQUIRE(gf_io_read(in_folder("g.y4m"), NULL, &in, NULL) == GF_OK);
    CHECK(in->image.shape.channels == 1 && in->metadata.chroma == GF_CHROMA_MONO);
    gf_picture_destroy(&gray);
    gf_picture_destroy(&in);
}

/* The mean of four pixels, rounded once: chroma that was copied to four is what it was. */
static void chroma_is_the_mean(void)
{
    static const unsigned char file[] = "YUV4MPEG2 W3 H3 F30000:1001 Ip A10:11 C420paldv\nFRAME\n"
                                        "\x50\x60\x70\x80\x90\xa0\x70\x60\x50"
                                        "\x70\x88\x90\x78"
                                        "\x84\x7c\x80\x90";
    gf_error error;
    void *bytes = NULL;
    size_t size = 0;
    gf_picture *in = read_bytes(file, sizeof file - 1, NULL, &error);
    CHECK_MSG(in != NULL, "%s", error.message);
    REQUIRE(in != NULL);
    CHECK(in->metadata.frame_rate[0] == 30000 && in->metadata.frame_rate[1] == 1001);
    CHECK(in->metadata.density[0] == 11 && in->metadata.density[1] == 10 && in->metadata.density_unit == 0);
    REQUIRE(gf_io_write_memory("y4m", &in->image, &in->metadata, NULL, &bytes, &size, &error) == GF_OK);
    const char head[] = "YUV4MPEG2 W3 H3 F30000:1001 Ip A10:11 C420paldv XCOLORRANGE=LIMITED\nFRAME\n";
    REQUIRE(size == sizeof head - 1 + 17);
    CHECK_MEM(bytes, head, sizeof head - 1);
    CHECK_MEM((char *)bytes + sizeof head - 1, file + sizeof file - 1 - 17, 17);
    gf_io_free_memory(bytes);
    gf_picture_destroy(&in);
}

static void headers_that_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"YUV4MPEG2 W4 H4 It C444\n", "frames are interlaced (It), two fields of different moments"},
        {"YUV4MPEG2 W4 H4 C411\n",
         "a kind of y4m that is not read: C411; read are C420jpeg, C420mpeg2, C420paldv"},
        {"YUV4MPEG2 W4 H4 C444alpha\n", "not read: C444alpha"},
        {"YUV4MPEG2 W4 H4 C420p8\n", "not read: C420p8"},
        {"YUV4MPEG2 W4 H4 C420p17\n", "not read: C420p17"},
        {"YUV4MPEG2 W4 C444\n", "its header lacks 'H'"},
        {"YUV4MPEG2 W4 H0 C444\n", "no number of pixels in 'H0'"},
        {"YUV4MPEG2 W4x H4\n", "no number of pixels in 'W4x'"},
        {"YUV4MPEG2 W4 H4 F25\n", "no ratio, as 25:1, in 'F25'"},
        {"YUV4MPEG2 W4 H4 C444\nFRAMES\n", "a frame begins with 'FRAMES'"},
        {"YUV4MPEG2 W4 H4 C444\nFRAME\nabc", "the file ends early: 3 of 48 bytes of a frame"},
        {"YUV4MPEG2 W4 H4 C444", "the file ends early"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gf_error error;
        CHECK(read_bytes(table[i].text, strlen(table[i].text), NULL, &error) == NULL);
        CHECK_MSG(error.code == GF_ERROR_INPUT && strstr(error.message, table[i].says), "%s: %s",
                  table[i].text, error.message);
    }
    static const char large[] =
        "YUV4MPEG2 W4 H4 C444\nFRAME\n0123456789abcdef0123456789abcdef0123456789abcdef";
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error;
    limits.max_memory = 47;
    CHECK(read_bytes(large, sizeof large - 1, &limits, &error) == NULL && error.code == GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "needs 48 bytes beside the picture, beyond max_memory, 47");
    limits.max_memory++;
    limits.max_width = 3;
    CHECK(read_bytes(large, sizeof large - 1, &limits, &error) == NULL && error.code == GF_ERROR_LIMIT);
}

static void frame_after_frame(void)
{
    static const char text[] =
        "YUV4MPEG2 W2 H1 Cmono XCOLORRANGE=FULL\nFRAME\nabFRAME Xanything\ncdFRAME\nefFRAMED";
    const size_t sizes[] = {sizeof text - 1 - 6, sizeof text - 1, sizeof text - 1 - 3};
    for (int i = 0; i < 3; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_reader *reader = NULL;
        int32_t there = 1;
        REQUIRE(put_file(in_folder("f.y4m"), text, sizes[i]));
        REQUIRE(gf_reader_open(in_folder("f.y4m"), NULL, &reader, &error) == GF_OK);
        for (int frame = 0; frame < 3; frame++) {
            unsigned char row[64];
            gf_source source = gf_reader_source(reader);
            REQUIRE(source.whole && source.again == NULL && there);
            CHECK(source.rows(source.user, row, 64, 1, &error) == GF_OK &&
                  gf_reader_finish(reader, &error) == GF_OK);
            CHECK(row[0] == 'a' + 2 * frame && row[1] == 'b' + 2 * frame);
            const gf_status status = gf_reader_next(reader, &there, &error);
            CHECK_MSG(status == (frame < 2 || i == 0 ? GF_OK : GF_ERROR_INPUT), "%d: %s", i, error.message);
        }
        CHECK(i > 0 || !there);
        CHECK_MSG(i == 0 ||
                      strstr(error.message, i == 1 ? "a frame begins with" : "does not begin with FRAME") ||
                      strstr(error.message, "the file ends early"),
                  "%s", error.message);
        gf_reader_close(&reader);
    }
    gf_error error;
    gf_picture *first = read_bytes(text, sizes[0], NULL, &error);
    REQUIRE(first != NULL);
    CHECK_STR(first->note, "several frames: only the first is read; all are, where OUT is standard output");
    gf_picture_destroy(&first);
}

static void cuts(void)
{
    unsigned char text[] = "YUV4MPEG2 W3 H1 C420jpeg\nFRAME\nabcdefg";
    check_cuts("a frame", text, sizeof text - 1);
    check_bits(text, sizeof text - 1);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"samples become RGB", samples_become_rgb},
    {"RGB comes back", rgb_comes_back},
    {"chroma is the mean, and rate and ratio are kept", chroma_is_the_mean},
    {"headers that are refused", headers_that_are_refused},
    {"frame after frame", frame_after_frame},
    {"every cut, every changed bit", cuts},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
