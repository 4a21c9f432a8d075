/* Files by rows: what a reader gives and a writer takes in portions is what gf_io_read and gf_io_write do at
 * once. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "io_help.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char *const names[] = {"a.png", "a.npy", "a.ppm", "a.pfm", "a.jpg",
                                    "a.bmp", "a.tga", "a.hdr", "a.fits"};

/* The format of a name, where this build writes it; NULL elsewhere. */
static const gf_format *format_of(const char *name)
{
    const gf_format *format = NULL;
    return gf_io_format_for(name, NULL, &format, NULL) == GF_OK ? format : NULL;
}

static gf_picture *picture_for(const gf_format *format)
{
    return make_picture(61, 47, 3, gf_io_nearest_depth(format, GF_U8));
}

/* Writes `portion` rows at a time. */
static gf_status write_rows(const char *path, const gf_picture *picture, int64_t portion, gf_error *error)
{
    gf_writer *writer = NULL;
    const gf_image *image = &picture->image;
    gf_status status = gf_writer_open(path, &image->shape, &picture->metadata, NULL, &writer, error);
    if (status != GF_OK) {
        return status;
    }
    gf_sink sink = gf_writer_sink(writer);
    for (int64_t y = 0; y < image->shape.height && status == GF_OK; y += portion) {
        int64_t left = image->shape.height - y;
        status = sink.rows(sink.user, (char *)image->data + y * image->pitch, image->pitch,
                           left < portion ? left : portion, error);
    }
    if (status != GF_OK) {
        gf_writer_abort(&writer);
        CHECK(writer == NULL);
        return status;
    }
    status = gf_writer_commit(&writer, error);
    CHECK(writer == NULL);
    return status;
}

static gf_status read_rows(const char *path, gf_picture **picture, int64_t portion, gf_error *error)
{
    gf_reader *reader = NULL;
    gf_status status = gf_reader_open(path, NULL, &reader, error);
    if (status != GF_OK) {
        CHECK(reader == NULL);
        return status;
    }
    gf_source source = gf_reader_source(reader);
    CHECK(source.whole == gf_reader_info(reader)->whole);
    portion = source.whole ? source.shape.height : portion;
    status = gf_picture_create(&source.shape, picture, error);
    for (int64_t y = 0; y < source.shape.height && status == GF_OK; y += portion) {
        const gf_image *image = &(*picture)->image;
        int64_t left = source.shape.height - y;
        status = source.rows(source.user, (char *)image->data + y * image->pitch, image->pitch,
                             left < portion ? left : portion, error);
    }
    status = status == GF_OK ? gf_reader_finish(reader, error) : status;
    status = status == GF_OK ? gf_picture_set_metadata(*picture, gf_reader_metadata(reader), error) : status;
    gf_reader_close(&reader);
    CHECK(reader == NULL);
    return status;
}

static void portions(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const gf_format *format = format_of(names[i]);
        gf_picture *picture = format ? picture_for(format) : NULL, *at_once = NULL, *by_rows = NULL;
        gf_error error = GF_ERROR_INIT;
        size_t size = 0, again = 0;
        if (!format) {
            continue;
        }
        REQUIRE(gf_io_write(in_folder(names[i]), &picture->image, NULL, NULL, &error) == GF_OK);
        unsigned char *bytes = get_file(in_folder(names[i]), &size);
        REQUIRE(gf_io_read(in_folder(names[i]), NULL, &at_once, &error) == GF_OK);
        for (int64_t portion = 1; portion <= 47; portion += 23) {
            gf_status status = write_rows(in_folder(names[i]), picture, portion, &error);
            if (format->whole && portion < 47) {
                CHECK_EQ_INT(status, GF_ERROR_ARGUMENT);
                CHECK_STR_HAS(error.message, "is written in one piece");
                continue;
            }
            check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", names[i], error.message);
            unsigned char *same = get_file(in_folder(names[i]), &again);
            check_that(size == again && !memcmp(bytes, same, size), __FILE__, __LINE__,
                       "%s by %d rows: other bytes", names[i], (int)portion);
            free(same);
        }
        for (int64_t portion = 1; portion <= 47; portion += 23) {
            gf_status status = read_rows(in_folder(names[i]), &by_rows, portion, &error);
            check_that(status == GF_OK && same_pictures(&at_once->image, &by_rows->image), __FILE__, __LINE__,
                       "%s by %d rows: %s", names[i], (int)portion, error.message);
            gf_picture_destroy(&by_rows);
        }
        free(bytes);
        gf_picture_destroy(&at_once);
        gf_picture_destroy(&picture);
    }
}

/* `count` rows of the source into the picture from the top on. */
static gf_status top_rows(const gf_source *source, const gf_picture *picture, int64_t count, gf_error *error)
{
    return source->rows(source->user, picture->image.data, picture->image.pitch, count, error);
}

