/* Reading at once: open, all rows, close. */
#include "gpufilter/io_memory.h"
#include "io/codec.h"

#include "base/sized.h"
#include "base/status.h"

#include <string.h>

gf_status gf_io_probe(const char *path, const gf_io_limits *limits, gf_file_info *out, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_file_info, shape);
    GF_TRY(gf_struct_check(&sized, out, error));
    gf_reader *reader;
    GF_TRY(gf_reader_open(path, limits, &reader, error));
    gf_status status = gf_struct_out(&sized, out, gf_reader_info(reader), error);
    gf_reader_close(&reader);
    return status;
}

static gf_status read_picture(gf_reader *reader, gf_picture **out, gf_error *error)
{
    const gf_source source = gf_reader_source(reader);
    GF_TRY(gf_picture_make(&source.shape, out, error));
    gf_image *image = &(*out)->image;
    (*out)->alpha = gf_reader_info(reader)->alpha;
    GF_TRY(source.rows(source.user, image->data, image->pitch, image->shape.height, error));
    GF_TRY(gf_reader_finish(reader, error));
    memcpy((*out)->note, gf_reader_note(reader), sizeof(*out)->note);
    return gf_picture_set_metadata(*out, gf_reader_metadata(reader), error);
}

gf_status gf_reader_picture(gf_reader *reader, gf_picture **out, gf_error *error)
{
    if (reader == NULL || out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_reader_picture: reader or out is NULL");
    }
    *out = NULL;
    gf_status status = read_picture(reader, out, error);
    if (status != GF_OK) {
        gf_picture_destroy(out);
    }
    return status;
}

/* Reads the one picture of a reader that was opened, or not. */
static gf_status read_and_close(gf_status opened, gf_reader *reader, gf_picture **out, gf_error *error)
{
    gf_status status = opened == GF_OK ? gf_reader_picture(reader, out, error) : opened;
    gf_reader_close(&reader);
    return status;
}

gf_status gf_io_read(const char *path, const gf_io_limits *limits, gf_picture **out, gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_read: out is NULL");
    }
    *out = NULL;
    gf_reader *reader = NULL;
    gf_status status = gf_reader_open(path, limits, &reader, error);
    return read_and_close(status, reader, out, error);
}

gf_status gf_io_read_memory(const void *data, size_t size, const char *name, const gf_io_limits *limits,
                            gf_picture **out, gf_error *error)
{
    if (out == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_read_memory: out is NULL");
    }
    *out = NULL;
    gf_reader *reader = NULL;
    gf_status status = gf_reader_open_memory(data, size, name, limits, &reader, error);
    return read_and_close(status, reader, out, error);
}
