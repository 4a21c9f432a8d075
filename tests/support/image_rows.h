/* Pictures in memory as sources and sinks, for tests: they count, and fail where they are told to. */
#ifndef IMAGE_ROWS_H
#define IMAGE_ROWS_H

#include "gpufilter/gpufilter.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* An image on its way. */
struct image_rows {
    const gf_image *image;
    int64_t next;    /* row */
    int64_t fail_at; /* the row at which it fails; 0: never */
    int32_t calls;
    int32_t sweeps; /* how often it began again */
};

static inline size_t image_row_bytes(const gf_image *image)
{
    return (size_t)(image->shape.width * image->shape.channels) * gf_depth_size(image->shape.depth);
}

static inline void image_rows_copy(void *to, int64_t to_pitch, const void *from, int64_t from_pitch,
                                   size_t row, int64_t count)
{
    for (int64_t y = 0; y < count; y++) {
        memcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, row);
    }
}

/* Checks whether the next `count` rows may pass: there are as many, and none of them is to fail. */
static inline gf_status image_rows_pass(struct image_rows *rows, int64_t count, gf_error *error)
{
    rows->calls++;
    bool fails = rows->fail_at && rows->next + count > rows->fail_at;
    if (!fails && count > 0 && rows->next + count <= rows->image->shape.height) {
        return GF_OK;
    }
    if (error) {
        snprintf(error->message, sizeof error->message, fails ? "told to fail" : "not so many rows");
        error->code = fails ? GF_ERROR_OUTPUT : GF_ERROR_INTERNAL;
    }
    return fails ? GF_ERROR_OUTPUT : GF_ERROR_INTERNAL;
}

static inline gf_status image_rows_give(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct image_rows *from = (struct image_rows *)user;
    const gf_image *image = from->image;
    gf_status status = image_rows_pass(from, count, error);
    if (status == GF_OK) {
        image_rows_copy(data, pitch, (char *)image->data + from->next * image->pitch, image->pitch,
                        image_row_bytes(image), count);
        from->next += count;
    }
    return status;
}

static inline gf_status image_rows_again(void *user, gf_error *error)
{
    struct image_rows *from = (struct image_rows *)user;
    (void)error;
    from->next = 0;
    from->sweeps++;
    return GF_OK;
}

static inline gf_status image_rows_take(void *user, const void *data, int64_t pitch, int64_t count,
                                        gf_error *error)
{
    struct image_rows *to = (struct image_rows *)user;
    const gf_image *image = to->image;
    gf_status status = image_rows_pass(to, count, error);
    if (status == GF_OK) {
        image_rows_copy((char *)image->data + to->next * image->pitch, image->pitch, data, pitch,
                        image_row_bytes(image), count);
        to->next += count;
    }
    return status;
}

static inline gf_source image_source(struct image_rows *rows)
{
    gf_source source = {sizeof source, 0, rows->image->shape, image_rows_give, image_rows_again, rows, 0};
    return source;
}

static inline gf_sink image_sink(struct image_rows *rows)
{
    gf_sink sink = {sizeof sink, 0, image_rows_take, rows};
    return sink;
}

#endif
