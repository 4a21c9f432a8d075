/* Files that are damaged, cut short, or ask for too much. */
#define _DEFAULT_SOURCE
#include "io_help.h"

/* Writes m.png with metadata, changes one byte `at` bytes after the name of `chunk`, reads. */
static gf_picture *read_changed(const char *chunk, int at, gf_error *error)
{
    static unsigned char icc[3001], exif[77];
    gf_metadata metadata;
    fill_metadata(&metadata, icc, exif);
    metadata.icc = strcmp(chunk, "sRGB") == 0 ? NULL : metadata.icc; /* one or the other is written */
    gf_picture *out = make_picture(5, 4, 3, GF_U8), *in = NULL;
    size_t size = 0;
    gf_io_write(in_folder("c.png"), &out->image, &metadata, NULL, NULL);
    gf_picture_destroy(&out);
    unsigned char *bytes = get_file(in_folder("c.png"), &size);
    for (size_t i = 0; bytes != NULL && i + 4 < size; i++) {
        if (memcmp(bytes + i, chunk, 4) == 0) {
            bytes[(long)i + 4 + at] ^= 1;
            break;
        }
    }
    put_file(in_folder("c.png"), bytes, size);
    free(bytes);
    gf_io_read(in_folder("c.png"), NULL, &in, error);
    return in;
}

static void damaged_metadata_is_dropped(void)
{
    static const char *const names[] = {"iCCP", "eXIf", "gAMA", "sRGB", "cHRM", "pHYs", "cICP"};
    for (int i = 0; i < 7; i++) {
        gf_error error = GF_ERROR_INIT;
        char note[64];
        gf_picture *in = read_changed(names[i], 0, &error);
        CHECK_MSG(in != NULL, "%s: %s", names[i], error.message);
        if (in != NULL) {
            snprintf(note, sizeof note, "%s: CRC error, dropped", names[i]);
            CHECK_STR(in->note, note);
            CHECK_EQ_INT(in->metadata.icc != NULL, i != 0 && i != 3);
            CHECK_EQ_INT(in->metadata.exif != NULL, i != 1);
        }
        gf_picture_destroy(&in);
    }
    gf_error error = GF_ERROR_INIT;
    CHECK(read_changed("IHDR", 3, &error) == NULL && error.code == GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "IHDR: CRC error");
    CHECK(read_changed("IDAT", 4, &error) == NULL && error.code == GF_ERROR_INPUT);
}

/* Every prefix of a file is refused with one line; every single changed byte is harmless. */
static void cut_and_changed(const char *name, size_t always_bad)
{
    gf_picture *out = make_picture(6, 5, 2, GF_U16), *in = NULL;
    size_t size = 0;
    REQUIRE(gf_io_write(in_folder(name), &out->image, NULL, NULL, NULL) == GF_OK);
    gf_picture_destroy(&out);
    unsigned char *bytes = get_file(in_folder(name), &size);
    REQUIRE(bytes != NULL && size > always_bad);
    for (size_t cut = 0; cut < size; cut++) {
        gf_error error = GF_ERROR_INIT;
        put_file(in_folder("cut"), bytes, cut);
        CHECK_MSG(gf_io_read(in_folder("cut"), NULL, &in, &error) == GF_ERROR_INPUT, "%zu bytes were enough",
                  cut);
        CHECK(in == NULL && strchr(error.message, '\n') == NULL && strstr(error.message, "/cut: ") != NULL);
    }
    for (size_t at = 0; at < size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] ^= (unsigned char)(1 << bit);
            put_file(in_folder("cut"), bytes, size);
            gf_status status = gf_io_read(in_folder("cut"), NULL, &in, NULL);
            CHECK_MSG(at >= always_bad || status != GF_OK, "byte %zu, bit %d accepted", at, bit);
            gf_picture_destroy(&in);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    }
    free(bytes);
}

static void png_damage(void)
{
    cut_and_changed("d.png", 33); /* signature and IHDR */
}
static void npy_damage(void)
{
    cut_and_changed("d.npy", 8);
}

