/* JPEG that bends the rules and loses no sample: read, with a note, and where samples are lost refused. */
#define _DEFAULT_SOURCE
#include "io_help.h"
#include "jpeg_make.h"

static unsigned char bytes[1 << 23];

static gf_picture *read_here(size_t size, gf_error *error)
{
    return read_bytes(bytes, size, NULL, error);
}

/* The picture must be `expected`, and its note this one. */
static void check_same(const char *what, size_t size, const gf_picture *expected, const char *note)
{
    gf_error error;
    gf_picture *in = read_here(size, &error);
    CHECK_MSG(in != NULL, "%s: %s", what, error.message);
    if (in != NULL) {
        CHECK_MSG(same_pictures(&in->image, &expected->image), "%s: other pixels", what);
        CHECK_MSG(strcmp(in->note, note) == 0, "%s: \"%s\"", what, in->note);
    }
    gf_picture_destroy(&in);
}

/* Phones and cameras that leave spectral selection and approximation 0. */
static void parameters_of_a_scan(void)
{
    const struct jpeg_kind kinds[] = {{.space = JCS_GRAYSCALE},
                                      {.space = JCS_RGB},
                                      {.space = JCS_RGB, .restart = 2},
                                      {.space = JCS_RGB, .apart = 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        gf_error error;
        size_t size = jpeg_make(bytes, sizeof bytes, &kinds[i]);
        gf_picture *out = read_here(size, &error);
        int scans = 0;
        REQUIRE(out != NULL);
        for (size_t at = 0; at + 1 < size; at++) {
            if (bytes[at] == 0xff && bytes[at + 1] == 0xda) {
                memset(bytes + at + 5 + 2 * bytes[at + 4], 0, 3);
                scans++;
            }
        }
        CHECK_EQ_INT(scans, kinds[i].apart ? 3 : 1);
        check_same("SOS", size, out, "Invalid SOS parameters for sequential JPEG");
        gf_picture_destroy(&out);
    }
}

/* `count` bytes in front of each restart marker from number `first` on. Returns the file's new size. */
static size_t pad(size_t size, int first, int byte, size_t count)
{
    int number = 0;
    unsigned char padding[64];
    memset(padding, byte, sizeof padding);
    for (size_t at = 0; at + 1 < size; at++) {
        if (bytes[at] == 0xff && bytes[at + 1] >= 0xd0 && bytes[at + 1] <= 0xd7) {
            if (number++ >= first) {
                size = jpeg_insert(bytes, size, at, padding, count);
                at += count;
            }
        }
    }
    return size;
}

/* Bytes that libjpeg has taken in advance it counts late: in front of the end. */
static int is_known_note(const char *note)
{
    return note[0] == '\0' || strstr(note, "zero bytes before restart markers, skipped") != NULL ||
           strstr(note, "extraneous bytes before marker 0xd9") != NULL;
}

static void zeros_before_restarts(void)
{
    const struct jpeg_kind kinds[] = {{.space = JCS_RGB, .restart = 1},
                                      {.space = JCS_GRAYSCALE, .restart = 3},
                                      {.space = JCS_RGB, .restart = 1, .progressive = 1}};
    int noted = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (size_t count = 1; count <= 40; count++) {
            gf_error error;
            size_t size = jpeg_make(bytes, sizeof bytes, &kinds[i]);
            gf_picture *out = read_here(size, &error);
            REQUIRE(out != NULL);
            gf_picture *in = read_here(pad(size, (int)(count % 3), 0, count), &error);
            CHECK_MSG(in != NULL, "kind %zu, %zu zeros: %s", i, count, error.message);
            if (in != NULL) {
                CHECK(same_pictures(&in->image, &out->image));
                CHECK_MSG(is_known_note(in->note), "%s", in->note);
                noted += strstr(in->note, "zero bytes before restart markers, skipped") != NULL;
            }
            gf_picture_destroy(&in);
            gf_picture_destroy(&out);
        }
    }
    CHECK_MSG(noted > 80, "%d notes", noted);
}

/* The same over the border of what is read at once, 128 KiB, wherever it lies in padding and marker. */
static void zeros_over_a_border(void)
{
    gf_error error;
    for (size_t shift = 0; shift < 24; shift++) {
        size_t size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_RGB, .restart = 1});
        gf_picture *out = read_here(size, &error);
        REQUIRE(out != NULL);
        size = pad(size, 0, 0, 12);
        size_t marker = jpeg_find(bytes, size, 0xd1), fill = ((size_t)1 << 17) - marker + 12 - shift;
        while (fill >= 4) { /* comments */
            static const unsigned char zeros[1 << 15];
            size_t part = fill > sizeof zeros + 8 ? sizeof zeros : fill;
            size = jpeg_insert(bytes, size, 2, zeros, part);
            memcpy(bytes + 2, "\xff\xfe", 2);
            bytes[4] = (unsigned char)((part - 2) >> 8);
            bytes[5] = (unsigned char)(part - 2);
            fill -= part;
        }
        check_same("a border", size, out, "zero bytes before restart markers, skipped");
        gf_picture_destroy(&out);
    }
}