/* Whatever was read of it, a file can be read again, unless its rows come all at once or it was written. */
static void read_again(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const gf_format *format = format_of(names[i]);
        gf_picture *picture = format ? picture_for(format) : NULL, *at_once = NULL, *by_rows = NULL;
        gf_error error = GF_ERROR_INIT;
        gf_reader *reader = NULL;
        if (!format) {
            continue;
        }
        const char *path = in_folder(names[i]);
        REQUIRE(gf_io_write(path, &picture->image, NULL, NULL, &error) == GF_OK);
        struct timespec far_off[2] = {{INT64_C(1) << 34, 0}, {INT64_C(1) << 34, 0}};
        REQUIRE(utimensat(AT_FDCWD, path, far_off, 0) == 0); /* the year 2514, or as far as this disk goes */
        REQUIRE(gf_io_read(path, NULL, &at_once, &error) == GF_OK);
        REQUIRE(gf_reader_open(path, NULL, &reader, &error) == GF_OK);
        gf_source source = gf_reader_source(reader);
        CHECK((source.again == NULL) == (source.whole != 0));
        REQUIRE(gf_picture_create(&source.shape, &by_rows, &error) == GF_OK);
        for (int64_t rows = 0; source.again && rows <= 47; rows += 47) {
            CHECK_EQ_INT(rows ? top_rows(&source, by_rows, rows, &error) : GF_OK, GF_OK);
            CHECK_EQ_INT(source.again(source.user, &error), GF_OK);
        }
        CHECK_EQ_INT(top_rows(&source, by_rows, 47, &error), GF_OK);
        CHECK_EQ_INT(gf_reader_finish(reader, &error), GF_OK);
        check_that(same_pictures(&at_once->image, &by_rows->image), __FILE__, __LINE__, "%s", names[i]);
        struct timespec long_ago[2] = {{1, 0}, {1, 0}};
        REQUIRE(utimensat(AT_FDCWD, path, long_ago, 0) == 0);
        if (source.again) {
            CHECK_EQ_INT(source.again(source.user, &error), GF_ERROR_INPUT);
            CHECK_STR_HAS(error.message, ": was written while it was read");
            gf_reader_close(&reader);
            REQUIRE(gf_reader_open(path, NULL, &reader, &error) == GF_OK);
            CHECK_EQ_INT(source.again(reader, &error), GF_OK);
            CHECK_EQ_INT(source.rows(reader, by_rows->image.data, by_rows->image.pitch, 47, &error), GF_OK);
            REQUIRE(utimensat(AT_FDCWD, path, far_off, 0) == 0);
            CHECK_EQ_INT(gf_reader_finish(reader, &error),
                         GF_ERROR_INPUT); /* between the sweeps it was not */
            CHECK_STR_HAS(error.message, ": was written while it was read");
            CHECK_EQ_INT(source.rows(reader, by_rows->image.data, by_rows->image.pitch, 1, &error),
                         GF_ERROR_ARGUMENT);
        }
        gf_reader_close(&reader);
        gf_picture_destroy(&by_rows);
        gf_picture_destroy(&at_once);
        gf_picture_destroy(&picture);
    }
}