/* Signature, IHDR of 1 x 1 and the head of a chunk that claims 2 GiB: 41 bytes and 8 of nothing. */
static void long_chunks(void)
{
    static const char *const names[] = {"zTXt", "tEXt", "iTXt", "sPLT", "iCCP", "eXIf", "hIST",
                                        "tRNS", "PLTE", "IDAT", "acTL", "prVt", "gAMA", "cICP"};
    static const unsigned char start[] =
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x8\0\0\0\0\x3a\x7e\x9b\x55"
        "\x7f\xff\xff\xf0";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsigned char bytes[49] = {0};
        gf_error error = GF_ERROR_INIT;
        gf_picture *in = NULL;
        memcpy(bytes, start, 37);
        memcpy(bytes + 37, names[i], 4);
        put_file(in_folder("long"), bytes, sizeof bytes);
        gf_status status = gf_io_read(in_folder("long"), NULL, &in, &error);
        int kept = strstr("iCCP eXIf gAMA cICP", names[i]) != NULL;
        CHECK_MSG(status == (kept ? GF_ERROR_LIMIT : GF_ERROR_INPUT), "%s: %s", names[i], error.message);
        CHECK(in == NULL);
        if (kept) {
            CHECK_STR_HAS(error.message, "claims 2147483632 bytes of metadata");
        }
    }
}

static void limits_hold(void)
{
    static const struct {
        const char *name;
        size_t offset;
        int64_t just_enough, too_small;
        const char *says;
    } table[] = {
        {"max_width", offsetof(gf_io_limits, max_width), 40, 39, "40 x 30 pixels, beyond max_width, 39"},
        {"max_height", offsetof(gf_io_limits, max_height), 30, 29, "40 x 30 pixels, beyond max_height, 29"},
        {"max_pixels", offsetof(gf_io_limits, max_pixels), 1200, 1199,
         "40 x 30 pixels, beyond max_pixels, 1199"},
        {"max_memory", offsetof(gf_io_limits, max_memory), 100000, 20000, "beyond max_memory, 20000"},
        {"max_memory", offsetof(gf_io_limits, max_memory), 100000, 10, "max_memory, 10"},
        {"max_metadata_bytes", offsetof(gf_io_limits, max_metadata_bytes), 3500, 2000,
         "beyond max_metadata_bytes"},
        {"max_metadata_bytes", offsetof(gf_io_limits, max_metadata_bytes), 3500, 60,
         "beyond max_metadata_bytes"},
        {"max_input_bytes", offsetof(gf_io_limits, max_input_bytes), 1 << 20, 500,
         "exceed max_input_bytes, 500"},
    };
    static unsigned char icc[3001], exif[77];
    gf_metadata metadata;
    fill_metadata(&metadata, icc, exif);
    gf_picture *out = make_picture(40, 30, 4, GF_U16), *in = NULL;
    REQUIRE(gf_io_write(in_folder("lim.png"), &out->image, &metadata, NULL, NULL) == GF_OK);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        int64_t *limit = (int64_t *)(void *)((char *)&limits + table[i].offset);
        *limit = table[i].just_enough;
        CHECK_MSG(gf_io_read(in_folder("lim.png"), &limits, &in, &error) == GF_OK, "%s: %s", table[i].name,
                  error.message);
        gf_picture_destroy(&in);
        *limit = table[i].too_small;
        CHECK_EQ_INT(gf_io_read(in_folder("lim.png"), &limits, &in, &error), GF_ERROR_LIMIT);
        CHECK_STR_HAS(error.message, table[i].says);
        *limit = 0;
        CHECK_EQ_INT(gf_io_read(in_folder("lim.png"), &limits, &in, &error), GF_ERROR_ARGUMENT);
    }
    gf_picture_destroy(&out);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"damaged metadata is dropped with a note", damaged_metadata_is_dropped},
    {"every cut and every changed bit of a PNG", png_damage},
    {"every cut and every changed bit of an npy", npy_damage},
    {"chunks that claim 2 GiB", long_chunks},
    {"limits, on both sides", limits_hold},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