/* Other bytes are samples. */
static void samples_before_restarts(void)
{
    gf_error error;
    static const int others[] = {1, 0x55, 0xfe};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_RGB, .restart = 1});
        CHECK(read_here(pad(size, 0, others[i], 12), &error) == NULL);
        CHECK_STR_HAS(error.message, "damaged JPEG: Corrupt JPEG data: ");
        CHECK_STR_HAS(error.message, " extraneous bytes before marker 0xd0");
    }
    /* Zeros before one marker are no excuse for what is before the next. */
    size_t size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_RGB, .restart = 1});
    size = jpeg_insert(bytes, size, jpeg_find(bytes, size, 0xd1), "samples!samples!", 16);
    size = jpeg_insert(bytes, size, jpeg_find(bytes, size, 0xd0), (const char[12]){0}, 12);
    CHECK(read_here(size, &error) == NULL);
    CHECK_STR_HAS(error.message, "extraneous bytes before marker 0xd1");
}

/* A profile of `size` bytes in front of everything else. Returns the file's new size. */
static size_t put_profile(size_t file, size_t size)
{
    static unsigned char segment[65535];
    size_t most = 65000, count = (size + most - 1) / most, done = 0;
    for (size_t i = 0; i < count; i++, done += most) {
        size_t part = size - done < most ? size - done : most;
        memcpy(segment, "\xff\xe2", 2);
        segment[2] = (unsigned char)((part + 16) >> 8);
        segment[3] = (unsigned char)(part + 16);
        memcpy(segment + 4, "ICC_PROFILE", 12);
        segment[16] = (unsigned char)(i + 1);
        segment[17] = (unsigned char)count;
        memset(segment + 18, (int)i, part);
        memcpy(segment + 18 + 36, i == 0 ? "acsp" : "body", 4);
        file = jpeg_insert(bytes, file, 2 + i * (most + 18), segment, part + 18);
    }
    return file;
}

/* Those of presses have 1.8 to 2.7 MB; 4 MiB are kept, and those of CMYK, which are dropped, are not counted.
 */
static void long_profiles(void)
{
    const size_t most = (size_t)4 << 20;
    gf_error error;
    for (int i = 0; i < 5; i++) {
        size_t profile = i == 0 ? 2700000 : most + (i > 1), size;
        const struct jpeg_kind kind = {.space = i == 3 ? JCS_CMYK : JCS_RGB};
        size = put_profile(jpeg_make(bytes, sizeof bytes, &kind), profile);
        bytes[2 + 16] = i == 4 ? 2 : 1; /* the number of the first segment, which then is there twice */
        gf_picture *in = read_here(size, &error);
        if (i == 2) {
            CHECK(in == NULL && error.code == GF_ERROR_LIMIT);
            CHECK_STR_HAS(error.message,
                          "claims 4194305 bytes of metadata, beyond max_metadata_bytes, 4194304");
            continue;
        }
        CHECK_MSG(in != NULL, "%d: %s", i, error.message);
        CHECK(in == NULL || in->metadata.icc_size == (i < 3 ? profile : 0));
        CHECK(in == NULL || i < 3 ||
              strstr(in->note, i == 3 ? "ICC profile: for CMYK, dropped"
                                      : "ICC profile: its segments contradict each other, dropped") != NULL);
        gf_picture_destroy(&in);
    }
}

/* Puts a segment of this name and so many bytes in at `at`, and at `copy`, if it is to be kept. */
static size_t put_segment(size_t size, size_t *at, int marker, const char *name, size_t length,
                          size_t payload, unsigned char **copy)
{
    static unsigned char segment[66000];
    const size_t whole = 2 + length + payload;
    segment[0] = 0xff;
    segment[1] = (unsigned char)marker;
    segment[2] = (unsigned char)(whole >> 8);
    segment[3] = (unsigned char)whole;
    memcpy(segment + 4, name, length);
    for (size_t i = 0; i < payload; i++) {
        segment[4 + length + i] = (unsigned char)(i * 5 + payload);
    }
    size = jpeg_insert(bytes, size, *at, segment, 2 + whole);
    *at += 2 + whole;
    if (copy != NULL) {
        memcpy(*copy, segment, 2 + whole);
        *copy += 2 + whole;
    }
    return size;
}

/* XMP, more of it, and IPTC are kept and written as they were, of any length; what else APP1 and APP13 hold
 * is not. Beyond the limit all are dropped, and nobody can have other segments written that way. */
