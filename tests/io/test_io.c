/* Pictures to files and back: samples, metadata, formats, and inputs of every kind. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include <errno.h>
#include <pthread.h>

static void png_round_trips(void)
{
    round_trips("a.png");
}
static void npy_round_trips(void)
{
    round_trips("a.npy");
}

static void png_levels(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(50, 40, 3, GF_U16), *in = NULL;
    for (int level = -2; level <= 10; level++) {
        gf_write_options options = GF_WRITE_OPTIONS_INIT;
        options.png_level = level;
        gf_status status = gf_io_write(in_folder("l.png"), &out->image, NULL, &options, &error);
        CHECK_EQ_INT(status, level < -1 || level > 9 ? GF_ERROR_ARGUMENT : GF_OK);
        if (status == GF_OK) {
            REQUIRE(gf_io_read(in_folder("l.png"), NULL, &in, &error) == GF_OK);
            CHECK(same_pictures(&out->image, &in->image));
            gf_picture_destroy(&in);
        }
    }
    gf_picture_destroy(&out);
}

/* A view with a pitch of its own, not aligned, must write the same file. */
static void views_write_alike(void)
{
    gf_picture *picture = make_picture(19, 11, 3, GF_U8);
    char tight[19 * 11 * 3];
    for (int y = 0; y < 11; y++) {
        memcpy(tight + y * 57, (char *)picture->image.data + y * picture->image.pitch, 57);
    }
    gf_image view = picture->image;
    view.data = tight;
    view.pitch = 57;
    REQUIRE(gf_io_write(in_folder("v1.png"), &view, NULL, NULL, NULL) == GF_OK);
    REQUIRE(gf_io_write(in_folder("v2.png"), &picture->image, NULL, NULL, NULL) == GF_OK);
    size_t size1 = 0, size2 = 0;
    unsigned char *a = get_file(in_folder("v1.png"), &size1), *b = get_file(in_folder("v2.png"), &size2);
    CHECK_EQ_INT(size1, size2);
    CHECK_MEM(a, b, size1);
    free(a);
    free(b);
    gf_error error = GF_ERROR_INIT;
    view.pitch = 56;
    CHECK_EQ_INT(gf_io_write(in_folder("v3.png"), &view, NULL, NULL, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "pitch 56");
    CHECK(access(in_folder("v3.png"), F_OK) != 0);
    gf_picture_destroy(&picture);
}

static void metadata_is_kept(void)
{
    static unsigned char icc[3001], exif[77];
    gf_metadata metadata;
    gf_error error = GF_ERROR_INIT;
    fill_metadata(&metadata, icc, exif);
    gf_picture *out = make_picture(5, 4, 4, GF_U16), *in = NULL;
    REQUIRE(gf_picture_set_metadata(out, &metadata, &error) == GF_OK);
    CHECK(out->metadata.icc != icc);
    REQUIRE(gf_picture_set_metadata(out, &out->metadata, &error) == GF_OK);
    REQUIRE(gf_io_write(in_folder("m.png"), &out->image, &out->metadata, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("m.png"), NULL, &in, &error) == GF_OK);
    const gf_metadata *got = &in->metadata;
    CHECK_STR(in->note, "");
    CHECK_EQ_INT(got->icc_size, 3001);
    CHECK_MEM(got->icc, icc, got->icc_size);
    CHECK_STR(got->icc_name, "a profile");
    CHECK_EQ_INT(got->exif_size, 77);
    CHECK_MEM(got->exif, exif, got->exif_size);
    CHECK_EQ_INT(got->fields, metadata.fields & ~(uint32_t)GF_META_SRGB); /* not beside a profile */
    CHECK_EQ_INT(got->gamma, 45455);
    CHECK_MEM(got->chromaticities, metadata.chromaticities, sizeof got->chromaticities);
    CHECK_MEM(got->density, metadata.density, sizeof got->density);
    CHECK_EQ_INT(got->density_unit, 1);
    CHECK_MEM(got->cicp, metadata.cicp, 4);
    gf_file_info info = GF_FILE_INFO_INIT;
    REQUIRE(gf_io_probe(in_folder("m.png"), NULL, &info, &error) == GF_OK);
    CHECK_EQ_INT(info.icc_size, 3001);
    CHECK_EQ_INT(info.exif_size, 77);
    CHECK_STR(info.format->name, "png");
    gf_picture_destroy(&in);
    metadata.icc = NULL;
    REQUIRE(gf_io_write(in_folder("m.png"), &out->image, &metadata, NULL, &error) == GF_OK);
    REQUIRE(gf_io_read(in_folder("m.png"), NULL, &in, &error) == GF_OK);
    CHECK_EQ_INT(in->metadata.fields, metadata.fields);
    CHECK_EQ_INT(in->metadata.srgb_intent, 2);
    REQUIRE(gf_picture_set_metadata(in, NULL, &error) == GF_OK);
    CHECK(in->metadata.icc == NULL && in->metadata.fields == 0);
    gf_picture_destroy(&out);
    gf_picture_destroy(&in);
}

static void formats(void)
{
    const gf_format *format = NULL;
    gf_error error = GF_ERROR_INIT;
    CHECK(gf_io_format(0) != NULL && gf_io_format(1) != NULL && gf_io_format(1000) == NULL);
    REQUIRE(gf_io_format_for("x.y/A.PNG", NULL, &format, &error) == GF_OK);
    CHECK_STR(format->name, "png");
    CHECK_EQ_INT(gf_io_nearest_depth(format, GF_F32), GF_U16);
    CHECK_EQ_INT(gf_io_nearest_depth(format, GF_U8), GF_U8);
    CHECK_EQ_INT(gf_io_nearest_depth(format, GF_F64), GF_U16);
    REQUIRE(gf_io_format_for("-", "npy", &format, &error) == GF_OK);
    CHECK_EQ_INT(gf_io_nearest_depth(format, GF_F32), GF_F32);
    CHECK_EQ_INT(gf_io_format_for("a.xyz", NULL, &format, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "a.xyz: cannot write format \"xyz\"; this build writes png, ");
    CHECK_EQ_INT(gf_io_format_for("a.b/c", NULL, &format, &error), GF_ERROR_UNSUPPORTED);
    CHECK_EQ_INT(gf_io_format_for("-", NULL, &format, &error), GF_ERROR_UNSUPPORTED);
    gf_picture *picture = make_picture(2, 2, 1, GF_F32);
    CHECK_EQ_INT(gf_io_write(in_folder("f.png"), &picture->image, NULL, NULL, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "png does not hold f32; the nearest it holds is u16");
    picture->image.device = 0;
    CHECK_EQ_INT(gf_io_write(in_folder("f.npy"), &picture->image, NULL, NULL, &error), GF_ERROR_ARGUMENT);
    gf_picture_destroy(&picture);
    gf_picture_destroy(&picture);
    gf_picture_destroy(NULL);
}

struct pipe_job {
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

static void *feed(void *argument)
{
    struct pipe_job *job = argument;
    put_file(job->path, job->bytes, job->size);
    return NULL;
}

/* A FIFO cannot be sought in and has no size. */
static void reads_fifo(void)
{
    const char *fifo = in_folder("fifo");
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(300, 200, 3, GF_U8), *in = NULL;
    size_t size = 0;
    REQUIRE(mkfifo(fifo, 0600) == 0);
    static const char *const names[] = {"p.png", "p.npy", "p.ppm", "p.bmp", "p.tga"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = in_folder(names[i]);
        const gf_format *format;
        if (gf_io_format_for(name, NULL, &format, NULL) != GF_OK) {
            continue; /* not in this build */
        }
        REQUIRE(gf_io_write(name, &out->image, NULL, NULL, &error) == GF_OK);
        unsigned char *bytes = get_file(name, &size);
        for (size_t keep = size; keep + 10 >= size; keep -= 10) {
            struct pipe_job job = {fifo, bytes, keep};
            pthread_t thread;
            REQUIRE(pthread_create(&thread, NULL, feed, &job) == 0);
            gf_status status = gf_io_read(fifo, NULL, &in, &error);
            pthread_join(thread, NULL);
            CHECK_EQ_INT(status, keep == size ? GF_OK : GF_ERROR_INPUT);
            CHECK(status != GF_OK || same_pictures(&out->image, &in->image));
            gf_picture_destroy(&in);
        }
        free(bytes);
    }
    gf_picture_destroy(&out);
}

static void bad_inputs(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *in = NULL;
    CHECK_EQ_INT(gf_io_read(in_folder("none.png"), NULL, &in, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "none.png: cannot open: No such file");
    CHECK_EQ_INT(error.system, ENOENT);
    CHECK_EQ_INT(gf_io_read(in_folder("."), NULL, &in, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "is a folder");
    CHECK_EQ_INT(error.system, 0);
    put_file(in_folder("odd\nname"), "hello, world: no picture", 24);
    CHECK_EQ_INT(gf_io_read(in_folder("odd\nname"), NULL, &in, &error), GF_ERROR_INPUT);
    CHECK_STR_HAS(error.message, "odd?name: not a format that this build reads (png, ");
    CHECK_EQ_INT(gf_io_read("", NULL, &in, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_io_read(NULL, NULL, &in, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_io_read("/dev/null", NULL, &in, &error), GF_ERROR_INPUT);
    CHECK_STR(error.message, "/dev/null: is empty");
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"PNG round trips, every depth, channel and size", png_round_trips},
    {"npy round trips, every depth, channel and size", npy_round_trips},
    {"PNG levels", png_levels},
    {"views of any pitch write the same file", views_write_alike},
    {"metadata is byte-equal", metadata_is_kept},
    {"formats and depths", formats},
    {"reading from a FIFO", reads_fifo},
    {"inputs that are no pictures", bad_inputs},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
