/* Every allocation of reading and writing fails in turn, once and for good. Linked with
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include "gpufilter/io_memory.h"
#include "gpufilter/signal_io.h"

#include <errno.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static long calls, fail_at, live; /* fail_at 0: never */
static int for_good;

static int fails(void)
{
    calls++;
    if (fail_at != 0 && (calls == fail_at || (for_good && calls > fail_at))) {
        errno = ENOMEM;
        return 1;
    }
    return 0;
}

void *__wrap_malloc(size_t size)
{
    void *memory = fails() ? NULL : __real_malloc(size);
    live += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *memory = fails() ? NULL : __real_calloc(count, size);
    live += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *memory, size_t size)
{
    void *moved = fails() ? NULL : __real_realloc(memory, size);
    live += memory == NULL && moved != NULL;
    return moved;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

static gf_picture *source, *narrow, *large; /* u16, u8, u8 */

static gf_status write_png(gf_error *error)
{
    return gf_io_write(in_folder("w.png"), &source->image, &source->metadata, NULL, error);
}

static gf_status write_png_threads(gf_error *error)
{
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.threads = 3;
    return gf_io_write(in_folder("w.png"), &large->image, NULL, &options, error);
}

static gf_status write_npy(gf_error *error)
{
    return gf_io_write(in_folder("w.npy"), &source->image, NULL, NULL, error);
}

static gf_status read_back(const char *name, gf_error *error)
{
    gf_picture *picture = NULL;
    gf_status status = gf_io_read(in_folder(name), NULL, &picture, error);
    CHECK((status == GF_OK) == (picture != NULL));
    CHECK(picture == NULL || same_pictures(&picture->image, &source->image));
    gf_picture_destroy(&picture);
    return status;
}

static gf_status read_png(gf_error *error)
{
    return read_back("r.png", error);
}
static gf_status read_npy(gf_error *error)
{
    return read_back("r.npy", error);
}

/* Passes it to memory and back. */
static gf_status pass_memory(gf_error *error)
{
    gf_picture *picture = NULL;
    void *bytes = NULL;
    size_t size = 0;
    gf_status status =
        gf_io_write_memory("png", &large->image, &source->metadata, NULL, &bytes, &size, error);
    CHECK((status == GF_OK) == (bytes != NULL) && (status == GF_OK) == (size != 0));
    status = status == GF_OK ? gf_io_read_memory(bytes, size, NULL, NULL, &picture, error) : status;
    CHECK((status == GF_OK) == (picture != NULL));
    CHECK(picture == NULL || same_pictures(&picture->image, &large->image));
    gf_io_free_memory(bytes);
    gf_picture_destroy(&picture);
    return status;
}

static gf_status write_jpeg(gf_error *error)
{
    return gf_io_write(in_folder("w.jpg"), &narrow->image, &narrow->metadata, NULL, error);
}

static gf_status read_any(const char *name, gf_error *error)
{
    gf_picture *picture = NULL;
    gf_status status = gf_io_read(in_folder(name), NULL, &picture, error);
    CHECK((status == GF_OK) == (picture != NULL));
    gf_picture_destroy(&picture);
    return status;
}

static gf_status read_jpeg(gf_error *error)
{
    return read_any("r.jpg", error);
}

static gf_status read_tga(gf_error *error)
{
    return read_any("r.tga", error);
}

static gf_status write_tga(gf_error *error)
{
    return gf_io_write(in_folder("w.tga"), &narrow->image, NULL, NULL, error);
}

static gf_status write_tiff(gf_error *error)
{
    return gf_io_write(in_folder("w.tif"), &source->image, &source->metadata, NULL, error);
}
static gf_status read_tiff(gf_error *error)
{
    return read_back("r.tif", error);
}
static gf_status write_webp(gf_error *error)
{
    return gf_io_write(in_folder("w.webp"), &narrow->image, &narrow->metadata, NULL, error);
}
static gf_status read_webp(gf_error *error)
{
    return read_any("r.webp", error);
}

static gf_status read_pnm(gf_error *error)
{
    return read_back("r.pnm", error);
}

static gf_status write_pnm(gf_error *error)
{
    return gf_io_write(in_folder("w.pnm"), &source->image, NULL, NULL, error);
}

static gf_status probe_png(gf_error *error)
{
    gf_file_info info = GF_FILE_INFO_INIT;
    return gf_io_probe(in_folder("r.png"), NULL, &info, error);
}

static const float tone[] = {0, 0.5f, 1, -1, 0.25f, 0};

static gf_status write_signal(const char *name, gf_error *error)
{
    static const char *const names[] = {"left", "right"};
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    gf_signal_writer *writer = NULL;
    options.names = names;
    gf_status status = gf_signal_writer_open(in_folder(name), 2, 8000, &options, &writer, error);
    status = status == GF_OK ? gf_signal_writer_write(writer, tone, 3, 3, error) : status;
    return status == GF_OK ? gf_signal_writer_commit(&writer, error) : status;
}

static gf_status read_signal(const char *name, gf_error *error)
{
    float data[9] = {0}; /* 3 channels of 2 frames, at a pitch of 3 */
    int64_t got = 0;
    gf_signal_reader *reader = NULL;
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    options.matrix = GF_SIGNAL_MATRIX_ROWS; /* of an npy, whose channels are then held */
    gf_status status = gf_signal_reader_open(in_folder(name), &options, &reader, error);
    CHECK((status == GF_OK) == (reader != NULL));
    status = status == GF_OK ? gf_signal_reader_read(reader, data, 3, 3, &got, error) : status;
    gf_signal_reader_close(&reader);
    return status;
}

static gf_status write_wav(gf_error *error)
{
    return write_signal("w.wav", error);
}
static gf_status read_wav(gf_error *error)
{
    return read_signal("r.wav", error);
}
static gf_status write_csv(gf_error *error)
{
    return write_signal("w.csv", error);
}
static gf_status read_csv(gf_error *error)
{
    return read_signal("r.csv", error);
}
static gf_status read_rows(gf_error *error)
{
    return read_signal("r2.npy", error);
}

/* Runs the job with allocation 1, 2, 3, ... failing until none fails. */
static void fail_each(const char *name, gf_status (*job)(gf_error *error), const char *output)
{
    gf_error error = GF_ERROR_INIT;
    for (for_good = 0; for_good < 2; for_good++) {
        long points = 0;
        for (gf_status status = GF_ERROR_MEMORY; status != GF_OK && points < 1000;) {
            if (output != NULL) {
                unlink(in_folder(output));
            }
            fail_at = ++points;
            calls = 0;
            long before = live;
            status = job(&error);
            fail_at = 0;
            CHECK_EQ_INT(live, before);
            CHECK_MSG(status == GF_OK || status == GF_ERROR_MEMORY, "%s, allocation %ld: status %d, %s", name,
                      points, (int)status, error.message);
            CHECK_MSG(status == GF_OK ? calls < points : calls >= points, "%s, allocation %ld was not needed",
                      name, points);
            CHECK(output == NULL || (access(in_folder(output), F_OK) == 0) == (status == GF_OK));
        }
        CHECK_MSG(points > 1 && points < 1000, "%s: %ld points", name, points);
        CHECK_EQ_INT(job(&error), GF_OK);
    }
}

static void every_allocation(void)
{
    static unsigned char icc[500], exif[40] = "MM\0*";
    gf_metadata metadata = GF_METADATA_INIT;
    memcpy(icc, "\0\0\1\xf4", 4);
    memcpy(icc + 36, "acsp", 4);
    metadata.icc = icc;
    metadata.icc_size = sizeof icc;
    metadata.exif = exif;
    metadata.exif_size = sizeof exif;
    source = make_picture(40, 30, 3, GF_U16);
    REQUIRE(source != NULL && gf_picture_set_metadata(source, &metadata, NULL) == GF_OK);
    REQUIRE(gf_io_write(in_folder("r.png"), &source->image, &source->metadata, NULL, NULL) == GF_OK);
    REQUIRE(gf_io_write(in_folder("r.npy"), &source->image, NULL, NULL, NULL) == GF_OK);
    REQUIRE(gf_io_write(in_folder("r.pnm"), &source->image, NULL, NULL, NULL) == GF_OK);
    fail_each("writing PNG", write_png, "w.png");
    large = make_picture(500, 400, 4, GF_U8);
    REQUIRE(large != NULL);
    fail_each("writing PNG on three threads", write_png_threads, "w.png");
    fail_each("through memory", pass_memory, NULL);
    gf_picture_destroy(&large);
    fail_each("writing npy", write_npy, "w.npy");
    fail_each("reading PNG", read_png, NULL);
    fail_each("reading npy", read_npy, NULL);
    fail_each("probing PNG", probe_png, NULL);
    fail_each("writing PNM", write_pnm, "w.pnm");
    fail_each("reading PNM", read_pnm, NULL);
    narrow = make_picture(40, 30, 3, GF_U8);
    REQUIRE(narrow != NULL && gf_picture_set_metadata(narrow, &metadata, NULL) == GF_OK);
    int files = 6;
    if (gf_io_write(in_folder("r.jpg"), &narrow->image, &narrow->metadata, NULL, NULL) == GF_OK) {
        fail_each("writing JPEG", write_jpeg, "w.jpg");
        fail_each("reading JPEG", read_jpeg, NULL);
        files += 2;
    }
    if (gf_io_write(in_folder("r.tga"), &narrow->image, NULL, NULL, NULL) == GF_OK) {
        fail_each("writing TGA", write_tga, "w.tga");
        fail_each("reading TGA", read_tga, NULL);
        files += 2;
    }
    if (gf_io_write(in_folder("r.tif"), &source->image, &source->metadata, NULL, NULL) == GF_OK) {
        fail_each("writing TIFF", write_tiff, "w.tif");
        fail_each("reading TIFF", read_tiff, NULL);
        files += 2;
    }
    if (gf_io_write(in_folder("r.webp"), &narrow->image, &narrow->metadata, NULL, NULL) == GF_OK) {
        fail_each("writing WebP", write_webp, "w.webp");
        fail_each("reading WebP", read_webp, NULL);
        files += 2;
    }
    REQUIRE(write_signal("r.wav", NULL) == GF_OK && write_signal("r.csv", NULL) == GF_OK);
    REQUIRE(write_signal("r2.npy", NULL) == GF_OK);
    fail_each("writing WAV", write_wav, "w.wav");
    fail_each("reading WAV", read_wav, NULL);
    fail_each("writing CSV", write_csv, "w.csv");
    fail_each("reading CSV", read_csv, NULL);
    fail_each("reading a matrix by rows", read_rows, NULL);
    files += 5;
    CHECK_EQ_INT(count_entries(help_folder), files);
    gf_picture_destroy(&narrow);
    gf_picture_destroy(&source);
}

/* A report must not fail for the lack of memory behind an output that is written. */
static void bytes_need_none(void)
{
    gf_error error = GF_ERROR_INIT;
    const char *path = in_folder("bytes");
    fail_at = 1;
    for_good = 1;
    calls = 0;
    gf_status status = gf_io_write_bytes(path, "text", 4, NULL, &error);
    fail_at = 0;
    CHECK_MSG(status == GF_OK && calls == 0, "%s", error.message);
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"every allocation fails once, and for good", every_allocation},
    {"bytes are written without memory", bytes_need_none},
};

CHECK_MAIN(cases)
