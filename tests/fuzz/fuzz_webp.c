/* WebP, through libwebp. A picture that is opaque everywhere is read without alpha. */
#include "fuzz.h"

static int has_clear_pixel(const gf_image *image)
{
    for (int64_t y = 0; y < image->shape.height; y++) {
        const uint8_t *row = (const uint8_t *)image->data + y * image->pitch;
        for (int64_t x = 3; x < image->shape.width * 4; x += 4) {
            if (row[x] != 255) {
                return 1;
            }
        }
    }
    return 0;
}

void fuzz_webp(const uint8_t *data, size_t size)
{
    if (size > (size_t)1 << 15 || strcmp(fuzz_format(data, size), "webp") != 0) {
        return;
    }
    gf_picture *picture = fuzz_read(data, size, 0);
    if (picture != NULL && (picture->image.shape.channels == 3 || has_clear_pixel(&picture->image))) {
        fuzz_write_again(picture, "webp", -1);
    }
    gf_picture_destroy(&picture);
}
