/* WebP: what is kept, what is lost, what is refused. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include "gpufilter/io_memory.h"

static void without_loss(void)
{
    for (int channels = 3; channels <= 4; channels++) {
        for (size_t i = 0; i < sizeof help_sizes / sizeof help_sizes[0]; i++) {
            round_trip(in_folder("a.webp"), help_sizes[i][0], help_sizes[i][1], channels, GF_U8);
        }
    }
    gf_picture *gray = make_picture(9, 5, 1, GF_U8), *in = NULL;
    REQUIRE(gf_io_write(in_folder("g.webp"), &gray->image, NULL, NULL, NULL) == GF_OK);
    REQUIRE(gf_io_read(in_folder("g.webp"), NULL, &in, NULL) == GF_OK);
    CHECK_EQ_INT(in->image.shape.channels, 3);
    for (int i = 0; i < 9 * 5 * 3; i++) {
        const int y = i / 27, x = i % 27;
        CHECK_EQ_INT(((uint8_t *)in->image.data)[y * in->image.pitch + x],
                     ((uint8_t *)gray->image.data)[y * gray->image.pitch + x / 3]);
    }
    gf_picture_destroy(&in);
    gf_picture_destroy(&gray);
}

static void qualities(void)
{
    size_t size[3] = {0};
    const int quality[] = {0, 90, 5};
    gf_picture *out = make_picture(64, 64, 3, GF_U8);
    for (int i = 0; i < 3; i++) {
        gf_write_options options = GF_WRITE_OPTIONS_INIT;
        gf_file_info info = GF_FILE_INFO_INIT;
        options.webp_quality = quality[i];
        REQUIRE(gf_io_write(in_folder("q.webp"), &out->image, NULL, &options, NULL) == GF_OK);
        REQUIRE(gf_io_probe(in_folder("q.webp"), NULL, &info, NULL) == GF_OK);
        CHECK_STR(info.compression, i == 0 ? "lossless" : "lossy");
        size[i] = (size_t)info.file_bytes;
    }
    CHECK(size[0] > size[1] && size[1] > size[2]);
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    options.webp_quality = 101;
    CHECK_EQ_INT(gf_io_write(in_folder("q.webp"), &out->image, NULL, &options, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "webp_quality 101 is outside 0 to 100");
    gf_picture_destroy(&out);
    out = make_picture(16384, 1, 3, GF_U8);
    CHECK_EQ_INT(gf_io_write(in_folder("w.webp"), &out->image, NULL, NULL, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "webp holds at most 16383 pixels each way, not 16384 x 1; png holds more");
    gf_picture_destroy(&out);
}

static void metadata_of_webp(void)
{
    static unsigned char icc[3001], exif[77];
    static const unsigned char segments[] = "\xff\xed\x00\x15Photoshop 3.0\0"
                                            "8BIM!"
                                            "\xff\xe1\x00\x23http://ns.adobe.com/xap/1.0/\0<x/>";
    enum { XMP = 2 + 0x23 };
    gf_metadata metadata;
    gf_picture *out = make_picture(20, 10, 3, GF_U8), *in = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    fill_metadata(&metadata, icc, exif);
    metadata.segments = segments;
    metadata.segments_size = sizeof segments - 1;
    REQUIRE(gf_io_write(in_folder("m.webp"), &out->image, &metadata, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("m.webp"), NULL, &in, &error) == GF_OK);
    CHECK(same_pictures(&out->image, &in->image));
    REQUIRE(in->metadata.icc_size == 3001 && in->metadata.exif_size == 77);
    CHECK_MEM(in->metadata.icc, icc, 3001);
    CHECK_MEM(in->metadata.exif, exif, 77);
    REQUIRE(in->metadata.segments_size == XMP); /* IPTC has no room */
    CHECK_MEM(in->metadata.segments, segments + sizeof segments - 1 - XMP, XMP);
    CHECK_STR(in->note, "");
    gf_picture_destroy(&in);
    limits.max_metadata_bytes = 3078 + 3;
    REQUIRE(gf_io_read(in_folder("m.webp"), &limits, &in, &error) == GF_OK);
    CHECK(in->metadata.segments == NULL && in->metadata.exif_size == 77);
    CHECK_STR(in->note, "XMP of 4 bytes, too long, dropped");
    gf_picture_destroy(&in);
    limits.max_metadata_bytes = 3077;
    CHECK_EQ_INT(gf_io_read(in_folder("m.webp"), &limits, &in, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "claims 3078 bytes of metadata");
    gf_picture_destroy(&out);
}

/* A picture coded without loss takes four bytes a pixel beside it. */
static void damage_and_limits(void)
{
    gf_picture *out = make_picture(7, 5, 4, GF_U8), *in = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    size_t size = 0;
    REQUIRE(gf_io_write(in_folder("d.webp"), &out->image, NULL, NULL, NULL) == GF_OK);
    unsigned char *bytes = get_file(in_folder("d.webp"), &size);
    REQUIRE(bytes != NULL);
    check_cuts("lossless", bytes, size);
    check_bits(bytes, size);
    limits.max_memory = size > 140 ? size : 140;
    CHECK_MSG(gf_io_read(in_folder("d.webp"), &limits, &in, &error) == GF_OK, "%s", error.message);
    gf_picture_destroy(&in);
    limits.max_memory = 139;
    CHECK_EQ_INT(gf_io_read(in_folder("d.webp"), &limits, &in, &error), GF_ERROR_LIMIT);
    free(bytes);
    gf_picture_destroy(&out);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"without loss, as it was", without_loss},   {"qualities, and sides", qualities},
    {"profile, EXIF and XMP", metadata_of_webp}, {"every cut, every changed bit, memory", damage_and_limits},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
