/* What codecs ask for: limits, what a file can hold, notes. */
#include "io/codec.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *gf_suffix(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return dot != NULL && dot != base ? dot + 1 : "";
}

gf_status gf_check_limits(const gf_io_limits *limits, const char *label, int64_t width, int64_t height,
                          int signal, gf_error *error)
{
    const char *name = NULL;
    int64_t limit = 0;
    if (!signal && width > limits->max_width) {
        name = "max_width", limit = limits->max_width;
    } else if (!signal && height > limits->max_height) {
        name = "max_height", limit = limits->max_height;
    } else if (width > 0 && height > limits->max_pixels / width) {
        name = "max_pixels", limit = limits->max_pixels;
    }
    if (name == NULL) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_LIMIT, "%s: claims %" PRId64 " x %" PRId64 " pixels, beyond %s, %" PRId64,
                   label, width, height, name, limit);
}

gf_status gf_check_page(struct gf_decoder *decoder, gf_error *error)
{
    const int64_t pages = decoder->info.pages, page = decoder->limits->page;
    if (page > pages) {
        return gf_fail(error, GF_ERROR_INPUT, "%s: there is no page %" PRId64 ": it has %" PRId64 " page%s",
                       decoder->in->label, page, pages, pages == 1 ? "" : "s");
    }
    if (page == 0 && pages > 1) {
        gf_add_note(decoder->note, "page 1 of %" PRId64, pages);
    }
    return GF_OK;
}

gf_status gf_fail_short(const struct gf_decoder *decoder, gf_error *error)
{
    const gf_file_info *info = &decoder->info;
    return gf_fail(error, GF_ERROR_INPUT,
                   "%s: the file ends early: %" PRIu64 " bytes cannot hold %" PRId64 " x %" PRId64 " pixels",
                   decoder->in->label, info->file_bytes, info->shape.width, info->shape.height);
}

gf_status gf_check_left(const struct gf_decoder *decoder, int64_t count, int64_t size, gf_error *error)
{
    uint64_t left = gf_bytes_in_left(decoder->in), need;
    if (__builtin_mul_overflow((uint64_t)count, (uint64_t)size, &need) ||
        __builtin_mul_overflow(need, (uint64_t)decoder->info.shape.height, &need)) {
        need = UINT64_MAX;
    }
    if (left != GF_SIZE_UNKNOWN && left < need) {
        return gf_fail(error, GF_ERROR_INPUT,
                       "%s: the file ends early: %" PRIu64 " of %" PRIu64 " bytes of samples",
                       decoder->in->label, left, need);
    }
    return GF_OK;
}

gf_status gf_check_rows(const char *label, const gf_shape *shape, const void *data, int64_t pitch,
                        int64_t count, gf_error *error)
{
    if (count > 0 && shape->width > 0 && data == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: the memory of %" PRId64 " rows is NULL", label, count);
    }
    if (pitch / ((int64_t)gf_depth_size(shape->depth) * shape->channels) < shape->width) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: pitch %" PRId64 " is shorter than a row", label, pitch);
    }
    if (count > 0 && pitch > PTRDIFF_MAX / count) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: %" PRId64 " rows with a pitch of %" PRId64 " bytes fit in no memory", label,
                       count, pitch);
    }
    return GF_OK;
}

gf_status gf_check_whole(const struct gf_decoder *decoder, gf_error *error)
{
    const gf_shape *shape = &decoder->info.shape;
    uint64_t pixel = (uint64_t)shape->channels * gf_depth_size(shape->depth), size;
    if (__builtin_mul_overflow((uint64_t)shape->width * pixel, (uint64_t)shape->height, &size)) {
        size = UINT64_MAX;
    }
    if (!decoder->expands || size <= decoder->limits->max_memory) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_LIMIT,
                   "%s: its rows cannot be had one by one: needs %" PRIu64
                   " bytes at once, beyond max_memory, %" PRIu64,
                   decoder->in->label, size, decoder->limits->max_memory);
}

int gf_host_is_little(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

void gf_add_note(char note[256], const char *format, ...)
{
    size_t length = strlen(note);
    if (length > 0 && length + 2 < 256) {
        memcpy(note + length, "; ", 3);
        length += 2;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(note + length, 256 - length, format, args);
    va_end(args);
}
