#include "io/orient.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BAND_ROWS 64 /* stored rows at a time: columns of the upright picture are then written in runs */

/* For each orientation: the stored picture is transposed first, then mirrored; both left to right and top to
 * bottom in terms of the upright picture. EXIF 2.3, 4.6.4 A, tag Orientation. */
static const struct {
    int transposed, mirrored, flipped;
} turns[9] = {[1] = {0, 0, 0}, [2] = {0, 1, 0}, [3] = {0, 1, 1}, [4] = {0, 0, 1},
              [5] = {1, 0, 0}, [6] = {1, 1, 0}, [7] = {1, 1, 1}, [8] = {1, 0, 1}};

int gf_orientation_transposes(int orientation)
{
    return turns[orientation].transposed;
}

gf_shape gf_oriented(const gf_shape *stored, int orientation)
{
    gf_shape shape = *stored;
    if (turns[orientation].transposed) {
        shape.width = stored->height;
        shape.height = stored->width;
    }
    return shape;
}

/* The course of a band of stored rows: the first pixel, and the way from one to the next along both sides. */
struct course {
    uint8_t *first;
    int64_t along_x, along_y; /* bytes */
};

static struct course lay_out(int orientation, const gf_image *upright, int64_t pixel)
{
    const gf_shape *shape = &upright->shape;
    struct course to = {upright->data, pixel, upright->pitch};
    if (turns[orientation].mirrored) {
        to.first += (shape->width - 1) * pixel;
        to.along_x = -pixel;
    }
    if (turns[orientation].flipped) {
        to.first += (shape->height - 1) * upright->pitch;
        to.along_y = -upright->pitch;
    }
    if (turns[orientation].transposed) { /* along a stored row is along an upright column */
        int64_t along_x = to.along_x;
        to.along_x = to.along_y;
        to.along_y = along_x;
    }
    return to;
}

/* Always inlined with a constant size, so that a pixel is a few moves and no call. */
static inline __attribute__((always_inline)) void
scatter_size(const uint8_t *band, int64_t pitch, int64_t width, int64_t rows, struct course to, size_t pixel)
{
    for (int64_t x = 0; x < width; x++) {
        const uint8_t *from = band + x * (int64_t)pixel;
        uint8_t *place = to.first + x * to.along_x;
        for (int64_t y = 0; y < rows; y++) {
            memcpy(place + y * to.along_y, from + y * pitch, pixel);
        }
    }
}

static void scatter(const uint8_t *band, int64_t pitch, int64_t width, int64_t rows, struct course to,
                    size_t pixel)
{
    switch (pixel) {
    case 1:
        scatter_size(band, pitch, width, rows, to, 1);
        break;
    case 3:
        scatter_size(band, pitch, width, rows, to, 3);
        break;
    case 4:
        scatter_size(band, pitch, width, rows, to, 4);
        break;
    default:
        scatter_size(band, pitch, width, rows, to, pixel);
        break;
    }
}

/* Whoever cannot hold the picture itself fails before, so that its size does not overflow. */
uint64_t gf_orient_bytes(const struct gf_decoder *decoder)
{
    const gf_shape *stored = &decoder->info.shape;
    int64_t most = decoder->info.whole || stored->height < BAND_ROWS ? stored->height : BAND_ROWS;
    return (uint64_t)(gf_image_row_bytes(stored->width, stored->channels, stored->depth) * most);
}

gf_status gf_orient_rows(struct gf_decoder *decoder,
                         gf_status (*rows)(struct gf_decoder *decoder, void *data, int64_t pitch,
                                           int64_t count, gf_error *error),
                         int orientation, const gf_image *upright, gf_error *error)
{
    const gf_shape *stored = &decoder->info.shape;
    size_t pixel = (size_t)stored->channels * gf_depth_size(stored->depth);
    uint64_t size = gf_orient_bytes(decoder);
    int64_t pitch = stored->width * (int64_t)pixel, most = (int64_t)size / pitch;
    if (size > decoder->limits->max_memory) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes to be turned, beyond max_memory, %" PRIu64,
                       decoder->in->label, size, decoder->limits->max_memory);
    }
    uint8_t *band = malloc((size_t)size);
    if (band == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory to turn it", decoder->in->label);
    }
    struct course to = lay_out(orientation, upright, (int64_t)pixel);
    gf_status status = GF_OK;
    for (int64_t y = 0; y < stored->height && status == GF_OK; y += most) {
        int64_t count = stored->height - y < most ? stored->height - y : most;
        status = rows(decoder, band, pitch, count, error);
        if (status == GF_OK) {
            const struct course here = {to.first + y * to.along_y, to.along_x, to.along_y};
            scatter(band, pitch, stored->width, count, here, pixel);
        }
    }
    free(band);
    return status;
}
