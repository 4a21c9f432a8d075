/* Writing at once: open, all rows, commit. */
#include "gpufilter/io_memory.h"

#include "base/sized.h"
#include "base/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static gf_status take_image(const char *call, const gf_image *given, gf_image *image, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_image, data);
    GF_TRY(gf_struct_in(&sized, given, image, error));
    if (image->data == NULL && image->shape.width != 0 && image->shape.height != 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: gf_image.data is NULL", call);
    }
    if (image->device != GF_DEVICE_CPU) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: the image is not in host memory", call);
    }
    return GF_OK;
}

/* The one picture of a writer. */
static gf_status write_picture(gf_writer *writer, const gf_image *image, gf_error *error)
{
    const gf_sink sink = gf_writer_sink(writer);
    gf_status status = sink.rows(sink.user, image->data, image->pitch, image->shape.height, error);
    if (status != GF_OK) {
        gf_writer_abort(&writer);
        return status;
    }
    return gf_writer_commit(&writer, error);
}

gf_status gf_io_write(const char *path, const gf_image *image, const gf_metadata *metadata,
                      const gf_write_options *options, gf_error *error)
{
    gf_image taken = GF_IMAGE_INIT;
    GF_TRY(take_image("gf_io_write", image, &taken, error));
    gf_writer *writer;
    GF_TRY(gf_writer_open(path, &taken.shape, metadata, options, &writer, error));
    return write_picture(writer, &taken, error);
}

/* ---- to memory ---- */

struct growing {
    uint8_t *bytes;
    size_t size, room;
};

static gf_status append(void *user, const void *bytes, size_t size, gf_error *error)
{
    struct growing *all = user;
    if (size > all->room - all->size) {
        size_t most = PTRDIFF_MAX, twice = all->room < most / 2 ? 2 * all->room : most;
        size_t room = size > most - all->size ? 0 : size + all->size > twice ? size + all->size : twice;
        uint8_t *larger = room != 0 ? realloc(all->bytes, room) : NULL;
        if (larger == NULL) {
            return gf_fail(error, GF_ERROR_MEMORY, "memory: none for more than the %zu bytes written so far",
                           all->size);
        }
        all->bytes = larger;
        all->room = room;
    }
    memcpy(all->bytes + all->size, bytes, size);
    all->size += size;
    return GF_OK;
}

gf_status gf_io_write_memory(const char *format, const gf_image *image, const gf_metadata *metadata,
                             const gf_write_options *options, void **bytes, size_t *size, gf_error *error)
{
    if (bytes == NULL || size == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_io_write_memory: bytes or size is NULL");
    }
    *bytes = NULL;
    *size = 0;
    gf_image taken = GF_IMAGE_INIT;
    GF_TRY(take_image("gf_io_write_memory", image, &taken, error));
    struct growing all = {NULL, 0, 0};
    const gf_byte_sink sink = {sizeof sink, "memory", append, &all};
    gf_writer *writer;
    gf_status status =
        gf_writer_open_callback(&sink, format, &taken.shape, metadata, options, &writer, error);
    status = status == GF_OK ? write_picture(writer, &taken, error) : status;
    if (status != GF_OK) {
        free(all.bytes);
        return status;
    }
    *bytes = all.bytes;
    *size = all.size;
    return GF_OK;
}

void gf_io_free_memory(void *bytes)
{
    free(bytes);
}