static void wrong_rows(void)
{
    gf_picture *picture = make_picture(5, 4, 1, GF_U8);
    gf_error error = GF_ERROR_INIT;
    gf_writer *writer = NULL;
    const gf_image *image = &picture->image;
    REQUIRE(gf_writer_open(in_folder("w.png"), &image->shape, NULL, NULL, &writer, &error) == GF_OK);
    gf_sink sink = gf_writer_sink(writer);
    CHECK_EQ_INT(sink.rows(sink.user, image->data, image->pitch, 5, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "5 rows, but 4 are left to write");
    CHECK_EQ_INT(sink.rows(sink.user, image->data, 4, 1, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "pitch 4 is shorter than a row");
    CHECK_EQ_INT(sink.rows(sink.user, image->data, image->pitch, 3, &error), GF_OK);
    CHECK_EQ_INT(gf_writer_commit(&writer, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "1 rows are missing");
    CHECK(writer == NULL);
    CHECK(access(in_folder("w.png"), F_OK) != 0);
    gf_writer_abort(&writer);

    REQUIRE(gf_io_write(in_folder("w.png"), image, NULL, NULL, &error) == GF_OK);
    gf_reader *reader = NULL;
    REQUIRE(gf_reader_open(in_folder("w.png"), NULL, &reader, &error) == GF_OK);
    gf_source source = gf_reader_source(reader);
    CHECK_EQ_INT(gf_reader_finish(reader, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "4 rows were not read");
    CHECK_EQ_INT(source.rows(source.user, image->data, image->pitch, 2, &error), GF_OK);
    CHECK_EQ_INT(source.rows(source.user, image->data, image->pitch, 3, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "3 rows, but 2 can be had");
    CHECK_EQ_INT(source.rows(source.user, image->data, image->pitch, 1, &error), GF_ERROR_ARGUMENT);
    gf_reader_close(&reader);
    CHECK_EQ_INT(gf_reader_open(in_folder("none.png"), NULL, &reader, &error), GF_ERROR_INPUT);
    CHECK(reader == NULL);
    CHECK_EQ_INT(gf_reader_open("x", NULL, NULL, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_writer_open("x.png", &image->shape, NULL, NULL, NULL, &error), GF_ERROR_ARGUMENT);
    gf_reader_close(NULL);
    gf_writer_abort(NULL);
    gf_picture_destroy(&picture);
}

/* A writer that could not write the last rows takes no more, and is not to be committed. */
static void after_a_failure(void)
{
    gf_picture *picture = make_picture(600, 1000, 3, GF_U8);
    const gf_image *image = &picture->image;
    static const char *const formats[] = {"png", "npy", "pnm"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_writer *writer = NULL;
        gf_write_options options = GF_WRITE_OPTIONS_INIT;
        options.format = formats[i];
        options.png_level = 0;
        options.threads = 1;
        REQUIRE(gf_writer_open("/dev/full", &image->shape, NULL, &options, &writer, &error) == GF_OK);
        gf_sink sink = gf_writer_sink(writer);
        CHECK_EQ_INT(sink.rows(sink.user, image->data, image->pitch, 1000, &error), GF_ERROR_OUTPUT);
        CHECK_EQ_INT(sink.rows(sink.user, image->data, image->pitch, 1, &error), GF_ERROR_ARGUMENT);
        CHECK_STR_HAS(error.message, "/dev/full: 1 rows, but 0 are left to write");
        CHECK_EQ_INT(gf_writer_commit(&writer, &error), GF_ERROR_ARGUMENT);
        CHECK_STR(error.message, "/dev/full: rows were not written");
        CHECK(writer == NULL);
    }
    gf_picture_destroy(&picture);
}

/* EXIF that is known only after the samples: a PNG has it behind them, and keeps it there. */
static void late_exif(void)
{
    static const unsigned char exif[14] = "II*\0\x08";
    gf_picture *picture = make_picture(5, 4, 1, GF_U8), *read = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_writer *writer = NULL;
    const gf_image *image = &picture->image;
    REQUIRE(gf_writer_open(in_folder("late.png"), &image->shape, NULL, NULL, &writer, &error) == GF_OK);
    gf_sink sink = gf_writer_sink(writer);
    CHECK_EQ_INT(sink.rows(sink.user, image->data, image->pitch, 4, &error), GF_OK);
    CHECK_EQ_INT(gf_writer_set_exif(writer, exif, sizeof exif, &error), GF_OK);
    CHECK_EQ_INT(gf_writer_commit(&writer, &error), GF_OK);
    size_t size = 0, again = 0;
    unsigned char *bytes = get_file(in_folder("late.png"), &size);
    CHECK(size > 38 && !memcmp(bytes + size - 12 - 12 - 14 + 4, "eXIf", 4));

    REQUIRE(gf_io_read(in_folder("late.png"), NULL, &read, &error) == GF_OK);
    CHECK_EQ_INT(read->metadata.fields & GF_META_EXIF_LAST, GF_META_EXIF_LAST);
    CHECK_EQ_INT(read->metadata.exif_size, 14);
    CHECK_EQ_INT(gf_io_write(in_folder("again.png"), &read->image, &read->metadata, NULL, &error), GF_OK);
    unsigned char *same = get_file(in_folder("again.png"), &again);
    CHECK(size == again && !memcmp(bytes, same, size));
    free(bytes);
    free(same);

    /* where there is some already, or no room behind the samples */
    read->metadata.fields = 0;
    REQUIRE(gf_writer_open(in_folder("late.png"), &image->shape, &read->metadata, NULL, &writer, &error) ==
            GF_OK);
    CHECK_EQ_INT(gf_writer_set_exif(writer, exif, sizeof exif, &error), GF_ERROR_UNSUPPORTED);
    gf_writer_abort(&writer);
    REQUIRE(gf_writer_open(in_folder("late.ppm"), &image->shape, NULL, NULL, &writer, &error) == GF_OK);
    CHECK_EQ_INT(gf_writer_set_exif(writer, exif, sizeof exif, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "pnm has its EXIF before the samples");
    gf_writer_abort(&writer);
    gf_picture_destroy(&read);
    gf_picture_destroy(&picture);
}

static void removed(void)
{
    CHECK(help_folder[0] != '\0');
    remove_folder(help_folder);
    CHECK_EQ_INT(count_entries(help_folder), -1);
}

static const struct check_case cases[] = {
    {"rows in any portions", portions},
    {"read again", read_again},
    {"wrong rows", wrong_rows},
    {"after a failure", after_a_failure},
    {"EXIF behind the samples", late_exif},
    {"the folder is removed", removed},
};

CHECK_MAIN(cases)