static void xmp_and_iptc(void)
{
    static unsigned char kept[1 << 18];
    static const char more[] = "http://ns.adobe.com/xmp/extension/", xmp[] = "http://ns.adobe.com/xap/1.0/";
    unsigned char *end = kept;
    size_t at = 2, size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_GRAYSCALE});
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    size = put_segment(size, &at, 0xe1, xmp, sizeof xmp, 70, &end);
    size = put_segment(size, &at, 0xe1, "http://other/", 14, 30, NULL);
    size = put_segment(size, &at, 0xed, "Adobe_CM", 9, 5, NULL);
    size = put_segment(size, &at, 0xed, "Photoshop 3.0", 14, 0, &end);
    size = put_segment(size, &at, 0xe1, more, sizeof more, 65533 - sizeof more, &end);
    size = put_segment(size, &at, 0xed, "Photoshop 3.0", 14, 4000, &end);
    size = put_segment(size, &at, 0xed, "Photo", 5, 0, NULL);
    const size_t all = (size_t)(end - kept);
    gf_picture *in = read_here(size, &error), *back = NULL;
    REQUIRE(in != NULL);
    CHECK_STR(in->note, "");
    REQUIRE(in->metadata.segments_size == all);
    CHECK_MEM(in->metadata.segments, kept, all);
    REQUIRE(gf_io_write(in_folder("x.jpg"), &in->image, &in->metadata, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("x.jpg"), NULL, &back, &error) == GF_OK);
    REQUIRE(back->metadata.segments_size == all);
    CHECK_MEM(back->metadata.segments, kept, all);
    gf_picture_destroy(&back);
    for (limits.max_metadata_bytes = all - 1; limits.max_metadata_bytes <= all; limits.max_metadata_bytes++) {
        back = read_bytes(bytes, size, &limits, &error);
        REQUIRE(back != NULL);
        CHECK(back->metadata.segments_size == (limits.max_metadata_bytes == all ? all : 0));
        CHECK((strstr(back->note, "XMP and IPTC: beyond max_metadata_bytes, ") != NULL) ==
              (limits.max_metadata_bytes < all));
        gf_picture_destroy(&back);
    }
    gf_metadata wrong = GF_METADATA_INIT;
    for (wrong.segments_size = 1; wrong.segments_size <= 103; wrong.segments_size++) {
        kept[1] = wrong.segments_size == 103 ? 0xe2 : 0xe1;
        wrong.segments = kept;
        CHECK_EQ_INT(gf_io_write(in_folder("x.jpg"), &in->image, &wrong, NULL, &error), GF_ERROR_ARGUMENT);
        CHECK_STR_HAS(error.message, "there is no APP1 or APP13 at byte 0");
    }
    gf_picture_destroy(&in);
}

/* The file ends, as one does, in front of its scan number `scans`. 0: it has none of that number. */
static size_t end_before(size_t size, int scans)
{
    for (size_t at = 0; at + 1 < size; at++) {
        if (bytes[at] == 0xff && bytes[at + 1] == 0xda && scans-- == 0) {
            bytes[at + 1] = 0xd9;
            return at + 2;
        }
    }
    return 0;
}

static void scans_that_are_missing(void)
{
    static const struct {
        struct jpeg_kind kind;
        const char *error; /* where only the first scan is there */
    } table[] = {{{.space = JCS_GRAYSCALE, .progressive = 1}, NULL},
                 {{.space = JCS_RGB, .progressive = 1}, NULL},
                 {{.space = JCS_RGB, .apart = 1}, "damaged JPEG: no scan of component 2, of 3"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int scans = 1;
        for (;; scans++) {
            gf_error error;
            size_t size = end_before(jpeg_make(bytes, sizeof bytes, &table[i].kind), scans);
            if (size == 0) {
                break;
            }
            gf_picture *in = read_here(size, &error);
            CHECK_MSG((in != NULL) == !table[i].error, "%zu, %d scans: %s", i, scans, error.message);
            if (in != NULL) {
                CHECK_STR(in->note, "progressive, without its last scans: coarser than it was made");
            } else if (scans == 1) {
                CHECK_STR_HAS(error.message, table[i].error);
            }
            gf_picture_destroy(&in);
        }
        CHECK_EQ_INT(scans, i == 0 ? 6 : i == 1 ? 10 : 3);
    }
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"parameters of a scan that mean nothing", parameters_of_a_scan},
    {"zeros before restart markers", zeros_before_restarts},
    {"zeros over a border of 128 KiB", zeros_over_a_border},
    {"samples before restart markers", samples_before_restarts},
    {"profiles of up to 4 MiB", long_profiles},
    {"XMP and IPTC", xmp_and_iptc},
    {"scans that are missing", scans_that_are_missing},
};

CHECK_MAIN(cases)
