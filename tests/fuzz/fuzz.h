/* fuzz.h: what the fuzz targets share. A target is one function of bytes, which returns if all went as the
 * headers promise and aborts otherwise; a sanitizer sees the rest. Equal bytes give equal calls. One thread.
 */
#ifndef FUZZ_H
#define FUZZ_H

#define _GNU_SOURCE
#include "codec.h"
#include "every_byte.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GF_FUZZ_TARGET(name) void fuzz_##name(const uint8_t *data, size_t size);
#include "targets.def"
#undef GF_FUZZ_TARGET

/* A broken promise: says which and aborts, so that the input is kept. */
#define FUZZ_CHECK(ok, ...)                                                                                  \
    do {                                                                                                     \
        if (!(ok)) {                                                                                         \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #ok);                                         \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fputc('\n', stderr);                                                                             \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* What every call that can fail owes its caller. */
static inline void fuzz_status(gf_status status, const gf_error *error)
{
    FUZZ_CHECK(status == error->code, "status %d, error %d", (int)status, (int)error->code);
    FUZZ_CHECK(status != GF_ERROR_INTERNAL, "%s", error->message);
    FUZZ_CHECK(status == GF_OK || error->message[0] != '\0', "%d without a message", (int)status);
}

/* What plans are asked for, beside what is sensible: bands of rows, and bytes. */
static const int64_t fuzz_stream_rows[8] = {0, GF_STREAM_CHOSEN, 1, 3, 7, 64, INT64_MAX, -2};
static const uint64_t fuzz_memory_limits[8] = {0, 0, 0, 100000, 40000, 10000, 1, UINT64_MAX};

/* ---- files ---- */

/* Small enough for thousands of pictures a second; every one of them is reached. */
static inline gf_io_limits fuzz_limits(void)
{
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.result_depths = 2;
    limits.max_width = 1 << 11;
    limits.max_height = 1 << 11;
    limits.max_pixels = 1 << 12;
    limits.max_input_bytes = 1 << 16;
    limits.max_metadata_bytes = 1 << 12;
    limits.max_memory = 1 << 18;
    return limits;
}

/* A file in memory without a name, made at the first call. */
static inline int fuzz_memory_file(int *file)
{
    if (*file == 0) {
        *file = memfd_create("fuzz", 0);
        FUZZ_CHECK(*file > 0, "memfd_create fails");
    }
    return *file;
}

/* The bytes become standard input: a file, or a pipe, whose size nobody knows, where `piped`. */
static inline void fuzz_put_input(const uint8_t *data, size_t size, int piped)
{
    static int file;
    int ends[2];
    int ok = ftruncate(fuzz_memory_file(&file), 0) == 0;
    if (piped) {
        ok = ok && pipe(ends) == 0 && write(ends[1], data, size) == (ssize_t)size && close(ends[1]) == 0 &&
             dup2(ends[0], STDIN_FILENO) == STDIN_FILENO && close(ends[0]) == 0;
    } else {
        ok = ok && pwrite(file, data, size, 0) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0 &&
             dup2(file, STDIN_FILENO) == STDIN_FILENO;
    }
    FUZZ_CHECK(ok, "cannot pass %zu bytes", size);
}

static inline size_t fuzz_row_bytes(const gf_shape *shape)
{
    return (size_t)shape->width * (size_t)shape->channels * gf_depth_size(shape->depth);
}

static inline int fuzz_same_bytes(const void *a, size_t a_size, const void *b, size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

static inline void fuzz_same_metadata(const gf_metadata *m, const gf_metadata *n)
{
    FUZZ_CHECK(m->fields == n->fields && fuzz_same_bytes(m->icc, m->icc_size, n->icc, n->icc_size) &&
                   strcmp(m->icc_name, n->icc_name) == 0 &&
                   fuzz_same_bytes(m->exif, m->exif_size, n->exif, n->exif_size) && m->gamma == n->gamma &&
                   memcmp(m->chromaticities, n->chromaticities, sizeof m->chromaticities) == 0 &&
                   memcmp(m->density, n->density, sizeof m->density) == 0 &&
                   m->density_unit == n->density_unit && m->srgb_intent == n->srgb_intent &&
                   memcmp(m->cicp, n->cicp, sizeof m->cicp) == 0,
               "the metadata differ");
}

static inline void fuzz_same_samples(const gf_image *image, const void *data, int64_t pitch)
{
    for (int64_t y = 0; y < image->shape.height; y++) {
        FUZZ_CHECK(memcmp((const char *)image->data + y * image->pitch, (const char *)data + y * pitch,
                          fuzz_row_bytes(&image->shape)) == 0,
                   "row %lld differs", (long long)y);
    }
}

/* The same file by rows, or where that cannot be at once: the same header, samples and metadata. */
static inline void fuzz_by_rows(const gf_picture *picture, const uint8_t *data, size_t size, int piped)
{
    const gf_io_limits limits = fuzz_limits();
    const gf_shape *shape = &picture->image.shape;
    gf_error error = GF_ERROR_INIT;
    gf_reader *reader = NULL;
    fuzz_put_input(data, size, piped);
    gf_status status = gf_reader_open("-", &limits, &reader, &error);
    FUZZ_CHECK(status == GF_OK, "%s", error.message);
    gf_source source = gf_reader_source(reader);
    FUZZ_CHECK(source.shape.width == shape->width && source.shape.height == shape->height &&
                   source.shape.channels == shape->channels && source.shape.depth == shape->depth,
               "the header promised something else");
    int64_t portion = source.whole ? shape->height : 1 + (int64_t)size % 7, pitch = picture->image.pitch;
    char *rows = malloc((size_t)(pitch * shape->height));
    FUZZ_CHECK(rows != NULL, "no memory");
    if (source.again != NULL && size % 3 == 0) { /* as a second sweep would */
        status = source.rows(source.user, rows, pitch, 1, &error);
        FUZZ_CHECK(status == GF_OK && source.again(source.user, &error) == GF_OK, "%s", error.message);
    }
    for (int64_t y = 0; y < shape->height; y += portion) {
        int64_t left = shape->height - y;
        status = source.rows(source.user, rows + y * pitch, pitch, left < portion ? left : portion, &error);
        FUZZ_CHECK(status == GF_OK, "%s", error.message);
    }
    FUZZ_CHECK(gf_reader_finish(reader, &error) == GF_OK, "%s", error.message);
    fuzz_same_samples(&picture->image, rows, pitch);
    fuzz_same_metadata(&picture->metadata, gf_reader_metadata(reader));
    FUZZ_CHECK(strcmp(picture->note, gf_reader_note(reader)) == 0, "another note: %s",
               gf_reader_note(reader));
    free(rows);
    gf_reader_close(&reader);
}

/* A picture, or NULL where the bytes are none. */
static inline gf_picture *fuzz_read(const uint8_t *data, size_t size, int piped)
{
    const gf_io_limits limits = fuzz_limits();
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    fuzz_put_input(data, size, piped);
    gf_status status = gf_io_read("-", &limits, &picture, &error);
    fuzz_status(status, &error);
    FUZZ_CHECK((status == GF_OK) == (picture != NULL), "status %d", (int)status);
    if (picture == NULL) {
        FUZZ_CHECK((status == GF_ERROR_INPUT || status == GF_ERROR_LIMIT) &&
                       strncmp(error.message, "standard input: ", 16) == 0 && !strchr(error.message, '\n'),
                   "%d, %s", (int)status, error.message);
        return NULL;
    }
    look_at_every_byte(&picture->image);
    FUZZ_CHECK(memchr(picture->note, 0, sizeof picture->note), "the note has no end");
    const gf_shape *shape = &picture->image.shape;
    FUZZ_CHECK(shape->width > 0 && shape->height > 0 && shape->width <= limits.max_pixels / shape->height,
               "beyond max_pixels");
    fuzz_by_rows(picture, data, size, piped);
    return picture;
}

/* Writes to memory: *bytes and *size until the next call. */
static inline gf_status fuzz_write(const gf_image *image, const gf_metadata *metadata,
                                   const gf_write_options *options, const uint8_t **bytes, size_t *size,
                                   gf_error *error)
{
    static int file;
    static uint8_t written[1 << 18];
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", fuzz_memory_file(&file));
    FUZZ_CHECK(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0, "cannot empty %s", path);
    gf_status status = gf_io_write(path, image, metadata, options, error);
    fuzz_status(status, error);
    ssize_t got = pread(file, written, sizeof written, 0);
    FUZZ_CHECK(got >= 0 && got < (ssize_t)sizeof written, "%zd bytes written", got);
    *bytes = written;
    *size = (size_t)got;
    return status;
}

/* Written in the named format and read again, a picture is the same. `level`: of PNG. */
static inline void fuzz_write_again(const gf_picture *first, const char *format, int level)
{
    const uint8_t *bytes;
    size_t size;
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.format = format;
    options.png_level = level;
    options.threads = 1;
    gf_status status = fuzz_write(&first->image, &first->metadata, &options, &bytes, &size, &error);
    FUZZ_CHECK(status == GF_OK, "%s", error.message);
    gf_picture *second = fuzz_read(bytes, size, 0);
    FUZZ_CHECK(second != NULL, "%s written by us is refused", format);
    const gf_shape *a = &first->image.shape, *b = &second->image.shape;
    FUZZ_CHECK(a->width == b->width && a->height == b->height && a->channels == b->channels &&
                   a->depth == b->depth,
               "another shape");
    fuzz_same_samples(&first->image, second->image.data, second->image.pitch);
    gf_metadata expected = first->metadata;
    if (expected.icc_size > 0) { /* PNG has either */
        expected.fields &= ~(uint32_t)GF_META_SRGB;
        expected.srgb_intent = 0;
    }
    fuzz_same_metadata(&expected, &second->metadata);
    gf_picture_destroy(&second);
}

/* The format that the bytes claim to be, or "". */
static inline const char *fuzz_format(const uint8_t *data, size_t size)
{
    const struct gf_codec *codec = gf_codec_sniff(data, size < GF_SNIFF_SIZE ? size : GF_SNIFF_SIZE);
    return codec != NULL ? codec->format.name : "";
}

/* A file of one format: reads it, and where `again` writes what came of it. Bytes of another format are left
 * to that one's target. Every fourth length arrives through a pipe. */
static inline void fuzz_file(const uint8_t *data, size_t size, const char *format, int again)
{
    if (size > (size_t)1 << 15 || strcmp(fuzz_format(data, size), format) != 0) {
        return;
    }
    gf_picture *picture = fuzz_read(data, size, size % 4 == 3);
    if (picture != NULL && again) {
        fuzz_write_again(picture, format, data[size - 1] % 11 - 1);
    }
    gf_picture_destroy(&picture);
}

#endif
