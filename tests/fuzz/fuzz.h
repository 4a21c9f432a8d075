/* fuzz.h: what the fuzz targets share. A target is one function of bytes, which returns if all went as the
 * headers promise and aborts otherwise; a sanitizer sees the rest. Equal bytes give equal calls. One thread.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "every_byte.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io_memory.h"
#include "io/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Checks what every call that can fail owes its caller. */
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
static inline gf_io_limits fuzz_limits(uint32_t result_depths)
{
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.result_depths = result_depths;
    limits.max_width = 1 << 11;
    limits.max_height = 1 << 11;
    limits.max_pixels = 1 << 12;
    limits.max_input_bytes = 1 << 16;
    limits.max_metadata_bytes = 1 << 12;
    limits.max_memory = 1 << 18;
    return limits;
}

/* How bytes arrive: from memory, or by a function that gives a few of them at a time, their number told or
 * not; and which depths are asked for. */
struct fuzz_input {
    const uint8_t *data;
    size_t size, at, portion; /* portion 0: memory */
    int told;
    uint32_t result_depths;
};

static inline struct fuzz_input fuzz_input_of(const uint8_t *data, size_t size, uint32_t result_depths)
{
    struct fuzz_input input = {data, size, 0, 0, size % 8 == 7, result_depths};
    input.portion = size % 4 == 3 ? 1 + size % 1000 : 0;
    return input;
}

static inline gf_status fuzz_give(void *user, void *buffer, size_t size, size_t *got, gf_error *error)
{
    struct fuzz_input *input = (struct fuzz_input *)user;
    size_t left = input->size - input->at, part = input->portion < left ? input->portion : left;
    FUZZ_CHECK(size > 0 && *got == 0 && error != NULL, "asked for %zu bytes", size);
    *got = part < size ? part : size;
    memcpy(buffer, input->data + input->at, *got);
    input->at += *got;
    return GF_OK;
}

static inline gf_status fuzz_again(void *user, gf_error *error)
{
    (void)error;
    ((struct fuzz_input *)user)->at = 0;
    return GF_OK;
}

static inline gf_status fuzz_open(struct fuzz_input *input, gf_reader **reader, gf_error *error)
{
    const gf_io_limits limits = fuzz_limits(input->result_depths);
    const gf_byte_source source = {sizeof source, "bytes",    input->told ? input->size : 0,
                                   fuzz_give,     fuzz_again, input};
    input->at = 0;
    return input->portion > 0
               ? gf_reader_open_callback(&source, &limits, reader, error)
               : gf_reader_open_memory(input->data, input->size, "bytes", &limits, reader, error);
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
static inline void fuzz_by_rows(const gf_picture *picture, struct fuzz_input *input)
{
    const size_t size = input->size;
    const gf_shape *shape = &picture->image.shape;
    gf_error error = GF_ERROR_INIT;
    gf_reader *reader = NULL;
    gf_status status = fuzz_open(input, &reader, &error);
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
static inline gf_picture *fuzz_read(const uint8_t *data, size_t size, uint32_t result_depths)
{
    struct fuzz_input input = fuzz_input_of(data, size, result_depths);
    const gf_io_limits limits = fuzz_limits(result_depths);
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    gf_reader *reader = NULL;
    gf_status status = fuzz_open(&input, &reader, &error);
    status = status == GF_OK ? gf_reader_picture(reader, &picture, &error) : status;
    gf_reader_close(&reader);
    fuzz_status(status, &error);
    FUZZ_CHECK((status == GF_OK) == (picture != NULL), "status %d", (int)status);
    if (picture == NULL) {
        FUZZ_CHECK((status == GF_ERROR_INPUT || status == GF_ERROR_LIMIT) &&
                       strncmp(error.message, "bytes: ", 7) == 0 && !strchr(error.message, '\n'),
                   "%d, %s", (int)status, error.message);
        return NULL;
    }
    look_at_every_byte(&picture->image);
    FUZZ_CHECK(memchr(picture->note, 0, sizeof picture->note), "the note has no end");
    const gf_shape *shape = &picture->image.shape;
    const int64_t least = result_depths < 2; /* arrays may be empty, pictures not */
    FUZZ_CHECK(shape->width >= least && shape->height >= least &&
                   (shape->height == 0 || shape->width <= limits.max_pixels / shape->height),
               "beyond max_pixels");
    fuzz_by_rows(picture, &input);
    return picture;
}

/* Writes to memory: *bytes and *size until the next call. */
static inline gf_status fuzz_write(const gf_image *image, const gf_metadata *metadata,
                                   const gf_write_options *options, const uint8_t **bytes, size_t *size,
                                   gf_error *error)
{
    static uint8_t written[1 << 18];
    void *made = NULL;
    gf_status status = gf_io_write_memory(options->format, image, metadata, options, &made, size, error);
    fuzz_status(status, error);
    FUZZ_CHECK((status == GF_OK) == (made != NULL) && *size <= sizeof written, "%zu bytes written", *size);
    if (*size > 0) {
        memcpy(written, made, *size);
    }
    gf_io_free_memory(made);
    *bytes = written;
    return status;
}

/* Written in the named format and read again, a picture is the same. `level`: that of PNG. */
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
    gf_picture *second = fuzz_read(bytes, size, 2);
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
 * to that one's target. Every fourth length arrives through a function. */
static inline void fuzz_file(const uint8_t *data, size_t size, const char *format, int again)
{
    if (size > (size_t)1 << 15 || strcmp(fuzz_format(data, size), format) != 0) {
        return;
    }
    gf_picture *picture = fuzz_read(data, size, (uint32_t)(size % 3));
    if (picture != NULL && again) { /* a BMP's 10 bits a colour are written as PNG alone */
        int is_deep = picture->image.shape.depth == GF_U16 && strcmp(format, "bmp") == 0;
        fuzz_write_again(picture, is_deep ? "png" : format, data[size - 1] % 11 - 1);
    }
    gf_picture_destroy(&picture);
}

#endif
