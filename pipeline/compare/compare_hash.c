/* The hash of a picture: of its shape and samples, whatever file they come from. */
#include "compare/compare.h"
#include "compare/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin(struct gf_sha256 *s, gf_shape shape)
{
    char line[96];
    const int length = snprintf(line, sizeof line, "gpufilter %lldx%lldx%d %s\n", (long long)shape.width,
                                (long long)shape.height, shape.channels, gf_depth_name(shape.depth));
    gf_sha256_begin(s);
    gf_sha256_add(s, line, (size_t)length);
}

static bool is_big_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

static void add_rows(struct gf_sha256 *s, const uint8_t *row, int64_t pitch, int64_t count, gf_shape shape)
{
    const size_t size = gf_depth_size(shape.depth),
                 bytes = (size_t)shape.width * (size_t)shape.channels * size;
    for (int64_t y = 0; y < count; y++, row += pitch) {
        if (!is_big_endian()) {
            gf_sha256_add(s, row, bytes);
            continue;
        }
        for (size_t i = 0; i < bytes; i++) {
            gf_sha256_add(s, row + i / size * size + (size - 1 - i % size), 1);
        }
    }
}

static gf_status check(gf_shape shape, const void *hash, gf_error *error)
{
    return !hash ? gf_fail(error, GF_ERROR_ARGUMENT, "hash is NULL")
           : shape.width < 1 || shape.height < 1 ||
                   gf_image_row_bytes(shape.width, shape.channels, shape.depth) < 1
               ? gf_fail(error, GF_ERROR_ARGUMENT,
                         "a picture of %lld x %lld pixels, %d channels of %s has no hash",
                         (long long)shape.width, (long long)shape.height, shape.channels,
                         gf_depth_name(shape.depth))
               : GF_OK;
}

gf_status gf_compare_hash(const gf_image *image, uint8_t hash[32], gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_image, device);
    gf_image taken = GF_IMAGE_INIT;
    struct gf_sha256 s;
    GF_TRY(image ? gf_struct_in(&sized, image, &taken, error)
                 : gf_fail(error, GF_ERROR_ARGUMENT, "image is NULL"));
    GF_TRY(check(taken.shape, hash, error));
    if (!taken.data || taken.device >= 0 ||
        taken.pitch < gf_image_row_bytes(taken.shape.width, taken.shape.channels, taken.shape.depth)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "the image has no samples in host memory, or a pitch too small for a row");
    }
    begin(&s, taken.shape);
    add_rows(&s, taken.data, taken.pitch, taken.shape.height, taken.shape);
    gf_sha256_end(&s, hash);
    return GF_OK;
}

gf_status gf_compare_hash_rows(const gf_source *source, uint8_t hash[32], gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_source, rows);
    gf_source taken = {0};
    struct gf_sha256 s;
    GF_TRY(source ? gf_struct_in(&sized, source, &taken, error)
                  : gf_fail(error, GF_ERROR_ARGUMENT, "source is NULL"));
    GF_TRY(check(taken.shape, hash, error));
    GF_TRY(taken.rows ? GF_OK : gf_fail(error, GF_ERROR_ARGUMENT, "source has no function that gives rows"));
    const int64_t pitch =
        (gf_image_row_bytes(taken.shape.width, taken.shape.channels, taken.shape.depth) + 63) / 64 * 64;
    const int64_t rows =
        taken.whole || taken.shape.height < GF_COMPARE_ROWS ? taken.shape.height : GF_COMPARE_ROWS;
    uint8_t *data = aligned_alloc(64, (size_t)(rows * pitch));
    gf_status status = gf_need_memory(data != NULL, error);
    begin(&s, taken.shape);
    for (int64_t y = 0; status == GF_OK && y < taken.shape.height; y += rows) {
        gf_error said = GF_ERROR_INIT;
        const int64_t count = taken.shape.height - y < rows ? taken.shape.height - y : rows;
        status =
            gf_callback_status(taken.rows(taken.user, data, pitch, count, &said), &said, "the source", error);
        add_rows(&s, data, pitch, status == GF_OK ? count : 0, taken.shape);
    }
    free(data);
    if (status == GF_OK) {
        gf_sha256_end(&s, hash);
    }
    return status;
}
